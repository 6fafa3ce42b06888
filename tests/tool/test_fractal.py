#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""weft fractal from outside: test_fractal.py PATH_OF_WEFT PATH_OF_DISTURBING. Every kind of input there and back, held
against a decoder of its own and PSNR computed here; the same bytes from every search, number of threads, file and pipe;
what is refused, and in which words; streams that are damaged. Prints PASS / FAIL / SKIP lines."""
import hashlib
import json
import math
import os
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import zlib

import png
from test_cli import BAD_INPUT, FILE, SANITIZED, SIGNAL, USAGE, WEFT, Skip, disturbing, interrupt, main, on_terminal, weft
from test_video import CHROMAS, DATA, frame_bytes, noise, packed, save, y4m

try:
    import fvc1
except ImportError: # NumPy
    fvc1 = None

HEADER_BYTES = 35 # of the seed profile
# SHA-256, its beginning, of streams of 45x77 with --threshold 80; of rush with other options; and of the clip.
HASHES = {
    "pan": "7b21675ad8cf60f4", "flash": "b9d6570dd262a7ab", "masts": "9f66381015d6bf7c",
    "discs": "1aee8cc17a8fcbad", "rush": "11ae3f9522a82912", "people": "004aae5489fa5a7b",
    "--raw-codes": "b0c97580b21e1f92", "--no-flat": "12cbbba56aea2537", "--mean trunc": "aab57fcfa6fa50d0",
    "--change auto": "c44b983d11dd8962", "--change every": "38a641ce708c51fe", "--refresh 2": "718da75c538daa1a",
    "--refresh auto": "a81782fd3e32d673", "--no-repeat": "bfea470ae4a91e0c", "--iterations 9": "1976f57fac711398",
    "--profile dense": "cd6276ae88c54437", "--threshold 60": "071f11b701386ea3"}


def coded(folder, path, *options, **more):
    """The stream, as bytes, and what is printed."""
    out = os.path.join(folder, "out.fvc")
    printed = weft("fractal", "encode", path, "-o", out, *options, **more)
    with open(out, "rb") as file:
        return file.read(), printed


def decoded(folder, stream, *options, **more):
    """Header and frames of the Y4M file, and what is printed."""
    save(folder, stream, "in.fvc")
    printed = weft("fractal", "decode", "in.fvc", "-o", "again.y4m", *options, cwd=folder, **more)
    with open(os.path.join(folder, "again.y4m"), "rb") as file:
        header, data = file.read().split(b"\n", 1)
    width, height, chroma = re.search(r" W(\d+) H(\d+) .* C(\w+)$", header.decode()).groups()
    size = 6 + frame_bytes(int(height), int(width), chroma)
    assert len(data) % size == 0 and data[::size] == b"F" * (len(data) // size), "no whole frames"
    return header.decode(), [data[at + 6:at + size] for at in range(0, len(data), size)], printed


def drawn(folder, name, size, frames, *options):
    path = os.path.join(folder, f"{name}.y4m")
    weft("scene", size, "--sequence", name, "--frames", frames, "-o", path, *options)
    return path


def frames_of(path):
    with open(path, "rb") as file:
        return file.read().split(b"\n", 1)[1].split(b"FRAME\n")[1:]


def psnr(original, other):
    """Of bytes of all frames of a plane."""
    error = sum((a - b) ** 2 for a, b in zip(original, other)) / len(original)
    return 10 * math.log10(255 ** 2 / error) if error else math.inf


def check_refused(folder, *arguments, code=BAD_INPUT, words=""):
    """In one line with these words, and without a file."""
    before = set(os.listdir(folder))
    said = weft("fractal", *arguments, cwd=folder, expect=code, said=True)
    assert words in said, f"not {words!r}: {said}"
    assert set(os.listdir(folder)) == before, set(os.listdir(folder)) - before
    return said


def test_chromas(folder):
    """Sizes, colours and rate come back; 4:2:0 of every kind as that of JPEG. Pixels are those of the other decoder."""
    for chroma in CHROMAS:
        for height, width in ((1, 1), (1, 6), (5, 1), (5, 7), (24, 33)):
            frames = [noise(frame_bytes(height, width, chroma), seed) for seed in range(3)]
            path = save(folder, y4m(f"W{width} H{height} F30000:1001 Ip A1:1 C{chroma}", *frames))
            stream, _ = coded(folder, path)
            header, again, _ = decoded(folder, stream)
            back = "420jpeg" if chroma.startswith("420") else chroma
            assert header == f"YUV4MPEG2 W{width} H{height} F30000:1001 I? A0:0 C{back}", header
            assert len(again) == 3
            check_pixels(stream, again, height, width, chroma)


def check_pixels(stream, frames, height, width, chroma):
    if fvc1 is None:
        return
    _, theirs = fvc1.decode(stream, 1)
    planes, down, right = CHROMAS[chroma]
    colours = -(-height // down) * -(-width // right)
    for ours, those in zip(frames, theirs):
        luma, cr, cb = [plane.tobytes() for plane in those] if planes == 3 else [those[0].tobytes(), b"", b""]
        assert len(cr) == (colours if planes == 3 else 0)
        assert ours == luma + cb + cr, f"{chroma} {height}x{width}: other pixels than fvc1.py"


def test_psnr(folder):
    """What encode and decode --like print is what it is."""
    path = drawn(folder, "discs", "40x56", 3, "--chroma", "420")
    stream, printed = coded(folder, path)
    _, again, said = decoded(folder, stream, "--like", path)
    original, colours = frames_of(path), 20 * 28
    for name, plane in (("Y", slice(0, 2240)), ("Cb", slice(2240, 2240 + colours)), ("Cr", slice(2240 + colours, None))):
        of_mean = psnr(b"".join(frame[plane] for frame in original), b"".join(frame[plane] for frame in again))
        mean = sum(psnr(a[plane], b[plane]) for a, b in zip(original, again)) / 3
        row = re.search(rf"^{name} .*", printed, re.M)[0].split()
        assert (row[5], row[6]) == (f"{of_mean:.2f}", f"{mean:.2f}"), (row, of_mean, mean)
        assert f"  {name} {of_mean:.2f} dB ({mean:.2f})" in said, (said, of_mean, mean)
    bytes_of_all = int(re.search(r"^all +(\d+)", printed, re.M)[1])
    assert bytes_of_all == len(stream), (bytes_of_all, len(stream))


def test_same_bytes(folder):
    """Of every search and number of threads; from a file, a pipe and a queue; to a file and standard output."""
    path = drawn(folder, "rush", "72x88", 3)
    right, _ = coded(folder, path, "--search", "seq")
    for options in (["--search", "cpu"], ["--search", "auto"], *(["--threads", n] for n in (1, 2, 3, 7)),
                    ["--search", "seq", "--eliminate"]):
        assert coded(folder, path, *options)[0] == right, options
    for isa in ("plain", "v2", "v3", "v4"):
        done = subprocess.run([WEFT, "fractal", "encode", path, "-o", "-", "--search", "cpu"], capture_output=True,
                              check=False, env={**os.environ, "WEFT_ISA": isa})
        assert done.stdout == right or b"this CPU or this build has no such" in done.stderr, (isa, done.stderr)
    with open(path, "rb") as file:
        data = file.read()
    done = subprocess.run([WEFT, "fractal", "encode", "-", "-o", "-"], input=data, capture_output=True, check=True)
    assert done.stdout == right and b"3 frames of 72x88" in done.stderr, done.stderr
    queue = os.path.join(folder, "queue")
    os.mkfifo(queue)
    with subprocess.Popen([WEFT, "fractal", "encode", queue, "-o", "-"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        with open(queue, "wb") as file:
            file.write(data)
        assert process.communicate(timeout=60)[0] == right
    _, frames, _ = decoded(folder, right)
    done = subprocess.run([WEFT, "fractal", "decode", "-", "-o", "-"], input=right, capture_output=True, check=True)
    assert done.stdout.split(b"FRAME\n")[1:] == frames and not done.stderr, done.stderr


def test_hashes(folder):
    """The same streams on every machine."""
    found = {}
    for name in ("pan", "flash", "masts", "discs", "rush"):
        found[name] = coded(folder, drawn(folder, name, "45x77", 4), "--threshold", 80)[0]
    path = os.path.join(folder, "rush.y4m")
    for option in ("--raw-codes", "--no-flat", "--mean trunc", "--change auto", "--change every", "--refresh 2",
                   "--refresh auto", "--no-repeat", "--iterations 9", "--profile dense", "--threshold 60"):
        found[option] = coded(folder, path, *option.split())[0]
    found["people"] = coded(folder, os.path.join(DATA, "people_320x192_9.y4m"), "--threshold", 80, "--frames", 3)[0]
    hashes = {name: hashlib.sha256(stream).hexdigest()[:16] for name, stream in found.items()}
    wrong = {name: value for name, value in hashes.items() if HASHES.get(name) != value}
    assert not wrong and len(hashes) == len(HASHES), wrong


def test_yuy2(folder):
    """The bytes of the same frames as Y4M."""
    for height, width in ((5, 7), (24, 36)):
        data, planes = packed(height, width, 3)
        path = save(folder, data, "in.yuv")
        raw, _ = coded(folder, path, "--size", f"{height}x{width}")
        assert raw == coded(folder, save(folder, y4m(f"W{width} H{height} C422", *planes)))[0], (height, width)
    check_refused(folder, "encode", "in.yuv", "-o", "x.fvc", words="raw YUY2 needs --size HxW")
    check_refused(folder, "encode", "in.yuv", "-o", "x.fvc", "--size", "24x37", words="is truncated")


def colours_of(ycc):
    """What README and man page say of a colour: the inverse of JPEG's."""
    y, cb, cr = ycc[0], ycc[1] - 128, ycc[2] - 128
    return [min(255, max(0, math.floor(x + 0.5))) for x in (y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr,
                                                            y + 1.772 * cb)]


