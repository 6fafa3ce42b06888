# SPDX-License-Identifier: MIT
"""The tables of weft-fractal/1 and weft-fractal-bench/1 documents."""
from results.render import heading, table, time

BILLION = 1e9
LOST = "lost"


def number(value):
    return "-" if value is None else f"{value:.0f}" if value >= 10000 else f"{value:.4g}"


def frames(count):
    return f"{count} frame{'s' if count > 1 else ''}"


# ---- the seed's tables ----

# A column that was timed -> the seconds that it shows, and of which search, if there is more than one.
TIMED = {"search, ms": ("search_seconds", None), "kernels, ms": ("kernel_seconds", None),
         "transfer, ms": ("transfer_seconds", None), "frames/s": ("seconds", None), "seq, ms": ("search_seconds", "seq"),
         "fft, ms": ("search_seconds", "fft")}


def milliseconds(samples, seconds, search):
    """Of a frame: of each film the run that took least as a whole, then the mean of the films."""
    films = {}
    for one in samples:
        if search in (None, one["search"]):
            films.setdefault(one["film"], []).append(one)
    least = [min(runs, key=lambda one: one["seconds"]) for runs in films.values()]
    return sum(1e3 * one[seconds] / one["frames"] for one in least) / len(least) if least else None


def found(row, i, name):
    """What stands in column i of that name: of times, from the samples."""
    if name == "fft / seq" and row["samples"]:
        return found(row, i, "fft, ms") / found(row, i, "seq, ms")
    if name not in TIMED or not row["samples"]:
        return row["here"][i]
    value = milliseconds(row["samples"], *TIMED[name])
    return 1e3 / value if name == "frames/s" else value


def columns_of(one):
    """[(title, row -> cell)]: a column that the seed has, too, has its cells before ours; where all of them are lost,
    the title says so."""
    columns = []
    for i, name in enumerate(one["columns"]):
        said = {row["seed"][i] for row in one["rows"]} - {None}
        if said - {LOST}:
            columns.append((f">{name}, seed", lambda row, i=i: row["seed"][i] or ""))
        columns.append((f">{name}{', seed: lost' if said == {LOST} else ''}",
                        lambda row, i=i, name=name: number(found(row, i, name))))
    if any(row["terms"] is not None for row in one["rows"]):
        columns.append((">terms, 10^9", lambda row: number(row["terms"] and row["terms"] / BILLION)))
    if any(row["reason"] for row in one["rows"]):
        columns.append(("", lambda row: row["reason"] or ""))
    return columns


def is_empty(row, names):
    """Whether it has nothing of ours, and says why."""
    return bool(row["reason"]) and all(found(row, i, name) is None for i, name in enumerate(names))


def one_table(one):
    """Nothing of a table whose rows are all empty."""
    rows = [row for row in one["rows"] if not is_empty(row, one["columns"])]
    columns = columns_of({**one, "rows": rows})
    return [f"**{one['name']}**: {one['about']}.", "",
            *table(["", *(title for title, _ in columns)],
                   [[row["what"], *(cell(row) for _, cell in columns)] for row in rows])] if rows else []


def left_out(tables):
    """A line that names what is empty, by why it is: whole tables, and rows of others."""
    names = {}
    for one in tables:
        empty = [row for row in one["rows"] if is_empty(row, one["columns"])]
        for row in empty:
            name = one["name"] if len(empty) == len(one["rows"]) else f"{row['what']} of {one['name']}"
            names.setdefault(row["reason"], {})[name] = None
    said = "; ".join(f"{', '.join(of)} ({reason})" for reason, of in names.items())
    return [f"Left out, since there is no value of ours: {said}.", ""] if said else []


def fractal(document):
    size = f"{frames(document['frames'])} of {document['height']}x{document['width']}"
    pictures = f"pictures of {document['picture_height']}x{document['picture_width']}"
    return [*heading(document, f"drawn films of {size}", pictures),
            *(line for one in document["tables"] for line in one_table(one)), *left_out(document["tables"])]


# ---- weft fractal bench ----

def share(result):
    return f"{100 * result['terms_evaluated'] / result['terms_decided']:.0f} %"


def of_searches(document):
    """A line for each search on some threads that was timed."""
    film = document["input"]
    timed = [result for result in document["results"] if result["seconds"]]
    alone = next((min(one["search_seconds"]) for one in timed if one["search"] == "seq"), None)
    return [[f"`{one['search']}`", str(one["threads"]), f"{one['terms_decided'] / BILLION:.3g}", share(one),
             time(1e6 * min(one["search_seconds"]) / film["frames"]),
             f"{alone / min(one['search_seconds']):.1f}" if alone else "-",
             number(film["frames"] / min(one["seconds"])),
             number(film["file_frames"] / min(one["file_seconds"]) if one["file_seconds"] else None)] for one in timed]


def of_decoder(decode):
    """Null is of frames that are not there."""
    return [[what, *[""] * 3, time(1e6 * min(decode[samples])), "", "", ""]
            for what, samples in (("decode a reference", "reference_seconds"), ("decode a frame after it", "later_seconds"))
            if None not in decode[samples]]


def of_device(device):
    """What the GPU did for itself, and how near to the bound: two instructions a term, as fast as it issues them."""
    if not device or device["reason"]:
        return []
    rate = device["multiply_adds"]["instructions"] / min(device["multiply_adds"]["seconds"])
    bound = 2 * device["terms"] / rate
    searches = [(f"search, {one['arith']}", min(one["kernel_seconds"])) for one in device["searches"]]
    lines = [["two instructions a term", time(1e6 * bound), "100 %"],
             *([what, time(1e6 * seconds), f"{100 * bound / seconds:.0f} %"] for what, seconds in searches),
             [f"decode, {device['iterations']} iterations", time(1e6 * min(device["decode_kernel_seconds"])), ""]]
    return ["", f"The GPU alone, a frame of {device['height']}x{device['width']}, Y: {device['terms'] / BILLION:.3g} "
            f"10^9 terms, and {rate:.3g} multiply-adds a second as measured beside them; by events, without transfers.", "",
            *table(["kernels", ">a frame", ">bound / time"], lines)]


def bench(document):
    film = document["input"]
    about = f"{frames(film['frames'])} of {film['height']}x{film['width']} {film['chroma']}, `{film['name']}`"
    return [*heading(document, about, f"{film['file_frames']} in a file", f"{film['profile']} profile"),
            *table(["search", ">threads", ">terms, 10^9", ">computed", ">a frame", ">times `seq`", ">frames/s, memory",
                    ">frames/s, file"], of_searches(document) + of_decoder(document["decode"])),
            *of_device(document["device"])]
