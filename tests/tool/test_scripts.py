#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs of scripts/ from outside: test_scripts.py [LIBWEFT.SO]. Help, wrong options and their exit codes, that
nothing is built where there is no GPU, and with a library short runs of cpu-peers and cpu-counters. Prints PASS /
FAIL / SKIP lines."""
import ctypes
import glob
import importlib
import importlib.machinery
import importlib.util
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest.mock
import xml.etree.ElementTree

from verdict import verdict, verdicts

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts")
sys.path.insert(0, SCRIPTS)


def run(name, *arguments, path=None, **more):
    """(exit code, standard output, what it said), with the folder `path` in front of all where programs are, and more
    in the environment."""
    environment = {**os.environ, **more}
    if path:
        environment["PATH"] = path + os.pathsep + environment["PATH"]
    done = subprocess.run([os.path.join(SCRIPTS, name), *arguments], capture_output=True, text=True, timeout=50,
                          check=False, env=environment, cwd=path)
    return done.returncode, done.stdout, done.stderr


def expect(code, words, name, *arguments, path=None, **more):
    """Nothing on standard output, and these words in what it says."""
    found = run(name, *arguments, path=path, **more)
    right = found[:2] == (code, "") and words in found[2]
    title = " ".join([name, *(os.path.basename(argument) for argument in arguments)])
    verdict(f"{title}: {words}", not right and f"not {code} but {found}")


def test_help():
    for name in ("gpu-check", "gpu-bytes", "draw-results", "bytes-document", "tune", "cpu-peers", "cpu-counters",
                 "sweep-sizes", "draw-fractal", "draw-paper", "draw-cookbook", "measure-exactness", "measure-speed",
                 "build-paper", "format-check", "test", "test-python"):
        code, shown, said = run(name, "--help")
        right = code == 0 and name in shown and not said
        verdict(f"{name} --help", not right and f"exit {code}: {said}")


def test_wrong_options():
    for name in ("gpu-check", "gpu-bytes"):
        expect(2, "option --nonsense: unknown", name, "--nonsense")
        expect(2, "--out wants", name, "--out")
    for name in ("build-paper", "format-check", "test-python"):
        expect(2, "option --nonsense: unknown", name, "--nonsense")
    expect(2, "stage '--nonsense': unknown", "test", "--nonsense")
    expect(2, "--only wants parts", "gpu-check", "--only")
    expect(2, "--only tests,none: 'none' is no part", "gpu-check", "--only", "tests,none")
    expect(2, '"--nonsense": unknown', "draw-results", "--nonsense")
    expect(2, '--check: "extra" is one file too many', "draw-results", "--check", "extra")
    expect(2, '--name: "b" is one file too many', "draw-results", "--name", "a", "b")
    for option in ("--show", "--name", "--stamp", "--merge", "--scatter"):
        expect(2, f"{option}: no file", "draw-results", option)
    expect(1, "none.json: No such file", "draw-results", "--show", "none.json")
    expect(1, "draw-results: no JSON document", "draw-results", "--show", os.path.join(SCRIPTS, "draw-results"))
    expect(2, "sweep-sizes > data/sweep-300.txt", "sweep-sizes", "300")
    for name in ("draw-fractal", "draw-cookbook", "measure-exactness", "measure-speed"):
        expect(2, 'weft "/none/weft": not there', name, "--weft", "/none/weft")
    expect(2, '"--nonsense": unknown', "draw-paper", "--nonsense")
    expect(2, "wants one folder, not 2", "draw-paper", "a", "b")
    expect(2, '"none.html": not there', "draw-paper", "--look", "none.html", SCRIPTS)
    expect(2, "nothing to do", "tune")
    expect(2, "case \"512x\": must be like", "tune", "--bench", "none", "--case", "512x")
    expect(2, "change \"f32 2048 cols 8\": must be like", "tune", "--build", "bad=f32 2048 cols 8")
    expect(2, "table \"none\": not in build/tune", "tune", "--bench", "none")
    for name in ("cpu-peers", "cpu-counters"):
        expect(2, f'{name}: size "512x": must be like', name, "--sizes", "16x16,512x")
        expect(2, f'{name}: precision "f16": must be', name, "--precision", "f16")
        expect(2, f'{name}: json "/none/peers.json": must be', name, "--json", "/none/peers.json")
        expect(2, f'{name}: library "/none/libweft.so": not', name, "--library", "/none/libweft.so")
    expect(2, 'threads "0": must be', "cpu-peers", "--threads", "0")
    expect(2, 'repetitions "many": must be', "cpu-peers", "--repetitions", "many")
    expect(2, 'WEFT_ISA "v4": must be', "cpu-counters", "--library", "/none/libweft.so", WEFT_ISA="v4")


def import_script(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), os.path.join(SCRIPTS, name))
    script = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(script)
    return script


def test_no_peers():
    """Where none is installed each is skipped by its name, with what to install."""
    script = import_script("cpu-peers")
    with unittest.mock.patch.object(script.transforms, "load", lambda *names: None), \
            unittest.mock.patch.dict(sys.modules, dict.fromkeys(("numpy", "scipy"))):
        found, skipped = script.find_peers("f32", 1, True)
    names = [one["peer"] for one in skipped]
    right = not found and names == ["fftw", "fftw patient", "scipy", "numpy", "mkl"] and \
        all("apt-get install" in one["why"] or "pip install" in one["why"] for one in skipped)
    verdict("cpu-peers: absent peers", not right and f"{found}, {skipped}")


def test_wrong_peer():
    """A peer that computes something else is an error."""
    transforms = import_script("cpu-peers").transforms
    case = transforms.Case(16, 16, "f32")
    values, wanted = case.noise(), case.spectrum()
    wanted.bytes[:4] = b"\0\0\x80\x3f"

    class Zeros:
        name = "zeros"

        def call_on(self, source, to):
            return lambda: None

        def accept(self, value, to):
            pass

    said = []
    with unittest.mock.patch.object(transforms, "fail", lambda code, message: said.append((code, message))):
        transforms.check(Zeros(), case, case.image(values), values, wanted)
    right = len(said) == 1 and said[0][0] == 1 and "16x16 f32 zeros: relative L2 to cpu.fast 1," in said[0][1]
    verdict("cpu-peers: a wrong peer", not right and f"{said}")


def test_order_of_memory():
    """A spectrum that is returned column by column is taken row by row; of more than 32 MB, which glibc never keeps after
    they were freed, so that reading them then fails."""
    try:
        numpy = importlib.import_module("numpy")
    except ImportError:
        print("SKIP cpu-peers: a spectrum by columns: no NumPy in this Python")
        return
    script = import_script("cpu-peers")
    case = script.transforms.Case(2048, 2048, "f64")
    wanted = numpy.arange(case.bins, dtype="complex128").reshape(case.height, -1)
    peer, to = script.SciPy((numpy, None), case, 1), case.spectrum()
    peer.accept(numpy.asfortranarray(wanted), to)
    right = to.bytes[:] == wanted.tobytes()
    verdict("cpu-peers: a spectrum by columns", not right and "other numbers")


def test_peers(library):
    """Every peer that is here computes what cpu.fast does, and all are in the document, or why they are not."""
    expect(2, "size 16x48: WEFT_ISA sse9: ", "cpu-peers", "--library", library, "--sizes", "16x48",
           WEFT_ISA="sse9")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "peers.json")
        code, shown, said = run("cpu-peers", "--library", library, "--sizes", "16x16,64x128", "--precision", "both",
                                "--repetitions", "2", "--cold", "--json", path)
        document = {"machine": {"cores": 0}, "versions": {}, "skipped": [], "results": []}
        if code == 0:
            with open(path, encoding="utf-8") as file:
                document = json.load(file)
        left = os.listdir(folder)
    known = {*document["versions"], *(one["peer"] for one in document["skipped"])}
    times = [one["peer"] for one in document["results"] if len(one["samples_us"]) == 2 and one["median_us"] > 0]
    right = (code, said, left) == (0, "", ["peers.json"]) and "SKIP 16x16 f32, cold" in shown and \
        document["machine"]["cores"] == len(os.sched_getaffinity(0)) and document["machine"]["kernels"] and \
        known == {"cpu.fast", "fftw", "scipy", "numpy", "mkl"} and \
        all(times.count(name) == 6 for name in ("cpu.fast", "cpu.fast half"))
    verdict("cpu-peers: a document", not right and f"exit {code}, {left}: {shown} {said}")


def test_caches():
    """A cache that callgrind does not take is simulated as the nearest one, one that is not known as a common one."""
    caches = import_script("caches.py")
    with tempfile.TemporaryDirectory() as folder:
        for index, words in enumerate((("1", "Data", "48K", "12", "64"), ("2", "Unified", "1280K", "16", "64"))):
            os.mkdir(os.path.join(folder, f"index{index}"))
            for name, word in zip(("level", "type", "size", "ways_of_associativity", "coherency_line_size"), words):
                with open(os.path.join(folder, f"index{index}", name), "w", encoding="ascii") as file:
                    file.write(word + "\n")
        found = caches.document(folder)
    right = caches.words(found) == "I1 of 32 KB in 8 ways (the CPU's is not known), D1 of 48 KB in 12 ways, " \
        "L2 of 1024 KB in 16 ways (the CPU's has 1280 KB)" and "--LL=1048576,16,64" in caches.options(found)
    verdict("cpu-counters with other caches", not right and f"{found}")


def test_counted(library):
    """What runs under valgrind, without it: forks of each kind, and FFTW's plan from wisdom or not at all."""
    with tempfile.TemporaryDirectory() as folder:
        for name, count in (("image", 16 * 16 * 4), ("wisdom", 0)):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(bytes(count))
        done = subprocess.run([sys.executable, "-B", os.path.join(SCRIPTS, "counted.py"), library, "16", "16", "f32",
                               folder, "nothing", "packed", "fftw"], capture_output=True, text=True, check=False)
        left = sorted(os.listdir(folder))
    lines = done.stdout.splitlines()
    right = done.returncode == 0 and [line.split()[0] for line in lines] == ["nothing", "packed", "fftw"] and \
        "fftw absent: " in lines[2] and left == ["image", "spectrum-nothing", "spectrum-packed", "wisdom"]
    verdict("cpu-counters forks", not right and f"{done}, {left}")


