# SPDX-License-Identifier: MIT
"""The numbers of the running text by their names, as [[NAME]] in the templates of paper/: {name: Measured}."""
from paper import measured, plots
from results import load, render_dx11, scatter, select

TASKS = {
    **{f"{side}": f"{side}x{side}, f32 forward" for side in (512, 1024, 2048, 4096, 8192)},
    **{f"filter.{side}": f"{side}x{side}, f32 filter" for side in (2048, 4096, 8192)},
    "inverse.2048": "2048x2048, f32 inverse",
    "f64.2048": "2048x2048, f64 forward",
    "batch.128": "128x128, 256 images, f32 forward",
    "batch.512": "512x512, 64 images, f32 forward",
    "batch.2048": "2048x2048, 3 images, f32 forward",
    "1080": "1080x1920, f32 forward",
    "2000": "2000x3000, f32 forward",
    "2039": "2039x2039, f32 forward",
    "451": "451x300, f32 forward",
    "half.2048": "2048x2048, f32 forward to HALF",
    "u8.2048": "2048x2048, f32 forward of u8 pixels",
}


def machine(prefix, document):
    about = document["machine"]
    name = "gpu" if about["gpu"] else "cpu"
    found = {
        f"{prefix}.{key}": measured.words(about, key)
        for key in ("driver", "cuda", "compiler", "commit", "cores")
        if about[key] is not None
    }
    return {
        **found,
        f"{prefix}.name": measured.Measured(plots.short(about[name]), "name", [(about, name)]),
        f"{prefix}.cpu": measured.Measured(plots.short(about["cpu"]), "name", [(about, "cpu")]),
    }


def floor_parts(strategy, result, copy):
    """The copies whose times add up to the floor: as select.floor counts them."""
    hot, cold = copy["hot"]["median_us"], copy["cold"]["median_us"]
    least, passes = select.floor(strategy, result, copy), select.passes(strategy, result)
    for later in ("hot", "cold"):
        if abs(cold + (passes - 1) * copy[later]["median_us"] - least) < 1e-9 * least:
            return [copy["cold"], *[copy[later]] * (passes - 1)]
    raise SystemExit(f"paper: a floor of {least} us is no sum of copies of {cold} and {hot} us")


def of_gpu(prefix, document):
    found, timed = {}, select.rows(document)
    for name, what in TASKS.items():
        times = {strategy: ways for (one, space, strategy, _), ways in timed.items() if (one, space) == (what, "gpu")}
        best = select.fastest({strategy: ways["cold"] for strategy, ways in times.items() if "cold" in ways})
        if not best:
            continue
        strategy, result = best
        found |= {f"{prefix}.{name}.weft": measured.time(result), f"{prefix}.{name}.error": measured.error(result)}
        peer, copy = (times.get(who, {}) for who in ("cuda.cufft", "copy"))
        if "cold" in peer:
            found |= {
                f"{prefix}.{name}.cufft": measured.time(peer["cold"]),
                f"{prefix}.{name}.ratio": measured.ratio(result, peer["cold"]),
                f"{prefix}.{name}.cufft.error": measured.error(peer["cold"]),
                f"{prefix}.{name}.wider": measured.ratio(peer["cold"], result, 0, "gate_l2"),
            }
        if {"hot", "cold"} <= copy.keys():
            parts = floor_parts(strategy, result, copy)
            found |= {
                f"{prefix}.{name}.copy.hot": measured.time(copy["hot"]),
                f"{prefix}.{name}.copy": measured.time(copy["cold"]),
                f"{prefix}.{name}.floor": measured.total(parts),
                f"{prefix}.{name}.overfloor": measured.share(result, parts),
            }
        for who in ("cuda.cooperative", "cuda.twopass", "cuda.onchip"):
            if "cold" in times.get(who, {}):
                found[f"{prefix}.{name}.{who}"] = measured.time(times[who]["cold"])
    return found


def of_cpu(prefix, document):
    found, timed = {}, select.rows(document)
    for (what, space, strategy, threads), times in timed.items():
        one = next(iter(times.values()))
        if strategy != "cpu.fast" or "forward" not in what:
            continue
        name = f"{prefix}.{one['height']}.{one['precision']}.{threads}"
        cache = "cold" if "cold" in times else "hot"
        found[f"{name}.weft"] = measured.time(times[cache])
        peer = timed.get((what, space, "cpu.fftw", threads), {})
        if cache in peer:
            found |= {
                f"{name}.fftw": measured.time(peer[cache]),
                f"{name}.ratio": measured.ratio(times[cache], peer[cache]),
            }
        alone = timed.get((what, space, strategy, 1))
        if alone and threads > 1:
            found[f"{name}.times"] = measured.ratio(alone["hot"], times["hot"], 1)
    return found


