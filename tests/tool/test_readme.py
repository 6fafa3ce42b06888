#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""README.md does what it says: test_readme.py README WEFT INCLUDE LIBRARY. The commands of its first steps
succeed, one after another; its C example compiles, runs and gives the value that it promises; the files that
it names are there. Prints PASS / FAIL lines."""
import os
import re
import subprocess
import sys
import tempfile

README, WEFT, INCLUDE, LIBRARY = map(os.path.abspath, sys.argv[1:5])
TREE = os.path.dirname(README)
failures = 0


def verdict(name, wrong):
    global failures
    failures += bool(wrong)
    print(f"FAIL {name}: {wrong}" if wrong else f"PASS {name}")


def run(command, folder, **more):
    """What it said, and what was wrong with it."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=250, **more)
    return done.stdout, done.returncode and f"exit {done.returncode}: {' '.join(done.stderr.split())}"


def first_steps(text, folder):
    os.symlink(WEFT, os.path.join(folder, "weft"))
    path = {**os.environ, "PATH": folder + os.pathsep + os.environ["PATH"]}
    lines = re.search(r"```sh\n(.*?)```", text, re.S)[1].splitlines()
    for line in lines:
        command = line.split("#")[0].strip()
        verdict(command, run(["sh", "-c", command], folder, env=path)[1])
    pictures = [run([WEFT, "fft", name, "-o", "-"], folder, env=path, encoding="latin-1") for name in
                ("photo.png", "same.png")]
    verdict("the very same pixels", pictures[0] != pictures[1] and "they differ")


def example(text, folder):
    with open(os.path.join(folder, "example.c"), "w", encoding="utf-8") as file:
        file.write(re.search(r"```c\n(.*?)```", text, re.S)[1])
    wrong = run([os.environ.get("CC", "cc"), "-std=c99", "-Wall", "-Wextra", "-Werror", "example.c", "-I", INCLUDE,
                 LIBRARY, "-o", "example", "-Wl,-rpath," + os.path.dirname(LIBRARY)], folder)[1]
    verdict("the example compiles", wrong)
    if not wrong:
        said, wrong = run(["./example"], folder)
        verdict("the example runs", wrong or (not said.endswith("X[0][0] = 1\n") and said))


def names(text):
    """Words in code that look like files of the tree, and links."""
    table = text[text.index("| a line about"):text.index("## How do I add")]
    paths = re.findall(r"`([\w./*]+)`", table) + re.findall(r"\]\(([^):]+)\)", text)
    missing = [path for path in paths if not ("*" in path or os.path.exists(os.path.join(TREE, path)))]
    verdict("what it names is there", ", ".join(missing))


def main():
    with open(README, encoding="utf-8") as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as folder:
        first_steps(text, folder)
        example(text, folder)
    names(text)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