def test_no_valgrind(library):
    """It is not there, or does not know the library's instructions: it is said, and nothing is left."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(sys.executable, os.path.join(folder, "python3"))
        expect(1, "cpu-counters: valgrind: not found; apt-get install valgrind", "cpu-counters", "--library", library,
               PATH=folder)
        with open(os.path.join(folder, "valgrind"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n[ \"$1\" = --version ] || { echo '==7== valgrind: Unrecognised instruction' >&2; "
                       "exit 132; }\n")
        os.chmod(file.name, 0o755)
        code, _, said = run("cpu-counters", "--library", library, "--sizes", "16x16", "--json", "counters.json",
                            path=folder, TMPDIR=folder)
        left = sorted(os.listdir(folder))
    right = (code, left) == (1, ["python3", "valgrind"]) and "16x16 f32 under valgrind: valgrind does not" in said
    verdict("cpu-counters with a strange instruction", not right and f"exit {code}, {left}: {said}")


def test_counters(library):
    """Both layouts and FFTW, or why not, are in the document, and it can be drawn."""
    if not shutil.which("valgrind"):
        print("SKIP cpu-counters counts: there is no valgrind; apt-get install valgrind")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "counters.json")
        code, shown, said = run("cpu-counters", "--library", library, "--sizes", "64x64", "--json", path,
                                TMPDIR=folder)
        left = os.listdir(folder)
        drawn = run("draw-results", "--show", path)[1] if code == 0 else ""
        document = {"skipped": [], "results": []}
        if code == 0:
            with open(path, encoding="utf-8") as file:
                document = json.load(file)
    known = [one["contender"] for one in document["results"] + document["skipped"]]
    right = (code, said, left) == (0, "", ["counters.json"]) and known == ["cpu.fast", "cpu.fast half", "fftw"] and \
        all(f"| {one['contender']} |" in drawn and one["instructions"] > one["data_reads"] > one["d1_read_misses"] > 0
            for one in document["results"])
    verdict("cpu-counters counts", not right and f"exit {code}, {left}: {shown} {said}")


def test_description(library):
    """The scripts' weft_desc has the layout of weft.h: the library sees its last field."""
    transforms = import_script("transforms.py")
    weft = transforms.open_weft(library)
    desc, plan = transforms.Desc(height=8, width=8), ctypes.c_void_p()
    made = weft.weft_plan_create(ctypes.byref(plan), ctypes.byref(desc))
    weft.weft_plan_destroy(plan)
    desc.reserved[7] = 5
    refused = weft.weft_plan_create(ctypes.byref(plan), ctypes.byref(desc))
    words = weft.weft_last_error()
    right = made == 0 and refused != 0 and b"reserved[7] 5" in words
    verdict("weft_desc of the scripts", not right and f"{made}, {refused}: {words}")


