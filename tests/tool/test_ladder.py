#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The ladder: test_ladder.py PATH_OF_WEFT PATH_OF_WRONG_WEFT, in which a rung is wrong. Every rung on the CPU builds
alone by one call of each compiler that is here, and is right at sizes that take every branch; the last one also without
any of its ideas. So is every rung on a GPU where nvcc and a GPU are; tests/cuemu tries them without. A rung whose cosines
are a little wrong says so. weft reproduce ladder measures all of them, but for those that are wrong. Prints PASS /
FAIL / SKIP lines."""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys

from test_cli import CHECK_FAILED, SANITIZED, Skip, main, weft

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tool/reproduce/ladder")
WRONG = os.path.abspath(sys.argv[2])
SIZES = (2, 4, 8, 64, 256)


def entries(device):
    """The rungs of a device as (number, name), and the ideas that the last one can be without."""
    with open(os.path.join(FOLDER, "ladder.def"), encoding="utf-8") as file:
        text = file.read()
    rungs = re.findall(rf"^LADDER_RUNG\({device}, (\d+), (\w+)\)$", text, re.M)
    assert [int(number) for number, _ in rungs] == list(range(1, len(rungs) + 1)), rungs
    return rungs, re.findall(rf"^LADDER_WITHOUT\({device}, (\w+)\)$", text, re.M)


RUNGS, WITHOUT = entries("cpu")
FILES = [f"cpu_{number}_{name}.c" for number, name in RUNGS]
GPU_RUNGS, GPU_WITHOUT = entries("gpu")
GPU_FILES = [f"gpu_{number}_{name}.cu" for number, name in GPU_RUNGS]


def compilers():
    if SANITIZED:
        raise Skip("rungs that build alone are the same in every build")
    found = [name for name in ("gcc", "clang") if shutil.which(name)]
    if not found:
        raise Skip("neither gcc nor clang is here")
    return found


def build(compiler, source, program, *options):
    """As the head of ladder.h says, and with all warnings as errors. What a rung's threads need, its head says."""
    threads = ["-fopenmp"] if "omp.h" in open(source, encoding="utf-8").read() else []
    command = [compiler, "-O3", "-march=native", *threads, "-Wall", "-Wextra", "-Werror", *options, source, "-lm",
               "-o", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"


def run(program, size, expect=0):
    """Threads that wait leave the cores to others."""
    done = subprocess.run([program, str(size)], capture_output=True, text=True, timeout=120, check=False,
                          env={**os.environ, "OMP_WAIT_POLICY": "passive"})
    assert done.returncode == expect, f"{program} {size}: exit {done.returncode}, not {expect}: {done.stderr}"
    return done.stdout + done.stderr


def test_every_rung_is_there(_):
    there = sorted(name for name in os.listdir(FOLDER) if re.fullmatch(r"(cpu_\d+_\w+\.c|gpu_\d+_\w+\.cu)", name))
    assert there == sorted(FILES + GPU_FILES), f"{there} are not those of ladder.def"
    for rungs, without in ((RUNGS, WITHOUT), (GPU_RUNGS, GPU_WITHOUT)):
        assert set(without) <= {name for _, name in rungs}, without


def test_rungs_alone(folder):
    for compiler in compilers():
        for name in FILES:
            program = os.path.join(folder, f"{compiler}-{name[:-2]}")
            build(compiler, os.path.join(FOLDER, name), program)
            for size in SIZES:
                said = run(program, size)
                assert f"{size}x{size}  best " in said and name[6:-2] in said, said
    assert "usage: " in run(program, 3, expect=2) and "usage: " in run(program, 1, expect=2)


def test_gpu_rungs_alone(folder):
    """By nvcc, with all warnings as errors; for the GPU that is there, if one is."""
    if SANITIZED:
        raise Skip("rungs that build alone are the same in every build")
    if not shutil.which("nvcc"):
        raise Skip("there is no nvcc")
    has_gpu = shutil.which("nvidia-smi") and subprocess.run(["nvidia-smi", "-L"], capture_output=True, check=False).returncode == 0
    for name in GPU_FILES:
        program = os.path.join(folder, name[:-3])
        command = ["nvcc", "-O3", f"-arch={'native' if has_gpu else 'sm_90'}", "--Werror=all-warnings", "-Xcompiler=-Wall,-Wextra",
                   os.path.join(FOLDER, name), "-o", program]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
        for size in (16, 32, 64, 256):
            if has_gpu:
                said = run(program, size)
                assert f"{size}x{size}  best " in said, said
            else:
                assert "cannot begin with" in run(program, size, expect=1)
    if not has_gpu:
        raise Skip("without a GPU the rungs were built and not run")


def test_without_ideas(folder):
    compiler = compilers()[-1]
    for name in WITHOUT:
        program = os.path.join(folder, f"{compiler}-without-{name}")
        build(compiler, os.path.join(FOLDER, FILES[-1]), program, f"-DWITHOUT_{name.upper()}")
        for size in SIZES:
            run(program, size)


def test_wrong_rungs_say_so(folder):
    """Each with its cosines wrong by a hundred thousandth."""
    for name in FILES:
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            text = file.read()
        assert "(float)cos(angle)" in text, f"{name}: nothing to spoil"
        source, program = os.path.join(folder, name), os.path.join(folder, "wrong")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text.replace("(float)cos(angle)", "(float)(1.00001 * cos(angle))"))
        build(compilers()[0], source, program, "-O1", f"-I{FOLDER}")
        assert f"{name}: wrong at 64x64: an error of " in run(program, 64, expect=1)


