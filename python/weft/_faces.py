# SPDX-License-Identifier: MIT
"""What the faces of other packages share: which of their calls Weft answers, with their dtypes and their meaning of axes.

A call that is not for Weft, or that is wrong, is answered by the package itself, so that results, warnings and exceptions
are its own.
"""
from typing import Any, Optional

import numpy

from . import _transforms
from ._arguments import F32, F64, LAST_TWO, NORMS, TYPES, U8, U16, Array, DType, Types, fitted, two_axes, two_sizes
from ._errors import Error

# Integers are transformed in double precision.
_IMAGES: dict[DType, Types] = {**TYPES, U8: Types(U8, F64), U16: Types(U16, F64)}

# What a call raises that the package is to answer.
NOT_OURS = (Error, TypeError, ValueError, OverflowError)


def _array(x: Any, kinds: str) -> Array:
    a: Array = numpy.asarray(x) if type(x) in (list, tuple) else x
    if type(a) is not numpy.ndarray:
        raise TypeError("not an array of NumPy's own")
    if a.dtype.kind not in kinds or a.dtype.itemsize > (16 if a.dtype.kind == "c" else 8):
        raise TypeError("not a number that Weft knows")
    return a


def _types(dtype: DType) -> Types:
    return _IMAGES.get(dtype) or TYPES[F32 if dtype.char in "efF" else F64]


def _arranged(a: Array, s: Any, axes: Any) -> tuple[Array, tuple[int, int], Optional[tuple[int, int]]]:
    """The array with its image's axes last, those axes, and the sizes if any are given."""
    if axes is None:
        axes = range(-a.ndim if s is None else -len(s), 0)
    ends = two_axes(axes, a.ndim)
    return (a if ends == LAST_TWO else numpy.moveaxis(a, ends, LAST_TWO)), ends, (
        None if s is None else two_sizes(s))


def forward(name: str, is_full: bool, x: Any, s: Any, axes: Any, norm: Any, out: Any, threads: int) -> Array:
    """rfft2 and its kin; fft2 and its kin if `is_full`."""
    key = None
    if axes is LAST_TWO and s is None and out is None and type(x) is numpy.ndarray and not is_full:
        key = (name, x.shape, x.dtype, norm, threads)
        done = _transforms.quick(key, x)
        if done is not None:
            return done
    if norm not in NORMS:
        raise ValueError("not a norm")
    a, ends, sizes = _arranged(_array(x, "biuf"), s, axes)
    types = _types(a.dtype)
    if sizes is not None:
        a = fitted(a, *sizes)
    if is_full:
        return _transforms.full(name, a, ends, types, norm, out, threads, None)
    return _transforms.forward(name, a, ends, types, norm, "half", out, threads, None, key)


def inverse(name: str, x: Any, s: Any, axes: Any, norm: Any, out: Any, threads: int) -> Array:
    """irfft2 and its kin."""
    key = None
    if axes is LAST_TWO and s is None and out is None and type(x) is numpy.ndarray:
        key = (name, x.shape, x.dtype, norm, threads)
        done = _transforms.quick(key, x)
        if done is not None:
            return done
    if norm not in NORMS:
        raise ValueError("not a norm")
    a, ends, sizes = _arranged(_array(x, "biufc"), s, axes)
    height, width = sizes or (a.shape[-2], 2 * (a.shape[-1] - 1))
    if width < 1:
        raise ValueError("half a spectrum of nothing")
    real = F32 if a.dtype.char in "efF" else F64
    a = fitted(a, height, width // 2 + 1)
    return _transforms.inverse(name, a, width, ends, Types(real, real), norm, "half", out, threads, None, key)
