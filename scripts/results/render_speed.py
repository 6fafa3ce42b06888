# SPDX-License-Identifier: MIT
"""The table of weft-speed/1 documents, which scripts/measure-speed writes: what whole commands take that blur a picture."""
import statistics

from results.render import heading, table, time, versions


def wall(one):
    return statistics.median(one["wall_s"])


def cell(one, ours):
    """The time, and Weft's as a part of it."""
    own = "" if one is ours else f", {wall(ours) / wall(one):.2f}"
    return f"{time(1e6 * wall(one))}{own}"


def speed(document):
    tasks, programs = {}, {}
    for one in document["results"]:
        tasks.setdefault((one["height"], one["width"], one["format"], one["sigma"]), {})[one["program"], one["command"]] = one
        programs[one["program"], one["command"]] = None
    cells = []
    for (height, width, kind, sigma), found in tasks.items():
        ours = next(one for one in found.values() if one["program"] == "Weft")
        cells.append([f"{height}x{width} {'JPEG' if kind == 'jpg' else 'PNG'}, sigma {sigma}",
                      *(cell(found[name], ours) if name in found else "-" for name in programs),
                      f"{ours['memory_bytes'] / 1e6:.0f} MB"])
    off = {name: max((abs(one["largest"]) for one in document["results"]
                      if (one["program"], one["command"]) == name and one["largest"] is not None), default=None)
           for name in programs}
    cells.append(["farthest from exact, in levels", *("-" if off[name] is None else f"{off[name]:.1f}" for name in programs), ""])
    many = document["folder"]
    return [*heading(document), f"{versions(document)}.", "",
            *(f"- {program}: `{command}`" for program, command in programs), "",
            *table(["", *(f">{program}{' float' if 'float' in command else ''}" for program, command in programs),
                    ">memory of Weft"], cells),
            *([f"A folder of {many['pictures']} pictures of {many['height']}x{many['width']}, JPEG to JPEG, sigma "
               f"{many['sigma']}, by one command of Weft: {many['wall_s']:.1f} s, in which all cores together work "
               f"{many['cpu_s']:.1f} s; {many['memory_bytes'] / 1e6:.0f} MB of memory.", ""] if many else [])]
