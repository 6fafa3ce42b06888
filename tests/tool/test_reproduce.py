#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""weft reproduce from outside: test_reproduce.py PATH_OF_WEFT PATH_OF_DISTURBING PATH_OF_WRONG_WEFT, in which a rung of the
ladder and a bit are wrong. All experiments are run together, once; documents are printed again: the same text, from whatever
lies in the file. Prints PASS / FAIL / SKIP lines."""
import copy
import functools
import glob
import json
import math
import os
import re
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from test_cli import (BAD_INPUT, CHECK_FAILED, DISTURBING, FILE, GPU, MACHINE, SANITIZED, THREAD_SANITIZER, USAGE, WEFT, Skip,
                      disturbing, has_gpu, main, require, sample_png, weft)
from test_rungs import FILES, RUNGS, WITHOUT

RESULTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../data/results")
SWEEP = os.path.join(RESULTS, "../sweep-300.txt")
SIZES = os.path.join(RESULTS, "../../tool/reproduce/weft/sizes.def")
WRONG = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None  # wrong_rung.c, wrong_bits.c
WORDS = {True: "PASS", False: "FAIL", None: "SKIP"}


@functools.cache
def everything():
    """What weft reproduce all --quick prints, and its document."""
    done = subprocess.run([WEFT, "reproduce", "all", "--quick", "--no-seq", "--json", "-"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr.decode(), json.loads(done.stdout)


def part(name):
    return next(one["document"] for one in everything()[1]["experiments"] if one["name"] == name)


def require_wrong():
    """What the tests of wrong numbers need."""
    if SANITIZED:
        raise Skip("sanitizers have seen the same without a wrong number")
    if DISTURBING is None or WRONG is None:
        raise Skip("disturbing.c or wrong_rung.c was not given")


def save(folder, document, name="d.json"):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def claim_lines(document):
    return [f"{WORDS[claim['passed']]} {claim['name']}: {claim['text']}" for claim in document.get("claims", [])]


def table(document, name):
    found = next(each for each in document["tables"] if each["name"] == name)
    return {row["what"]: row for row in found["rows"]}


# ---- the experiment report -----------------------------------------------------------------------


def test_report(folder):
    """The report's values beside ours, a line for each claim, raw samples of everything that was timed."""
    document = part("report")
    printed = weft("reproduce", "--from", save(folder, document))
    assert document["schema"] == "weft-report/1" and document["height"] == document["width"] == 512
    require("machine", MACHINE, document["machine"])
    lines = [line for line in printed.splitlines() if line.startswith(tuple(WORDS.values()))]
    assert lines == claim_lines(document) and len(lines) == 18, lines
    for row in (*document["results"], *document["skipped"]):
        assert "samples_us" not in row or len(row["samples_us"]) == 5, row
    alone = [one["samples_us"] for one in document["results"]
             if (one["strategy"], one["threads"], one["cache"], one["scope"]) == ("cpu.report", 1, "hot", "transform")]
    own, gpu = (table(document, "The report's program")[what] for what in ("1 thread [Core i7-8700K]", "GPU [GTX 1080 Ti]"))
    assert own["report"] == ["9.18", None, None, None] and gpu["report"][:2] == ["0.12", "76.5"], (own, gpu)
    assert abs(1e6 * own["here"][0] / statistics.median(alone[0]) - 1) < 1e-9 and own["here"][1] == 1, own
    assert 0 < own["here"][3] < 1 and (gpu["reason"] is None) == has_gpu(), (own, gpu)
    assert "[9.18]" in printed and "[76.5]" in printed and "[not considerably]" in printed, printed


def test_report_claims(_):
    """What does not depend on times holds everywhere, by numbers that are wrong enough and right enough."""
    document = part("report")
    held = {claim["name"]: claim["passed"] for claim in document["claims"]}
    timed = [name for name in held if re.search("10 times|threads do not", name)]
    assert len(timed) == 3 and all(value for name, value in held.items() if name not in timed), held
    assert (held[timed[0]] is None) != has_gpu(), timed
    for row in table(document, "Errata").values():
        assert row["here"][0] > 0.1 and row["here"][1] < 1e-14, row
    lines = table(document, "The transform")
    assert [lines[what]["here"][1] for what in lines if what.startswith("all")] == [64, 128], lines
    angles = list(table(document, "Sine and cosine").values())
    assert angles[0]["here"][0] > 2 * angles[1]["here"][0] and angles[1]["here"][1] < 1, angles


