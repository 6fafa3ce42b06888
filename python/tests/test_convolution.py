# SPDX-License-Identifier: MIT
"""Convolutions against sums over the kernel; shifts that are known; gains against what they say."""
import itertools
import math
import re

import numpy
import pytest
import weft


def by_sums(x, k, mode, boundary):
    """The definition: a sum of shifted images, one for each value of the kernel."""
    h, w = k.shape
    how = {"fill": "constant", "wrap": "wrap", "symmetric": "symmetric"}[boundary]
    wide = numpy.pad(x.astype(float), ((h - 1, h - 1), (w - 1, w - 1)), mode=how)
    rows, columns = x.shape[0] + h - 1, x.shape[1] + w - 1
    full = sum(float(k[i, j]) * wide[h - 1 - i:h - 1 - i + rows, w - 1 - j:w - 1 - j + columns]
               for i in range(h) for j in range(w))
    if mode == "full":
        return full
    if mode == "same":
        return full[(h - 1) // 2:(h - 1) // 2 + x.shape[0], (w - 1) // 2:(w - 1) // 2 + x.shape[1]]
    return full[h - 1:x.shape[0], w - 1:x.shape[1]]


@pytest.mark.parametrize("boundary", ["fill", "wrap", "symmetric"])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_convolution(mode, boundary):
    generator = numpy.random.default_rng(5)
    for size, of_kernel in itertools.product([(1, 1), (7, 9), (16, 16), (31, 8)], [(1, 1), (3, 3), (4, 2), (7, 8), (9, 11)]):
        if mode == "valid" and (of_kernel[0] > size[0] or of_kernel[1] > size[1]):
            continue
        for dtype, of_k in [("float64", "float64"), ("float32", "float32"), ("uint8", "float32"), ("float32", "float64")]:
            x, k = generator.uniform(0, 50, size).astype(dtype), generator.normal(size=of_kernel).astype(of_k)
            kept = x.copy()
            got, wanted = weft.fftconvolve(x, k, mode, boundary), by_sums(x, k, mode, boundary)
            real = "float64" if "float64" in (dtype, of_k) else "float32"
            assert got.dtype == real and got.shape == wanted.shape and (x == kept).all()
            limit = abs(x).max() * abs(k).sum() * (1e-6 if real == "float32" else 1e-14)
            assert abs(got - wanted).max() <= limit * 4
            batch = weft.fftconvolve(numpy.stack([x, 2 * x.astype(x.dtype if dtype != "uint8" else "float32")]), k, mode, boundary)
            assert abs(batch[1] - 2 * wanted).max() <= limit * 8


def test_a_good_size_needs_no_copy_and_leaves_the_image():
    x = numpy.random.default_rng(6).normal(size=(64, 64))
    kept = x.copy()
    for given in (x, x.tolist(), numpy.asfortranarray(x)):
        assert numpy.allclose(weft.fftconvolve(given, [[2.0]]), 2 * kept)
    assert (x == kept).all()


@pytest.mark.parametrize("call, words", [
    (lambda x: weft.fftconvolve(x, x, "all"), "mode is 'all': must be one of 'full', 'same', 'valid'"),
    (lambda x: weft.fftconvolve(x, x, boundary="zero"), "boundary is 'zero': must be one of"),
    (lambda x: weft.fftconvolve(x, x[None]), "k has 3 dimensions: must have 2"),
    (lambda x: weft.fftconvolve(x, x[0]), "k has 1 dimensions: an image has at least 2"),
    (lambda x: weft.fftconvolve(x[:2], x, "valid"), "k has the shape (4, 4): must not be larger than images of (2, 4)"),
    (lambda x: weft.fftconvolve(x, x + 0j), "k is complex128: weft transforms real images"),
    (lambda x: weft.phase_cross_correlation(x, x[1:]), "reference has the shape (4, 4) and moving (3, 4)"),
    (lambda x: weft.phase_cross_correlation(x, x, 0), "upsample_factor is 0: must be at least 1"),
    (lambda x: weft.phase_cross_correlation(x, x * numpy.nan), "moving has the sum nan: all its values must be finite"),
    (lambda x: weft.phase_cross_correlation(x + numpy.inf, x), "reference has the sum"),
    (lambda x: weft.gains.gaussian(x.shape, 0), "sigma is 0.0: must be above 0"),
    (lambda x: weft.gains.gaussian(x.shape, "wide"), "sigma is 'wide': must be a number"),
    (lambda x: weft.gains.ideal((4,), 0.1), "shape is (4,): an image has at least 2 dimensions"),
    (lambda x: weft.gains.bandpass(x.shape, 0.3, 0.2), "low is 0.3 and high is 0.2: low must be below high"),
    (lambda x: weft.gains.stripes(x.shape, math.inf), "angle is inf: must be finite"),
    (lambda x: weft.gains.stripes(x.shape, 0, -1), "length is -1.0: must be above 0"),
    (lambda x: weft.gains.wiener(x.shape, x[0]), "kernel has the shape (4,): must have 2 sides"),
    (lambda x: weft.gains.wiener(x.shape, x * 1j), "kernel is complex128: must be real"),
    (lambda x: weft.gains.wiener(x.shape, 0 * x), "kernel has the sum 0.0"),
    (lambda x: weft.gains.wiener(x.shape, x, -1), "balance is -1.0: must be at least 0"),
])
def test_messages(call, words):
    with pytest.raises(weft.Error, match=re.escape(words)):
        call(numpy.ones((4, 4)))


@pytest.mark.parametrize("dtype", ["float32", "float64", "uint8"])
@pytest.mark.parametrize("size", [(32, 48), (33, 47), (64, 1), (1, 64)])
def test_whole_shifts(size, dtype):
    x = numpy.random.default_rng(7).uniform(0, 255, size).astype(dtype)
    for rows, columns in itertools.product((0, 3, -7), (0, -5, 11)):
        if (rows and size[0] == 1) or (columns and size[1] == 1):
            continue
        moved = numpy.roll(x, (rows, columns), (0, 1))
        assert weft.phase_cross_correlation(x, moved).tolist() == [-rows, -columns]
        assert abs(weft.phase_cross_correlation(x, moved, 10) - [-rows, -columns]).max() < 0.05


def test_shifts_of_parts_of_a_pixel():
    size = (64, 63)
    spectrum = numpy.fft.rfft2(numpy.random.default_rng(8).normal(size=size))
    spectrum *= weft.gains.gaussian(size, 1.5)
    x = numpy.fft.irfft2(spectrum, size)
    for rows, columns in [(0.25, -1.5), (3.37, 2.12), (-10.81, 0.49)]:
        wave = numpy.fft.fftfreq(64)[:, None] * rows + numpy.fft.rfftfreq(63)[None, :] * columns
        moved = numpy.fft.irfft2(spectrum * numpy.exp(-2j * numpy.pi * wave), size)
        for factor in (10, 100):
            assert abs(weft.phase_cross_correlation(x, moved, factor) + [rows, columns]).max() <= 1.01 / factor


def test_gains_are_what_they_say():
    squares = numpy.fft.fftfreq(12)[:, None] ** 2 + numpy.fft.rfftfreq(16)[None, :] ** 2
    on_cutoff = 0.25  # of column 4
    assert abs(weft.gains.butterworth((12, 16), on_cutoff, 3)[0, 4] - 0.5) < 1e-12
    assert (weft.gains.ideal((2, 12, 16), on_cutoff) == (squares <= on_cutoff**2 + 1e-12)).all()
    bell = numpy.fft.irfft2(weft.gains.gaussian((64, 64), 2), (64, 64))
    assert abs(bell[0, 2] / bell[0, 0] - numpy.exp(-0.5)) < 1e-9
    band = weft.gains.bandpass((1, 1000), 0.001, 0.25)
    assert abs(band[0, 250] - 0.5) < 1e-3 and abs(band[0, 1] - 0.5) < 1e-3


def test_stripes_go_and_all_else_stays():
    rows, columns = numpy.mgrid[:64, :48]
    for angle, stripe, other in [(0, rows, columns), (90, columns, rows)]:
        gain = weft.gains.stripes((64, 48), angle, length=16)
        wave, across = numpy.cos(2 * numpy.pi * stripe / 4), numpy.cos(2 * numpy.pi * other / 4)
        assert abs(weft.fft_filter(3 + wave, gain) - 3).max() < 1e-4
        assert abs(weft.fft_filter(3 + across, gain) - (3 + across)).max() < 1e-4
    slanted = numpy.cos(2 * numpy.pi * (rows / 8 + columns / 8))  # rises from the left to the right
    assert abs(weft.fft_filter(slanted, weft.gains.stripes((64, 48), 45, 16))).max() < 0.1
    assert abs(weft.fft_filter(slanted, weft.gains.stripes((64, 48), -45, 16)) - slanted).max() < 0.1


@pytest.mark.parametrize("size", [(32, 48), (33, 47), (3, 2)])
def test_wiener_is_what_it_says(size):
    kernel = numpy.random.default_rng(9).uniform(0, 1, (5, 4))
    spread = weft.fftconvolve(numpy.eye(1), kernel / kernel.sum(), "full")
    tile = numpy.zeros(size)
    for row in range(5):
        for column in range(4):
            tile[(row - 2) % size[0], (column - 2) % size[1]] += spread[row, column]
    response = numpy.fft.rfft2(tile)
    laplacian = numpy.zeros(size)
    for row, column, value in [(0, 0, 4), (1, 0, -1), (-1, 0, -1), (0, 1, -1), (0, -1, -1)]:
        laplacian[row % size[0], column % size[1]] += value
    wanted = response.conj() / (abs(response) ** 2 + 0.3 * abs(numpy.fft.rfft2(laplacian)) ** 2)
    assert abs(weft.gains.wiener((2, *size), kernel, 0.3) - wanted).max() < 1e-12
    assert (weft.gains.wiener((4, 4), [[1, 1], [1, 1]], 0)[2] == 0).all()  # where nothing is left, nothing comes back
