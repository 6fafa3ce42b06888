# SPDX-License-Identifier: MIT
"""Numbers that know where they come from: a text, how it was found (`kind`), and the places in data/results that it was
found from. tests/tool/test_paper.py finds each of them again from those places alone."""
import dataclasses
import math
import os

from results import load, render


@dataclasses.dataclass
class Measured:
    """sources: [(container, key)], where container is a dictionary or a list of a document that was read."""

    text: str
    kind: str
    sources: list


class Documents:
    """Those that numbers may come from: where each dictionary and list of them lies."""

    def __init__(self):
        self.found, self.kept = {}, []

    def add(self, path, document):
        self.kept.append(document)  # else another object might get its id
        self.note(document, [os.path.basename(path)])

    def note(self, container, where):
        self.found[id(container)] = where
        items = container.items() if isinstance(container, dict) else enumerate(container)
        for key, value in items:
            if isinstance(value, (dict, list)):
                self.note(value, [*where, key])

    def place(self, source):
        """[file, key, key, ..]"""
        container, key = source
        return [*self.found[id(container)], key]


def read_all():
    documents = Documents()
    for name in sorted(os.listdir(load.RESULTS)):
        if name.endswith(".json"):
            path = os.path.join(load.RESULTS, name)
            documents.add(path, load.read(path))
    return documents


# ---- single values -----------------------------------------------------------------------------------------------


def value(container, key, digits=0, unit=""):
    return Measured(f"{container[key]:.{digits}f}{unit}", "value", [(container, key)])


def time(result, key="median_us"):
    return Measured(render.time(result[key]), "value", [(result, key)])


def seconds(container, key):
    return Measured(render.time(1e6 * container[key]), "value", [(container, key)])


def error(result, key="rel_l2"):
    return Measured(f"{result[key]:.1e}".replace("e-0", "e-"), "value", [(result, key)])


def count(container, key):
    """A large number in thousands, apart."""
    return Measured(f"{container[key]:,.0f}".replace(",", " "), "value", [(container, key)])


def words(container, key):
    """A name, a version, a date."""
    return Measured(str(container[key]), "words", [(container, key)])


# ---- values of several -------------------------------------------------------------------------------------------


def ratio(one, other, digits=2, key="median_us"):
    """Of one result's time to another's."""
    return Measured(f"{one[key] / other[key]:.{digits}f}", "ratio", [(one, key), (other, key)])


def share(parts, whole, digits=2, key="median_us"):
    """One result over the sum of others, as of a time over a floor."""
    total = sum(part[key] for part in whole)
    return Measured(f"{parts[key] / total:.{digits}f}", "over sum", [(parts, key), *((part, key) for part in whole)])


def total(parts, key="median_us"):
    return Measured(render.time(sum(part[key] for part in parts)), "sum", [(part, key) for part in parts])


def least(container):
    """Of samples in seconds."""
    return Measured(render.time(1e6 * min(container)), "least", [(container, i) for i in range(len(container))])


def least_ratio(container, other, digits=1):
    """Of the least samples of two lists; the first ones of the sources are those of `container`."""
    return Measured(
        f"{min(container) / min(other):.{digits}f}",
        "ratio of least",
        [(values, i) for values in (container, other) for i in range(len(values))],
    )


def of_ratios(kind, pairs, digits=2, key="median_us"):
    """`kind` of the ratios of pairs of results: least, largest, geometric mean, or how many are above 1."""
    ratios = [one[key] / other[key] for one, other in pairs]
    found = {
        "least of ratios": min,
        "largest of ratios": max,
        "geometric mean of ratios": lambda all_of: math.exp(sum(map(math.log, all_of)) / len(all_of)),
        "ratios above 1": lambda all_of: sum(one > 1 for one in all_of),
        "ratios": len,
    }[kind](ratios)
    text = str(found) if isinstance(found, int) else f"{found:.{digits}f}"
    return Measured(text, kind, [(result, key) for pair in pairs for result in pair])
