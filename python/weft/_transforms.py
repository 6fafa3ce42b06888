# SPDX-License-Identifier: MIT
"""The functions: arrays of any kind in, NumPy arrays out, over any two axes, all others a batch.

Each one makes its arguments what the library wants (`_arguments.py`), has a plan from the cache (`_plans.py`) and runs it.
"""
import math
from typing import Any, Optional

import numpy
from numpy import empty, ndarray

from . import _weft
from ._arguments import (COMPLEX_OF, F32, F64, LAST_TWO, LAYOUTS, NORMS, Array, DType, Types, as_array, dtype_of, fitted,
                         image_types, integer, no_gpu, no_side_is_zero, one_of, pair, ready, result, spectrum_types,
                         two_axes, two_sizes)
from ._counts import counter
from ._errors import ArgumentError, ArgumentTypeError
from ._plans import plan_for, shortcuts
from ._workers import of_context, threads_of


def _with_axes_last(x: Any, axes: Any) -> tuple[Array, tuple[int, int]]:
    a = as_array(x, "x")
    if axes is LAST_TWO and a.ndim >= 2:
        return a, LAST_TWO
    ends = two_axes(axes, a.ndim)
    return (a if ends == LAST_TWO else numpy.moveaxis(a, ends, LAST_TWO)), ends


def _back(a: Array, out: Optional[Array], axes: tuple[int, int]) -> Array:
    if out is not None:
        return out
    return a if axes == LAST_TWO else numpy.moveaxis(a, LAST_TWO, axes)


# What is raised where there is no shortcut: none of this key, a norm that has no hash, an array that lies in memory in
# another way. The long way has the words for what is wrong.
_NO_SHORTCUT = (KeyError, TypeError, ValueError)


def quick(key: tuple[Any, ...], x: Array) -> Optional[Array]:
    """The result of a call whose key was met before, in less time for small images; otherwise None. The key has all that
    the result depends on, but for how the array lies in memory, of which the extension refuses what it cannot read."""
    try:
        run, shape, dtype, counted = shortcuts[key]
        to = empty(shape, dtype)
        run(x, to, None)
    except _NO_SHORTCUT:
        return None
    next(counted)
    return to


def forward(name: str, a: Array, axes: tuple[int, int], types: Types, norm: Optional[str], layout: str, out: Any,
            threads: int, strategy: Optional[str], key: Optional[tuple[Any, ...]] = None) -> Array:
    """Of an array with its image's axes last, sizes and types as they are to be; served under `name`. With a key the
    next call takes a shortcut."""
    no_side_is_zero(a, "x")
    given, a = a, ready(a, types.pixel)
    plan = plan_for(a.shape, types, layout, norm or "backward", threads, strategy or "cpu")
    to = result(out, plan.spectrum_shape, plan.spectrum_dtype, axes)
    plan._library.forward(a, to, None)
    next(counter(name))
    if key is not None and given is a:
        shortcuts[key] = plan._library.forward, plan.spectrum_shape, plan.spectrum_dtype, counter(name)
    return _back(to, out, axes)


def inverse(name: str, a: Array, width: int, axes: tuple[int, int], types: Types, norm: Optional[str], layout: str,
            out: Any, threads: int, strategy: Optional[str], key: Optional[tuple[Any, ...]] = None) -> Array:
    """The other way; the width of the image cannot be told from half a spectrum."""
    no_side_is_zero(a, "x")
    given, a = a, ready(a, types.spectrum(layout))
    plan = plan_for((*a.shape[:-1], width), types, layout, norm or "backward", threads, strategy or "cpu")
    to = result(out, plan.shape, plan.dtype, axes)
    plan._library.inverse(a, to, None)
    next(counter(name))
    if key is not None and given is a:
        shortcuts[key] = plan._library.inverse, plan.shape, plan.dtype, counter(name)
    return _back(to, out, axes)


