# SPDX-License-Identifier: MIT
"""What was measured, as pictures: each function draws one from the documents that scripts/results chooses, or returns
None where there is none."""
import math

from paper import drawing
from paper.drawing import BOLD, COPY, END, GRID, OTHER, PEER, SMALL, STRONG, WEFT, Linear, Panel, axes, legend, line
from results import bars, load, render, render_dx11, render_fractal, scatter, select

TOP, HIGH = 56, 180  # of panels
ROUNDING = 2.0**-24


def gpus():
    """[(name, document)] of benchmarks, the newest GPU first."""
    found = [item for item in select.newest(load.BENCH) if item[1]["machine"]["gpu"]]
    return sorted(found, key=lambda item: item[1]["machine"]["date"], reverse=True)


def largest_cpu():
    """Of the CPU with most cores."""
    found = [document for _, document in select.newest(load.BENCH) if not document["machine"]["gpu"]]
    return max(found, key=lambda document: document["machine"]["cores"], default=None)


def short(name):
    return name.removeprefix("NVIDIA ").replace(" 80GB HBM3", "").replace("(R)", "")


def squares(document, space, precision="f32", threads=None):
    """Side -> {strategy: {"hot", "cold"}} of forward transforms of single images."""
    found = {}
    for (what, where, strategy, on), times in select.rows(document).items():
        one = next(iter(times.values()))
        side = one["height"]
        if what == f"{side}x{side}, {precision} forward" and where == space and threads in (None, on):
            found.setdefault(side, {})[strategy] = times
    return dict(sorted(found.items()))


def sides(values):
    return [(side, str(side)) for side in values]


# ---- transforms --------------------------------------------------------------------------------------------------


def gpu():
    """Times over that of a cold copy, powers of two."""
    documents = gpus()[:2]
    if not documents:
        return None
    shown = []
    for name, document in documents:
        by_side = {
            side: times
            for side, times in squares(document, "gpu").items()
            if side & (side - 1) == 0 and {"copy", "cuda.cufft"} <= times.keys()
        }
        curves = {"Weft": [], "cuFFT": [], "floor": []}
        for side, times in by_side.items():
            copy = times["copy"]
            strategy, best = select.fastest({key: ways["cold"] for key, ways in times.items() if "cold" in ways})
            for who, us in (
                ("Weft", best["median_us"]),
                ("cuFFT", times["cuda.cufft"]["cold"]["median_us"]),
                ("floor", select.floor(strategy, best, copy)),
            ):
                curves[who].append((side, us / copy["cold"]["median_us"], f"{side}x{side}: {render.time(us)}"))
        shown.append((short(name), curves))
    xs = sorted({x for _, curves in shown for x, *_ in curves["Weft"]})
    high = max(y for _, curves in shown for points in curves.values() for _, y, _ in points)
    colours = {"Weft": WEFT, "cuFFT": PEER, "floor": COPY}
    lines = [
        *legend([(name, colour, name == "floor") for name, colour in colours.items()], 50, 18),
        bars.text(440, 18, "time over that of a cold copy of the same bytes"),
    ]
    for number, (name, curves) in enumerate(shown):
        panel = Panel(
            50 + 390 * number,
            TOP,
            340,
            HIGH,
            scatter.Axis(xs, 64 + 390 * number, 376 + 390 * number),
            Linear(1, math.ceil(high * 2) / 2, TOP + HIGH, TOP),
        )
        lines += panel.frame(
            name, sides(xs), [(1 + 0.5 * i, f"{1 + 0.5 * i:g}") for i in range(math.ceil(high * 2) - 1)], 1
        )
        for who, points in curves.items():
            lines += panel.curve(points, colours[who], who, who == "floor")
    return drawing.picture(TOP + HIGH + 30, lines)