def test_report_wrong(folder):
    """A cosine that is wrong is found, before anything is timed with it; the others are timed, and the document is there."""
    require_wrong()
    done = subprocess.run([WEFT, "reproduce", "report", "--quick", "--json", "d.json"], capture_output=True, text=True, cwd=folder,
                          env=disturbing("cosine"), check=False)
    assert done.returncode == CHECK_FAILED, done
    assert re.fullmatch(r"weft: The report's program, 1 thread .*: relative L2 error .*\n", done.stderr), done.stderr
    assert "WRONG: relative L2 error" in done.stdout and "FAIL Weft: every error is within its gate" in done.stdout, done.stdout
    document = read(os.path.join(folder, "d.json"))
    timed = {one["strategy"] for one in document["results"] if one["samples_us"]}
    assert "cpu.fast" in timed and "cpu.report" not in timed, timed
    again = subprocess.run([WEFT, "reproduce", "--from", "d.json"], capture_output=True, text=True, cwd=folder, check=False)
    assert (again.returncode, again.stdout, again.stderr) == (CHECK_FAILED, done.stdout, done.stderr), again


# ---- the experiment ladder -----------------------------------------------------------------------


def is_near(a, b):
    return abs(a / b - 1) < 1e-6


def check_times(row):
    samples = row["samples_us"]
    assert 3 <= len(samples) <= 15 and min(samples) > 0, row
    assert is_near(row["median_us"], statistics.median(samples)), row


def test_ladder(_):
    """Every rung of ladder.def, in order, right and timed; what each gains, and what is lost without it."""
    document = part("ladder")
    assert (document["schema"], document["height"], document["width"]) == ("weft-ladder/1", 512, 512), document
    rows = [row for row in document["results"] if row["device"] == "cpu"]
    rungs, without, others = ([row for row in rows if row["kind"] == kind]
                              for kind in ("rung", "without", "strategy"))
    assert [row["name"] for row in rungs] == [name for _, name in RUNGS], rungs
    assert [row["file"] for row in rungs] == FILES, rungs
    assert [row["name"] for row in without] == WITHOUT, without
    assert {row["name"] for row in others} == {"cpu.fast", "copy"}, others
    if rungs[0]["reason"] is not None:
        raise Skip(rungs[0]["reason"])
    median = {(row["kind"], row["name"]): row["median_us"] for row in rungs + without}
    for row in rows:
        check_times(row)
        assert row["error"] is None and row["reason"] is None, row
        assert row["name"] == "copy" or \
            row["rel_l2"] <= row["gate_l2"] and row["max_rms"] <= row["gate_max"], row
    for before, row in zip([None, *rungs], rungs):
        name = row["name"]
        assert before is None or is_near(row["gain"], before["median_us"] / row["median_us"]), row
        assert is_near(row["total_gain"], rungs[0]["median_us"] / row["median_us"]), row
        assert is_near(row["lost"], median["without", name] / rungs[-1]["median_us"]) if name in WITHOUT \
            else row["lost"] is None, row
        assert re.search(rf"(?m)^ +{name} .*{re.escape(row['idea'])}$", everything()[0]), row


def test_ladder_of_one_device(folder):
    """Rows of that device alone, and no claim of the other, not even one that fails."""
    device, other = ("gpu", "CPU") if has_gpu() else ("cpu", "GPU")
    weft("reproduce", "ladder", "--quick", "--device", device, "--json", "d.json", cwd=folder)
    document = read(os.path.join(folder, "d.json"))
    assert {row["device"] for row in document["results"]} == {device}, document["results"]
    assert {claim["passed"] for claim in document["claims"] if other in claim["name"]} == {None}, document["claims"]


def test_ladder_wrong(folder):
    """A wrong rung is not timed, the others are, and the exit code is 1."""
    require_wrong()
    done = subprocess.run([WRONG, "reproduce", "ladder", "--quick", "--json", "d.json"], cwd=folder,
                          capture_output=True, text=True, timeout=300, check=False)
    rows = read(os.path.join(folder, "d.json"))["results"]
    if rows[0]["reason"] is not None:
        raise Skip(rows[0]["reason"])
    assert done.returncode == CHECK_FAILED and "cpu tables: relative L2 error " in done.stderr, done
    wrong, = [row for row in rows if row["error"] is not None]
    assert (wrong["kind"], wrong["name"], wrong["samples_us"]) == ("rung", "tables", []), wrong
    assert wrong["gain"] is None and "FAILED: relative L2 error " in done.stdout, done.stdout
    assert all(row["samples_us"] for row in rows if row is not wrong and row["reason"] is None), rows