NARROW = 8  # times as long as wide, or as wide as long


def of_sweep(document):
    """Of all sizes, of smooth ones and of those with a large prime; of narrow ones, and of smooth ones that are not."""
    timed, pairs = select.rows(document), {}
    for space, threads, result, _ in select.ratios(document):
        peer = timed[select.task(result), space, select.PEER_OF[space], threads][result["cache"]]
        shorter, longer = sorted((result["height"], result["width"]))
        smooth = scatter.kind(result) == list(scatter.COLOURS)[0]
        kinds = ["all", "smooth" if smooth else "prime"]
        kinds += ["narrow"] if longer >= NARROW * shorter else ["fit"] if smooth else []
        for kind in kinds:
            pairs.setdefault(kind, []).append((result, peer))
    kinds = {
        "least": "least of ratios",
        "largest": "largest of ratios",
        "mean": "geometric mean of ratios",
        "above": "ratios above 1",
        "sizes": "ratios",
    }
    return {
        f"sweep.{name}.{short}": measured.of_ratios(kind, found)
        for name, found in pairs.items()
        for short, kind in kinds.items()
    }


def of_ways():
    found = {}
    for name, result in plots.on_one_machine():
        strategy, place = name.split(", ")
        found[f"ways.{strategy}.{place.split()[0]}"] = measured.time(result)
    results = dict(plots.on_one_machine())
    for name, one, other in (
        ("report.cpu", "cpu.report, 1 thread", "cpu.fast, 1 thread"),
        ("report.gpu", "cuda.report, GPU", "cuda.twopass, GPU"),
        ("report.device", "cpu.report, 1 thread", "cuda.report, GPU"),
    ):
        if {one, other} <= results.keys():
            found[f"ways.{name}"] = measured.ratio(results[one], results[other], 0)
    return found


def of_dx11(prefix, document):
    found, rows = {}, document["rows"]
    for height, width in render_dx11.sizes(rows):
        here = render_dx11.select(rows, height=height, width=width)
        sample = {
            (technique, twiddle): render_dx11.first(here, technique=technique, twiddle=twiddle, **render_dx11.AS_IT_WAS)
            for technique in ("uav", "slm")
            for twiddle in ("lut", "compute")
        }
        timed = {key: row["graph"] for key, row in sample.items() if row and render_dx11.median(row)}
        own = render_dx11.first(here, technique="cuda.twopass", operation="round trip")
        if len(timed) < 4 or not own:
            continue
        best = min(timed.values(), key=lambda graph: graph["median_us"])
        name = f"{prefix}.{height}"
        found |= {
            f"{name}.{technique}.{twiddle}": measured.time(graph) for (technique, twiddle), graph in timed.items()
        }
        found |= {
            f"{name}.weft": measured.time(own["graph"]),
            f"{name}.times": measured.ratio(best, own["graph"], 1),
            f"{name}.uav.slm": measured.ratio(timed["uav", "compute"], timed["slm", "compute"]),
            f"{name}.table": measured.ratio(timed["slm", "lut"], timed["slm", "compute"]),
        }
        by_name = {
            row["technique"]: row["graph"] for row in here if row["operation"] == "forward" and render_dx11.median(row)
        }
        for one in ("uav", "slm"):
            if {f"cuda.{one}", f"cuda.{one}:real=tangle"} <= by_name.keys():
                found[f"{name}.{one}.tangle"] = measured.ratio(
                    by_name[f"cuda.{one}:real=tangle"], by_name[f"cuda.{one}"], 3 if height == 4096 else 2
                )
    return found


