# SPDX-License-Identifier: MIT
"""The tables of weft-ladder/1 documents, and a picture of what each idea gains in its place and loses when left out."""
import math

from results import bars, load
from results.render import about, heading, table, time

FOLDER = "../tool/reproduce/ladder"
GAIN, LOST = ("gain over the rung before", "#2563a8"), ("lost when left out of the last rung", "#c9752d")
LABELS, NUMBERS = 150, 60


def times(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


def of_device(document, device):
    return [row for row in document["results"] if row["device"] == device]


def rungs(document, device):
    return [row for row in of_device(document, device) if row["kind"] == "rung"]


def name(row):
    return f"`{row['name']}`" if row["file"] is None else f"[{row['name']}]({FOLDER}/{row['file']})"


def cells(row):
    if row["median_us"] is None:
        return [name(row), row["reason"] or row["error"], *4 * ["-"], "-"]
    return [name(row), row["idea"] or "", str(row["threads"] or "-"), time(row["median_us"]), times(row["gain"]),
            times(row["total_gain"], 1), times(row["lost"])]


def ladder(document):
    """Those of a device that did not run at all are left out."""
    lines = heading(document, f"{document['height']}x{document['width']}")
    for device in ("cpu", "gpu"):
        shown = [row for row in of_device(document, device) if row["kind"] != "without"]
        if any(row["median_us"] for row in shown):
            lines += table([device.upper(), "", ">threads", ">time", ">gain", ">total gain", ">lost when left out"],
                           [cells(row) for row in shown])
    return lines


# ---- the picture -------------------------------------------------------------------------------------------------


def newest_with(documents, device):
    """The document in which rungs of the device were timed last; None where there is none."""
    found = [document for _, document in documents if any(row["median_us"] for row in rungs(document, device))]
    return max(found, key=lambda document: document["machine"]["date"], default=None)


def most(rows):
    return max((row[key] for row in rows for key in ("gain", "lost") if row[key]), default=1)


def picture(document, device):
    """Logarithmic, as gains multiply: where a bar ends left of the line, the idea takes more time than it saves."""
    rows = rungs(document, device)[1:]
    least = min((row[key] for row in rows for key in ("gain", "lost") if row[key]), default=1)
    left, right = min(math.log(least), 0), max(math.log(most(rows)), 1e-9)
    scale = (bars.WIDTH - LABELS - 2 * NUMBERS) / (right - left)
    zero = LABELS + NUMBERS - left * scale
    machine = document["machine"]
    where = machine["gpu"] if device == "gpu" else load.place({**machine, "gpu": None})
    lines = [bars.text(10, 18, f"{where}: {document['height']}x{document['width']}, one idea a rung",
                       'font-weight="bold"'),
             bars.text(10, 34, ", ".join(about(machine))),
             bars.text(10, 50, "How many times as fast: logarithmic, as gains multiply.")]
    for place, (words, colour) in enumerate((GAIN, LOST)):
        lines += [bars.bar(LABELS + 230 * place, 60, bars.BAR - 2, colour),
                  bars.text(LABELS + 230 * place + bars.BAR + 4, 72, words)]
    y = bars.TOP
    for row in rows:
        lines.append(bars.text(LABELS - 8, y + bars.BAR - 4, row["name"], 'text-anchor="end"'))
        for key, (_, colour) in (("gain", GAIN), ("lost", LOST)):
            if row[key]:
                width = math.log(row[key]) * scale
                lines += [bars.bar(round(zero + min(width, 0), 1), y, abs(width), colour),
                          bars.text(f"{zero + max(width, 0) + 6:.1f}", y + bars.BAR - 4, times(row[key]))]
            y += bars.BAR
        y += bars.GAP
    lines.append(f'<line x1="{zero:.1f}" y1="{bars.TOP - 4}" x2="{zero:.1f}" y2="{y - bars.GAP}" stroke="black"/>')
    return bars.svg(y, lines)