def is_near(a, b):
    return abs(a / b - 1) < 1e-6


def check_times(row):
    samples = row["samples_us"]
    assert 3 <= len(samples) <= 15 and min(samples) > 0, row
    assert is_near(row["median_us"], statistics.median(samples)), row


def test_experiment(folder):
    printed = weft("reproduce", "ladder", "--quick", "--json", "d.json", cwd=folder)
    with open(os.path.join(folder, "d.json"), encoding="utf-8") as file:
        document = json.load(file)
    assert (document["schema"], document["height"], document["width"]) == ("weft-ladder/1", 512, 512), document
    rows = [row for row in document["results"] if row["device"] == "cpu"]
    rungs, without, others = ([row for row in rows if row["kind"] == kind]
                              for kind in ("rung", "without", "strategy"))
    assert [row["name"] for row in rungs] == [name for _, name in RUNGS], rungs
    assert [row["file"] for row in rungs] == FILES, rungs
    assert [row["name"] for row in without] == WITHOUT, without
    assert {row["name"] for row in others} == {"cpu.fast", "copy"}, others
    if rungs[0]["reason"] is not None:
        raise Skip(rungs[0]["reason"])
    median = {(row["kind"], row["name"]): row["median_us"] for row in rungs + without}
    for row in rows:
        check_times(row)
        assert row["error"] is None and row["reason"] is None, row
        assert row["name"] == "copy" or \
            row["rel_l2"] <= row["gate_l2"] and row["max_rms"] <= row["gate_max"], row
    for before, row in zip([None, *rungs], rungs):
        name = row["name"]
        assert before is None or is_near(row["gain"], before["median_us"] / row["median_us"]), row
        assert is_near(row["total_gain"], rungs[0]["median_us"] / row["median_us"]), row
        assert is_near(row["lost"], median["without", name] / rungs[-1]["median_us"]) if name in WITHOUT \
            else row["lost"] is None, row
        assert re.search(rf"(?m)^ +{name} .*{re.escape(row['idea'])}$", printed), printed


def test_experiment_with_a_wrong_rung(folder):
    """It is not timed, the others are, and the exit code is 1."""
    done = subprocess.run([WRONG, "reproduce", "ladder", "--quick", "--json", "d.json"], cwd=folder,
                          capture_output=True, text=True, timeout=300, check=False)
    with open(os.path.join(folder, "d.json"), encoding="utf-8") as file:
        rows = json.load(file)["results"]
    if rows[0]["reason"] is not None:
        raise Skip(rows[0]["reason"])
    assert done.returncode == CHECK_FAILED and "cpu tables: relative L2 error " in done.stderr, done
    wrong, = [row for row in rows if row["error"] is not None]
    assert (wrong["kind"], wrong["name"], wrong["samples_us"]) == ("rung", "tables", []), wrong
    assert wrong["gain"] is None and "FAILED: relative L2 error " in done.stdout, done.stdout
    assert all(row["samples_us"] for row in rows if row is not wrong and row["reason"] is None), rows


if __name__ == "__main__":
    sys.exit(main(globals()))
