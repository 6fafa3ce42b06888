#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The manual page against the tool itself: test_man.py PATH_OF_WEFT PATH_OF_PAGE. Every command, every option
and exit code of --help stands in the page, in the section of its command; the page has no option that
the tool lacks; it renders without a warning. Prints PASS / FAIL / SKIP lines."""
import re
import shutil
import subprocess
import sys

from verdict import verdict, verdicts

WEFT = sys.argv[1]
EVERYWHERE = {"--help", "--usage", "--version"}


def text_of(*arguments):
    return subprocess.run([WEFT, *arguments, "--help"], capture_output=True, text=True, check=True).stdout


def commands_of(*group):
    """Those of the tool, or of a command, and the commands of these, which --help lists."""
    _, _, listed = text_of(*group).partition("\nCommands:\n")
    for name in re.findall(r"^  ([a-z]+) ", listed.partition("\n\n")[0], re.M):
        yield " ".join((*group, name))
        yield from commands_of(*group, name)


def options_of_tool(text):
    """The long options that --help lists, each at the head of its line."""
    return set(re.findall(r"^ {2,6}(?:-[\w?], +)?(--[a-z][a-z-]*)", text, re.M))


def options_of_page(text):
    """Those that head a paragraph: .It Fl o , Fl -output Ns = ..."""
    return {"-" + option for line in re.findall(r"^\.It (.*Fl -.*)$", text, re.M)
            for option in re.findall(r"Fl (-[a-z][a-z-]*)", line)}


def render(page):
    """With the first renderer that is here."""
    if shutil.which("mandoc"):
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page], capture_output=True, text=True,
                              check=False)
        verdict("renders with mandoc", " ".join((done.stdout + done.stderr).split()))
        return
    command = ["man", "--warnings", "-E", "UTF-8", "-l", page]
    done = subprocess.run(command, capture_output=True, text=True, check=False) if shutil.which("man") else None
    if done and (done.stderr or "EXIT STATUS" in done.stdout):
        verdict("renders with man", " ".join(done.stderr.split()))
    else:
        print("SKIP renders: there is neither mandoc nor a man that shows pages")


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        page = file.read()
    subsections = dict(re.findall(r"^\.Ss ([^\n]*)\n(.*?)(?=^\.S[sh] |\Z)", page, re.M | re.S))
    shared = {heading: options_of_page(subsections.pop(heading)) for heading in ("Shared options", "Coding options")}
    general = text_of()
    commands = list(commands_of())
    verdict("commands", {f"weft {name}" for name in commands} ^ set(subsections) or "")

    for name in commands:
        text = text_of(*name.split())
        told = options_of_page(subsections.get(f"weft {name}", ""))
        told = told.union(*(options for heading, options in shared.items() if heading + ":" in text))
        wrong = {option: "not in the page" for option in options_of_tool(text) - told - EVERYWHERE}
        wrong |= {option: "not in the tool" for option in told - options_of_tool(text)}
        verdict(f"options of {name}", wrong)
    description = page[:page.index(".Sh COMMANDS")]
    verdict("options everywhere", options_of_tool(general) ^ options_of_page(description) or "")

    tool = set(re.findall(r"\b\d+\b", general[general.index("Exit codes:"):]))
    listed = page[page.index(".Sh EXIT STATUS"):page.index(".Sh EXAMPLES")]
    verdict("exit codes", tool ^ set(re.findall(r"^\.It (\d+)$", listed, re.M)) or "")

    render(sys.argv[2])
    return verdicts()


if __name__ == "__main__":
    sys.exit(main())
