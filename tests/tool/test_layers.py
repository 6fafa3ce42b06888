#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who may see whom: test_layers.py ROOT BUILD. Include lines lead where the table below allows; and one file for each
folder and its include paths is compiled as this build compiles it, once as it is and once more for each folder that it
may not see, with a header of that folder, which the compiler must not find. Prints PASS / FAIL lines."""
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import namedtuple

from verdict import verdict, verdicts

ROOT, BUILD = (os.path.realpath(path) for path in sys.argv[1:3])

# files: the first layer whose pattern matches counts; sees: the folders that are in its include paths besides include/;
# only: the parts of those, as patterns, where that is not all.
Layer = namedtuple("Layer", "name files sees only", defaults=[None])
OF_NO_TRANSFORM = r"src/(status|memory_space)\.h" # any program on a GPU could use them
LAYERS = [
    Layer("what cuda/base takes from src", OF_NO_TRANSFORM, ["src"], OF_NO_TRANSFORM),
    Layer("src", r"src/", ["src"]),
    Layer("cpu_ref", r"cpu_ref/", ["cpu_ref", "src"]),
    Layer("fractal/cuda", r"fractal/cuda/", ["fractal", "src", "cuda"], r"fractal/|src/|cuda/base/"),
    Layer("fractal", r"fractal/", ["fractal", "src"]),
    Layer("cuda/base", r"cuda/base/", ["cuda", "src"], rf"cuda/base/|{OF_NO_TRANSFORM}"),
    Layer("cuda", r"cuda/", ["cuda", "src"]),
    Layer("check/oracle", r"check/oracle/", ["check"], r"check/oracle/"),
    Layer("check", r"check/", ["check", "src"]),
    Layer("tool, the DX11 sample", r"tool/reproduce/dx11/(sample\.cu|textures\.cuh)$", ["tool", "src", "cuda"],
          r"tool/|src/|cuda/(base/|line/dx11_butterfly\.cuh|passes/(uav|slm)\.cuh)"),
    Layer("tool, what measures and judges", r"tool/(bench/|reproduce/|commands/(bench|verify)\.c)",
          ["tool", "check", "src", "cuda"], r"tool/|check/|src/|cuda/base/"),
    Layer("tool", r"tool/", ["tool"]),
    Layer("python", r"python/", [], r"python/"),
]
HEADERS = {"src": "plan.h", "cpu_ref": "line.h", "cuda": "base/device.h", "fractal": "codebook.h", "check": "judge.h",
           "tool": "shell/complain.h"}
GENERATED = {"commit.h"}
# Folders of which every build compiles something.
COMPILED = {"src", "cpu_ref", "fractal", "check", "check/oracle", "tool/shell", "tool/files", "tool/pictures", "tool/filter", "tool/commands",
            "tool/bench"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])(.+)[">]')
NOT_FOUND = re.compile(r"No such file|file not found")


def layer_of(path):
    return next((layer for layer in LAYERS if re.match(layer.files, path)), None)


def sources():
    """(path, lines) of all files of all layers."""
    for pattern in [*(f"{folder}/**/*.*" for folder in HEADERS), "python/**/*.[ch]"]:
        for path in sorted(glob.glob(pattern, root_dir=ROOT, recursive=True)):
            if os.path.isfile(os.path.join(ROOT, path)):
                with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                    yield path, file.read().split("\n")


def places(pattern, tree):
    return [f"{path}:{number}" for path, lines in tree for number, line in enumerate(lines, 1) if pattern.search(line)]


def target_of(path, included, layer):
    """The file that an include line of `path` means, or None if it is nowhere that the layer sees."""
    for folder in [os.path.dirname(path), "include", *layer.sees]:
        found = os.path.normpath(os.path.join(folder, included))
        if os.path.isfile(os.path.join(ROOT, found)):
            return found
    return None


def is_allowed(path, sign, included, layer):
    found = target_of(path, included, layer)
    if found is None:
        return sign == "<" or included in GENERATED # the system's
    folders = "|".join(folder + "/" for folder in layer.sees)
    return re.match(rf"include/|{layer.only or folders}", found) is not None


def strays(layer, tree):
    """Include lines of a layer that leave it, as FILE:LINE NAME."""
    for path, lines in tree:
        for number, line in enumerate(lines, 1):
            found = INCLUDE.match(line)
            if found and layer_of(path) is layer and not is_allowed(path, *found.groups(), layer):
                yield f"{path}:{number} {found[2]}"


def compilations():
    """(path, layer, command without files, its folder) of a C file for each folder and set of include paths."""
    seen = set()
    with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    for entry in commands:
        path = os.path.relpath(os.path.realpath(entry["file"]), ROOT)
        words = shlex.split(entry["command"])
        output = os.path.relpath(os.path.join(entry["directory"], words[words.index("-o") + 1]), BUILD)
        # Emulated kernels and their host are compiled with all folders, and C++ though called .c.
        if not path.endswith(".c") or layer_of(path) is None or output.startswith("tests" + os.sep):
            continue
        key = (os.path.dirname(path), *(word for word in words if word.startswith("-I")))
        if key not in seen:
            seen.add(key)
            del words[words.index("-o"):words.index("-o") + 2], words[words.index("-c"):words.index("-c") + 2]
            yield path, layer_of(path), words, entry["directory"]


def complaint_of(path, command, folder, added):
    """What the compiler says to a file with one line more in front; "" if it takes it."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = file.read()
    with tempfile.NamedTemporaryFile("w", suffix=".c", encoding="utf-8") as copy:
        copy.write(f"{added}\n{text}")
        copy.flush()
        quoted = os.path.join(ROOT, os.path.dirname(path))
        done = subprocess.run([*command, "-iquote", quoted, "-fsyntax-only", copy.name], cwd=folder,
                              capture_output=True, text=True, check=False)
        return done.stderr.strip().split("\n")[0] or "no reason" if done.returncode else ""


def check_compilation(path, layer, command, folder):
    verdict(f"{path} compiles", complaint_of(path, command, folder, ""))
    for other, header in HEADERS.items():
        if other not in layer.sees:
            complaint = complaint_of(path, command, folder, f'#include "{header}"')
            is_right = header in complaint and NOT_FOUND.search(complaint)
            verdict(f"{path} does not see {other}", not is_right and (complaint or f"it finds {header}"))


def main():
    tree = list(sources())
    for layer in LAYERS:
        verdict(f"include lines of {layer.name}", ", ".join(strays(layer, tree)))
    verdict("no include line climbs", ", ".join(places(re.compile(r'#\s*include\s*["<].*\.\./'), tree)))
    library = [(path, lines) for path, lines in tree if path.startswith(("src/", "cpu_ref/", "cuda/", "fractal/"))]
    verdict("no emulator in the library", ", ".join(places(re.compile(r"\bWEFT_CUEMU"), library)))
    for folder, header in HEADERS.items():
        verdict(f"{folder}/{header}", "" if os.path.isfile(os.path.join(ROOT, folder, header)) else "is not there")
    compiled = list(compilations())
    for one in compiled:
        check_compilation(*one)
    folders = {os.path.dirname(path) for path, *_ in compiled}
    verdict("all folders take part", ", ".join(sorted(COMPILED - folders)))
    return verdicts()


if __name__ == "__main__":
    sys.exit(main())
