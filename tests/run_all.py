#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs CTest and counts the single tests inside each program, from cmocka's lines and from lines
`PASS name`, `FAIL name: why`, `SKIP name: why`. Lists what failed and what was skipped and why; ends with
`N passed, N failed, N skipped`. Arguments: the build folder, then anything for ctest."""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

CMOCKA = re.compile(r"\[\s*(OK|FAILED|SKIPPED|ERROR)\s*\] (?!---)(.+)")
PLAIN = re.compile(r"(PASS|FAIL|SKIP) ([^:]+)(?:: (.*))?$")
VERDICTS = {"OK": "passed", "PASS": "passed", "FAILED": "failed", "FAIL": "failed", "ERROR": "failed",
            "SKIPPED": "skipped", "SKIP": "skipped"}


def run_ctest(build, arguments):
    """Every CTest entry as (name, whether it passed, its output)."""
    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "junit.xml")
        subprocess.run(["ctest", "--test-dir", build, "--output-junit", report,
                        "--test-output-size-passed", "100000000",
                        "--test-output-size-failed", "100000000", *arguments], check=False)
        if not os.path.exists(report):
            sys.exit("ctest wrote no report\n0 passed, 1 failed, 0 skipped")
        root = xml.etree.ElementTree.parse(report).getroot()
    return [(case.get("name"), case.get("status") == "run", case.findtext("system-out") or "")
            for case in root.iter("testcase") if case.get("status") != "disabled"]


def tests_in(output):
    """The single tests in a program's output: name -> (verdict, words). cmocka's closing list repeats
    names, which changes nothing; of plain lines with one name those that failed are kept."""
    found, reason, words = {}, "", []
    for line in output.splitlines():
        plain, cmocka = PLAIN.match(line), CMOCKA.match(line)
        if plain and found.get(plain[2], ("", ""))[0] != "failed":
            found[plain[2]] = (VERDICTS[plain[1]], plain[3] or "")
        elif line.startswith("SKIP: "):
            reason = line[6:]
        elif cmocka and not re.match(r"\d+ test\(s\)", cmocka[2]):
            name = cmocka[2].strip()
            known = found.get(name, ("", ""))[1]
            found[name] = (VERDICTS[cmocka[1]],
                           known or (reason if cmocka[1] == "SKIPPED" else " ".join(words)))
            words, reason = [], ""
        elif line.startswith("ERROR: "):
            words.append(line[7:])
    return found


def count(entries):
    """(verdict, 'entry: test', words) of every single test; an entry that tells of none is one itself."""
    for name, passed, output in entries:
        tests = tests_in(output)
        for test, (verdict, words) in tests.items():
            yield verdict, f"{name}: {test}", words
        if passed and not tests:
            yield "passed", name, ""
        if not passed and not any(verdict == "failed" for verdict, _ in tests.values()):
            last = (output.strip().splitlines() or ["no output"])[-1]
            yield "failed", name, f"the program failed: {last}"


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else "build"
    results = list(count(run_ctest(build, sys.argv[2:])))
    for verdict in ("skipped", "failed"):
        for kind, name, words in results:
            if kind == verdict:
                print(f"{verdict.upper()} {name}{': ' + words if words else ''}")
    totals = [sum(kind == verdict for kind, _, _ in results) for verdict in
              ("passed", "failed", "skipped")]
    print("%d passed, %d failed, %d skipped" % tuple(totals))
    return 1 if totals[1] or not results else 0


if __name__ == "__main__":
    sys.exit(main())