def rfft2(x: Any, s: Any = None, axes: Any = LAST_TWO, norm: Optional[str] = None, *, layout: str = "half",
          out: Optional[Array] = None, dtype: Any = None, workers: Optional[int] = None,
          strategy: Optional[str] = None, stream: None = None) -> Array:
    """The spectrum of real images.

    Parameters
    ----------
    x : array_like
        Real. float32, uint8 and uint16 give complex64 and are not converted before; float64 and all other integers give
        complex128; float16 goes through float32.
    s : (int, int), optional
        Height and width to which the image is cut or continued by zeros, as in NumPy.
    axes : (int, int), optional
        The axes of the image; of the second one the spectrum has half. All others are a batch.
    norm : {None, "backward", "ortho", "forward"}, optional
        As in `numpy.fft`.
    layout : {"half", "packed"}, optional
        "half" is what `numpy.fft.rfft2` gives. "packed" is real and as large as the image, and its inverse needs no `s`.
    out : ndarray, optional
        Where the result goes; with layout="packed" it may be `x` itself.
    dtype : dtype, optional
        Of the spectrum: complex64 or complex128, packed float32 or float64.
    workers : int, optional
        Threads; None means `get_workers()`.
    strategy : str, optional
        Which of the library's ways to take, see `info`.
    stream : None
        For later: anything else is refused.

    Returns
    -------
    ndarray
        Complex of shape (..., H, W // 2 + 1), or real and of the image's shape.

    Examples
    --------
    >>> import numpy, weft
    >>> image = numpy.zeros((4, 6), "float32")
    >>> image[0, 0] = 1
    >>> weft.rfft2(image)[1]
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    >>> weft.rfft2(image, layout="packed").shape
    (4, 6)
    """
    key = None
    if (type(x) is ndarray and axes is LAST_TWO and s is None and out is None and dtype is None and workers is None
            and strategy is None and stream is None):
        key = ("rfft2", x.shape, x.dtype, norm, layout, of_context.get())
        try:  # `quick` without the time of a call
            run, shape, its_dtype, counted = shortcuts[key]
            to: Array = empty(shape, its_dtype)
            run(x, to, None)
            next(counted)
            return to
        except _NO_SHORTCUT:
            to = x  # lets go of memory that is not used
    no_gpu(stream)
    one_of("layout", layout, LAYOUTS)
    one_of("norm", norm, NORMS)
    a, ends = _with_axes_last(x, axes)
    types = image_types(a.dtype, dtype, layout=layout)
    if s is not None:
        a = fitted(a, *two_sizes(s))
    return forward("rfft2", a, ends, types, norm, layout, out, threads_of(workers), strategy, key)


