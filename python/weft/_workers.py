# SPDX-License-Identifier: MIT
"""How many threads a call uses: its own `workers`, or else the context's, 1 at start, as in SciPy."""
import contextlib
import os
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any, Optional

from ._arguments import integer
from ._errors import ArgumentError

of_context: "ContextVar[int]" = ContextVar("weft workers", default=1)


def _quota() -> Optional[int]:
    """The cores that the control group of this process may use, or None if it has no limit."""
    try:
        with open("/proc/self/cgroup", encoding="ascii") as file:
            group = next(line for line in file if line.startswith("0::"))[3:].strip()
        with open(f"/sys/fs/cgroup{group}/cpu.max", encoding="ascii") as file:
            most, period = file.read().split()
        return None if most == "max" else max(1, int(most) // int(period))
    except (OSError, StopIteration, ValueError):
        return None


def cores() -> int:
    """The cores that this process may use: of its affinity mask, and within its control group's limit."""
    allowed = len(os.sched_getaffinity(0))
    return min(allowed, _quota() or allowed)


def threads_of(workers: Any) -> int:
    if workers is None:
        return of_context.get()
    number = integer("workers", workers, -(2**31))
    if number > 0:
        return number
    if number == 0:
        raise ArgumentError("workers is 0: must be at least 1, or negative: -1 means all cores, -2 all but one")
    there = cores()
    if number < -there:
        raise ArgumentError(f"workers is {number}: must not be below -{there}, as there are {there} cores")
    return number + 1 + there


@contextlib.contextmanager
def set_workers(workers: int) -> Iterator[None]:
    """Use so many threads for all calls of this context that do not say otherwise.

    Parameters
    ----------
    workers : int
        At least 1; or negative, counted from the cores that this process may use: -1 means all.

    Examples
    --------
    >>> import weft
    >>> with weft.set_workers(2):
    ...     weft.get_workers()
    2
    >>> weft.get_workers()
    1
    """
    token = of_context.set(threads_of(workers))
    try:
        yield
    finally:
        of_context.reset(token)


def get_workers() -> int:
    """How many threads a call uses that does not say; see `set_workers`.

    Examples
    --------
    >>> import weft
    >>> weft.get_workers()
    1
    """
    return of_context.get()
