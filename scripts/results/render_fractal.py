# SPDX-License-Identifier: MIT
"""The tables of weft-fractal/1 and weft-fractal-bench/1 documents."""
from results.render import heading, table, time

BILLION = 1e9
LOST = "lost"


def number(value):
    return "-" if value is None else f"{value:.0f}" if value >= 10000 else f"{value:.4g}"


# ---- the seed's tables ----

def columns_of(one):
    """[(title, row -> cell)]: a column that the seed has, too, has its cells before ours; where all of them are lost,
    the title says so."""
    found = []
    for i, name in enumerate(one["columns"]):
        said = {row["seed"][i] for row in one["rows"]} - {None}
        if said - {LOST}:
            found.append((f">{name}, seed", lambda row, i=i: row["seed"][i] or ""))
        found.append((f">{name}{', seed: lost' if said == {LOST} else ''}", lambda row, i=i: number(row["here"][i])))
    if any(row["terms"] is not None for row in one["rows"]):
        found.append((">terms, 10^9", lambda row: number(row["terms"] and row["terms"] / BILLION)))
    if any(row["reason"] for row in one["rows"]):
        found.append(("", lambda row: row["reason"] or ""))
    return found


def one_table(one):
    columns = columns_of(one)
    return [f"**{one['name']}**: {one['about']}.", "",
            *table(["", *(title for title, _ in columns)],
                   [[row["what"], *(cell(row) for _, cell in columns)] for row in one["rows"]])]


def fractal(document):
    size = f"{document['frames']} frames of {document['height']}x{document['width']}"
    pictures = f"pictures of {document['picture_height']}x{document['picture_width']}"
    return [*heading(document, f"drawn films of {size}", pictures),
            *(line for one in document["tables"] for line in one_table(one))]


# ---- weft fractal bench ----

def share(result):
    return f"{100 * result['terms_evaluated'] / result['terms_decided']:.0f} %"


def bench(document):
    film = document["input"]
    timed = [result for result in document["results"] if result["search_seconds"]]
    alone = next((min(one["search_seconds"]) for one in timed if one["search"] == "seq"), None)
    lines = [[f"`{one['search']}`", str(one["threads"]), f"{one['terms_decided'] / BILLION:.3g}", share(one),
              time(1e6 * min(one["search_seconds"]) / film["frames"]),
              f"{alone / min(one['search_seconds']):.1f}" if alone else "-",
              number(film["frames"] / min(one["seconds"]))] for one in timed]
    decode = document["decode"]
    decoded = [["decode a reference", *[""] * 3, time(1e6 * decode["reference_seconds"]), "", ""],
               ["decode a frame after it", *[""] * 3,
                time(decode["later_seconds"] and 1e6 * decode["later_seconds"]), "", ""]]
    about = f"{film['frames']} frames of {film['height']}x{film['width']} {film['chroma']}, `{film['name']}`"
    return [*heading(document, about, f"{film['profile']} profile"),
            *table(["search", ">threads", ">terms, 10^9", ">computed", ">a frame", ">times `seq`", ">frames/s"],
                   lines + decoded)]
