# SPDX-License-Identifier: MIT
"""Which documents are shown, the newest and calmest of each machine, and which of their times stand beside each other."""
import math
import os

from results import load

PEERS = "copy", "cuda.cufft", "cpu.fftw"  # they have one layout, whichever Weft is asked for


# ---- documents ---------------------------------------------------------------------------------------------------


def every(schema):
    """All documents, those of GPUs first, those of a machine by their dates: [(machine's name, document)]."""
    paths = [os.path.join(load.RESULTS, name) for name in sorted(os.listdir(load.RESULTS)) if name.endswith(".json")] \
        if os.path.isdir(load.RESULTS) else []
    found = [(load.place(document["machine"]), document) for document in map(load.read, paths)
             if document["schema"] == schema]
    return sorted(found, key=lambda item: (item[1]["machine"]["gpu"] is None, item[0], item[1]["machine"]["date"]))


def by_machine(schema):
    """[(machine's name, all its documents)]"""
    machines = {}
    for name, document in every(schema):
        machines.setdefault(name, []).append(document)
    return list(machines.items())


def unrest(document):
    """How much a run was disturbed, as by others on the machine: mean of log(95th percentile / median) of its times."""
    ratios = [result["p95_us"] / result["median_us"] for result in document["results"] if result.get("p95_us")]
    return sum(map(math.log, ratios)) / len(ratios) if ratios else 0


def newest(schema):
    """Of every machine's newest commit the document with most results, of those the calmest, of those the newest; in
    that order."""
    found = {}
    for name, document in every(schema):
        before = found.get(name)
        same = before and before["machine"]["commit"] == document["machine"]["commit"]
        if not same or (len(document["results"]), -unrest(document)) >= (len(before["results"]), -unrest(before)):
            found[name] = document
    return list(found.items())


def newest_of_kind(schema, is_gpu):
    """Of the machine that was measured last, of those with a GPU or without; None where there is none."""
    found = [document for _, document in newest(schema) if (document["machine"]["gpu"] is not None) == is_gpu]
    return max(found, key=lambda document: document["machine"]["date"], default=None)


def newest_peers():
    """The newest run of each machine and number of threads."""
    return list({(name, threads_of(document)): document for name, document in every(load.PEERS)}.items())


def threads_of(document):
    """A document of peers is of one number of threads."""
    return document["results"][0]["threads"]


# ---- times in documents of weft-bench/1 --------------------------------------------------------------------------


def image_of(result):
    batch = f", {result['batch']} images" if result["batch"] > 1 else ""
    return f"{result['height']}x{result['width']}{batch}"


def task(result):
    is_half = result["layout"] == "half" and result["operation"] == "forward" and result["strategy"] not in PEERS
    layout = " to HALF" if is_half else ""
    pixels = f" of {result['pixel']} pixels" if result["pixel"] != "real" else ""
    return f"{image_of(result)}, {result['precision']} {result['operation']}{pixels}{layout}"


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


PEER_OF = {"gpu": "cuda.cufft", "cpu": "cpu.fftw"}


def ratios(document):
    """[(space, threads, result, its time over that of the peer)]: of Weft's strategies, cold where both were timed so;
    where the peer was timed."""
    found, timed = [], rows(document)
    for (what, space, strategy, threads), times in timed.items():
        peer = timed.get((what, space, PEER_OF[space], threads), {})
        cache = next((cache for cache in ("cold", "hot") if cache in times and cache in peer), None)
        if strategy not in PEERS and cache:
            found.append((space, threads, times[cache], times[cache]["median_us"] / peer[cache]["median_us"]))
    return found