def test_pictures(folder):
    """PNG there and back; flat colours come back to the rounding. A colour sample covers what it covers."""
    for colour, rgb in ((png.GRAY, [77]), (png.RGB, [200, 30, 90]), (png.RGB, [255, 255, 255]), (png.RGB, [0, 0, 255])):
        path = os.path.join(folder, "in.png")
        png.write(path, 9, 14, colour, 8, rgb * (9 * 14))
        save(folder, coded(folder, path)[0], "in.fvc")
        weft("fractal", "decode", "in.fvc", "-o", "again.png", cwd=folder)
        height, width, kind, depth, samples = png.read(os.path.join(folder, "again.png"))
        assert (height, width, kind, depth) == (9, 14, colour, 8)
        assert all(abs(a - b) <= 1 for a, b in zip(samples, rgb * (9 * 14))), (samples[:3], rgb)
    header, frames, _ = decoded(folder, coded(folder, drawn(folder, "pan", "13x11", 3, "--chroma", "420"))[0])
    assert "C420jpeg" in header
    weft("fractal", "decode", "in.fvc", "-o", "again.png", "--frame", 2, cwd=folder)
    samples, frame = png.read(os.path.join(folder, "again.png"))[4], frames[2]
    for m in range(13):
        for n in range(11):
            at = 143 + m // 2 * 6 + n // 2
            right = colours_of((frame[m * 11 + n], frame[at], frame[at + 42]))
            ours = samples[(m * 11 + n) * 3:(m * 11 + n) * 3 + 3]
            assert all(abs(a - b) <= 1 for a, b in zip(ours, right)), (m, n, ours, right)


