#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""weft filter against references written out in NumPy, and against SciPy where it is: test_filter.py PATH_OF_WEFT
[PATH_OF_DISTURBING]. Every filter, border and type of pixel; options, folders, what is said. Prints PASS / FAIL /
SKIP lines."""
import os
import random
import re
import signal
import struct
import subprocess
import sys
import time
import zlib

import pictures
import png
from test_cli import (BAD_INPUT, CHECK_FAILED, DISTURBING, DONE, FILE, SANITIZED, THREAD_SANITIZER, USAGE, WEFT, Skip, disturbing, main,
                      need_numpy, numpy, weft)

try:
    import scipy.ndimage
except ImportError:
    scipy = None
try:
    import skimage.filters
except ImportError:
    skimage = None
try:
    import cv2
except ImportError:
    cv2 = None

PHOTOS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../data/images")
PADS = {"reflect": "symmetric", "reflect101": "reflect", "replicate": "edge", "zero": "constant", "wrap": "wrap"}
SIZES = [(1, 1), (1, 40), (37, 1), (50, 31)]


# ---- references: float64 planes in and out ---------------------------------------------------------------------------

FAR = 120 # each way; no filter below sees the end of it


def frequencies(height, width):
    return numpy.fft.fftfreq(height)[:, None], numpy.fft.fftfreq(width)[None, :]


def by_gain(plane, gain, pad="reflect"):
    """gain(fy, fx) in cycles per pixel. A mirrored picture is periodic, so that two of its sides are endless."""
    height, width = plane.shape
    tile = plane if pad == "wrap" else numpy.pad(plane, FAR, PADS[pad])
    if pad == "reflect":
        tile = numpy.pad(plane, ((0, height), (0, width)), "symmetric")
    elif pad == "reflect101":
        tile = numpy.pad(plane, ((0, max(0, height - 2)), (0, max(0, width - 2))), "reflect")
    result = numpy.fft.ifft2(numpy.fft.fft2(tile) * gain(*frequencies(*tile.shape))).real
    first = FAR if pad in ("replicate", "zero") else 0
    return result[first:first + height, first:first + width]


def gaussian_of(sigma):
    return lambda fy, fx: numpy.exp(-2 * numpy.pi ** 2 * sigma ** 2 * (fy ** 2 + fx ** 2))


def low_pass(period, shape="gaussian"):
    """The gain of one half at the period."""
    def gain(fy, fx):
        squared = (fy ** 2 + fx ** 2) * period ** 2
        if shape == "ideal":
            return (squared <= 1 + 1e-12).astype(float)
        if shape.startswith("butterworth"):
            return 1 / (1 + squared ** int(shape.partition(":")[2] or 2))
        return numpy.exp(-numpy.log(2) * squared)
    return gain


def blurred_in_space(plane, sigma, pad="reflect"):
    """scipy.ndimage.gaussian_filter(truncate=8), written out: sampled bells, rows and columns."""
    reach = int(8 * sigma + 0.5)
    bell = numpy.exp(-0.5 * (numpy.arange(-reach, reach + 1) / sigma) ** 2)
    bell /= bell.sum()
    for axis in (0, 1):
        sides = [(reach, reach) if axis == side else (0, 0) for side in (0, 1)]
        wide = numpy.pad(plane, sides, PADS[pad])
        length = plane.shape[axis]
        plane = sum(weight * numpy.take(wide, range(i, i + length), axis) for i, weight in enumerate(bell))
    return plane


def convolved(plane, kernel, pad="reflect", turned=True):
    """scipy.ndimage.convolve, or correlate, written out."""
    height, width = plane.shape
    reach = max(kernel.shape)
    wide = numpy.pad(plane, reach, PADS[pad])
    result = numpy.zeros(plane.shape)
    for (m, n), weight in numpy.ndenumerate(kernel):
        down, right = m - kernel.shape[0] // 2, n - kernel.shape[1] // 2
        if turned:
            down, right = -down, -right
        result += weight * wide[reach + down:reach + down + height, reach + right:reach + right + width]
    return result


# ---- pictures --------------------------------------------------------------------------------------------------------

def picture(folder, height, width, depth=8, colour=png.GRAY, seed=1, name="in.png"):
    """A picture of noise; its planes as an array (planes, H, W), alpha the last."""
    samples = png.noise(height, width, colour, depth, seed)
    png.write(os.path.join(folder, name), height, width, colour, depth, samples)
    return numpy.array(samples, float).reshape(height, width, -1).transpose(2, 0, 1)


def read(folder, name="out.png"):
    height, width, _, _, samples = png.read(os.path.join(folder, name))
    return numpy.array(samples, float).reshape(height, width, -1).transpose(2, 0, 1)


def numbers(folder, *options, name="in.png"):
    """What the filter gives before it is rounded, (planes, H, W)."""
    weft("filter", name, "-o", "out.npy", *options, cwd=folder)
    result = numpy.load(os.path.join(folder, "out.npy"))
    return result if result.ndim == 3 else result[None]


def check_close(got, wanted, what, most=1e-6):
    scale = numpy.linalg.norm(wanted)
    error = numpy.linalg.norm(got - wanted) / scale if scale > 0 else numpy.abs(got).max()
    assert got.shape == wanted.shape and error <= most, f"{what}: relative error {error:.3g}"


def check_rounded(got, wanted, what, largest=255):
    """At most one off, in at most a thousandth of the values; one value may always be. Of 16 bits, whose levels are
    hardly coarser than single precision, in a fiftieth."""
    share = 1e-3 if largest == 255 else 2e-2
    wanted = numpy.clip(numpy.rint(wanted), 0, largest)
    off = numpy.abs(got - wanted)
    assert off.max() <= 1 and (off > 0).sum() <= max(1, share * off.size), f"{what}: {(off > 0).sum()} off by {off.max()}"


# ---- filters ---------------------------------------------------------------------------------------------------------

# Options, the gain of frequency that they mean, and whether the mean is lost.
GAINS = {
    ("--gaussian", "1.5"): gaussian_of(1.5),
    ("--gaussian", "40"): gaussian_of(40),
    ("--sharpen", "2,0.7"): lambda fy, fx: 1 + 0.7 * (1 - gaussian_of(2)(fy, fx)),
    ("--lowpass", "6"): low_pass(6),
    ("--lowpass", "0.2c/px", "--shape", "butterworth"): low_pass(5, "butterworth"),
    ("--lowpass", "0.5nyq", "--shape", "ideal"): low_pass(4, "ideal"),
    ("--highpass", "8px"): lambda fy, fx: 1 - low_pass(8)(fy, fx),
    ("--highpass", "8", "--shape", "butterworth:3"): lambda fy, fx: 1 - low_pass(8, "butterworth:3")(fy, fx),
    ("--bandpass", "3:12"): lambda fy, fx: low_pass(3)(fy, fx) * (1 - low_pass(12)(fy, fx)),
    ("--bandstop", "12:3"): lambda fy, fx: 1 - low_pass(3)(fy, fx) * (1 - low_pass(12)(fy, fx)),
    ("--laplacian",): lambda fy, fx: 2 * numpy.cos(2 * numpy.pi * fy) + 2 * numpy.cos(2 * numpy.pi * fx) - 4,
    ("--notch", "5"): lambda fy, fx: 1 - numpy.exp(-numpy.log(2) * ((numpy.hypot(fy, fx) - 0.2) / 0.02) ** 2),
    ("--gaussian", "1", "--highpass", "9"): lambda fy, fx: gaussian_of(1)(fy, fx) * (1 - low_pass(9)(fy, fx)),
}


def test_gains(folder):
    """Every gain, on every size, in colour; f32 numbers within 1e-6 of NumPy's in double precision."""
    need_numpy()
    for height, width in SIZES:
        planes = picture(folder, height, width, 8, png.RGB)
        for options, gain in GAINS.items():
            wanted = numpy.array([by_gain(plane, gain) for plane in planes])
            got = numbers(folder, *options)
            scale = numpy.linalg.norm(planes) # what a high-pass leaves of one pixel is nothing
            error = numpy.linalg.norm(got - wanted) / scale
            assert error <= 1e-6, f"{options}, {height}x{width}: {error:.3g}"


def test_borders(folder):
    """Mirrored and repeated pictures are endless; of the others an end far away is left."""
    need_numpy()
    for height, width in SIZES[1:]:
        planes = picture(folder, height, width)
        for pad in PADS:
            for options, gain in ((("--gaussian", "2"), gaussian_of(2)), (("--lowpass", "8"), low_pass(8)),
                                  (("--highpass", "9", "--shape", "butterworth"),
                                   lambda fy, fx: 1 - low_pass(9, "butterworth")(fy, fx))):
                check_close(numbers(folder, *options, "--pad", pad), by_gain(planes[0], gain, pad)[None],
                            f"{options}, {pad}, {height}x{width}", 5e-6 if pad in ("replicate", "zero") else 1e-6)


def test_gaussian_in_space(folder):
    """The sampled bell, from a standard deviation of 2 on the same as the one of frequencies."""
    need_numpy()
    planes = picture(folder, 60, 50, 16)
    for sigma in (2, 3.7, 8, 30):
        for pad in ("reflect", "replicate"):
            check_close(numbers(folder, "--gaussian", sigma, "--pad", pad), blurred_in_space(planes[0], sigma, pad)[None],
                        f"sigma {sigma}, {pad}")


