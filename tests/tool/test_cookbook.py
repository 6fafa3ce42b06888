#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/cookbook.md is what scripts/draw-cookbook makes of it: test_cookbook.py TREE WEFT. Its commands run as they
stand there and say what it says, and its pictures are those that they make, but for what another JPEG library rounds
otherwise. Prints PASS / FAIL / SKIP lines."""
import glob
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

from verdict import verdict, verdicts

TREE, WEFT = map(os.path.abspath, sys.argv[1:3])
LEAST_DECIBELS = 45
ANEW = "scripts/draw-cookbook draws it anew"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)


def stale(one, other):
    """None where both pictures are the same to LEAST_DECIBELS."""
    if not os.path.exists(one):
        return "is not there"
    done = run(WEFT, "diff", one, other)
    found = re.match(r"PSNR ([\d.]+|inf\w*) dB", done.stdout)
    return None if found and float(found[1]) >= LEAST_DECIBELS else f"{ANEW}: {done.stdout}{done.stderr}"


def main():
    if importlib.util.find_spec("numpy") is None:
        print("SKIP the cookbook: no NumPy in this Python")
        return
    if ".jpg" not in run(WEFT, "--version").stdout:
        print("SKIP the cookbook: this weft writes no JPEG files")
        return
    docs = os.path.join(TREE, "docs")
    with tempfile.TemporaryDirectory() as folder:
        done = run(sys.executable, "-B", os.path.join(TREE, "scripts", "draw-cookbook"), "--weft", WEFT, "--into", folder)
        verdict("its commands run", done.returncode and done.stderr)
        if done.returncode:
            return
        text = read(os.path.join(docs, "cookbook.md"))
        verdict("they say what it says", read(os.path.join(folder, "cookbook.md")) != text and ANEW)
        named = re.findall(r"\]\((pictures/[\w.-]+)\)", text)
        for name in named:
            verdict(name, stale(os.path.join(docs, name), os.path.join(folder, name)))
        there = glob.glob("pictures/cookbook-*", root_dir=docs)
        verdict("all pictures are shown, once", sorted(named) != sorted(there) and f"{named}, but there are {there}")


if __name__ == "__main__":
    main()
    sys.exit(verdicts())