def test_few_frames(folder):
    for frames in (0, 1):
        path = save(folder, y4m("W6 H4 F25:1 C422", *[noise(48)] * frames))
        stream, printed = coded(folder, path)
        assert (len(stream) == HEADER_BYTES) == (frames == 0) and f"{frames} frame" in printed, printed
        assert len(decoded(folder, stream, "--like", path)[1]) == frames
        assert "25:1" in weft("fractal", "info", "in.fvc", cwd=folder)
    stream, _ = coded(folder, drawn(folder, "pan", "9x9", 5), "--frames", 2)
    assert len(decoded(folder, stream)[1]) == 2
    save(folder, coded(folder, path, "--frames", 0)[0], "in.fvc")
    for options in (["-o", "x.png"], ["--scale", 2, "--bicubic", "x.png"], ["--trace", "x"]):
        check_refused(folder, "decode", "in.fvc", *options, code=USAGE, words="has 0 frames: there is no frame 0")


def info_of(folder, stream, *options):
    save(folder, stream, "in.fvc")
    return json.loads(weft("fractal", "info", "in.fvc", "--json", "-", *options, cwd=folder))


def test_cut(folder):
    """A frame after a hard cut is a reference with --refresh auto, and those after it have small changes again."""
    still = [frames_of(drawn(folder, "discs", "48x64", 3, "--seed", seed)) for seed in (1, 2)]
    path = save(folder, y4m("W64 H48 C422", *still[0], *still[1]))
    for options, references in (([], [0]), (["--refresh", "auto"], [0, 3]), (["--refresh", 2], [0, 2, 4]),
                                (["--refresh", 1], [0, 1, 2, 3, 4, 5])):
        stream, _ = coded(folder, path, *options)
        frames = info_of(folder, stream)["frames"]
        assert [k for k, frame in enumerate(frames) if frame["reference"]] == references, options
    stream, said = coded(folder, path, "--refresh", "auto", "--verbose", said=True)
    assert [line.split(",")[0] for line in said.splitlines()] == \
        [f"frame {k}: {'changes' if k % 3 else 'reference'}" for k in range(6)], said
    _, again, _ = decoded(folder, stream)
    for a, b in zip(frames_of(path), again):
        assert psnr(a[:48 * 64], b[:48 * 64]) > 19, psnr(a[:48 * 64], b[:48 * 64])


def test_info(folder):
    """Bits add up to bytes, modes to ranges, and the codes are those of all ranges; text and document agree."""
    path = drawn(folder, "rush", "40x48", 4)
    stream, _ = coded(folder, path, "--threshold", 80)
    document = info_of(folder, stream, "--codes")
    assert document["schema"] == "weft-fractal-info/1" and document["header"]["scales"] == [-4, -3, -2, 1, 2, 3, 4]
    assert HEADER_BYTES + sum(frame["bytes"] for frame in document["frames"]) == len(stream)
    for frame in document["frames"]:
        assert 4 + sum(plane["bytes"] for plane in frame["planes"]) == frame["bytes"]
        for plane in frame["planes"]:
            modes = plane["modes"]
            assert sum(plane["bits"].values()) == 8 * plane["bytes"]
            assert modes["unchanged"] + modes["coded"] + modes["repeated"] == plane["ranges"] == len(plane["codes"])
            assert modes["coded"] == sum(code[3] == 1 for code in plane["codes"])
            assert modes["flat"] == sum(code[3] == 1 and code[1] == 0 for code in plane["codes"])
    shown = weft("fractal", "info", "in.fvc", "--codes", cwd=folder)
    assert "40x48, 4:2:2" in shown and "changes" in shown
    wanted = sum(code[3] != 0 for frame in document["frames"] for plane in frame["planes"] for code in plane["codes"])
    assert len(re.findall(r"^  \w+ range \d+: domain", shown, re.M)) == wanted
    for plane in document["total"]["planes"]:
        assert re.search(rf"^(all  )? +{plane['plane']} +{plane['bytes']} ", shown[shown.index("\nall") + 1:], re.M), plane


