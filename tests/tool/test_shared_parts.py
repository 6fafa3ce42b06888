#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shared parts of cuda/ know no strategy: test_shared_parts.py ROOT. What the .cu files include tells which files more
than one of them shares; all of cuda/base is shared, and so are the tables, cuda/*.def. None of those has the name of a
strategy of src/strategy.def, in code or comments, written in one word or several: what a strategy wants of a part is a
trait, or an argument. Rows of a table may be called as the pass is that they are for. Prints PASS / FAIL lines, and each
name that was found as FILE:LINE: name."""
import os
import re
import sys
from collections import Counter

ROOT = os.path.realpath(sys.argv[1])
CUDA = os.path.join(ROOT, "cuda")
INCLUDE = re.compile(r'^\s*#\s*include\s*["<](.+)[">]', re.MULTILINE)
# CUDA's own words for a kernel whose blocks wait for one another. A name that lies within one of them is no strategy's.
OF_CUDA = re.compile(r"cooperative_groups|val\.cooperative|cooperative launch")
# A name within one of these words of a table is that of a row, or of the file of a pass.
OF_TABLES = re.compile(r"\b[A-Z]+(_[A-Z]+)*\b|\b[\w/]+\.cuh\b")
LEAST_SHARED = 30 # far fewer would mean that the includes were not found


def text_of(path):
    with open(os.path.join(CUDA, path), encoding="utf-8") as file:
        return file.read()


def names():
    """An expression for each strategy: bare names of cuda.*, and with what lies before the point of all."""
    with open(os.path.join(ROOT, "src/strategy.def"), encoding="utf-8") as file:
        for kind, where, name in re.findall(r"^(\w*STRATEGY)\((cuda|cpu)_(\w+)\)", file.read(), re.MULTILINE):
            apart = "[-_ ]?".join(name.replace("_", ""))
            before = "" if kind == "CUDA_STRATEGY" else rf"{where}[._]"
            yield re.compile(rf"(?<![a-z]){before}{apart}(?![a-z])", re.IGNORECASE)


def reached(path, seen):
    """Adds to `seen` the files of cuda/ that this one includes, and what they include."""
    for included in INCLUDE.findall(text_of(path)):
        for folder in (os.path.dirname(path), ""):
            found = os.path.normpath(os.path.join(folder, included))
            if found.endswith((".cuh", ".h")) and os.path.isfile(os.path.join(CUDA, found)):
                if found not in seen:
                    seen.add(found)
                    reached(found, seen)
                break


def shared_files():
    users = Counter()
    for path in os.listdir(CUDA):
        if path.endswith(".cu"):
            seen = set()
            reached(path, seen)
            users.update(seen)
    of_base = {os.path.join("base", path) for path in os.listdir(os.path.join(CUDA, "base"))}
    tables = {path for path in os.listdir(CUDA) if path.endswith(".def")}
    return sorted(of_base | tables | {path for path, count in users.items() if count > 1})


def found_in(path, strategies):
    """FILE:LINE: name, also of a name that goes on in the next line of a comment."""
    text = text_of(path)
    text = re.sub(r"\n\s*\*(?=[ \n])", lambda at: "\n" + " " * (len(at[0]) - 1), text)
    allowed = [range(*of.span()) for of in (OF_TABLES if path.endswith(".def") else OF_CUDA).finditer(text)]
    for strategy in strategies:
        for found in strategy.finditer(text):
            if not any(found.start() in of for of in allowed):
                line = text.count("\n", 0, found.start()) + 1
                yield f"cuda/{path}:{line}: {found[0]}"


def main():
    strategies, shared = list(names()), shared_files()
    failed = not strategies or len(shared) < LEAST_SHARED
    print(f"{'FAIL' if failed else 'PASS'} {len(strategies)} strategies, {len(shared)} shared files")
    for path in shared:
        hits = list(found_in(path, strategies))
        for hit in hits:
            print(hit)
        print(f"FAIL {path}: {len(hits)} names of strategies" if hits else f"PASS {path}")
        failed |= bool(hits)
    return failed


if __name__ == "__main__":
    sys.exit(main())
