# SPDX-License-Identifier: MIT
"""Documents as tables of Markdown: weft-bench/1, weft-cpu-peers/1 and weft-cpu-counters/1; and the cells of all tables."""
import collections
import statistics

import caches
from results import load, select


OLDER = "measured before later changes of the code"


def block(documents, draw):
    """The lines draw(document) of [(name, document)], one after the other."""
    lines = [line for _, document in documents for line in draw(document)]
    return "\n".join(lines).rstrip() + "\n" if lines else ""


def time(microseconds):
    """Three digits of a time."""
    if microseconds is None:
        return "-"
    value, unit = microseconds, "us"
    if value >= 10000:
        value, unit = value / 1000, "ms"
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"


def about(machine):
    words = [f"CUDA {machine['cuda']}, driver {machine['driver']}" if machine["gpu"] else None,
             machine["compiler"], f"commit {machine['commit']}", machine["date"][:10]]
    return [word for word in words if word]


def headings(documents, *more):
    """Of several runs on one machine: once what they have in common, then how many are alike in the rest."""
    told = [[*more, *about(document["machine"]), *([OLDER] if load.is_of_older_code(document) else [])]
            for document in documents]
    common = [word for word in told[0] if all(word in words for words in told)]
    rest = collections.Counter(", ".join(word for word in words if word not in common) for words in told)
    alike = [", ".join(filter(None, (what, f"{count} runs" if count > 1 else None))) for what, count in rest.items()]
    return [f"**{load.place(documents[0]['machine'])}** ({'; '.join(filter(None, (', '.join(common), *alike)))})", ""]


def heading(document, *more):
    return headings([document], *more)


def threads_in_words(threads):
    return f"{threads} thread{'s' if threads > 1 else ''}"


def versions(document):
    return ", ".join(f"{name}: {version}" for name, version in document["versions"].items())


def image(result):
    return f"{result['height']}x{result['width']}, {result['precision']}"


def table(titles, rows):
    """Lines of Markdown; a title that begins with > is that of a column of numbers."""
    lines = ["| " + " | ".join(title.lstrip(">") for title in titles) + " |",
             "|" + "|".join("---:" if title.startswith(">") else "---" for title in titles) + "|"]
    return lines + ["| " + " | ".join(cells) + " |" for cells in rows] + [""]


# ---- weft-bench/1: all times; and how cpu.fast stands beside FFTW ------------------------------------------------


def median(result):
    return time(result and result["median_us"])


def bench(document):
    lines, last = [], None
    for (what, space, strategy, threads), times in select.rows(document).items():
        hot, cold = times.get("hot"), times.get("cold")
        any_of = cold or hot
        percent = any_of["percent_of_copy"]
        lines.append([what if what != last else "", strategy, "GPU" if space == "gpu" else str(threads),
                      median(hot), median(cold), "-" if percent is None else f"{percent:.3g} %",
                      "exact" if strategy == "copy" else f"{any_of['rel_l2']:.1e}"])
        last = what
    return heading(document) + table(["image", "strategy", ">threads", ">hot", ">cold", ">of copy's speed",
                                      ">relative L2 error"], lines)


def shares(documents):
    """One table of all runs on one machine: a cell has the values of one or two of them, or the median of more and, in
    brackets, the least and the most."""
    runs = [select.shares(document) for document in documents]
    columns = sorted({(threads, way) for run in runs for (_, threads), ways in run.items() for way in ways},
                     key=lambda column: (column[1] == "speed-up", column[0], column[1] != "hot"))
    if "hot" not in (way for _, way in columns):
        return []

    def cell(what, threads, way):
        values = [run[what, threads][way] for run in runs if way in run.get((what, threads), {})]
        digits = 2 if way == "speed-up" else 3
        if len(values) > 2:
            return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"
        return ", ".join(f"{value:.{digits}f}" for value in values) or "-"

    titles = [f">{way}, {threads_in_words(threads)}" for threads, way in columns]
    tasks = dict.fromkeys(what for run in runs for (what, _), ways in run.items() if ways)
    lines = [[what, *(cell(what, *column) for column in columns)] for what in tasks]
    return headings(documents) + table(["image", *titles], lines)


def headline(documents):
    """One table of a GPU and a CPU: the documents of both."""
    if None in documents:
        return []
    lines = [[what, "GPU" if threads is None else f"CPU, {threads_in_words(threads)}", strategy, median(result), median(peer),
              f"{result['median_us'] / peer['median_us']:.2f}"]
             for what, threads, (strategy, result), peer in select.headline(*documents)]
    return [line for document in documents for line in heading(document)] + table(
        ["image", "on", "strategy", ">its time", ">cuFFT's or FFTW's", ">ratio"], lines)


def floor(document):
    lines = [[what, median(copy["hot"]), median(copy["cold"]), time(least), strategy, median(result),
              f"{result['median_us'] / least:.2f}"]
             for what, copy, least, (strategy, result) in select.floors(document)]
    return heading(document) + table(["image", ">copy, hot", ">copy, cold", ">floor", "fastest strategy", ">its time, cold",
                                      ">time / floor"], lines)


# ---- weft-cpu-peers/1, which scripts/cpu-peers writes: lines of an image, columns of peers -----------------------


def peer_cell(result):
    """Milliseconds, three digits of them, and how many of cpu.fast's times that is."""
    if not result:
        return "-"
    value = result["median_us"] / 1000
    text = f"{value:.{3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0}f}"
    return text if result["peer"] == "cpu.fast" else f"{text} ({result['times_fast']:.2f})"


def peers(document):
    names = list(dict.fromkeys(one["peer"] for one in document["results"]))
    found = {}
    for one in document["results"]:
        found.setdefault((image(one), one["cache"]), {})[one["peer"]] = one
    lines, last = [], None
    for (what, cache), times in found.items():
        lines.append([what if what != last else "", cache, *(peer_cell(times.get(name)) for name in names)])
        last = what
    return heading(document, threads_in_words(select.threads_of(document))) + [f"{versions(document)}.", ""] + table(
        ["image", "ms", *(f">{name}" for name in names)], lines)


# ---- weft-cpu-counters/1, which scripts/cpu-counters writes ------------------------------------------------------

DIGITS = {"instructions": 1, "data_reads": 2, "data_writes": 2}  # of misses: 3


def shares_of_counts(counted):
    """What cpu.fast takes of FFTW's, where both were counted."""
    if not {"cpu.fast", "fftw"} <= counted.keys():
        return []
    values = (f"{value / peer:.2f}" if peer else "-"
              for value, peer in zip(counted["cpu.fast"].values(), counted["fftw"].values()))
    return [["", "cpu.fast / fftw", *values]]


def rows_of_counts(what, counted):
    rows = [["", name, *(f"{value:.{DIGITS.get(count, 3)}f}" for count, value in per_pixel.items())]
            for name, per_pixel in counted.items()] + shares_of_counts(counted)
    return [[what, *rows[0][1:]], *rows[1:]]


def counters(document):
    images = {}
    for one in document["results"]:
        what = f"{image(one)} ({one['operations_per_pixel']:g})"
        images.setdefault(what, {})[one["contender"]] = one["per_pixel"]
    lines = [row for what, counted in images.items() for row in rows_of_counts(what, counted)]
    how = f"WEFT_ISA {document['isa']}; {caches.words(document['caches'])}; {versions(document)}."
    return heading(document) + [how, ""] + table(
        ["image (operations)", "of a pixel", ">instructions", ">reads", ">writes", ">D1 misses: reads", ">writes",
         ">L2 misses: reads", ">writes"], lines)
