#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wrong versions of Weft that a test must notice: run_mutants.py SOURCE [cpu|gpu|NAME...] copies the tree, makes each
change of mutants.txt in turn, all or those of one kind of executor, and requires the program that it names to turn red. A
change whose old text is not there exactly once, or that does not build, is a failure: mutants keep up with the code.
`run_mutants.py SOURCE --check` only looks for the old texts. Prints PASS / FAIL / SKIP lines."""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mutants.txt")
Mutant = collections.namedtuple("Mutant", "name what file program old new")

FAST = re.compile(r"cpu_ref/fast/\w*kernels\.c\b")  # take longest to compile, and only concern who asks for cpu.fast
BETWEEN = r"(?:\s|/\*(?:(?!\*/).)*\*/|//[^\n]*)*"  # blanks and comments


def read_table():
    with open(TABLE, encoding="utf-8") as file:
        stanzas = re.sub(r"(?m)^#.*\n", "", file.read()).strip().split("\n\n")
    for stanza in stanzas:
        (name, what), (file, program), *changed = (re.split(": |, ", line.strip(), maxsplit=1) if i < 2 else line
                                                   for i, line in enumerate(stanza.split("\n")))
        old, new = ("\n".join(line[2:] for line in changed if line[0] == sign) for sign in "-+")
        yield Mutant(name, what, file, program, old, new)


def mutated(root, mutant):
    """The changed text of the file; None if the old text is not there once. Comments and the widths of blanks in it do
    not matter."""
    with open(os.path.join(root, mutant.file), encoding="utf-8") as file:
        text = file.read()
    words = [rf"\b{word}\b" if word[0].isalnum() or word[0] == "_" else re.escape(word)
             for word in re.findall(r"\w+|[^\w\s]", mutant.old)]
    changed, count = re.subn(f"(?s){BETWEEN.join(words)}", lambda _: mutant.new, text)
    return changed if count == 1 else None


class Tree:
    """The copy that mutates, and what it begins with each time: the unchanged one, with what has been built of it."""

    def __init__(self, source, scratch):
        self.tree, self.sound, self.red = os.path.join(scratch, "tree"), os.path.join(scratch, "sound"), {}
        shutil.copytree(source, self.tree, symlinks=True, ignore=shutil.ignore_patterns("build", ".git", "data"))
        # Of kernels, only f32 and the sizes that sanitizers get, not optimized, as they compile in a fourth of the time
        # then; of cpu.fast's, those that every compiler builds.
        self.call("cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build, "-DCMAKE_BUILD_TYPE=None",
                  "-DCMAKE_C_FLAGS=-O1 -march=native", "-DCMAKE_CXX_FLAGS=-DCUEMU_SLOW", "-DWEFT_CUDA=OFF", "-DWEFT_TOOL=OFF",
                  "-DWEFT_CUEMU_F64=OFF", "-DWEFT_CUEMU_OPTIMIZE=-O0", "-DWEFT_SIMD=OFF")
        self.targets = self.call("cmake", "--build", self.build, "--target", "help")

    @property
    def build(self):
        return os.path.join(self.tree, "build")

    @staticmethod
    def call(*command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              check=False)
        if done.returncode:
            raise RuntimeError(" ".join(done.stdout.strip().splitlines()[-5:]))
        return done.stdout

    def make(self, program):
        self.call("cmake", "--build", self.build, "--target", program.split()[0])

    def change(self, file, text, without_fast):
        """Writes a file; without cpu.fast its kernels stay as they are, and what else includes the file is removed, for the
        file looks as old as before."""
        path = os.path.join(self.tree, file)
        times = os.stat(path)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        if without_fast:
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            for made_of in self.call("ninja", "-C", self.build, "-t", "deps").split("\n\n"):
                name = made_of.strip().split(":")[0]
                if f"/{file}\n" in made_of + "\n" and not FAST.search(name) and os.path.exists(os.path.join(self.build, name)):
                    os.remove(os.path.join(self.build, name))

    def passes(self, program):
        program, *arguments = program.split()
        path, = (os.path.join(at, program) for at, _, files in os.walk(self.build) if program in files)
        environment = {**os.environ, "WEFT_TEST_QUICK": "1", "WEFT_TEST_STOP": "1", "OMP_WAIT_POLICY": "passive",
                       "OMP_NUM_THREADS": "2", "TSAN_OPTIONS": "halt_on_error=1"}
        try:
            return subprocess.run([path, *arguments], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env=environment, timeout=600, check=False).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def why_red(self, program):
        """Why the unchanged tree does not build or pass this program; None if it does. Each program is looked at only once."""
        if program not in self.red:
            try:
                self.make(program)
                self.red[program] = None if self.passes(program) else f"it fails {program}"
            except RuntimeError as why:
                self.red[program] = str(why)
            shutil.rmtree(self.sound, ignore_errors=True)
            shutil.copytree(self.tree, self.sound, symlinks=True)
        return self.red[program]

    def verdict(self, mutant):
        """What is wrong with the mutant; None if it is noticed."""
        red = self.why_red(mutant.program)
        if red:
            return f"the tree is red without it: {red}"
        text = mutated(self.tree, mutant)
        if text is None:
            return f"its old text is not in {mutant.file} once"
        self.change(mutant.file, text, "cpu.fast" not in mutant.program)
        try:
            self.make(mutant.program)
            return f"{mutant.program} does not notice: {mutant.what}" if self.passes(mutant.program) else None
        except RuntimeError as why:
            return f"does not build: {why}"
        finally:
            shutil.rmtree(self.tree)
            shutil.copytree(self.sound, self.tree, symlinks=True)


def report(mutant, why):
    print(f"FAIL mutant {mutant.name}: {why}" if why else f"PASS mutant {mutant.name}", flush=True)
    return 1 if why else 0


USAGE = """usage: run_mutants.py SOURCE [--check | cpu | gpu | NAME]...
SOURCE is the root of the project; --check only looks whether every old text is there."""


def main(source="", *wanted):
    if not source or not os.path.isfile(os.path.join(source, "CMakeLists.txt")):
        print(USAGE, file=sys.stdout if source == "--help" else sys.stderr)
        return 0 if source == "--help" else 2
    mutants = list(read_table())
    if wanted == ("--check",):
        return max(report(mutant, None if mutated(source, mutant) else f"its old text is not in {mutant.file} once")
                   for mutant in mutants)
    unknown = set(wanted) - {"cpu", "gpu", *(mutant.name for mutant in mutants)}
    if unknown:
        sys.exit(f"run_mutants.py: neither cpu nor gpu nor in mutants.txt: {', '.join(sorted(unknown))}")
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        tree = Tree(source, scratch)
        for mutant in mutants:
            kind = "gpu" if mutant.file.startswith("cuda/") else "cpu"
            if wanted and kind not in wanted and mutant.name not in wanted:
                continue
            if f"{mutant.program.split()[0]}:" not in tree.targets:
                print(f"SKIP mutant {mutant.name}: this build has no {mutant.program}; ThreadSanitizer's want clang++")
            else:
                failed |= report(mutant, tree.verdict(mutant))
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
