# SPDX-License-Identifier: MIT
"""The ladder from the report to Weft (weft-ladder/1), the report run again (weft-report/1), and what Weft is to reach
(weft-weft/1): shown where data/results has such documents. And the claims of all documents, held or not."""
import math
import re

from paper import drawing, measured, plots
from paper.drawing import COPY, END, GRID, MIDDLE, WEFT, Linear, line
from results import bars, load, render, select

LADDER, REPORT, AIMS = "weft-ladder/1", "weft-report/1", "weft-weft/1"
DEVICES = {"cpu": "CPU", "gpu": "GPU"}
MOST_BESIDE = 66  # letters


# ---- the ladder --------------------------------------------------------------------------------------------------


def timed(rows):
    return [row for row in rows if row["median_us"] is not None and row["error"] is None]


def newest(device):
    """The document in which all rungs of the device were timed last; None where there is none."""
    return plots.newest_where(LADDER, lambda document: rungs(document, device))


def rungs(document, device):
    """[(rung, the rung before or None, the last one without this idea or None)]; none if one of them was not timed, for
    then the next one's gain would be that of two ideas."""
    of_device = [row for row in document["results"] if row["device"] == device]
    steps = [row for row in of_device if row["kind"] == "rung"]
    without = {row["name"]: row for row in timed(of_device) if row["kind"] == "without"}
    if len(timed(steps)) < len(steps):
        return []
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


def first_clauses(text):
    """As many as there is space for beside a bar; the table has all of them."""
    while len(text) > MOST_BESIDE and re.search("[,;:]", text):
        text = re.split(r"[,;:][^,;:]*$", text)[0]
    return text[:MOST_BESIDE]


def picture():
    """A bar for each rung and for what stands at the end, each step of the scale ten times as long; beside it what it
    gains, and what leaving it out of the last rung costs."""
    documents = shown_documents()
    if not documents:
        return None
    shown = {device: (rungs(one, device), strategies(one, device)) for device, one in documents.items()}
    times = [row["median_us"] for steps, ends in shown.values() for row in [*(step[0] for step in steps), *ends]]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    left, step, y, lines = 372, 20, 40, []
    scale = Linear(low, high, left, 590)
    for device, (steps, ends) in shown.items():
        lines += [
            bars.text(14, y - 14, f"{DEVICES[device]}: {about(documents[device], device)}", drawing.BOLD),
            *(
                bars.text(x, y - up, words, MIDDLE)
                for x, up, words in (
                    (680, 14, "gain over the"),
                    (680, 0, "one before"),
                    (760, 14, "lost when left"),
                    (760, 0, "out at the end"),
                )
            ),
        ]
        y += 8
        for row, before, without in [*steps, *((row, None, None) for row in ends)]:
            end = scale.place(math.log10(row["median_us"]))
            colour = COPY if row["name"] == "copy" else WEFT
            name = row["name"].replace("_", " ")
            idea = row["idea"] or {"copy": "a copy of the image"}.get(name, "Weft")
            lines += [
                bars.text(left - 10, y + 14, first_clauses(f"{name}: {idea}"), END),
                drawing.box(left, y + 3, end - left, 14, colour),
                bars.text(f"{end + 6:.1f}", y + 14, render.time(row["median_us"])),
            ]
            if before:
                lines.append(bars.text(680, y + 14, f"{before['median_us'] / row['median_us']:.2f}", MIDDLE))
            if without:
                lost = without["median_us"] / steps[-1][0]["median_us"]
                lines.append(bars.text(760, y + 14, f"{lost:.2f}", MIDDLE))
            y += step
        y += 42
    grid = [
        line(scale.place(power), 46, scale.place(power), y - 42, GRID, 'stroke-dasharray="2 3"')
        for power in range(low + 1, high + 1)
    ]
    return drawing.picture(y - 30, grid + lines)


def ladder_table():
    rows = []
    for device, document in shown_documents().items():
        steps = rungs(document, device)
        for row, before, without in steps:
            rows.append(
                [
                    DEVICES[device],
                    rung_name(row),
                    measured.words(row, "idea"),
                    measured.time(row),
                    measured.ratio(before, row) if before else "-",
                    measured.ratio(steps[0][0], row, 1),
                    measured.ratio(without, steps[-1][0]) if without else "-",
                ]
            )
    return ["on", "rung", "=idea", ">time", ">gain", ">gain over the first", ">lost without it"], rows


