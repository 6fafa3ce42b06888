# SPDX-License-Identifier: MIT
"""The tables of weft-bench/1 documents, for the README."""
from results import heading, table, time


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