def test_document():
    """A document replaces a file, also behind a link, and is written into a pipe, with a name and without."""
    commands = import_script("commands.py")
    with tempfile.TemporaryDirectory() as folder:
        file, link, pipe = (os.path.join(folder, name) for name in ("file.json", "link.json", "pipe"))
        os.symlink(file, link)
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        commands.write_document(link, {"one": 1})
        commands.write_document(pipe, {"two": 2})
        came = os.read(reader, 1000)
        os.close(reader)
        reader, writer = os.pipe()
        commands.write_document(f"/dev/fd/{writer}", {"three": 3})
        unnamed = os.read(reader, 1000)
        os.close(reader)
        os.close(writer)
        with open(file, encoding="utf-8") as written:
            right = json.load(written) == {"one": 1} and json.loads(came) == {"two": 2} and os.path.islink(link)
        right = right and json.loads(unnamed) == {"three": 3}
        right = right and sorted(os.listdir(folder)) == ["file.json", "link.json", "pipe"]
    verdict("documents of links and pipes", not right and "not what was written")


def test_tables():
    """A changed table differs from cuda/tuning.def in what was changed, and in nothing else."""
    tune = import_script("tune")
    with tempfile.TemporaryDirectory() as folder:
        tune.folder_of = lambda name: os.path.join(folder, name)
        path = tune.changed("other", "f32 2048 many = 7, 8; f64 64 rows few = 1, 2, 3, 4, 5, 6, 7;"
                                     "f32 1024 cols cooperative = 9, 9, 9, ONE_TILE, 9; f32 8192 classes = 6, 6, 6, 6")
        with open(path, encoding="utf-8") as file, open(os.path.join(tune.ROOT, "cuda/tuning.def"),
                                                        encoding="utf-8") as table:
            pairs = [pair for pair in zip(file.read().split("\n"), table.read().split("\n")) if pair[0] != pair[1]]
    wanted = ["{9, 9, 9, ONE_TILE, 9}", "{2048, {7, 8}, ", "{6, 6, 6, 6}", "{1, 2, 3, 4, 5, 6, 7}"]
    right = len(pairs) == len(wanted) and all(w in new for w, (new, _) in zip(wanted, pairs))
    verdict("tune: changes of a table", not right and f"{pairs}")


def test_shares():
    """cpu.fast over FFTW on as many threads, hot and cold, of two runs in their order, of three the median; a time that is
    not there is none; a run without FFTW has speed-ups only, and no table of its own."""
    one = {"height": 64, "width": 32, "batch": 1, "precision": "f32", "operation": "forward", "pixel": "real",
           "layout": "packed", "space": "host", "scope": "transform", "launch": None, "verified": True}
    times = {("cpu.fast", 1, "hot"): 30, ("cpu.fast", 1, "cold"): 45, ("cpu.fast", 4, "hot"): 10,
             ("cpu.fftw", 1, "hot"): 60, ("cpu.fftw", 1, "cold"): 50, ("cpu.fftw", 4, "hot"): 16}
    document = {"schema": "weft-bench/1",
                "machine": {"cpu": "a CPU", "cores": 4, "gpu": None, "compiler": "gcc", "commit": "c", "date": "2026"},
                "results": [{**one, "strategy": strategy, "threads": threads, "cache": cache, "median_us": us}
                            for (strategy, threads, cache), us in times.items()]}
    render = importlib.import_module("results.render")
    alone = {**document, "machine": {**document["machine"], "commit": "d"},
             "results": [*document["results"][:2], {**document["results"][2], "median_us": 15}]}
    drawn = render.shares([document, alone, alone])
    wanted = ["**a CPU, 4 cores** (gcc, 2026; commit c; commit d, 2 runs)", "",
              "| image | hot, 1 thread | cold, 1 thread | hot, 4 threads | speed-up, 4 threads |",
              "|---|---:|---:|---:|---:|",
              "| 64x32, f32 forward | 0.500 | 0.900 | 0.625 | 2.00 (2.00 to 3.00) |", ""]
    two = render.shares([document, alone])[4]
    right = drawn == wanted and "| 3.00, 2.00 |" in two and render.shares([alone]) == []
    verdict("draw-results: shares", not right and f"{drawn} {two}")


