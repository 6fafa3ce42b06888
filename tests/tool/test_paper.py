#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The numbers of the paper and of the page: test_paper.py ROOT. Writes both without LaTeX, finds every number that they
mark again in the documents of data/results, and looks for numbers that somebody typed: in tables anything that is
no part of a label, in the text whatever has a decimal point or a unit. Prints PASS / FAIL lines."""
import glob
import html
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = sys.argv[1]
MARKS = {
    "paper.tex": re.compile(r"\\measured\{(\d+)\}\{((?:[^{}]|\{\})*)\}"),
    "page.html": re.compile(r'<data value="(\d+)"[^>]*>([^<]*)</data>'),
}
GIVEN = {"paper.tex": re.compile(r"\\given\{[^{}]*\}"), "page.html": re.compile(r'<span class="given">[^<]*</span>')}
TABLES = {
    "paper.tex": re.compile(r"(?s)\\begin\{tabular\}\{[^\n]*\}\n(.*?)\\end\{tabular\}"),
    "page.html": re.compile(r"(?s)<table>(.*?)</table>"),
}
# What is no text to read: pictures are drawn from documents by themselves.
UNREAD = {
    "paper.tex": re.compile(r"(?m)(?s:^.*?\\begin\{document\})|%.*$|\\(?:includegraphics|setlength)[^\n]*"),
    "page.html": re.compile(r"(?s)<!--.*?-->|<head>.*?</head>|<svg.*?</svg>|<[^>]*>"),
}
BY = r"(?:x|×|\\by(?:\{\})?)"
# Numbers that a label may have: sizes, how many images, threads, precisions, GPUs, versions of schemas, references.
LABEL = re.compile(
    rf"\d+{BY}\d+(?:{BY}\d+)?|\d+ (?:images|threads?|cores)\b|\bf(?:32|64)\b|\bu(?:8|16)\b|\bH[12]00\b"
    rf"|\w+/1\b|\\_\d+|sweep-300|1,2,16|\\ref\{{[^}}]*\}}|\b[LD][12]\b|up to 13\b"
)
TYPED = re.compile(
    r"\d+\.\d|\d(?:\\,|~|\s|\N{NO-BREAK SPACE})*(?:us|µs|\\textmu|ms|s|ns|dB|%|\\%|[KMGT]i?B|GHz|times\b)(?![a-z])"
)
UNITS = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "": 1, "dB": 1}
failed = 0


def verdict(name, wrong):
    global failed
    failed |= bool(wrong)
    for one in wrong[:20]:
        print(f"  {one}")
    print(f"{'FAIL' if wrong else 'PASS'} {name}")


# ---- numbers that have a mark --------------------------------------------------------------------------------------


def document(name, read={}):
    if name not in read:
        with open(os.path.join(ROOT, "data", "results", name), encoding="utf-8") as file:
            read[name] = json.load(file)
    return read[name]


def at(place):
    found = document(place[0])
    for key in place[1:]:
        found = found[key]
    return found


def in_seconds(place):
    """The value, of times in seconds."""
    keys = [key for key in place if isinstance(key, str)]
    return at(place) * (1e-6 if keys[-1].endswith("_us") else 1)


def ratios(values):
    return [one / other for one, other in zip(values[::2], values[1::2])]


def thirds(places, values):
    """Of samples of two lists: the lists."""
    lists = {}
    for place, value in zip(places, values):
        lists.setdefault(str(place[:-1]), []).append(value)
    return list(lists.values())


KINDS = {
    "value": lambda v, _: v[0],
    "ratio": lambda v, _: v[0] / v[1],
    "over sum": lambda v, _: v[0] / sum(v[1:]),
    "sum": lambda v, _: sum(v),
    "least": lambda v, _: min(v),
    "billions": lambda v, _: v[0] / 1e9,
    "sum a pixel": lambda v, _: sum(v[:-2]) / (v[-2] * v[-1]),
    "ratio of least": lambda v, places: min(thirds(places, v)[0]) / min(thirds(places, v)[-1]),
    "least of ratios": lambda v, _: min(ratios(v)),
    "largest of ratios": lambda v, _: max(ratios(v)),
    "geometric mean of ratios": lambda v, _: statistics.geometric_mean(ratios(v)),
    "ratios above 1": lambda v, _: sum(one > 1 for one in ratios(v)),
    "ratios": lambda v, _: len(v) // 2,
}


def words_are_there(number, values):
    """Names, versions and dates: every word stands in the documents."""
    there = " ".join(str(value) for value in values)
    return all(word.strip(",") in there or word == "cores" for word in number["text"].split())


def is_right(number):
    """Whether the digits that are shown are those of the documents, to the last one."""
    if number["kind"] in ("words", "name", "place", "date"):
        return words_are_there(number, [at(place) for place in number["sources"]])
    shown = re.fullmatch(r"(-?[\d ]+(?:\.(\d+))?(?:e-(\d+))?) ?(us|ms|s|dB)?", number["text"])
    if not shown or number["kind"] not in KINDS:
        return False
    unit = UNITS[shown[4] or ""]
    value = KINDS[number["kind"]]([in_seconds(place) for place in number["sources"]], number["sources"]) / unit
    last_digit = 10.0 ** -(len(shown[2] or "") + int(shown[3] or 0))
    return math.isfinite(value) and abs(float(shown[1].replace(" ", "")) - value) <= 0.5001 * last_digit


def same_digits(written, number):
    """Signs that stand for letters count as these."""
    bare = re.sub(r"\\by\{\}|×", "x", html.unescape(written).replace(r"\textmu", "u").replace("µ", "u"))
    return re.sub(r"[^\w.]", "", bare) == re.sub(r"[^\w.]", "", number["text"])


def of_marks(name, text, numbers):
    marks = MARKS[name].findall(text)
    wrong = [
        f"{number['text']} is not what {number['sources'][0]} says ({number['kind']})"
        for number in numbers
        if not is_right(number)
    ]
    wrong += [
        f"{written} is marked as {numbers[int(index)]['text']}"
        for index, written in marks
        if not same_digits(written, numbers[int(index)])
    ]
    if [int(index) for index, _ in marks] != list(range(len(numbers))):
        wrong.append(f"{len(marks)} marks for {len(numbers)} numbers")
    return wrong


# ---- numbers that have none ----------------------------------------------------------------------------------------


def typed_in_tables(name, text):
    found = []
    for table in TABLES[name].findall(GIVEN[name].sub("", MARKS[name].sub("", text))):
        rest = LABEL.sub("", table.replace(r" \\{} ", " "))
        rest = re.sub(r"<[^>]*>", " ", rest) if name == "page.html" else re.sub(r"\\[a-z]+(\[\w\])?", " ", rest)
        found += [f"typed in a table: {line.strip()}" for line in rest.split("\n") if re.search(r"\d", line)]
    return found


def typed_in_text(name, text):
    rest = GIVEN[name].sub("", MARKS[name].sub("", text))
    rest = UNREAD[name].sub("", rest)
    rest = TABLES[name].sub("", rest)
    rest = re.sub(r"\\ref\{[^}]*\}|\\cite\{[^}]*\}", "", rest)
    return [f"typed: ..{rest[max(0, found.start() - 30):found.end() + 10]!r}" for found in TYPED.finditer(rest)]


def changed(text, old, new):
    if old not in text:
        sys.exit(f"test_paper.py: {old!r} is not in the text")
    return text.replace(old, new, 1)


def notices(name, text, numbers):
    """What is wrong with wrong texts: each must be found."""
    mark = MARKS[name].search(text)
    cell = next(found for found in MARKS[name].finditer(text) if TABLES[name].search(text).start() < found.start())
    wrong = []
    if not of_marks(name, changed(text, mark[0], mark[0].replace(mark[2], "7.77")), numbers):
        wrong.append("a changed number is not noticed")
    if not typed_in_tables(name, changed(text, cell[0], cell[2])):
        wrong.append("a number without a mark in a table is not noticed")
    end = "\\section{Related work}" if name == "paper.tex" else '<h2 id="why">'
    for words in ("It takes 0.97 of it. ", "It takes 12 ms. "):
        if not typed_in_text(name, changed(text, end, words + end)):
            wrong.append(f"not noticed: {words}")
    if is_right({**numbers[-1], "text": "1" + numbers[-1]["text"]}):
        wrong.append("a number that no document has is not noticed")
    return wrong


# ---- parts that are there only with their documents -----------------------------------------------------------------

LADDER = {
    "schema": "weft-ladder/1",
    "height": 2048,
    "width": 2048,
    "results": [
        {"device": device, "kind": kind, "name": name, "idea": "an idea", "threads": 0, "error": None, "median_us": us}
        for device, kind, name, us in (
            ("cpu", "rung", "report", 1300000.0),
            ("cpu", "rung", "tables", 400000.0),
            ("cpu", "without", "tables", 900000.0),
            ("cpu", "rung", "butterflies", 120000.0),
            ("cpu", "rung", "packing", 60000.0),
            ("cpu", "strategy", "cpu.fast", 6000.0),
            ("cpu", "strategy", "copy", 200.0),
            ("gpu", "rung", "report", 20000.0),
            ("gpu", "rung", "shared_memory", 2000.0),
            ("gpu", "without", "shared_memory", 9000.0),
        )
    ],
}
REPORT = {
    "schema": "weft-report/1",
    "height": 2048,
    "width": 2048,
    "tables": [
        {
            "name": "The report's program",
            "rows": [
                {"what": "1 thread [Core i7-8700K]", "report": ["9.18", None], "here": [1.3, 1.0]},
                {"what": "GPU [GTX 1080 Ti]", "report": ["0.12", "76.5"], "here": [None, None]},
            ],
        }
    ],
    "claims": [{"name": "report: tangling halves the transforms", "passed": True, "text": "64 & 128"}],
}
AIMS = {"schema": "weft-weft/1", "claims": [{"name": "GPU: goals are reached", "passed": None, "text": "no GPU & no time"}]}
WRITE = """
import sys
sys.path.insert(0, sys.argv[1])
from results import load
load.RESULTS = sys.argv[2]
load.SCHEMAS += tuple(one for one in ("weft-ladder/1", "weft-report/1", "weft-weft/1") if one not in load.SCHEMAS)
from paper import write
write.write(sys.argv[3])
"""


def results_with(made_up, folder):
    """All documents of other schemas than those that were made up, and these, if there are any."""
    os.makedirs(folder)
    for name in os.listdir(os.path.join(ROOT, "data", "results")):
        if document(name)["schema"] not in (LADDER["schema"], REPORT["schema"], AIMS["schema"]):
            os.symlink(os.path.abspath(os.path.join(ROOT, "data", "results", name)), os.path.join(folder, name))
            machine = document(name)["machine"]
    for one in made_up:
        with open(os.path.join(folder, one["schema"].replace("/", "-") + ".json"), "w", encoding="utf-8") as file:
            json.dump({**one, "machine": {**machine, "gpu": "NVIDIA GPU" if one is LADDER else None}}, file)


def parts(name, made_up, folder):
    """What is wrong with the texts of such documents."""
    results_with(made_up, os.path.join(folder, name))
    done = subprocess.run(
        [sys.executable, "-B", "-c", WRITE, os.path.join(ROOT, "scripts"), os.path.join(folder, name), folder],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return [done.stderr]
    wrong = []
    for file_name in MARKS:
        with open(os.path.join(folder, file_name), encoding="utf-8") as file:
            text = file.read()
        wrong += typed_in_tables(file_name, text)
        if file_name == "paper.tex":
            labels, used = (set(re.findall(rf"\\{what}\{{([^}}]*)\}}", text)) for what in ("label", "ref"))
            wrong += [f"no place is called {one}" for one in used - labels]
            if bool(made_up) != ({"tab:ladder", "tab:report", "tab:aims"} <= labels):
                wrong.append(f"{len(made_up)} documents, and there is {sorted(labels)}")
    return wrong


# ---- claims that failed ----------------------------------------------------------------------------------------------

EXPLAINED = re.compile(r"(?m)^(?:\[\[if failed: (.*)\]\]|% explains: (.*))$")


def unexplained(failed_claims, text):
    """Those of which the paper does not say why."""
    explained = {one or other for one, other in EXPLAINED.findall(text)}
    return [f"paper/paper.tex does not explain why this failed: {name}" for name in sorted(failed_claims - explained)]


def unknown(text):
    """Explained claims that nothing judges, as one that has another name by now."""
    judged = ""
    for path in glob.glob(os.path.join(ROOT, "tool", "reproduce", "**", "*.c"), recursive=True):
        with open(path, encoding="utf-8") as file:
            judged += re.sub(r'"\s+"', "", file.read())
    explained = {one or other for one, other in EXPLAINED.findall(text)}
    return [f"paper/paper.tex explains what nobody judges: {name}" for name in sorted(explained) if f'"{name}"' not in judged]


def of_claims():
    failed_claims = {
        claim["name"]
        for name in os.listdir(os.path.join(ROOT, "data", "results"))
        for claim in document(name).get("claims", [])
        if claim["passed"] is False
    }
    with open(os.path.join(ROOT, "paper", "paper.tex"), encoding="utf-8") as file:
        text = file.read()
    verdict(f"paper.tex: {len(failed_claims)} claims that failed are explained", unexplained(failed_claims, text))
    wrong = [] if unexplained({"a claim of nobody"}, text) else ["one that is not explained is not noticed"]
    verdict("paper.tex: claims that are not explained are noticed", wrong)
    verdict("paper.tex: what is explained is judged", unknown(text))


def of_rungs():
    """A ladder is shown whole or not: the gain of a rung after one that was not timed would be that of two ideas."""
    sys.path.insert(0, os.path.join(ROOT, "scripts"))
    from paper import ladder  # pylint: disable=import-outside-toplevel

    partial = [{**row, "median_us": None if row["name"] == "butterflies" else row["median_us"]} for row in LADDER["results"]]
    found = [len(ladder.rungs({"results": results}, device)) for results in (LADDER["results"], partial) for device in ("cpu", "gpu")]
    verdict("a ladder without one of its rungs is not shown", [] if found == [4, 2, 0, 2] else [f"rungs: {found}"])


def of_names(folder):
    """Documents have names that LaTeX would read as commands, or that are longer than the space beside a bar; and who puts a
    pipe in place of one is told so: to read it would wait for ever."""
    from paper import ladder, write  # pylint: disable=import-outside-toplevel

    read = f"import sys; sys.path.insert(0, {os.path.abspath(os.path.join(ROOT, 'scripts'))!r}); from results import load; load.read('pipe.json')"
    os.mkfifo(os.path.join(folder, "pipe.json"))
    done = subprocess.run([sys.executable, "-B", "-c", read], cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    plain = write.Paper("paper.tex", type("Documents", (), {"kept": []}), {}).plain(r"a\b{c}$d~e^f_g%h&i#j 2x3")
    told = [ladder.first_clauses(name) for name in ("n" * 200, "one, two" + " and more" * 20, "short, too")]
    wrong = [] if done.returncode and "pipe.json: not a file" in done.stderr else [done.stderr]
    wrong += [] if plain == r"a\textbackslash{}b\{c\}\$d\textasciitilde{}e\textasciicircum{}f\_g\%h\&i\#j 2\by{}3" else [plain]
    wrong += [] if [told[0] == "n" * len(told[0]), *told[1:]] == [True, "one", "short, too"] else [told]
    verdict("names are escaped, cut, and those of pipes refused", wrong)


def main():
    of_claims()
    of_rungs()
    with tempfile.TemporaryDirectory() as folder:
        of_names(folder)
    with tempfile.TemporaryDirectory() as folder:
        verdict("without a ladder, the report and the aims", parts("none", [], folder))
        verdict("with a ladder, the report and the aims", parts("all", [LADDER, REPORT, AIMS], folder))
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-B", os.path.join(ROOT, "scripts", "draw-paper"), folder],
            capture_output=True,
            text=True,
            check=False,
        )
        verdict("paper is written", [done.stderr] if done.returncode else [])
        if done.returncode:
            return 1
        with open(os.path.join(folder, "numbers.json"), encoding="utf-8") as file:
            numbers = json.load(file)
        for name in MARKS:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            verdict(f"{name}: {len(numbers[name])} numbers are in data/results", of_marks(name, text, numbers[name]))
            verdict(f"{name}: none is typed in a table", typed_in_tables(name, text))
            verdict(f"{name}: none is typed in the text", typed_in_text(name, text))
            verdict(f"{name}: wrong ones are noticed", notices(name, text, numbers[name]))
            left = re.findall(r"\[\[[^\]]*\]\]", text)
            verdict(f"{name}: every place is filled", left)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
