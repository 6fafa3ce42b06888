# SPDX-License-Identifier: MIT
"""The table of weft-cpu-peers/1 documents, which scripts/cpu-peers writes."""
from results import heading, table, time


def rows(document):
    """(size and precision, peer, threads) -> {"hot": result, "cold": result}"""
    found = {}
    for one in document["results"]:
        key = f"{one['height']}x{one['width']}, {one['precision']}", one["peer"], one["threads"]
        found.setdefault(key, {})[one["cache"]] = one
    return found


def cells(result):
    return [time(result["median_us"]), f"{result['times_fast']:.2f}"] if result else ["-", "-"]


def draw(document):
    lines, last = [], None
    for (image, peer, threads), times in rows(document).items():
        lines.append([image if image != last else "", peer, str(threads), *cells(times.get("hot")),
                      *cells(times.get("cold"))])
        last = image
    versions = ", ".join(f"{peer}: {version}" for peer, version in document["versions"].items())
    return heading(document) + [f"{versions}.", ""] + table(
        ["image", "peer", ">threads", ">hot", ">times cpu.fast's", ">cold", ">times cpu.fast's"], lines)