def cpu():
    """Nanoseconds a pixel on one thread and on as many as there are."""
    document = largest_cpu()
    if document is None:
        return None
    panels = [(render.threads_in_words(threads), threads) for threads in (1, document["machine"]["cores"])]
    curves, colours = {}, {"cpu.fast": WEFT, "cpu.fftw": PEER}
    for words, threads in panels:
        for precision in ("f32", "f64"):
            for side, times in squares(document, "cpu", precision, threads).items():
                for strategy in colours:
                    if "cold" in times.get(strategy, {}):
                        us = times[strategy]["cold"]["median_us"]
                        curves.setdefault((words, strategy, precision), []).append(
                            (side, 1e3 * us / side**2, f"{precision}, {side}x{side}: {render.time(us)}")
                        )
    xs = sorted({x for points in curves.values() for x, *_ in points})
    ys = [y for points in curves.values() for _, y, _ in points]
    lines = [
        *legend(
            [
                ("Weft, f32", WEFT, False),
                ("Weft, f64", WEFT, True),
                ("FFTW, f32", PEER, False),
                ("FFTW, f64", PEER, True),
            ],
            50,
            18,
        ),
        bars.text(560, 18, "ns a pixel, cold"),
    ]
    for number, (words, _) in enumerate(panels):
        panel = axes(50 + 390 * number, TOP, 340, HIGH, xs, ys)
        lines += panel.frame(words, sides(xs), [(y, f"{y:g}") for y in panel.up.steps(12)])
        for (where, strategy, precision), points in curves.items():
            if where == words:
                lines += panel.curve(points, colours[strategy], strategy, precision == "f64")
    return drawing.picture(TOP + HIGH + 30, lines)


def sweep():
    document = select.newest_of_kind(load.SWEEP, True)
    return drawing.polished(scatter.draw(document)).replace(PEER, STRONG) if document else None  # PEER: a library's


def accuracy():
    """Errors in units of rounding, by size, beside the limit."""
    found = []
    for _, document in [*gpus(), *((None, one) for one in [largest_cpu()] if one)]:
        for (what, _, strategy, _), times in select.rows(document).items():
            one = next(iter(times.values()))
            if what.endswith("f32 forward") and strategy in ("cuda.twopass", "cpu.fast", "cuda.cufft", "cpu.fftw"):
                found.append((strategy, one, f"{what}, {strategy}: {one['rel_l2']:.1e}"))
    if not found:
        return None
    xs = [one["height"] * one["width"] for _, one, _ in found]
    limits = sorted(
        {
            (one["height"] * one["width"], one["gate_l2"] / ROUNDING)
            for strategy, one, _ in found
            if strategy not in select.PEERS and one["height"] & (one["height"] - 1) == 0
        }
    )
    high = math.ceil(max(y for _, y in [*limits, *((0, one["rel_l2"] / ROUNDING) for _, one, _ in found)]))
    panel = Panel(60, TOP, 700, HIGH, scatter.Axis(xs, 74, 746), Linear(0, high, TOP + HIGH, TOP))
    names = {
        "cuda.twopass": ("Weft, GPU and CPU", WEFT, False),
        "cpu.fast": ("Weft, GPU and CPU", WEFT, False),
        "cuda.cufft": ("cuFFT", PEER, False),
        "cpu.fftw": ("FFTW", PEER, True),
    }
    lines = panel.frame(
        "relative L2 error, f32 forward, in units of 2^-24",
        [(x, f"{x:,.0f}") for x in panel.across.steps(7)],
        [(y, str(y)) for y in range(high + 1)],
    )
    lines += panel.curve([(x, y, "limit") for x, y in limits], COPY, "limit", True)
    lines += [
        drawing.dot(
            panel.across.place(one["height"] * one["width"]),
            panel.up.place(one["rel_l2"] / ROUNDING),
            names[strategy][1],
            title,
            names[strategy][2],
        )
        for strategy, one, title in found
    ]
    x = 60
    for name, colour, hollow in [*dict.fromkeys(names.values()), ("Weft's limit at powers of two", COPY, True)]:
        lines += [drawing.dot(x + 4, 14, colour, hollow=hollow), bars.text(x + 14, 18, name)]
        x += 150
    lines.append(bars.text(410, TOP + HIGH + 32, "pixels", drawing.MIDDLE))
    return drawing.picture(TOP + HIGH + 40, lines)


