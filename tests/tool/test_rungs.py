#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rungs of the ladder without Weft: each on the CPU builds alone by one call of each compiler that is here, and is right
at sizes that take every branch; the last one also without any of its ideas. So is each on a GPU where nvcc and a GPU are;
tests/cuemu tries them without. A rung whose cosines are a little wrong says so. Prints PASS / FAIL / SKIP lines."""
import os
import re
import shutil
import subprocess
import sys

from test_cli import Skip, main

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tool/reproduce/ladder")
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


if __name__ == "__main__":
    sys.exit(main(globals()))
