# SPDX-License-Identifier: MIT
"""The tables of weft-bench/1 documents: all times, for the README; and how cpu.fast stands beside FFTW."""
import statistics

from results import heading, headings, table, time


PEERS = "copy", "cuda.cufft", "cpu.fftw"  # they have one layout, whichever Weft is asked for


def task(result):
    batch = f", {result['batch']} images" if result["batch"] > 1 else ""
    is_half = result["layout"] == "half" and result["operation"] == "forward" and result["strategy"] not in PEERS
    layout = " to HALF" if is_half else ""
    pixels = f" of {result['pixel']} pixels" if result["pixel"] != "real" else ""
    return f"{result['height']}x{result['width']}{batch}, {result['precision']} {result['operation']}{pixels}{layout}"


def rows(document):
    """(task, space, strategy, threads) -> {"hot": result, "cold": result}: the transform alone, on a GPU as a
    replayed graph; as the table of weft bench."""
    found = {}
    by_size = sorted(document["results"], key=lambda one: (one["height"] * one["width"], task(one)))
    for result in by_size:
        if result["verified"] and result["scope"] == "transform" and result["launch"] in (None, "graph") \
                and result["median_us"] is not None:
            key = task(result), result["space"], result["strategy"], result["threads"]
            found.setdefault(key, {})[result["cache"]] = result
    return found


def median(result):
    return time(result and result["median_us"])


def draw(document):
    lines, last = [], None
    for (what, space, strategy, threads), times in rows(document).items():
        hot, cold = times.get("hot"), times.get("cold")
        any_of = cold or hot
        percent = any_of["percent_of_copy"]
        lines.append([what if what != last else "", strategy, "GPU" if space == "gpu" else str(threads),
                      median(hot), median(cold), "-" if percent is None else f"{percent:.3g} %",
                      "exact" if strategy == "copy" else f"{any_of['rel_l2']:.1e}"])
        last = what
    return heading(document) + table(["image", "strategy", ">threads", ">hot", ">cold", ">of copy's speed",
                                      ">relative L2 error"], lines)


def shares(document):
    """(task, threads) -> {"hot": .., "cold": ..}: the time of cpu.fast over that of FFTW on as many threads, where FFTW
    was timed; and "speed-up": hot, how many times as fast as on one thread it is."""
    found = {}
    timed = rows(document)
    for (what, space, strategy, threads), times in timed.items():
        if strategy != "cpu.fast":
            continue
        peer, alone = timed.get((what, space, "cpu.fftw", threads), {}), timed.get((what, space, strategy, 1))
        found[what, threads] = {cache: times[cache]["median_us"] / peer[cache]["median_us"]
                                for cache in times if cache in peer}
        if alone and threads > 1:
            found[what, threads]["speed-up"] = alone["hot"]["median_us"] / times["hot"]["median_us"]
    return found


def draw_shares(documents):
    """One table of all runs on one machine: a cell has the values of one or two of them, or the median of more and, in
    brackets, the least and the most."""
    runs = [shares(document) for document in documents]
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

    titles = [f">{way}, {threads} thread{'s' if threads > 1 else ''}" for threads, way in columns]
    tasks = dict.fromkeys(what for run in runs for (what, _), ways in run.items() if ways)
    lines = [[what, *(cell(what, *column) for column in columns)] for what in tasks]
    return headings(documents) + table(["image", *titles], lines)