def floors():
    """How far from the floor each transform on a GPU is."""
    documents = gpus()[:2]
    if not documents:
        return None
    found = {}
    for name, document in documents:
        for what, _, floor, (strategy, result) in select.floors(document):
            found.setdefault(what, {})[short(name)] = (result["median_us"] / floor, strategy)
    left, top, step = 240, 46, 17
    high = math.ceil(2 * max(value for row in found.values() for value, _ in row.values())) / 2
    scale, bottom = Linear(0.5, high, left, 780), top + step * len(found)
    lines, colours = [], dict(zip((short(name) for name, _ in documents), (WEFT, STRONG)))
    for number, (name, colour) in enumerate(colours.items()):
        lines += [drawing.dot(left + 120 * number + 4, 14, colour), bars.text(left + 120 * number + 14, 18, name)]
    lines.append(bars.text(left + 260, 18, "time over the floor; left of 1 is below it"))
    for i in range(int(2 * (high - 0.5)) + 1):
        value = 0.5 + i / 2
        lines += [
            line(scale.place(value), top - 8, scale.place(value), bottom, STRONG if value == 1 else GRID),
            bars.text(f"{scale.place(value):.1f}", top - 12, f"{value:g}", drawing.MIDDLE),
        ]
    for number, (what, row) in enumerate(found.items()):
        y = top + step * number + 8
        lines += [bars.text(left - 12, y + 4, what, END), line(left, y, 780, y, GRID, 'stroke-dasharray="1 3"')]
        lines += [
            drawing.dot(scale.place(value), y, colours[name], f"{name}, {strategy}: {value:.2f}")
            for name, (value, strategy) in row.items()
        ]
    return drawing.picture(bottom + 14, lines)


# ---- from the report to Weft -------------------------------------------------------------------------------------

WHO = (  # a strategy, its threads, whose it is, and what it is
    ("cpu.report", 1, OTHER, "the report's program"),
    ("cpu.report", None, OTHER, "the report's program"),
    ("cpu.reference", 1, WEFT, "Weft, plain"),
    ("cpu.fftw", 1, PEER, "FFTW"),
    ("cpu.fast", 1, WEFT, "Weft"),
    ("cpu.fftw", None, PEER, "FFTW"),
    ("cpu.fast", None, WEFT, "Weft"),
    ("cuda.report", "gpu", OTHER, "the report's program"),
    ("cuda.uav", "gpu", OTHER, "DirectX sample, by passes"),
    ("cuda.slm", "gpu", OTHER, "DirectX sample, by axes"),
    ("cuda.cufft", "gpu", PEER, "cuFFT"),
    ("cuda.cooperative", "gpu", WEFT, "Weft, in one launch"),
    ("cuda.twopass", "gpu", WEFT, "Weft"),
    ("copy", "gpu", COPY, "a copy of the image"),
)


def on_one_machine():
    """[(name, result)] of 2048x2048 on the newest GPU and its host, hot, each verified before it was timed."""
    if not gpus():
        return []
    document = gpus()[0][1]
    timed, cores = select.rows(document), document["machine"]["cores"]
    found = []
    for strategy, on, *_ in WHO:
        space, threads = ("gpu", 1) if on == "gpu" else ("cpu", on or cores)
        times = timed.get(("2048x2048, f32 forward", space, strategy, threads))
        if times and "hot" in times:
            place = "GPU" if space == "gpu" else render.threads_in_words(threads)
            found.append((f"{strategy}, {place}", times["hot"]))
    return found


def all_ways():
    found = on_one_machine()
    if not found:
        return None
    low = min(math.floor(math.log10(result["median_us"])) for _, result in found)
    high = max(math.ceil(math.log10(result["median_us"])) for _, result in found)
    left, top, step = 320, 40, 20
    known = {strategy: (colour, words) for strategy, _, colour, words in WHO}
    scale, bottom = Linear(low, high, left, 740), top + step * len(found)
    lines = [bars.text(left, 14, "2048x2048, f32, forward; hot; each step to the right is ten times as long", BOLD)]
    for power in range(low, high + 1):
        lines += [
            line(scale.place(power), top - 6, scale.place(power), bottom, GRID),
            bars.text(
                f"{scale.place(power):.1f}",
                top - 10,
                f"{10 ** (power % 3)} {('us', 'ms', 's')[power // 3]}",
                drawing.MIDDLE,
            ),
        ]
    for number, (name, result) in enumerate(found):
        y = top + step * number
        strategy = name.split(",")[0]
        colour, words = known[strategy]
        end = scale.place(math.log10(result["median_us"]))
        lines += [
            bars.text(left - 10, y + 14, f"{words}: {name}", END),
            drawing.box(left, y + 3, end - left, 14, colour),
            bars.text(f"{end + 6:.1f}", y + 14, render.time(result["median_us"])),
        ]
    return drawing.picture(bottom + 10, lines)