# ---- the experiment weft -------------------------------------------------------------------------


def test_weft(_):
    """Tables with aims, raw samples of what was timed, and a line for each claim; those that do not depend on times hold."""
    document = part("weft")
    assert (document["schema"], document["effort"], document["samples"]) == ("weft-weft/1", "quick", 5), document
    require("machine", MACHINE, document["machine"])
    assert len(document["claims"]) == 12, document["claims"]
    assert all(one["passed"] for one in document["claims"] if re.match("accuracy: every|bits: .* threads", one["name"]))
    assert all((one["passed"] is None) != has_gpu() for one in document["claims"] if one["name"].startswith("bits: the same on a GPU"))
    assert has_gpu() or all(one["passed"] is None for one in document["claims"] if one["name"].startswith("GPU: ")), document
    pictures = table(document, "CPU, sizes of pictures")
    for size, row in pictures.items():
        one, two, cores = row["here"][0], row["here"][1], document["machine"]["cores"]
        least = {record["threads"]: min(record["samples_us"]) for record in document["results"] if record["precision"] == "f32" and
                 (record["strategy"], record["cache"], f"{record['height']}x{record['width']}") == ("cpu.fast", "hot", size)}
        assert abs(1e3 * one / least[1] - 1) < 1e-9 and (cores == 1) == (two is None), (row, least)
        assert cores == 1 or abs(row["here"][2] - least[2] / least[1]) < 1e-9, (row, least)
        assert row["aim"][2] == "0.65" and row["error"] is None, row
    for size, row in table(document, "Roofline, CPU").items():
        height, width = (int(side) for side in size.split()[-1].split("x"))
        number = 8 if size.startswith("f64") else 4
        assert abs(row["here"][3] - 2.5 * math.log2(height * width) / (2 * number)) < 1e-3, row
        assert abs(row["here"][0] - 2 * number * height * width * 1e-6) < 1e-3 * row["here"][0], row


def test_weft_errors(_):
    """Every error stands below its limit, in every table of errors; and in those that were verified only nothing was timed."""
    document = part("weft")
    for precision, unit in (("f32", 2.0 ** -24), ("f64", 2.0 ** -53)):
        for kind in ("relative L2 error", "largest error over RMS"):
            rows = table(document, f"Accuracy, {precision}, {kind}")
            limits = rows.pop("limit")["here"]
            assert {"cpu.fast", "cpu.reference", "cpu.report"} <= set(rows), rows
            for row in rows.values():
                assert all(found is None or 0 < found <= limit for found, limit in zip(row["here"], limits)), (row, limits)
            assert rows["cpu.fast"]["here"] == rows["cpu.reference"]["here"], rows
            if kind == "relative L2 error":
                assert abs(limits[0] / (4 * unit) - 1) < 1e-9, limits # u sqrt(log2(256 * 256))
    bits = table(document, "Bits")
    assert all(found in (0, None) for row in bits.values() for found in row["here"]), bits
    assert any(row["here"][:4] == [0, 0, 0, 0] for row in bits.values()) and all(row["aim"][k] == "0" for row in bits.values()
               for k, found in enumerate(row["here"]) if found is not None), bits


def test_weft_sizes(_):
    """The sizes that are compared with a peer are every fifth of the sweep."""
    with open(SWEEP, encoding="utf-8") as file:
        lines = [line.strip() for line in file if line[0].isdigit()]
    with open(SIZES, encoding="utf-8") as file:
        sizes = ["x".join(size) for size in re.findall(r"(?m)^SWEEP_SIZE\((\d+), (\d+)\)$", file.read())]
    assert sizes == lines[2::5], sizes


