# SPDX-License-Identifier: MIT
"""Documents of data/results: reading them, their names, and the commit and the hash of the code that they were measured
with."""
import functools
import glob
import hashlib
import json
import os
import re
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
RESULTS = os.path.join(ROOT, "data", "results")
BENCH, SWEEP, REPORT, DX11, BYTES, PEERS, COUNTERS, FRACTAL, FRACTAL_BENCH, LADDER, AIMS, EXACT, SPEED, PYTHON = SCHEMAS = (
    "weft-bench/1", "weft-sweep/1", "weft-report/1", "weft-dx11/1", "weft-bytes/1", "weft-cpu-peers/1", "weft-cpu-counters/1",
    "weft-fractal/1", "weft-fractal-bench/1", "weft-ladder/1", "weft-weft/1", "weft-exact/1", "weft-speed/1",
    "weft-python-bench/1")


def output_of(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def commit():
    """As weft bench has it."""
    found = output_of("git", "rev-parse", "--short", "HEAD")
    changes = output_of("git", "status", "--porcelain")
    return os.environ.get("WEFT_COMMIT") or (found + ("-dirty" if changes else "") if found else "unknown")


@functools.cache
def read(path):
    """Each file once: what one page shows of a document is the same object as what another does. A document of
    data/results that has no hash of its code is older than all that have one."""
    if os.path.exists(path) and not os.path.isfile(path):  # to open a pipe would wait for who writes to it
        raise SystemExit(f"{path}: not a file")
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except OSError as error:
        raise SystemExit(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise SystemExit(f"{path}: no JSON document: {error}") from error
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema not in SCHEMAS:
        raise SystemExit(f"{path}: its schema is {schema!r}, not one of {', '.join(SCHEMAS)}")
    if os.path.realpath(os.path.dirname(path)) == os.path.realpath(RESULTS):
        document["machine"].setdefault("kernels", "unknown")
    return document


def place(machine):
    """What the numbers belong to: the GPU, or the CPU and its cores."""
    return machine["gpu"] or f"{machine['cpu']}, {machine['cores']} cores"


def file_name(document):
    """As data/README.md has it."""
    machine, kind = document["machine"], document["schema"].split("/")[0].removeprefix("weft-")
    words = [machine["gpu"] or "cpu", machine["date"][:10], machine["commit"] or "unknown"]
    words += [kind.removeprefix("cpu-")] if document["schema"] != BENCH else []
    return re.sub(r"[^a-z0-9.]+", "-", "-".join(words).lower()) + ".json"


# ---- the code that was measured ----------------------------------------------------------------------------------


def code(document):
    """Folders and patterns of the files that decide the machine code: of the codec, of filters, of the rungs of the ladder,
    of a GPU's strategies, or of the CPU's, from Python with the package's."""
    if document["schema"] in (FRACTAL, FRACTAL_BENCH):
        return ("fractal",)
    if document["schema"] in (EXACT, SPEED):
        return ("tool/filter", "cpu_ref", "src/arith", "src/*.h", *(["tool/files"] if document["schema"] == SPEED else []))
    is_of_both = document["schema"] in (LADDER, REPORT, AIMS)  # beside a GPU its host is timed, too
    return (*(["cuda"] if document["machine"]["gpu"] else []), *(["cpu_ref"] if is_of_both or not document["machine"]["gpu"] else []),
            "src/arith", "src/*.h",
            *(["tool/reproduce/ladder/*.c", "tool/reproduce/ladder/*.cu"] if document["schema"] == LADDER else []),
            *(["tool/reproduce/dx11/*.cu*"] if document["schema"] == DX11 else []),
            *(["python/weft/*.c", "python/weft/*.py"] if document["schema"] == PYTHON else []))


def words_of(path):
    """A file's text without comments and, but in Python, without the widths of its blanks."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".py"):
        return re.sub(r" *#[^\n]*", "", text)
    return " ".join(re.sub(r"(?s)/\*.*?\*/|//[^\n]*", "", text).split())


def kernels(document):
    """The hash of that code as it is here: of what the files say, wherever they lie."""
    return hash_of(ROOT, code(document))


@functools.cache
def hash_of(root, patterns):
    found = {path for pattern in patterns for end in ("", "/**")
             for path in glob.glob(os.path.join(root, pattern + end), recursive=True) if os.path.isfile(path)}
    digests = sorted(hashlib.sha256(words_of(path).encode()).digest() for path in found)
    return hashlib.sha256(b"".join(digests)).hexdigest()[:16]


def is_of_older_code(document):
    """Not of a document that nobody has stamped: who has just measured it knows with which code."""
    hash_then = document["machine"].get("kernels")
    return hash_then is not None and hash_then != kernels(document)


def stamped(document):
    """With the hash, for `draw-results --check` to find later. It is that of the code here: no other commit's document,
    and none of a commit whose code has been changed since."""
    measured = document["machine"]["commit"]
    there, here = (of.removesuffix("-dirty") for of in (measured, commit()))
    if "unknown" not in (there, here) and there != here:
        raise SystemExit(f"a document of commit {there}, but here is {here}: check that commit out, "
                         "its code is what was measured")
    # Git knows nothing of a tree whose commit only WEFT_COMMIT names, whatever it says of one around it.
    is_in_git = output_of("git", "rev-parse", "--short", "HEAD") == here
    if there == here == measured and is_in_git and output_of("git", "status", "--porcelain", "--", *code(document)):
        raise SystemExit(f"a document of commit {there}, but the code it was measured with has been changed here: "
                         "check that commit out")
    return {**document, "machine": {**document["machine"], "kernels": kernels(document)}}


def merge(paths):
    """One document with the results of all."""
    documents = [read(path) for path in paths]
    if not any({document["schema"] for document in documents} == {one} for one in (BENCH, PEERS)):
        raise SystemExit(f"draw-results --merge: not all of schema {BENCH}, or all of {PEERS}")
    if len({place(document["machine"]) for document in documents}) != 1:
        raise SystemExit("draw-results --merge: not all of one machine")
    return stamped({**documents[0], "results": [one for document in documents for one in document["results"]]})