# ---- other FFTs on a CPU -----------------------------------------------------------------------------------------

NAMES = {
    "cpu.fast half": "Weft, half spectrum",
    "mkl": "oneMKL",
    "fftw": "FFTW, measured plans",
    "fftw patient": "FFTW, patient plans",
    "scipy": "SciPy (pocketfft)",
    "numpy": "NumPy (pocketfft)",
}


def peers():
    """Hot times over those of cpu.fast, one thread, of each run."""
    shown = [(name, document) for (name, threads), document in select.newest_peers() if threads == 1]
    if not shown:
        return None
    colours, left, top, step = (WEFT, STRONG, COPY), 200, 46, 34
    found = [
        (name, one)
        for name, document in shown
        for one in document["results"]
        if one["cache"] == "hot" and one["peer"] in NAMES
    ]
    rows = [peer for peer in NAMES if any(one["peer"] == peer for _, one in found)]
    scale = scatter.Axis([one["times_fast"] for _, one in found], left, 780)
    bottom = top + step * len(rows)
    lines = [
        bars.text(14, 18, "time over that of cpu.fast, one thread; each dot is a size; filled f32, hollow f64", BOLD)
    ]
    for value in scale.steps(10):
        lines += [
            line(scale.place(value), top - 6, scale.place(value), bottom, STRONG if value == 1 else GRID),
            bars.text(f"{scale.place(value):.1f}", top - 10, f"{value:g}", drawing.MIDDLE),
        ]
    for number, peer in enumerate(rows):
        y = top + step * number + 14
        lines.append(bars.text(left - 12, y + 4, NAMES[peer], END))
        for index, (name, _) in enumerate(shown):
            lines += [
                drawing.dot(
                    scale.place(one["times_fast"]),
                    y + 10 * index - 5 * (len(shown) - 1),
                    colours[index],
                    f"{name}: {one['height']}x{one['width']}, {one['precision']}: {one['times_fast']:.2f}",
                    one["precision"] == "f64",
                )
                for where, one in found
                if where == name and one["peer"] == peer
            ]
    for index, (name, _) in enumerate(shown):
        lines += [
            drawing.dot(left + 260 * index, bottom + 16, colours[index]),
            bars.text(left + 260 * index + 12, bottom + 20, short(name)),
        ]
    return drawing.picture(bottom + 32, lines)


# ---- the DirectX 11 sample ---------------------------------------------------------------------------------------


def dx11():
    documents = newest_dx11()
    if not documents:
        return None
    colours = {"uav": OTHER, "slm": OTHER, "cuda.twopass": WEFT}
    curves = []
    for document in documents:
        found = {name: [] for name in colours}
        for height, width in render_dx11.sizes(document["rows"]):
            here = render_dx11.select(document["rows"], height=height, width=width, operation="round trip")
            for name in colours:
                rows = [
                    row
                    for row in here
                    if row["technique"] == name
                    and row["graph"]
                    and (
                        name == "cuda.twopass" or all(row[key] == value for key, value in render_dx11.AS_IT_WAS.items())
                    )
                ]
                times = [row["graph"]["median_us"] for row in rows if row["graph"]["median_us"] is not None]
                if times and height == width:
                    found[name].append(
                        (height, 1e3 * min(times) / (height * width), f"{height}x{width}: {render.time(min(times))}")
                    )
        curves.append((short(load.place(document["machine"])), found))
    xs = sorted({x for _, found in curves for points in found.values() for x, *_ in points})
    ys = [y for _, found in curves for points in found.values() for _, y, _ in points]
    lines = [
        *legend(
            [("sample, by passes (uav)", OTHER, True), ("sample, by axes (slm)", OTHER, False), ("Weft", WEFT, False)],
            50,
            18,
            180,
        ),
        bars.text(520, 18, "ns a pixel, colour, there and back"),
    ]
    for number, (name, found) in enumerate(curves):
        panel = axes(50 + 390 * number, TOP, 340, HIGH, xs, ys)
        lines += panel.frame(name, sides(xs), [(y, f"{y:.3g}") for y in panel.up.steps(10)])
        for who, points in found.items():
            lines += panel.curve(points, colours[who], who, who == "uav")
    return drawing.picture(TOP + HIGH + 30, lines)