def irfft2(x: Any, s: Any = None, axes: Any = LAST_TWO, norm: Optional[str] = None, *, layout: str = "half",
           out: Optional[Array] = None, dtype: Any = None, workers: Optional[int] = None,
           strategy: Optional[str] = None, stream: None = None) -> Array:
    """The real images of spectra, as `rfft2` makes them.

    Parameters
    ----------
    x : array_like
        Complex of shape (..., H, W // 2 + 1), or with layout="packed" real of the image's shape. What a real image cannot
        have in columns 0 and W / 2 is ignored, as in NumPy.
    s : (int, int), optional
        Height and width of the image. An odd width has to be given unless the layout is packed.
    axes, norm, out, workers, strategy, stream
        As in `rfft2`.
    layout : {"half", "packed"}, optional
        Of `x`.
    dtype : dtype, optional
        Of the image: float32, float64, or uint8 or uint16, to which values are rounded and clamped.

    Returns
    -------
    ndarray
        Real, of shape (..., H, W).

    Examples
    --------
    >>> import numpy, weft
    >>> image = numpy.arange(15, dtype="uint8").reshape(3, 5)
    >>> weft.irfft2(weft.rfft2(image), s=(3, 5), dtype="uint8")
    array([[ 0,  1,  2,  3,  4],
           [ 5,  6,  7,  8,  9],
           [10, 11, 12, 13, 14]], dtype=uint8)
    """
    key = None
    if (type(x) is ndarray and axes is LAST_TWO and s is None and out is None and dtype is None and workers is None
            and strategy is None and stream is None):
        key = ("irfft2", x.shape, x.dtype, norm, layout, of_context.get())
        try:  # `quick` without the time of a call
            run, shape, its_dtype, counted = shortcuts[key]
            to: Array = empty(shape, its_dtype)
            run(x, to, None)
            next(counted)
            return to
        except _NO_SHORTCUT:
            to = x  # lets go of memory that is not used
    no_gpu(stream)
    one_of("layout", layout, LAYOUTS)
    one_of("norm", norm, NORMS)
    a, ends = _with_axes_last(x, axes)
    types = spectrum_types(a.dtype, layout, dtype)
    threads = threads_of(workers)
    if layout == "packed":
        if s is not None and two_sizes(s) != a.shape[-2:]:
            raise ArgumentError(f"s is {tuple(s)}: the packed spectrum is that of an image of {a.shape[-2:]}")
        width = a.shape[-1]
    else:
        height, width = two_sizes(s) if s is not None else (a.shape[-2], 2 * (a.shape[-1] - 1))
        if width < 1:
            raise ArgumentError(f"x has the shape {a.shape}, which without s is that of images {width} wide: give s")
        a = fitted(a, height, width // 2 + 1)
    return inverse("irfft2", a, width, ends, types, norm, layout, out, threads, strategy, key)


def full(name: str, a: Array, axes: tuple[int, int], types: Types, norm: Optional[str], out: Any, threads: int,
         strategy: Optional[str]) -> Array:
    """The whole spectrum of an array with its image's axes last."""
    packed = forward(name, a, LAST_TWO, types, norm, "packed", None, threads, strategy)
    to = result(out, packed.shape, COMPLEX_OF[types.real], axes)
    _each(_weft.packed_to_full, packed.shape, types.real, packed, to)
    return _back(to, out, axes)


def fft2(x: Any, s: Any = None, axes: Any = LAST_TWO, norm: Optional[str] = None, *, out: Optional[Array] = None,
         dtype: Any = None, workers: Optional[int] = None, strategy: Optional[str] = None, stream: None = None) -> Array:
    """The whole spectrum of real images; a complex image is a TypeError.

    Parameters
    ----------
    x, s, axes, norm, out, dtype, workers, strategy, stream
        As in `rfft2`.

    Returns
    -------
    ndarray
        Complex, of the image's shape.

    Examples
    --------
    >>> import numpy, weft
    >>> image = numpy.zeros((2, 3))
    >>> image[0, 0] = 1
    >>> weft.fft2(image).real
    array([[1., 1., 1.],
           [1., 1., 1.]])
    """
    no_gpu(stream)
    one_of("norm", norm, NORMS)
    a, ends = _with_axes_last(x, axes)
    types = image_types(a.dtype, dtype)
    if s is not None:
        a = fitted(a, *two_sizes(s))
    return full("fft2", a, ends, types, norm, out, threads_of(workers), strategy)


def fft_filter(x: Any, gain: Any = None, *, spectrum: Any = None, axes: Any = LAST_TWO, layout: str = "half",
               out: Optional[Array] = None, workers: Optional[int] = None, strategy: Optional[str] = None,
               stream: None = None) -> Array:
    """Images whose spectra are those of `x` times a gain or another spectrum: one call, and no spectrum in between.

    Parameters
    ----------
    x : array_like
        Real images; the result has their dtype, and integers are rounded and clamped.
    gain : array_like, optional
        Real, of shape (H, W // 2 + 1): a factor for each value of half a spectrum.
    spectrum : array_like, optional
        Instead of a gain, the spectrum of a kernel: the result is the circular convolution with it.
    layout : {"half", "packed"}, optional
        Of `spectrum`.
    axes, out, workers, strategy, stream
        As in `rfft2`; `out` may be `x` itself.

    Returns
    -------
    ndarray
        Of the shape and dtype of `x`; float64 for dtypes that `rfft2` converts to it.

    Examples
    --------
    >>> import numpy, weft
    >>> image = numpy.arange(12, dtype="float32").reshape(3, 4)
    >>> mean_alone = numpy.zeros((3, 3), "float32")
    >>> mean_alone[0, 0] = 1
    >>> weft.fft_filter(image, mean_alone)[0]
    array([5.5, 5.5, 5.5, 5.5], dtype=float32)
    """
    no_gpu(stream)
    one_of("layout", layout, LAYOUTS)
    if (gain is None) == (spectrum is None):
        raise ArgumentError("fft_filter wants either gain or spectrum")
    a, ends = _with_axes_last(x, axes)
    types = image_types(a.dtype, None)
    no_side_is_zero(a, "x")
    a = ready(a, types.pixel)
    plan = plan_for(a.shape, types, layout, "backward", threads_of(workers), strategy or "cpu")
    height, width = a.shape[-2:]
    if gain is not None:
        by = plan._transfer(gain, "gain", (height, width // 2 + 1), types.real)
    else:
        by = plan._transfer(spectrum, "spectrum", plan.spectrum_shape[-2:], plan.spectrum_dtype)
    to = result(out, a.shape, plan.dtype, ends)
    plan._library.filter(a, by, gain is not None, to, None)
    next(counter("fft_filter"))
    return _back(to, out, ends)


# ---- layouts -----------------------------------------------------------------------------------------------------------


def _each(convert: Any, shape: tuple[int, ...], real: DType, source: Array, to: Array) -> None:
    """The library converts a spectrum at a time; `shape` is the images'."""
    height, width = shape[-2:]
    many = math.prod(shape[:-2])
    for one, its in zip(source.reshape(many, *source.shape[-2:]), to.reshape(many, *to.shape[-2:])):
        convert(height, width, real == F64, one, its)


def _spectrum(x: Any, packed: bool, if_not: str) -> tuple[Array, DType]:
    a = as_array(x, "spectrum")
    if a.ndim < 2:
        raise ArgumentError(f"spectrum has {a.ndim} dimensions: must have at least 2")
    no_side_is_zero(a, "spectrum")
    if (a.dtype.kind == "c") == packed:
        raise ArgumentTypeError(f"spectrum is {a.dtype}: {if_not}")
    real = spectrum_types(a.dtype, "packed" if packed else "half", None).real
    return ready(a, real if packed else COMPLEX_OF[real]), real


def pack(spectrum: Any, width: int) -> Array:
    """The packed form of a half spectrum, real and of the image's shape.

    Parameters
    ----------
    spectrum : array_like
        Complex, of shape (..., H, width // 2 + 1).
    width : int
        The image's, whose parity half a spectrum does not tell.

    Examples
    --------
    >>> import numpy, weft
    >>> image = numpy.arange(15.0).reshape(3, 5)
    >>> packed = weft.pack(weft.rfft2(image), 5)
    >>> bool((packed == weft.rfft2(image, layout="packed")).all())
    True
    """
    a, real = _spectrum(spectrum, False, "must be complex; a packed one is real")
    width = integer("width", width, 1)
    if a.shape[-1] != width // 2 + 1:
        raise ArgumentError(f"width is {width}: half a spectrum of such an image is {width // 2 + 1} wide, not {a.shape[-1]}")
    to = numpy.empty((*a.shape[:-1], width), real)
    _each(_weft.half_to_packed, to.shape, real, a, to)
    return to


def unpack(spectrum: Any) -> Array:
    """The half spectrum of a packed one, as `numpy.fft.rfft2` gives it.

    Examples
    --------
    >>> import numpy, weft
    >>> image = numpy.arange(15.0).reshape(3, 5)
    >>> half = weft.unpack(weft.rfft2(image, layout="packed"))
    >>> bool((half == weft.rfft2(image)).all())
    True
    """
    a, real = _spectrum(spectrum, True, "must be packed, which is real; half a spectrum is complex, and needs no unpacking")
    to = numpy.empty((*a.shape[:-1], a.shape[-1] // 2 + 1), COMPLEX_OF[real])
    _each(_weft.packed_to_half, a.shape, real, a, to)
    return to


def to_full(spectrum: Any, width: Optional[int] = None) -> Array:
    """The whole spectrum, complex and of the image's shape, of a packed one, or of half a one and the image's width.

    Examples
    --------
    >>> import numpy, weft
    >>> image = numpy.arange(15.0).reshape(3, 5)
    >>> whole = weft.to_full(weft.rfft2(image), 5)
    >>> bool(numpy.allclose(whole, numpy.fft.fft2(image)))
    True
    """
    a, real = _spectrum(spectrum if width is None else pack(spectrum, width), True,
                        "must be packed, which is real; half a spectrum needs the image's width, to_full(spectrum, width)")
    to = numpy.empty(a.shape, COMPLEX_OF[real])
    _each(_weft.packed_to_full, a.shape, real, a, to)
    return to


# ---- sizes -------------------------------------------------------------------------------------------------------------


def next_fast_len(target: int) -> int:
    """The smallest length of at least `target` without a prime factor above 7.

    Examples
    --------
    >>> import weft
    >>> weft.next_fast_len(1021)
    1024
    """
    return _weft.next_fast_size(integer("target", target, 0))


def good_size(shape: Any, dtype: Any = F32, layout: str = "half") -> tuple[int, int]:
    """The height and width, of at least those of `shape`, whose transform should be the fastest.

    Examples
    --------
    >>> import weft
    >>> weft.good_size((1021, 1031))
    (1024, 1080)
    """
    code = one_of("layout", layout, LAYOUTS)
    height, width = (integer("a side of shape", side, 1) for side in pair("shape", shape))
    types = image_types(dtype_of(dtype), None, "dtype")
    return _weft.good_size(height, width, types.real == F64, 0, code)
