#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures of spectra, and how much pictures differ: test_pictures.py PATH_OF_WEFT. Each number is held against NumPy;
of the photographs, that their spectra can be looked at. Prints PASS / FAIL / SKIP lines."""
import csv
import json
import math
import os
import subprocess
import sys

import png
from test_cli import BAD_INPUT, CHECK_FAILED, USAGE, WEFT, main, need_numpy, numpy, weft

PHOTOGRAPHS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../data/images")
SIZES = [(1, 1), (1, 6), (7, 1), (2, 2), (6, 9), (9, 6), (16, 15), (33, 48)]


def write(folder, name, pixels, depth=8):
    """Pixels (H, W) or (H, W, 3)."""
    png.write(os.path.join(folder, name), *pixels.shape[:2], png.RGB if pixels.ndim == 3 else png.GRAY, depth,
              [int(value) for value in pixels.ravel()])


def read(folder, name):
    """Pixels (H, W) or (H, W, channels)."""
    height, width, colour, _, samples = png.read(os.path.join(folder, name))
    shape = (height, width) if colour == png.GRAY else (height, width, png.CHANNELS[colour])
    return numpy.array(samples, float).reshape(shape)


def sloping(height, width, planes=1, seed=3):
    """Noise on a slope, whose opposite edges do not fit."""
    need_numpy()
    noise = numpy.random.default_rng(seed).integers(0, 60, (height, width, planes))
    slope = 90 * numpy.arange(height)[:, None, None] / height + 90 * numpy.arange(width)[None, :, None] / width
    pixels = (noise + slope * (1 + numpy.arange(planes)) / planes).astype(int)
    return pixels if planes > 1 else pixels[:, :, 0]


def periodic_part(pixels):
    """As Moisan wrote it down, of the picture."""
    height, width = pixels.shape
    steps = numpy.zeros(pixels.shape)
    steps[0] += pixels[-1] - pixels[0]
    steps[-1] += pixels[0] - pixels[-1]
    steps[:, 0] += pixels[:, -1] - pixels[:, 0]
    steps[:, -1] += pixels[:, 0] - pixels[:, -1]
    divisor = (2 * numpy.cos(2 * math.pi * numpy.arange(height) / height)[:, None] +
               2 * numpy.cos(2 * math.pi * numpy.arange(width) / width)[None] - 4)
    divisor[0, 0] = 1
    smooth = numpy.fft.fft2(steps) / divisor
    smooth[0, 0] = 0
    return numpy.fft.fft2(pixels) - smooth


def hann(pixels):
    windows = [numpy.sin(math.pi * numpy.arange(n) / n) ** 2 if n > 1 else numpy.ones(1) for n in pixels.shape]
    found = numpy.fft.fft2((pixels - pixels.mean()) * windows[0][:, None] * windows[1][None])
    found[0, 0] = pixels.sum()
    return found


SPECTRA = {"periodic": periodic_part, "hann": hann, "none": numpy.fft.fft2 if numpy else None}


def drawn(spectrum, least, most):
    """The levels of a picture, NaN for frequency 0."""
    with numpy.errstate(divide="ignore"):
        levels = (numpy.log(abs(spectrum)) - math.log(least)) / (math.log(most) - math.log(least))
    levels[0, 0] = math.nan
    return numpy.fft.fftshift(levels.clip(0, 1))


def far(levels, wanted):
    """The largest difference from what is wanted, where that is known."""
    known = ~numpy.isnan(wanted)
    return abs(levels - wanted)[known].max() if known.any() else 0


def test_edges(folder):
    """Of every parity, from pixels and from spectra of every layout and norm, in either precision."""
    for height, width in SIZES:
        for planes in (1, 3):
            pixels = sloping(height, width, planes)
            write(folder, "in.png", pixels)
            for norm, factor in (("backward", 1), ("forward", 1 / height / width)):
                weft("fft", "in.png", "-o", norm + ".npy", "--precision", "f64", "--norm", norm, "--layout",
                     "half" if norm == "backward" else "packed", "--force", cwd=folder)
                for edges, spectrum_of in SPECTRA.items():
                    ends = (20 * factor, 3e4 * factor)
                    options = ["--edges", edges, "--depth", 16, "--range", "={!r},={!r}".format(*ends), "-o", "out.png"]
                    sources = [norm + ".npy"] + (["in.png"] if factor == 1 else [])
                    for source in sources:
                        weft("spectrum", source, *options, cwd=folder)
                        shown = read(folder, "out.png") / 65535
                        for plane in range(planes):
                            one, levels = (pixels, shown) if planes == 1 else (pixels[:, :, plane], shown[:, :, plane])
                            wrong = far(levels, drawn(spectrum_of(one) * factor, *ends))
                            assert wrong < (1e-4 if source == "in.png" else 1.6e-5), (source, height, width, edges, wrong)


def test_arrays(folder):
    """An array of real numbers is a picture; complex numbers under any name are a spectrum."""
    pixels = sloping(9, 12, 3)
    write(folder, "in.png", pixels)
    weft("spectrum", "in.png", "-o", "wanted.png", cwd=folder)
    weft("fft", "in.png", "-o", "half.npy", cwd=folder)
    os.rename(os.path.join(folder, "half.npy"), os.path.join(folder, "half"))
    numpy.save(os.path.join(folder, "full.npy"), numpy.fft.fft2(pixels.transpose(2, 0, 1)))
    for name, kind in (("whole.npy", "uint8"), ("wide.npy", "uint16"), ("float.npy", "float32"), ("double.npy", "float64")):
        numpy.save(os.path.join(folder, name), pixels.astype(kind))
    for name in ("whole.npy", "wide.npy", "float.npy", "double.npy", "half", "full.npy"):
        weft("spectrum", name, "-o", "out.png", cwd=folder)
        assert abs(read(folder, "out.png") - read(folder, "wanted.png")).max() <= 1, name
    for number, data in enumerate((b"", b"\x93NUM", b"\x93NUMPY\1\0v\0{'descr'")):
        with open(os.path.join(folder, f"{number}.npy"), "wb") as file:
            file.write(data)
        weft("spectrum", f"{number}.npy", "-o", "x.png", cwd=folder, expect=BAD_INPUT)
    with open(os.path.join(folder, "in.png"), "rb") as file:
        weft("spectrum", "-", "-o", "out.png", cwd=folder, stdin=file)
    assert (read(folder, "out.png") == read(folder, "wanted.png")).all()


def test_photographs(folder):
    """They are no gray sheets, and little in them is white."""
    need_numpy()
    for name in ("camera", "brick", "coffee", "astronaut"):
        weft("spectrum", os.path.join(PHOTOGRAPHS, name + ".png"), "-o", "out.png", cwd=folder)
        levels = read(folder, "out.png") / 255
        assert levels.std() > 0.12 and (levels == 1).mean() <= 0.002, (name, levels.std(), (levels == 1).mean())
        assert 0.2 < (levels == 0).mean() < 0.3, name


def test_raster(folder):
    """One of amplitude 3 shows its four maxima, and that they are where they should be; in a small picture, too."""
    need_numpy()
    pixels = read(PHOTOGRAPHS, "camera.png")
    rows, columns = numpy.meshgrid(numpy.arange(512), numpy.arange(512), indexing="ij")
    raster = 3 * numpy.cos(2 * math.pi * 96 / 512 * rows) * numpy.cos(2 * math.pi * 72 / 512 * columns)
    write(folder, "in.png", (pixels + raster).round().clip(0, 255))
    for fit in (512, 128):
        weft("spectrum", "in.png", "-o", "out.png", "--fit", fit, cwd=folder)
        levels, apart = read(folder, "out.png"), fit // 64
        assert levels.shape == (fit, fit)
        for k in (-96, 96):
            for l in (-72, 72):
                row, column = fit // 2 + k * fit // 512, fit // 2 + l * fit // 512
                around = levels[row - apart:row + apart + 1, column - apart:column + apart + 1].copy()
                peak, around[apart, apart] = around[apart, apart], 0
                assert peak > 150 and peak > 1.25 * around.max(), (fit, k, l, peak, around.max())


def test_too_large(folder):
    """What is no number in a spectrum would make all of the picture so: nothing is drawn."""
    need_numpy()
    numpy.save(os.path.join(folder, "in.npy"), numpy.full((6, 9), 3e38, numpy.float32))
    said = weft("spectrum", "in.npy", "-o", "out.png", cwd=folder, expect=CHECK_FAILED, said=True)
    assert said.endswith("too large for f32; say --precision f64; nothing is written"), said
    assert os.listdir(folder) == ["in.npy"]
    weft("spectrum", "in.npy", "-o", "out.png", "--precision", "f64", cwd=folder)


def test_pipe(folder):
    """A spectrum needs a file."""
    need_numpy()
    numpy.save(os.path.join(folder, "in.npy"), numpy.fft.rfft2(sloping(6, 9)))
    with open(os.path.join(folder, "in.npy"), "rb") as file:
        said = weft("spectrum", "-", "-o", "out.png", cwd=folder, stdin=file, expect=BAD_INPUT, said=True)
    assert "weft spectrum draws it from a file, not from a pipe" in said, said


def test_fit(folder):
    """The mean power of neighbours, frequency 0 left out; sides of any length."""
    need_numpy()
    for height, width, fit in ((33, 48, 16), (7, 30, 8), (31, 5, 1), (16, 16, 15), (9, 6, 9), (9, 15, 8), (33, 7, 4)):
        pixels, factor = sloping(height, width), math.ceil(max(height, width) / fit)
        write(folder, "in.png", pixels)
        weft("spectrum", "in.png", "-o", "out.png", "--depth", 16, "--range", "=20,=30000", "--edges", "none", "--fit", fit,
             "--precision", "f64", cwd=folder)
        power = abs(numpy.fft.fftshift(numpy.fft.fft2(pixels))) ** 2
        counts = numpy.ones(power.shape)
        power[height // 2, width // 2] = counts[height // 2, width // 2] = 0
        for axis, n in enumerate((height, width)):
            count = n if factor == 1 else max(math.ceil((n - n % 2) / factor), 1)
            place = ((numpy.arange(n) - n // 2 + factor // 2) // factor + count // 2).clip(0, count - 1)
            power, counts = (numpy.stack([each.compress(place == i, axis).sum(axis) for i in range(count)], axis)
                             for each in (power, counts))
        with numpy.errstate(divide="ignore", invalid="ignore"):
            levels = (numpy.log(power / counts) / 2 - math.log(20)) / (math.log(30000) - math.log(20))
        assert far(read(folder, "out.png") / 65535, levels.clip(0, 1)) < 1.6e-5, (height, width, fit)


def test_percentiles(folder):
    """What is printed, and that so much of a picture is black and white."""
    pixels = sloping(33, 48)
    write(folder, "in.png", pixels)
    for range_, low, high in ((None, 25, 99.9), ("50,90", 50, 90), ("0,100", 0, 100)):
        said = weft("spectrum", "in.png", "-o", "out.png", "--precision", "f64", *(["--range", range_] if range_ else []), cwd=folder)
        lines = said.split("\n")
        magnitudes = abs(periodic_part(pixels)).ravel()
        assert math.isclose(float(lines[0].split()[-1]), magnitudes.max(), rel_tol=1e-8), said
        black, white = (float(word.strip(",")) for word in lines[1].split()[1::2])
        wanted = numpy.percentile(magnitudes[1:], (low, high), method="lower")
        # At the least share, black is what rounding may leave.
        assert black <= wanted[0] * 1.002 and (low == 0 or black > wanted[0] * 0.998), (said, wanted)
        assert math.isclose(white, wanted[1], rel_tol=2e-3), (said, wanted)


def test_frequency_0(folder):
    """It is as bright as what is around it, and hides nothing; alone it is white."""
    need_numpy()
    rows, columns = numpy.meshgrid(numpy.arange(16), numpy.arange(24), indexing="ij")
    write(folder, "in.png", (100 + 50 * numpy.cos(2 * math.pi * (3 * rows / 16 + 5 * columns / 24))).round())
    weft("spectrum", "in.png", "-o", "out.png", "--edges", "none", "--range", "0,100", cwd=folder)
    levels = read(folder, "out.png")
    assert levels[8 + 3, 12 + 5] == levels[8 - 3, 12 - 5] == 255
    assert levels[8, 12] == max(levels[7, 11:14].max(), levels[9, 11:14].max(), levels[8, 11], levels[8, 13]) < 255
    for depth, value, size in ((8, 9, (16, 24)), (16, 40000, (7, 5)), (8, 200, (1, 1))):
        write(folder, "in.png", numpy.full(size, value), depth)
        weft("spectrum", "in.png", "-o", "out.png", cwd=folder)
        levels = read(folder, "out.png")
        assert levels[size[0] // 2, size[1] // 2] == levels.sum() == 255, levels
    write(folder, "in.png", numpy.zeros((4, 6)))
    weft("spectrum", "in.png", "-o", "out.png", cwd=folder)
    assert read(folder, "out.png")[:2].sum() == 0


def test_one_scale(folder):
    """Ends of a scale that are printed, given, or taken from another picture make the same picture."""
    write(folder, "in.png", sloping(33, 48, 3))
    write(folder, "other.png", sloping(33, 48, 3, seed=5) // 2)
    ends = weft("spectrum", "other.png", "-o", "other-drawn.png", cwd=folder).split("\n")[1]
    own = weft("spectrum", "in.png", "-o", "a.png", cwd=folder).split("\n")[1]
    assert weft("spectrum", "in.png", "-o", "b.png", "--reference", "in.png", cwd=folder).split("\n")[1] == own
    assert weft("spectrum", "in.png", "-o", "c.png", "--reference", "other.png", cwd=folder).split("\n")[1] == ends
    black, white = (word.strip(",") for word in ends.split()[1::2])
    weft("spectrum", "in.png", "-o", "d.png", "--range", f"={black},={white}", cwd=folder)
    said = weft("spectrum", "in.png", "-o", "e.png", "--max", white, cwd=folder).split("\n")[1]
    assert said == f"{own.split(', ')[0]}, white {white}", said
    assert (read(folder, "a.png") == read(folder, "b.png")).all() and (read(folder, "a.png") != read(folder, "c.png")).any()
    assert abs(read(folder, "c.png") - read(folder, "d.png")).max() <= 1


def test_gamma_power_shift(folder):
    pixels = sloping(16, 15)
    write(folder, "in.png", pixels)
    same = ["--depth", 16, "--range", "=20,=3000", "--precision", "f64", "-o", "out.png"]
    levels = drawn(periodic_part(pixels), 20, 3000)
    weft("spectrum", "in.png", *same, "--gamma", 2.5, cwd=folder)
    assert far(read(folder, "out.png") / 65535, levels ** 0.4) < 1.6e-5
    weft("spectrum", "in.png", *same, "--no-shift", cwd=folder)
    assert far(read(folder, "out.png") / 65535, numpy.fft.ifftshift(levels)) < 1.6e-5
    weft("spectrum", "in.png", *same, "--power", cwd=folder)
    power = (150 ** levels * 20) ** 2
    assert far(read(folder, "out.png") / 65535, (power - 400) / (9e6 - 400)) < 1.6e-5


def test_phase(folder):
    """On the circle, so that -pi is pi."""
    for height, width in ((6, 9), (9, 6), (16, 15)):
        pixels = sloping(height, width)
        write(folder, "in.png", pixels)
        weft("spectrum", "in.png", "-o", "out.png", "--phase", "--depth", 16, "--edges", "none", "--precision", "f64", cwd=folder)
        spectrum = numpy.fft.fftshift(numpy.fft.fft2(pixels))
        apart = numpy.exp(1j * (math.pi * (2 * read(folder, "out.png") / 65535 - 1) - numpy.angle(spectrum))) - 1
        assert abs(apart).max() < 1e-4, abs(apart).max()


def test_colours(folder):
    """A map gives each gray level a colour, from one end to the other; of the luma, from pixels and spectra alike."""
    pixels = sloping(33, 48, 3)
    write(folder, "in.png", pixels)
    weft("fft", "in.png", "-o", "x.npy", cwd=folder)
    weft("spectrum", "in.png", "-o", "gray.png", "--gray", cwd=folder)
    levels = read(folder, "gray.png")
    for name, first, last in (("viridis", (0x44, 1, 0x54), (0xfd, 0xe7, 0x25)), ("inferno", (0, 0, 4), (0xfc, 0xff, 0xa4))):
        weft("spectrum", "in.png", "-o", "out.png", "--colormap", name, cwd=folder)
        colours = read(folder, "out.png")
        assert (colours[levels == 0][1:] == first).all(1).mean() > 0.9 and (colours[levels == 255] == last).all(), name
        luma = colours @ (0.299, 0.587, 0.114)
        order = numpy.argsort(levels.ravel(), kind="stable")
        assert (numpy.diff(luma.ravel()[order]) > -4).all(), f"{name} does not become brighter all the way"
    weft("spectrum", "x.npy", "-o", "of-spectrum.png", "--gray", cwd=folder)
    assert abs(read(folder, "of-spectrum.png") - levels).mean() < 8, "the luma of pixels is rounded, but no more"


def test_profile(folder):
    """Rings of one frequency, whatever the shape of the picture; of noise, its variance; and a slope that was made."""
    pixels = sloping(33, 48, 3)
    write(folder, "in.png", pixels)
    weft("spectrum", "in.png", "-o", "out.png", "--profile", "p.csv", "--edges", "none", "--precision", "f64", cwd=folder)
    with open(os.path.join(folder, "p.csv"), encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    across = 48 * numpy.hypot(numpy.fft.fftfreq(33)[:, None], numpy.fft.fftfreq(48)[None])
    assert len(table) == 24 and list(table[0]) == ["frequency", "period", "bins", "red", "green", "blue"]
    for ring, line in enumerate(table, 1):
        inside = numpy.rint(across) == ring
        assert math.isclose(float(line["frequency"]), ring / 48, rel_tol=1e-8) and int(line["bins"]) == inside.sum(), line
        for plane, name in enumerate(("red", "green", "blue")):
            power = (abs(numpy.fft.fft2(pixels[:, :, plane])) ** 2)[inside].mean() / 33 / 48
            assert math.isclose(float(line[name]), power, rel_tol=1e-6), (line, power)
    rng = numpy.random.default_rng(7)
    for slope in (-2, 0):
        frequencies = numpy.hypot(numpy.fft.fftfreq(200)[:, None], numpy.fft.rfftfreq(300)[None])
        frequencies[0, 0] = 1
        noise = numpy.fft.irfft2(numpy.fft.rfft2(rng.normal(size=(200, 300))) * frequencies ** (slope / 2), (200, 300))
        write(folder, "in.png", (30000 + 5000 * noise / noise.std()).round().clip(0, 65535), 16)
        said = weft("spectrum", "in.png", "-o", "out.png", "--profile", "p.csv", cwd=folder)
        with open(os.path.join(folder, "p.csv"), encoding="utf-8") as file:
            powers = numpy.array([float(line["power"]) for line in csv.DictReader(file)])
        rings = numpy.arange(4, 76)
        fitted = numpy.polyfit(numpy.log(rings), numpy.log(powers[rings - 1]), 1, w=rings ** -0.5)[0]
        assert abs(float(said.split()[-1]) - fitted) < 0.005 and abs(fitted - slope) < 0.3, (said, fitted)
    assert abs(numpy.mean(powers[10:]) / 25e6 - 1) < 0.05, "the power of noise is its variance"


def test_spectrum_refuses(folder):
    write(folder, "in.png", sloping(6, 9))
    for arguments, words in ((["--range", "5"], "--range 5: must be LO,HI"), (["--range", "90,10"], "must be less than"),
                             (["--range", "=9,=8"], "must be less than"), (["--range", "0,101"], "must be two of 0 to 100"),
                             (["--range", "=0,50"], "above 0"), (["--range", "1,2,3"], "must be LO,HI"), (["--max", "0"], "above 0"),
                             (["--max", "3", "--range", "1,=2"], "--max says already"), (["--gamma", "nan"], "above 0"),
                             (["--range", "1,2", "--max", "3"], "--range says already"), (["--phase", "--gamma", "2"], "--gamma: is of"),
                             (["--fit", "0"], "--fit 0"), (["--reference", "in.png", "--range", "=1,=2"], "already"),
                             (["--profile", "out.png"], "only .csv is written"), (["--width", "8"], "has 9 columns"),
                             (["--profile", "./x", "-o", "x"], "is what -o names")):
        complaint = weft("spectrum", "in.png", *arguments, *([] if "-o" in arguments else ["-o", "out.png"]), cwd=folder, expect=USAGE,
                         said=True)
        assert words in complaint, (arguments, complaint)
    assert os.listdir(folder) == ["in.png"]


# ---- weft diff -----------------------------------------------------------------------------------
def ssim(a, b, peak):
    """As Wang and others wrote it down: windows that lie within the picture."""
    weights = numpy.exp(-(numpy.arange(11) - 5) ** 2 / 2 / 1.5 ** 2)
    weights = numpy.outer(weights, weights) / weights.sum() ** 2

    def mean(values):
        windows = numpy.lib.stride_tricks.sliding_window_view(values, (11, 11))
        return (windows * weights).sum((2, 3))

    x, y = mean(a), mean(b)
    c1, c2 = (0.01 * peak) ** 2, (0.03 * peak) ** 2
    xx, yy, xy = mean(a * a) - x * x, mean(b * b) - y * y, mean(a * b) - x * y
    return ((2 * x * y + c1) * (2 * xy + c2) / ((x * x + y * y + c1) * (xx + yy + c2))).mean()


def test_diff(folder):
    """PSNR and SSIM are NumPy's; the picture has the largest difference white."""
    for (height, width, planes), depth in (((11, 11, 1), 8), ((33, 48, 3), 8), ((20, 31, 1), 16), ((5, 40, 1), 8)):
        peak = 2 ** depth - 1
        a = sloping(height, width, planes) * (1 if depth == 8 else 200)
        b = (a + numpy.random.default_rng(1).integers(-9, 10, a.shape)).clip(0, peak)
        b.flat[7] = a.flat[7] + 40
        for name, pixels in (("a.png", a), ("b.png", b)):
            write(folder, name, pixels, depth)
        said = weft("diff", "a.png", "b.png", "-o", "out.png", "--json", "d.json", "--tolerance", 40, cwd=folder)
        with open(os.path.join(folder, "d.json"), encoding="utf-8") as file:
            found = json.load(file)
        assert math.isclose(found["psnr_db"], 10 * math.log10(peak ** 2 / ((a - b) ** 2.0).mean()), rel_tol=1e-9), found
        if height < 11:
            assert found["ssim"] is None and "SSIM needs 11x11 pixels" in said
        else:
            stacks = [pixels.reshape(height, width, planes).astype(float) for pixels in (a, b)]
            wanted = numpy.mean([ssim(*(stack[:, :, plane] for stack in stacks), peak) for plane in range(planes)])
            assert abs(found["ssim"] - wanted) < 1e-9 and f"SSIM {wanted:.6f}" in said, (said, wanted)
        assert found["largest_difference"] == 40 and found["differing"] == (a != b).sum() and found["values"] == a.size
        row, column, plane = (int(i) for i in numpy.unravel_index(7, (height, width, planes)))
        at = f"at row {row}, column {column}" + (f", {('red', 'green', 'blue')[plane]}" if planes > 1 else "")
        assert f"largest difference 40 {at}\n" in said, said
        assert abs(read(folder, "out.png") - abs(a - b) / 40 * peak).max() <= 0.5


