# SPDX-License-Identifier: MIT
"""What Weft is here, and what it has done so far."""
import os
from typing import Any

from . import _weft
from ._counts import counts
from ._plans import cache_size
from ._workers import cores, get_workers

_imported_by = os.getpid()


def served() -> dict[str, int]:
    """The calls that Weft has answered since it was imported, by function; those of the faces have their own names.

    Examples
    --------
    >>> import numpy, weft
    >>> before = weft.served().get("rfft2", 0)
    >>> _ = weft.rfft2(numpy.ones((4, 4)))
    >>> weft.served()["rfft2"] - before
    1
    """
    return {name: number for name, number in counts().items() if name != "copied"}


def info() -> dict[str, Any]:
    """The version, the strategies that there are, threads, the cache of plans, and how many arrays were copied because
    their order of bytes, strides or alignment are not the library's.

    A process that was forked beside other threads works on one thread whatever `workers` says, with the same bits.

    Examples
    --------
    >>> import weft
    >>> sorted(weft.info())
    ['cached bytes', 'cached plans', 'copied', 'cores', 'forked since import', 'strategies', 'version', 'workers']
    """
    plans, plan_bytes = cache_size()
    return {
        "version": _weft.version(),
        "strategies": {name: {"about": about, "options": options, "here": here}
                       for name, about, options, here in _weft.strategies()},
        "workers": get_workers(),
        "cores": cores(),
        "forked since import": os.getpid() != _imported_by,
        "cached plans": plans,
        "cached bytes": plan_bytes,
        "copied": counts().get("copied", 0),
    }