def test_scipy(folder):
    need_numpy()
    if scipy is None:
        raise Skip("this python3 has no scipy")
    planes = picture(folder, 60, 50, 16)
    for sigma in (2, 8):
        wanted = scipy.ndimage.gaussian_filter(planes[0], sigma, truncate=8, mode="reflect")
        check_close(numbers(folder, "--gaussian", sigma), wanted[None], f"sigma {sigma}")
    check_close(numbers(folder, "--laplacian"), scipy.ndimage.laplace(planes[0])[None], "laplace")


def test_photograph(folder):
    """Rounded results, 8 bits: at most one off, in at most 0.1 % of the values."""
    need_numpy()
    path = os.path.join(PHOTOS, "camera.png")
    height, width, _, _, samples = png.read(path)
    weft("filter", path, "-o", "out.png", "--gaussian", 8, cwd=folder)
    check_rounded(read(folder)[0], blurred_in_space(numpy.array(samples, float).reshape(height, width), 8), "camera")


def test_photographs_as_numbers(folder):
    """What is not rounded is within 1e-6 of itself, also where it is small because the mean is gone."""
    need_numpy()
    short = {("--highpass", "4"): lambda fy, fx: 1 - low_pass(4)(fy, fx)}
    for name in ("camera.png", "astronaut.png"):
        planes = read(PHOTOS, name)
        for options, gain in {**GAINS, **short}.items():
            weft("filter", os.path.join(PHOTOS, name), "-o", "out.npy", *options, cwd=folder)
            got = numpy.load(os.path.join(folder, "out.npy"))
            wanted = numpy.array([by_gain(plane, gain) for plane in planes])
            check_close(got if got.ndim == 3 else got[None], wanted, f"{name}, {options}")


def test_kernels(folder):
    """As scipy.ndimage.convolve and correlate, also of even sides, text, arrays and pictures."""
    need_numpy()
    planes = picture(folder, 24, 31)
    source = numpy.random.default_rng(3)
    for shape in ((1, 1), (3, 3), (2, 4), (5, 1), (1, 6), (9, 7)):
        kernel = source.normal(size=shape)
        numpy.save(os.path.join(folder, "k.npy"), kernel)
        numpy.savetxt(os.path.join(folder, "k.txt"), kernel, fmt="%.17g", header="a kernel")
        for pad in PADS:
            check_close(numbers(folder, "--kernel", "k.npy", "--pad", pad), convolved(planes[0], kernel, pad)[None],
                        f"{shape}, {pad}", 2e-6)
        check_close(numbers(folder, "--kernel", "k.txt", "--correlate"), convolved(planes[0], kernel, turned=False)[None],
                    f"{shape}, correlate", 2e-6)
    shape = picture(folder, 5, 4, name="k.png")[0]
    check_close(numbers(folder, "--kernel", "k.png"), convolved(planes[0], shape / shape.sum())[None], "a picture")


def test_kernels_of_whole_numbers(folder):
    """Of every type that NumPy has; what does not add up to 1 is said."""
    need_numpy()
    planes = picture(folder, 24, 31)
    kernel = numpy.array([[1, 2, 1], [2, 100, 2]])
    for kind in ("u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", ">i4"):
        numpy.save(os.path.join(folder, "k.npy"), (kernel * (-1 if "i" in kind else 1)).astype(kind))
        said = weft("filter", "in.png", "-o", "out.npy", "--kernel", "k.npy", cwd=folder, said=True)
        sign = "-" if "i" in kind else ""
        assert f"add up to {sign}108, so that a picture becomes {sign}108 times as bright" in said, said
        got = numpy.load(os.path.join(folder, "out.npy"))
        check_close(got, convolved(planes[0], kernel) * (-1 if "i" in kind else 1), kind)
    for text, words in (("1 -1\n", ""), ("\ufeff0.5 0.5\n", ""), ("\ufeff1 1\n", "add up to 2")):
        with open(os.path.join(folder, "k.txt"), "w", encoding="utf-8") as file:
            file.write(text)
        said = weft("filter", "in.png", "-o", "out.npy", "--kernel", "k.txt", cwd=folder, said=True)
        assert words in said and (words or not said), said


def test_kernel_larger_than_the_picture(folder):
    need_numpy()
    planes = picture(folder, 4, 5)
    kernel = numpy.random.default_rng(4).normal(size=(7, 9))
    numpy.save(os.path.join(folder, "k.npy"), kernel)
    for pad in ("reflect", "zero", "wrap", "replicate"):
        check_close(numbers(folder, "--kernel", "k.npy", "--pad", pad), convolved(planes[0], kernel, pad)[None], pad, 2e-6)


def test_wiener(folder):
    """skimage.restoration.wiener(clip=False), written out, on the mirrored picture."""
    need_numpy()
    planes = picture(folder, 24, 31)
    spread = numpy.random.default_rng(5).random((3, 4))
    numpy.save(os.path.join(folder, "k.npy"), spread)

    def gain(fy, fx):
        response = sum(weight * numpy.exp(-2j * numpy.pi * (fy * (m - 1) + fx * (n - 2)))
                       for (m, n), weight in numpy.ndenumerate(spread / spread.sum()))
        rough = 4 - 2 * numpy.cos(2 * numpy.pi * fy) - 2 * numpy.cos(2 * numpy.pi * fx)
        return response.conj() / (abs(response) ** 2 + 0.03 * rough ** 2)

    check_close(numbers(folder, "--wiener", "k.npy", "--balance", "0.03"), by_gain(planes[0], gain)[None], "wiener", 5e-6)


def test_tables(folder):
    """Any numbers, real or complex, half of the columns or all."""
    need_numpy()
    planes = picture(folder, 12, 9)
    spectrum = numpy.fft.rfft2(planes[0])
    gain = numpy.exp(-numpy.hypot(numpy.fft.fftfreq(12)[:, None], numpy.fft.rfftfreq(9)) * 9)
    turned = gain * numpy.exp(-2j * numpy.pi * numpy.fft.rfftfreq(9) * 2)
    for name, table in (("real", gain), ("complex", turned)):
        numpy.save(os.path.join(folder, "g.npy"), table)
        check_close(numbers(folder, "--gain", "g.npy"), numpy.fft.irfft2(spectrum * table, (12, 9))[None], name)
    numpy.save(os.path.join(folder, "g.npy"), numpy.hypot(*numpy.broadcast_arrays(*frequencies(12, 9))))
    full = numpy.fft.ifft2(numpy.fft.fft2(planes[0]) * numpy.load(os.path.join(folder, "g.npy"))).real
    check_close(numbers(folder, "--gain", "g.npy"), full[None], "all columns")
    numpy.save(os.path.join(folder, "g.npy"), gain[:, :-1])
    assert "needs (12, 5)" in weft("filter", "in.png", "-o", "o.png", "--gain", "g.npy", cwd=folder, expect=BAD_INPUT, said=True)


def test_stripes_and_notches(folder):
    """A wave at an angle goes, one at a right angle to it stays."""
    need_numpy()
    m, n = numpy.mgrid[:128, :128]

    def wave(period, degrees):
        angle = numpy.radians(degrees)
        return 40 * numpy.cos(2 * numpy.pi / period * (n * numpy.cos(angle) - m * numpy.sin(angle)))

    for option, removed, kept in ((("--notch", "8,30"), wave(8, 30), wave(8, 120)),
                                  (("--notch", "8"), wave(8, 75), wave(16, 75)),
                                  (("--notch", "1.7,45"), wave(1.7, 45), wave(8, 45)),
                                  (("--notch", "2.1,10"), wave(2.1, 10), wave(4, 100)),
                                  (("--stripes", "30,50"), wave(8, 120), wave(8, 30)),
                                  (("--stripes", "horizontal,50"), wave(8, 90), wave(8, 0)),
                                  (("--stripes", "vertical,50"), wave(8, 0), wave(8, 90))):
        samples = numpy.rint(128 + removed + kept).astype(int).ravel().tolist()
        png.write(os.path.join(folder, "in.png"), 128, 128, png.GRAY, 8, samples)
        weft("filter", "in.png", "-o", "out.png", *option, cwd=folder)
        middle = (read(folder)[0] - 128 - kept)[40:88, 40:88]
        assert numpy.abs(middle).max() < 2, f"{option}: {numpy.abs(middle).max():.3g} left of 40"


def raster(height, width, period, degrees, amplitude):
    """Dots in two directions at a right angle, with harmonics, as those of a print."""
    m, n = numpy.mgrid[:height, :width]
    angle, turn = numpy.radians(degrees), 2 * numpy.pi / period
    along, across = n * numpy.cos(angle) - m * numpy.sin(angle), n * numpy.sin(angle) + m * numpy.cos(angle)
    return amplitude * numpy.tanh(3 * (numpy.cos(turn * along) + numpy.cos(turn * across)))


def psnr(a, b):
    return 10 * numpy.log10(255 ** 2 / ((a - b) ** 2).mean())


