# SPDX-License-Identifier: MIT
"""PASS and FAIL lines, and the exit code that they come to."""
failures = 0


def verdict(name, wrong):
    """wrong: what is, or what is false where nothing is."""
    global failures
    failures += bool(wrong)
    print(f"FAIL {name}: {wrong}" if wrong else f"PASS {name}")


def verdicts():
    """The exit code of all."""
    return 1 if failures else 0
