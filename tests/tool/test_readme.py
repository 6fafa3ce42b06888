#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""README.md and the documents around it do what they say: test_readme.py TREE BUILD WEFT. The README's shell commands
succeed one after another, with BUILD in place of a build of its own, its C example and its CMake project among them;
the files, links and headings that any document names are there. Prints PASS / FAIL / SKIP lines."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from verdict import verdict, verdicts

TREE, BUILD, WEFT = map(os.path.abspath, sys.argv[1:4])


def run(command, folder, environment, **more):
    """What it said, and what was wrong with it."""
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False,
                          timeout=250, **more)
    return done.stdout, done.returncode and f"exit {done.returncode}: {' '.join((done.stdout + done.stderr).split())[-300:]}"


def read(path):
    with open(os.path.join(TREE, path), encoding="utf-8") as file:
        return file.read()


# ---- the README's commands ----------------------------------------------------------------------------------------


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.S)


def as_here(command, folder):
    """(command, where it runs): what configures or installs the tree. It is configured elsewhere, as the README says,
    and not built: what is installed is the build under test."""
    if command.startswith("cmake --preset"):
        return f"{command} -B '{folder}/configured'", TREE
    if command.startswith("cmake --build --preset"):
        return f"cmake --list-presets=build | grep -q '\"{command.split()[-1]}\"'", TREE
    if command.startswith("cmake --install"):
        return f"cmake --install '{BUILD}' --prefix \"$HOME/weft\"", TREE
    return command, os.path.join(folder, "work")


def commands(text, folder):
    """Each shell line in turn, with all exports before it; a symbolic link is ./run."""
    work, home = os.path.join(folder, "work"), os.path.join(folder, "home")
    os.mkdir(work)
    os.mkdir(home)
    os.symlink(WEFT, os.path.join(work, "run"))
    os.symlink(os.path.join(TREE, "data"), os.path.join(work, "data"))
    for name, language in (("example.c", "c"), ("CMakeLists.txt", "cmake")):
        with open(os.path.join(work, name), "w", encoding="utf-8") as file:
            file.write(blocks(text, language)[0])
    environment = {**os.environ, "HOME": home, "CC": os.environ.get("CC", "cc")}
    exports = ""
    for line in "".join(blocks(text, "sh")).splitlines():
        command = line.split(" #")[0].strip()
        if "pkg-config" in command and not shutil.which("pkg-config"):
            print(f"SKIP {command}: there is no pkg-config")
            continue
        if command.startswith("export "):
            exports += command + "; "
        to_run, where = as_here(command, folder)
        said, wrong = run(exports + to_run, where, environment)
        if re.search(r"(^|/)example$", command) and not wrong and not said.endswith(": X[0][0] = 1\n"):
            wrong = f"it said {said[-100:]}"
        verdict(command, wrong)
    spectra = [run(f"./run fft {name} -o -", work, environment, encoding="latin-1")
               for name in ("data/images/coffee.png", "same.png")]
    verdict("the very same pixels", spectra[0] != spectra[1] and "they differ")
    ignored = {line[2:] for line in read(".gitignore").splitlines() if line.startswith("/*")}
    written = {os.path.splitext(name)[1] for name in re.findall(r"^\./run .* -o (\S+)", text, re.M)}
    verdict("what the first steps write is no change of the tree", written - ignored or "")
    strict = f"$CC -std=c99 -Wall -Wextra -Werror -fsyntax-only example.c -I '{TREE}/include'"
    verdict("the example compiles without a warning", run(strict, work, environment)[1])


# ---- what documents name ------------------------------------------------------------------------------------------

FOLDERS = "include|src|cpu_ref|cuda|fractal|check|tool|tests|data|docs|scripts|paper|cmake|python"
SOURCES = "c|h|cu|cuh|inc|def|py|sh|cpp|cmake|md|patch"


def tree():
    """The paths of all files and folders, without what builds leave."""
    found = set()
    for folder, folders, files in os.walk(TREE):
        folders[:] = [name for name in folders if name not in ("build", ".git", "__pycache__")]
        found |= {os.path.relpath(os.path.join(folder, name), TREE) for name in folders + files}
    return found


def headings(text):
    """As GitHub's links have them."""
    lines = re.findall(r"^#+ (.*)$", re.sub(r"(?s)```.*?```", "", text), re.M)
    return {re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in lines}


def missing_links(page, text):
    for target, _, heading in (link.partition("#") for link in re.findall(r"\]\(([^):]+)\)", text)):
        path = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
        if not os.path.exists(os.path.join(TREE, path)):
            yield target
        elif heading and heading not in headings(read(path)):
            yield f"{target}#{heading}"


def missing_files(text, paths):
    """Words in code that are paths of the tree, from its root or from a folder on; patterns and examples are not."""
    ends = {"/".join(path.split("/")[i:]) for path in paths for i in range(path.count("/") + 1)}
    blocks_of_code = r"(?s)```.*?```"
    words = [words.split()[0] for words in re.findall(r"`([^`\n]+)`", re.sub(blocks_of_code, "", text))]
    in_blocks = " ".join(re.findall(blocks_of_code, text)).split()
    for name in [*words, *(word for word in in_blocks if re.match(rf"(?:{FOLDERS})/", word))]:
        name = name.rstrip("/")
        is_path = re.fullmatch(rf"(?:{FOLDERS})/[\w./-]+|[\w./-]+\.(?:{SOURCES})", name)
        if is_path and not re.search(r"(example|[A-Z]{4})\.c$", name) and name not in ends:
            yield name


def documents():
    paths = tree()
    pages = [path for path in sorted(paths) if path.endswith(".md")]
    for page in pages:
        text = read(page)
        verdict(f"{page} names what is there", ", ".join(dict.fromkeys([*missing_links(page, text),
                                                                        *missing_files(text, paths)])))
    logs = glob.glob("docs/log/*.md", root_dir=TREE)
    verdict("documents are found", not {"README.md", "docs/architecture.md", "data/README.md", *logs} <= set(pages) and pages)


def main():
    with tempfile.TemporaryDirectory() as folder:
        commands(read("README.md"), folder)
    documents()
    return verdicts()


if __name__ == "__main__":
    sys.exit(main())