def newest_dx11():
    """Of each GPU, the newest first."""
    documents = dict(select.every(load.DX11))
    return sorted(documents.values(), key=lambda document: document["machine"]["date"], reverse=True)[:2]


# ---- the codec ---------------------------------------------------------------------------------------------------


def newest_where(schema, has):
    return max(
        (document for _, document in select.every(schema) if has(document)),
        key=lambda document: document["machine"]["date"],
        default=None,
    )


def newest_searches():
    """That has the plain search and the fast one, on one thread each, beside one another, and a frame after the first."""

    def has(document):
        timed = {(one["search"], one["threads"]) for one in document["results"] if one["seconds"]}
        return {("seq", 1), ("cpu", 1)} <= timed and None not in document["decode"]["later_seconds"]

    return newest_where(load.FRACTAL_BENCH, has)


def newest_fractal():
    """In which the decoder, a film of a camera and the search by transforms were run."""

    def has(document):
        rows = {table["name"]: table["rows"] for table in document["tables"]}
        return (
            "Fig. 5" in rows
            and any(row["what"].endswith(".y4m") for row in rows.get("Table IV", []))
            and any(row["samples"] for row in rows.get("The search fft", []))
        )

    return newest_where(load.FRACTAL, has)


def table_of(document, name):
    return next((one for one in document["tables"] if one["name"] == name), None)


def codec():
    """Iterations of the decoder; and from how many domains on a transform finds codes sooner than plain products."""
    document = newest_fractal()
    if document is None:
        return None
    colours = (WEFT, STRONG, COPY)
    begun, search = table_of(document, "Fig. 5"), table_of(document, "The search fft")
    steps = range(1, 6)
    values = [row["here"][i - 1] for row in begun["rows"] for i in steps if row["here"][i - 1] is not None]
    panel = Panel(
        50,
        TOP,
        330,
        HIGH,
        Linear(0.8, 5.2, 50, 380),
        Linear(10 * math.floor(min(values) / 10), 5 * math.ceil(max(values) / 5), TOP + HIGH, TOP),
    )
    low, high = panel.up.low, panel.up.high
    lines = panel.frame(
        "PSNR of the decoder, dB, by iterations",
        [(i, str(i)) for i in steps],
        [(y, str(y)) for y in range(int(low), int(high) + 1, 5)],
    )
    alike = {}  # pictures that begin with one value come to the same decibels
    for row in begun["rows"]:
        alike.setdefault(tuple(f"{value:.1f}" for value in row["here"][:5]), []).append(row)
    for (number, rows), colour in zip(enumerate(alike.values()), colours):
        points = [(i, rows[0]["here"][i - 1], f"{i}: {rows[0]['here'][i - 1]:.2f} dB") for i in steps]
        name = ", ".join([rows[0]["what"], *(row["what"].removeprefix("from ") for row in rows[1:])])
        lines += panel.curve(points, colour, name)
        lines += legend([(name, colour, False)], 200, TOP + HIGH - 56 + 18 * number)
    rows = [row for row in search["rows"] if row["samples"]]
    ratios = [(render_fractal.found(row, 0, "domains"), render_fractal.found(row, 3, "fft / seq")) for row in rows]
    right = axes(450, TOP, 330, HIGH, [x for x, _ in ratios], [1, *(y for _, y in ratios)])
    lines += right.frame(
        "search fft over plain search, by domains",
        [(x, f"{x:,.0f}") for x, _ in ratios[::2]],
        [(y, f"{y:g}") for y in right.up.steps(6)],
        1,
    )
    lines += right.curve([(x, y, f"{x:,.0f} domains: {y:.2f}") for x, y in ratios], WEFT, "fft / seq")
    return drawing.picture(TOP + HIGH + 30, lines)


FIGURES = {
    "gpu": gpu,
    "cpu": cpu,
    "sweep": sweep,
    "accuracy": accuracy,
    "floors": floors,
    "ways": all_ways,
    "peers": peers,
    "dx11": dx11,
    "codec": codec,
}
