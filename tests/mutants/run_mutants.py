#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wrong versions of Weft that a test must notice: run_mutants.py SOURCE [NAME...] copies the tree and makes every change of
mutants.txt in it, each behind a question that WEFT_MUTANT in the environment answers at run time, so that one build is all of
them. The program that a change names must be green without it, and turn red with it. A change whose old text is not in its
file exactly once, or that does not build, is a failure: mutants keep up with the code. `run_mutants.py SOURCE --check` only
looks for the old texts. Prints PASS / FAIL / SKIP lines."""
import collections
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mutants.txt")
Mutant = collections.namedtuple("Mutant", "number name what file program old new")

BETWEEN = r"(?:\s|/\*(?:(?!\*/).)*\*/|//[^\n]*)*"  # blanks and comments

# Every file of the copy sees it first, so it asks for all that a file may ask of the system's headers. One variable for
# all of a program's files, set before any of their code runs.
CHOICE = """#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdlib.h>
__attribute__((weak)) unsigned weft_mutant;
__attribute__((constructor)) static void choose_mutant(void) {
    const char *chosen = getenv("WEFT_MUTANT");
    weft_mutant = chosen != NULL ? (unsigned)atoi(chosen) : 0;
}
"""


def read_table():
    with open(TABLE, encoding="utf-8") as file:
        stanzas = re.sub(r"(?m)^#.*\n", "", file.read()).strip().split("\n\n")
    for number, stanza in enumerate(stanzas, 1):
        (name, what), (file, program), *changed = (re.split(": |, ", line.strip(), maxsplit=1) if i < 2 else line
                                                   for i, line in enumerate(stanza.split("\n")))
        old, new = ("\n".join(line[2:] for line in changed if line[0] == sign) for sign in "-+")
        yield Mutant(number, name, what, file, program, old, new)


def mutated(root, mutant):
    """The changed text of the file; None if the old text is not there once. Comments and the widths of blanks in it do
    not matter."""
    with open(os.path.join(root, mutant.file), encoding="utf-8") as file:
        text = file.read()
    words = [rf"\b{word}\b" if word[0].isalnum() or word[0] == "_" else re.escape(word)
             for word in re.findall(r"\w+|[^\w\s]", mutant.old)]
    new = mutant.new.replace("IS_WRONG", f"(weft_mutant == {mutant.number})")
    changed, count = re.subn(f"(?s){BETWEEN.join(words)}", lambda _: new, text)
    return changed if count == 1 else None


class Tree:
    """The copy in which all mutants are."""

    def __init__(self, source, scratch):
        self.tree, self.build, self.red = os.path.join(scratch, "tree"), os.path.join(scratch, "build"), {}
        shutil.copytree(source, self.tree, symlinks=True, ignore=shutil.ignore_patterns("build", ".git", "data"))
        choice = os.path.join(scratch, "choice.h")
        with open(choice, "w", encoding="utf-8") as file:
            file.write(CHOICE)
        # Of kernels, only f32 and the sizes that sanitizers get, of which only the beginning runs, so that it does not pay to
        # optimise them; of cpu.fast's, those that every compiler builds, which gcc takes longest to compile without -O1.
        self.call("cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build, "-DCMAKE_BUILD_TYPE=None",
                  f"-DCMAKE_C_FLAGS=-O1 -march=native -include {choice}", f"-DCMAKE_CXX_FLAGS=-DCUEMU_SLOW -include {choice}",
                  "-DWEFT_CUDA=OFF", "-DWEFT_TOOL=OFF", "-DWEFT_CUEMU_F64=OFF", "-DWEFT_CUEMU_LEVEL=-O0", "-DWEFT_SIMD=OFF")
        self.targets = self.call("cmake", "--build", self.build, "--target", "help")

    @staticmethod
    def call(*command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              check=False)
        if done.returncode:
            raise RuntimeError(" ".join(done.stdout.strip().splitlines()[-5:]))
        return done.stdout

    def has(self, mutant):
        return f"{mutant.program.split()[0]}:" in self.targets

    def put(self, mutant):
        """Whether the old text was there."""
        text = mutated(self.tree, mutant)
        if text is not None:
            with open(os.path.join(self.tree, mutant.file), "w", encoding="utf-8") as file:
                file.write(text)
        return text is not None

    def make(self, programs):
        self.call("cmake", "--build", self.build, "--target", *sorted(programs))

    def passes(self, command, number):
        program, *arguments = shlex.split(command)
        path, = (os.path.join(at, program) for at, _, files in os.walk(self.build) if program in files)
        environment = {**os.environ, "WEFT_MUTANT": str(number), "WEFT_TEST_QUICK": "1", "WEFT_TEST_STOP": "1",
                       "OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "2", "TSAN_OPTIONS": "halt_on_error=1"}
        try:
            return subprocess.run([path, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env=environment, timeout=600, check=False).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def verdict(self, mutant):
        """What is wrong with the mutant; None if it is noticed."""
        if mutant.program not in self.red:  # each program is looked at only one time
            self.red[mutant.program] = not self.passes(mutant.program, 0)
        if self.red[mutant.program]:
            return f"{mutant.program} is red without it"
        return f"{mutant.program} does not notice: {mutant.what}" if self.passes(mutant.program, mutant.number) else None


def report(mutant, why):
    print(f"FAIL mutant {mutant.name}: {why}" if why else f"PASS mutant {mutant.name}", flush=True)
    return 1 if why else 0


def not_there(mutant):
    return f"its old text is not in {mutant.file} once"


USAGE = """usage: run_mutants.py SOURCE [--check | NAME...]
SOURCE is the root of the project; --check only looks whether every old text is there."""


def main(source="", *wanted):
    if not source or not os.path.isfile(os.path.join(source, "CMakeLists.txt")):
        print(USAGE, file=sys.stdout if source == "--help" else sys.stderr)
        return 0 if source == "--help" else 2
    mutants = list(read_table())
    if wanted == ("--check",):
        return max(report(mutant, None if mutated(source, mutant) else not_there(mutant)) for mutant in mutants)
    unknown = set(wanted) - {mutant.name for mutant in mutants}
    if unknown:
        sys.exit(f"run_mutants.py: not in mutants.txt: {', '.join(sorted(unknown))}")
    is_brief = "WEFT_TEST_LONG" not in os.environ
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        tree = Tree(source, scratch)
        built = []
        for mutant in mutants:
            if wanted and mutant.name not in wanted:
                continue
            if mutated(source, mutant) is None or (tree.has(mutant) and not tree.put(mutant)):
                failed |= report(mutant, not_there(mutant))
            elif is_brief and not wanted and mutant.program.split()[0].endswith("_tsan"):
                print(f"SKIP mutant {mutant.name}: kernels and rungs take long to build anew; WEFT_TEST_LONG=1 runs it")
            elif not tree.has(mutant):
                print(f"SKIP mutant {mutant.name}: this build has no {mutant.program}; ThreadSanitizer's want clang++")
            else:
                built.append(mutant)
        try:
            tree.make({mutant.program.split()[0] for mutant in built})
        except RuntimeError as why:
            print(f"FAIL mutants: they do not build: {why}")
            return 1
        for mutant in built:
            failed |= report(mutant, tree.verdict(mutant))
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