def test_weft_wrong(folder):
    """A cosine that is wrong and a bit that is another one are found; the rest is measured, and the document is there."""
    require_wrong()
    done = subprocess.run([WRONG, "reproduce", "weft", "--quick", "--json", "d.json"], capture_output=True, text=True, cwd=folder,
                          env=disturbing("cosine"), check=False)
    said = done.stderr.partition("\n")[2] if "seconds" in done.stderr.partition("\n")[0] else done.stderr
    assert done.returncode == CHECK_FAILED, done
    assert re.fullmatch(r"weft: .*: relative L2 error .*\n", said), said
    assert len(re.findall(r"(?m)^  cpu\.report .* WRONG: (?:f64 )?256x256: relative L2 error", done.stdout)) == 2, done.stdout
    assert re.search(r"(?m)^  cpu\.fast, \w+ .* WRONG: 1 numbers? ha(s|ve) other bits$", done.stdout), done.stdout
    assert "\nFAIL accuracy: every error " in done.stdout and "\nFAIL bits: the same on 1, 2" in done.stdout, done.stdout
    again = subprocess.run([WEFT, "reproduce", "--from", "d.json"], capture_output=True, text=True, cwd=folder, check=False)
    assert (again.returncode, again.stdout, again.stderr) == (CHECK_FAILED, done.stdout, said), again


# ---- the experiments fractal and dx11 ------------------------------------------------------------


def test_fractal(folder):
    """Every cell has the seed's value or none; what was not found has a reason; the known values of the seed stand. Names
    of files may be long, and no text at all."""
    if SANITIZED:
        raise Skip("sanitizers have seen it without the plain search, with all experiments")
    names = {"ж" * 40 + ".y4m": "ж" * 31, os.fsdecode(b"\xff\x1b[2J.y4m"): "??[2J.y4m"}
    for seed, name in enumerate(names):
        weft("scene", "16x24", "--sequence", "pan", "--frames", 3, "--seed", seed, "-o", name, cwd=folder)
    printed = weft("reproduce", "fractal", "--quick", "--json", "d.json", *(f"--video={name}" for name in names), cwd=folder)
    document = read(os.path.join(folder, "d.json"))
    assert document["schema"] == "weft-fractal/1"
    require("machine", MACHINE, document["machine"])
    tables = {table["name"]: table for table in document["tables"]}
    assert {"Fig. 5", *(f"Table {number}" for number in "I II III IV V VI VII".split())} <= set(tables), list(tables)
    for table in tables.values():
        for row in table["rows"]:
            assert len(row["seed"]) == len(row["here"]) == len(table["columns"]), row
            assert (row["reason"] is None) == any(value is not None for value in row["here"]), row
    assert [row["what"] for row in tables["Table IV"]["rows"]][-2:] == list(names.values()), tables["Table IV"]
    assert all(f"\n  {name} " in printed for name in names.values()), printed
    for name in ("Table IV", "Table V"):
        assert all(row["terms"] > 0 for row in tables[name]["rows"]), name
    full, video = tables["Table V"]["rows"][:2]
    assert full["terms"] > video["terms"] and video["seed"] == ["1600", "0", "0.6"], (full, video)
    # What is printed is of the samples, which are all there.
    milliseconds = [min(1e3 * one[what] / one["frames"] for one in full["samples"]) for what in ("search_seconds", "seconds")]
    assert len(full["samples"]) == 1 and len(video["samples"]) == 5, (full, video)
    assert math.isclose(full["here"][0], milliseconds[0]) and math.isclose(full["here"][2], 1e3 / milliseconds[1]), full
    *sizes, first = tables["The search fft"]["rows"]
    assert all({one["search"] for one in row["samples"]} == {"seq", "fft"} for row in sizes), sizes
    faster = [row["here"][0] for row in sizes if row["here"][3] < 1]
    assert (first["reason"] is not None) == (first["here"][0] is None) and first["here"][0] in (None, *faster), (first, sizes)
    ways = [row["here"] for row in tables["Fig. 5"]["rows"]]
    assert all(abs(way[4] - ways[0][4]) < 0.01 and way[6] <= 1 for way in ways), ways
    assert abs(tables["The rate"]["rows"][0]["here"][3] - 25) < 0.1, tables["The rate"]


def test_fractal_without_seq(_):
    """The row of seq keeps the seed's values and says why it has no others; nobody else uses that search."""
    tables = {table["name"]: table for table in part("fractal")["tables"]}
    seq, *others = tables["Table V"]["rows"]
    assert seq["reason"] == "left out: --no-seq" and seq["seed"] == ["1600", "0", "0.6"] and not seq["samples"], seq
    assert all(row["reason"] is None for row in others) and "The search fft" not in tables, others