def test_trace(folder):
    """As many pictures as iterations, and the one before; the last is the frame; from any start to the same."""
    path = os.path.join(folder, "in.png")
    weft("scene", "48x64", "--rgb", "-o", path)
    save(folder, coded(folder, path)[0], "in.fvc")
    weft("fractal", "decode", "in.fvc", "-o", "right.png", cwd=folder)
    right = png.read(os.path.join(folder, "right.png"))
    for start in ("128", "0", "255", "noise"):
        said = weft("fractal", "decode", "in.fvc", "--trace", f"{start}-", "--start", start, "--iterations", 6, "--like",
                    "in.png", cwd=folder)
        assert [int(n) for n in re.findall(r"iteration (\d+):", said)] == list(range(7)), said
        luma = [float(value) for value in re.findall(r" Y ([\d.]+) dB", said)]
        assert luma[0] < luma[1] < luma[2] < luma[3] and abs(luma[5] - luma[6]) < 0.1 and luma[7] == luma[6], luma
        last = png.read(os.path.join(folder, f"{start}-06.png"))
        assert last[:4] == right[:4] and max(abs(a - b) for a, b in zip(last[4], right[4])) <= 12, start
        assert len([name for name in os.listdir(folder) if name.startswith(f"{start}-")]) == 7
    save(folder, coded(folder, drawn(folder, "pan", "16x16", 3))[0], "in.fvc")
    check_refused(folder, "decode", "in.fvc", "--trace", "x", "--frame", 1, code=USAGE, words="frame 1 is no reference")


def test_trace_that_fails(folder):
    """Pictures of these names that were there stay as they are, also if a signal comes."""
    path = drawn(folder, "pan", "16x16", 1)
    stream, _ = coded(folder, path)
    save(folder, b"somebody's picture", "step03.png")
    save(folder, stream + b"x", "in.fvc")
    check_refused(folder, "decode", "in.fvc", "--trace", "step", words="frame 1 is truncated")
    save(folder, stream, "in.fvc")
    before = set(os.listdir(folder))
    weft("fractal", "decode", "in.fvc", "--trace", "step", cwd=folder, expect=SIGNAL + signal.SIGINT, said=True,
         env=disturbing("file"))
    assert set(os.listdir(folder)) == before, set(os.listdir(folder)) - before
    with open(os.path.join(folder, "step03.png"), "rb") as file:
        assert file.read() == b"somebody's picture"
    weft("fractal", "decode", "in.fvc", "--trace", "step", cwd=folder)
    assert png.read(os.path.join(folder, "step03.png"))[:2] == (16, 16)


def test_outputs_apart(folder):
    """No output is another one by some name, and no picture of an iteration an input, but for --force."""
    weft("scene", "16x16", "-o", "step02.png", cwd=folder)
    stream, _ = coded(folder, os.path.join(folder, "step02.png"))
    save(folder, stream, "step01.png")
    os.symlink("there.y4m", os.path.join(folder, "link.y4m"))
    os.mkdir(os.path.join(folder, "under"))
    for options, words in ((["-o", "there.y4m", "--scale", 2, "--bicubic", "./there.y4m"], "--bicubic ./there.y4m: is what -o names"),
                           (["-o", "link.y4m", "--scale", 2, "--bicubic", "under/../there.y4m"], "is what -o names"),
                           (["-o", "-", "--scale", 2, "--bicubic", "/dev/stdout"], "--bicubic /dev/stdout: is what -o names"),
                           (["-o", "y05.png", "--trace", "./y"], "--trace ./y05.png: is what -o names"),
                           (["--scale", 2, "--bicubic", "x00.png", "--trace", "x"], "--trace x00.png: is what --bicubic names"),
                           (["--trace", "step"], "--trace step01.png: is the input step01.png; say --force"),
                           (["--trace", "step", "--like", "step02.png", "--iterations", 2], "step01.png: is the input"),
                           (["-o", "x.y4m", "--scale", 2, "--bicubic", "step01.png"], "is the input step01.png")):
        said = check_refused(folder, "decode", "step01.png", *options, code=USAGE)
        assert words in said, (options, said)
    save(folder, stream, "in.fvc")
    check_refused(folder, "decode", "in.fvc", "--trace", "step", "--like", "step02.png", code=USAGE,
                  words="--trace step02.png: is the input step02.png")
    weft("fractal", "decode", "in.fvc", "-o", "step05.png", "--trace", "step", "--iterations", 4, cwd=folder)
    weft("fractal", "decode", "in.fvc", "--trace", "step", "--like", "step02.png", "--force", cwd=folder)
    save(folder, b"", "there.y4m")
    check_refused(folder, "decode", "in.fvc", "-o", "there.y4m", "--scale", 2, "--bicubic", "link.y4m", code=USAGE,
                  words="--bicubic link.y4m: is what -o names")
    weft("fractal", "decode", "in.fvc", "-o", "/dev/null", "--scale", 2, "--bicubic", "/dev/null", cwd=folder)