def test_diff_tolerance(folder):
    """The exit code says it, and how much it is."""
    a = sloping(12, 15)
    b = a.copy()
    b[3, 4] += 2
    for name, pixels in (("a.png", a), ("b.png", b), ("c.png", a[1:]), ("d.png", sloping(12, 15, 3))):
        write(folder, name, pixels)
    write(folder, "e.png", a, 16)
    assert weft("diff", "a.png", "a.png", cwd=folder).startswith("PSNR inf dB, white 255\nSSIM 1.000000\nlargest difference 0\n0 of 180 ")
    with open(os.path.join(folder, "shown.png"), "wb") as shown:  # a picture has standard output to itself
        said = subprocess.run([WEFT, "diff", "a.png", "a.png", "-o", "-"], cwd=folder, stdout=shown, stderr=subprocess.PIPE, check=True)
    assert said.stderr.startswith(b"PSNR inf dB") and read(folder, "shown.png").max() == 0
    with open(os.path.join(folder, "shown.png"), "wb") as shown:
        said = subprocess.run([WEFT, "spectrum", "a.png", "-o", "-"], cwd=folder, stdout=shown, stderr=subprocess.PIPE, check=True)
    assert said.stderr.startswith(b"largest magnitude ") and read(folder, "shown.png").shape[:2] == (12, 15)
    for tolerance, code in (([], CHECK_FAILED), (["--tolerance", "1.5"], CHECK_FAILED), (["--tolerance", "2"], 0)):
        said = weft("diff", "a.png", "b.png", *tolerance, cwd=folder, expect=code, said=True)
        assert (f"a.png and b.png differ by 2; --tolerance is {(tolerance or [0, 0])[1]}" in said) == (code != 0), said
    for other, words in (("c.png", "a.png is 12x15, but c.png is 11x15"), ("d.png", "d.png is in colour, but a.png is not")):
        assert words in (said := weft("diff", "a.png", other, cwd=folder, expect=BAD_INPUT, said=True)), said
    for arguments, words in ((["a.png"], "there is one"), (["a.png", "b.png", "c.png"], "two pictures are enough"), ([], "there is none"),
                             (["a.png", "b.png", "--tolerance", "-1"], "at least 0"), (["a.png", "b.png", "-o", "a.png"], "is the input"),
                             (["-", "-"], "standard input"), (["a.png", "b.png", "-o", "x.fvc"], "is written")):
        assert words in (said := weft("diff", *arguments, cwd=folder, expect=USAGE, said=True)), said


