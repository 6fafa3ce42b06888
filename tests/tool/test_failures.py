#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One call of the C library fails: test_failures.py PATH_OF_WEFT PATH_OF_DISTURBING. Every command is run again for
the first call, the second and so on, until none is left to fail: it leaves what it leaves otherwise, or the exit code
that belongs to the call, a message and no file. Of a command that takes seconds, not every turn of a loop is tried: of each
way that leads to a call the first, the second and the last. Without WEFT_TEST_LONG=1 a part of them. Prints PASS / FAIL / SKIP."""
import glob
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

import pictures
import png
from test_cli import DISTURBING, DONE, FILE, GPU, MEMORY, SANITIZED, WEFT, Skip, disturbing, main, weft

# In the order of disturbing.c, with the exit codes that may follow.
CALLS = {"malloc": MEMORY, "calloc": MEMORY, "realloc": MEMORY, "aligned_alloc": MEMORY, "fopen": FILE,
         "fdopen": MEMORY, "fread": FILE, "fwrite": FILE, "fsync": FILE, "rename": FILE, "unlink": FILE}
MOST_CALLS = 1 << 16
RESULTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../data/results")
LONG = os.environ.get("WEFT_TEST_LONG") == "1"

Outcome = namedtuple("Outcome", "code printed said files ways")


def steady(data):
    """Text without its numbers, which differ from run to run where they are times."""
    if not data.startswith((b"\x89PNG", b"\x93NUMPY", b"YUV4MPEG2", b"FVC1", b"\xff\xd8", b"II*", b"P6", b"PF")):
        data = re.sub(rb" +", b" ", re.sub(rb"-?\d[\d.e+-]*( (us|ms|s)\b)?", b"#", data))
    return data


def ways_in(file):
    """Of each kind of call, the way to the first, the second and so on."""
    counted = struct.unpack(f"{len(CALLS)}Q", file.read(8 * len(CALLS)))
    for kind, count in enumerate(counted):
        assert count <= MOST_CALLS, f"{list(CALLS)[kind]}: {count} calls; disturbing.c keeps the ways to {MOST_CALLS}"
        file.seek(8 * (len(CALLS) + kind * MOST_CALLS))
        yield struct.unpack(f"{count}Q", file.read(8 * count))


def run(program, arguments, inputs, failing=""):
    """The command in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in inputs.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        with tempfile.NamedTemporaryFile() as counts:
            counts.truncate(8 * len(CALLS) * (1 + MOST_CALLS))
            done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, timeout=120, check=False,
                                  env={**disturbing(""), "WEFT_TEST_FAIL": failing, "WEFT_TEST_CALLS": counts.name,
                                       "TMPDIR": folder, "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"})
            ways = {} if failing else dict(zip(CALLS, ways_in(counts)))
        files = {}
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as file:
                files[name] = steady(file.read())
        return Outcome(done.returncode, steady(done.stdout), done.stderr.decode(), files, ways)


def wrong_with(outcome, right, call, inputs, timed, first):
    """What is wrong with a run in which such a call failed; None if nothing is. `first`: an output that is whole before the
    next one is begun."""
    if outcome.code == right.code:
        return None if timed or outcome[1:4] == right[1:4] else f"exit {right.code}, but not what it leaves otherwise"
    if outcome.code != CALLS[call]:
        return f"exit {outcome.code}"
    if not re.fullmatch(r"(weft: .*\n)*(\nlibgomp: .*\n)?(weft: .*\n)+", outcome.said):
        return "not one line that says why"
    left = {name for name in outcome.files.keys() - inputs.keys() if not (
        name == first and outcome.files[name] == right.files[name] or
        call == "fwrite" and "standard output" in outcome.said and name.endswith(".json") and
        (timed or outcome.files[name] == right.files[name]))} # a whole document outlives a table that could not be printed
    return f"left {', '.join(left)}" if left else None