def test_scale(folder):
    """Two and four times the size, of every chroma; a constant stays one, also by bicubic interpolation."""
    for chroma in ("mono", "420jpeg", "422", "444"):
        size = frame_bytes(9, 11, chroma)
        stream, _ = coded(folder, save(folder, y4m(f"W11 H9 C{chroma}", bytes([90]) * size)))
        for scale in (1, 2, 4):
            more = ["--bicubic", "b.y4m"] if scale > 1 else []
            header, frames, _ = decoded(folder, stream, "--scale", scale, *more)
            assert f" W{11 * scale} H{9 * scale} " in header and set(frames[0]) == {90}, header
            if more:
                assert frames_of(os.path.join(folder, "b.y4m")) == frames
    stream, _ = coded(folder, drawn(folder, "rush", "12x20", 1, "--chroma", "mono"))
    _, (small,), _ = decoded(folder, stream)
    for scale in (2, 4):
        decoded(folder, stream, "--scale", scale, "--bicubic", "b.y4m")
        large, = frames_of(os.path.join(folder, "b.y4m"))
        assert large == enlarged(small, 12, 20, scale), scale


def keys(x):
    """The kernel of cubic convolution."""
    x = abs(x)
    return 1.5 * x ** 3 - 2.5 * x ** 2 + 1 if x < 1 else -0.5 * x ** 3 + 2.5 * x ** 2 - 4 * x + 2 if x < 2 else 0


def enlarged(plane, height, width, scale):
    """By that kernel; beside the edges lies more of them."""
    def taps(place, count):
        at = (place + 0.5) / scale - 0.5
        return [(min(max(i, 0), count - 1), keys(at - i)) for i in range(math.floor(at) - 1, math.floor(at) + 3)]
    values = (sum(v * w * plane[m * width + n] for m, v in taps(row, height) for n, w in taps(column, width))
              for row in range(scale * height) for column in range(scale * width))
    return bytes(min(255, max(0, math.floor(value + 0.5))) for value in values)


def test_like(folder):
    path = drawn(folder, "pan", "16x24", 3)
    save(folder, coded(folder, path)[0], "in.fvc")
    for other, words in ((drawn(folder, "flash", "16x25", 3), "16x25, 4:2:2, but in.fvc is decoded to 16x24, 4:2:2"),
                         (drawn(folder, "masts", "16x24", 3, "--chroma", "420"), "16x24, 4:2:0, but")):
        check_refused(folder, "decode", "in.fvc", "-o", "x.y4m", "--like", other, code=USAGE, words=words)
    other = drawn(folder, "flash", "16x24", 2)
    check_refused(folder, "decode", "in.fvc", "-o", "x.y4m", "--like", other, words="ends after 2 frames; in.fvc has more")
    for command in (["fractal", "decode"], ["ifft"]):
        said = weft(*command, "-", "--like", "-", "-o", "x.png", cwd=folder, expect=USAGE, said=True, stdin=subprocess.DEVNULL)
        assert "--like -: standard input is the input already" in said, said


def test_refusals(folder):
    """With the reason; nothing is written."""
    big = y4m("W65536 H1 Cmono", bytes(65536))
    raw = y4m("W1056 H1024 Cmono", bytes(1056 * 1024))
    for data, options, code, words in (
            (y4m("W6 H4 C420p10", bytes(72)), [], BAD_INPUT, "has more than 8 bits a sample"),
            (big, [], BAD_INPUT, "1x65536: a stream has sides up to 65535"),
            (raw, ["--raw-codes"], USAGE, "raw_codes: 16896 domains have no numbers of 14 bits"),
            (raw, ["--max-pixels", 99], BAD_INPUT, "--max-pixels is 99"), (b"GIF89a", [], BAD_INPUT, "a GIF picture, which is not read"),
            (y4m("W6 H4 C422", bytes(40)), [], BAD_INPUT, "frame 0 is truncated"),
            (y4m("W6 H4 C422", bytes(48), bytes(40)), [], BAD_INPUT, "frame 1 is truncated: 40 bytes of 48")):
        save(folder, data)
        check_refused(folder, "encode", "in.y4m", "-o", "x.fvc", *options, code=code, words=words)
    small = save(folder, y4m("W6 H4 C422", bytes(48)))
    for option in (["--arith", "float"], ["--unroll", 4], ["--store-scaled"], ["--no-reorder"], ["--block", 64],
                   ["--codebook", "device"]):
        check_refused(folder, "encode", "in.y4m", "-o", "x.fvc", "--search", "seq", *option, code=USAGE,
                      words=f"search seq: has no choice of {option[0][2:].replace('-', '_')}")
    for options, words in ((["--search", "cpu", "--eliminate"], "no elimination"),
                           (["--profile", "dense", "--threshold", 80], "pruning: not in the dense profile"),
                           (["--profile", "dense", "--search", "cpu"], "takes the seed profile only"),
                           (["--search", "sqe"], "--search sqe: must be one of auto, "),
                           (["--threshold", "0.8"], "must be a whole number from 1 to 99"),
                           (["--change", "sometimes"], "must be a whole number from 1 to 4080"),
                           (["--refresh", 0], "must be a whole number from 1"), (["--mean", "floor"], "round, trunc"),
                           (["--threashold", 80], "did you mean --threshold?")):
        said = check_refused(folder, "encode", "in.y4m", "-o", "x.fvc", *options, code=USAGE)
        assert words in said, (options, said)
    check_refused(folder, "encode", "in.y4m", "-o", "x.avi", code=USAGE, words="only .fvc is written")
    check_refused(folder, "encode", "in.y4m", "-o", small, code=USAGE, words="only .fvc is written")
    check_refused(folder, "encode", "none.y4m", "-o", "x.fvc", code=FILE, words="No such file")
    check_refused(folder, "encode", "in.y4m", "-o", "none/x.fvc", code=FILE, words="No such file")
    save(folder, coded(folder, drawn(folder, "pan", "16x16", 2))[0], "in.fvc")
    for options, words in ((["-o", "x.png"], "has more than one frame"), (["-o", "x.y4m", "--frame", 2], "there is no frame 2"),
                           ([], "no output file"), (["-o", "x.y4m", "--bicubic", "b.y4m"], "nothing to enlarge"),
                           (["-o", "x.y4m", "--scale", 3], "must be one of 1, 2, 4"), (["-o", "in.fvc"], "is written"),
                           (["-o", "x.y4m", "--start", 7], "must be one of 128, 0, 255, noise"),
                           (["-o", "x", "--scale", 2, "--bicubic", "x"], "is what -o names")):
        said = check_refused(folder, "decode", "in.fvc", *options, code=USAGE)
        assert words in said, (options, said)
    check_refused(folder, "decode", "in.fvc", "-o", "x.y4m", "--max-pixels", 100, words="at most 100 are allowed")
    check_refused(folder, "decode", "in.fvc", "-o", "x.y4m", "--max-work", 100, words="at most 100 are allowed")
    check_refused(folder, "info", "in.fvc", "--max-pixels", 100, words="at most 100 are allowed")