def test_diff_of_depths(folder):
    """8 bits are spread over 16, floats are on the scale of what is beside them; what is white is said."""
    a, b = sloping(12, 15), sloping(12, 15, seed=5)
    write(folder, "a.png", a)
    write(folder, "wide.png", b * 257, 16)
    numpy.save(os.path.join(folder, "float.npy"), b.astype("float32"))
    for other, peak, factor in (("wide.png", 65535, 257), ("float.npy", 255, 1)):
        for pair in (("a.png", other), (other, "a.png")):
            said = weft("diff", *pair, "--json", "d.json", "--tolerance", "65535", cwd=folder)
            with open(os.path.join(folder, "d.json"), encoding="utf-8") as file:
                found = json.load(file)
            wanted = 10 * math.log10(255 ** 2 / ((a - b) ** 2.0).mean())
            assert said.startswith(f"PSNR {wanted:.2f} dB, white {peak}\n") and found["peak"] == peak, said
            assert math.isclose(found["psnr_db"], wanted, rel_tol=1e-9), found
            assert found["largest_difference"] == factor * abs(a - b).max() and found["differing"] == (a != b).sum()
    assert weft("diff", "wide.png", "float.npy", "--tolerance", "65535", cwd=folder).startswith("PSNR ")
    said = weft("diff", "float.npy", "float.npy", cwd=folder, said=True)
    assert said == f"weft: float.npy: values up to {b.max()}, but white of floats is 1; say --peak 255, or what is white in them"
    assert weft("diff", "float.npy", "float.npy", "--peak", "255", cwd=folder, said=True) == ""
    for peak in ("1e30", "1e-30"):
        assert weft("diff", "float.npy", "float.npy", "--peak", peak, cwd=folder).startswith(f"PSNR inf dB, white {float(peak):.9g}\nSSIM 1.0")
    for peak in ("1e31", "1e-31", "0", "nan"):
        said = weft("diff", "float.npy", "float.npy", "--peak", peak, cwd=folder, expect=USAGE, said=True)
        assert f"--peak {peak}: must be a number from 1e-30 to 1e30" in said, said
    samples = [value for one in a.ravel() for value in (int(one), 255)]
    png.write(os.path.join(folder, "opaque.png"), 12, 15, png.GRAY_ALPHA, 8, samples)
    write(folder, "same.png", a * 257, 16)
    assert "0 of 360 values differ" in weft("diff", "opaque.png", "same.png", cwd=folder)


def test_diff_of_alpha(folder):
    """It counts for the largest difference; none is opaque."""
    samples = png.noise(12, 13, png.GRAY, 8)
    png.write(os.path.join(folder, "a.png"), 12, 13, png.GRAY, 8, samples)
    for name, alpha in (("opaque.png", 255), ("clear.png", 250)):
        png.write(os.path.join(folder, name), 12, 13, png.GRAY_ALPHA, 8, [value for one in samples for value in (one, alpha)])
    weft("diff", "a.png", "opaque.png", cwd=folder)
    said = weft("diff", "clear.png", "a.png", "--tolerance", 5, cwd=folder)
    assert said.startswith("PSNR inf dB, white 255\n") and "difference 5 at row 0, column 0, alpha\n156 of 312 " in said, said


if __name__ == "__main__":
    sys.exit(main(globals()))
