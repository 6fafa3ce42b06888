# SPDX-License-Identifier: MIT
"""What commands that measure on the CPU have in common: the library that they take, their options, and the document
that they leave, with the machine in it. Used by cpu-peers and cpu-counters."""
import datetime
import json
import os
import re

from results import load
from transforms import fail

BUILDS = "release", "bench", "cpu"
CORES = os.sched_getaffinity(0)  # before a library's OpenMP binds this thread to one of them


def usual_library():
    """The newest of those that the presets build."""
    found = [path for path in (os.path.join(load.ROOT, "build", name, "libweft.so") for name in BUILDS)
             if os.path.exists(path)]
    if not found:
        fail(2, f"no libweft.so in build/{{{','.join(BUILDS)}}}: cmake --preset cpu && cmake --build --preset cpu "
                "builds one, --library names another")
    return max(found, key=os.path.getmtime)


# ---- options -----------------------------------------------------------------------------------------------------


def size(text):
    found = re.fullmatch(r"([1-9]\d{0,5})x([1-9]\d{0,5})", text)
    if not found:
        fail(2, f'size "{text}": must be like 512x512, height and width of at most 6 digits; more of them after commas')
    return int(found[1]), int(found[2])


def number(name, text, most):
    if not re.fullmatch(r"\d{1,9}", text) or not 1 <= int(text) <= most:
        fail(2, f'{name} "{text}": must be a number from 1 to {most}')
    return int(text)


def add_images(parser, sizes):
    parser.add_argument("--sizes", default=sizes, metavar="LIST",
                        help="HxW, and more after commas (default %(default)s)")
    parser.add_argument("--precision", default="f32", metavar="P", help="f32 (default), f64 or both")


def add_files(parser, what):
    parser.add_argument("--json", metavar="FILE", help=f"write a document with {what}")
    parser.add_argument("--library", metavar="PATH",
                        help=f"libweft.so (default: the newest of build/{{{','.join(BUILDS)}}})")


def check_images(options):
    options.sizes = [size(text) for text in options.sizes.split(",")]
    if options.precision not in ("f32", "f64", "both"):
        fail(2, f'precision "{options.precision}": must be f32, f64 or both')
    options.precisions = ("f32", "f64") if options.precision == "both" else (options.precision,)


def check_files(options):
    if options.json and (os.path.isdir(options.json) or not os.path.isdir(os.path.dirname(options.json) or ".")):
        fail(2, f'json "{options.json}": must be a file in a folder that exists')


# ---- the document ------------------------------------------------------------------------------------------------


def compiler(library):
    """What the library says it was compiled with."""
    with open(library, "rb") as file:
        found = re.search(rb"GCC: \([^)]*\) ([\d.]+)|(clang) version ([\d.]+)", file.read())
    return found and (f"gcc {found[1].decode()}" if found[1] else f"clang {found[3].decode()}")


def machine(library):
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            cpu = re.search(r"(?m)^model name\s*: (.*)$", file.read())
    except OSError:
        cpu = None
    return {"cpu": cpu[1] if cpu else "unknown", "cores": len(CORES), "gpu": None, "driver": None,
            "cuda": None, "compiler": compiler(library), "commit": load.commit(),
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}


def begin_document(schema, library, **more):
    """With the hash of the code, as it is before anything is measured."""
    return load.stamped({"schema": schema, "machine": machine(library), **more, "results": []})


def write_document(path, document):
    """Whole, or not at all; to what is no regular file, a pipe or a device, as it is."""
    if os.path.exists(path) and not os.path.isfile(path):
        try:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(document, file, indent=1)
                file.write("\n")
        except OSError as error:
            fail(1, f'json "{path}": {error.strerror}')
        return
    path = os.path.realpath(path)
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "x", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
            file.write("\n")
        os.replace(part, path)
    except OSError as error:
        if os.path.exists(part):
            os.unlink(part)
        fail(1, f'json "{path}": {error.strerror}')
