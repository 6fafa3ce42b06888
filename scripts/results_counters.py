# SPDX-License-Identifier: MIT
"""The table of weft-cpu-counters/1 documents, which scripts/cpu-counters writes."""
import caches
from results import heading, image, table, versions

DIGITS = {"instructions": 1, "data_reads": 2, "data_writes": 2}  # of misses: 3


def shares(counted):
    """What cpu.fast takes of FFTW's, where both were counted."""
    if not {"cpu.fast", "fftw"} <= counted.keys():
        return []
    values = (f"{value / peer:.2f}" if peer else "-"
              for value, peer in zip(counted["cpu.fast"].values(), counted["fftw"].values()))
    return [["", "cpu.fast / fftw", *values]]


def rows_of(what, counted):
    rows = [["", name, *(f"{value:.{DIGITS.get(count, 3)}f}" for count, value in per_pixel.items())]
            for name, per_pixel in counted.items()] + shares(counted)
    return [[what, *rows[0][1:]], *rows[1:]]


def draw(document):
    images = {}
    for one in document["results"]:
        what = f"{image(one)} ({one['operations_per_pixel']:g})"
        images.setdefault(what, {})[one["contender"]] = one["per_pixel"]
    lines = [row for what, counted in images.items() for row in rows_of(what, counted)]
    about = f"WEFT_ISA {document['isa']}; {caches.words(document['caches'])}; {versions(document)}."
    return heading(document) + [about, ""] + table(
        ["image (operations)", "of a pixel", ">instructions", ">reads", ">writes", ">D1 misses: reads", ">writes",
         ">L2 misses: reads", ">writes"], lines)
