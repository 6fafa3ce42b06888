#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tool `weft` from outside: test_cli.py PATH_OF_WEFT [PATH_OF_DISTURBING]. Pictures there and back, NumPy's
opinion, bad inputs and their exit codes, no partial files, help, JSON. Prints PASS / FAIL / SKIP lines."""
import fcntl
import json
import os
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

import png

try:
    import numpy
except ImportError:
    numpy = None

WEFT = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "weft"
DISTURBING = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None  # disturbing.c
PHOTOS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../shared/photos")
SANITIZED = "WEFT_TEST_SANITIZED" in os.environ
THREAD_SANITIZER = "thread" in os.environ.get("WEFT_TEST_SANITIZED", "")
COMMANDS = ["fft", "ifft", "spectrum", "filter", "diff", "fractal encode", "fractal decode", "fractal info", "fractal bench", "scene", "bench",
            "verify", "reproduce", "info"]
DONE, CHECK_FAILED, USAGE, BAD_INPUT, FILE, MEMORY, GPU, SIGNAL = 0, 1, 2, 3, 4, 5, 6, 128
# What ends a process and is no fault of it.
ENDING = [signal.Signals[f"SIG{name}"] for name in "HUP INT QUIT TERM ALRM USR1 USR2 XCPU VTALRM PROF POLL PWR".split()]
GRID = [(1, 1), (1, 7), (8, 1), (5, 7), (6, 9), (9, 6), (32, 48), (33, 47)]
KINDS = {"gray": png.GRAY, "RGB": png.RGB, "gray with alpha": png.GRAY_ALPHA, "RGB with alpha": png.RGB_ALPHA}


class Skip(Exception):
    pass


def open_terminal():
    """Both ends of one that nobody sits at; a machine may have none, as a bare folder that was made a root."""
    try:
        return os.openpty()
    except OSError as error:
        raise Skip(f"no terminal can be opened here: {error}") from None


def weft(*arguments, expect=DONE, cwd=None, said=False, **more):
    """Runs the tool; its exit code must be the one expected, and a failure says one line and no more. Returns
    what it printed, or with `said` what it said on standard error."""
    done = subprocess.run([WEFT, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          cwd=cwd, check=False, **more)
    complaint = done.stderr.strip()
    assert done.returncode == expect, \
        f"weft {' '.join(map(str, arguments))}: exit {done.returncode}, not {expect}: {complaint}"
    if expect not in (DONE, USAGE):
        assert complaint.startswith("weft") and "\n" not in complaint, f"not one line that says weft: {complaint!r}"
    return complaint if said else done.stdout


def disturbing(what):
    """An environment in which disturbing.c does that."""
    return {**os.environ, "LD_PRELOAD": DISTURBING, "WEFT_TEST_DISTURB": what,
            "ASAN_OPTIONS": ":".join([os.environ.get("ASAN_OPTIONS", ""), "verify_asan_link_order=0"])}


def there_and_back(folder, height, width, colour, depth, *options):
    original = (height, width, colour, depth, png.noise(height, width, colour, depth))
    paths = [os.path.join(folder, name) for name in ("in.png", "spectrum.npy", "out.png")]
    png.write(paths[0], *original)
    weft("fft", paths[0], "-o", paths[1], *options)
    weft("ifft", paths[1], "--like", paths[0], "-o", paths[2], *options)
    assert png.read(paths[2]) == original, f"{height}x{width} differs after fft and ifft"


def test_round_trips(folder):
    """Every colour type and depth, all parities: the very same samples come back."""
    for colour in KINDS.values():
        for depth in (8, 16):
            for height, width in GRID:
                there_and_back(folder, height, width, colour, depth)


def test_round_trips_packed_f64(folder):
    for height, width in GRID:
        there_and_back(folder, height, width, png.RGB, 16, "--layout", "packed", "--precision", "f64")


def test_round_trip_without_like(folder):
    """A file of weft fft knows what the picture was."""
    original = (5, 7, png.GRAY, 8, png.noise(5, 7, png.GRAY, 8))
    png.write(os.path.join(folder, "in.png"), *original)
    weft("fft", "in.png", "-o", "x.npy", cwd=folder)
    weft("ifft", "x.npy", "-o", "out.png", cwd=folder)
    assert png.read(os.path.join(folder, "out.png")) == original


def test_like_another_size(folder):
    """Both files are named, and which of them says what."""
    for name, width in (("in.png", 7), ("other.png", 9)):
        png.write(os.path.join(folder, name), 5, width, png.GRAY, 8, png.noise(5, width, png.GRAY, 8))
    weft("fft", "in.png", "-o", "x.npy", cwd=folder)
    complaint = weft("ifft", "x.npy", "--like", "other.png", "-o", "out.png", cwd=folder, expect=USAGE, said=True)
    assert complaint == "weft: x.npy: width 9 of other.png, but the file says 7", complaint
    png.write(os.path.join(folder, "high.png"), 6, 7, png.GRAY, 8, png.noise(6, 7, png.GRAY, 8))
    complaint = weft("ifft", "x.npy", "--like", "high.png", "-o", "out.png", cwd=folder, expect=USAGE, said=True)
    assert complaint == "weft: x.npy: 5 rows, but high.png has 6", complaint
    complaint = weft("ifft", "x.npy", "--width", "9", "-o", "out.png", cwd=folder, expect=USAGE, said=True)
    assert complaint == "weft: x.npy: width 9 asked for, but the file says 7", complaint
    need_numpy()
    numpy.save(os.path.join(folder, "y.npy"), numpy.zeros((5, 4), "complex64"))
    complaint = weft("ifft", "y.npy", "--like", "other.png", "-o", "out.png", cwd=folder, expect=USAGE, said=True)
    assert complaint == "weft: y.npy: width 9 of other.png needs 5 columns, the file has 4", complaint


def test_sixteen_bits_as_eight(folder):
    """Where most values are clamped, it says what was probably forgotten."""
    need_numpy()
    for most, hint in ((65535, True), (255, False)):
        numpy.save(os.path.join(folder, "x.npy"), numpy.fft.rfft2(numpy.linspace(-9, most, 48).reshape(6, 8)))
        complaint = weft("ifft", "x.npy", "-o", "out.png", cwd=folder, said=True)
        assert "clamped to 0.." in complaint and ("--depth 16" in complaint) == hint, complaint
    assert "--depth" not in weft("ifft", "x.npy", "--depth", "16", "-o", "out.png", cwd=folder, said=True)
    png.write(os.path.join(folder, "in.png"), 6, 8, png.GRAY, 8, png.noise(6, 8, png.GRAY, 8))
    weft("fft", "in.png", "-o", "own.npy", cwd=folder)  # which says that it has 8 bits
    numbers = numpy.load(os.path.join(folder, "own.npy"), mmap_mode="r+")
    numbers *= 100
    del numbers
    complaint = weft("ifft", "own.npy", "-o", "out.png", cwd=folder, said=True)
    assert "clamped to 0.." in complaint and "--depth" not in complaint, complaint
    for mean, wrong in ((1e300, "no finite number"), (1e8, "clamped")):  # which 16 bits do not hold either
        numpy.save(os.path.join(folder, "x.npy"), numpy.array([[mean, 0, 0]], complex))
        complaint = weft("ifft", "x.npy", "--width", "4", "--precision", "f32", "-o", "out.png", cwd=folder, said=True)
        assert wrong in complaint and "--depth" not in complaint, complaint



def test_every_strategy(folder):
    names = [line.split()[0] for line in weft("info").splitlines() if line.startswith("  cpu.")]
    assert names, "weft info lists no cpu strategy"
    for name in names:
        there_and_back(folder, 16, 32, png.GRAY, 8, "--strategy", name, "--precision", "f64")


def need_numpy():
    if numpy is None:
        raise Skip("this python3 has no numpy")


def numpy_differs(folder, height, width, depth, options, transform):
    samples = png.noise(height, width, png.GRAY, depth)
    png.write(os.path.join(folder, "in.png"), height, width, png.GRAY, depth, samples)
    weft("fft", "in.png", "-o", "x.npy", "--precision", "f64", *options, cwd=folder)
    ours = numpy.load(os.path.join(folder, "x.npy"))
    theirs = transform(numpy.array(samples, float).reshape(height, width))
    assert ours.shape == theirs.shape, f"{ours.shape}, NumPy has {theirs.shape}"
    error = numpy.linalg.norm(ours - theirs) / numpy.linalg.norm(theirs)
    assert error < 1e-14, f"{height}x{width}: {error}"


def test_numpy_rfft2(folder):
    need_numpy()
    for height, width in GRID:
        for norm in ("backward", "ortho", "forward"):
            numpy_differs(folder, height, width, 8, ["--norm", norm],
                          lambda x, n=norm: numpy.fft.rfft2(x, norm=n))
        numpy_differs(folder, height, width, 16, [], numpy.fft.rfft2)


def test_numpy_colour_planes(folder):
    need_numpy()
    samples = png.noise(6, 9, png.RGB, 8)
    png.write(os.path.join(folder, "in.png"), 6, 9, png.RGB, 8, samples)
    weft("fft", "in.png", "-o", "x.npy", "--precision", "f64", cwd=folder)
    planes = numpy.array(samples, float).reshape(6, 9, 3).transpose(2, 0, 1)
    assert numpy.allclose(numpy.load(os.path.join(folder, "x.npy")), numpy.fft.rfft2(planes), 1e-12)


def test_numpy_irfft2(folder):
    """A poisoned spectrum, not Hermitian in columns 0 and W/2: taken as NumPy takes it."""
    need_numpy()
    random = numpy.random.default_rng(7)
    for height, width in [(6, 8), (5, 8), (8, 2), (1, 4)]:
        bins = (height, width // 2 + 1)
        spectrum = random.normal(size=bins) + 1j * random.normal(size=bins)
        numpy.save(os.path.join(folder, "x.npy"), spectrum)
        weft("ifft", "x.npy", "-o", "y.npy", cwd=folder)
        ours = numpy.load(os.path.join(folder, "y.npy"))
        assert numpy.allclose(ours, numpy.fft.irfft2(spectrum), 1e-6, 1e-7), f"{height}x{width}"


def test_numpy_column_order(folder):
    """numpy.save of an array whose first index runs fastest, as numpy.fft.rfft2 may return it."""
    need_numpy()
    random = numpy.random.default_rng(8)
    for shape in [(5, 8), (3, 5, 8)]:
        pixels = random.integers(0, 256, shape)
        for spectrum in (numpy.fft.rfft2(pixels), numpy.asfortranarray(numpy.fft.rfft2(pixels).astype("c8"))):
            numpy.save(os.path.join(folder, "x.npy"), spectrum)
            weft("ifft", "x.npy", "-o", "y.npy", cwd=folder)
            weft("ifft", "x.npy", "-o", "y.png", cwd=folder)
            assert numpy.allclose(numpy.load(os.path.join(folder, "y.npy")), pixels, 1e-5, 1e-4), shape
            samples = numpy.array(png.read(os.path.join(folder, "y.png"))[4])
            interleaved = numpy.moveaxis(pixels, 0, -1) if len(shape) == 3 else pixels
            assert (samples == interleaved.ravel()).all(), shape


def test_column_order_packed(folder):
    need_numpy()
    png.write(os.path.join(folder, "in.png"), 6, 9, png.RGB, 8, png.noise(6, 9, png.RGB, 8))
    weft("fft", "in.png", "-o", "x.npy", "--layout", "packed", cwd=folder)
    packed = numpy.load(os.path.join(folder, "x.npy"))
    numpy.save(os.path.join(folder, "x.npy"), numpy.asfortranarray(packed))
    weft("ifft", "x.npy", "-o", "out.png", "--layout", "packed", "--width", "9", cwd=folder)
    assert png.read(os.path.join(folder, "out.png")) == png.read(os.path.join(folder, "in.png"))


def save(path, text, version=1, values=struct.pack("<4d", 3, 0, 1, 0), behind=b""):
    """A .npy file of any header; the values are the spectrum of the picture (2, 1)."""
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(text)) +
                   text.encode() + values + behind)


def header(descr="'<c16'", order="False", shape="(1, 2)", prefix=""):
    return f"{{{prefix}'descr': {descr}, {prefix}'fortran_order': {order}, {prefix}'shape': {shape}, }}"


def numbers(path):
    """(shape, values) of an array of real numbers that the tool wrote."""
    with open(path, "rb") as file:
        data = file.read()
    size = 10 + struct.unpack("<H", data[8:10])[0]
    kind, shape = re.search(r"'<(f\d)'.*'shape': (\([\d, ]*\))", data[10:size].decode()).groups()
    values = data[size:]
    return shape, struct.unpack(f"<{len(values) // int(kind[1])}{'d' if kind == 'f8' else 'f'}", values)


def test_headers(folder):
    """What NumPy writes, and more that it reads: versions, orders of bytes and of keys, names of types, what Python 2
    wrote."""
    path, out, plain = os.path.join(folder, "x.npy"), os.path.join(folder, "y.npy"), header()
    texts = [plain, plain + " " * 40 + "\n", plain + "  ", "\n\t " + plain.replace(" ", "\t\r\n\f"),
             plain.replace(" ", ""),
             header(shape="(1L, 2L)") + "\n", header(shape="(1L,2L,)"), header(descr="u'<c16'", prefix="u"),
             "{'shape': (1, 2), 'fortran_order': False, 'descr': \"<c16\"}", header(order="True"),
             "{'descr': 'f4', " + plain[1:], *(header(descr=f"'{name}'") for name in ("=c16", "|c16", "c16", "D", "<D")),
             *(header(descr=f"'{name}'") for name in ("complex128", "complex", "cdouble", "cfloat", "complex_"))]
    for version, text in [*((1, text) for text in texts), (2, plain), (3, plain), (2, plain + " " * 70000)]:
        save(path, text, version)
        weft("ifft", path, "-o", out, "--width", "2")
        assert numbers(out) == ("(1, 2)", (2, 1)), f"{version} {text[:90]!r}: {numbers(out)}"
    for kind, values in ((">c16", struct.pack(">4d", 3, 0, 1, 0)), ("<c8", struct.pack("<4f", 3, 0, 1, 0)),
                         (">c8", struct.pack(">4f", 3, 0, 1, 0)), *((name, struct.pack("<4f", 3, 0, 1, 0)) for name in ("F", "complex64", "csingle", "singlecomplex"))):
        save(path, header(descr=f"'{kind}'"), values=values)
        weft("ifft", path, "-o", out)
        assert numbers(out) == ("(1, 2)", (2, 1)), f"{kind}: {numbers(out)}"
    for kind, code in (("f4", "f"), ("f8", "d")):
        for order in "<>":
            save(path, header(descr=f"'{order}{kind}'"), values=struct.pack(f"{order}2{code}", 3, 1))
            weft("ifft", path, "-o", out, "--layout", "packed")
            assert numbers(out) == ("(1, 2)", (2, 1)), f"{order}{kind}: {numbers(out)}"
    for kind, code in (("single", "f"), ("float32", "f"), ("float", "d"), ("double", "d"), ("float_", "d")):
        save(path, header(descr=f"'{kind}'"), values=struct.pack(f"<2{code}", 3, 1))
        weft("ifft", path, "-o", out, "--layout", "packed")
        assert numbers(out) == ("(1, 2)", (2, 1)), f"{kind}: {numbers(out)}"


def test_headers_refused(folder):
    """In words about what is wrong."""
    path = os.path.join(folder, "x.npy")
    for text, version, words in ((header(descr="'|u1'"), 1, "type '|u1'"), (header(descr="'<i8'"), 1, "type '<i8'"),
                                 (header(descr="'|O'"), 1, "Python objects"), (header(descr="[('a', '<c8')]"), 1, "a simple type"),
                                 (header(shape="(1, 0)"), 1, "a side of 0"), (header(shape="()"), 1, "no array"),
                                 (header(shape="(1, -2)"), 1, 'a size expected at "-2'), (header(), 4, "version 4.0"),
                                 (header(shape="(0x1, 2)"), 1, 'a size in decimal digits expected at "0x1'),
                                 (header(shape="(1, 1, 1, 2)"), 1, "more than 3"), (header() + "x", 1, 'expected at "x"'),
                                 (header()[:-4], 1, "',' or ')'"), (" " * 2**20 + header(), 2, "at most 1048576"),
                                 ("{'descr': '<c16', 'shape': (1, 2)}", 1, "'fortran_order'")):
        save(path, text, version)
        said = weft("ifft", "x.npy", "-o", "y.png", cwd=folder, expect=BAD_INPUT, said=True)
        assert words in said, said
    assert os.listdir(folder) == ["x.npy"]


def test_numpy_big_endian(folder):
    need_numpy()
    pixels = numpy.random.default_rng(9).integers(0, 256, (3, 5, 8))
    for kind in (">c8", ">c16"):
        for array in (numpy.fft.rfft2(pixels).astype(kind), numpy.asfortranarray(numpy.fft.rfft2(pixels).astype(kind))):
            for version in ((1, 0), (2, 0), (3, 0)):
                with open(os.path.join(folder, "x.npy"), "wb") as file:
                    numpy.lib.format.write_array(file, array, version)
                weft("ifft", "x.npy", "-o", "y.npy", cwd=folder)
                assert numpy.allclose(numpy.load(os.path.join(folder, "y.npy")), pixels, 1e-5, 1e-4), (kind, version)


def test_bytes_behind_the_array(folder):
    """They are called what they are."""
    path = os.path.join(folder, "x.npy")
    save(path, header())
    with open(path, "rb") as file:
        whole = file.read()
    for behind, words in ((b"abc", "followed by 3 bytes, not"), (bytes(16), "16 bytes that begin with zeros"),
                          (bytes(512), "512 bytes that begin with zeros"), (b"Weft" * 30, "by 120 bytes, not"),
                          (whole, f"{len(whole)} bytes that begin another array"),
                          (b"WEFTSPEC" + bytes(9), "truncated: 17 bytes of the trailer's 64"),
                          (b"WE", "truncated: 2 bytes of the trailer's 64")):
        save(path, header(), behind=behind)
        said = weft("ifft", "x.npy", "-o", "y.png", cwd=folder, expect=BAD_INPUT, said=True)
        assert words in said, said
    save(path, header(), behind=b"x" * 200)
    with open(path, "rb") as file:
        piped = subprocess.run(f"cat | '{WEFT}' ifft - -o '{folder}/y.png'", shell=True, stdin=file,
                               capture_output=True, text=True, check=False)
    assert piped.returncode == BAD_INPUT and "by 64 or more bytes, not" in piped.stderr, piped.stderr
    assert os.listdir(folder) == ["x.npy"]


def test_one_column(folder):
    """2 (C - 1) = 0 is no width, as in NumPy; --width 1 is."""
    path, out = os.path.join(folder, "x.npy"), os.path.join(folder, "y.npy")
    save(path, header(shape="(2, 1)"))
    said = weft("ifft", path, "-o", out, expect=BAD_INPUT, said=True)
    assert "2 (C - 1) would be 0; say --width 1" in said, said
    assert weft("ifft", path, "-o", out, "--width", "1", said=True) == "" and numbers(out) == ("(2, 1)", (2, 1))


def test_assumed_width(folder):
    """Said where nobody else says it."""
    path, out, like = (os.path.join(folder, name) for name in ("x.npy", "y.npy", "like.png"))
    save(path, header(shape="(1, 3)"), values=struct.pack("<6d", 9, 0, 1, 2, 3, 0))
    assumed = f"weft: {path}: width 4 assumed of 3 columns; if it was odd, say --width 5"
    assert weft("ifft", path, "-o", out, said=True) == assumed
    png.write(like, 1, 5, png.GRAY, 8, [0] * 5)
    for options, shape in ((["--width", 4], "(1, 4)"), (["--width", 5], "(1, 5)"), (["--like", like], "(1, 5)")):
        assert weft("ifft", path, "-o", out, *options, said=True) == "" and numbers(out)[0] == shape, options
    weft("fft", like, "-o", path)
    assert weft("ifft", path, "-o", out, said=True) == ""


def test_numpy_full_spectrum(folder):
    """The fft2 of real numbers is told from half a spectrum, and said."""
    need_numpy()
    random = numpy.random.default_rng(3)
    for shape in ((5, 7), (6, 8), (1, 3), (1, 9), (3, 4, 6)):
        pixels = random.integers(0, 256, shape)
        for kind in ("c8", "c16"):
            numpy.save(os.path.join(folder, "x.npy"), numpy.fft.fft2(pixels).astype(kind))
            said = weft("ifft", "x.npy", "-o", "y.npy", cwd=folder, said=True)
            assert f"a full fft2, which is Hermitian: its picture is {shape[-1]} wide" in said, said
            assert numpy.allclose(numpy.load(os.path.join(folder, "y.npy")), pixels, 1e-5, 1e-3), shape
    spectrum = numpy.fft.fft2(random.normal(size=(6, 8)) + 30000)
    spectrum[2, 3] *= 1.5
    numpy.save(os.path.join(folder, "x.npy"), spectrum)
    assert "width 14 assumed of 8 columns" in weft("ifft", "x.npy", "-o", "y.npy", cwd=folder, said=True)
    assert "width 8 needs 5" in weft("ifft", "x.npy", "-o", "y.npy", "--width", 8, cwd=folder, expect=USAGE, said=True)


def test_numpy_shifted_spectrum(folder):
    """A spectrum whose mean was put into the middle makes a wrong picture, and that is said; others make no noise."""
    need_numpy()
    random = numpy.random.default_rng(4)
    for shape in ((5, 7), (6, 8), (6, 7), (3, 4, 6)):
        pixels = random.integers(0, 256, shape)
        for spectrum, axes in ((numpy.fft.fft2(pixels), (-2, -1)), (numpy.fft.rfft2(pixels), (-2,))):
            for moved in (spectrum, numpy.fft.fftshift(spectrum, axes)):
                numpy.save(os.path.join(folder, "x.npy"), moved)
                said = weft("ifft", "x.npy", "-o", "y.npy", cwd=folder, said=True)
                assert ("undo that with ifftshift" in said) == (moved is not spectrum), (shape, axes, said)
    spectrum = numpy.fft.rfft2(random.normal(size=(33, 40)))
    spectrum[0, 0] = 0  # as of a filter that takes the mean away
    numpy.save(os.path.join(folder, "x.npy"), spectrum)
    assert "shift" not in weft("ifft", "x.npy", "-o", "y.npy", cwd=folder, said=True)


def test_numpy_full_or_half(folder):
    """The fft2 of a symmetric picture can be half a spectrum too: which it is taken for is said, and how to choose."""
    need_numpy()
    fft2, rfft2 = numpy.fft.fft2, numpy.fft.rfft2
    peak = [numpy.exp(-numpy.minimum(numpy.arange(n), n - numpy.arange(n)) ** 2 / 9) for n in (5, 8, 9)]
    flat, impulse = numpy.full((5, 8), 7.0), numpy.eye(5, 8) * 200 * (numpy.arange(5) == 0)[:, None]
    steps = numpy.repeat(numpy.arange(5.0)[:, None], 8, 1)
    for picture in (numpy.outer(peak[0], peak[1]), numpy.outer(peak[0], peak[2]), flat, flat[:, :6], impulse, steps, 0 * flat):
        columns = picture.shape[1]
        half = f"; if it is half a spectrum, say --width {2 * (columns - 1)}"
        for options, hint in (([], half), (["--width", columns], "")):
            numpy.save(os.path.join(folder, "x.npy"), fft2(picture))
            said = weft("ifft", "x.npy", "-o", "y.npy", *options, cwd=folder, said=True)
            assert said == f"weft: x.npy: a full fft2, which is Hermitian: its picture is {columns} wide{hint}", said
            assert numpy.allclose(numpy.load(os.path.join(folder, "y.npy")), picture)
        weft("ifft", "x.npy", "-o", "y.npy", "--width", 2 * (columns - 1), cwd=folder)
        assert numpy.load(os.path.join(folder, "y.npy")).shape == (5, 2 * (columns - 1))
    for picture in (flat, impulse, steps, 0 * flat):
        numpy.save(os.path.join(folder, "x.npy"), rfft2(picture))
        said = weft("ifft", "x.npy", "-o", "y.npy", cwd=folder, said=True)
        assert said.endswith(": width 8 assumed of 5 columns; if it was odd, say --width 9, if all of an fft2, --width 5"), said
        assert numpy.allclose(numpy.load(os.path.join(folder, "y.npy")), picture)
    spectrum = fft2(flat[:, :6])
    spectrum[1, 2] = 1e-13j  # the mean's rounding
    numpy.save(os.path.join(folder, "x.npy"), spectrum)
    assert "its picture is 6 wide" in weft("ifft", "x.npy", "-o", "y.npy", cwd=folder, said=True)
    numpy.save(os.path.join(folder, "x.npy"), fft2(flat)[:, :2])
    weft("ifft", "x.npy", "-o", "y.npy", cwd=folder)
    assert numpy.load(os.path.join(folder, "y.npy")).shape == (5, 2)


def test_not_finite(folder):
    need_numpy()
    spectrum = numpy.ones((4, 3), complex)
    spectrum[1, 1], spectrum[2, 0] = numpy.nan, complex(1, numpy.inf)
    numpy.save(os.path.join(folder, "x.npy"), spectrum)
    assert "2 values" in weft("ifft", "x.npy", "-o", "y.png", cwd=folder, expect=BAD_INPUT, said=True)
    assert os.listdir(folder) == ["x.npy"]


def overflows(folder, count, *options):
    """Said with the count, and written all the same; with --strict a failure, and no file."""
    for name in ("y.npy", "y.png"):
        complaint = weft("ifft", "x.npy", "-o", name, "--width", "4", *options, cwd=folder, said=True)
        assert f"{count} values of the " in complaint and "too large for f32; say --precision f64" in complaint, complaint
        os.remove(os.path.join(folder, name))
        complaint = weft("ifft", "x.npy", "-o", name, "--width", "4", *options, "--strict", cwd=folder, expect=CHECK_FAILED, said=True)
        assert f"{count} values of the " in complaint and "nothing is written" in complaint, complaint
        assert os.listdir(folder) == ["x.npy"]


def test_overflow(folder):
    """Results that no float holds; and doubles that none holds, with --precision f32."""
    need_numpy()
    numpy.save(os.path.join(folder, "x.npy"), numpy.full((4, 3), 1e38, "complex64"))
    overflows(folder, "1 of 16", "--norm", "none")
    assert "finite" not in weft("ifft", "x.npy", "-o", "y.npy", "--width", "4", "--strict", cwd=folder, said=True)
    assert numpy.isfinite(numpy.load(os.path.join(folder, "y.npy"))).all()
    os.remove(os.path.join(folder, "y.npy"))
    spectrum = numpy.ones((4, 3), complex)
    spectrum[1, 1], spectrum[2, 1], spectrum[3, 0] = complex(1e300, -1e300), 1e39j, 1e38
    numpy.save(os.path.join(folder, "x.npy"), spectrum)
    overflows(folder, "2 of 12", "--precision", "f32")
    assert "finite" not in weft("ifft", "x.npy", "-o", "y.npy", "--width", "4", "--strict", cwd=folder, said=True)


def test_underflow(folder):
    """Doubles of which nothing is left as floats are said; single ones are lost in the rounding of the others."""
    need_numpy()
    for values, lost in (([1e-320] * 3, True), ([3e-39] * 3, True), ([1, 1e-300, 1e-320], False), ([0] * 3, False)):
        numpy.save(os.path.join(folder, "x.npy"), numpy.array([values], complex))
        for strict in ([], ["--strict"]):
            said = weft("ifft", "x.npy", "-o", "y.npy", "--width", "4", "--precision", "f32", *strict, cwd=folder, said=True,
                        expect=CHECK_FAILED if lost and strict else DONE)
            assert ("too small for f32: the largest is" in said) == lost and (lost or said == ""), (values, said)
        assert weft("ifft", "x.npy", "-o", "y.npy", "--width", "4", "--strict", cwd=folder, said=True) == ""


def test_spectrum_picture(folder):
    png.write(os.path.join(folder, "in.png"), 16, 24, png.GRAY, 8, [9] * 16 * 24)
    weft("spectrum", "in.png", "-o", "s.png", cwd=folder)
    height, width, _, _, samples = png.read(os.path.join(folder, "s.png"))
    assert (height, width) == (16, 24)
    assert samples[8 * 24 + 12] == 255 and sum(samples) == 255, "a constant has energy but in the middle"


def test_output_names(folder):
    """No picture under the name of another kind of file, refused before the input is looked for."""
    for command, written, others in ((["spectrum", "none.png"], ".png", (".bmp", ".npz")),
                                     (["scene", "8x8"], ".png", (".jpg", ".npy")), (["fft", "none.png"], ".npy", (".png", ".npz")),
                                     (["ifft", "none.npy"], ".png or ", (".bmp", ".tifff", ".npz", ".npy~"))):
        for name in [start + other for other in others for start in ("z", "a.png/z", "z.npy")]:
            complaint = weft(*command, "-o", name, cwd=folder, expect=USAGE, said=True)
            assert f"-o {name}: only {written}" in complaint and "is written" in complaint, complaint
    for command in ("bench", "verify", "info", "reproduce"):
        assert "only .json is" in weft(command, "--json", "in.png", cwd=folder, expect=USAGE, said=True), command
    os.mkfifo(os.path.join(folder, "z.pipe"))
    assert "none.png: No such" in weft("fft", "none.png", "-o", "z.pipe", cwd=folder, expect=FILE, said=True)
    os.remove(os.path.join(folder, "z.pipe"))
    for name in ("z.PNG", "z", "./.z", "-"):
        done = subprocess.run([WEFT, "scene", "8x8", "-o", name], capture_output=True, cwd=folder, check=True)
        assert done.stdout[1:4] == (b"PNG" if name == "-" else b""), name
    assert sorted(os.listdir(folder)) == [".z", "z", "z.PNG"], os.listdir(folder)


def test_output_is_an_input(folder):
    """By any name or link; refused without --force, and by what writes documents."""
    sample_png(folder)
    weft("fft", "in.png", "-o", "x.npy", cwd=folder)
    for name in ("in.png", "x.npy"):
        os.symlink(name, os.path.join(folder, "soft-" + name))
        os.link(os.path.join(folder, name), os.path.join(folder, "hard-" + name))
    os.symlink("in.png", os.path.join(folder, "in.json"))
    before = {name: os.stat(os.path.join(folder, name)).st_mtime_ns for name in os.listdir(folder)}
    for start in ("", "./", "soft-", "hard-", folder + "/"):
        for command, of in ((["spectrum", "in.png"], "in.png"), (["ifft", "x.npy"], "x.npy"),
                            (["ifft", "x.npy", "--like", "in.png"], "in.png")):
            complaint = weft(*command, "-o", start + of, cwd=folder, expect=USAGE, said=True)
            assert f"-o {start}{of}: is the input {of}; say --force" in complaint, complaint
    for command in (["bench", "--image"], ["bench", "--sweep"], ["reproduce", "dx11", "--image"]):
        complaint = weft(*command, "in.png", "--json", "in.json", cwd=folder, expect=USAGE, said=True)
        assert "--json in.json: is the input in.png" in complaint, complaint
    with open(os.path.join(folder, "x.npy"), "rb") as file:
        assert "is the input -" in weft("ifft", "-", "-o", "x.npy", cwd=folder, expect=USAGE, said=True, stdin=file)
    assert before == {name: os.stat(os.path.join(folder, name)).st_mtime_ns for name in os.listdir(folder)}
    weft("ifft", "x.npy", "-o", "x.npy", "--force", cwd=folder)
    assert numbers(os.path.join(folder, "x.npy"))[0] == "(8, 8)"


def test_scene_is_deterministic(folder):
    for name in ("a", "b"):
        weft("scene", "33x47", "-o", name + ".png", "--seed", 3, "--depth", 16, "--rgb", cwd=folder)
    weft("scene", "33x47", "-o", "c.png", "--seed", 4, "--depth", 16, "--rgb", cwd=folder)
    a, b, c = (png.read(os.path.join(folder, name + ".png")) for name in "abc")
    assert a == b and a[:4] == (33, 47, png.RGB, 16) and a[4] != c[4]


def test_scene_is_a_picture_or_a_video(folder):
    for output, more, words in (("a.y4m", [], "-o a.y4m: a video needs --sequence NAME\n"),
                                ("a.jpg", [], "-o a.jpg: only .png is written\n"),
                                ("a.png", ["--sequence", "pan"], "-o a.png: only .y4m is written\n")):
        assert words in (said := weft("scene", "8x8", "-o", output, *more, cwd=folder, expect=USAGE, said=True)), said
    assert not os.listdir(folder)


def sample_png(folder, name="in.png"):
    png.write(os.path.join(folder, name), 8, 8, png.GRAY, 8, list(range(64)))
    return os.path.join(folder, name)


def refuse(folder, name, data, expect=BAD_INPUT):
    """A file of these bytes is refused and no output appears. Returns what the tool said."""
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)
    before = sorted(os.listdir(folder))
    complaint = weft("fft", name, "-o", "out.npy", cwd=folder, expect=expect, said=True)
    assert sorted(os.listdir(folder)) == before, f"{name}: left {os.listdir(folder)}"
    return complaint


def test_missing_input(folder):
    weft("fft", "nowhere.png", "-o", "out.npy", cwd=folder, expect=FILE)
    weft("ifft", "nowhere.npy", "-o", "out.png", cwd=folder, expect=FILE)
    assert os.listdir(folder) == []


def test_not_a_png(folder):
    """What takes nothing else says what it is instead; test_images.py has the others."""
    for start, kind in ((b"\xff\xd8\xff\xe0\0\x10JFIF\0", "a JPEG picture"), (b"P6\n8 8\n255\n", "a PPM picture"),
                        (b"P3 8 8 255 ", "a PPM picture"), (b"P5\n", "a PGM picture"), (b"P4\n", "a PBM picture")):
        with open(os.path.join(folder, "other.png"), "wb") as file:
            file.write(start + bytes(500))
        said = weft("bench", "--image", "other.png", cwd=folder, expect=BAD_INPUT, said=True)
        assert f"not a PNG file but {kind};" in said, said
    assert "empty file" in refuse(folder, "empty.png", b"")
    for text in (b"this is no picture\n" * 40, b"short", b"\x89"):
        assert ("no picture" in refuse(folder, "text.png", text)) == (text != b"\x89"), text


def test_truncated_png(folder):
    with open(sample_png(folder), "rb") as file:
        data = file.read()
    for size in (8, 20, 33, 40, len(data) - 20, len(data) - 14):
        refuse(folder, "cut.png", data[:size])
    assert "truncated: at least " in refuse(folder, "cut.png", data[:20])


def test_corrupt_png(folder):
    with open(sample_png(folder), "rb") as file:
        data = bytearray(file.read())
    data[45] ^= 0x55
    refuse(folder, "corrupt.png", bytes(data))


def test_absurd_dimensions(folder):
    head = b"\x89PNG\r\n\x1a\n"
    for width, height in ((0, 5), (5, 0), (2**31 - 1, 2**31 - 1)):
        size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
        refuse(folder, "absurd.png", head + png.chunk(b"IHDR", size + b"\x08\0\0\0\0") +
               png.chunk(b"IDAT", b"") + png.chunk(b"IEND", b""))


def test_larger_than_the_limit(folder):
    """Which is --max-pixels, however long the sides are."""
    for width, height in ((2**31 - 1, 2**31 - 1), (1000001, 1100)):
        size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
        said = refuse(folder, "large.png", b"\x89PNG\r\n\x1a\n" + png.chunk(b"IHDR", size + b"\x08\0\0\0\0") +
                      png.chunk(b"IDAT", b"") + png.chunk(b"IEND", b""))
        assert f"{height}x{width} is {height * width} pixels; --max-pixels is 1073741824" in said, said
    png.write(os.path.join(folder, "long.png"), 1, 1000001, png.GRAY, 8, [1] * 1000001)
    weft("spectrum", "long.png", "-o", "out.png", cwd=folder)
    for command in (["bench", "--image"], ["spectrum", "-o", "out.png"]):
        said = weft(*command, "long.png", "--max-pixels", 1000000, cwd=folder, expect=BAD_INPUT, said=True)
        assert "1x1000001 is 1000001 pixels; --max-pixels is 1000000" in said, said


def test_bad_npy(folder):
    for name, data, why in (("empty.npy", b"", "empty file"), ("text.npy", b"no array", "not a .npy file"),
                            ("short.npy", b"hello", "not a .npy file"), ("begun.npy", b"\x93NUM", "only 4 bytes"),
                            ("cut.npy", b"\x93NUMPY\1\0v\0{'descr': '<c8'", "truncated")):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
        complaint = weft("ifft", name, "-o", "out.png", cwd=folder, expect=BAD_INPUT, said=True)
        assert why in complaint, complaint
    assert "out.png" not in os.listdir(folder)


def test_checksum_of_trailer(folder):
    """One without alpha is 0 in old files, and so nothing that is checked."""
    sample_png(folder)
    weft("fft", "in.png", "-o", "x.npy", cwd=folder)
    with open(os.path.join(folder, "x.npy"), "rb") as file:
        whole = file.read()
    array, trailer = whole[:-64], whole[-64:]
    for at, number, expect in ((44, 1, BAD_INPUT), (12, trailer[12] ^ 1, BAD_INPUT), (slice(12, 16), bytes(4), DONE)):
        changed = bytearray(trailer)
        changed[at] = number
        with open(os.path.join(folder, "changed.npy"), "wb") as file:
            file.write(array + changed)
        weft("ifft", "changed.npy", "-o", "out.png", cwd=folder, expect=expect)


def test_usage(folder):
    sample_png(folder)
    for arguments in ([], ["nonsense"], ["fft"], ["fft", "in.png"], ["fft", "--nonsense", "in.png", "-o", "x.npy"],
                      ["fft", "in.png", "in.png", "-o", "x.npy"], ["scene", "0x0", "-o", "x.png"],
                      ["scene", "8", "-o", "x.png"], ["scene", "8x-8", "-o", "x.png"],
                      ["scene", "8x8x8", "-o", "x.png"], ["bench", "--size", "0x0"], ["bench", "--size", "0x5"],
                      ["verify", "--size", "5x0"], ["verify", "--size", "-5x5"],
                      ["bench", "--size", "99999999999999999999x2"], ["bench", "--repeat", "0"],
                      ["fft", "in.png", "-o", "x.npy", "--strategy", "cpu.nonsense"],
                      ["bench", "--size", "8x8", "--strategy", "cpu.nonsense"],
                      ["fft", "in.png", "-o", "x.npy", "--precision", "f16"],
                      ["fft", "in.png", "-o", "x.npy", "--threads", "-1"],
                      ["fft", "in.png", "-o", "x.npy", "--norm", "unitary"]):
        weft(*arguments, cwd=folder, expect=USAGE)
    assert os.listdir(folder) == ["in.png"]


def test_empty_file_names(folder):
    """Refused immediately, not after the work."""
    sample_png(folder)
    for command in ("bench", "verify", "info", "reproduce"):
        for arguments in (["--json="], ["--image="] if command in ("bench", "reproduce") else ["--json", ""]):
            complaint = weft(command, *arguments, cwd=folder, expect=USAGE, said=True)
            assert f"{arguments[0].strip('=')}: no file name" in complaint, complaint
    for command in ("fft", "ifft", "spectrum"):
        assert "input: no file name" in weft(command, "", "-o", "x", cwd=folder, expect=USAGE, said=True), command
    for command in (["fft", "in.png"], ["ifft", "x.npy"], ["spectrum", "in.png"], ["scene", "8x8"]):
        assert "-o: no file name" in weft(*command, "-o", "", cwd=folder, expect=USAGE, said=True), command
    assert "--like: no" in weft("ifft", "x.npy", "--like=", "-o", "x.png", cwd=folder, expect=USAGE, said=True)
    assert os.listdir(folder) == ["in.png"]


REPEATABLE = {"reproduce": ["--from", "--image", "--video"], "bench": ["--strategy", "--threads"], "verify": ["--size", "--strategy"],
              "fractal bench": ["--search", "--threads"],
              "filter": [f"--{name}" for name in ("gaussian", "sharpen", "lowpass", "highpass", "bandpass", "bandstop", "flatten",
                                                  "notch", "stripes")]}


def test_given_twice(_):
    """Every option with a value, but for those whose help says otherwise."""
    for command in COMMANDS:
        options = re.findall(r"^ {2,6}(?:-\w, +)?(--[a-z-]+)=", weft(*command.split(), "--help"), re.M)
        assert options, command
        for option in options:
            if option not in REPEATABLE.get(command, []):
                complaint = weft(*command.split(), option, "8", f"{option}=9", expect=USAGE, said=True)
                assert complaint.startswith(f"weft {command}: {option} 9: given twice\n"), complaint
    assert "--output b.npy: given twice" in weft("fft", "-o", "a.npy", "-ob.npy", expect=USAGE, said=True)
    assert "no input" in weft("fft", "--gray", "--gray", expect=USAGE, said=True)


def test_did_you_mean(_):
    for arguments, meant in ((["ftt"], "fft?"), (["FFT"], "fft?"), (["bnech"], "bench?"), (["spec"], "spectrum?"),
                             (["hlep"], "help?"), (["help", "verfy"], "verify?"), (["--hepl"], "--help?"),
                             (["--verison"], "--version?"), (["fft", "--presicion", "f64"], "--precision?"),
                             (["fft", "--ouput=x.npy"], "--output?"), (["scene", "--sed=3"], "--seed?"),
                             (["bench", "--swep", "1..2"], "--sweep?")):
        assert f"did you mean {meant}" in (said := weft(*arguments, expect=USAGE, said=True)), said
    for arguments, words in ((["something"], "'something'; weft --help"), (["fft", "--zoom=3"], "unknown option --zoom\n"),
                             (["fft", "-x"], "unknown option -x\n"), (["bench", "--pi"], "--pixel: real|u8|u16 is missing"),
                             (["fft", "--gray=1"], "--gray: takes no value"), (["-x", "fft"], "unknown option -x"),
                             (["bench", "--s", "1"], "--s: may be --size or --sweep"), (["fft", "--like", "x"], "option --like")):
        assert words in (said := weft(*arguments, expect=USAGE, said=True)), said


def test_control_characters(folder):
    """What is typed cannot reach the terminal as anything but text, in one line."""
    evil = "a\x1b[31m\nb\r\x7f\x9bc"
    for arguments in ([evil], ["--" + evil], ["-\x1b"], ["help", evil], ["fft", "--" + evil], ["fft", "-\x1b"], ["fft", evil],
                      ["fft", evil, "-o", "x.npy"], ["fft", evil, evil], ["fft", "x.png", "-o", f"{evil}.jpg"],
                      ["fft", "x.png", "-o", "x.npy", "--strategy", evil], ["fft", "--gray=" + evil, "x.png"],
                      ["ifft", evil, "-o", "x.npy"], ["ifft", "--like", evil, "x.npy", "-o", "x.png"],
                      ["ifft", "--width", evil], ["spectrum", "--max", evil], ["spectrum", "--depth", evil],
                      ["scene", evil], ["scene", "8x8", "-o", evil + "/x.png"], ["bench", "--size", evil],
                      ["bench", "--threads", evil], ["bench", "--sweep", evil], ["bench", "--image", evil],
                      ["bench", "--json", evil + "/x.json"], ["bench", evil], ["verify", "--strategy", evil],
                      ["verify", evil], ["verify", "--json", evil + ".x"], ["info", evil], ["info", "--precision", evil],
                      ["info", "--size", "8x8", "--strategy", evil], ["reproduce", evil],
                      ["reproduce", "dx11", "--image", evil]):
        done = subprocess.run([WEFT, *arguments], capture_output=True, cwd=folder, check=False)
        said = done.stderr.decode()
        assert done.returncode in (USAGE, FILE) and said.startswith("weft") and not done.stdout, (arguments, done)
        lines = 2 if "Try `weft" in said else 1
        assert said.count("\n") == lines and said.replace("\n", "").isprintable(), (arguments, said)
    done = subprocess.run([WEFT.encode(), b"fft", b"a\x9b\xc3\xa4\xe2\x82", b"-o", b"x.npy"], capture_output=True, cwd=folder,
                          check=False)
    assert b"a?\xc3\xa4\xe2?:" in done.stderr, done # a byte that is a control character without UTF-8
    shown = weft("info", env=dict(os.environ, WEFT_ISA="a\x1b[31m"))
    assert "WEFT_ISA a?[31m: must be plain" in shown, shown
    sample_png(folder, evil + ".png")
    shown = weft("bench", "--image", evil + ".png", "--strategy", "cpu.reference", "--repeat", 1, cwd=folder)
    assert "a?[31m?b????c.png timed" in shown and shown.endswith("\n\ncolumns: weft bench --help\n"), shown


def test_wrong_strategy(folder):
    """Refused in one line that names it, before any file is looked for."""
    wrong = {"cpu.nonsense": '"cpu.nonsense"', "": '""', "cpu:foo=1": '"cpu:foo=1"',
             "cpu.reference:foo=1": 'cpu.reference: option "foo=1"', "cpu.reference:": 'option ""',
             "cpu.reference:foo=1:bar=2": 'option "foo=1"', "cpu.reference:foo": 'option "foo"'}
    of_a_list = {"cpu.report,cpu.nonsense,cpu.reference": '"cpu.nonsense"', "cpu.reference,foo=1": '"foo=1"',
                 "cpu,cpu.reference:foo=1,bar=2,auto": 'option "foo=1"', "copy:foo=1": 'copy: option "foo=1"'}
    for command in (["fft", "nowhere.png", "-o", "x.npy"], ["ifft", "nowhere.npy", "-o", "x.png"],
                    ["bench", "--image", "nowhere.png"], ["verify"]):
        for name, words in (wrong if "-o" in command else wrong | of_a_list).items():
            complaint = weft(*command, "--strategy", name, cwd=folder, expect=USAGE, said=True)
            assert words in complaint and "\n" not in complaint, f"{command[0]} {name}: {complaint}"
    assert os.listdir(folder) == []


def bench_names(folder, *asked):
    """What a bench of these lists of names calls them in its document."""
    given = [word for names in asked for word in ("--strategy", names)]
    weft("bench", "--size", "16x16", "--repeat", "1", *given, "--json", "b.json", cwd=folder)
    with open(os.path.join(folder, "b.json"), encoding="utf-8") as file:
        document = json.load(file)
    return {record["strategy"] for record in document["results"] + document["skipped"]}


def test_options_of_strategies(folder):
    """A name keeps the options that are not at their defaults; commas and colons stand between them."""
    having = [one for one in json.loads(weft("info", "--json", "-"))["strategies"] if one["options"]]
    if not having:
        raise Skip("no strategy of this build has options")
    for one in having:
        name, options = one["name"], one["options"]
        in_words = " ".join(f"{key}={'|'.join(values)}" for key, values in options.items())
        assert f" options: {in_words} (" in weft("info")
        other = [f"{key}={values[-1]}" for key, values in options.items()]
        default = [f"{key}={values[0]}" for key, values in options.items()]
        full = ":".join([name, *other])
        for asked, called in ((":".join([name, *default]), name), (full, full), (f"{name}:{','.join(other)}", full),
                              (":".join([name, *default[:-1], other[-1]]), f"{name}:{other[-1]}")):
            if one["runs"]:
                assert bench_names(folder, asked + ",cpu.reference") == {called, "cpu.reference"}, asked
            else:
                complaint = weft("bench", "--strategy", asked + ",cpu.reference", expect=GPU, said=True)
                assert complaint.startswith(f"weft: {called}: "), complaint
        for key in options:
            complaint = weft("verify", "--strategy", f"{name}:{key}=nonsense", expect=USAGE, said=True)
            assert f'option "{key}=nonsense"' in complaint and in_words in complaint, complaint
            twice = f"{key}={options[key][0]}"
            complaint = weft("bench", "--strategy", f"{name}:{twice}:{twice}", expect=USAGE, said=True)
            assert f'{name}: option "{twice}": given twice' in complaint, complaint


def plan_of(*arguments):
    """The lines of what a plan says of itself, the heads of passes as their first words."""
    first, *passes, last, good = weft("info", *arguments).splitlines()
    assert last.startswith("  workspace ") and good.startswith("  good size "), (last, good)
    return first, [line.split()[0] for line in passes]


def test_info_of_plan(_):
    """A plan for every size; what is asked for stands in its first line."""
    assert plan_of("--size", "60x77", "--strategy", "cpu.reference") == (
        "60x77 f32, packed, cpu.reference", ["tangle", "cols", "untangle", "fold", "rows"])
    first, passes = plan_of("--size", "60x77", "--strategy", "cpu.fast", "--precision", "f64", "--layout", "half",
                            "--pixel", "u8", "--batch", 3, "--threads", 1)
    assert first.startswith("60x77 f64, u8 pixels, half, batch of 3, cpu.fast on "), first
    assert passes == ["columns", "rows"], passes
    document = json.loads(weft("info", "--size", "8x8", "--json", "-"))
    assert document["plan"].startswith("8x8 f32, packed, "), document["plan"]
    assert document["good_size"] == "8x8", document["good_size"]
    assert "plan" not in json.loads(weft("info", "--json", "-"))


def test_info_refuses(_):
    for wrong, words in [(["--batch", 2], "--batch: is of a plan, and that needs --size"),
                         (["--size", "8"], "--size 8: must be HxW"),
                         (["--size", "8x8", "--threads", 0], "--threads 0: must be"),
                         (["--size", "8x8", "--strategy", "cpu.fastest"], 'strategy "cpu.fastest": unknown'),
                         (["--size", "9x9", "--strategy", "cpu.report"], "must be powers of two")]:
        said = weft("info", *wrong, expect=USAGE, said=True)
        assert words in said, f"{wrong}: {said}"


def test_verbose(folder):
    """Each plan is described on standard error, once; standard output is what it was."""
    photo, spectrum = (os.path.join(folder, name) for name in ("in.png", "out.npy"))
    png.write(photo, 6, 9, png.RGB, 8, png.noise(6, 9, png.RGB, 8))
    for command in (["fft", photo, "-o", spectrum], ["ifft", spectrum, "-o", os.path.join(folder, "out.png")],
                    ["spectrum", photo, "-o", os.path.join(folder, "drawn.png")]):
        said = weft(*command, "--strategy", "cpu.reference", "--verbose", said=True)
        assert said.count("batch of 3, cpu.reference\n  tangle ") == 1, said
        assert "cpu.reference" not in weft(*command, "--strategy", "cpu.reference", said=True)
    said = weft("bench", "--size", "4x6", "--repeat", 1, "--strategy", "cpu.reference,copy", "--verbose", said=True)
    assert said.startswith("4x6 f32, packed, cpu.reference\n") and said.count("\n  workspace ") > 1, said


def test_info_json(_):
    """Options are an object of lists, empty where there are none; the kinds of pictures are those of --version."""
    document = json.loads(weft("info", "--json", "-"))
    assert f"pictures: {document['pictures']}; " in weft("--version") and f"pictures  {document['pictures']}\n" in weft("info")
    for one in document["strategies"]:
        require("strategy", {"name": str, "about": str, "options": dict, "runs": bool}, one)
        assert one["runs"] == (one["reason"] is None), one
        for values in one["options"].values():
            assert len(values) > 1 and all(isinstance(value, str) for value in values), one
        assert one["here"] is None or isinstance(one["here"], str), one


def test_info_searches(_):
    """Each search of the codec with the profiles that it takes, or why it cannot run; as text, too."""
    for environment in ({}, {"WEFT_ISA": "sse9"}):
        environment = dict(os.environ, **environment)
        searches = json.loads(weft("info", "--json", "-", env=environment))["searches"]
        text = weft("info", env=environment).split("searches of the fractal codec, fastest first:\n")[1]
        assert [one["name"] for one in searches if one["name"] != "cuda"] == ["cpu", "fft", "seq"], searches
        for one in searches:
            require("search", {"name": str, "about": str, "profiles": list, "runs": bool}, one)
            assert one["runs"] == (one["reason"] is None) == bool(one["profiles"]), one
            row = f"  {one['name']:<17} {one['about']}" + (f"; profiles: {', '.join(one['profiles'])}" if one["runs"] else "")
            assert row in text.splitlines(), (row, text)
            assert one["runs"] or f"cannot run here: {one['reason']}\n" in text or "cannot run here: as above\n" in text, text
        found = {one["name"]: one for one in searches}
        assert found["seq"]["profiles"] == ["seed", "dense"]
        if environment.get("WEFT_ISA") == "sse9":
            assert "WEFT_ISA sse9: must be plain, v2, v3 or v4" == found["cpu"]["reason"] == found["fft"]["reason"], found
        else:
            assert found["cpu"]["profiles"] == ["seed"] and found["fft"]["profiles"] == ["dense"], found


# What has to be among the flags of /proc/cpuinfo, beside those of the sets before.
INSTRUCTIONS = {"plain": "", "v2": "sse4_2 popcnt", "v3": "avx2 fma bmi1 bmi2",
                "v4": "avx512f avx512bw avx512cd avx512dq avx512vl"}


def cpu_fast(**environment):
    """What `weft info` knows of it."""
    every = json.loads(weft("info", "--json", "-", env=dict(os.environ, **environment)))["strategies"]
    return next(one for one in every if one["name"] == "cpu.fast")


def test_best_instructions(_):
    """cpu.fast has each instruction set that this CPU has, and takes the last of them by itself."""
    if os.environ.get("WEFT_TEST_SIMD") != "1":
        raise Skip("this build has plain C only")
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = next(set(line.split()) for line in file if line.startswith("flags"))
    has, last = True, None
    for word, wanted in INSTRUCTIONS.items():
        has = has and flags.issuperset(wanted.split())
        fast = cpu_fast(WEFT_ISA=word)
        assert fast["runs"] == has, (word, fast)
        last = fast["here"] if has else last
    assert cpu_fast(WEFT_ISA="")["here"] == last, last
    wrong = cpu_fast(WEFT_ISA="sse9")
    assert not wrong["runs"] and wrong["here"] is None and "sse9" in wrong["reason"], wrong


def test_instruction_sets(folder):
    """What cpu.fast takes is said, and that its bits differ where it has no fused multiply-add."""
    png.write(os.path.join(folder, "in.png"), 16, 16, png.GRAY, 8, list(range(256)))
    for word, differs in (("plain", False), ("v2", True), ("v3", False), ("v4", False)):
        environment = dict(os.environ, WEFT_ISA=word)
        fast = cpu_fast(WEFT_ISA=word)
        if fast["runs"]:
            assert ("bits differ" in fast["here"]) == differs, fast
            weft("fft", "in.png", "-o", f"{word}.npy", "--strategy", "cpu.fast", cwd=folder, env=environment)
    complaint = weft("fft", "in.png", "-o", "x.npy", "--strategy", "cpu.fast", cwd=folder, expect=USAGE, said=True,
                     env=dict(os.environ, WEFT_ISA="sse9"))
    assert "WEFT_ISA sse9: must be plain, v2, v3 or v4" in complaint, complaint
    complaint = weft("bench", "--size", "16x16", "--strategy", "cpu.reference,cpu.fast", "--json", "b.json", cwd=folder,
                     expect=USAGE, said=True, env=dict(os.environ, WEFT_ISA="sse9"))
    assert "WEFT_ISA sse9: must be" in complaint and "cpu.reference" not in complaint, complaint
    assert not os.path.exists(os.path.join(folder, "b.json"))


def test_wrong_instruction_set(_):
    """Refused at every size, by whatever may take cpu.fast."""
    wrong = dict(os.environ, WEFT_ISA="sse9")
    for size in ("1x1", "1x7", "2x2", "16x16", "33x34", "97x1", "100x100"):
        for command in (["info", "--strategy", "cpu"], ["bench"], ["verify"]):
            said = weft(*command, "--size", size, expect=USAGE, said=True, env=wrong)
            assert "WEFT_ISA sse9: must be" in said, said
    for arguments in (["8..10"], ["9..9", "--strategy", "cpu.report,cpu.fast"]):
        said = weft("bench", "--repeat", 1, "--sweep", *arguments, expect=USAGE, said=True, env=wrong)
        assert said == "weft: WEFT_ISA sse9: must be plain, v2, v3 or v4", said


def test_size_refused(folder):
    """With what the strategy takes, and how to do without it."""
    png.write(os.path.join(folder, "in.png"), 6, 9, png.GRAY, 8, png.noise(6, 9, png.GRAY, 8))
    weft("fft", "in.png", "-o", "x.npy", cwd=folder)
    takes = "weft: cpu.report: 6x9: height and width must be powers of two; omit --strategy, and cpu.fast is taken"
    for command in (["fft", "in.png", "-o", "y.npy"], ["ifft", "x.npy", "-o", "y.png"],
                    ["spectrum", "in.png", "-o", "y.png"], ["info", "--size", "6x9"]):
        assert weft(*command, "--strategy", "cpu.report", cwd=folder, expect=USAGE, said=True) == takes
    for command in (["bench", "--size", "6x9"], ["bench", "--sweep", "9..9"], ["verify", "--size", "6x9"]):
        assert "; omit --strategy" in weft(*command, "--strategy", "cpu.report", expect=USAGE, said=True), command


def test_unwritable_output(folder):
    sample_png(folder)
    weft("fft", "in.png", "-o", "no/such/folder/x.npy", cwd=folder, expect=FILE)
    weft("scene", "8x8", "-o", ".", cwd=folder, expect=FILE)
    if os.path.exists("/dev/full"):
        for command in (["info"], ["scene", "99x99", "-o", "-"], ["fft", "in.png", "-o", "-"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([WEFT, *command], stdout=full, stderr=subprocess.PIPE, check=False, cwd=folder)
            assert done.returncode == FILE, f"{command} to a full disk: exit {done.returncode}"
            said = done.stderr.decode().strip()
            if SANITIZED:  # its OpenMP flushes what is printed, and has the reason
                said = said.removesuffix(": No space left on device") + ": No space left on device"
            assert said == "weft: standard output: cannot write: No space left on device", said
    assert os.listdir(folder) == ["in.png"]


def test_failure_keeps_the_old_file(folder):
    sample_png(folder)
    for name, content in (("out.npy", b"precious"), ("cut.png", b"\x89PNG\r\n\x1a\n")):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    weft("fft", "cut.png", "-o", "out.npy", cwd=folder, expect=BAD_INPUT)
    with open(os.path.join(folder, "out.npy"), "rb") as file:
        assert file.read() == b"precious", "the old output is gone"


def interrupt(folder, arguments, number, ready):
    """Signals the tool once ready() says so; it must be gone immediately, which on a busy machine may be seconds, and
    was 5.4 s under a sanitizer, which waits at the end."""
    if THREAD_SANITIZER:
        raise Skip("ThreadSanitizer keeps a signal back until the next call that it watches, which may never come")
    with subprocess.Popen([WEFT, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          env={**os.environ, "TMPDIR": folder}, text=True) as run:
        while run.poll() is None and not ready():
            time.sleep(0.01)
        run.send_signal(number)
        start = time.monotonic()
        complaint = run.communicate(timeout=60)[1]
        assert time.monotonic() - start < (20 if SANITIZED else 5), f"{arguments[0]} went on for {time.monotonic() - start:.1f} s"
        assert (run.returncode, complaint) == (SIGNAL + number, "weft: interrupted\n"), \
            f"{arguments[0]}: exit {run.returncode}: {complaint}"


def test_interrupted_computing(folder):
    for number in ENDING[:4]:
        begin = time.monotonic()
        interrupt(folder, ["verify", "--size", "2048x2048"], number, lambda b=begin: time.monotonic() > b + 0.5)


def test_interrupted_writing(folder):
    with open(os.path.join(folder, "out.png"), "wb") as file:
        file.write(b"precious")
    for number in ENDING[::4 if SANITIZED else 1]:
        interrupt(folder, ["scene", "2000x2000", "--rgb", "-o", "out.png"], number, lambda: len(os.listdir(folder)) > 1)
        assert os.listdir(folder) == ["out.png"], f"{number} left {os.listdir(folder)}"
    with open(os.path.join(folder, "out.png"), "rb") as file:
        assert file.read() == b"precious", "the old output is gone"


def test_interrupted_bench_of_files(folder):
    for number in (signal.SIGINT, signal.SIGQUIT):
        interrupt(folder, ["bench", "--size", "1024x1024", "--strategy", "cpu.reference", "--file"], number,
                  lambda: os.listdir(folder))
        assert os.listdir(folder) == [], f"{number} left {os.listdir(folder)}"


def test_bench_without_a_folder_for_files(folder):
    complaint = weft("bench", "--size", "16x16", "--strategy", "cpu.reference", "--file", expect=FILE, said=True,
                     env={**os.environ, "TMPDIR": os.path.join(folder, "nowhere")})
    assert "nowhere: No such file" in complaint and "TMPDIR" in complaint, complaint


def test_interrupted_at_the_worst_instant(folder):
    """Right after a folder or a temporary file is there: it goes again, and a file of the name that was asked for
    stays."""
    if DISTURBING is None:
        raise Skip("disturbing.c was not given")
    out = os.path.join(folder, "out.png")
    with open(out, "wb") as file:
        file.write(b"precious")
    for what, arguments in (("file", ["scene", "8x8", "-o", out]),
                            ("folder", ["bench", "--size", "16x16", "--strategy", "cpu.reference", "--file"])):
        complaint = weft(*arguments, expect=SIGNAL + signal.SIGINT, said=True, env={**disturbing(what), "TMPDIR": folder})
        assert complaint == "weft: interrupted", complaint
        assert os.listdir(folder) == ["out.png"], f"{what}: left {os.listdir(folder)}"
    with open(out, "rb") as file:
        assert file.read() == b"precious", "the old output is gone"


def test_no_gpu_when_asked(folder):
    sample_png(folder)
    machine = json.loads(weft("info", "--json", "-"))
    if json.dumps(machine).count('"gpu": null') == 0:
        raise Skip("there is a GPU")
    said = weft("fft", "in.png", "-o", "x.npy", "--strategy", "cuda", cwd=folder, expect=GPU, said=True)
    assert json.loads(weft("info", "--json", "-"))["cuda_build"] or said.endswith("no CUDA; omit --strategy, or build with CUDA: ./run --cuda"), said
    for name in ("cuda", "cuda.twopass"):
        weft("bench", "--size", "64x64", "--strategy", name, cwd=folder, expect=GPU)
        weft("verify", "--size", "8x8", "--strategy", name, cwd=folder, expect=GPU)
        assert weft("verify", "--strategy", f"cpu.reference,{name}", cwd=folder, expect=GPU) == "", "said twice"
    assert os.listdir(folder) == ["in.png"]


def on_terminal(arguments, folder, feed=b"", wait_for=b"", columns=0, **environment):
    """What the tool shows on a terminal, of so many columns if it knows, that is its standard error; it is fed once it
    has shown wait_for."""
    ours, its = open_terminal()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([WEFT, *arguments], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=its,
                          env=os.environ | {"TERM": "xterm"} | environment) as run:
        os.close(its)
        shown = b""
        while select.select([ours], [], [], 0 if run.poll() is not None else 60)[0]:
            try:
                shown += os.read(ours, 4096)
            except OSError:  # the other side is closed
                break
            if wait_for in shown and feed:
                run.stdin.write(feed)
                run.stdin.close()
                feed = b""
        os.close(ours)
    assert run.returncode == DONE, shown
    return shown


def test_progress(folder):
    """On a terminal, of a command that takes long: here the clock jumps, or the input keeps it waiting."""
    if DISTURBING is None:
        raise Skip("disturbing.c was not given")
    with open(sample_png(folder), "rb") as file:
        picture = file.read()
    jumping = disturbing("clock")
    for command, phases in ((["fft", "in.png", "-o", "x.npy"], ("transforming", "writing")),
                            (["ifft", "x.npy", "-o", "y.npy"], ("transforming", "writing")),
                            (["ifft", "x.npy", "-o", "y.png"], ("transforming", "writing")),
                            (["spectrum", "in.png", "-o", "s.png"], ("transforming", "drawing", "writing"))):
        shown = on_terminal(command, folder, **(jumping | {"TERM": "xterm"}))
        assert all(phase.encode() in shown for phase in phases) and shown.endswith(b"\r\x1b[K"), (command, shown)
        assert on_terminal(command, folder, **(jumping | {"TERM": "dumb"})) == b"", command
        assert weft(*command, cwd=folder, said=True, env=disturbing("clock")) == "", command
    for name in ("1.png", "2.png"):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(picture)
    shown = on_terminal(["filter", "1.png", "2.png", "-o", "out/", "--gaussian", "1", "--threads", "1"], folder,
                        **(jumping | {"TERM": "xterm"}))
    assert b"\r1 of 2, reading" in shown and re.search(rb"\r2 of 2, \d+ s left, reading", shown), shown
    if not THREAD_SANITIZER:
        assert b"\rreading\x1b[K" in on_terminal(["fft", "-", "-o", "x.npy"], folder, picture, b"reading")


def test_alarm_of_another(folder):
    """A timer of whoever started the command still ends it on a terminal, where one of its own is set for progress."""
    if THREAD_SANITIZER:
        raise Skip("ThreadSanitizer keeps the alarm back until the read is over")
    ours, theirs = open_terminal()
    with open(theirs, "wb") as terminal, subprocess.Popen(
            [WEFT, "fft", "-", "-o", "x.npy"], cwd=folder, stdin=subprocess.PIPE, stderr=terminal, env={**os.environ, "TERM": "xterm"},
            preexec_fn=lambda: signal.setitimer(signal.ITIMER_REAL, 1)) as waiting:
        assert waiting.wait(timeout=60) == SIGNAL + signal.SIGALRM
    os.close(ours)


def test_no_gpu_is_told_once(_):
    if not json.loads(weft("info", "--json", "-"))["cuda_build"] or has_gpu():
        raise Skip("this build has no CUDA, or there is a GPU")
    for command in (["info"], ["bench", "--size", "6x9", "--repeat", "1"], ["verify", "--size", "6x9"],
                    ["bench", "--sweep", "8..9", "--strategy", "auto", "--repeat", "1"]):
        assert (shown := weft(*command)).count("no usable GPU") == 1, shown


def test_options_after_names(folder):
    """Whatever the environment says of POSIX."""
    sample_png(folder)
    for variable in ({}, {"POSIXLY_CORRECT": "1"}):
        weft("fft", "in.png", "-o", "x.npy", "--force", cwd=folder, env={**os.environ, **variable})
        weft("ifft", "--force", "--", "x.npy", cwd=folder, env={**os.environ, **variable}, expect=USAGE)
        assert "unknown command" in weft("ffft", "--help", cwd=folder, env={**os.environ, **variable}, expect=USAGE, said=True)


def test_help_and_version(_):
    assert "fft" in weft("--help") and weft("--version").startswith("weft ")
    for command in ["fractal", *COMMANDS]:
        text = weft(*command.split(), "--help")
        assert f"weft {command}" in text and "Example" in text, f"weft {command} --help"
        assert weft(*command.split(), "--version").startswith("weft ")
        lists = re.findall(r"^(?:Examples|[A-Z]\w+, fastest first):\n((?:.+\n)+)", text, re.M)
        assert all(line.startswith("  ") for block in lists for line in block.split("\n")[:-1]), f"{command}: wrapped: {lists}"


def test_help_of_commands(_):
    for command in ["fractal", *COMMANDS]:
        *group, name = command.split()
        shown = weft(*group, name, "--help")
        assert shown == weft(*group, "help", name) == weft("help", *group, name) == weft(*group, name, "-h"), command
    for group in ([], ["fractal"]):
        shown = weft(*group, "--help")
        assert shown == weft(*group, "help") == weft(*group, "help", "help") == weft(*group, "help", "--help") == weft(*group, "help", "-h") == weft(*group, "-h"), group
    assert "unknown command 'x'" in weft("help", "x", expect=USAGE, said=True)
    for more in (["fft", "ifft"], ["fractal", "encode", "decode"]):
        assert "one command is enough" in weft("help", *more, expect=USAGE, said=True)
    assert "did you mean encode?" in weft("help", "fractal", "encoed", expect=USAGE, said=True)
    assert "cannot" in weft("scene", "8x8", "-o", "-h/x.png", expect=FILE, said=True)


def test_pipes(folder):
    """- is standard output, and nothing else is written there."""
    path = sample_png(folder)
    done = subprocess.run([WEFT, "fft", path, "-o", "-"], capture_output=True, check=True)
    assert done.stdout[:6] == b"\x93NUMPY" and done.stderr == b""


SAMPLED = {"samples_us": list, "min_us": float, "median_us": float, "p95_us": float, "bytes": int,
           "rel_l2": float, "verified": bool}
NAMED = {"strategy": str, "height": int, "width": int, "batch": int, "precision": str, "pixel": str,
         "layout": str, "operation": str, "scope": str, "cache": str}
MACHINE = {"cpu": str, "cores": int, "compiler": str, "commit": str, "date": str}


def require(what, fields, where):
    for name, kind in fields.items():
        value = where.get(name)
        right = isinstance(value, kind) or (kind is float and isinstance(value, int))
        assert right, f"{what}.{name} is {value!r}, not {kind.__name__}"


def test_bench_json(folder):
    weft("bench", "--size", "64x64", "--strategy", "cpu.reference,cpu.report,copy", "--repeat", "15",
         "--json", "b.json", cwd=folder, env={**os.environ, "OMP_PROC_BIND": "true"})
    with open(os.path.join(folder, "b.json"), encoding="utf-8") as file:
        document = json.load(file)
    assert document["schema"] == "weft-bench/1" and document["results"]
    require("machine", MACHINE, document["machine"])
    assert document["machine"]["cores"] == len(os.sched_getaffinity(0)), "of all cores, not of the one it is bound to"
    assert {"gpu", "driver", "cuda"} <= set(document["machine"])
    for result in document["results"]:
        require("result", NAMED, result)
        if result["strategy"] == "copy":
            continue
        require("result", SAMPLED, result)
        samples = result["samples_us"]
        assert len(samples) >= 15 and min(samples) == result["min_us"] > 0
        assert result["min_us"] <= result["median_us"] <= result["p95_us"] <= max(samples)
        assert result["height"] == result["width"] == 64 and result["verified"]
        assert result["rel_l2"] < 1e-6 and result["percent_of_copy"] > 0


def test_bench_of_many_threads(folder):
    """Each number once, in the order of the list; the last list counts. What has no threads is timed once."""
    weft("bench", "--size", "16x16", "--strategy", "cpu.fast,cpu.reference", "--repeat", "1", "--threads", "9",
         "--threads", "3,1,2,4,3", "--json", "b.json", cwd=folder)
    with open(os.path.join(folder, "b.json"), encoding="utf-8") as file:
        found = [(one["strategy"], one["threads"]) for one in json.load(file)["results"] if one["cache"] == "hot"]
    assert found == [*(("cpu.fast", threads) for threads in (3, 1, 2, 4)), ("cpu.reference", 1)], found
    for text in ("", ",", "1,", ",1", "1,,2"):
        assert f'--threads "{text}": must be numbers' in weft("bench", "--threads", text, expect=USAGE, said=True), text
    for text, wrong in (("0", "0"), ("1,x", "x"), ("1,4097", "4097"), ("2;3", "2;3")):
        complaint = weft("bench", "--threads", text, expect=USAGE, said=True)
        assert f"--threads {wrong}: must be a whole number from 1 to 4096" in complaint, complaint
    most = ",".join(map(str, range(1, 33)))
    weft("bench", "--size", "16x16", "--strategy", "cpu.reference", "--repeat", "1", "--threads", f"{most},1", cwd=folder)
    assert "more than 32" in weft("bench", "--threads", f"{most},33", expect=USAGE, said=True)
    shown = weft("bench", "--size", "16x16", "--strategy", "cpu.fast", "--repeat", "1", "--threads", "2,1",
                 env=dict(os.environ, OMP_THREAD_LIMIT="1"))
    assert re.findall(r"(?m)^cpu\.fast +(\d) ", shown) == ["1"] and "2 threads: OMP_THREAD_LIMIT is 1" in shown, shown


def test_sweep(folder):
    """A row for each size and strategy beside the copy; the document has the records of a bench for each size."""
    with open(os.path.join(folder, "sizes.txt"), "w", encoding="utf-8") as file:
        file.write("# a comment\n\n12x35 # one more\r\n\t16X64 \n7x11")
    shown = weft("bench", "--sweep", "sizes.txt", "--strategy", "cpu.reference,cpu.report,copy", "--repeat", 3, "--json",
                 "s.json", cwd=folder)
    rows = [line.split() for line in shown.splitlines()]
    rows = rows[next(i for i, row in enumerate(rows) if row[:1] == ["size"]) + 1:]
    assert [row[:3] for row in rows] == [[size, name, "1"] for size in ("12x35", "16x64", "7x11")
                                         for name in ("cpu.reference", "cpu.report")], shown
    assert [" ".join(row[3:5]) == "not run:" for row in rows] == [False, True, False, False, False, True], shown
    with open(os.path.join(folder, "s.json"), encoding="utf-8") as file:
        document = json.load(file)
    assert document["schema"] == "weft-sweep/1"
    require("machine", MACHINE, document["machine"])
    for result in document["results"]:
        require("result", NAMED, result)
        assert len(result["samples_us"]) == 3 and result["verified"]
    assert {(one["height"], one["width"]) for one in document["results"]} == {(12, 35), (16, 64), (7, 11)}
    on_cpu = [one for one in document["skipped"] if one["space"] == "cpu"] # the copy on a GPU, where there is none
    assert [(one["strategy"], one["height"], one["width"]) for one in on_cpu] == [
        ("cpu.report", 12, 35), ("cpu.report", 7, 11)], document["skipped"]


def test_sweep_of_squares(folder):
    """By default what would be chosen, on one thread; from standard input too."""
    sizes = ("8x8", "13x13", "18x18")
    rows = [line.split()[:3] for line in weft("bench", "--sweep", "8..18:5", "--repeat", 1).splitlines()]
    chosen = [[size, weft("info", "--size", size, "--strategy", "cpu").split()[3], "1"] for size in sizes]
    assert [row for row in rows if row and row[0] in sizes and row[2] != "gpu"] == chosen, rows
    shown = weft("bench", "--sweep", "-", "--strategy", "cpu.reference", "--repeat", 1, "--json", "-", input="5x6\n")
    assert json.loads(shown)["results"][0]["width"] == 6


def test_sweep_refuses(folder):
    for text in ("9..8", "0..8", "8..16:0", "8..", "8..16:", "8..16:2:2", "8..99999999999999999999"):
        complaint = weft("bench", "--sweep", text, expect=USAGE, said=True)
        assert f"--sweep {text}: must be FROM..TO" in complaint, complaint
    assert "more than 1048576 sizes" in weft("bench", "--sweep", "1..2000000", expect=USAGE, said=True)
    for options in (["--size", "8x8"], ["--image", "in.png"], ["--file"]):
        assert "has sizes of its own" in weft("bench", "--sweep", "8..9", *options, expect=USAGE, said=True)
    for text, words in (("8x8\n\n8x\n", 'line 3: "8x": must be HxW'), ("8x8 9x9\n", 'line 1: "8x8 9x9": must be'),
                        ("# none\n\n", "no size in it"), ("", "no size in it")):
        with open(os.path.join(folder, "sizes.txt"), "w", encoding="utf-8") as file:
            file.write(text)
        complaint = weft("bench", "--sweep", "sizes.txt", expect=BAD_INPUT, said=True, cwd=folder)
        assert complaint.startswith("weft: sizes.txt") and words in complaint, complaint
    assert "nowhere: No such file" in weft("bench", "--sweep", "nowhere", expect=FILE, said=True)
    assert "is a directory" in weft("bench", "--sweep", folder, expect=FILE, said=True)
    complaint = weft("bench", "--sweep", "7..7", "--strategy", "cpu.report", expect=USAGE, said=True)
    assert complaint.startswith("weft: nothing can run: cpu.report: 7x7: "), complaint
    assert "wants about" in weft("bench", "--sweep", "1000000..1000000", expect=MEMORY, said=True)


def test_bench_speed_ups(folder):
    """Against the fewest threads, wherever they are in the list."""
    shown = weft("bench", "--size", "16x16", "--strategy", "cpu.fast", "--repeat", "1", "--threads", "2,1", cwd=folder)
    alone = next(row for row in map(str.split, shown.splitlines()) if row[:2] == ["cpu.fast", "1"])
    assert alone[-2] == "1", shown


def test_bench_says_what_is_unsteady(folder):
    """Whose middle time is more than 1.5 times the least one, and only that: as it comes, and by a clock that jumps."""
    if DISTURBING is None:
        raise Skip("disturbing.c was not given")
    for disturbed in (False, True):
        shown = weft("bench", "--size", "256x256", "--strategy", "cpu.fast,cpu.reference", "--threads", "1", "--repeat",
                     "31", "--json", "b.json", cwd=folder, env=disturbing("clock" if disturbed else ""))
        with open(os.path.join(folder, "b.json"), encoding="utf-8") as file:
            times = [one for one in json.load(file)["results"] if one["scope"] == "transform"]
        wanted = [[one["strategy"], str(one["threads"]), one["cache"]] for one in times
                  if one["median_us"] > 1.5 * one["min_us"]]
        lines = shown.splitlines()
        assert [line.split()[:3] for line in lines if "in the middle" in line] == wanted, shown
        assert ("unsteady:" in lines) == any("measure again" in line for line in lines) == bool(wanted), shown
    assert wanted, shown


def test_verify_says_what_it_could_not_do(folder):
    shown = weft("verify", "--size", "16x16", "--size", "7x11", "--strategy", "cpu.report", cwd=folder)
    assert "not supported, the last: cpu.report: 7x11: height and width must be powers of two" in shown, shown
    complaint = weft("verify", "--size", "16x16", "--strategy", "cpu.fast", expect=USAGE, said=True,
                     env=dict(os.environ, WEFT_ISA="sse9"))
    assert "cpu.fast, 16x16: WEFT_ISA sse9: must be" in complaint and "\n" not in complaint, complaint


def test_verify(folder):
    weft("verify", "--size", "16x32", "--strategy", "cpu.reference", "--json", "v.json", cwd=folder)
    with open(os.path.join(folder, "v.json"), encoding="utf-8") as file:
        assert json.load(file)["schema"] == "weft-verify/1"


def test_verify_pixels(_):
    """Two precisions, two layouts and three operations of each pixel; of a large image reals, unless asked."""
    def cases(size, *options):
        found = re.search(r"(\d+) passed, 0 failed.* (real|u8|u16) ", weft("verify", "--size", size, *options, "--strategy", "cpu.fast"))
        return int(found[1]), found[2]

    assert cases("6x9")[0] == 36 and cases("257x256") == (12, "real")
    assert cases("6x9", "--pixel", "u8") == (12, "u8") and cases("257x256", "--pixel", "u16") == (12, "u16")


def test_kinds_of_strategies(folder):
    """cpu is all strategies of the CPU, auto all that Weft has; neither is a peer or a copy."""
    every = {line.split()[0] for line in weft("info").splitlines() if line.startswith("  cpu.")}
    for kind in ("cpu", "auto"):
        names = bench_names(folder, kind)
        ours = {name for name in names if name.startswith("cpu.")}
        assert ours == every and not any(name.startswith(("copy", "fftw")) for name in names), names
        printed = weft("verify", "--size", "4x4", "--strategy", kind)
        assert all(name in printed for name in every), printed


def test_strategies_add_up(folder):
    lists = "cpu.reference", "cpu.report,cpu.reference"
    given = [word for names in lists for word in ("--strategy", names)]
    assert bench_names(folder, *lists) == {"cpu.reference", "cpu.report"}
    lines = weft("verify", "--size", "4x4", *given).splitlines()
    assert sorted(line.split()[0] for line in lines if line[0] != " ") == ["cpu.reference", "cpu.report"], lines


def test_copy_is_not_verified(_):
    for names in ("copy", "cpu.reference,copy"):
        complaint = weft("verify", "--size", "4x4", "--strategy", names, expect=USAGE, said=True)
        assert complaint == "weft: copy is not a transform", complaint


def test_bench_of_nothing(_):
    complaint = weft("bench", "--size", "7x11", "--strategy", "cpu.report", expect=USAGE, said=True)
    assert "powers of two" in complaint and "\n" not in complaint, complaint


def test_more_than_the_memory(_):
    for command in ("bench", "verify"):
        complaint = weft(command, "--size", "40000000x40000000", expect=MEMORY, said=True)
        assert "40000000x40000000: wants" in complaint, complaint
    assert "--batch" in weft("bench", "--batch", "1000000000", expect=MEMORY, said=True)


def test_unwritable_json(folder):
    for command in ("bench", "verify"):
        assert weft(command, "--json", "no/such/folder/x.json", cwd=folder, expect=FILE) == ""
    with open(os.path.join(folder, "b.json"), "w", encoding="utf-8") as file:
        file.write("precious")
    weft("bench", "--size", "7x11", "--strategy", "cpu.report", "--json", "b.json", cwd=folder, expect=USAGE)
    with open(os.path.join(folder, "b.json"), encoding="utf-8") as file:
        assert file.read() == "precious", "the old document is gone"


def has_gpu():
    return json.loads(weft("info", "--json", "-"))["machine"]["gpu"] is not None


def test_photos(folder):
    if not os.path.isdir(PHOTOS):
        raise Skip("there is no ../shared/photos")
    names = sorted(name for name in os.listdir(PHOTOS) if name.endswith(".png"))
    assert names, "no photograph"
    for name in names:
        shutil.copy(os.path.join(PHOTOS, name), folder)
        weft("fft", name, "-o", "x.npy", cwd=folder)
        weft("ifft", "x.npy", "--like", name, "-o", "out.png", cwd=folder)
        assert png.read(os.path.join(folder, "out.png")) == png.read(os.path.join(folder, name)), name


def main(tests):
    failed = 0
    for name, test in sorted(tests.items()):
        if not name.startswith("test_"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(folder)
                print(f"PASS {name[5:]}")
            except Skip as reason:
                print(f"SKIP {name[5:]}: {reason}")
            except Exception as error:  # whatever went wrong, the rest is still worth running
                print(f"FAIL {name[5:]}: {type(error).__name__} {error}")
                failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(globals()))
