# SPDX-License-Identifier: MIT
"""How often something happened since Weft was imported, by name.

Threads lose none: the next number of an iterator is one step for all of them, and takes less time than a lock.
"""
import itertools
from collections import defaultdict

_counters: "defaultdict[str, itertools.count[int]]" = defaultdict(itertools.count)


def counter(name: str) -> "itertools.count[int]":
    """Each `next()` of it counts one."""
    return _counters[name]


def counts() -> dict[str, int]:
    """What was counted under each name; an iterator's next number can be read without a step only from its text."""
    read = {name: int(repr(each).removeprefix("count(").removesuffix(")")) for name, each in list(_counters.items())}
    return {name: number for name, number in read.items() if number > 0}