def test_fractal_of_one_picture(folder):
    """There is no other picture's codebook: no number, and the claim is skipped."""
    picture = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../data/images/camera.png")
    printed = weft("reproduce", "fractal", "--quick", "--no-seq", "--image", picture, "--json", "d.json", cwd=folder)
    claims = {claim["name"]: claim["passed"] for claim in read(os.path.join(folder, "d.json"))["claims"]}
    assert claims["seed: with the codebook of another picture at most 1 dB is lost in the mean"] is None, claims
    assert "nan" not in printed, printed


def test_fractal_refuses(folder):
    sample_png(folder)
    complaint = weft("reproduce", "fractal", "--quick", "--image", "in.png", "--json", "d.json", cwd=folder,
                     expect=BAD_INPUT, said=True)
    assert "in.png: 8x8 is smaller than 144x176" in complaint, complaint
    weft("reproduce", "fractal", "--quick", "--video", "none.y4m", "--json", "d.json", cwd=folder, expect=FILE)
    weft("reproduce", "fractal", "--quick", "--video", "in.png", "--json", "d.json", cwd=folder, expect=BAD_INPUT)
    assert os.listdir(folder) == ["in.png"], os.listdir(folder)


def test_dx11(folder):
    if not has_gpu():
        raise Skip("there is no GPU")
    weft("reproduce", "dx11", "--quick", "--json", "d.json", cwd=folder)
    document = read(os.path.join(folder, "d.json"))
    assert document["schema"] == "weft-dx11/1" and document["claims"]
    require("machine", MACHINE, document["machine"])
    assert all(row["error"] is None and row["reason"] is None for row in document["rows"])
    for row in document["rows"]:
        if row["layout"]:
            assert row["counted_read"] == row["bytes_read"] and row["counted_written"] == row["bytes_written"]


# ---- what it refuses -----------------------------------------------------------------------------


def test_usage(folder):
    text = " ".join(weft("reproduce", "--help").split())
    assert "dx11" in text and "Needs an NVIDIA GPU; without one the exit code is 6." in text and "fractal" in text
    for arguments, words in [([], "no experiment"), (["dx12"], "'dx12'; there are report, dx11, fractal, ladder, weft, all"), (["dx11", "dx11"], "one experiment"),
                             (["all", "dx11"], "one experiment"), (["all", "--image", "a.png"], "all: at most 0 of --image"),
                             (["dx11", "--quick", "--full"], "only one"),
                             (["dx11", "--video", "a.y4m"], "dx11: at most 1 of --image and 0 of --video"),
                             (["dx11", "--no-seq"], "dx11: no option --no-seq"),
                             (["report", "--device", "cpu"], "report: no option --device"),
                             (["ladder", "--device", "tpu"], "--device tpu: must be one of cpu, gpu"),
                             (["fractal", *4 * ["--video", "a.y4m"]], "more than 3"),
                             (["dx11", "--max-pixels", "0"], "--max-pixels 0: must be a whole number"),
                             (["dx11", "--max-pixels", "5"], "--max-pixels 5: is for --image, and there is none")]:
        complaint = weft("reproduce", *arguments, cwd=folder, expect=USAGE, said=True)
        assert words in complaint, complaint


def test_bad_files(folder):
    """Refused before a GPU is looked for; no document is begun."""
    with open(os.path.join(folder, "bad.png"), "w", encoding="utf-8") as file:
        file.write("no picture")
    weft("reproduce", "dx11", "--image", "bad.png", "--json", "d.json", cwd=folder, expect=BAD_INPUT)
    weft("reproduce", "dx11", "--image", "none.png", "--json", "d.json", cwd=folder, expect=FILE)
    weft("reproduce", "dx11", "--json", "no/such/folder/d.json", cwd=folder, expect=FILE)
    sample_png(folder)
    complaint = weft("reproduce", "dx11", "--image", "in.png", "--max-pixels", "63", "--json", "d.json", cwd=folder,
                     expect=BAD_INPUT, said=True)
    assert "in.png: 8x8 is 64 pixels; --max-pixels is 63" in complaint, complaint
    assert sorted(os.listdir(folder)) == ["bad.png", "in.png"], os.listdir(folder)


