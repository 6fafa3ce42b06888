# SPDX-License-Identifier: MIT
"""The tables of weft-python-bench/1 documents, which `python -m weft bench` writes: times of calls from Python, and beside
each share of another's time what it must be at most, in brackets."""
import statistics

from results.render import heading, table, threads_in_words, time, versions

WEFT, FACE, SCIPY, DUCC, LIBRARY = "weft", "weft.scipy_backend", "scipy", "ducc0", "cpu.fast"
COLUMNS = ((WEFT, "Weft"), (FACE, "SciPy by Weft"), (SCIPY, "SciPy"), (DUCC, "ducc0"), ("numpy", "NumPy"))
SHARES = (WEFT, SCIPY), (FACE, SCIPY), (WEFT, DUCC), (FACE, DUCC)
SMALLEST = "16x16 forward"
MOST_US, MOST_ABOVE_US = 4, 1  # of a whole call of the smallest, and of what Python adds to the library's own time


def most(one, peer):
    """Of the peer's time, what Weft may take."""
    height, width = one["height"], one["width"]
    if one["operation"] == "convolve":
        return 0.6 if one["peer"] == FACE else 0.4
    if height != width or width & (width - 1):
        return 1.0 if peer == SCIPY else None
    return (0.5 if width >= 512 else 0.8) if peer == SCIPY else 0.9


def task(one):
    kernel = f" with {one['kernel_height']}x{one['kernel_width']}" if one["operation"] == "convolve" else ""
    return f"{one['height']}x{one['width']}{kernel} {one['operation']}"


def beside(value, limit, text):
    """What is more than it must be stands in bold."""
    if limit is None:
        return text
    return f"{text} [{limit:g}]" if value <= limit else f"**{text}** [{limit:g}]"


def share(one, medians, peer):
    if not {one, peer} <= medians.keys():
        return "-"
    value = medians[one][1] / medians[peer][1]
    return beside(value, most(medians[one][0], peer), f"{value:.2f}")


def rows(document):
    """Task -> {peer: (result, the median of its time for an image)}; a result without such a time is an error."""
    found = {}
    for one in document["results"]:
        try:
            median = statistics.median(one["samples_us"]) / one["batch"]
            found.setdefault(task(one), {})[one["peer"]] = one, median
            is_time = median > 0
        except (KeyError, TypeError, statistics.StatisticsError):
            is_time = False
        if not is_time:
            raise SystemExit(f"{document['schema']}: not a result with samples: {str(one)[:200]}")
    return found


def python(document):
    found = rows(document)
    lines = [[what, *(time(medians[peer][1]) if peer in medians else "-" for peer, _ in COLUMNS),
              *(share(one, medians, peer) for one, peer in SHARES)] for what, medians in found.items()]
    names = dict(COLUMNS)
    drawn = heading(document, "f32", threads_in_words(1)) + [f"{versions(document)}.", ""] + table(
        ["image", *(f">{name}" for _, name in COLUMNS), *(f">{names[one]} / {names[peer]}" for one, peer in SHARES)], lines)
    if {WEFT, LIBRARY} <= found.get(SMALLEST, {}).keys():
        whole, library = (found[SMALLEST][peer][1] for peer in (WEFT, LIBRARY))
        drawn += table([SMALLEST, ">time"], [["`weft.rfft2`", beside(whole, MOST_US, time(whole))],
                                             ["the library alone", time(library)],
                                             ["what Python adds", beside(whole - library, MOST_ABOVE_US, time(whole - library))]])
    return drawn + [line for one in document["skipped"] for line in (f"Left out: {one['peer']}: {one['why']}.", "")]
