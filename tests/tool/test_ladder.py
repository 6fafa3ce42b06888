#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""weft reproduce ladder: test_ladder.py PATH_OF_WEFT PATH_OF_WRONG_WEFT, in which a rung is wrong. It measures all of them,
but for those that are wrong. Prints PASS / FAIL / SKIP lines."""
import json
import os
import re
import statistics
import subprocess
import sys

from test_cli import CHECK_FAILED, Skip, main, weft
from test_rungs import FILES, RUNGS, WITHOUT

WRONG = os.path.abspath(sys.argv[2])


def is_near(a, b):
    return abs(a / b - 1) < 1e-6


def check_times(row):
    samples = row["samples_us"]
    assert 3 <= len(samples) <= 15 and min(samples) > 0, row
    assert is_near(row["median_us"], statistics.median(samples)), row


def test_experiment(folder):
    printed = weft("reproduce", "ladder", "--quick", "--json", "d.json", cwd=folder)
    with open(os.path.join(folder, "d.json"), encoding="utf-8") as file:
        document = json.load(file)
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
        assert re.search(rf"(?m)^ +{name} .*{re.escape(row['idea'])}$", printed), printed


def test_experiment_with_a_wrong_rung(folder):
    """It is not timed, the others are, and the exit code is 1."""
    done = subprocess.run([WRONG, "reproduce", "ladder", "--quick", "--json", "d.json"], cwd=folder,
                          capture_output=True, text=True, timeout=300, check=False)
    with open(os.path.join(folder, "d.json"), encoding="utf-8") as file:
        rows = json.load(file)["results"]
    if rows[0]["reason"] is not None:
        raise Skip(rows[0]["reason"])
    assert done.returncode == CHECK_FAILED and "cpu tables: relative L2 error " in done.stderr, done
    wrong, = [row for row in rows if row["error"] is not None]
    assert (wrong["kind"], wrong["name"], wrong["samples_us"]) == ("rung", "tables", []), wrong
    assert wrong["gain"] is None and "FAILED: relative L2 error " in done.stdout, done.stdout
    assert all(row["samples_us"] for row in rows if row is not wrong and row["reason"] is None), rows


if __name__ == "__main__":
    sys.exit(main(globals()))
