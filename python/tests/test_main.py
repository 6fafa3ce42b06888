# SPDX-License-Identifier: MIT
"""python -m weft: its three commands."""
import json
import os
import subprocess
import sys

import numpy
import pytest
import weft
from weft import __main__ as program


def test_info(capsys):
    assert program.main(["info"]) == 0
    said = capsys.readouterr().out
    assert "version: " in said and "cpu.fast: " in said and "cached plans: " in said


def test_bench(capsys, monkeypatch, tmp_path):
    """All tasks of all peers that are here, in the document, behind a link; the face was answered by Weft."""
    monkeypatch.setenv("WEFT_COMMIT", "abc1234")
    (tmp_path / "link.json").symlink_to(tmp_path / "file.json")
    before = weft.served().get("scipy_fft.rfft2", 0)
    assert program.main(["bench", "--quick", "--json", str(tmp_path / "link.json")]) == 0
    said = capsys.readouterr()
    document = json.loads((tmp_path / "file.json").read_text())
    assert sorted(os.listdir(tmp_path)) == ["file.json", "link.json"] and said.err == ""
    assert "16x16 forward" in said.out and "30x45 with 5x5 convolve" in said.out
    assert document["schema"] == "weft-python-bench/1" and document["machine"]["commit"] == "abc1234"
    assert document["machine"]["compiler"].split()[0] in ("gcc", "clang") and document["machine"]["cores"] >= 1
    skipped = {one["peer"] for one in document["skipped"]}
    assert skipped <= {"scipy", "weft.scipy_backend", "ducc0"} and all(one["why"] for one in document["skipped"])
    assert {"weft", "python", "numpy", "scipy", "ducc0"} - skipped == document["versions"].keys()
    peers = {"weft", "weft.scipy_backend", "scipy", "ducc0", "numpy"} - skipped
    found = [(one["operation"], one["height"], one["peer"]) for one in document["results"]]
    assert len(found) == len(set(found)) and set(found) == {
        *((operation, height, peer) for operation in ("forward", "inverse") for height in (16, 30) for peer in peers),
        *(("convolve", 30, peer) for peer in peers - {"ducc0", "numpy"}), ("forward", 16, "cpu.fast")}
    for one in document["results"]:
        assert one["threads"] == 1 and one["precision"] == "f32" and one["batch"] == (8 if one["peer"] == "cpu.fast" else 1)
        assert len(one["samples_us"]) >= 3 and min(one["samples_us"]) > 0 and 0 <= one["rel_l2"] < 1e-6
    assert "scipy" in skipped or weft.served()["scipy_fft.rfft2"] > before


def test_bench_of_little(capsys, monkeypatch):
    """What is not installed is left out, and named; a terminal is told what is being timed, and a pipe takes the document,
    which is short enough for one."""
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "ducc0", None)
    for name in [name for name in sys.modules if name.startswith(("scipy.", "ducc0."))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    read, write = os.pipe()
    assert program.main(["bench", "--quick", "--json", f"/dev/fd/{write}"]) == 0
    os.close(write)
    said = capsys.readouterr()
    assert "SKIP scipy: " in said.out and "\rbench: 5/5, 30x45 with 5x5 convolve\033[K" in said.err
    with open(read, encoding="utf-8") as pipe:
        document = json.load(pipe)
    assert [one["peer"] for one in document["skipped"]] == ["weft.scipy_backend", "scipy", "ducc0"]
    assert {one["peer"] for one in document["results"]} == {"weft", "numpy", "cpu.fast"}


def test_bench_without_a_document(capsys, monkeypatch, tmp_path):
    """Where it cannot be written, where a peer is wrong, and where somebody interrupts it, nothing is left."""
    for path in (tmp_path, tmp_path / "none" / "a.json"):
        with pytest.raises(SystemExit) as ended:
            program.main(["bench", "--json", str(path)])
        assert ended.value.code == 2 and "must be a file in a folder that exists" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="/dev/full': No space left on device; nothing was written"):
        program.main(["bench", "--quick", "--json", "/dev/full"])
    path = str(tmp_path / "a.json")
    monkeypatch.setattr(weft, "rfft2", lambda x: 1.01 * numpy.fft.rfft2(x))
    with pytest.raises(SystemExit, match="16x16 forward by weft.rfft2 of weft: relative L2 error 0.01, more than 1.9e-06"):
        program.main(["bench", "--quick", "--json", path])

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(weft, "rfft2", interrupt)
    assert program.main(["bench", "--quick", "--json", path]) == 130
    assert "interrupted; nothing was written" in capsys.readouterr().err and os.listdir(tmp_path) == []


def test_test():
    done = subprocess.run([sys.executable, "-m", "weft", "test"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.endswith(" passed, 0 failed\n"), done.stdout


def test_anything_else():
    with pytest.raises(SystemExit):
        program.main(["what"])
