# SPDX-License-Identifier: MIT
"""`numpy.fft` with the transforms of real images over two axes answered by Weft; everything else is NumPy's own.

Results are those of NumPy 2: float32 gives complex64.

Examples
--------
>>> import numpy
>>> from weft import numpy_fft
>>> image = numpy.ones((4, 6), "float32")
>>> numpy_fft.rfft2(image).dtype
dtype('complex64')
>>> numpy_fft.fftfreq is numpy.fft.fftfreq
True
"""
from typing import Any

import numpy

from . import _faces
from ._arguments import LAST_TWO, Array
from ._workers import get_workers

# As they are before anybody replaces them by those below.
_NUMPYS = {name: getattr(numpy.fft, name) for name in ("rfft2", "rfftn", "fft2", "fftn", "irfft2", "irfftn")}


def _out(out: Any) -> dict[str, Any]:
    """For NumPy, which before 2.0 knows no `out`."""
    return {} if out is None else {"out": out}


def _forward(name: str, a: Any, s: Any, axes: Any, norm: Any, out: Any) -> Array:
    if s is None or axes is not None:  # NumPy has something to say about s without axes
        try:
            return _faces.forward("numpy_fft." + name, name.startswith("f"), a, s, axes, norm, out, get_workers())
        except _faces.NOT_OURS:
            pass  # whatever is wrong with the call, NumPy says so in its own words
    answer: Array = _NUMPYS[name](a, s, axes, norm, **_out(out))
    return answer


def _inverse(name: str, a: Any, s: Any, axes: Any, norm: Any, out: Any) -> Array:
    if s is None or axes is not None:
        try:
            return _faces.inverse("numpy_fft." + name, a, s, axes, norm, out, get_workers())
        except _faces.NOT_OURS:
            pass
    answer: Array = _NUMPYS[name](a, s, axes, norm, **_out(out))
    return answer


def rfft2(a: Any, s: Any = None, axes: Any = LAST_TWO, norm: Any = None, out: Any = None) -> Array:
    """As `numpy.fft.rfft2`."""
    return _forward("rfft2", a, s, axes, norm, out)


def rfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Array:
    """As `numpy.fft.rfftn`; over two axes by Weft."""
    return _forward("rfftn", a, s, axes, norm, out)


def fft2(a: Any, s: Any = None, axes: Any = LAST_TWO, norm: Any = None, out: Any = None) -> Array:
    """As `numpy.fft.fft2`; of real images by Weft."""
    return _forward("fft2", a, s, axes, norm, out)


def fftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Array:
    """As `numpy.fft.fftn`; of real images over two axes by Weft."""
    return _forward("fftn", a, s, axes, norm, out)


def irfft2(a: Any, s: Any = None, axes: Any = LAST_TWO, norm: Any = None, out: Any = None) -> Array:
    """As `numpy.fft.irfft2`."""
    return _inverse("irfft2", a, s, axes, norm, out)


def irfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Array:
    """As `numpy.fft.irfftn`; over two axes by Weft."""
    return _inverse("irfftn", a, s, axes, norm, out)


def __getattr__(name: str) -> Any:
    return getattr(numpy.fft, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *dir(numpy.fft)})