def test_rates(folder):
    """A rate that the stream cannot say is said to be lost; fields are taken as one frame."""
    path = save(folder, y4m("W6 H4 F65536:1 It C422", bytes(48)))
    said = weft("fractal", "encode", path, "-o", os.path.join(folder, "out.fvc"), said=True)
    assert "is interlaced" in said and "65536:1 frames a second are not kept" in said, said


def header(**fields):
    """Of a stream, with its CRC, as docs/fvc1.md has it."""
    f = {"version": 1, "flags": 1, "width": 16, "height": 16, "chroma": 0, "n": 4, "step": 8, "iterations": 5, "frames": 0,
         **fields}
    data = b"FVC1" + struct.pack("<BBHHBBBB7bBBHHI", f["version"], f["flags"], f["width"], f["height"], f["chroma"], f["n"],
                                 f["step"], 7, -4, -3, -2, 1, 2, 3, 4, 0, f["iterations"], 0, 0, f["frames"])
    return data + struct.pack("<I", zlib.crc32(data))


def test_bombs(folder):
    """Refused for what the header asks for, before there is memory for it."""
    for fields, words in (({"width": 65535, "height": 65535, "chroma": 3, "iterations": 32}, "pixels of all planes: at most"),
                          ({"width": 11000, "height": 11000, "iterations": 32}, "pixels to be computed: at most"),
                          ({"version": 2}, "version"), ({"flags": 9}, "flags"), ({"width": 0}, "16x0"), ({"n": 8}, ""),
                          ({"iterations": 33}, "iterations"), ({"frames": 3}, "ends after 0 of 3 frames")):
        save(folder, header(**fields), "in.fvc")
        for command in (["decode", "in.fvc", "-o", "x.y4m"], ["info", "in.fvc", "--json", "x.json"]):
            said = check_refused(folder, *command)
            assert words in said, (fields, said)
    save(folder, header(width=4096, height=4096, chroma=3) + b"\0" + b"\xff" * 20, "in.fvc")
    check_refused(folder, "decode", "in.fvc", "-o", "x.y4m", words="frame 0, plane 0: 4294967295 bytes of codes: at most")
    save(folder, header(width=4096, height=4096, chroma=3) + b"\0\0\0\1\0", "in.fvc")
    check_refused(folder, "decode", "in.fvc", "-o", "x.y4m", words="frame 0 is truncated")


def limit_memory():
    most = (1 << 27) + os.path.getsize(WEFT) # which a hurried build of the kernels makes hundreds of MiB large
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def test_claims(folder):
    """A pipe with the header of large frames, and none of them, gets no encoder of eleven times that memory."""
    if SANITIZED:
        raise Skip("a sanitizer wants all addresses")
    done = subprocess.run([WEFT, "fractal", "encode", "-", "-o", "x.fvc"], cwd=folder, preexec_fn=limit_memory, check=False,
                          input=y4m("W4000 H4000 Cmono", bytes(9)), capture_output=True, timeout=60)
    assert done.returncode == BAD_INPUT and b"frame 0 is truncated: 9 bytes of 16000000" in done.stderr, done


