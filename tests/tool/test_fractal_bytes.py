#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One stream of every input, and one picture of every stream: test_fractal_bytes.py PATH_OF_WEFT [--print]. Photographs,
clips, drawn sequences, extreme pixels and odd sizes from 1x1 up, coded by every search that can run here, with every
instruction set and several numbers of threads, must have the hashes of tests/fractal-bytes.txt, which --print writes.
Without WEFT_TEST_LONG=1 frames are small, photographs are not coded by seq, and not every number of threads
meets every instruction set. Prints PASS / FAIL / SKIP lines."""
import hashlib
import itertools
import json
import os
import random
import subprocess
import sys

from test_cli import SANITIZED, WEFT, Skip, main, weft
from test_video import DATA, save, y4m

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TABLE = os.path.join(TESTS, "fractal-bytes.txt")
IMAGES, SHARED = os.path.join(TESTS, "../data/images"), os.path.join(TESTS, "../../shared/codec/video")
LONG, IS_PRINTING = os.environ.get("WEFT_TEST_LONG") == "1", "--print" in sys.argv
SEQUENCES = ("pan", "flash", "masts", "discs", "rush")
SIZES = ("1x1", "1x2", "2x1", "3x5", "7x9", "8x8", "9x16", "1x70", "33x1", "31x65", "61x83", "121x99")
CHROMAS = ("mono", "420", "422", "444")
SETS, THREADS = ("plain", "v2", "v3", "v4"), (1, 2, 3, 7, 16)


def read_table():
    """Name of an input -> the hashes of its stream and of what is decoded."""
    if IS_PRINTING:
        return {}
    with open(TABLE, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return {name: hashes for name, *hashes in lines}


HASHES, FOUND = read_table(), {}


# ---- searches --------------------------------------------------------------------------------------------------------


def searches():
    """Of the seed profile, those that can run here."""
    return [one["name"] for one in json.loads(weft("info", "--json", "-"))["searches"] if "seed" in one["profiles"]]


def sets_here():
    def runs(isa):
        every = json.loads(weft("info", "--json", "-", env={**os.environ, "WEFT_ISA": isa}))["searches"]
        return next(one for one in every if one["name"] == "cpu")["runs"]
    return [isa for isa in SETS if runs(isa)]


SEARCHES, SETS_HERE = searches(), sets_here()


def ways(has_seq):
    """(options, environment) of every way to code; the first one's stream is decoded."""
    if IS_PRINTING:
        yield ["--search", "cpu"], {}
        return
    if "cuda" in SEARCHES:
        for options in ([], ["--arith", "float"], ["--codebook", "device", "--store-scaled"]):
            yield ["--search", "cuda", *options], {}
    if "cpu" in SEARCHES:
        last = SETS_HERE[-1]
        pairs = itertools.product(SETS_HERE, THREADS) if LONG else \
            [(isa, 1) for isa in SETS_HERE] + [(last, threads) for threads in THREADS[1:]]
        for isa, threads in pairs:
            yield ["--search", "cpu", "--threads", threads], {"WEFT_ISA": isa}
        yield ["--search", "cpu", "--arith", "float"], {}
    if has_seq:
        yield ["--search", "seq"], {}


def coded(path, options, environment):
    done = subprocess.run([WEFT, "fractal", "encode", path, "-o", "-", *map(str, options)], capture_output=True, check=False,
                          env={**os.environ, **environment})
    assert done.returncode == 0, f"{options} {environment}: {done.stderr.decode()}"
    return done.stdout


def decoded(stream, *options):
    done = subprocess.run([WEFT, "fractal", "decode", "-", "-o", "-", *options], input=stream, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def hash_of(data):
    return hashlib.sha256(data).hexdigest()[:16]


def check(name, path, *options, has_seq=True):
    """All ways to code a file give the stream of the table, which is decoded to the pixels of the table."""
    for number, (way, environment) in enumerate(ways(has_seq or LONG)):
        stream = coded(path, [*way, *options], environment)
        if number == 0:
            FOUND[name] = [hash_of(stream), hash_of(decoded(stream))]
        assert IS_PRINTING or HASHES.get(name, [None])[0] == hash_of(stream), \
            f"{name}, {way} {environment}: {hash_of(stream)}, not {HASHES.get(name)}"
    assert IS_PRINTING or HASHES[name] == FOUND[name], f"{name}: decoded {FOUND[name]}, not {HASHES[name]}"


# ---- inputs ----------------------------------------------------------------------------------------------------------


def skip_unless_quick():
    if SANITIZED and not LONG:
        raise Skip("takes long under sanitizers")


def test_odd_sizes(folder):
    path = os.path.join(folder, "in.y4m")
    for size, chroma in itertools.product(SIZES, CHROMAS):
        weft("scene", size, "--sequence", "rush", "--chroma", chroma, "--frames", 3, "-o", path)
        check(f"{size},{chroma}", path)


def test_extremes(folder):
    """All samples are 0 or 255, and change."""
    source = random.Random(5)
    frames = [bytes(source.choices((0, 255), k=3 * 40 * 56)) for _ in range(3)]
    path = save(folder, y4m("W56 H40 C444", *frames))
    check("extremes", path)
    check("extremes,no-flat", path, "--no-flat")


def test_sequences(folder):
    skip_unless_quick()
    for name in SEQUENCES:
        path = os.path.join(folder, f"{name}.y4m")
        weft("scene", "288x352", "--sequence", name, "--frames", 3, "-o", path)
        check(f"{name},288x352", path)
        check(f"{name},288x352,pruned", path, "--threshold", 80, has_seq=False)


def test_large_sequences(folder):
    """Of the seed's size."""
    if not LONG and not IS_PRINTING:
        raise Skip("takes minutes; WEFT_TEST_LONG=1 runs it")
    for name in SEQUENCES:
        path = os.path.join(folder, f"{name}.y4m")
        weft("scene", "576x704", "--sequence", name, "--frames", 3, "-o", path)
        check(f"{name},576x704", path)


def test_photographs(_):
    skip_unless_quick()
    for name in ("astronaut", "brick", "camera", "coffee"):
        check(name, os.path.join(IMAGES, f"{name}.png"), has_seq=False)


def test_clip(_):
    skip_unless_quick()
    path = os.path.join(DATA, "people_320x192_9.y4m")
    check("people,3", path, "--frames", 3)
    if LONG or IS_PRINTING:
        check("people", path)


def test_other_clip(_):
    """Which does not belong to the project."""
    skip_unless_quick()
    path = os.path.join(SHARED, "nasa_480x270_16.y4m")
    if not os.path.isfile(path):
        raise Skip("there is no ../shared")
    check("nasa,3", path, "--frames", 3, has_seq=False)
    if LONG or IS_PRINTING:
        check("nasa", path)


def print_table():
    print("# SPDX-License-Identifier: MIT\n# Inputs of tests/tool/test_fractal_bytes.py, which writes it: SHA-256, its beginning, "
          "of the stream and of what it\n# is decoded to.")
    for name, hashes in FOUND.items():
        print(name, *hashes)


if __name__ == "__main__":
    if IS_PRINTING:
        sys.stdout, out = sys.stderr, sys.stdout
    failed = main(globals())
    if IS_PRINTING:
        sys.stdout = out
        print_table()
    sys.exit(failed)
