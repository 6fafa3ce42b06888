# SPDX-License-Identifier: MIT
"""The table of weft-cpu-peers/1 documents, which scripts/cpu-peers writes: lines of an image, columns of peers."""
from results import heading, image, table, versions


def rows(document):
    """(image, hot or cold) -> {peer: result}"""
    found = {}
    for one in document["results"]:
        found.setdefault((image(one), one["cache"]), {})[one["peer"]] = one
    return found


def threads_of(document):
    """A document is of one number of threads."""
    return document["results"][0]["threads"]


def cell(result):
    """Milliseconds, three digits of them, and how many of cpu.fast's times that is."""
    if not result:
        return "-"
    value = result["median_us"] / 1000
    text = f"{value:.{3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0}f}"
    return text if result["peer"] == "cpu.fast" else f"{text} ({result['times_fast']:.2f})"


def draw(document):
    peers = list(dict.fromkeys(one["peer"] for one in document["results"]))
    lines, last = [], None
    for (what, cache), times in rows(document).items():
        lines.append([what if what != last else "", cache, *(cell(times.get(peer)) for peer in peers)])
        last = what
    threads = threads_of(document)
    return heading(document, f"{threads} thread{'s' if threads > 1 else ''}") + [f"{versions(document)}.", ""] + table(
        ["image", "ms", *(f">{peer}" for peer in peers)], lines)
