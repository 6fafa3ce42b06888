# SPDX-License-Identifier: MIT
"""The tables of the paper: each function gives (titles, rows), a row being a label and cells, which are Measured or
have no digit. A title that begins with > is that of a column of numbers, one with = of sentences."""
from paper import measured, plots, values
from results import load, render, render_dx11, select

NONE = "-"


def ten():
    """The headline: as the README has it, of the same documents."""
    gpu = select.newest_of_kind(load.BENCH, True)
    rows = [
        [
            what,
            "GPU" if threads is None else render.threads_in_words(threads),
            strategy,
            measured.time(result),
            measured.time(peer),
            measured.ratio(result, peer),
        ]
        for what, threads, (strategy, result), peer in select.headline(gpu, plots.largest_cpu())
    ]
    return ["image", "on", "strategy", ">its time", ">cuFFT or FFTW", ">ratio"], rows


def gpus():
    """Every task that a GPU was timed with beside cuFFT: time, ratio, and how far from the floor."""
    documents = plots.gpus()[:2]
    found = {}
    for name, document in documents:
        timed = select.rows(document)
        for what, copy, _, (strategy, result) in select.floors(document):
            peer = timed.get((what, "gpu", "cuda.cufft", 1), {}).get("cold")
            parts = values.floor_parts(strategy, result, copy)
            found.setdefault(what, {})[name] = [
                measured.time(result),
                measured.ratio(result, peer) if peer else NONE,
                measured.share(result, parts),
            ]
    rows = [
        [what, *(cell for name, _ in documents for cell in by_name.get(name, [NONE] * 3))]
        for what, by_name in found.items()
    ]
    return [
        "image",
        *(f">{title}" for name, _ in documents for title in (plots.short(name), "over cuFFT", "over floor")),
    ], rows


def cpus():
    """Cold times on the CPU with most cores, beside FFTW."""
    document = plots.largest_cpu()
    counts = (1, document["machine"]["cores"])
    timed, rows = select.rows(document), {}
    for (what, space, strategy, threads), times in timed.items():
        peer = timed.get((what, space, "cpu.fftw", threads), {})
        if strategy == "cpu.fast" and threads in counts and "cold" in times and "cold" in peer:
            rows.setdefault(what, {})[threads] = [
                measured.time(times["cold"]),
                measured.time(peer["cold"]),
                measured.ratio(times["cold"], peer["cold"]),
            ]
    return [
        "image",
        *(
            f">{title}"
            for threads in counts
            for title in (f"Weft, {render.threads_in_words(threads)}", "FFTW", "ratio")
        ),
    ], [
        [what, *(cell for threads in counts for cell in by_threads.get(threads, [NONE] * 3))]
        for what, by_threads in rows.items()
    ]


def sweep():
    found = values.of_sweep(select.newest_of_kind(load.SWEEP, True))
    rows = [
        [label, *(found[f"sweep.{name}.{short}"] for short in ("sizes", "least", "mean", "largest", "above"))]
        for name, label in (("smooth", "primes of both sides up to 13"), ("prime", "a larger prime"), ("all", "all"))
        if f"sweep.{name}.least" in found
    ]
    return ["sizes", ">how many", ">least", ">geometric mean", ">largest", ">slower than cuFFT"], rows


def accuracy():
    """Relative L2 errors of forward transforms; of the newest GPU, and of FFTW where it was there."""
    document = plots.gpus()[0][1]
    cpu, rows = select.rows(plots.largest_cpu()), []
    timed = select.rows(document)
    for what in dict.fromkeys(what for what, space, *_ in timed if space == "gpu" and "forward" in what):
        own, peer = (timed.get((what, "gpu", who, 1), {}) for who in ("cuda.twopass", "cuda.cufft"))
        if own and peer:
            fftw = cpu.get((what, "cpu", "cpu.fftw", 1))
            rows.append(
                [
                    what,
                    *(measured.error(next(iter(times.values()))) if times else NONE for times in (own, peer, fftw)),
                    measured.error(next(iter(own.values())), "gate_l2"),
                ]
            )
    return ["image", ">Weft", ">cuFFT", ">FFTW", ">limit of Weft"], rows


def dx11():
    """Both GPUs: the sample's techniques with a table of weights, and what tangling leaves of them."""
    rows = []
    for document in plots.newest_dx11():
        name = plots.short(load.place(document["machine"]))
        found = values.of_dx11(name, document)
        rows += [
            [
                f"{height}x{width}, {name}",
                *(
                    found.get(f"{name}.{height}.{key}", NONE)
                    for key in ("uav.lut", "slm.lut", "table", "weft", "times", "uav.tangle", "slm.tangle")
                ),
            ]
            for height, width in render_dx11.sizes(document["rows"])
            if f"{name}.{height}.weft" in found
        ]
    return [
        "picture",
        ">uav",
        ">slm",
        ">slm: table over computed",
        ">Weft",
        ">best over Weft",
        ">uav: tangled over not",
        ">slm: tangled over not",
    ], rows