def test_description(folder):
    """A hundred frames of 53 bytes have a document of many megabytes, which is written with little memory."""
    if SANITIZED:
        raise Skip("a sanitizer wants all addresses")
    stream, _ = coded(folder, drawn(folder, "pan", "240x320", 2), "--change", 4080)
    last = info_of(folder, stream)["frames"][1]["bytes"]
    save(folder, stream + 100 * stream[-last:], "in.fvc")
    for to in ("x.json", "-"):
        done = subprocess.run([WEFT, "fractal", "info", "in.fvc", "--codes", "--json", to], cwd=folder,
                              preexec_fn=limit_memory, check=False, capture_output=True, timeout=60)
        assert done.returncode == 0, (to, done.stderr)
    with open(os.path.join(folder, "x.json"), "rb") as file:
        text = file.read()
    assert text == done.stdout and len(json.loads(text)["frames"]) == 102 and len(text) > 1 << 23, len(text)


def test_damaged(folder):
    """Cut off anywhere, or with a bit turned: bad input, the frame, and no file; also from a pipe."""
    stream, _ = coded(folder, drawn(folder, "rush", "16x24", 3, "--chroma", "420"))
    os.remove(os.path.join(folder, "out.fvc"))
    sizes = [frame["bytes"] for frame in info_of(folder, stream)["frames"]]
    ends = [HEADER_BYTES + sum(sizes[:k]) for k in range(4)]
    source = random.Random(3)
    for at in sorted(source.sample(range(len(stream)), 24) + ends[1:3]):
        save(folder, stream[:at], "in.fvc")
        if at in ends:
            assert len(decoded(folder, stream[:at])[1]) == ends.index(at)
            os.remove(os.path.join(folder, "again.y4m"))
            continue
        frame = sum(at > end for end in ends) - 1
        where = f"frame {frame} is truncated" if at > ends[0] else "the header is truncated" if at else "empty file"
        check_refused(folder, "decode", "in.fvc", "-o", "x.y4m", "--trace", "step", words=where)
        done = subprocess.run([WEFT, "fractal", "decode", "-", "-o", "x.y4m"], input=stream[:at], cwd=folder,
                              capture_output=True, timeout=60, check=False)
        assert done.returncode == BAD_INPUT and "x.y4m" not in os.listdir(folder), (at, done)
    for at in sorted([*range(0, HEADER_BYTES, 4), *source.sample(range(HEADER_BYTES, len(stream)), 24)]):
        damaged = bytearray(stream)
        damaged[at] ^= 1 << at % 8
        save(folder, bytes(damaged), "in.fvc")
        said = check_refused(folder, "decode", "in.fvc", "-o", "x.y4m")
        assert at < HEADER_BYTES or f"frame {sum(at >= end for end in ends) - 1}" in said, (at, said)
    save(folder, stream + b"x", "in.fvc")
    check_refused(folder, "decode", "in.fvc", "-o", "x.y4m", words="frame 3 is truncated")


def test_interrupted(folder):
    """While frames are coded or decoded, and right after the temporary file is there: nothing is left."""
    path = drawn(folder, "pan", "64x64", 2)
    frames = frames_of(path) * 2000
    save(folder, y4m("W64 H64 C422", *frames), "long.y4m")
    before = set(os.listdir(folder))
    interrupt(folder, ["fractal", "encode", "long.y4m", "-o", "out.fvc", "--change", "every", "--search", "seq"],
              signal.SIGTERM, lambda: set(os.listdir(folder)) - before)
    assert set(os.listdir(folder)) == before, set(os.listdir(folder)) - before
    stream, _ = coded(folder, path)
    save(folder, stream[:HEADER_BYTES] + stream[HEADER_BYTES:] * 20000, "long.fvc")
    before = set(os.listdir(folder))
    interrupt(folder, ["fractal", "decode", "long.fvc", "-o", "out.y4m"], signal.SIGINT,
              lambda: set(os.listdir(folder)) - before)
    assert set(os.listdir(folder)) == before, set(os.listdir(folder)) - before
    for command in (["encode", path, "-o", "x.fvc"], ["decode", "out.fvc", "-o", "x.y4m"]):
        weft("fractal", *command, cwd=folder, expect=SIGNAL + signal.SIGINT, said=True, env=disturbing("file"))
        assert set(os.listdir(folder)) == before, set(os.listdir(folder)) - before


def test_outputs(folder):
    """A full device is a file that cannot be written."""
    path = drawn(folder, "pan", "16x16", 2)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([WEFT, "fractal", "encode", path, "-o", "-"], stdout=full, stderr=subprocess.PIPE,
                              timeout=60, check=False)
    assert done.returncode == FILE and b"No space left" in done.stderr, done