def of_codec():
    found = {}
    bench = plots.newest_searches()
    if bench:
        timed = {
            (one["search"], one["threads"]): one["search_seconds"] for one in bench["results"] if one["search_seconds"]
        }
        for (search, threads), samples in timed.items():
            found[f"codec.{search}.{threads}"] = measured.least(samples)
            if ("seq", 1) in timed and search != "seq":
                found[f"codec.{search}.{threads}.times"] = measured.least_ratio(timed["seq", 1], samples)
        found |= {
            f"codec.decode.{name}": measured.least(bench["decode"][f"{name}_seconds"])
            for name in ("reference", "later")
        }
        found |= {f"codec.{key}": measured.value(bench["input"], key) for key in ("height", "width", "frames")}
        found |= machine("codec", bench)
    tables = plots.newest_fractal()
    if tables:
        rows = {(one["name"], row["what"]): row for one in tables["tables"] for row in one["rows"]}
        settled = rows["Fig. 5", "from grey"]["here"]
        found |= {f"codec.{key}": measured.value(tables, key) for key in ("picture_height", "picture_width")}
        found |= {"codec.settled": measured.value(settled, 5), "codec.settled.db": measured.value(settled, 4, 2, " dB")}
        drawn = [
            row["here"]
            for (name, what), row in rows.items()
            if name == "Table IV" and not what.endswith(".y4m") and row["here"][0] is not None
        ]
        if drawn:
            drawn.sort(key=lambda here: here[0])
            found |= {
                "codec.films.least": measured.value(drawn[0], 0, 1, " dB"),
                "codec.films.most": measured.value(drawn[-1], 0, 1, " dB"),
            }
        for (name, what), row in rows.items():
            if name == "Table IV" and what.endswith(".y4m"):
                found["codec.films.camera"] = measured.value(row["here"], 0, 1, " dB")
        rate = rows["The rate", "all that are drawn"]["here"]
        if rate[0] is not None:
            found["codec.rate"] = measured.value(rate, 0, 1)
        noise = rows["Fig. 5", "from noise"]["here"]
        found["codec.settled.noise"] = measured.value(noise, 5)
        gains = rows["The search fft", "fft is the faster from here on"]["here"]
        if gains[0] is not None:
            found["codec.fft.from"] = measured.count(gains, 0)
        loss = rows["Table I", "mean of all pictures"]["here"]
        if loss[-1] is not None:
            found["codec.loss"] = measured.value(loss, len(loss) - 1, 2, " dB")
    return found


def of_peers():
    """Where another library on a CPU comes nearest to cpu.fast, or before it."""
    timed = [
        one
        for _, document in select.newest_peers()
        for one in document["results"]
        if one["threads"] == 1 and one["cache"] == "hot" and one["peer"] == "mkl"
    ]
    if not timed:
        return {}
    least = min(timed, key=lambda one: one["times_fast"])
    return {"mkl.least": measured.value(least, "times_fast", 2), "mkl.side": measured.value(least, "height")}


def of_counters():
    """Instructions of cpu.fast over those of FFTW, for a pixel."""
    document = max((one for _, one in select.every(load.COUNTERS)), key=lambda one: one["machine"]["date"])
    by_name = {(one["height"], one["precision"], one["contender"]): one["per_pixel"] for one in document["results"]}
    found = {"instructions.name": measured.words(document["machine"], "cpu")}
    return found | {
        f"instructions.{height}.{precision}": measured.ratio(own, by_name[height, precision, "fftw"], 2, "instructions")
        for (height, precision, who), own in by_name.items()
        if who == "cpu.fast" and (height, precision, "fftw") in by_name
    }


def all_values():
    found = {}
    for name, document in plots.gpus():
        prefix = plots.short(name).lower().replace(" ", "")
        found |= {**machine(prefix, document), **of_gpu(prefix, document)}
    cpu = plots.largest_cpu()
    if cpu:
        found |= {**machine("cpu", cpu), **of_cpu("cpu", cpu)}
    sweep = select.newest_of_kind(load.SWEEP, True)
    if sweep:
        found |= {**machine("sweep", sweep), **of_sweep(sweep)}
    for document in plots.newest_dx11():
        prefix = "dx11." + plots.short(load.place(document["machine"])).lower()
        found |= {
            **machine(prefix, document),
            **of_dx11(prefix, document),
            f"{prefix}.published.lut": measured.time(document["published"], "lut_us"),
            f"{prefix}.published.compute": measured.time(document["published"], "compute_us"),
        }
    newest = max(
        (document for schema in load.SCHEMAS for _, document in select.every(schema)),
        key=lambda document: document["machine"]["date"],
    )["machine"]
    return {
        **found,
        **of_ways(),
        **of_codec(),
        **of_peers(),
        **of_counters(),
        "date": measured.Measured(newest["date"][:10], "date", [(newest, "date")]),
    }
