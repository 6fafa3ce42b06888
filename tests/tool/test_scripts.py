#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs of scripts/ from outside: test_scripts.py [LIBWEFT.SO]. Help, wrong options and their exit codes, that
nothing is built where there is no GPU, and with a library short runs of cpu-peers and cpu-counters. Prints PASS /
FAIL / SKIP lines."""
import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest.mock

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts")
sys.path.insert(0, SCRIPTS)
failures = 0


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
    global failures
    found = run(name, *arguments, path=path, **more)
    right = found[:2] == (code, "") and words in found[2]
    failures += not right
    title = " ".join([name, *(os.path.basename(argument) for argument in arguments)])
    print(f"PASS {title}: {words}" if right else f"FAIL {title}: not {code} and {words!r} but {found}")


def test_help():
    global failures
    for name in ("gpu-check", "gpu-bytes", "draw-results", "bytes-document", "tune", "cpu-peers", "cpu-counters"):
        code, shown, said = run(name, "--help")
        right = code == 0 and name in shown and not said
        failures += not right
        print(f"PASS {name} --help" if right else f"FAIL {name} --help: exit {code}: {said}")


def test_wrong_options():
    for name in ("gpu-check", "gpu-bytes"):
        expect(2, "option --nonsense: unknown", name, "--nonsense")
        expect(2, "--out wants", name, "--out")
    expect(2, '"--nonsense": unknown', "draw-results", "--nonsense")
    expect(2, '--check: "extra" is one file too many', "draw-results", "--check", "extra")
    expect(2, '--name: "b" is one file too many', "draw-results", "--name", "a", "b")
    for option in ("--show", "--name", "--stamp", "--merge"):
        expect(2, f"{option}: no file", "draw-results", option)
    expect(1, "none.json: No such file", "draw-results", "--show", "none.json")
    expect(1, "draw-results: no JSON document", "draw-results", "--show", os.path.join(SCRIPTS, "draw-results"))
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
    global failures
    script = import_script("cpu-peers")
    with unittest.mock.patch.object(script.transforms, "load", lambda *names: None), \
            unittest.mock.patch.dict(sys.modules, dict.fromkeys(("numpy", "scipy"))):
        found, skipped = script.find_peers("f32", 1, True)
    names = [one["peer"] for one in skipped]
    right = not found and names == ["fftw", "fftw patient", "scipy", "numpy", "mkl"] and \
        all("apt-get install" in one["why"] or "pip install" in one["why"] for one in skipped)
    failures += not right
    print("PASS cpu-peers: absent peers" if right else f"FAIL cpu-peers: absent peers: {found}, {skipped}")


def test_wrong_peer():
    """A peer that computes something else is an error."""
    global failures
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
    failures += not right
    print("PASS cpu-peers: a wrong peer" if right else f"FAIL cpu-peers: a wrong peer: {said}")


def test_peers(library):
    """Every peer that is here computes what cpu.fast does, and all are in the document, or why they are not."""
    global failures
    expect(2, "size 16x48: cpu.fast: ", "cpu-peers", "--library", library, "--sizes", "16x48")
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
    failures += not right
    print("PASS cpu-peers: a document" if right else f"FAIL cpu-peers: exit {code}, {left}: {shown} {said}")


def test_caches():
    """A cache that callgrind does not take is simulated as the nearest one, one that is not known as a common one."""
    global failures
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
    failures += not right
    print("PASS cpu-counters with other caches" if right else f"FAIL cpu-counters with other caches: {found}")


def test_counted(library):
    """What runs under valgrind, without it: forks of each kind, and FFTW's plan from wisdom or not at all."""
    global failures
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
    failures += not right
    print("PASS cpu-counters forks" if right else f"FAIL cpu-counters forks: {done}, {left}")


def test_no_valgrind(library):
    """It is not there, or does not know the library's instructions: it is said, and nothing is left."""
    global failures
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
    failures += not right
    print("PASS cpu-counters with a strange instruction" if right else
          f"FAIL cpu-counters with a strange instruction: exit {code}, {left}: {said}")


def test_counters(library):
    """Both layouts and FFTW, or why not, are in the document, and it can be drawn."""
    global failures
    expect(2, "size 16x48: cpu.fast: ", "cpu-counters", "--library", library, "--sizes", "16x48")
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
    failures += not right
    print("PASS cpu-counters counts" if right else f"FAIL cpu-counters counts: exit {code}, {left}: {shown} {said}")


def test_tables():
    """A changed table differs from cuda/tuning.def in what was changed, and in nothing else."""
    global failures
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
    failures += not right
    print("PASS tune: changes of a table" if right else f"FAIL tune: changes of a table: {pairs}")


