# SPDX-License-Identifier: MIT
"""The table of weft-cpu-counters/1 documents, which scripts/cpu-counters writes."""
import caches
from results import heading, image, table, versions

DIGITS = {"instructions": 1, "data_reads": 2, "data_writes": 2}  # of misses: 3


def draw(document):
    lines, last = [], None
    for one in document["results"]:
        what = f"{image(one)} ({one['operations_per_pixel']:g})"
        lines.append([what if what != last else "", one["contender"],
                      *(f"{value:.{DIGITS.get(name, 3)}f}" for name, value in one["per_pixel"].items())])
        last = what
    about = f"WEFT_ISA {document['isa']}; {caches.words(document['caches'])}; {versions(document)}."
    return heading(document) + [about, ""] + table(
        ["image (operations)", "of a pixel", ">instructions", ">reads", ">writes", ">D1 misses: reads", ">writes",
         ">L2 misses: reads", ">writes"], lines)
