# SPDX-License-Identifier: MIT
"""The ladder from the report to Weft (weft-ladder/1), the report run again (weft-report/1), and what Weft is to reach
(weft-weft/1): shown where data/results has such documents."""
import math

from paper import drawing, measured, plots
from paper.drawing import COPY, END, GRID, OTHER, PEER, WEFT, Linear, line
from results import bars, load, render, select

LADDER, REPORT, AIMS = "weft-ladder/1", "weft-report/1", "weft-weft/1"
DEVICES = {"cpu": "CPU", "gpu": "GPU"}


# ---- the ladder --------------------------------------------------------------------------------------------------


def timed(rows):
    return [row for row in rows if row["median_us"] is not None and row["error"] is None]


def newest(device):
    """The document in which rungs of the device were timed last; None where there is none."""
    return plots.newest_where(LADDER, lambda document: rungs(document, device))


def rungs(document, device):
    """[(rung, the rung before or None, the last one without this idea or None)] of those that were timed."""
    rows = [row for row in timed(document["results"]) if row["device"] == device]
    without = {row["name"]: row for row in rows if row["kind"] == "without"}
    steps = [row for row in rows if row["kind"] == "rung"]
    return [(row, before, without.get(row["name"])) for before, row in zip([None, *steps], steps)]


def strategies(document, device):
    """Weft's strategy and the copy; on a CPU with as many threads as the last rung."""
    rows = [row for row in timed(document["results"]) if (row["device"], row["kind"]) == (device, "strategy")]
    threads = max((row["threads"] for row in rows), default=0)
    return [row for row in rows if row["threads"] == threads]


def shown_documents():
    return {device: newest(device) for device in DEVICES if newest(device)}


def about(document, device):
    machine = document["machine"]
    name = machine["gpu"] if device == "gpu" else load.place({**machine, "gpu": None})
    return f"{plots.short(name)}, {document['height']}x{document['width']}, commit {machine['commit']}"


def picture():
    """A bar for each rung, each step of the scale ten times as long; beside it what it gains, and what leaving it out of
    the last rung costs."""
    documents = shown_documents()
    if not documents:
        return None
    shown = {device: (rungs(one, device), strategies(one, device)) for device, one in documents.items()}
    times = [row["median_us"] for steps, ends in shown.values() for row in [*(step[0] for step in steps), *ends]]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    left, step, y, lines = 170, 20, 24, []
    scale = Linear(low, high, left, 560)
    for device, (steps, ends) in shown.items():
        lines += [
            bars.text(14, y, f"{DEVICES[device]}: {about(documents[device], device)}", drawing.BOLD),
            *(bars.text(x, y, words) for x, words in ((620, "gain"), (690, "lost without it"))),
        ]
        y += 10
        for row, before, without in [*steps, *((row, None, None) for row in ends)]:
            end = scale.place(math.log10(row["median_us"]))
            colour = WEFT if row["kind"] == "rung" else COPY if row["name"] == "copy" else PEER
            lines += [
                bars.text(left - 10, y + 14, row["name"].replace("_", " "), END),
                drawing.box(left, y + 3, end - left, 14, colour),
                bars.text(f"{end + 6:.1f}", y + 14, render.time(row["median_us"])),
            ]
            if before:
                lines.append(bars.text(620, y + 14, f"{before['median_us'] / row['median_us']:.2f}"))
            if without:
                lost = without["median_us"] / steps[-1][0]["median_us"]
                lines.append(bars.text(690, y + 14, f"{lost:.2f}", f'fill="{OTHER}"'))
            y += step
        y += 26
    grid = [
        line(scale.place(power), 30, scale.place(power), y - 26, GRID, 'stroke-dasharray="2 3"')
        for power in range(low + 1, high + 1)
    ]
    return drawing.picture(y - 10, grid + lines)


def ladder_table():
    rows = []
    for device, document in shown_documents().items():
        steps = rungs(document, device)
        for row, before, without in steps:
            rows.append(
                [
                    f"{DEVICES[device]}, {row['name'].replace('_', ' ')}",
                    measured.words(row, "idea"),
                    measured.time(row),
                    measured.ratio(before, row) if before else "-",
                    measured.ratio(steps[0][0], row, 1),
                    measured.ratio(without, steps[-1][0]) if without else "-",
                ]
            )
    return ["rung", "=idea", ">time", ">gain", ">gain over the first", ">lost without it"], rows


def of_ladder():
    found = {}
    for device, document in shown_documents().items():
        steps = rungs(document, device)
        last = steps[-1][0]
        found[f"ladder.{device}.total"] = measured.ratio(steps[0][0], last, 0)
        for row in strategies(document, device):
            found[f"ladder.{device}.over.{row['name']}"] = measured.ratio(last, row)
    return found


# ---- the report, and what Weft is to reach -----------------------------------------------------------------------


def newest_claims(schema):
    """Of a GPU if there is one, of those the newest."""
    found = [document for _, document in select.every(schema)]
    return max(found, key=lambda one: (one["machine"]["gpu"] is not None, one["machine"]["date"]), default=None)


def report_table():
    """Its program here and there: a cell of the report stands before ours."""
    one = plots.table_of(newest_claims(REPORT), "The report's program")
    rows = [
        [
            measured.words(row, "what"),
            measured.words(row["report"], 0) if row["report"][0] else "-",
            measured.seconds(row["here"], 0) if row["here"][0] is not None else "-",
            measured.words(row["report"], 1) if row["report"][1] else "-",
            measured.value(row["here"], 1, 1) if row["here"][1] is not None else "-",
        ]
        for row in one["rows"]
    ]
    return ["its program [machine of the report]", ">report, seconds", ">here", ">report, times as fast", ">here"], rows


def claims_table(schema):
    words = {True: "holds", False: "does not", None: "not measured"}
    rows = [
        [words[claim["passed"]], measured.words(claim, "name"), measured.words(claim, "text")]
        for claim in newest_claims(schema)["claims"]
    ]
    return ["here", "=claim", "=found"], rows


def of_claims(schema, name):
    """What machine and commit it was."""
    document = newest_claims(schema)
    if document is None:
        return {}
    about = document["machine"]
    place = "gpu" if about["gpu"] else "cpu"
    return {
        f"{name}.name": measured.Measured(plots.short(about[place]), "name", [(about, place)]),
        f"{name}.commit": measured.words(about, "commit"),
    }


def of_report():
    document = newest_claims(REPORT)
    return {"report.side": measured.value(document, "height"), **of_claims(REPORT, "report")} if document else {}


FIGURES = {"ladder": picture}
TABLES = {
    "ladder": ladder_table,
    "report": report_table,
    "claims": lambda: claims_table(REPORT),
    "aims": lambda: claims_table(AIMS),
}


def all_values():
    return of_ladder() | of_report() | of_claims(AIMS, "aims")
