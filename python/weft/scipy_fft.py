# SPDX-License-Identifier: MIT
"""A backend for `scipy.fft`, also known as `weft.scipy_backend`: for its set_backend, register_backend and
set_global_backend.

Weft answers the transforms of real images over two axes. Everything else goes on to SciPy's own backend.

Examples
--------
>>> import numpy, scipy.fft, weft
>>> image = numpy.ones((4, 6), "float32")
>>> with scipy.fft.set_backend(weft.scipy_backend):
...     spectrum = scipy.fft.rfft2(image)
>>> spectrum.shape, spectrum.dtype, float(spectrum[0, 0].real)
((4, 4), dtype('complex64'), 24.0)
>>> weft.served()["scipy_fft.rfft2"] > 0
True
"""
from collections.abc import Callable, Sequence
from typing import Any

import scipy.fft  # type: ignore[import-untyped]

from . import _faces
from ._arguments import LAST_TWO, Array

__ua_domain__ = "numpy.scipy.fft"


def _threads(workers: Any) -> int:
    """SciPy's count: of the context unless given, counted from all cores if negative, refused if wrong."""
    if workers is None:
        return int(scipy.fft.get_workers())
    with scipy.fft.set_workers(workers):
        return int(scipy.fft.get_workers())


def _no_plan(plan: Any) -> None:
    if plan is not None:
        raise ValueError("SciPy knows no plans, and says so itself")


def _forward(name: str, axes_of_name: Any) -> Callable[..., Array]:
    counted, is_full = "scipy_fft." + name, name.startswith("f")

    def answer(x: Any, s: Any = None, axes: Any = axes_of_name, norm: Any = None, overwrite_x: bool = False,
               workers: Any = None, *, plan: Any = None) -> Array:
        _no_plan(plan)
        return _faces.forward(counted, is_full, x, s, axes, norm, None, _threads(workers))

    return answer


def _inverse(name: str, axes_of_name: Any) -> Callable[..., Array]:
    counted = "scipy_fft." + name

    def answer(x: Any, s: Any = None, axes: Any = axes_of_name, norm: Any = None, overwrite_x: bool = False,
               workers: Any = None, *, plan: Any = None) -> Array:
        _no_plan(plan)
        return _faces.inverse(counted, x, s, axes, norm, None, _threads(workers))

    return answer


_ANSWERS = {
    "rfft2": _forward("rfft2", LAST_TWO), "rfftn": _forward("rfftn", None),
    "fft2": _forward("fft2", LAST_TWO), "fftn": _forward("fftn", None),
    "irfft2": _inverse("irfft2", LAST_TWO), "irfftn": _inverse("irfftn", None),
}


def __ua_function__(method: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """What SciPy calls for each of its functions."""
    answer = _ANSWERS.get(method.__name__)
    if answer is not None:
        try:
            return answer(*args, **kwargs)
        except _faces.NOT_OURS:
            pass  # whatever is wrong with the call, SciPy says so in its own words
    with scipy.fft.set_backend("scipy", only=True):
        return method(*args, **kwargs)