def test_shares():
    """cpu.fast over FFTW on as many threads, hot and cold, of two runs in their order, of three the median; a time that is
    not there is none; a run without FFTW has speed-ups only, and no table of its own."""
    global failures
    one = {"height": 64, "width": 32, "batch": 1, "precision": "f32", "operation": "forward", "pixel": "real",
           "layout": "packed", "space": "host", "scope": "transform", "launch": None, "verified": True}
    times = {("cpu.fast", 1, "hot"): 30, ("cpu.fast", 1, "cold"): 45, ("cpu.fast", 4, "hot"): 10,
             ("cpu.fftw", 1, "hot"): 60, ("cpu.fftw", 1, "cold"): 50, ("cpu.fftw", 4, "hot"): 16}
    document = {"schema": "weft-bench/1",
                "machine": {"cpu": "a CPU", "cores": 4, "gpu": None, "compiler": "gcc", "commit": "c", "date": "2026"},
                "results": [{**one, "strategy": strategy, "threads": threads, "cache": cache, "median_us": us}
                            for (strategy, threads, cache), us in times.items()]}
    sys.path.insert(0, SCRIPTS)
    bench = importlib.import_module("results_bench")
    alone = {**document, "machine": {**document["machine"], "commit": "d"},
             "results": [*document["results"][:2], {**document["results"][2], "median_us": 15}]}
    drawn = bench.draw_shares([document, alone, alone])
    wanted = ["**a CPU, 4 cores** (gcc, 2026; commit c; commit d, 2 runs)", "",
              "| image | hot, 1 thread | cold, 1 thread | hot, 4 threads | speed-up, 4 threads |",
              "|---|---:|---:|---:|---:|",
              "| 64x32, f32 forward | 0.500 | 0.900 | 0.625 | 2.00 (2.00 to 3.00) |", ""]
    two = bench.draw_shares([document, alone])[4]
    right = drawn == wanted and "| 3.00, 2.00 |" in two and bench.draw_shares([alone]) == []
    failures += not right
    print("PASS draw-results: shares" if right else f"FAIL draw-results: shares: {drawn} {two}")


def test_newest():
    """A table has each machine's newest run, which one of fewer images or a less calm one does not replace; peers' of
    each number of threads. Counts stand beside FFTW's."""
    global failures
    draw = import_script("draw-results")
    results, here = draw.results, draw.results.RESULTS

    def document(schema, commit, date, *found):
        return {"schema": schema, "machine": {"cpu": "a CPU", "cores": 4, "gpu": None, "compiler": "gcc", "commit": commit,
                                              "date": date}, "versions": {}, "results": list(found)}

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
        results.RESULTS = folder
        found = [one["results"] for _, one in results.newest("weft-bench/1")]
        peers = [line for line in draw.peers().split("\n") if line.startswith("**")]
        results.RESULTS = here
    counters = importlib.import_module("results_counters")
    counted = counters.rows_of("64x32", {"cpu.fast": {"instructions": 3, "data_reads": 1},
                                         "fftw": {"instructions": 4, "data_reads": 0}})
    right = found == [times(12, 13)] and [line.split("(")[1] for line in peers] == ["1 thread, gcc, commit p2, 2026-2)",
                                                                    "2 threads, gcc, commit p1, 2026-1)"] and \
        counted == [["64x32", "cpu.fast", "3.0", "1.00"], ["", "fftw", "4.0", "0.00"], ["", "cpu.fast / fftw", "0.75", "-"]]
    failures += not right
    print("PASS draw-results: newest" if right else f"FAIL draw-results: newest: {found} {peers} {counted}")


def test_stamp():
    """The hash is that of the code here, of the CPU's or the GPU's: refused for a document of another commit."""
    global failures
    results = import_script("draw-results").results
    changed = results.commit().removesuffix("-dirty") + "-dirty"
    stamps = {results.stamped({"schema": "weft-bench/1", "machine": {"gpu": gpu, "commit": changed}})
              ["machine"]["kernels"] for gpu in (None, "a GPU")}
    right = len(stamps) == 2 and all(re.fullmatch("[0-9a-f]{16}", stamp) for stamp in stamps)
    failures += not right
    print("PASS draw-results: stamps" if right else f"FAIL draw-results: stamps: {stamps}")
    if results.commit() == "unknown":
        print("SKIP draw-results --stamp: no commit is known here")
        return
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write('{"schema": "weft-bench/1", "machine": {"gpu": null, "commit": "0000000"}, "results": []}')
        file.flush()
        expect(1, "a document of commit 0000000, but here is", "draw-results", "--stamp", file.name)


def test_no_gpu():
    """A driver that knows of no GPU: both stop before they begin anything."""
    global failures
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "nvidia-smi"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho 'No devices were found'\nexit 6\n")
        os.chmod(file.name, 0o755)
        for name, code in (("gpu-check", 1), ("gpu-bytes", 6)):
            expect(code, "no usable GPU", name, "--out", os.path.join(folder, "out"), path=folder)
        left = sorted(os.listdir(folder))
        failures += left != ["nvidia-smi"]
        print("PASS nothing begun" if left == ["nvidia-smi"] else f"FAIL nothing begun: {left}")


def main():
    test_help()
    test_wrong_options()
    test_tables()
    test_shares()
    test_newest()
    test_stamp()
    test_no_gpu()
    test_no_peers()
    test_wrong_peer()
    test_caches()
    if len(sys.argv) > 1:
        library = os.path.abspath(sys.argv[1])
        test_peers(library)
        test_counted(library)
        test_no_valgrind(library)
        test_counters(library)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