def test_newest():
    """A table has each machine's newest run, which one of fewer images or a less calm one does not replace; peers' of
    each number of threads. Counts stand beside FFTW's."""
    load, select, pages = (importlib.import_module(f"results.{name}") for name in ("load", "select", "pages"))

    def document(schema, commit, date, *found):
        return {"schema": schema, "machine": {"cpu": "a CPU", "cores": 4, "gpu": None, "compiler": "gcc", "commit": commit,
                                              "date": date, "kernels": None}, "versions": {}, "results": list(found)}

    def peer(threads):
        return {"height": 64, "width": 32, "precision": "f32", "cache": "hot", "peer": "cpu.fast", "median_us": 5,
                "threads": threads}

    with tempfile.TemporaryDirectory() as folder:
        def times(*of_95):
            return [{"median_us": 10, "p95_us": us} for us in of_95]

        runs = [document("weft-bench/1", "a", "2026-1", *times(11, 11, 11)),
                document("weft-bench/1", "b", "2026-2", *times(15, 16)),
                document("weft-bench/1", "b", "2026-3", *times(12, 13)),
                document("weft-bench/1", "b", "2026-4", *times(14, 12)),
                document("weft-bench/1", "b", "2026-5", *times(11)),
                *(document("weft-cpu-peers/1", f"p{i}", f"2026-{i}", peer(threads)) for i, threads in enumerate((1, 2, 1)))]
        for i, run in enumerate(runs):
            with open(os.path.join(folder, f"{i}.json"), "w", encoding="utf-8") as file:
                json.dump(run, file)
        with unittest.mock.patch.object(load, "RESULTS", folder):
            found = [one["results"] for _, one in select.newest("weft-bench/1")]
            peers = [line for line in pages.BLOCKS["peers"]().split("\n") if line.startswith("**")]
    counted = importlib.import_module("results.render").rows_of_counts("64x32", {"cpu.fast": {"instructions": 3, "data_reads": 1},
                                         "fftw": {"instructions": 4, "data_reads": 0}})
    right = found == [times(12, 13)] and [line.split("(")[1] for line in peers] == ["1 thread, gcc, commit p2, 2026-2)",
                                                                    "2 threads, gcc, commit p1, 2026-1)"] and \
        counted == [["64x32", "cpu.fast", "3.0", "1.00"], ["", "fftw", "4.0", "0.00"], ["", "cpu.fast / fftw", "0.75", "-"]]
    verdict("draw-results: newest", not right and f"{found} {peers} {counted}")


def test_pages():
    """Blocks are found on whichever page they are; one that no page shows, one that there is not and one without an end
    are errors."""
    load, pages = (importlib.import_module(f"results.{name}") for name in ("load", "pages"))

    def marked(name, text, end):
        return f"<!-- {name}: drawn by scripts/draw-results -->\n{text}{end}"

    def drawn_from(readme, page):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(load, "ROOT", folder), \
                unittest.mock.patch.object(pages, "BLOCKS", {"one": lambda: "1\n", "two": lambda: "2\n"}), \
                unittest.mock.patch.object(pages, "PICTURES", {"docs/pictures/a.svg": lambda: "<svg/>", "docs/pictures/b.svg": lambda: None}):
            os.mkdir(os.path.join(folder, "docs"))
            for name, text in (("README.md", readme), ("docs/b.md", page), ("docs/none.md", "no block\n")):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            try:
                return pages.drawn()
            except SystemExit as why:
                return str(why)

    one, two = marked("one", "old\n", "<!-- end of one -->\n"), marked("two", "", "<!-- end of two -->\n")
    found = [drawn_from("a\n" + one + "b\n", two + one), drawn_from(one, ""), drawn_from(one, marked("six", "", "")),
             drawn_from(one, marked("two", "", one))]
    new, new_two = one.replace("old", "1"), marked("two", "2\n", "<!-- end of two -->\n")
    right = found == [{"README.md": "a\n" + new + "b\n", "docs/b.md": new_two + new, "docs/pictures/a.svg": "<svg/>"},
                      "no page of README.md and docs/*.md shows two", "docs/b.md: there is no block six, only one, two",
                      "docs/b.md: the end of two is not there"]
    verdict("draw-results: pages", not right and f"{found}")


def test_older():
    """A heading says that the code has changed since; that it has makes no page wrong. A block without a document names
    what makes one."""
    load, pages, render = (importlib.import_module(f"results.{name}") for name in ("load", "pages", "render"))
    document = {"schema": "weft-fractal/1", "machine": {"cpu": "a CPU", "cores": 4, "gpu": None, "compiler": "gcc",
                                                       "commit": "c", "date": "2026"}}
    machines = [{**document["machine"], "kernels": of} for of in ("other", load.kernels(document), None)]
    said = [render.heading({**document, "machine": machine})[0] for machine in machines]
    both = render.headings([{**document, "machine": machine} for machine in (machines[0], {**machines[0], "commit": "d"})])[0]
    empty = {**dict.fromkeys(pages.BLOCKS, lambda: "1\n"), "aims": lambda: ""}
    with unittest.mock.patch.object(pages, "BLOCKS", empty):
        page = pages.redrawn("a.md", "<!-- aims: drawn by scripts/draw-results -->\n<!-- end of aims -->\n", set())
    right = said[1] == said[2] == "**a CPU, 4 cores** (gcc, commit c, 2026)" and \
        said[0] == said[1][:-1] + ", measured before later changes of the code)" and pages.OLDER.sub("", said[0]) == said[1] and \
        pages.OLDER.sub("", both) == "**a CPU, 4 cores** (gcc, 2026; commit c; commit d)" and \
        "`weft reproduce weft --json FILE`" in page and set(pages.MADE_BY) == set(pages.BLOCKS)
    verdict("draw-results: older", not right and f"{said} {both} {page}")


