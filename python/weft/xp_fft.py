# SPDX-License-Identifier: MIT
"""The extension `fft` of the Python array API standard, for NumPy's arrays: what programs written for the standard know as
`xp.fft`.

Transforms of real images over two axes are answered by Weft, all others by NumPy. What the standard has and NumPy's own
`numpy.fft` has not are the `dtype` and `device` of frequencies. Arrays of another library are refused: its own namespace
has the functions that give its own arrays back.

Examples
--------
>>> import numpy
>>> from weft import xp_fft
>>> spectrum = xp_fft.rfftn(numpy.ones((4, 6), "float32"), axes=(0, 1))
>>> spectrum.shape, spectrum.dtype
((4, 4), dtype('complex64'))
>>> xp_fft.rfftfreq(4, dtype=numpy.float32)
array([0.  , 0.25, 0.5 ], dtype=float32)
"""
from collections.abc import Callable
from functools import wraps
from typing import Any, Optional

import numpy

from . import numpy_fft
from ._arguments import Array, only_numpys
from ._errors import ArgumentTypeError, UnsupportedError

__all__ = [
    "fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft", "irfftn", "rfft", "rfftfreq",
    "rfftn",
]


def _numpys(function: Callable[..., Any]) -> Callable[..., Array]:
    """NumPy's own function, with the standard's signature: all but the array is given by name."""
    @wraps(function)
    def checked(x: Array, /, **keywords: Any) -> Array:
        only_numpys(x, "x")
        answer: Array = function(x, **keywords)
        return answer

    return checked


fft, ifft, ifftn = _numpys(numpy.fft.fft), _numpys(numpy.fft.ifft), _numpys(numpy.fft.ifftn)
rfft, irfft = _numpys(numpy.fft.rfft), _numpys(numpy.fft.irfft)
hfft, ihfft = _numpys(numpy.fft.hfft), _numpys(numpy.fft.ihfft)
fftshift, ifftshift = _numpys(numpy.fft.fftshift), _numpys(numpy.fft.ifftshift)


def _axes(s: Any, axes: Any) -> Any:
    """The standard's: the last ones, as many as there are sizes."""
    return range(-len(s), 0) if axes is None and s is not None else axes


def rfftn(x: Array, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Array:
    """The half spectrum of real values; over two axes by Weft."""
    only_numpys(x, "x")
    return numpy_fft.rfftn(x, s, _axes(s, axes), norm)


def irfftn(x: Array, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Array:
    """The real values of half a spectrum; over two axes by Weft."""
    only_numpys(x, "x")
    return numpy_fft.irfftn(x, s, _axes(s, axes), norm)


def fftn(x: Array, /, *, s: Any = None, axes: Any = None, norm: str = "backward") -> Array:
    """The whole spectrum; of real images over two axes by Weft."""
    only_numpys(x, "x")
    return numpy_fft.fftn(x, s, _axes(s, axes), norm)


def _on_cpu(device: Any) -> None:
    if device not in (None, "cpu"):
        raise UnsupportedError(f"device is {device!r}: arrays are NumPy's, which lie in the host's memory, 'cpu'")


def _real(dtype: Any) -> Any:
    found = numpy.dtype(numpy.float64 if dtype is None else dtype)
    if found.kind != "f":
        raise ArgumentTypeError(f"dtype is {found}: must be of real numbers")
    return found


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Optional[Any] = None, device: Optional[Any] = None) -> Array:
    """The frequencies of a spectrum's values, of `dtype`, which is float64 unless given."""
    _on_cpu(device)
    frequencies: Array = numpy.fft.fftfreq(n, d).astype(_real(dtype))
    return frequencies


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Optional[Any] = None, device: Optional[Any] = None) -> Array:
    """Those of half a spectrum."""
    _on_cpu(device)
    frequencies: Array = numpy.fft.rfftfreq(n, d).astype(_real(dtype))
    return frequencies
