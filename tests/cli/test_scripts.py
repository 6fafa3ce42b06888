#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs of scripts/ from outside: test_scripts.py. Help, wrong options and their exit codes, and that
nothing is built where there is no GPU. Prints PASS / FAIL lines."""
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts")
failures = 0


def run(name, *arguments, path=None):
    """(exit code, standard output, what it said), with the folder `path` in front of all where programs are."""
    environment = dict(os.environ)
    if path:
        environment["PATH"] = path + os.pathsep + environment["PATH"]
    done = subprocess.run([os.path.join(SCRIPTS, name), *arguments], capture_output=True, text=True, timeout=50,
                          check=False, env=environment, cwd=path)
    return done.returncode, done.stdout, done.stderr


def expect(code, words, name, *arguments, path=None):
    """Nothing on standard output, and these words in what it says."""
    global failures
    found = run(name, *arguments, path=path)
    right = found[:2] == (code, "") and words in found[2]
    failures += not right
    title = " ".join([name, *(os.path.basename(argument) for argument in arguments)])
    print(f"PASS {title}: {words}" if right else f"FAIL {title}: not {code} and {words!r} but {found}")


def test_help():
    global failures
    for name in ("gpu-check", "gpu-bytes", "draw-results", "bytes-document", "tune"):
        code, shown, said = run(name, "--help")
        right = code == 0 and name in shown and not said
        failures += not right
        print(f"PASS {name} --help" if right else f"FAIL {name} --help: exit {code}: {said}")


def test_wrong_options():
    for name in ("gpu-check", "gpu-bytes"):
        expect(2, "option --nonsense: unknown", name, "--nonsense")
        expect(2, "--out wants", name, "--out")
    expect(1, "draw-results --check", "draw-results", "--nonsense")
    expect(2, "nothing to do", "tune")
    expect(2, "case \"512x\": must be like", "tune", "--bench", "none", "--case", "512x")
    expect(2, "change \"f32 2048 cols 8\": must be like", "tune", "--build", "bad=f32 2048 cols 8")
    expect(2, "table \"none\": not in build/tune", "tune", "--bench", "none")


def test_tables():
    """A changed table differs from cuda/tuning.def in what was changed, and in nothing else."""
    global failures
    loader = importlib.machinery.SourceFileLoader("tune", os.path.join(SCRIPTS, "tune"))
    tune = importlib.util.module_from_spec(importlib.util.spec_from_loader("tune", loader))
    loader.exec_module(tune)
    with tempfile.TemporaryDirectory() as folder:
        tune.folder_of = lambda name: os.path.join(folder, name)
        path = tune.changed("other", "f32 2048 much = 7, 8; f64 64 rows little = 1, 2, 3, 4, 5, 6, 7;"
                                     "f32 1024 cols cooperative = 9, 9, 9, LATE, 9; f32 8192 classes = 6, 6, 6, 6")
        with open(path, encoding="utf-8") as file, open(os.path.join(tune.ROOT, "cuda/tuning.def"),
                                                        encoding="utf-8") as table:
            pairs = [pair for pair in zip(file.read().split("\n"), table.read().split("\n")) if pair[0] != pair[1]]
    wanted = ["{9, 9, 9, LATE, 9}", "{2048, {7, 8}, ", "{6, 6, 6, 6}", "{1, 2, 3, 4, 5, 6, 7}"]
    right = len(pairs) == len(wanted) and all(w in new for w, (new, _) in zip(wanted, pairs))
    failures += not right
    print("PASS tune: changes of a table" if right else f"FAIL tune: changes of a table: {pairs}")


def test_no_gpu():
    """A driver that knows of no GPU: both stop before they begin anything."""
    global failures
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "nvidia-smi"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho 'No devices were found'\nexit 6\n")
        os.chmod(file.name, 0o755)
        for name, code in (("gpu-check", 1), ("gpu-bytes", 6)):
            expect(code, "no usable GPU", name, "--out", os.path.join(folder, "out"), path=folder)
        left = sorted(os.listdir(folder))
        failures += left != ["nvidia-smi"]
        print("PASS nothing begun" if left == ["nvidia-smi"] else f"FAIL nothing begun: {left}")


def main():
    test_help()
    test_wrong_options()
    test_tables()
    test_no_gpu()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
