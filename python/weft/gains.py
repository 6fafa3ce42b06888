# SPDX-License-Identifier: MIT
"""Gains for `weft.fft_filter`: a factor for each value of half a spectrum, by its frequency.

Frequencies are in cycles per pixel: 0.5 is the highest of a row, and a wave that is p pixels long has 1 / p. `shape` is the
image's, of which the last two sides count; the result has the shape (H, W // 2 + 1), and is real but for `wiener`.

Examples
--------
>>> import numpy, weft
>>> image = numpy.random.default_rng(0).normal(size=(64, 48)).astype("float32")
>>> blurred = weft.fft_filter(image, weft.gains.gaussian(image.shape, sigma=2))
>>> bool(blurred.std() < image.std() / 4)
True
>>> sharper = weft.fft_filter(image, 2 - weft.gains.gaussian(image.shape, sigma=2))
"""
import math
from typing import Any

import numpy

from ._arguments import Array, as_array, sides_of
from ._errors import ArgumentError, ArgumentTypeError


def _number(what: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ArgumentTypeError(f"{what} is {value!r}: must be a number") from None
    if not math.isfinite(number):
        raise ArgumentError(f"{what} is {number}: must be finite")
    return number


def _positive(what: str, value: Any) -> float:
    number = _number(what, value)
    if number <= 0:
        raise ArgumentError(f"{what} is {number}: must be above 0")
    return number


def _frequencies(shape: Any) -> tuple[Array, Array]:
    """Of each row of half a spectrum, downwards, and of each column; the highest is 0.5 in both."""
    height, width = sides_of(shape)[-2:]
    return -numpy.fft.fftfreq(height)[-numpy.arange(height), None], numpy.fft.rfftfreq(width)[None, :]


def _squares(shape: Any) -> Array:
    """Of the frequency of each value of half a spectrum."""
    rows, columns = _frequencies(shape)
    squares: Array = rows**2 + columns**2
    return squares


def gaussian(shape: Any, sigma: float) -> Array:
    """Blurs by a bell whose standard deviation is `sigma` pixels; 1 minus it leaves what is fine.

    Examples
    --------
    >>> import weft
    >>> gain = weft.gains.gaussian((64, 48), sigma=3)
    >>> gain.shape, float(gain[0, 0])
    ((64, 25), 1.0)
    """
    gain: Array = numpy.exp(-2 * (math.pi * _positive("sigma", sigma)) ** 2 * _squares(shape))
    return gain


def ideal(shape: Any, cutoff: float) -> Array:
    """1 up to the frequency `cutoff`, 0 above: it rings.

    Examples
    --------
    >>> import weft
    >>> weft.gains.ideal((1, 8), cutoff=0.25)
    array([[1., 1., 1., 0., 0.]])
    """
    # What is on the circle but for rounding is inside.
    return (_squares(shape) <= _positive("cutoff", cutoff) ** 2 * (1 + 1e-12)).astype(float)


def butterworth(shape: Any, cutoff: float, order: float = 2) -> Array:
    """1 / (1 + (f / cutoff)^(2 order)): one half at the cutoff, and steeper with a higher order.

    Examples
    --------
    >>> import weft
    >>> weft.gains.butterworth((1, 8), cutoff=0.25).round(2)
    array([[1.  , 0.94, 0.5 , 0.16, 0.06]])
    """
    with numpy.errstate(over="ignore"):
        gain: Array = 1 / (1 + (_squares(shape) / _positive("cutoff", cutoff) ** 2) ** _positive("order", order))
    return gain


def bandpass(shape: Any, low: float, high: float) -> Array:
    """Waves of frequencies from `low` to `high`: bells that are one half at both ends.

    Examples
    --------
    >>> import weft
    >>> gain = weft.gains.bandpass((64, 64), low=1 / 40, high=1 / 3)
    >>> float(gain[0, 0]), bool(gain.max() > 0.9)
    (0.0, True)
    """
    if not _positive("low", low) < _positive("high", high):
        raise ArgumentError(f"low is {low} and high is {high}: low must be below high")
    squares = _squares(shape)
    gain: Array = numpy.exp(-math.log(2) / high**2 * squares) * -numpy.expm1(-math.log(2) / low**2 * squares)
    return gain


def stripes(shape: Any, angle: float = 0, length: float = 100) -> Array:
    """Removes stripes that lie at `angle` degrees, counter-clockwise from horizontal, are longer than `length` pixels and
    thinner than half of that; the mean stays.

    Examples
    --------
    >>> import weft
    >>> vertical = weft.gains.stripes((256, 256), angle=90)
    >>> float(vertical[0, 0]), bool(vertical[0, 9] < 1e-3), bool(vertical[9, 0] > 0.9)
    (1.0, True, True)
    """
    turn, longest = math.radians(_number("angle", angle)), _positive("length", length)
    rows, columns = _frequencies(shape)
    # Along a stripe hardly anything changes: a line across it, without its middle.
    along = longest * (math.cos(turn) * columns - math.sin(turn) * rows)
    across = longest * (math.sin(turn) * columns + math.cos(turn) * rows)
    gain: Array = 1 + numpy.exp(-math.log(2) * along**2) * numpy.expm1(-math.log(2) * across**2)
    return gain


def wiener(shape: Any, kernel: Any, balance: float = 0.01) -> Array:
    """Undoes the blur of a kernel, which is divided by its sum and whose middle is its origin. It is complex, so that it goes
    to `weft.fft_filter` as a spectrum. More `balance` gives a smoother picture, less a sharper and noisier one; what is rough
    is taken for noise, as it is by the Laplacian of `skimage.restoration.wiener`.

    Examples
    --------
    >>> import numpy, weft
    >>> image = numpy.random.default_rng(0).normal(size=(64, 48))
    >>> kernel = numpy.array([[0, 1, 0], [1, 6, 1], [0, 1, 0]])
    >>> blurred = weft.fftconvolve(image, kernel / 10, mode="same", boundary="wrap")
    >>> back = weft.fft_filter(blurred, spectrum=weft.gains.wiener(image.shape, kernel, balance=1e-9))
    >>> bool(abs(back - image).max() < 1e-3)
    True
    """
    height, width = sides_of(shape)[-2:]
    taps = as_array(kernel, "kernel")
    if taps.ndim != 2 or taps.size == 0:
        raise ArgumentError(f"kernel has the shape {taps.shape}: must have 2 sides, both at least 1")
    if taps.dtype.kind not in "biuf":
        raise ArgumentTypeError(f"kernel is {taps.dtype}: must be real")
    total = float(taps.sum(dtype=float))
    if total == 0 or not math.isfinite(total):
        raise ArgumentError(f"kernel has the sum {total}: it is divided by that")
    least = _number("balance", balance)
    if least < 0:
        raise ArgumentError(f"balance is {least}: must be at least 0")
    # What is larger than the image lies over itself.
    tile = numpy.zeros((height, width))
    down, right = (numpy.arange(n) - n // 2 for n in taps.shape)
    numpy.add.at(tile, (down[:, None] % height, right[None, :] % width), taps / total)
    spread = numpy.fft.rfft2(tile)
    rows, columns = _frequencies(shape)
    rough = 4 - 2 * numpy.cos(2 * math.pi * rows) - 2 * numpy.cos(2 * math.pi * columns)
    power = abs(spread) ** 2 + least * rough**2
    back: Array = numpy.divide(spread.conj(), power, out=numpy.zeros_like(spread), where=power > 0)
    return back