def test_progress(folder):
    """On a terminal: the share of the file, frames, PSNR, ratio, speed and time left; of a pipe without share and time."""
    path = drawn(folder, "pan", "16x16", 9)
    jumping = disturbing("clock") | {"TERM": "xterm"}
    shown = on_terminal(["fractal", "encode", path, "-o", "x.fvc"], folder, **jumping)
    assert re.search(rb"\rencoding +\d+% frame \d, [\d.]+ dB, [\d.]+:1, [\d.e+-]+ frames/s, .* left", shown), shown
    narrow = on_terminal(["fractal", "encode", path, "-o", "x.fvc"], folder, columns=20, **jumping)
    lines = re.findall(rb"\r([^\r\x1b]+)\x1b\[K", narrow)
    assert lines and all(len(line) < 20 for line in lines), narrow
    queue = os.path.join(folder, "queue")
    os.mkfifo(queue)
    with subprocess.Popen(["cp", path, queue]):
        shown = on_terminal(["fractal", "encode", queue, "-o", "x.fvc"], folder, **jumping)
    assert re.search(rb"\rencoding frame \d, .* frames/s\x1b", shown), shown
    shown = on_terminal(["fractal", "decode", "x.fvc", "-o", "x.y4m"], folder, **jumping)
    assert re.search(rb"\rdecoding +\d+% frame \d", shown), shown
    assert weft("fractal", "decode", "x.fvc", "-o", "x.y4m", cwd=folder, said=True, env=disturbing("clock")) == ""


def check_device(document):
    """With a search cuda: what the GPU does for itself, or why not."""
    device = document["device"]
    if "cuda" not in [result["search"] for result in document["results"]]:
        assert device is None, device
    elif device["reason"] is not None:
        assert "GPU" in device["reason"] and not device["decode_kernel_seconds"], device
    else:
        samples = [device["multiply_adds"]["seconds"], device["decode_kernel_seconds"],
                   *(one["kernel_seconds"] for one in device["searches"])]
        assert all(len(one) == 30 and min(one) > 0 for one in samples) and device["terms"] == 25344 * 6336 * 7 * 16, device


def test_bench_refuses(folder):
    """No folder for files; and a signal leaves none."""
    words = ["fractal", "bench", "--size", "16x16", "--frames", "1", "--repeat", "1", "--search", "cpu"]
    nowhere = os.path.join(folder, "nowhere")
    said = weft(*words, expect=FILE, said=True, env={**os.environ, "TMPDIR": nowhere})
    assert f"no folder for files in {nowhere}: No such file" in said, said
    said = weft(*words, expect=FILE, said=True, env={**os.environ, "TMPDIR": nowhere * 99})
    assert "File name too long; TMPDIR names another" in said, said
    weft(*words, expect=SIGNAL + signal.SIGINT, said=True, env={**disturbing("folder"), "TMPDIR": folder})
    assert not os.listdir(folder), os.listdir(folder)


def test_bench(folder):
    """All searches give the codes of seq and are timed; table and document have them all."""
    shown = weft("fractal", "bench", "--size", "32x48", "--frames", 2, "--repeat", 2, "--threshold", 80, "--threads", 1,
                 "--threads", 2, "--file-frames", 5, "--json", "b.json", cwd=folder, env={**os.environ, "TMPDIR": folder})
    with open(os.path.join(folder, "b.json"), encoding="utf-8") as file:
        document = json.load(file)
    assert os.listdir(folder) == ["b.json"], os.listdir(folder)
    assert document["schema"] == "weft-fractal-bench/1" and document["input"]["frames"] == 2
    assert document["input"]["file_frames"] == 5
    assert len(document["decode"]["reference_seconds"]) == len(document["decode"]["later_seconds"]) == 2, document["decode"]
    check_device(document)
    for result in document["results"]:
        if result["search"] in ("cuda", "fft") and result["reason"] is not None:
            assert "GPU" in result["reason"] or "dense profile only" in result["reason"], result
            continue
        samples = [result[f"{what}seconds"] for what in ("", "search_", "transfer_", "kernel_", "file_")]
        assert result["reason"] is None and result["terms_decided"] > 0, result
        assert [len(one) for one in samples] == [2, 2, 2, 2, 0 if result["search"] == "seq" else 2], result
        frames = 5 / min(samples[-1]) if samples[-1] else None
        row = re.search(rf"^{result['search']} +{result['threads']} .*", shown, re.M)[0].split()
        assert row[-1] == ("-" if frames is None else f"{frames:.4g}"), (row, frames)
    assert ("seq", 1) in [(result["search"], result["threads"]) for result in document["results"]]
    path = drawn(folder, "discs", "16x24", 3)
    shown = weft("fractal", "bench", path, "--frames", 2, "--repeat", 1, "--search", "cpu")
    assert "16x24, 4:2:2" in shown and "2 frames in memory, 2 in a file" in shown, shown
    odd = os.path.join(folder, os.fsdecode(b"\xff\x1b[2J.y4m"))
    os.link(path, odd)
    assert "[2J.y4m" in weft("fractal", "bench", odd, "--frames", 1, "--repeat", 1, "--search", "cpu", "--json", "b.json", cwd=folder)
    with open(os.path.join(folder, "b.json"), encoding="utf-8") as file:
        assert json.load(file)["input"]["name"].endswith("/??[2J.y4m")
    assert "nothing can run" in weft("fractal", "bench", path, "--search", "cpu", "--eliminate", expect=USAGE, said=True)
    assert "has no frame" in weft("fractal", "bench", save(folder, y4m("W6 H4 C422")), expect=BAD_INPUT, said=True)


if __name__ == "__main__":
    sys.exit(main(globals()))