def test_bars():
    """A bar of each of Weft's fastest, its peer and the copy, as long as its time, where the peer was timed."""
    select, bars = (importlib.import_module(f"results.{name}") for name in ("select", "bars"))
    one = {"batch": 1, "precision": "f32", "operation": "forward", "pixel": "real", "layout": "packed", "space": "gpu",
           "scope": "transform", "launch": "graph", "verified": True, "threads": 1, "cache": "cold"}
    times = [("cuda.twopass", 64, 30), ("cuda.onchip", 64, 20), ("cuda.cufft", 64, 40), ("copy", 64, 10),
             ("cuda.twopass", 128, 50)]
    groups = select.forward_times({"machine": {"gpu": "a GPU"}, "results": [
        {**one, "strategy": name, "height": size, "width": size, "median_us": us} for name, size, us in times]})
    drawn = xml.etree.ElementTree.fromstring(bars.draw("a <GPU>", "", groups))
    wide = [float(bar.get("width")) for bar in drawn.iter("{http://www.w3.org/2000/svg}rect")][4:]
    words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    right = groups == {"64x64": {"Weft": ("cuda.onchip", 20), "cuFFT": ("cuda.cufft", 40), "copy": ("copy", 10)}} and \
        [each / wide[1] for each in wide] == [0.5, 1, 0.25] and "a <GPU>" in words and "20.0 us (cuda.onchip)" in words
    verdict("draw-results: bars", not right and f"{groups} {wide} {words}")


