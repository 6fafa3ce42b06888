# SPDX-License-Identifier: MIT
"""python -m weft: its three commands."""
import subprocess
import sys

import pytest
from weft import __main__ as program


def test_info(capsys):
    assert program.main(["info"]) == 0
    said = capsys.readouterr().out
    assert "version: " in said and "cpu.fast: " in said and "cached plans: " in said


def test_bench(capsys, monkeypatch):
    monkeypatch.setattr(program, "SIDES", [16])
    assert program.main(["bench"]) == 0
    said = capsys.readouterr().out
    assert "numpy.fft" in said and "16x16" in said


def test_test():
    done = subprocess.run([sys.executable, "-m", "weft", "test"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.endswith(" passed, 0 failed\n"), done.stdout


def test_anything_else():
    with pytest.raises(SystemExit):
        program.main(["what"])