def forward_times(document):
    """Image -> {"Weft": (strategy, us), "cuFFT" or "FFTW": .., "copy": ..}: f32 forward, cold, on the GPU or on one
    thread; of Weft's strategies the fastest; images that the peer was timed with."""
    space, peer, name = ("gpu", "cuda.cufft", "cuFFT") if document["machine"]["gpu"] else ("cpu", "cpu.fftw", "FFTW")
    found = {}
    for (what, where, strategy, threads), times in rows(document).items():
        one = times.get("cold")
        if one and (where, threads) == (space, 1) and what == f"{image_of(one)}, f32 forward":
            who = {peer: name, "copy": "copy"}.get(strategy, "Weft")
            bars = found.setdefault(image_of(one), {})
            if who not in bars or one["median_us"] < bars[who][1]:
                bars[who] = strategy, one["median_us"]
    return {what: {who: bars[who] for who in ("Weft", name, "copy") if who in bars}
            for what, bars in found.items() if name in bars and "Weft" in bars}


def fastest(times):
    """(name, result) of the fastest strategy of Weft among {strategy: result}; None where there is none."""
    own = [(strategy, result) for strategy, result in times.items() if strategy not in PEERS]
    return min(own, key=lambda item: item[1]["median_us"], default=None)


# The rows for the README: an image, and the threads of the CPU that transforms it (None: the GPU does).
HEADLINE = (("512x512, f32 forward", None), ("2048x2048, f32 forward", None), ("8192x8192, f32 forward", None),
            ("128x128, 256 images, f32 forward", None), ("2048x2048, f32 filter", None), ("2048x2048, f64 forward", None),
            ("512x512, f32 forward", 1), ("2048x2048, f32 forward", 1), ("2048x2048, f64 forward", 1),
            ("2048x2048, f32 forward", 16))


def headline(gpu, cpu):
    """[(image, threads or None, (strategy, its result), the peer's result)]: cold, or hot where no cold time is."""
    found = []
    for what, threads in HEADLINE:
        document, space, peer = (gpu, "gpu", "cuda.cufft") if threads is None else (cpu, "cpu", "cpu.fftw")
        times = {strategy: ways.get("cold") or ways["hot"] for (one, where, strategy, on), ways in rows(document).items()
                 if (one, where) == (what, space) and threads in (None, on)}
        if not fastest(times) or peer not in times:
            raise SystemExit(f"headline: {what} on {'the GPU' if threads is None else f'{threads} threads'}: "
                             f"not timed beside {peer}")
        found.append((what, threads, fastest(times), times[peer]))
    return found


# ---- the floor: the time that moving the bytes takes -------------------------------------------------------------

IN_L2 = 2048 * 2048 * 4  # bytes of the largest image that L2 holds beside its intermediate, as weft reproduce has it
REAL_BYTES = {"f32": 4, "f64": 8}


ONE_PASS = "cuda.onchip"  # whose images stay on the chip


def passes(strategy, result):
    return 1 if strategy == ONE_PASS else 3 if result["operation"] == "filter" else 2


def floor(strategy, result, copy):
    """Microseconds that copies take: one for each pass, the first one cold, the later ones hot where L2 holds the
    intermediate beside the image."""
    bytes_of_image = result["height"] * result["width"] * result["batch"] * REAL_BYTES[result["precision"]]
    later = copy["hot" if bytes_of_image <= IN_L2 else "cold"]["median_us"]
    return copy["cold"]["median_us"] + (passes(strategy, result) - 1) * later


def floors(document):
    """[(task, the copy, hot and cold, the floor, (strategy, its cold result))] of a GPU's fastest strategies. Not of
    integer pixels: a copy of those says nothing of their intermediate, which is of reals."""
    timed, found = rows(document), []
    for what in dict.fromkeys(what for what, space, *_ in timed if space == "gpu"):
        times = {strategy: ways for (one, space, strategy, _), ways in timed.items() if (one, space) == (what, "gpu")}
        best = fastest({strategy: ways["cold"] for strategy, ways in times.items() if "cold" in ways})
        if best and best[1]["pixel"] == "real" and {"hot", "cold"} <= times.get("copy", {}).keys():
            found.append((what, times["copy"], floor(*best, times["copy"]), best))
    return found
