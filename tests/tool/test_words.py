#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Retired words: test_words.py ROOT [LIST]. No source or document that git tracks in ROOT, but for the notebook, has a
word of LIST, which is ROOT/tests/retired-words.txt if it is not given. Prints each as FILE:LINE: word -> what to say, then a line
PASS / FAIL / SKIP for each expression of the list."""
import os
import re
import subprocess
import sys
from collections import namedtuple

ROOT = sys.argv[1]
LIST = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "tests/retired-words.txt")
FREE = ("docs/log/", "tests/fuzz/seeds/", "tests/retired-words.txt") # and data/, but for what describes it
ENTRY = re.compile(r"(?P<word>.+) @ (?P<where>.+?) -> (?P<say>.+), not (?P<examples>.+)")
Entry = namedtuple("Entry", "word where say")


def entries():
    with open(LIST, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        parts = ENTRY.fullmatch(line)
        if not parts:
            sys.exit(f"{LIST}:{number}: is not: expression @ where -> what to say, not example")
        word = re.compile(parts["word"])
        for example in parts["examples"].split(" / "):
            if not word.search(example):
                sys.exit(f"{LIST}:{number}: does not find its own example: {example}")
        where = parts["where"].split()
        for place in where:
            if place != "*" and not os.path.exists(os.path.join(ROOT, place)):
                sys.exit(f"{LIST}:{number}: there is no {place}")
        yield Entry(word, where, parts["say"])


def sources():
    """The tracked files with their lines, the path before the first."""
    paths = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for path in filter(None, paths.split("\0")):
        whole = os.path.join(ROOT, path)
        is_data = path.startswith("data/") and not path.endswith(".md")
        if path.startswith(FREE) or is_data or not os.path.isfile(whole):
            continue
        with open(whole, "rb") as file:
            text = file.read()
        if b"\0" not in text:
            yield path, [path, *text.decode("utf-8").split("\n")]


def is_in(path, folders):
    return any(folder in ("*", path) or path.startswith(folder + "/") for folder in folders)


def found_in(lines, word):
    """(number, what was found), also where it goes on in the next line, behind a comment's sign."""
    for number, line in enumerate(lines):
        then = lines[number + 1] if 0 < number < len(lines) - 1 else ""
        both = line + " " + re.sub(r"^\s*(\*|//|#)?\s*", "", then)
        for found in word.finditer(both):
            if found.start() < len(line):
                yield number, found[0].strip()


def main():
    if subprocess.run(["git", "rev-parse"], cwd=ROOT, capture_output=True, check=False).returncode != 0:
        print("SKIP words: not a working tree of git, which says what is a source")
        return 0
    tree, failed = list(sources()), False
    for entry in entries():
        hits = [(path, number, what) for path, lines in tree if is_in(path, entry.where)
                for number, what in found_in(lines, entry.word)]
        for path, number, what in hits:
            print(f"{path}:{number}: {what} -> {entry.say}")
        name = entry.word.pattern.replace(":", "_") # a colon ends a name
        print(f"FAIL {name}: {len(hits)} times" if hits else f"PASS {name}")
        failed |= bool(hits)
    return failed


if __name__ == "__main__":
    sys.exit(main())