def test_without_gpu(folder):
    if has_gpu():
        raise Skip("there is a GPU")
    complaint = weft("reproduce", "dx11", "--quick", "--json", "d.json", cwd=folder, expect=GPU, said=True)
    assert re.fullmatch(r"weft: dx11 needs an NVIDIA GPU: [^:;]+; measured results are in docs/dx11\.md",
                        complaint), complaint
    complaint = weft("reproduce", "ladder", "--quick", "--device", "gpu", cwd=folder, expect=GPU, said=True)
    assert complaint.startswith("weft: ladder needs an NVIDIA GPU: "), complaint
    assert not os.listdir(folder), os.listdir(folder)


# ---- all of them, and from documents -------------------------------------------------------------


def test_all(folder):
    """Each prints its part; who cannot run says why; the document has them all and is printed as they were."""
    printed, document = everything()
    path = save(folder, document)
    assert document["schema"] == "weft-reproduce/1"
    require("machine", MACHINE, document["machine"])
    parts = {one["name"]: one for one in document["experiments"]}
    names = re.findall(r"^  (\w+) ", weft("reproduce", "--help").partition("\nExperiments:\n")[2].partition("\n\n")[0], re.M)
    assert [*parts, "all"] == names and {"report", "dx11", "fractal", "ladder", "weft"} <= set(parts), (names, parts)
    for name, one in parts.items():
        assert (one["document"] is None) != (one["reason"] is None), one
        begin = f"SKIP {name}: {one['reason']}\n" if one["reason"] else f"weft reproduce {name}: "
        assert f"\n{begin}" in f"\n{printed}", begin
        if one["document"]:
            assert claim_lines(one["document"]) and all(f"\n{line}\n" in printed for line in claim_lines(one["document"])), name
    if not has_gpu():
        assert parts["dx11"]["reason"].startswith("needs an NVIDIA GPU: "), parts["dx11"]
    assert weft("reproduce", "--from", path) == printed.partition("\n")[2], "what is said of the time is not printed"


def test_from_report(folder):
    path = save(folder, part("report"))
    printed = weft("reproduce", "--from", path)
    assert printed in everything()[0]
    with open(path, "rb") as file:
        assert weft("reproduce", "--from", "-", stdin=file) == printed
    assert weft("reproduce", "--from", path, path) == weft("reproduce", f"--from={path}", "--from", path) == f"{printed}\n{printed}"


def test_from_committed(_):
    """Documents of other machines and earlier versions: what they say is what is printed, here without a GPU, too."""
    paths = [path for kind in ("dx11", "fractal", "report", "ladder", "weft") for path in glob.glob(f"{RESULTS}/*-{kind}.json")]
    assert any("dx11" in path for path in paths) and any("fractal" in path for path in paths), paths
    for path in paths:
        document, printed = read(path), weft("reproduce", "--from", path)
        assert f"commit {document['machine']['commit']}," in printed and printed.startswith("weft reproduce "), printed
        assert all(f"\n{line}\n" in f"{printed}\n" for line in claim_lines({"claims": [], **document})), path
        for row in document.get("rows", []):
            assert row["median_us" if "median_us" in row else "graph"] and row["technique"] in printed, row
        for each in document.get("tables", []):
            assert f"\n{each['name']}: {each['about']}\n" in printed, each["name"]
            assert all(f"\n  {row['what']} " in printed for row in each["rows"]), each["name"]