BYTES = ("model_read", "model_written", "l2_read", "l2_written", "dram_read", "dram_written")


def moved():
    """Bytes of a pixel at the largest size that was counted, and at 2048x2048."""
    document = select.newest_of_kind(load.BYTES, True)
    rows = []
    for result in document["results"]:
        if result["height"] in (2048, 8192):
            pixels = result["height"] * result["width"]
            cells = [
                measured.Measured(
                    f"{sum(launch[name] for launch in result['launches']) / pixels:.1f}",
                    "sum a pixel",
                    [*((launch, name) for launch in result["launches"]), (result, "height"), (result, "width")],
                )
                for name in BYTES
            ]
            rows.append(
                [f"{result['height']}x{result['width']}, {result['strategy'].replace(':twiddle=compute', '')}", *cells]
            )
    return ["image", ">model reads", ">writes", ">L2 reads", ">writes", ">DRAM reads", ">writes"], rows


def counters():
    """Instructions and misses of a pixel, of cpu.fast and FFTW, from the newest document."""
    document = max((one for _, one in select.every(load.COUNTERS)), key=lambda one: one["machine"]["date"])
    rows = []
    for result in document["results"]:
        cells = [
            measured.value(result["per_pixel"], name, digits)
            for name, digits in (
                ("instructions", 1),
                ("data_reads", 2),
                ("data_writes", 2),
                ("d1_read_misses", 3),
                ("l2_read_misses", 3),
                ("l2_write_misses", 3),
            )
        ]
        rows.append([f"{render.image(result)}, {result['contender']}", *cells])
    return [
        "image",
        ">instructions",
        ">reads",
        ">writes",
        ">first-level read misses",
        ">second-level read misses",
        ">second-level write misses",
    ], rows


def searches():
    """Of the codec: the least of the samples, for all frames of the film."""
    document = plots.newest_searches()
    timed = [one for one in document["results"] if one["search_seconds"]]
    alone = next((one["search_seconds"] for one in timed if one["search"] == "seq"), None)
    rows = [
        [
            f"{one['search']}, {render.threads_in_words(one['threads'])}",
            measured.Measured(f"{one['terms_evaluated'] / 1e9:.1f}", "billions", [(one, "terms_evaluated")]),
            measured.least(one["search_seconds"]),
            measured.least_ratio(alone, one["search_seconds"]) if alone else NONE,
        ]
        for one in timed
    ]
    return ["search", ">terms, billions", ">time", ">times as fast as seq"], rows


def crossed():
    """Table I of the paper on the codec: a picture coded with the codebook of another, PSNR in dB."""
    one = plots.table_of(plots.newest_fractal(), "Table I")
    rows = [
        [
            row["what"],
            *(measured.value(row["here"], i, 2) if cell is not None else NONE for i, cell in enumerate(row["here"])),
        ]
        for row in one["rows"]
    ]
    return ["picture", *(f">{column}" for column in one["columns"])], rows


def machines():
    """The document behind each kind of result that is shown: where and with what it was measured."""
    documents = [document for schema in load.SCHEMAS for _, document in select.every(schema)]
    shown = {}
    for document in sorted(documents, key=lambda one: one["machine"]["date"]):
        shown[document["schema"], load.place(document["machine"])] = document
    rows = [
        [
            schema.removeprefix("weft-"),
            *(measured.words(document["machine"], key) for key in ("commit", "compiler")),
            measured.Measured(
                plots.short(place), "place", [(document["machine"], key) for key in ("gpu", "cpu", "cores")]
            ),
            *(
                measured.words(document["machine"], key) if document["machine"][key] else NONE
                for key in ("cuda", "driver")
            ),
            measured.Measured(document["machine"]["date"][:10], "date", [(document["machine"], "date")]),
        ]
        for (schema, place), document in shown.items()
    ]
    return ["document", "commit", "compiler", "machine", "CUDA", "driver", "date"], rows


TABLES = {
    "ten": ten,
    "gpus": gpus,
    "cpus": cpus,
    "sweep": sweep,
    "accuracy": accuracy,
    "dx11": dx11,
    "moved": moved,
    "counters": counters,
    "searches": searches,
    "crossed": crossed,
    "machines": machines,
}
