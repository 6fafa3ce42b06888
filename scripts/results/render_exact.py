# SPDX-License-Identifier: MIT
"""The table of weft-exact/1 documents, which scripts/measure-exactness writes: how far blurs are from the exact one."""
from results.render import heading, table, versions


def share(one):
    """Of the values that differ, with two digits."""
    percent = 100 * one["differ"] / one["values"]
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.2g} %"


def exact(document):
    sigmas = sorted({one["sigma"] for one in document["results"]})
    rows = {}
    for one in document["results"]:
        rows.setdefault((one["program"], one["command"], one["border"]), {})[one["sigma"]] = one
    cells = [[program, f"`{command}`", border,
              *(f"{found[sigma]['largest']:.2f}, {share(found[sigma])}" for sigma in sigmas)]
             for (program, command, border), found in rows.items()]
    size = f"`{document['picture']}`, {document['height']}x{document['width']}"
    return [*heading(document, size), f"{versions(document)}.", "",
            *table(["program", "by", "border", *(f">sigma {sigma}" for sigma in sigmas)], cells),
            *(line for one in document["imagej"] for line in
              (f"`{one['command']}`, of `{one['picture']}`, beside ImageJ: {one['differ']} of {one['values']} values "
               f"differ, by {one['largest']:g} at most.", ""))]