def test_descreen(folder):
    """A raster is found, said and gone, at two angles and several periods; a photograph without one stays as it is."""
    need_numpy()
    for name in ("camera", "coffee"):
        planes = read(PHOTOS, name + ".png")
        path = os.path.join(PHOTOS, name + ".png")
        said = weft("filter", path, "-o", "out.png", "--descreen", cwd=folder, said=True)
        assert said.endswith("no printed screen found, and none removed; --notch removes a single wave") and (read(folder) == planes).all(), said
        for period, degrees, amplitude in ((3.3, 45, 6), (5, 15, 25), (8, 45, 25), (5, 45, 6), (6, 15, 60), (11, 15, 25)):
            dots = raster(*planes.shape[1:], period, degrees, amplitude)
            printed = numpy.rint(planes + dots).clip(0, 255)
            png.write(os.path.join(folder, "in.png"), *planes.shape[1:], png.GRAY if len(planes) == 1 else png.RGB, 8,
                      printed.transpose(1, 2, 0).astype(int).ravel().tolist())
            said = weft("filter", "in.png", "-o", "out.png", "--descreen", cwd=folder, said=True)
            found = [(float(a), float(b)) for a, b in re.findall(r"period of ([\d.]+) pixels at ([-\d.]+) degrees", said)]
            assert len(found) == 2 and all(abs(a - period) < 0.02 * period for a, _ in found), said
            assert sorted(b % 90 for _, b in found) == sorted(b % 90 for _, b in found if abs(b % 90 - degrees) < 1), said
            before, after = psnr(printed, planes), psnr(read(folder), planes)
            assert after > before + 6, f"{name}, {period} pixels, {degrees} degrees: {before:.1f} dB, then {after:.1f}"
            inside = (slice(None), slice(20, -20), slice(20, -20))
            left = (read(folder) - planes) ** 2
            along = (left.sum() - left[inside].sum()) / (left.size - left[inside].size)
            assert along < 2.5 * left[inside].mean(), f"{name}, {period}, {degrees}, {amplitude}: dots are left along the border"
    printed = weft("filter", "in.png", "--descreen", "--dry-run", cwd=folder)
    assert "removes a printed screen: a period of 11 pixels" in printed, printed
    picture(folder, 9, 8)
    said = weft("filter", "in.png", "-o", "out.png", "--descreen", cwd=folder, said=True)
    assert "no printed screen found" in said and (read(folder) == read(folder, "in.png")).all(), said


def save_gray(folder, values):
    png.write(os.path.join(folder, "in.png"), *values.shape, png.GRAY, 8, numpy.rint(values).clip(0, 255).astype(int).ravel().tolist())


def test_weak_screens(folder):
    """Waves of amplitude 3 in a photograph: of many periods, where the picture itself has more power than they have."""
    need_numpy()
    photograph = read(PHOTOS, "camera.png")[0]
    for period, degrees in ((4, 45), (5.3, 15), (6, 45), (8, 45), (8, 15)):
        m, n = numpy.mgrid[:512, :512]
        angle, turn = numpy.radians(degrees), 2 * numpy.pi / period
        along, across = n * numpy.cos(angle) - m * numpy.sin(angle), n * numpy.sin(angle) + m * numpy.cos(angle)
        printed = photograph + 1.5 * (numpy.cos(turn * along) + numpy.cos(turn * across))
        save_gray(folder, printed)
        said = weft("filter", "in.png", "-o", "out.png", "--descreen", cwd=folder, said=True)
        found = [float(number) for number in re.findall(r"period of ([\d.]+) pixels", said)]
        assert len(found) == 2 and all(abs(one - period) < 0.01 * period for one in found), f"{period}, {degrees}: {said}"
        before, after = psnr(printed, photograph), psnr(read(folder)[0], photograph)
        assert after > before + 5, f"{period}, {degrees}: {before:.1f} dB, then {after:.1f}"