def test_scatter():
    """Weft over the peer on as many threads, cold where both were, as dots and as a table; nothing without a peer."""
    select, scatter = (importlib.import_module(f"results.{name}") for name in ("select", "scatter"))
    one = {"batch": 1, "precision": "f32", "operation": "forward", "pixel": "real", "layout": "packed", "space": "cpu",
           "scope": "transform", "launch": None, "verified": True, "threads": 1, "width": 60}
    times = [("cpu.fast", 64, "hot", 30), ("cpu.fast", 64, "cold", 40), ("cpu.fftw", 64, "hot", 90),
             ("cpu.fftw", 64, "cold", 80), ("copy", 64, "cold", 10), ("cpu.fast", 17, "hot", 30),
             ("cpu.fast", 17, "cold", 50), ("cpu.fftw", 17, "hot", 20), ("cpu.fast", 19, "hot", 30)]
    document = {"schema": "weft-sweep/1", "machine": {"cpu": "a <CPU>", "cores": 4, "gpu": None, "compiler": "gcc",
                                                      "commit": "c", "date": "2026"},
                "results": [{**one, "strategy": name, "height": height, "cache": cache, "median_us": us}
                            for name, height, cache, us in times]}
    found = [(result["height"], ratio) for _, _, result, ratio in select.ratios(document)]
    drawn = xml.etree.ElementTree.fromstring(scatter.draw(document))
    dots = [title.text for title in drawn.iter("{http://www.w3.org/2000/svg}title")]
    table = scatter.table(document)
    right = sorted(found) == [(17, 1.5), (64, 0.5)] and \
        sorted(dots) == ["17x60, cpu.fast: 1.50", "64x60, cpu.fast: 0.50"] and \
        "| 1 thread | a larger prime | 1 | 1.50 | 1.50 | 1.50 | 1 |" in table and \
        scatter.draw({**document, "results": document["results"][:2]}) is None
    verdict("draw-results: scatter", not right and f"{found} {dots} {table}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bench.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**document, "schema": "weft-bench/1"}, file)
        expect(1, "no weft-sweep/1 document", "draw-results", "--scatter", path)


def test_sweep_sizes():
    """The committed sizes are those of the program; of each kind as many, each once, no side longer than 4096."""
    code, shown, _ = run("sweep-sizes")
    with open(os.path.join(SCRIPTS, "../data/sweep-300.txt"), encoding="utf-8") as file:
        same = file.read() == shown
    sizes = [tuple(map(int, line.split("x"))) for line in shown.splitlines() if not line.startswith("#")]
    smooth = import_script("sweep-sizes").is_smooth
    right = code == 0 and same and len(set(sizes)) == len(sizes) == 300 and max(map(max, sizes)) <= 4096 and \
        all(smooth(side) for size in sizes[:100] for side in size)
    verdict("sweep-sizes", not right and f"exit {code}, {len(sizes)} sizes, as committed: {same}")


def test_floor():
    """A pass costs a copy: cold at first and wherever L2 is too small, once for an image on the chip, thrice for a filter."""
    select = importlib.import_module("results.select")
    copy = {"cold": {"median_us": 10}, "hot": {"median_us": 4}}
    one = {"width": 1024, "batch": 1, "precision": "f32", "operation": "forward"}
    cases = [("cuda.twopass", {"height": 1024}), ("cuda.twopass", {"height": 8192}), ("cuda.onchip", {"height": 1024}),
             ("cuda.twopass", {"height": 4096, "precision": "f64"}), ("cuda.twopass", {"height": 1024, "operation": "filter"})]
    found = [select.floor(strategy, {**one, **change}, copy) for strategy, change in cases]
    right = found == [14, 20, 10, 20, 18]
    verdict("draw-results: floor", not right and f"{found}")


def test_fractal():
    """The seed's cells stand before ours where it has any; what was not found says why; what has nothing of ours is left out."""
    render = importlib.import_module("results.render_fractal")
    sample = {"film": "pan", "search": "seq", "frames": 2, "search_seconds": 3, "seconds": 5}
    others = [{**sample, "search_seconds": 2, "seconds": 6}, {**sample, "film": "rush", "search_seconds": 8, "seconds": 9}]
    rows = [{"what": "seq", "seed": ["1600", None, None], "here": [1, 7, 2], "terms": 2e9, "reason": None,
             "samples": [sample, *others]},
            {"what": "fft", "seed": ["lost", "lost", None], "here": [None, 7, None], "terms": None, "reason": "too slow",
             "samples": []}]
    empty = {"what": "cuda", "seed": ["5", None, None], "here": [None] * 3, "terms": None, "reason": "no GPU", "samples": []}
    columns = ["search, ms", "dB", "frames/s"]
    machine = {"cpu": "a CPU", "cores": 4, "gpu": None, "compiler": "gcc", "commit": "c", "date": "2026"}
    drawn = render.fractal({"machine": machine, "height": 1, "width": 2, "frames": 3, "picture_height": 4,
                            "picture_width": 5, "tables": [{"name": "Table V", "about": "the CPU", "rows": [*rows, empty], "columns": columns},
                                                 {"name": "Table VI", "about": "a GPU", "rows": [empty, empty], "columns": columns}]})
    wanted = ["**a CPU, 4 cores** (drawn films of 3 frames of 1x2, pictures of 4x5, gcc, commit c, 2026)", "",
              "**Table V**: the CPU.", "", "|  | search, ms, seed | search, ms | dB, seed: lost | frames/s | terms, 10^9 |  |",
              "|---|---:|---:|---:|---:|---:|---|", "| seq | 1600 | 2750 | 7 | 0.2857 | 2 |  |",
              "| fft | lost | - | 7 | - | - | too slow |", "",
              "Left out, since there is no value of ours: cuda of Table V, Table VI (no GPU).", ""]
    result = {"threads": 1, "terms_decided": 4e9, "terms_evaluated": 2e9, "seconds": [3, 4], "reason": None}
    device = {"reason": None, "height": 6, "width": 7, "iterations": 5, "terms": 2e9, "decode_kernel_seconds": [3e-4, 2e-4],
              "multiply_adds": {"instructions": 4e9, "seconds": [0.002, 0.001]},
              "searches": [{"arith": "float", "kernel_seconds": [0.002, 0.003]}]}
    bench = render.bench({"machine": machine, "device": device,
                          "decode": {"reference_seconds": [0.003, 0.002], "later_seconds": [None]},
                          "input": {"name": "pan", "height": 1, "width": 2, "chroma": "4:2:2", "frames": 2, "file_frames": 9,
                                    "profile": "seed"},
                          "results": [{**result, "search": "seq", "search_seconds": [2, 3], "file_seconds": []},
                                      {**result, "search": "cpu", "search_seconds": [0.5, 0.2], "file_seconds": [5, 3]},
                                      {**result, "search": "fft", "search_seconds": [], "seconds": [], "reason": "no"}]})
    lines = [line for line in bench if line.startswith("| ")]
    right = drawn == wanted and lines[1:] == [
        "| `seq` | 1 | 4 | 50 % | 1000 ms | 1.0 | 0.6667 | - |", "| `cpu` | 1 | 4 | 50 % | 100 ms | 10.0 | 0.6667 | 3 |",
        "| decode a reference |  |  |  | 2000 us |  |  |  |", "| kernels | a frame | bound / time |",
        "| two instructions a term | 1000 us | 100 % |", "| search, float | 2000 us | 50 % |",
        "| decode, 5 iterations | 200 us |  |"]
    verdict("draw-results: fractal", not right and f"{drawn} {bench}")


def test_python():
    """Medians of samples, for an image; a share that is more than it must be is bold; a peer that is not there is left out.
    A document whose results have no times is refused, and so is half a one."""
    one = {"threads": 1, "height": 16, "width": 16, "batch": 1, "precision": "f32", "operation": "forward"}
    small = {"weft": [9, 3, 3.1], "weft.scipy_backend": [4], "scipy": [5], "cpu.fast": [16]}
    large = {**one, "height": 512, "width": 512, "operation": "inverse"}
    convolve = {**large, "operation": "convolve", "kernel_height": 5, "kernel_width": 7}
    document = {"schema": "weft-python-bench/1",
                "machine": {"cpu": "a CPU", "cores": 2, "gpu": None, "compiler": "gcc", "commit": "c", "date": "2026-11-29"},
                "versions": {"weft": "1", "scipy": "2"}, "skipped": [{"peer": "numpy", "why": "no module"}],
                "results": [*({**one, "peer": peer, "samples_us": times} for peer, times in small.items()),
                            *({**large, "peer": peer, "samples_us": [us]}
                              for peer, us in (("weft", 60), ("scipy", 100), ("ducc0", 70))),
                            {**large, "peer": "weft", "height": 512, "width": 30, "samples_us": [90]},
                            {**large, "peer": "scipy", "height": 512, "width": 30, "samples_us": [90]},
                            *({**convolve, "peer": peer, "samples_us": [us]}
                              for peer, us in (("weft", 50), ("weft.scipy_backend", 50), ("scipy", 100)))]}
    document["results"][3]["batch"] = 8
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "python.json")

        def drawn(text, option="--show"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return run("draw-results", option, path)

        text = json.dumps(document)
        shown, named = drawn(text), drawn(text, "--name")[1]
        damaged = [drawn(text[:-9]), drawn(text.replace("[90]", "[]")), drawn(text.replace('"peer": "scipy"', '"who": "scipy"')),
                   drawn(text.replace('"samples_us": [60]', '"samples_us": ["many"]')), drawn(text.replace("bench/1", "bench/2"))]
    wanted = ["**a CPU, 2 cores** (f32, 1 thread, gcc, commit c, 2026-11-29)", "weft: 1, scipy: 2.",
              "| 16x16 forward | 3.10 us | 4.00 us | 5.00 us | - | - | 0.62 [0.8] | 0.80 [0.8] | - | - |",
              "| 512x512 inverse | 60.0 us | - | 100 us | 70.0 us | - | **0.60** [0.5] | - | 0.86 [0.9] | - |",
              "| 512x30 inverse | 90.0 us | - | 90.0 us | - | - | 1.00 [1] | - | - | - |",
              "| 512x512 with 5x7 convolve | 50.0 us | 50.0 us | 100 us | - | - | **0.50** [0.4] | 0.50 [0.6] | - | - |",
              "| `weft.rfft2` | 3.10 us [4] |", "| the library alone | 2.00 us |", "| what Python adds | **1.10 us** [1] |",
              "Left out: numpy: no module."]
    right = shown[0] == 0 and [line for line in wanted if line not in shown[1].split("\n")] == [] and \
        named == "cpu-2026-11-29-c-python-bench.json\n" and [found[:2] for found in damaged] == 5 * [(1, "")] and \
        all(words in said for words, (_, _, said) in zip(("no JSON document", *3 * ["not a result with samples"], "its schema is"),
                                                         damaged))
    verdict("draw-results: calls from Python", not right and f"{shown} {named} {damaged}")


def test_every_document():
    """Documents of all schemas can be shown: gpu-check shows what it keeps."""
    documents = sorted(glob.glob(os.path.join(SCRIPTS, "..", "data", "results", "*.json")))
    code, drawn, said = run("draw-results", "--show", *documents)
    verdict("draw-results: every document", not (documents and code == 0 and drawn and not said) and f"{code} {said}")


def test_hash():
    """The hash changes with the code in any folder below, not with comments, and not where a file lies; of calls from Python
    with the package's, too."""
    load = importlib.import_module("results.load")
    document = {"schema": "weft-bench/1", "machine": {"gpu": "a GPU"}}
    real = [pattern for gpu in (None, "a GPU") for pattern in load.code({"schema": "weft-dx11/1", "machine": {"gpu": gpu}})
            + load.code({"schema": "weft-fractal/1"}) + load.code({"schema": "weft-python-bench/1", "machine": {"gpu": None}}) if not glob.glob(os.path.join(load.ROOT, pattern))]

    def hash_of(files, document=document):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(load, "ROOT", folder):
            for name, text in files.items():
                os.makedirs(os.path.join(folder, os.path.dirname(name)), exist_ok=True)
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            return load.kernels(document)

    files = {"cuda/line/a.cuh": "a;", "cuda/b.cu": "b;", "src/arith/c.h": "c;", "src/d.h": "d;", "src/e.c": "e;"}
    first = hash_of(files)
    same = [hash_of({**files, **change}) for change in ({"cuda/b.cu": "/* why */ b;\n"}, {"src/e.c": "f;"},
                                                        {"cuda/line/a.cuh": "b;", "cuda/b.cu": "a;"})]
    others = [hash_of({**files, **change}) for change in ({"cuda/line/a.cuh": "b;"}, {"src/arith/c.h": "cc;"},
                                                          {"src/d.h": ""}, {"cuda/base/deep/f.h": "f;"})]
    package = [hash_of({"python/weft/_a.py": text}, {"schema": "weft-python-bench/1", "machine": {"gpu": None}})
               for text in ("if a:  # why\n    b()\nc()\n", "if a:\n    b()\nc()\n", "if a:\n    b()\n    c()\n")]
    right = not real and set(same) == {first} and len({first, *others}) == 5 and package[0] == package[1] != package[2]
    verdict("draw-results: hash", not right and f"{real} {first} {same} {others} {package}")


def test_stamp():
    """The hash is that of the code here, of the CPU's or the GPU's: refused for a document of another commit."""
    results = importlib.import_module("results.load")
    changed = results.commit().removesuffix("-dirty") + "-dirty"
    stamps = {results.stamped({"schema": "weft-bench/1", "machine": {"gpu": gpu, "commit": changed}})
              ["machine"]["kernels"] for gpu in (None, "a GPU")}
    right = len(stamps) == 2 and all(re.fullmatch("[0-9a-f]{16}", stamp) for stamp in stamps)
    verdict("draw-results: stamps", not right and f"{stamps}")
    if results.commit() == "unknown":
        print("SKIP draw-results --stamp: no commit is known here")
        return
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write('{"schema": "weft-bench/1", "machine": {"gpu": null, "commit": "0000000"}, "results": []}')
        file.flush()
        expect(1, "a document of commit 0000000, but here is", "draw-results", "--stamp", file.name)
        with tempfile.TemporaryDirectory() as folder:
            git = os.path.join(folder, "git")
            for head, environment, right, words in (
                    ("0000000", {}, 1, "the code it was measured with has been changed here"),
                    ("1111111", {"WEFT_COMMIT": "0000000"}, 0, "")):
                with open(git, "w", encoding="utf-8") as script:
                    script.write(f"#!/bin/sh\ncase $1 in rev-parse) echo {head} ;; *) echo ' M cpu_ref/line.c' ;; esac\n")
                os.chmod(git, 0o755)
                code, shown, said = run("draw-results", "--stamp", file.name, path=folder, **environment)
                is_stamped = '"kernels"' in shown
                verdict(f"draw-results --stamp: changes, git's commit is {head}",
                        (code != right or is_stamped == bool(code) or words not in said) and f"exit {code}: {said}")


def test_run():
    """What ./run builds with a GPU, without one, and when asked for the kernels; here with a cmake that only says how it is
    called."""
    with tempfile.TemporaryDirectory() as folder:
        root, programs = os.path.join(folder, "tree"), os.path.join(folder, "programs")
        shutil.copytree(SCRIPTS, os.path.join(root, "scripts"))
        shutil.copy(os.path.join(SCRIPTS, "../run"), root)
        os.mkdir(programs)
        for name, words in (("cmake", 'echo "[1/1] $*"; mkdir -p build/bench/tool; : >build/bench/CMakeCache.txt\n'
                                      'ln -sf /bin/echo build/bench/tool/weft'),
                            ("nvcc", ""), ("nvidia-smi", '[ -z "$GPU" ] || case $1 in -L) echo "GPU 0: $GPU" ;; *) echo 9.0 ;; esac')):
            with open(os.path.join(programs, name), "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\n{words}\n")
            os.chmod(file.name, 0o755)

        def how(*arguments, **more):
            """(how it was configured, what it said, what the tool was called with)"""
            environment = {**os.environ, "PATH": programs + os.pathsep + os.environ["PATH"], "WEFT_NO_INSTALL": "1",
                           "CUDACXX": os.path.join(programs, "nvcc"), "GPU": "", **more}
            done = subprocess.run([os.path.join(root, "run"), *arguments], capture_output=True, text=True, check=False,
                                  env=environment, cwd=root)
            with open(os.path.join(root, "build/bench/configured-with"), encoding="utf-8") as file:
                return file.read(), done.stderr, done.stdout

        found = [how("info"), how(), how("info"), how("info", GPU="H100"), how("info"), how("--cuda", "bench")]
        shutil.rmtree(os.path.join(root, "build"))
        found.append(how("--cuda", "info"))
        shutil.rmtree(os.path.join(root, "build"))
        with open(os.path.join(root, "build"), "w", encoding="utf-8"): # as a folder of somebody else, for root, too
            pass
        locked = subprocess.run([os.path.join(root, "run"), "info"], capture_output=True, text=True, check=False)
    with_cuda = ["WEFT_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=90 " in configured for configured, _, _ in found]
    left_out = ["no GPU here: left out" in said and "--cuda" in said for _, said, _ in found]
    right = with_cuda == 3 * [False] + 4 * [True] and left_out == [True, True] + 5 * [False] and \
        [shown for _, _, shown in found] == ["info\n", "bench\n", "info\n", "info\n", "info\n", "bench\n", "info\n"]
    right = right and locked.returncode == 1 and locked.stderr.endswith("/build: cannot be written; use a clone of your own\n")
    verdict("run: with a GPU and without", not right and f"{found} {locked}")


def test_steps():
    """A terminal is told how far a build is; elsewhere nothing is said."""
    command = ["sh", "-c", f'root={SCRIPTS}/..; . "$root/scripts/shell.sh"; printf "%s\\n" "[1/9] a" "-- b" "[9/9] c" | show_steps "$0"']
    try:
        main_end, terminal = pty.openpty()
    except OSError as why:  # of a container without /dev/pts
        print(f"SKIP run: steps on a terminal: {why}")
        return
    with tempfile.NamedTemporaryFile() as log:
        quiet = subprocess.run([*command, log.name], stderr=subprocess.PIPE, check=False).stderr
        subprocess.run([*command, log.name], stderr=terminal, check=False)
        os.close(terminal)
        said, kept = os.read(main_end, 1000).decode(), log.read()
        os.close(main_end)
    right = not quiet and kept == b"[1/9] a\n-- b\n[9/9] c\n" and \
        said.replace("\033[K", "").split("\r")[1:] == ["weft: building, step 1/9", "weft: building, step 9/9", ""]
    verdict("run: steps on a terminal", not right and f"{quiet} {said!r} {kept}")


def test_no_gpu():
    """A driver that knows of no GPU: both stop before they begin anything."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "nvidia-smi"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho 'No devices were found'\nexit 6\n")
        os.chmod(file.name, 0o755)
        for name, code in (("gpu-check", 1), ("gpu-bytes", 6)):
            expect(code, "no usable GPU", name, "--out", os.path.join(folder, "out"), path=folder)
        left = sorted(os.listdir(folder))
        verdict("nothing begun", left != ["nvidia-smi"] and f"{left}")


def main():
    test_help()
    test_wrong_options()
    test_document()
    test_tables()
    test_shares()
    test_fractal()
    test_python()
    test_newest()
    test_pages()
    test_older()
    test_bars()
    test_scatter()
    test_sweep_sizes()
    test_floor()
    test_every_document()
    test_hash()
    test_stamp()
    test_run()
    test_steps()
    test_no_gpu()
    test_no_peers()
    test_wrong_peer()
    test_order_of_memory()
    test_caches()
    if len(sys.argv) > 1:
        library = os.path.abspath(sys.argv[1])
        test_description(library)
        test_peers(library)
        test_counted(library)
        test_no_valgrind(library)
        test_counters(library)
    return verdicts()


if __name__ == "__main__":
    sys.exit(main())