def spread(values, most):
    """So many of them, from the first to the last."""
    return values if len(values) <= most else [values[i * (len(values) - 1) // max(most - 1, 1)] for i in range(most)]


def numbers(ways, most, slow):
    """Those of the calls that fail, each in its turn."""
    of_way = {}
    for number, way in enumerate(ways, 1):
        of_way.setdefault(way, []).append(number)
    if LONG:
        return sorted({number for each in of_way.values() for number in ((*each[:2], each[-1]) if slow else each)})
    firsts = spread([each[0] for each in of_way.values()], most)
    others = sorted(set(range(1, len(ways) + 1)) - set(firsts))
    return sorted(firsts + spread(others, most - len(firsts)))


def walk(*arguments, inputs=None, expect=DONE, program=WEFT, most=40, timed=False, first=None, slow=False):
    """Without WEFT_TEST_LONG=1, so many of each call, by as many ways as there are. Where times decide what is left, it is not
    compared. `slow`: a run takes seconds."""
    if DISTURBING is None:
        raise Skip("disturbing.c was not given")
    inputs = inputs or {}
    right = run(program, arguments, inputs)
    assert right.code == expect, right
    wrong = []

    def fail(call_and_number):
        call, number = call_and_number
        outcome = run(program, arguments, inputs, f"{call}:{number}")
        why = wrong_with(outcome, right, call, inputs, timed, first)
        if why:
            wrong.append(f"{call} {number}: {why}: {outcome.said.strip()}")

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(fail, [(call, number) for call, ways in right.ways.items() for number in numbers(ways, most, slow)]))
    assert not wrong, f"{len(wrong)} wrong: " + "; ".join(wrong[:10])


def without_cuda():
    """For commands that name the GPU, whatever they run on."""
    if json.loads(weft("info", "--json", "-"))["cuda_build"]:
        raise Skip("what CUDA allocates is not the tool's")


def inputs_of(folder, *names):
    """Files of these names: pictures, and the spectrum of one of them."""
    for name, colour in (("in.png", png.RGB_ALPHA), ("gray.png", png.GRAY)):
        png.write(os.path.join(folder, name), 6, 9, colour, 8, png.noise(6, 9, colour, 8))
    weft("fft", "in.png", "-o", "x.npy", cwd=folder)
    found = {}
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = file.read()
    return found


def palette():
    """A picture of indices, some of whose colours are transparent."""
    header, rows = struct.pack(">IIBBBBB", 2, 2, 8, 3, 0, 0, 0), bytes([0, 0, 1, 0, 2, 1])
    chunks = ((b"IHDR", header), (b"PLTE", bytes(range(9))), (b"tRNS", b"\x7f\x00"), (b"IDAT", zlib.compress(rows)),
              (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(png.chunk(*each) for each in chunks)


def test_fft(folder):
    walk("fft", "in.png", "-o", "out.npy", "--strategy", "cpu", inputs=inputs_of(folder, "in.png"))


def test_other_formats(folder):
    """Each read once and written once."""
    endings = [ending for ending in (".jpg", ".tif", ".ppm", ".pfm") if ending in weft("--version").split()]
    png.write(os.path.join(folder, "in.png"), 6, 9, png.RGB, 8, png.noise(6, 9, png.RGB, 8))
    weft("fft", "in.png", "-o", "x.npy", cwd=folder)
    for ending in endings:
        weft("ifft", "x.npy", "-o", f"in{ending}", cwd=folder)
        with open(os.path.join(folder, f"in{ending}"), "rb") as picture, open(os.path.join(folder, "x.npy"), "rb") as x:
            inputs = {f"in{ending}": picture.read(), "x.npy": x.read()}
        walk("fft", f"in{ending}", "-o", "out.npy", "--strategy", "cpu.reference", inputs=inputs, most=12)
        walk("ifft", "x.npy", "-o", f"out{ending}", "--strategy", "cpu.reference", inputs=inputs, most=12)
    with open(os.path.join(folder, "pixels.npy"), "wb") as file:
        file.write(pictures.npy("(3, 4, 3)", list(range(36)), "<f8"))
    with open(os.path.join(folder, "pixels.npy"), "rb") as file:
        walk("fft", "in.npy", "-o", "out.npy", "--strategy", "cpu.reference", inputs={"in.npy": file.read()}, most=12)


def test_fft_of_palette(_):
    walk("fft", "in.png", "-o", "out.npy", "--strategy", "cpu.reference", inputs={"in.png": palette()})


def test_ifft(folder):
    walk("ifft", "x.npy", "-o", "out.png", "--like", "in.png", "--strategy", "cpu", "--precision", "f64",
         inputs=inputs_of(folder, "in.png", "x.npy"))


def test_ifft_to_numbers(folder):
    walk("ifft", "x.npy", "-o", "out.npy", "--strategy", "cpu.reference", inputs=inputs_of(folder, "x.npy"))


def test_spectrum(folder):
    walk("spectrum", "in.png", "-o", "out.png", "--strategy", "cpu", inputs=inputs_of(folder, "in.png"))


def test_spectrum_of_spectrum(folder):
    walk("spectrum", "x.npy", "-o", "out.png", "--edges", "hann", "--reference", "in.png", "--fit", "4", "--gray", "--profile", "p.csv",
         "--strategy", "cpu", inputs=inputs_of(folder, "in.png", "x.npy"), first="out.png")


def test_diff(folder):
    inputs = inputs_of(folder, "in.png")
    walk("diff", "in.png", "other.png", "-o", "out.png", "--json", "d.json", inputs=inputs | {"other.png": inputs["in.png"]},
         first="out.png")
    png.write(os.path.join(folder, "wide.png"), 6, 9, png.RGB, 16, png.noise(6, 9, png.RGB, 16))
    with open(os.path.join(folder, "wide.png"), "rb") as file:
        walk("diff", "in.png", "wide.png", "--tolerance", "65535", inputs=inputs | {"wide.png": file.read()})


def test_filter(folder):
    """A result of integers with a drawing of the gains, and one of numbers with a kernel."""
    inputs = {**inputs_of(folder, "in.png", "gray.png"), "k.txt": b"1 2 1\n0 0 0\n-1 -2 -1\n"}
    walk("filter", "in.png", "-o", "out.png", "--highpass", "4", "--strategy", "cpu", inputs=inputs)
    walk("filter", "gray.png", "-o", "out.png", "--like", "imagej", "--bandpass", "2:4", "--autoscale", "--strategy", "cpu",
         inputs=inputs)
    walk("filter", "in.png", "--notch", "4", "--dry-run", "--show-mask", "mask.png", "--strategy", "cpu", inputs=inputs)
    walk("filter", "gray.png", "-o", "out.npy", "--kernel", "k.txt", "--gaussian", "1", "--strategy", "cpu", inputs=inputs)


def test_screen(folder):
    """A picture in which a screen is found."""
    samples = [128 + 60 * (m % 5 > 2) + 60 * (n % 5 > 2) + value % 8
               for (m, n), value in zip(((m, n) for m in range(40) for n in range(48)), png.noise(40, 48, png.GRAY, 8))]
    png.write(os.path.join(folder, "in.png"), 40, 48, png.GRAY, 8, samples)
    assert "removes a printed screen" in weft("filter", "in.png", "-o", "out.png", "--descreen", cwd=folder, said=True)
    with open(os.path.join(folder, "in.png"), "rb") as file:
        walk("filter", "in.png", "-o", "out.png", "--descreen", "--autoscale", "--strategy", "cpu", inputs={"in.png": file.read()})


def test_completion(_):
    walk("completion", "zsh")


def test_filter_of_stacks(_):
    page = (5, 6, 1, "H", list(range(30)))
    kept = {"more": [(282, 5, [300, 7]), (283, 5, [300, 7])]}  # more tags, and libtiff 4.5 itself would crash without memory
    walk("filter", "in.tif", "-o", "out.tif", "--highpass", "4", "--strategy", "cpu.reference",
         inputs={"in.tif": pictures.tiff_stack((page, kept), (page, {}), (page, {}))}, most=30)


def test_profile(folder):
    """Between formats."""
    if ".jpg" not in weft("--version").split():
        raise Skip("this build has no JPEG")
    profile = bytes(16) + b"RGB " + bytes(200)
    png.write(os.path.join(folder, "in.png"), 6, 9, png.RGB, 8, png.noise(6, 9, png.RGB, 8))
    with open(os.path.join(folder, "in.png"), "rb") as file:
        data = file.read()
    data = data[:33] + png.chunk(b"iCCP", b"name\0\0" + zlib.compress(profile)) + data[33:]
    for source, data, target in (("in.png", data, "out.jpg"),
                                 ("in.jpg", pictures.jpeg("colour", (0xe2, b"ICC_PROFILE\0\1\1" + profile)), "out.png")):
        walk("filter", source, "-o", target, "--highpass", "4", "--strategy", "cpu.reference", inputs={source: data}, most=12)


def test_scene(_):
    walk("scene", "5x6", "-o", "out.png", "--rgb", "--depth", "16")


def test_sequence(_):
    walk("scene", "5x6", "-o", "out.y4m", "--sequence", "rush", "--frames", "2")


def clip_and_stream(folder):
    """A video of two frames, and what weft fractal makes of it."""
    weft("scene", "16x18", "-o", "in.y4m", "--sequence", "rush", "--frames", "2", "--chroma", "420", cwd=folder)
    weft("fractal", "encode", "in.y4m", "-o", "in.fvc", cwd=folder)
    found = {}
    for name in ("in.y4m", "in.fvc"):
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = file.read()
    return found


def test_fractal_encode(folder):
    walk("fractal", "encode", "in.y4m", "-o", "out.fvc", "--threshold", "80", "--search", "cpu",
         inputs={"in.y4m": clip_and_stream(folder)["in.y4m"]})
    walk("fractal", "encode", "gray.png", "-o", "out.fvc", "--search", "seq", inputs=inputs_of(folder, "gray.png"))


def test_fractal_decode(folder):
    inputs = clip_and_stream(folder)
    walk("fractal", "decode", "in.fvc", "-o", "out.y4m", "--like", "in.y4m", inputs=inputs)
    walk("fractal", "decode", "in.fvc", "-o", "out.png", "--frame", "1", inputs=inputs)
    walk("fractal", "decode", "in.fvc", "--scale", "2", "--bicubic", "b.y4m", inputs=inputs)
    walk("fractal", "decode", "in.fvc", "--trace", "step", "--iterations", "2", "--frame", "0", inputs=inputs)


def test_fractal_info(folder):
    inputs = {"in.fvc": clip_and_stream(folder)["in.fvc"]}
    walk("fractal", "info", "in.fvc", "--codes", inputs=inputs)
    walk("fractal", "info", "in.fvc", "--codes", "--json", "i.json", inputs=inputs)


def test_fractal_bench(folder):
    without_cuda()
    inputs = {"in.y4m": clip_and_stream(folder)["in.y4m"]}
    walk("fractal", "bench", "in.y4m", "--repeat", "1", "--frames", "2", "--json", "b.json", inputs=inputs)
    walk("fractal", "bench", "--size", "16x16", "--frames", "1", "--file-frames", "2", "--repeat", "1", "--profile", "dense")


def test_standard_streams(folder):
    walk("fft", "in.png", "-o", "-", "--strategy", "cpu", inputs=inputs_of(folder, "in.png"))


def test_verify(_):
    without_cuda()
    walk("verify", "--size", "4x6", "--strategy", "cpu", "--json", "v.json")


def test_bench(folder):
    without_cuda()
    walk("bench", "--image", "gray.png", "--file", "--strategy", "cpu.reference,cpu.fast,copy", "--repeat", "1", "--json",
         "b.json", inputs=inputs_of(folder, "gray.png"))


def test_sweep(_):
    without_cuda()
    walk("bench", "--sweep", "sizes", "--strategy", "cpu.reference,copy", "--repeat", "1", "--json", "s.json",
         inputs={"sizes": b"4x6\n5x5\n"})


def test_info(_):
    without_cuda()
    walk("info")
    walk("info", "--json", "i.json", "--size", "6x9")


def test_reproduce_fractal(_):
    """Each run takes a second, under a sanitizer several."""
    without_cuda()
    if SANITIZED and not LONG:
        raise Skip("takes long under sanitizers")
    walk("reproduce", "fractal", "--quick", "--json", "d.json", most=3, timed=True, slow=True)


def test_reproduce_report(_):
    """Each run takes two seconds, under a sanitizer several."""
    without_cuda()
    if SANITIZED and not LONG:
        raise Skip("takes long under sanitizers")
    walk("reproduce", "report", "--quick", "--json", "d.json", most=2, timed=True, slow=True)


def test_reproduce_from(_):
    """A document of all experiments, out of those of data/results."""
    parts = [{"name": "report", "reason": "left out here", "document": None}]
    for name in ("dx11", "fractal"):
        with open(sorted(glob.glob(os.path.join(RESULTS, f"*-{name}.json")))[0], encoding="utf-8") as file:
            parts.append({"name": name, "reason": None, "document": json.load(file)})
    del parts[1]["document"]["rows"][3:]
    walk("reproduce", "--from", "d.json", most=20,
         inputs={"d.json": json.dumps({"schema": "weft-reproduce/1", "experiments": parts}).encode()})


def test_reproduce_ladder(_):
    without_cuda()
    if not LONG:
        raise Skip("each run takes some seconds")
    walk("reproduce", "ladder", "--quick", "--json", "d.json", most=3, timed=True, slow=True)


def test_reproduce(folder):
    without_cuda()
    walk("reproduce", "dx11", "--quick", "--image", "in.png", "--json", "d.json", expect=GPU,
         inputs=inputs_of(folder, "in.png"))


if __name__ == "__main__":
    sys.exit(main(globals()))
