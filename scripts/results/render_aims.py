# SPDX-License-Identifier: MIT
"""The tables of weft-weft/1 documents: an aim stands in brackets behind what was measured; and the claims."""
from results.render import heading, table
from results.render_fractal import number

WORDS = {True: "holds", False: "does not", None: "not measured"}


def cell(row, i):
    return number(row["here"][i]) + (f" [{row['aim'][i]}]" if row["aim"][i] else "")


def one_table(one):
    """Of a column in which nothing stands, nothing is shown; nor are rows that were not measured."""
    rows = [row for row in one["rows"] if set(row["here"]) != {None}]
    shown = [i for i, _ in enumerate(one["columns"]) if any(row["here"][i] is not None for row in rows)]
    return [f"**{one['name']}**: {one['about']}.", "",
            *table(["", *(f">{one['columns'][i]}" for i in shown)],
                   [[row["what"], *(cell(row, i) for i in shown)] for row in rows])] if rows else []


def aims(document):
    return [*heading(document, f"{document['samples']} samples"),
            *(line for one in document["tables"] for line in one_table(one)),
            *table(["claim", "here", "found"],
                   [[claim["name"], WORDS[claim["passed"]], claim["text"]] for claim in document["claims"]])]
