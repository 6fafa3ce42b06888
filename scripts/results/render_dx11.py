# SPDX-License-Identifier: MIT
"""The tables of weft-dx11/1 and weft-bytes/1 documents."""
from results.render import heading, table, time

MEBIBYTE = 1 << 20
AS_IT_WAS = {"layout": "planes4", "source": "copy", "sink": "float"}


def size(row):
    return f"{row['height']}x{row['width']}"


def median(row):
    return row["graph"]["median_us"] if row else None


def ratio(a, b):
    return f"{a / b:.2f}" if a is not None and b is not None else "-"


def times(a, b):
    return f"{a / b:.0f}" if b is not None else "-"


def select(rows, **wanted):
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def first(rows, **wanted):
    return next(iter(select(rows, **wanted)), None)


def sizes(rows):
    return sorted({(row["height"], row["width"]) for row in rows}, key=lambda pair: (pair[0] * pair[1], pair))


# ---- one size: techniques, layouts, sources ----

def counted(row):
    if row["counted_read"] is None:
        return "-"
    same = (row["counted_read"], row["counted_written"]) == (row["bytes_read"], row["bytes_written"])
    return "equal" if same else "differs"


def psnr(row):
    return "exact" if row["exact"] else "-" if row["psnr_db"] is None else f"{row['psnr_db']:.0f} dB"


def one_size(rows):
    """The sample at the figure's size; those rows that came nowhere say why."""
    lines = []
    for row in rows:
        names = [row["technique"], row["twiddle"], row["layout"], row["source"], row["sink"]]
        if median(row) is None:
            lines.append(names + ["-", "-", "-", "-", "-", "-", "-", row["reason"] or row["error"]])
        else:
            lines.append(names + [str(row["launches"]), f"{row['bytes_read'] / MEBIBYTE:.0f} MiB",
                                  f"{row['bytes_written'] / MEBIBYTE:.0f} MiB", counted(row), time(median(row)),
                                  time(row["stream"]["median_us"]), f"{row['gb_per_s']:.0f}", psnr(row)])
    return table(["technique", "weights", "layout", "source", "sink", ">launches", ">read", ">written", "counted",
                  ">graph", ">stream", ">GB/s", ">round trip"], lines)


# ---- all sizes ----

def sweep(rows):
    lines = []
    for height, width in sizes(rows):
        here = select(rows, height=height, width=width)
        sample = {(technique, twiddle): median(first(here, technique=technique, twiddle=twiddle, **AS_IT_WAS))
                  for technique in ("uav", "slm") for twiddle in ("lut", "compute")}
        best = min((value for value in sample.values() if value is not None), default=None)
        own = median(first(here, technique="cuda.twopass"))
        lines.append([f"{height}x{width}", *(time(value) for value in sample.values()),
                      ratio(sample["uav", "compute"], sample["slm", "compute"]),
                      ratio(sample["slm", "lut"], sample["slm", "compute"]), time(own), ratio(best, own)])
    return table(["picture", ">uav, table", ">uav, computed", ">slm, table", ">slm, computed", ">uav / slm",
                  ">table / computed, slm", ">`cuda.twopass`", ">best of the sample / `cuda.twopass`"], lines)


def tangling(rows):
    lines = []
    for height, width in sizes(rows):
        here = {row["technique"]: median(row) for row in select(rows, height=height, width=width)
                if row["operation"] == "forward"}
        uav, uav_half = here.get("cuda.uav"), here.get("cuda.uav:real=tangle")
        slm, slm_half = here.get("cuda.slm"), here.get("cuda.slm:real=tangle")
        tile = here.get("cuda.slm:columns=tile")
        lines.append([f"{height}x{width}", time(uav), time(uav_half), ratio(uav_half, uav), time(slm), time(slm_half),
                      ratio(slm_half, slm), time(tile), ratio(tile, slm)])
    return table(["3 planes, forward", ">`uav`", ">`real=tangle`", ">ratio", ">`slm`", ">`real=tangle`", ">ratio",
                  ">`columns=tile`", ">ratio"], lines)


# ---- what was published, and the claims ----

def published(document):
    said = document["published"]
    here = select(document["rows"], technique=said["technique"], height=said["height"], width=said["width"],
                  **AS_IT_WAS)
    lut, compute = (median(first(here, twiddle=twiddle)) for twiddle in ("lut", "compute"))
    return table([f"{said['where']}: {said['technique']}, {size(said)}", ">with the table", ">without", ">ratio"],
                 [[said["gpu"], time(said["lut_us"]), time(said["compute_us"]),
                   ratio(said["lut_us"], said["compute_us"])],
                  [document["machine"]["gpu"], time(lut), time(compute), ratio(lut, compute)],
                  ["times as fast", times(said["lut_us"], lut), times(said["compute_us"], compute), ""]])


def claims(document):
    words = {True: "PASS", False: "FAIL", None: "SKIP"}
    return [f"- {words[claim['passed']]} {claim['name']}: {claim['text']}." for claim in document["claims"]] + [""]


def dx11(document):
    rows = document["rows"]
    figure = select(rows, height=document["figure_height"], width=document["figure_width"])
    sample = [row for row in figure if row["layout"] and row.get("shown", True)]
    return [*heading(document), f"The {document['picture']}, {size(figure[0])}, forward and inverse:", "",
            *one_size(sample), "Every size, as the sample was:", "", *sweep(rows),
            "Tangling and tiles, `cuda.uav` and `cuda.slm` with a table:", "", *tangling(rows),
            "The one measurement that was published:", "", *published(document), "Claims:", "", *claims(document)]


# ---- counted by Nsight Compute ----

def a_pixel(result, name):
    return sum(launch[name] for launch in result["launches"]) / (result["height"] * result["width"])


def counted_bytes(document):
    """Beside the bytes that L2 and DRAM read, their ratio to those of the model."""
    lines, last = [], None
    for result in document["results"]:
        read, written = ([a_pixel(result, f"{where}_{what}") for where in ("model", "l2", "dram")]
                         for what in ("read", "written"))
        cells = [f"{read[0]:.1f}", f"{written[0]:.1f}"]
        for i in (1, 2):
            cells += [f"{read[i]:.1f}", ratio(read[i], read[0]), f"{written[i]:.1f}"]
        lines.append([size(result) if size(result) != last else "", f"`{result['strategy']}`",
                      str(len(result["launches"])), *cells])
        last = size(result)
    return heading(document) + table(["image", "strategy", ">launches", ">model reads", ">writes", ">L2 reads", ">of model",
                                      ">writes", ">DRAM reads", ">of model", ">writes"], lines)
