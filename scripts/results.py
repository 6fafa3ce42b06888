# SPDX-License-Identifier: MIT
"""What the documents of data/results have in common: reading them, the newest and calmest of each machine, the commit and
the hash of the code that they were measured with, and the cells of tables. Used by draw-results, commands.py and
results_*.py."""
import collections
import glob
import hashlib
import json
import math
import os
import re
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
RESULTS = os.path.join(ROOT, "data", "results")
BENCH, DX11, BYTES, PEERS, COUNTERS = SCHEMAS = ("weft-bench/1", "weft-dx11/1", "weft-bytes/1", "weft-cpu-peers/1",
                                                 "weft-cpu-counters/1")
# What decides times and bits beside the room of the executors themselves, cuda or cpu_ref.
SHARED = ("src/arith/*", *(f"src/{name}.h" for name in ("layout", "means", "multiply", "pixels", "report_program", "spectra")))


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def commit():
    """As weft bench has it."""
    try:
        found = output_of("git", "rev-parse", "--short", "HEAD")
        changes = output_of("git", "status", "--porcelain")
    except OSError:
        found = None
    return os.environ.get("WEFT_COMMIT") or (found + ("-dirty" if changes else "") if found else "unknown")


def read(path):
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
    return document


def code(document):
    """Patterns of the files that decide what it says: of a GPU its kernels, else the CPU's code."""
    room = "cuda/*" if document["machine"]["gpu"] else "cpu_ref/*"
    return (room, *SHARED, *(["tool/reproduce/dx11/*.cu*"] if document["schema"] == DX11 else []))


def kernels(document):
    """The hash of that code as it is here, without comments."""
    digest = hashlib.sha256()
    for pattern in code(document):
        for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
            with open(path, encoding="utf-8") as file:
                words = re.sub(r"(?s)/\*.*?\*/|//[^\n]*", "", file.read()).split()
            digest.update(f"{os.path.relpath(path, ROOT)}\n{' '.join(words)}\n".encode())
    return digest.hexdigest()[:16]


def stamped(document):
    """With the hash, for check_evidence to find later. It is that of the code here: no other commit's document, and none
    of a commit whose code has been changed since."""
    measured = document["machine"]["commit"]
    there, here = (of.removesuffix("-dirty") for of in (measured, commit()))
    if "unknown" not in (there, here) and there != here:
        raise SystemExit(f"a document of commit {there}, but here is {here}: check that commit out, "
                         "its code is what was measured")
    if there == here == measured and output_of("git", "status", "--porcelain", "--", *code(document)):
        raise SystemExit(f"a document of commit {there}, but the code it was measured with has been changed here: "
                         "check that commit out")
    return {**document, "machine": {**document["machine"], "kernels": kernels(document)}}


def place(machine):
    """What the numbers belong to: the GPU, or the CPU and its cores."""
    return machine["gpu"] or f"{machine['cpu']}, {machine['cores']} cores"


def file_name(document):
    """As data/README.md has it."""
    machine, kind = document["machine"], document["schema"].split("/")[0].removeprefix("weft-")
    words = [machine["gpu"] or "cpu", machine["date"][:10], machine["commit"] or "unknown"]
    words += [kind.removeprefix("cpu-")] if document["schema"] != BENCH else []
    return re.sub(r"[^a-z0-9.]+", "-", "-".join(words).lower()) + ".json"


def every(schema):
    """All documents, those of GPUs first, those of a machine by their dates: [(machine's name, document)]."""
    paths = [os.path.join(RESULTS, name) for name in sorted(os.listdir(RESULTS)) if name.endswith(".json")] \
        if os.path.isdir(RESULTS) else []
    found = [(place(document["machine"]), document) for document in map(read, paths) if document["schema"] == schema]
    return sorted(found, key=lambda item: (item[1]["machine"]["gpu"] is None, item[0], item[1]["machine"]["date"]))


def unrest(document):
    """How much a run was disturbed, as by others on the machine: mean of log(95th percentile / median) of its times."""
    ratios = [result["p95_us"] / result["median_us"] for result in document["results"] if result.get("p95_us")]
    return sum(map(math.log, ratios)) / len(ratios) if ratios else 0


def newest(schema):
    """Of every machine's newest commit the document with most results, of those the calmest, of those the newest; in
    that order."""
    found = {}
    for name, document in every(schema):
        before = found.get(name)
        same = before and before["machine"]["commit"] == document["machine"]["commit"]
        if not same or (len(document["results"]), -unrest(document)) >= (len(before["results"]), -unrest(before)):
            found[name] = document
    return list(found.items())


def block(documents, draw):
    """The lines draw(document) of documents, as newest() gives them, one after the other."""
    lines = [line for _, document in documents for line in draw(document)]
    return "\n".join(lines).rstrip() + "\n" if lines else "no results committed yet\n"


def time(microseconds):
    """Three digits of a time."""
    if microseconds is None:
        return "-"
    value, unit = microseconds, "us"
    if value >= 10000:
        value, unit = value / 1000, "ms"
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"


def about(machine):
    words = [f"CUDA {machine['cuda']}, driver {machine['driver']}" if machine["gpu"] else None,
             machine["compiler"], f"commit {machine['commit']}", machine["date"][:10]]
    return [word for word in words if word]


def headings(documents, *more):
    """Of several runs on one machine: once what they have in common, then how many are alike in the rest."""
    told = [[*more, *about(document["machine"])] for document in documents]
    common = [word for word in told[0] if all(word in words for words in told)]
    rest = collections.Counter(", ".join(word for word in words if word not in common) for words in told)
    alike = [", ".join(filter(None, (what, f"{count} runs" if count > 1 else None))) for what, count in rest.items()]
    return [f"**{place(documents[0]['machine'])}** ({'; '.join(filter(None, (', '.join(common), *alike)))})", ""]


def heading(document, *more):
    return headings([document], *more)


def versions(document):
    return ", ".join(f"{name}: {version}" for name, version in document["versions"].items())


def image(result):
    return f"{result['height']}x{result['width']}, {result['precision']}"


def table(titles, rows):
    """Lines of Markdown; a title that begins with > is that of a column of numbers."""
    lines = ["| " + " | ".join(title.lstrip(">") for title in titles) + " |",
             "|" + "|".join("---:" if title.startswith(">") else "---" for title in titles) + "|"]
    return lines + ["| " + " | ".join(cells) + " |" for cells in rows] + [""]
