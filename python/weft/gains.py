# SPDX-License-Identifier: MIT
"""Gains for `weft.fft_filter`: a factor for each value of half a spectrum, by its frequency.

Frequencies are in cycles per pixel: 0.5 is the highest of a row, and a wave that is p pixels long has 1 / p. `shape` is the
image's, of which the last two sides count; the result has the shape (H, W // 2 + 1).

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

from ._arguments import Array, integer
from ._errors import ArgumentError, ArgumentTypeError


def _positive(what: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ArgumentTypeError(f"{what} is {value!r}: must be a number") from None
    if not 0 < number < math.inf:
        raise ArgumentError(f"{what} is {number}: must be above 0 and finite")
    return number


def _squares(shape: Any) -> Array:
    """Of the frequency of each value of half a spectrum."""
    sides = [integer("a side of shape", side, 1) for side in shape]
    if len(sides) < 2:
        raise ArgumentError(f"shape is {shape!r}: an image has at least 2 dimensions")
    height, width = sides[-2:]
    squares: Array = numpy.fft.fftfreq(height)[:, None] ** 2 + numpy.fft.rfftfreq(width)[None, :] ** 2
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