def test_no_screens(folder):
    """What is woven, built, drawn or written, noise, and blocks of JPEG, are none, and stay as they are."""
    need_numpy()
    source = numpy.random.default_rng(7)
    m, n = numpy.mgrid[:360, :480]
    noise = source.normal(size=m.shape)
    letters = source.random((30, 96, 8, 4)) < 0.4
    lines = numpy.zeros((30, 12, 96, 5))
    lines[:, :8, :, :4] = letters.transpose(0, 2, 1, 3)
    warped = 2 * numpy.sin(n / 37 + m / 51)
    large = numpy.kron(source.normal(size=(45, 60)), numpy.ones((8, 8)))
    for name, values in (("noise", 20 * noise), ("blinds", 60 * numpy.sign(numpy.sin(m * 2 * numpy.pi / 9)) + 5 * noise),
                         ("a fence", 50 * numpy.sign(numpy.sin(n * 2 * numpy.pi / 11)) * (abs(m - 180) < 70) + 5 * noise),
                         ("text", -200 * lines.reshape(360, 480) + 3 * noise),
                         ("bricks", 60 * ((m % 10 < 2) | ((n + 8 * (m // 10 % 2)) % 16 < 2)) + 9 * noise),
                         ("windows", 70 * ((m % 40 < 22) & (n % 38 < 18)) + 6 * noise),
                         ("cloth", 40 * numpy.maximum(numpy.cos(m + warped) * numpy.sign(numpy.sin(n / 2)), 0) + 4 * noise),
                         ("ripples", 40 * numpy.sin(m / 2 + warped) + 5 * noise), ("blocks", 9 * large + noise)):
        save_gray(folder, 120 + values)
        said = weft("filter", "in.png", "-o", "out.png", "--descreen", cwd=folder, said=True)
        assert said.endswith("no printed screen found, and none removed; --notch removes a single wave") and (read(folder) == read(folder, "in.png")).all(), f"{name}: {said}"


# ---- as other programs do it -----------------------------------------------------------------------------------------

def taps_of(program, sigma, depth):
    """The sampled bell of a program, from its middle on."""
    def bell(x):
        return numpy.exp(-numpy.square(x) / (2 * sigma ** 2))

    if program == "skimage":
        return bell(numpy.arange(int(4 * sigma + 0.5) + 1.0))
    if program == "opencv":
        return bell(numpy.arange((round(sigma * (3 if depth == 8 else 4) * 2 + 1) | 1) // 2 + 1.0))
    if program == "vips":
        return numpy.rint(20 * numpy.array([bell(x) for x in range(100) if bell(x) >= 0.2]))
    width = 5
    while bell(width // 2) / sum(bell(x) for x in range(-(width // 2), width // 2 + 1)) >= 1 / 65535:
        width += 2
    return numpy.array([sum(bell(x + third / 3) for third in (-1, 0, 1)) for x in range((width - 2) // 2 + 1)])


def with_taps(plane, taps, pad):
    """Rows and columns, each by the taps to both sides."""
    taps = numpy.concatenate([taps[:0:-1], taps])
    for axis in (0, 1):
        reach, length = len(taps) // 2, plane.shape[axis]
        wide = numpy.pad(plane, [(reach, reach) if axis == side else (0, 0) for side in (0, 1)], PADS[pad])
        plane = sum(weight * numpy.take(wide, range(i, i + length), axis) for i, weight in enumerate(taps / taps.sum()))
    return plane


def test_blurs_like(folder):
    """Bells as each program samples and cuts them, and its border; ImageJ's is a whole one."""
    need_numpy()
    for depth in (8, 16):
        planes = picture(folder, 60, 50, depth)
        for sigma in (0.8, 2, 5.3):
            for program, pad in (("skimage", "replicate"), ("opencv", "reflect101"), ("vips", "replicate"),
                                 ("imagemagick", "replicate")):
                wanted = with_taps(planes[0], taps_of(program, sigma, depth), pad)
                check_close(numbers(folder, "--gaussian", sigma, "--like", program), wanted[None], f"{program}, {sigma}")
                weft("filter", "in.png", "-o", "out.png", "--gaussian", sigma, "--like", program, cwd=folder)
                rounded = numpy.floor(wanted + 0.5 / 257) if program == "imagemagick" and depth == 8 else wanted
                check_rounded(read(folder)[0], rounded, f"{program}, {sigma}, {depth} bits", 2 ** depth - 1)
        check_close(numbers(folder, "--gaussian", 2, "--like", "imagej"), blurred_in_space(planes[0], 2, "replicate")[None], "imagej")
    png.write(os.path.join(folder, "in.png"), 50, 40, png.GRAY, 8, [77] * 2000)
    weft("filter", "in.png", "-o", "out.png", "--gaussian", 7, "--like", "imagemagick", cwd=folder)
    assert (read(folder) == 77).all(), "what is even is rounded down as well"


def test_programs(folder):
    """The programs themselves, where they are: scikit-image and OpenCV."""
    need_numpy()
    planes = picture(folder, 60, 50)
    numpy.save(os.path.join(folder, "float.npy"), planes[0].astype("float32"))
    if skimage is None and cv2 is None:
        raise Skip("this python3 has neither skimage nor cv2")
    for sigma in (0.8, 2, 5.3):
        if skimage is not None:
            wanted = skimage.filters.gaussian(planes[0], sigma, preserve_range=True)
            check_close(numbers(folder, "--gaussian", sigma, "--like", "skimage"), wanted[None], f"skimage, {sigma}")
        if cv2 is not None:
            wanted = cv2.GaussianBlur(planes[0].astype("float32"), (0, 0), sigma)
            check_close(numbers(folder, "--gaussian", sigma, "--like", "opencv", name="float.npy"), wanted[None], f"opencv, {sigma}")
            weft("filter", "in.png", "-o", "out.png", "--gaussian", sigma, "--like", "opencv", cwd=folder)
            wanted = cv2.GaussianBlur(planes[0].astype("uint8"), (0, 0), sigma) # in fixed point
            assert numpy.abs(read(folder)[0] - wanted).max() <= 1, f"opencv, 8 bits, {sigma}"
    for cutoff in (0.02, 0.1, 0.3):
        for high in (False, True):
            if skimage is not None:
                wanted = skimage.filters.butterworth(planes[0], cutoff, high_pass=high)
                got = numbers(folder, "--highpass" if high else "--lowpass", cutoff, "--like", "skimage")
                check_close(got, wanted[None], f"skimage, {cutoff}, {high}", 2e-6)


def in_square(plane):
    """As ImageJ has it: mirrored, in the middle of a square of 2^k rows, at least one and a half times as many; where."""
    side = 2
    while side < 1.5 * max(plane.shape):
        side *= 2
    before = [(side - length + 1) // 2 for length in plane.shape]
    around = [(first, side - length - first) for first, length in zip(before, plane.shape)]
    return numpy.pad(plane, around, "symmetric"), tuple(slice(first, first + length) for first, length in zip(before, plane.shape))


def imagej_bandpass(plane, small, large, largest, saturated=None):
    """FFTFilter.java, in double precision; saturated: with "autoscale", and percent of "saturate"."""
    square, where = in_square(plane)
    fy, fx = frequencies(*square.shape)
    f2 = fy ** 2 + fx ** 2
    gain = (1 - numpy.exp(-(2 * large) ** 2 * f2)) * numpy.exp(-(2 * small) ** 2 * f2)
    gain[0, 0] = 1
    values = numpy.fft.ifft2(numpy.fft.fft2(square) * gain).real[where]
    if saturated is not None:
        counts, edges = numpy.histogram(values, 256)
        beyond = int(values.size * saturated / 200)
        first = int(numpy.argmax(counts.cumsum() > beyond))
        last = 255 - int(numpy.argmax(counts[::-1].cumsum() > beyond))
        values = (values - edges[first]) / (edges[last] - edges[first]) * largest
    return values.clip(0, largest)


def test_like_imagej(folder):
    """The FFT Bandpass Filter with its border, mean, "autoscale" and "saturate", of shapes that are no square."""
    need_numpy()
    for height, width, depth in ((60, 50, 8), (41, 90, 8), (33, 64, 16)):
        planes = picture(folder, height, width, depth)
        for more, saturated in (((), None), (("--autoscale",), 0), (("--autoscale", "--saturate", "1"), 1),
                                (("--autoscale", "--saturate", "30"), 30)):
            weft("filter", "in.png", "-o", "out.png", "--like", "imagej", "--bandpass", "4:9", *more, cwd=folder)
            wanted = imagej_bandpass(planes[0], 4, 9, 2 ** depth - 1, saturated)
            check_rounded(read(folder)[0], wanted, f"{more}, {height}x{width}, {depth} bits", 2 ** depth - 1)
        assert read(folder)[0].min() == 0 and (read(folder)[0] == 2 ** depth - 1).mean() > 0.1, "not saturated"
    planes = picture(folder, 60, 50, 8, png.RGB)
    weft("filter", "in.png", "-o", "out.png", "--like", "imagej", "--bandpass", "4:9", cwd=folder)
    check_rounded(read(folder), [imagej_bandpass(plane, 4, 9, 255) for plane in planes], "each colour by itself")


def test_bands_like(folder):
    """Numbers without a unit mean what they mean in the program; one with a unit is what it is."""
    need_numpy()
    planes = picture(folder, 60, 50)
    means = {"imagej": in_square(planes[0])[0].mean(), "vips": planes[0].mean()}

    def imagej(size):
        return lambda fy, fx: numpy.exp(-(2 * size) ** 2 * (fy ** 2 + fx ** 2))

    def butterworth(cutoff, order):
        return lambda fy, fx: 1 / (1 + ((fy ** 2 + fx ** 2) / cutoff ** 2) ** order)

    for program, options, gain, pad, kept in (
            ("imagej", ("--bandpass", "3:40"), lambda fy, fx: imagej(3)(fy, fx) * (1 - imagej(40)(fy, fx)), "reflect", True),
            ("imagej", ("--lowpass", "5"), imagej(5), "reflect", False),
            ("imagej", ("--highpass", "9"), lambda fy, fx: 1 - imagej(9)(fy, fx), "reflect", True),
            ("skimage", ("--lowpass", "0.1"), butterworth(0.1, 2), "wrap", False),
            ("skimage", ("--highpass", "0.05", "--shape", "butterworth:3"), lambda fy, fx: 1 - butterworth(0.05, 3)(fy, fx), "wrap", False),
            ("vips", ("--lowpass", "0.3"), low_pass(1 / 0.15), "wrap", False),
            ("vips", ("--highpass", "0.3"), lambda fy, fx: 1 - low_pass(1 / 0.15)(fy, fx), "wrap", True),
            ("vips", ("--lowpass", "0.3", "--shape", "butterworth"), butterworth(0.15, 2), "wrap", False),
            ("vips", ("--lowpass", "0.31", "--shape", "ideal"), low_pass(1 / 0.155, "ideal"), "wrap", False),
            ("vips", ("--lowpass", "9px"), low_pass(9), "wrap", False)):
        wanted = by_gain(planes[0], gain, pad) + (means[program] if kept else 0)
        check_close(numbers(folder, *options, "--like", program), wanted[None], f"{program}, {options}", 2e-6)
    printed = weft("filter", "in.png", "--bandpass", "3:40", "--like", "imagej", "--dry-run", cwd=folder)
    assert "like imagej: a bare number is the size of a structure" in printed and "the mean of each colour stays" in printed, printed


def test_like_refuses(folder):
    """What a program does not have, or what it settles itself."""
    need_numpy()
    picture(folder, 9, 8)
    for options, words in ((("--like", "gimp"), "--like gimp: must be one of imagej, skimage"),
                           (("--like", "opencv", "--lowpass", "9"), "--like opencv: is for one of --gaussian, alone"),
                           (("--like", "vips", "--gaussian", "2", "--lowpass", "0.2"), "is for one of --gaussian, --lowpass, --highpass, alone"),
                           (("--like", "vips", "--descreen"), "alone"), (("--like", "vips"), "no filter, such as"),
                           (("--like", "vips", "--gaussian", "2", "--pad", "zero"), "--like vips: leaves nothing to --pad"),
                           (("--like", "vips", "--gaussian", "2", "--linear"), "leaves nothing to --linear"),
                           (("--like", "skimage", "--lowpass", "0.2", "--shape", "ideal"), "--shape ideal: is none of the shapes"),
                           (("--like", "skimage", "--lowpass", "9"), "--lowpass 9: the shortest wave"),
                           (("--gaussian", "2", "--saturate", "1"), "--saturate: is for --autoscale"),
                           (("--gaussian", "2", "--autoscale", "--saturate", "91"), "--saturate 91: must be a number from 0 to 90"),
                           (("--like", "skimage", "--gaussian", "1001"), "with --like skimage at most 1000")):
        said = weft("filter", "in.png", "-o", "out.png", *options, cwd=folder, expect=USAGE, said=True)
        assert words in said, f"{options}: {said}"


# ---- results ---------------------------------------------------------------------------------------------------------

def test_pixels(folder):
    """8 and 16 bits, gray and colour: what is rounded is what the numbers were; alpha stays."""
    need_numpy()
    for depth, largest in ((8, 255), (16, 65535)):
        for colour in (png.GRAY, png.RGB, png.GRAY_ALPHA, png.RGB_ALPHA):
            planes = picture(folder, 24, 31, depth, colour)
            alpha = colour in (png.GRAY_ALPHA, png.RGB_ALPHA)
            colours = planes[:-1] if alpha else planes
            for options, gain in list(GAINS.items())[:3]:
                weft("filter", "in.png", "-o", "out.png", *options, cwd=folder)
                got, wanted = read(folder), numpy.array([by_gain(plane, gain) for plane in colours])
                check_rounded(got[:len(colours)], wanted, f"{options}, {depth}, {colour}", largest)
                assert not alpha or (got[-1] == planes[-1]).all(), "alpha is another one"


def test_mean(folder):
    """Kept where it would be lost and pixels are integers, or asked for; else something else may be added."""
    need_numpy()
    planes = picture(folder, 40, 44)
    flat = by_gain(planes[0], lambda fy, fx: 1 - low_pass(8)(fy, fx))
    mean = planes[0].mean()
    for options, wanted in (((), flat + mean), (("--offset", "mid"), flat + 128), (("--offset", "-3.5"), flat - 3.5),
                            (("--keep-mean",), flat + mean)):
        weft("filter", "in.png", "-o", "out.png", "--highpass", 8, *options, cwd=folder)
        check_rounded(read(folder)[0], wanted, options)
    for options, wanted in (((), flat), (("--keep-mean",), flat + mean), (("--offset", "7"), flat + 7)):
        check_close(numbers(folder, "--highpass", 8, *options), wanted[None], options, 2e-6)
    check_close(numbers(folder, "--flatten", 8), (flat + mean)[None], "flatten")
    kernel = numpy.array([[1.0, 2, 4]])
    numpy.save(os.path.join(folder, "k.npy"), kernel)
    for pad in ("reflect", "zero"):
        wanted = convolved(planes[0], kernel, pad) - 6 * mean
        check_close(numbers(folder, "--kernel", "k.npy", "--keep-mean", "--pad", pad), wanted[None], f"seven times the mean, {pad}")


def test_autoscale(folder):
    """Least and largest value of all colours become black and white; what is even stays, floats are refused."""
    need_numpy()
    for depth, colour in ((8, png.RGB), (16, png.GRAY), (8, png.GRAY_ALPHA)):
        planes = picture(folder, 40, 44, depth, colour)
        colours = planes[:1] if colour == png.GRAY_ALPHA else planes
        for options, gain in ((("--highpass", "8"), lambda fy, fx: 1 - low_pass(8)(fy, fx)), (("--gaussian", "2"), gaussian_of(2))):
            weft("filter", "in.png", "-o", "out.png", *options, "--autoscale", cwd=folder)
            wanted = numpy.array([by_gain(plane, gain) + (plane.mean() if "--highpass" in options else 0) for plane in colours])
            wanted = (wanted - wanted.min()) / (wanted.max() - wanted.min()) * (2 ** depth - 1)
            check_rounded(read(folder)[:len(colours)], wanted, f"{options}, {depth}", 2 ** depth - 1)
            for percent in (0.5, 20):
                weft("filter", "in.png", "-o", "out.png", *options, "--autoscale", "--saturate", percent, cwd=folder)
                for end in (0, 2 ** depth - 1):
                    share = 100 * (read(folder)[:len(colours)] == end).mean()
                    assert abs(share - percent / 2) < 1, f"{options}, {depth}: {share} % are {end}"
    assert "floats have neither" in weft("filter", "in.png", "-o", "o.npy", "--gaussian", 2, "--autoscale", cwd=folder, expect=USAGE,
                                         said=True)
    png.write(os.path.join(folder, "in.png"), 9, 8, png.GRAY, 8, [77] * 72)
    weft("filter", "in.png", "-o", "out.png", "--kernel", "-", "--autoscale", cwd=folder, input="1\n")
    assert (read(folder) == 77).all()


def test_linear(folder):
    need_numpy()
    planes = picture(folder, 24, 31)
    stored = planes[0] / 255
    light = numpy.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4)
    result = by_gain(light, gaussian_of(1.5))
    wanted = numpy.where(result <= 0.0031308, 12.92 * result, 1.055 * numpy.abs(result) ** (1 / 2.4) - 0.055)
    weft("filter", "in.png", "-o", "out.png", "--gaussian", 1.5, "--linear", cwd=folder)
    check_rounded(read(folder)[0], 255 * wanted, "linear")
    check_close(numbers(folder, "--gaussian", 1.5, "--linear"), 255 * wanted[None], "linear, as numbers", 2e-6)
    for depth, middle in ((8, 128), (16, 32768)):
        png.write(os.path.join(folder, "in.png"), 9, 8, png.GRAY, depth, [77] * 72)
        weft("filter", "in.png", "-o", "out.png", "--highpass", 4, "--linear", "--offset", "mid", cwd=folder)
        assert (read(folder) == middle).all(), "the middle of stored values"


def test_clamped_are_counted(folder):
    need_numpy()
    planes = picture(folder, 24, 31)
    wanted = by_gain(planes[0], GAINS["--sharpen", "2,0.7"])
    said = weft("filter", "in.png", "-o", "out.png", "--sharpen", "2,0.7", cwd=folder, said=True)
    count = ((wanted < -0.5) | (wanted > 255.5)).sum()
    assert said == f"weft: in.png: clamped to 0..255: {count} of 744 values", said
    assert weft("filter", "in.png", "-o", "out.png", "--gaussian", 2, cwd=folder, said=True) == ""


def test_too_large(folder):
    """What is no finite number is said, whatever the output, and with --strict nothing is written."""
    need_numpy()
    picture(folder, 9, 8)
    with open(os.path.join(folder, "k.txt"), "w", encoding="utf-8") as file:
        file.write("1e39 -1e39 1\n")
    for name, options, words in (("out.png", (), "for f32; say --precision f64"), ("out.npy", (), "for f32; say --precision f64"),
                                 ("out.npy", ("--precision", "f64"), "for the single precision of files")):
        filtered = ("filter", "in.png", "-o", name, "--kernel", "k.txt", *options)
        assert f" of 72 values of the result: too large {words}" in weft(*filtered, cwd=folder, said=True)
        os.remove(os.path.join(folder, name))
        said = weft(*filtered, "--strict", cwd=folder, expect=CHECK_FAILED, said=True)
        assert said.endswith(f"{words}; nothing is written") and name not in os.listdir(folder), said
    said = weft("filter", "in.png", "-o", "out.png", "--kernel", "k.txt", "--precision", "f64", cwd=folder, said=True)
    assert "finite" not in said, said


def test_equal_bytes(folder):
    """Whatever the number of threads, and on every run."""
    need_numpy()
    picture(folder, 60, 50, 8, png.RGB)
    found = set()
    for threads in (1, 2, 1):
        weft("filter", "in.png", "-o", "out.png", "--bandpass", "3:20", "--threads", threads, cwd=folder)
        with open(os.path.join(folder, "out.png"), "rb") as file:
            found.add(file.read())
    assert len(found) == 1


def test_mask(folder):
    """What is left of every wave, frequency 0 in the middle."""
    need_numpy()
    for height, width in ((40, 44), (41, 45)):
        picture(folder, height, width)
        weft("filter", "in.png", "-o", "out.png", "--bandstop", "4:9", "--show-mask", "mask.png", cwd=folder)
        at = frequencies(height, width)
        wanted = numpy.fft.fftshift(1 - low_pass(4)(*at) * (1 - low_pass(9)(*at)))
        check_rounded(read(folder, "mask.png")[0], 255 * wanted, "mask")
    said = weft("filter", "in.png", "-o", "out.png", "--sharpen", 3, "--show-mask", "mask.png", cwd=folder, said=True)
    assert "white is 2 times the wave" in said and read(folder, "mask.png").max() == 255, said


# ---- the command -----------------------------------------------------------------------------------------------------

def test_dry_run(folder):
    """It explains, writes nothing, and needs no name to write to."""
    need_numpy()
    picture(folder, 40, 44, 16, png.RGB)
    printed = weft("filter", "in.png", "--highpass", "0.1c/px", "--dry-run", cwd=folder)
    for words in ("40x44, colour, 16 bits", "period below 10 pixels (0.1c/px, 0.2nyq)", "half is left",
                  "reflect", "the mean of each colour stays", "0..65535", "cpu"):
        assert words in printed, f"not in it: {words}\n{printed}"
    line = next(line for line in printed.splitlines() if line.startswith("  runs left, right"))
    shares = [float(share) for share in re.findall(r"([\d.]+)%", line)]
    wanted = [100 * (1 - 0.5 ** ((10 / 2 ** i) ** 2)) for i in range(1, 10)]
    assert numpy.abs(numpy.array(shares) - wanted).max() < 0.06, line
    printed = weft("filter", "in.png", "--notch", "6,30", "--notch", "1.5,45", "--stripes", "vertical", "--dry-run", cwd=folder)
    table = {line[:19].strip(): line[19:].split() for line in printed.splitlines() if line.startswith(("  period", "  runs"))}
    assert list(table) == ["period in pixels", "runs left, right", "runs at  30 deg.", "runs at  45 deg.", "runs up and down"], printed
    at = table["period in pixels"].index
    assert table["runs at  30 deg."][at("6")] == table["runs at  45 deg."][at("1.5")] == "0%", printed
    assert table["runs left, right"][at("1.5")] == "-" and table["runs up and down"][at("6")] == "100%", printed
    assert os.listdir(folder) == ["in.png"]


def test_many_pictures(folder):
    """One that fails is said, the others are done, and the first failure is the exit code."""
    need_numpy()
    os.mkdir(os.path.join(folder, "in"))
    for i in range(3):
        picture(folder, 9 + i, 8, seed=i, name=f"in/{i}.png")
    with open(os.path.join(folder, "in/bad.png"), "wb") as file:
        file.write(b"\x89PNG, but not for long")
    with open(os.path.join(folder, "in/notes.txt"), "w", encoding="utf-8") as file:
        file.write("no picture\n")
    os.mkfifo(os.path.join(folder, "in/pipe.png"))
    said = weft("filter", "in", "-o", "out", "--gaussian", 1, cwd=folder, expect=BAD_INPUT, said=True)
    assert "in/bad.png" in said, said
    assert sorted(os.listdir(os.path.join(folder, "out"))) == ["0.png", "1.png", "2.png"]
    for i in range(3):
        weft("filter", f"in/{i}.png", "-o", "one.png", "--gaussian", 1, cwd=folder)
        assert (read(folder, "one.png") == read(folder, f"out/{i}.png")).all()
    weft("filter", "in/0.png", "in/1.png", "-o", "other/", "--gaussian", 1, cwd=folder)
    assert sorted(os.listdir(os.path.join(folder, "other"))) == ["0.png", "1.png"]
    assert weft("filter", "in/0.png", "nowhere.png", "-o", "other", "--gaussian", 1, cwd=folder, expect=FILE, said=True)


def test_memory(folder):
    """A colour picture of 24 million pixels of 8 bits: at most 400 MB, whether rounded by the library or by the tool."""
    if SANITIZED:
        raise Skip("sanitizers take more")
    save(folder, "in.ppm", b"P6 6000 4000 255\n" + bytes(range(1, 251)) * (72 * 4000))
    for options in (("--gaussian", "8"), ("--highpass", "40")):
        with subprocess.Popen([WEFT, "filter", "in.ppm", "-o", "out.ppm", *options], cwd=folder) as child:
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == DONE and used.ru_maxrss <= 400e6 / 1024, f"{options}: {used.ru_maxrss} KiB"


def test_strips(folder):
    """A large picture is filtered strip by strip: the same rows as those of a small one around them, at both borders and
    where two strips meet, of integers and of numbers, by a filter that is symmetric and by one that is not."""
    need_numpy()
    height, width, apart, shown = 2200, 4000, 60, 40
    rows = numpy.frombuffer(random.Random(5).randbytes(height * width), "u1").reshape(height, width)

    def filtered(lines, output, *options):
        name = "in.pgm"
        save(folder, name, f"P5 {width} {len(lines)} 255\n".encode() + lines.tobytes())
        told = weft("filter", name, "-o", output, *options, "--force", "--dry-run", cwd=folder)
        weft("filter", name, "-o", output, *options, "--force", cwd=folder)
        if output.endswith(".npy"):
            return told, numpy.load(os.path.join(folder, output)).reshape(len(lines), width)
        with open(os.path.join(folder, output), "rb") as file:
            return told, numpy.frombuffer(file.read()[-len(lines) * width:], "u1").reshape(len(lines), width).astype(float)

    save(folder, "k.npy", pictures.npy((3, 5), [0, 0, .1, .2, 0, .4, 0, 0, 0, 0, 0, 0, 0, .2, .1], "<f4"))
    for output, options in (("out.pgm", ("--gaussian", "8", "--pad", "zero")), ("out.npy", ("--kernel", "k.npy")),
                            ("out.npy", ("--gaussian", "3", "--pad", "replicate")), ("out.npy", ("--highpass", "9"))):
        told, whole = filtered(rows, output, *options)
        assert re.search("so [2-8] strips of", told), told
        for first, end in ((0, shown), (height // 2 - shown, height // 2 + shown), (height - shown, height)):
            start, stop = max(0, first - apart), min(height, end + apart)
            told, part = filtered(rows[start:stop], output, *options)
            off = numpy.abs(whole[first:end] - part[first - start:end - start])
            most = 1 if output == "out.pgm" else 1e-4
            assert "strips" not in told and off.max() <= most and (output != "out.pgm" or off.mean() <= 1e-3), (
                f"{options}, rows {first} to {end}: {off.max()}, mean {off.mean():.3g}")


def test_pipeline(folder):
    """Of one large picture rows are written while others are read: the same bytes as when it is read first, from any
    number of threads; and where the input ends too early, or a signal comes, no file, or the one that was there."""
    height, width = 2400, 1800
    rows = random.Random(6).randbytes(3 * height * width)
    lines = b"".join(b"\0" + rows[3 * width * m:3 * width * (m + 1)] for m in range(height))
    save(folder, "in.png", b"\x89PNG\r\n\x1a\n" + png.chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, png.RGB, 0, 0, 0)) +
         png.chunk(b"IDAT", zlib.compress(lines, 0)) + png.chunk(b"IEND", b""))
    weft("filter", "in.png", "-o", "made.png", "--gaussian", 1, cwd=folder)
    names = ["in.png"]
    if ".jpg" in weft("--version").split():
        weft("filter", "in.png", "-o", "in.jpg", "--gaussian", 1, cwd=folder)
        names.append("in.jpg")
    for name in names:
        for options in (("--gaussian", "2"), ("--sharpen", "2"))[:1 if SANITIZED or THREAD_SANITIZER else 2]:
            whole = subprocess.run([WEFT, "filter", name, "-o", "-", *options], cwd=folder, capture_output=True, check=True).stdout
            for threads in (3,) if SANITIZED or THREAD_SANITIZER else (1, 2, 5):
                weft("filter", name, "-o", "out.png", *options, "--threads", threads, "--force", cwd=folder)
                with open(os.path.join(folder, "out.png"), "rb") as file:
                    assert file.read() == whole, f"{name} {options} from {threads} threads"
        with open(os.path.join(folder, name), "rb") as file:
            part = file.read()
        part = part[:len(part) * 3 // 4]
        save(folder, f"short.{name}", part)
        os.link(os.path.join(folder, "out.png"), os.path.join(folder, "linked.png"))
        before = sorted(os.listdir(folder))
        for output in ("out.png", "linked.png", "other.png", f"short.{name}"):
            weft("filter", f"short.{name}", "-o", output, "--gaussian", 2, "--force", cwd=folder, expect=BAD_INPUT)
        assert sorted(os.listdir(folder)) == before, os.listdir(folder)
        for kept, content in (("out.png", whole), ("linked.png", whole), (f"short.{name}", part)):
            with open(os.path.join(folder, kept), "rb") as file:
                assert file.read() == content, kept
        os.remove(os.path.join(folder, "linked.png"))
    save(folder, "a.pgm", b"P5 %d %d 255\n" % (width, height) + rows[:height * width])
    # One thread has one memory for all of its pictures.
    weft("filter", "a.pgm", "in.png", "-o", "both/", "--gaussian", 1, "--threads", 1, cwd=folder)
    with open(os.path.join(folder, "both/in.png"), "rb") as one, open(os.path.join(folder, "made.png"), "rb") as other:
        assert one.read() == other.read(), "after a gray picture"
    weft("filter", "in.png", "-o", "in.png", "--gaussian", 1, "--force", cwd=folder)
    with open(os.path.join(folder, "in.png"), "rb") as one, open(os.path.join(folder, "made.png"), "rb") as other:
        assert one.read() == other.read(), "over itself"
    before = sorted(os.listdir(folder))
    with subprocess.Popen([WEFT, "filter", "in.png", "-o", "late.png", "--gaussian", "2"], cwd=folder, stderr=subprocess.DEVNULL) as child:
        while child.poll() is None and not [name for name in os.listdir(folder) if name.startswith(".weft")]:
            time.sleep(0.001)
        child.send_signal(signal.SIGTERM)
    assert sorted(set(os.listdir(folder)) - {"late.png"}) == before, os.listdir(folder)


def test_strips_overtake(folder):
    """Where some rows take long to load, so that other strips are done meanwhile, none of these is stored over them."""
    if not DISTURBING or SANITIZED or THREAD_SANITIZER:
        raise Skip("disturbing.c was not given, or copies are a sanitizer's")
    save(folder, "in.pgm", b"P5 1801 4400 255\n" + random.Random(7).randbytes(1801 * 4400))
    found = set()
    for threads, what in ((1, ""), (8, "copy"), (8, "copy"), (8, "copy")):
        weft("filter", "in.pgm", "-o", "out.pgm", "--gaussian", 2, "--threads", threads, "--force", cwd=folder, env=disturbing(what))
        with open(os.path.join(folder, "out.pgm"), "rb") as file:
            found.add(file.read())
    assert len(found) == 1, f"{len(found)} different results"


def test_one_scale(folder):
    """Black and white of a large picture are those of all of it."""
    need_numpy()
    ramp = (numpy.arange(2400)[:, None] / 12 + numpy.zeros(1800)).astype("u1")
    save(folder, "in.pgm", b"P5 1800 2400 255\n" + ramp.tobytes())
    weft("filter", "in.pgm", "-o", "out.pgm", "--gaussian", 1, "--autoscale", cwd=folder)
    with open(os.path.join(folder, "out.pgm"), "rb") as file:
        found = numpy.frombuffer(file.read()[-ramp.size:], "u1").reshape(ramp.shape)
    assert found[0].max() == 0 and found[-1].min() == 255 and (numpy.diff(found[:, 0].astype(int)) >= 0).all()


def test_side_by_side(folder):
    """Pictures of several sizes and formats, two of them bad: the same files from any number of threads, everything said
    once, and the exit code that of the first in the list."""
    need_tiff()
    os.mkdir(os.path.join(folder, "in"))
    for i in range(9):
        png.write(os.path.join(folder, f"in/{i}.png"), 40 + i % 3, 30, png.RGB, 8, png.noise(40 + i % 3, 30, png.RGB, 8, i))
    save(folder, "in/a.tif", pictures.tiff_stack(*[a_page(20, 30, 1, "H", seed) for seed in range(4)]))
    save(folder, "in/3-bad.png", b"\x89PNG, but not for long")
    found = {}
    # Of 40, each picture gets some. ThreadSanitizer does not see what a team waits for whose threads are another's.
    for threads in (1, 2, 5) if THREAD_SANITIZER else (1, 2, 5, 40):
        done = subprocess.run([WEFT, "filter", "in", "nowhere.png", "-o", f"{threads}", "--sharpen", "2", "--threads", f"{threads}",
                               "--show-mask", "mask.png"], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == BAD_INPUT, done
        names = sorted(os.listdir(os.path.join(folder, str(threads))))
        assert names == [f"{i}.png" for i in range(9)] + ["a.tif"], names
        contents = []
        for name in [f"{threads}/{name}" for name in names] + ["mask.png"]:
            with open(os.path.join(folder, name), "rb") as file:
                contents.append(file.read())
        found[threads] = (sorted(done.stderr.splitlines()), contents)
    assert all(each == found[1] for each in found.values()), {threads: each[0] for threads, each in found.items()}
    assert len(found[1][0]) == 13 and found[1][0][-1].startswith("weft: nowhere.png: "), found[1][0]
    weft("filter", "nowhere.png", "in/0.png", "in/1.png", "-o", "out", "--gaussian", 2, "--threads", 3, cwd=folder, expect=FILE)


def test_signal_while_several_are_written(folder):
    """No file is left half-written by any thread."""
    for i in range(8):
        save(folder, f"{i}.ppm", b"P6 900 900 255\n" + random.Random(i).randbytes(3 * 900 * 900))
    names = [f"{i}.ppm" for i in range(8)]
    for _ in range(3):
        with subprocess.Popen([WEFT, "filter", *names, "-o", "out/", "--gaussian", "5", "--threads", "4"], cwd=folder,
                              stderr=subprocess.DEVNULL) as child:
            while child.poll() is None and not [name for name in os.listdir(folder) if name == "out"]:
                time.sleep(0.001)
            while child.poll() is None and not os.listdir(os.path.join(folder, "out")):
                time.sleep(0.001)
            child.send_signal(signal.SIGTERM)
            assert child.wait() in (DONE, 128 + signal.SIGTERM), child.returncode
        left = os.listdir(os.path.join(folder, "out"))
        assert all(name in names and os.path.getsize(os.path.join(folder, "out", name)) == 2430015 for name in left), left
        for name in left:
            os.remove(os.path.join(folder, "out", name))
        os.rmdir(os.path.join(folder, "out"))


def test_usage(folder):
    """What is wrong is said with its value, before any file is read or written."""
    need_numpy()
    picture(folder, 9, 8)
    numpy.save(os.path.join(folder, "k.npy"), numpy.ones((3, 3)))
    for options, words in ((("--gaussian", "0"), "--gaussian 0: must be a standard deviation in pixels"),
                           (("--lowpass", "1"), "--lowpass 1: the shortest wave"),
                           (("--lowpass", "5cm"), "--lowpass 5cm: must be the period of a wave in pixels"),
                           (("--bandpass", "4"), "--bandpass 4: must be two periods"),
                           (("--bandpass", "4:4"), "nothing is between two equal periods"),
                           (("--lowpass", "4", "--shape", "square"), "--shape square: must be gaussian, ideal"),
                           (("--lowpass", "4", "--shape", "butterworth:0"), "order of a Butterworth filter"),
                           (("--gaussian", "4", "--shape", "ideal"), "--shape: is for --lowpass"),
                           (("--notch", "8,north"), "the angle must be in degrees"),
                           (("--notch", "1.7,30"), "on a diagonal the shortest has 1.4142"),
                           (("--lowpass", "1e155"), "a period has at most 1e10 pixels"),
                           (("--notch", "1e-320c/px"), "a period has at most 1e10 pixels"),
                           (("--stripes", "sideways"), "must be horizontal, vertical or the angle"),
                           (("--gaussian", "2", "--pad", "mirror"), "--pad mirror: must be one of reflect"),
                           (("--highpass", "9", "--offset", "9", "--keep-mean"), "only one of them"),
                           (("--highpass", "9", "--offset", "9", "--autoscale"), "--autoscale: settles the brightness; --offset"),
                           (("--gaussian", "2", "--correlate"), "--correlate: is for --kernel"),
                           (("--gaussian", "2", "--balance", "1"), "--balance: is for --wiener"),
                           (("--kernel", "k.npy", "--gain", "k.npy"), "only one of --kernel, --wiener and --gain"),
                           (("--gain", "k.npy", "--pad", "zero"), "--pad wrap only"),
                           (("--stripes", "vertical,0"), "the length from which on stripes are removed"),
                           (("--gaussian", "2", "--quality", "9"), "--quality: is for JPEG files"),
                           (("--gaussian", "2", "-o", "out.pgm", "--compress", "small"), "--compress: what is written is not"),
                           ((), "no filter, such as")):
        output = () if "-o" in options else ("-o", "out.png")
        said = weft("filter", "in.png", *output, *options, cwd=folder, expect=USAGE, said=True)
        assert words in said, f"{options}: {said}"
    assert "no output" in weft("filter", "in.png", "--gaussian", "2", cwd=folder, expect=USAGE, said=True)
    assert "is the input" in weft("filter", "in.png", "-o", "in.png", "--gaussian", "2", cwd=folder, expect=USAGE, said=True)
    assert "both would become" in weft("filter", "in.png", "./in.png", "-o", "out/", "--gaussian", "2", cwd=folder,
                                       expect=USAGE, said=True)
    assert "several pictures need a folder" in weft("filter", "in.png", "k.npy", "-o", "out.png", "--gaussian", "2", cwd=folder,
                                                    expect=USAGE, said=True)
    assert "-: standard input has no name to keep" in weft("filter", "in.png", "-", "-o", "out", "--gaussian", "2", cwd=folder,
                                                           expect=USAGE, said=True)
    assert "-o -: several pictures need a folder" in weft("filter", "in.png", "k.npy", "-o", "-", "--gaussian", "2", cwd=folder,
                                                          expect=USAGE, said=True)
    assert sorted(os.listdir(folder)) == ["in.png", "k.npy"]


def test_standard_streams(folder):
    """- is standard input or output, and a kernel may come from there, too."""
    need_numpy()
    picture(folder, 9, 8)
    weft("filter", "in.png", "-o", "out.png", "--gaussian", "2", cwd=folder)
    with open(os.path.join(folder, "in.png"), "rb") as source, open(os.path.join(folder, "piped.png"), "wb") as to:
        subprocess.run([WEFT, "filter", "-", "-o", "-", "--gaussian", "2"], stdin=source, stdout=to, check=True)
    assert (read(folder, "piped.png") == read(folder)).all()
    weft("filter", "in.png", "-o", "same.png", "--kernel", "-", cwd=folder, input="0 0 0\n0 1 0\n0 0 0\n")
    assert (read(folder, "same.png") == read(folder, "in.png")).all()


def test_bad_kernels(folder):
    need_numpy()
    picture(folder, 9, 8)
    for text, words in (("1 2\n3\n", "line 2 has 1 numbers, but rows before it 2"), ("1 2 x\n", "line 1 is no row"),
                        ("# nothing\n", "a kernel has 1 to"), ("1 nan\n", "no finite number"),
                        ("nan 1\n", "value 0 of the kernel is no finite"), ("wide 1\n", "line 1 is no row"),
                        ("1\n1 2\0 3\n", "line 2 has a byte 0"), ("1e308 1e308\n", "too large to be added up")):
        with open(os.path.join(folder, "k.txt"), "w", encoding="utf-8") as file:
            file.write(text)
        said = weft("filter", "in.png", "-o", "out.png", "--kernel", "k.txt", cwd=folder, expect=BAD_INPUT, said=True)
        assert words in said, f"{text!r}: {said}"
    with open(os.path.join(folder, "k.txt"), "w", encoding="utf-8") as file:
        file.write("1 -1\n")
    said = weft("filter", "in.png", "-o", "out.png", "--wiener", "k.txt", cwd=folder, expect=BAD_INPUT, said=True)
    assert "must add up to more than 0" in said, said


def test_no_empty_folder(folder):
    """A folder that was made, and in which nothing could be written, is gone; one that was there before is not."""
    need_numpy()
    with open(os.path.join(folder, "text.jpg"), "w", encoding="utf-8") as file:
        file.write("no picture\n")
    picture(folder, 9, 8)
    os.mkdir(os.path.join(folder, "there"))
    for to, wrong, code in (("new/", "none.png", FILE), ("new/", "text.jpg", BAD_INPUT), ("there", "none.png", FILE)):
        weft("filter", wrong, "-o", to, "--gaussian", 1, cwd=folder, expect=code, said=True)
    assert sorted(os.listdir(folder)) == ["in.png", "text.jpg", "there"], os.listdir(folder)
    weft("filter", "in.png", "text.jpg", "-o", "new", "--gaussian", 1, cwd=folder, expect=BAD_INPUT, said=True)
    assert os.listdir(os.path.join(folder, "new")) == ["in.png"], os.listdir(folder)
    said = weft("filter", "in.png", "-o", "no/where/", "--gaussian", 1, cwd=folder, expect=FILE, said=True)
    assert "no/where/: cannot make this folder: No such file or directory" in said, said


def test_no_folder(folder):
    """A name that ends as a folder's does, of a file."""
    need_numpy()
    picture(folder, 9, 8)
    said = weft("filter", "in.png", "-o", "in.png/", "--gaussian", 1, cwd=folder, expect=FILE, said=True)
    assert "in.png/: a file is there, where a folder is to be" in said, said


def test_files_apart(folder):
    """In a folder, too, no picture is written over a file that is read, nor two over one, whatever links lead there."""
    need_numpy()
    for name in ("a/x.png", "b/y.png", "c/x.png"):
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        picture(folder, 9, 8, name=name, seed=len(name) + ord(name[0]))
    for name in ("links", "hard", "pair", "loose"):
        os.mkdir(os.path.join(folder, name))
    os.symlink("../b/y.png", os.path.join(folder, "links", "x.png"))
    os.link(os.path.join(folder, "b/y.png"), os.path.join(folder, "hard", "x.png"))
    for name in ("x.png", "y.png"):
        os.symlink("../b/../one.png", os.path.join(folder, "pair", name))
        os.symlink("new.png" if name == "x.png" else "./new.png", os.path.join(folder, "loose", name))
    save(folder, "one.png", b"")

    def files():
        return {os.path.join(top, name): open(os.path.join(top, name), "rb").read()
                for top, _, names in os.walk(folder) for name in names if os.path.exists(os.path.join(top, name))}

    before, blur = files(), ("--gaussian", "1")
    for options, words in ((("a/x.png", "b/y.png", *blur, "-o", "links"), "-o links/x.png: is the input b/y.png; give another"),
                           (("a/x.png", "b/y.png", *blur, "-o", "links", "--force"), "is the input b/y.png; give another folder"),
                           (("a/x.png", "b/y.png", *blur, "-o", "hard"), "-o hard/x.png: is the input b/y.png; give another"),
                           (("a/x.png", "b/y.png", *blur, "-o", "pair"), "a/x.png and b/y.png: both would become pair/"),
                           (("a/x.png", "b/y.png", *blur, "-o", "loose"), "a/x.png and b/y.png: both would become loose/"),
                           (("a", "c/x.png", *blur, "-o", "new/./"), "a/x.png and c/x.png: both would become new/./x.png"),
                           (("a", *blur, "-o", "a"), "-o a/x.png: is the input a/x.png; say --force"),
                           (("a", "--kernel", "c/x.png", "-o", "c"), "-o c/x.png: is the input c/x.png; say --force"),
                           (("a/x.png", "--wiener", "c/x.png", "-o", "c"), "-o c/x.png: is the input c/x.png; say --force"),
                           (("a/x.png", "--kernel", "c/x.png", "-o", "links/../c/"), "c/x.png: is the input c/x.png; say --force"),
                           (("a", *blur, "-o", "c", "--show-mask", "c/x.png"), "--show-mask c/x.png: is what -o names"),
                           (("a/x.png", *blur, "-o", "c", "--show-mask", "a/../c/x.png"), "is what -o names"),
                           (("a/x.png", *blur, "-o", "new/", "--show-mask", ".//new//x.png"), "is what -o names"),
                           (("a", *blur, "-o", "c", "--show-mask", "a/x.png"), "--show-mask a/x.png: is the input a/x.png"),
                           (("a", "b", *blur, "-o", "c", "--show-mask", "b/y.png", "--force"), "is the input b/y.png; give another"),
                           (("a", *blur, "--dry-run", "--show-mask", "-"), "--show-mask -: --dry-run explains there")):
        said = weft("filter", *options, cwd=folder, expect=USAGE, said=True)
        assert words in said, f"{options}: {said}"
        assert files() == before, options
    os.makedirs(os.path.join(folder, "empty/a.png"))
    assert "no pictures in this folder" in weft("filter", "empty", *blur, "-o", "new", cwd=folder, expect=BAD_INPUT, said=True)
    assert weft("filter", "a/x.png", "c/x.png", *blur, "--dry-run", cwd=folder).count("x.png") == 2  # in the end, both would be written
    assert files() == before
    weft("filter", "a", "b", *blur, "-o", "a", "--force", cwd=folder)
    assert files().keys() - before.keys() == {os.path.join(folder, "a/y.png")}
    assert (read(folder, "a/x.png") != 0).any() and files()[os.path.join(folder, "a/x.png")] != before[os.path.join(folder, "a/x.png")]


def test_too_wide(folder):
    """A blur whose borders would take more than --max-pixels."""
    need_numpy()
    picture(folder, 9, 8)
    said = weft("filter", "in.png", "-o", "out.png", "--gaussian", 1000, "--pad", "replicate", "--max-pixels", "1000000",
                cwd=folder, expect=BAD_INPUT, said=True)
    assert "more than --max-pixels 1000000" in said, said
    weft("filter", "in.png", "-o", "out.png", "--gaussian", 1000, "--max-pixels", "1000", cwd=folder, expect=DONE)
    assert (read(folder)[0] == numpy.rint(read(folder, "in.png")[0].mean())).all()


# ---- stacks ----------------------------------------------------------------------------------------------------------

def need_tiff():
    if ".tif" not in weft("--version").split():
        raise Skip("this build writes no .tif")


def save(folder, name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def pages_of(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return list(pictures.tiff_samples(file.read()))


def a_page(height, width, channels, code, seed, **options):
    source = random.Random(seed)
    values = [source.random() if code == "f" else source.randrange(256 if code == "B" else 65536)
              for _ in range(height * width * channels)]
    return (height, width, channels, code, values), options


def test_stacks(folder):
    """Page by page the same as each page alone, whatever its size and kind; a small copy of one is no page."""
    need_tiff()
    small = a_page(3, 2, 1, "B", 0, more=[(254, 4, [1])])
    for order in "<>":
        for kinds in ((1, "B"), (1, "B"), (1, "B")), ((1, "H"), (1, "H")), ((1, "f"), (1, "f")), ((3, "B"), (1, "H"), (1, "f")):
            stack = [a_page(9 + seed % 2, 8, channels, code, seed) for seed, (channels, code) in enumerate(kinds)]
            save(folder, "in.tif", pictures.tiff_stack(*stack[:1], small, *stack[1:], order=order))
            assert weft("filter", "in.tif", "-o", "out.tif", "--gaussian", 2, cwd=folder, said=True) == ""
            got = pages_of(folder, "out.tif")
            assert len(got) == len(stack), f"{len(got)} pages, not {len(stack)}"
            for number, (values, options) in enumerate(stack):
                save(folder, "one.tif", pictures.tiff(*values, **options))
                weft("filter", "one.tif", "-o", "one.out.tif", "--gaussian", 2, cwd=folder)
                weft("filter", "in.tif", "-o", "chosen.tif", "--gaussian", 2, "--page", number + 1, cwd=folder)
                assert pages_of(folder, "one.out.tif") == pages_of(folder, "chosen.tif") == [got[number]], (kinds, number)
    printed = weft("filter", "in.tif", "--gaussian", 2, "--dry-run", cwd=folder)
    assert "a stack of 3 pages, each of them by itself" in printed, printed


def test_stacks_of_many_pages(folder):
    """In a time and a memory that grow with neither their number nor their square; clamped pixels are said once."""
    need_tiff()
    save(folder, "in.tif", pictures.tiff_stack(*[a_page(20, 30, 1, "B", seed) for seed in range(900)]))
    said = weft("filter", "in.tif", "-o", "out.tif", "--sharpen", 2, cwd=folder, said=True)
    assert re.fullmatch(r"weft: in.tif: clamped to 0..255: \d+ of 540000 values", said), said
    assert len(pages_of(folder, "out.tif")) == 900


def test_stacks_that_fail(folder):
    """With the page that is wrong, and without a file; where one picture is wanted, the page is asked for."""
    need_tiff()
    good, bad = a_page(9, 8, 1, "B", 1), a_page(9, 8, 1, "B", 2, more=[(259, 3, [4])])
    save(folder, "bad.tif", pictures.tiff_stack(good, bad, good))
    save(folder, "short.tif", pictures.tiff_stack(good, a_page(9, 8, 1, "B", 2, more=[(273, 4, [60000])])))
    save(folder, "large.tif", pictures.tiff_stack(good, a_page(9, 8, 1, "B", 2, more=[(256, 4, [60000]), (257, 4, [60000])])))
    save(folder, "in.tif", pictures.tiff_stack(good, good))
    before = sorted(os.listdir(folder))
    for name, words in (("bad.tif", "bad.tif, page 2: a TIFF picture in another compression"),
                        ("short.tif", "short.tif, page 2: damaged TIFF"),
                        ("large.tif", "large.tif, page 2: 60000x60000 is 3600000000 pixels; --max-pixels")):
        said = weft("filter", name, "-o", "out.tif", "--gaussian", 2, cwd=folder, expect=BAD_INPUT, said=True)
        assert words in said, said
        assert sorted(os.listdir(folder)) == before, f"{name} left a file"
    for to, options, code, words in (("out.png", (), USAGE, "a stack of 2 pages; .tif does, or --page 1"),
                                     ("out.tif", ("--page", "3"), BAD_INPUT, "in.tif: no page 3; there are 2"),
                                     ("out.tif", ("--page", "0"), USAGE, "--page 0: must be"),
                                     ("in.tif", ("--force",), USAGE, "a stack cannot be written over itself")):
        said = weft("filter", "in.tif", "-o", to, "--gaussian", 2, *options, cwd=folder, expect=code, said=True)
        assert words in said and sorted(os.listdir(folder)) == before, said
    with open(os.path.join(folder, "in.tif"), "rb") as file:
        assert "over itself" in weft("filter", "-", "-o", "in.tif", "--gaussian", 2, "--force", cwd=folder, expect=USAGE, said=True,
                                     stdin=file)
    for command in (("fft", "in.tif", "-o", "out.npy"), ("spectrum", "in.tif", "-o", "out.png"), ("diff", "in.tif", "in.tif")):
        said = weft(*command, cwd=folder, expect=BAD_INPUT, said=True)
        assert "in.tif: a stack of 2 pages, of which one is wanted; say --page 1, or 2 and so on" in said, said
        weft(*command, "--page", 2, cwd=folder)
    weft("fft", "in.tif", "--page", 2, "-o", "out.npy", cwd=folder)
    for command in (("filter", "in.tif", "-o", "out.tif", "--kernel", "in.tif"), ("ifft", "out.npy", "--like", "in.tif", "-o", "out.png")):
        said = weft(*command, cwd=folder, expect=BAD_INPUT, said=True)
        assert "in.tif: a stack of 2 pages, of which one is wanted; give a file that has it alone" in said, said


if __name__ == "__main__":
    sys.exit(main(globals()))