def test_from_refused(folder):
    """In one line that says why, and nothing is printed."""
    document = part("report")
    whole = json.dumps(document)
    for text, words in (("", "empty file"), ("no JSON", "no JSON document: line 1"), (whole[:len(whole) // 2], "no JSON document"),
                        ("[]", "no JSON object"), ("{}", "damaged: Object item not found: schema"), ('{"schema": 1}', "damaged"),
                        (whole + "x", "no JSON document: line 1: end of file expected"), ('{"schema": "a", "schema": "b"}', "duplicate"),
                        (json.dumps({**document, "schema": "weft-bench/1"}), 'schema is "weft-bench/1", no experiment\'s'),
                        (json.dumps({**document, "schema": "weft-report/2"}), "schema is weft-report/2, this weft reads weft-report/1"),
                        (json.dumps({"schema": "weft-reproduce/9"}), "this weft reads weft-reproduce/1"),
                        (json.dumps({**document, "tables": {}}), "damaged: tables is no list"),
                        (json.dumps({**document, "machine": None}), "damaged"),
                        (json.dumps({"schema": "weft-reproduce/1", "experiments": [{"name": "a", "reason": None, "document": None}]}),
                         "damaged: Expected string, got null"),
                        (json.dumps({**document, "note": "\x1b[31m"}), "of printable texts")):
        with open(os.path.join(folder, "d.json"), "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([WEFT, "reproduce", "--from", "d.json"], capture_output=True, text=True, cwd=folder, check=False)
        assert done.returncode == BAD_INPUT and done.stdout == "", (text[:80], done)
        assert re.fullmatch(rf"weft: d\.json: .*{re.escape(words)}.*\n", done.stderr), (words, done.stderr)
    assert "none.json: No such file" in weft("reproduce", "--from", "none.json", cwd=folder, expect=FILE, said=True)
    for arguments, words in ((["--from", "a", "--quick"], "nothing is measured"), (["report", "--from", "a"], "nothing is measured"),
                             (["--from", "a", "--json", "b.json"], "nothing is measured"), (["a", "--from", "b"], "unknown experiment"),
                             (["--from", *["a"] * 65], "more than 64"), (["--from", ""], "no file name")):
        assert words in weft("reproduce", *arguments, cwd=folder, expect=USAGE, said=True), arguments


def nodes(value, path=()):
    """Every place in a document, as the keys that lead there."""
    yield path
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from nodes(each, (*path, key))


def damaged(document):
    """The document with one of its places missing or something else, each in its turn."""
    for path in list(nodes(document))[1:]:
        for wrong in (None, True, "", "x", "9" * 5000, 0, -1, 2**62, -1.5e308, [], {}, [[]], [None] * 40, "missing"):
            changed = copy.deepcopy(document)
            at = functools.reduce(lambda where, key: where[key], path[:-1], changed)
            if wrong == "missing":
                del at[path[-1]]
            else:
                at[path[-1]] = wrong
            yield path, changed


def little(schema):
    """A document of this schema with one or two of each; of weft, whose tables and claims are read as the report's are, none."""
    if schema == "weft":
        document = {**part(schema), "tables": [], "claims": []}
    elif schema == "report":
        document = copy.deepcopy(part(schema))
    else:
        document = read(sorted(glob.glob(f"{RESULTS}/*-{schema}.json"))[0])
    for rows in [document.get("rows", []), document.get("claims", []), document.get("tables", [])]:
        del rows[2:]
    for each in document.get("tables", []):
        del each["rows"][1:]
    for one in [*document.get("rows", []), *(row for each in document.get("tables", []) for row in each["rows"])]:
        one.pop("samples", None)
    results = document["results"][:2] if schema == "ladder" else []
    for row in results:
        del row["samples_us"][1:]
    machine = {"cpu": "a CPU", "cores": 2, "gpu": None, "compiler": "a compiler", "commit": "0", "date": "today"}
    return {**document, "results": results, "skipped": [], "machine": machine}


def check_damaged(folder, schema):
    def check(numbered):
        number, (path, document) = numbered
        name = save(folder, document, f"{number}.json")
        done = subprocess.run([WEFT, "reproduce", "--from", name], capture_output=True, timeout=60, check=False)
        os.remove(name)
        right = done.returncode in (0, CHECK_FAILED, BAD_INPUT) and done.stderr.count(b"\n") == (done.returncode != 0)
        if not right or (done.returncode == BAD_INPUT) != (done.stdout == b""):
            return f"{path}: exit {done.returncode}: {done.stderr!r}"
        return None

    if THREAD_SANITIZER:
        raise Skip("one thread reads a document")
    document = little(schema)
    weft("reproduce", "--from", save(folder, document))
    every = list(enumerate(damaged(document)))[::13 if SANITIZED else 1]  # another way of each place, in turn
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [each for each in pool.map(check, every) if each]
    assert not wrong, f"{len(wrong)} wrong: {wrong[:5]}"


def test_damaged_report(folder):
    check_damaged(folder, "report")


def test_damaged_dx11(folder):
    check_damaged(folder, "dx11")


def test_damaged_fractal(folder):
    check_damaged(folder, "fractal")


def test_damaged_ladder(folder):
    check_damaged(folder, "ladder")


def test_damaged_weft(folder):
    check_damaged(folder, "weft")


if __name__ == "__main__":
    sys.exit(main(globals()))