def rung_name(row):
    return measured.Measured(row["name"].replace("_", " "), "words", [(row, "name")])


def of_ladder():
    found = {}
    for device, document in shown_documents().items():
        steps = rungs(document, device)
        last = steps[-1][0]
        most = max(steps[1:], key=lambda step: step[1]["median_us"] / step[0]["median_us"])
        missed = max((step for step in steps if step[2]), key=lambda step: step[2]["median_us"])
        found |= {
            f"ladder.{device}.name": measured.words(document["machine"], device),
            f"ladder.{device}.total": measured.ratio(steps[0][0], last, 0),
            f"ladder.{device}.last": measured.time(last),
            f"ladder.{device}.threads": measured.value(last, "threads"),
            f"ladder.{device}.most": rung_name(most[0]),
            f"ladder.{device}.most.gain": measured.ratio(most[1], most[0]),
            f"ladder.{device}.missed": rung_name(missed[0]),
            f"ladder.{device}.missed.lost": measured.ratio(missed[2], last),
        }
        by_name = {step[0]["name"]: step[0] for step in steps}
        if {"butterflies", "packing"} <= by_name.keys():  # what this is about, tangling and packing together
            found[f"ladder.{device}.half"] = measured.ratio(by_name["butterflies"], by_name["packing"])
        for row in strategies(document, device):
            found[f"ladder.{device}.{row['name']}"] = measured.time(row)
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


VERDICTS = {True: "holds", False: "does not hold", None: "was not measured"}


def claims_table(schema):
    rows = [
        [VERDICTS[claim["passed"]], measured.words(claim, "name"), measured.words(claim, "text")]
        for claim in newest_claims(schema)["claims"]
    ]
    return ["here", "=claim", "=found"], rows


def source_claims():
    """What the sources themselves say, in the documents that the texts about them are drawn from."""
    documents = [newest_claims(REPORT), newest_claims(load.DX11), plots.newest_fractal()]
    return [
        claim
        for document in documents
        for claim in (document or {}).get("claims", [])
        if claim["name"].split(":")[0] in ("report", "article", "seed")
    ]


def sources_table():
    rows = [[measured.words(claim, "name"), VERDICTS[claim["passed"]]] for claim in source_claims()]
    return ["=what a source says", "here it"], rows


def facts(documents):
    """What texts may depend on: schemas, whether rungs of a device were timed, claims that failed in documents that are
    shown."""
    shown = {id(one): one for one in [newest_claims(schema) for schema in load.SCHEMAS] + plots.newest_dx11() if one}
    return {
        *(document["schema"] for document in documents),
        *(f"ladder {device}" for device in shown_documents()),
        *(
            f"failed: {claim['name']}"
            for document in shown.values()
            for claim in document.get("claims", [])
            if claim["passed"] is False
        ),
    }


def of_claims(schema, name):
    """What machine and commit it was."""
    document = newest_claims(schema)
    if document is None:
        return {}
    about = document["machine"]
    place = "gpu" if about["gpu"] else "cpu"
    return {
        f"{name}.name": measured.Measured(plots.short(about[place]), "name", [(about, place)]),
        f"{name}.host": measured.Measured(plots.short(about["cpu"]), "name", [(about, "cpu")]),
        f"{name}.commit": measured.words(about, "commit"),
    }


def of_report():
    document = newest_claims(REPORT)
    if document is None:
        return {}
    rows = plots.table_of(document, "The report's program")["rows"]
    many = next((row for row in rows if " threads" in row["what"]), None)
    gain = {}
    if many and many["here"][1] is not None:
        threads = many["what"].split(" [")[0]
        gain = {
            "report.many": measured.Measured(threads, "words", [(many, "what")]),
            "report.threads": measured.value(many["here"], 1, 2),
        }
    return {"report.side": measured.value(document, "height"), **gain, **of_claims(REPORT, "report")}


FIGURES = {"ladder": picture}
TABLES = {
    "ladder": ladder_table,
    "report": report_table,
    "claims": lambda: claims_table(REPORT),
    "aims": lambda: claims_table(AIMS),
    "sources": sources_table,
}


def all_values():
    return of_ladder() | of_report() | of_claims(AIMS, "aims")
