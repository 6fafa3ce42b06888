# SPDX-License-Identifier: MIT
"""What is made of transforms: convolution with a kernel, and the shift between two images."""
import math
from typing import Any, Optional

import numpy

from ._arguments import TYPES, Array, as_array, fitted, image_types, integer, no_side_is_zero, one_of
from ._counts import counter
from ._errors import ArgumentError
from ._plans import plan_for
from ._transforms import irfft2, next_fast_len, rfft2, to_full
from ._workers import threads_of

_MODES = {"full": 0, "same": 1, "valid": 2}
_BOUNDARIES = {"fill": "constant", "wrap": "wrap", "symmetric": "symmetric"}


def _images(x: Any, what: str) -> Array:
    """Real images as floats, in the precision that their dtype has in `rfft2`."""
    a = as_array(x, what)
    if a.ndim < 2:
        raise ArgumentError(f"{what} has {a.ndim} dimensions: an image has at least 2")
    no_side_is_zero(a, what)
    return numpy.asarray(a, image_types(a.dtype, None, what).real)


def _range(mode: str, side: int, of_kernel: int) -> tuple[int, int]:
    """(first, how many) of the values of the full convolution."""
    if mode == "full":
        return 0, side + of_kernel - 1
    return ((of_kernel - 1) // 2, side) if mode == "same" else (of_kernel - 1, side - of_kernel + 1)


def fftconvolve(x: Any, k: Any, mode: str = "full", boundary: str = "fill", *, workers: Optional[int] = None) -> Array:
    """Images convolved with a kernel, as `scipy.signal.convolve2d` has it, in the time of two transforms.

    Parameters
    ----------
    x : array_like
        Real images over the last two axes; all others are a batch.
    k : array_like
        One real kernel of two dimensions.
    mode : {"full", "same", "valid"}, optional
        Everything that the kernel touches; of the size of `x`, in the middle of that; or only what does not depend on what
        is beyond the border.
    boundary : {"fill", "wrap", "symmetric"}, optional
        What is beyond the border: zeros, the image again, or its mirror image.
    workers : int, optional
        Threads; None means `get_workers()`.

    Returns
    -------
    ndarray
        float32, or float64 if `rfft2` computes either of both in double precision.

    Examples
    --------
    >>> import numpy, weft
    >>> image = numpy.zeros((4, 5), "float32")
    >>> image[1, 2] = 1
    >>> weft.fftconvolve(image, numpy.ones((3, 3), "float32"), mode="same").round().astype(int)
    array([[0, 1, 1, 1, 0],
           [0, 1, 1, 1, 0],
           [0, 1, 1, 1, 0],
           [0, 0, 0, 0, 0]])
    """
    one_of("mode", mode, _MODES)
    if boundary not in _BOUNDARIES:
        raise ArgumentError(f"boundary is {boundary!r}: must be one of 'fill', 'wrap', 'symmetric'")
    a, kernel = _images(x, "x"), _images(k, "k")
    if kernel.ndim != 2:
        raise ArgumentError(f"k has {kernel.ndim} dimensions: must have 2")
    if mode == "valid" and (kernel.shape[0] > a.shape[-2] or kernel.shape[1] > a.shape[-1]):
        raise ArgumentError(f"k has the shape {kernel.shape}: must not be larger than images of {a.shape[-2:]} if mode is 'valid'")
    real = numpy.result_type(a, kernel)
    found = [_range(mode, side, of_kernel) for side, of_kernel in zip(a.shape[-2:], kernel.shape)]
    if boundary != "fill":
        # Only as much beyond the borders as the values that are asked for depend on.
        before = [of_kernel - 1 - first for (first, _), of_kernel in zip(found, kernel.shape)]
        after = [first + many - side for (first, many), side in zip(found, a.shape[-2:])]
        a = numpy.pad(a, [(0, 0)] * (a.ndim - 2) + list(zip(before, after)),
                      mode=_BOUNDARIES[boundary])  # type: ignore[call-overload]
        found = [(first + more, many) for (first, many), more in zip(found, before)]
    # Values before `first` may be wrong: what the period folds over.
    least = [max(side, of_kernel, first + many, side + of_kernel - 1 - first)
             for side, of_kernel, (first, many) in zip(a.shape[-2:], kernel.shape, found)]
    # Not `good_size`, whose sizes took a few percent longer on average, and a third longer at worst.
    height, width = (next_fast_len(side) for side in least)
    types, threads = TYPES[real], threads_of(workers)
    image = numpy.ascontiguousarray(fitted(a, height, width), real)
    is_own = not numpy.may_share_memory(image, as_array(x, "x"))
    plan = plan_for(image.shape, types, "packed", "backward", threads, "cpu")
    transfer = rfft2(fitted(kernel, height, width), layout="packed", workers=threads, dtype=real)
    to = image if is_own else numpy.empty_like(image)
    plan._library.filter(image, transfer, False, to, None)
    next(counter("fftconvolve"))
    (top, rows), (left, columns) = found
    return to[..., top:top + rows, left:left + columns].copy()


def phase_cross_correlation(reference: Any, moving: Any, upsample_factor: int = 1, *, workers: Optional[int] = None) -> Array:
    """How far `moving` has to be shifted to lie on `reference`, in rows and columns.

    Parameters
    ----------
    reference, moving : array_like
        Two real images of the same shape.
    upsample_factor : int, optional
        The shift is found to within 1 / upsample_factor of a pixel.
    workers : int, optional
        Threads; None means `get_workers()`.

    Returns
    -------
    ndarray
        The shift, two values of float64, as the first result of scikit-image's function of this name.

    Notes
    -----
    The phases of the product of one spectrum and the conjugate of the other are a wave, and its transform is a peak where the
    shift is. Near the peak the transform is computed anew on a finer grid, as two matrix products (Guizar-Sicairos,
    Thurman and Fienup, Optics Letters 33, 2008).

    Examples
    --------
    >>> import numpy, weft
    >>> image = numpy.random.default_rng(0).normal(size=(32, 48))
    >>> weft.phase_cross_correlation(image, numpy.roll(image, (3, -5), (0, 1)))
    array([-3.,  5.])
    """
    first, second = _images(reference, "reference"), _images(moving, "moving")
    if first.ndim != 2 or first.shape != second.shape:
        raise ArgumentError(f"reference has the shape {first.shape} and moving {second.shape}: must be two images of one shape")
    factor = integer("upsample_factor", upsample_factor, 1)
    real = numpy.result_type(first, second)
    product, other = (rfft2(each.astype(real, copy=False), workers=workers) for each in (first, second))
    for what, mean in (("reference", product[0, 0]), ("moving", other[0, 0])):
        if not numpy.isfinite(mean):
            raise ArgumentError(f"{what} has the sum {mean.real}: all its values must be finite")
    product *= other.conj()
    # What is rounding alone has no phase.
    product /= numpy.maximum(abs(product), 100 * numpy.finfo(real).eps)
    peaks = abs(irfft2(product, first.shape, workers=workers))
    peak = numpy.array(numpy.unravel_index(int(peaks.argmax()), peaks.shape))
    sides = numpy.array(first.shape)
    shift: Array = numpy.where(peak > sides // 2, peak - sides, peak).astype(float)
    if factor > 1:
        whole = to_full(product, first.shape[1])
        span = math.ceil(1.5 * factor)
        fine = (numpy.arange(span) - span // 2) / factor
        by_row, by_column = (numpy.exp(2j * math.pi * numpy.outer(fine + middle, numpy.fft.fftfreq(side)))
                             for middle, side in zip(shift, sides))
        peaks = abs(by_row @ whole @ by_column.T)
        best = numpy.unravel_index(int(peaks.argmax()), peaks.shape)
        shift += fine[list(best)]
    shift[sides == 1] = 0
    next(counter("phase_cross_correlation"))
    return shift
