#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What shells complete, against --help: test_completion.py PATH_OF_WEFT. Each script has every command and each option
of it, and no others; it parses; and bash completes what is typed. Prints PASS / FAIL / SKIP lines."""
import re
import shutil
import subprocess
import sys

from test_man import WEFT, commands_of, options_of_tool, text_of
from verdict import verdict, verdicts

SYNTAX = {"bash": ["bash", "-n"], "zsh": ["zsh", "-n"], "fish": ["fish", "--no-execute"]}
# What is typed, and what of it bash has then; the words as it cuts them, at = as well.
TYPED = {("fi",): {"filter"}, ("filter", "--desc"): {"--descreen"}, ("filter", "--pad", "re"): {"reflect", "reflect101", "replicate"},
         ("filter", "--pad", "=", "rep"): {"replicate"}, ("filter", "--pad", "="): {"reflect", "reflect101", "replicate", "zero", "wrap"},
         ("filter", "--gaussian", ""): set(), ("fractal", ""): {"help", "encode", "decode", "info", "bench"},
         ("fractal", "bench", "--seq"): {"--sequence"}, ("bench", "--oper"): {"--operation"},
         ("filter", "--stripes", ""): {"horizontal", "vertical"}, ("--u",): {"--usage"}}


def script_of(shell):
    return subprocess.run([WEFT, "completion", shell], capture_output=True, text=True, check=True).stdout


def options_in(shell, script, command):
    """All that the script has for this command."""
    if shell == "bash":
        return set(re.search(rf"'{command}:-'\*\) words='([^']*)'", script).group(1).split())
    if shell == "zsh":
        body = re.search(rf"^_weft_{command.replace(' ', '_')}\(\) \{{\n(.*?)^\}}", script, re.M | re.S).group(1)
        return set(re.findall(r"^ +'[^\[]*?(--[a-z][a-z-]*)[=,'}\[]", body, re.M))
    return {"--" + name for name in re.findall(rf"-n '__weft_command {command}' -l (\S+)", script)}


def commands_in(shell, script):
    """Those of the tool, and of a command, with the command in front."""
    if shell == "bash":
        return set(re.findall(r"command='([^']+)'", script))
    if shell == "zsh":
        names = {name.replace("_", " ") for name in re.findall(r"^ +[a-z]+\) _weft_(\w+) ;;", script, re.M)}
        return {name for name in names if f"_weft_{name.replace(' ', '_')}() {{" in script}
    found = re.findall(r"-n '__weft_group( ?[a-z]*)' -f -a (\w+)", script)
    return {f"{group} {name}".strip() for group, name in found}


def completed(script, words):
    """What bash offers behind "weft" and these words."""
    lines = [script, f"COMP_WORDS=(weft {' '.join(repr(word) for word in words)})", f"COMP_CWORD={len(words)}", "compopt() { :; }",
             "_weft", 'printf "%s\\n" "${COMPREPLY[@]}"']
    done = subprocess.run(["bash", "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    return set(done.stdout.split()) if not done.stderr else done.stderr


def main():
    commands = set(commands_of())
    for shell, check in SYNTAX.items():
        script = script_of(shell)
        verdict(f"{shell}: commands", commands ^ commands_in(shell, script) or "")
        groups = {command.rpartition(" ")[0] for command in commands}
        wrong = {command: options_of_tool(text_of(*command.split())) ^ options_in(shell, script, command)
                 for command in commands - (groups if shell == "zsh" else set())}
        verdict(f"{shell}: options", {command: options for command, options in wrong.items() if options} or "")
        if shutil.which(check[0]):
            done = subprocess.run(check + ["/dev/stdin"], input=script, capture_output=True, text=True, check=False)
            verdict(f"{shell} parses it", done.stderr or done.returncode or "")
        else:
            print(f"SKIP {shell} parses it: it is not installed")
    if shutil.which("bash"):
        script = script_of("bash")
        for words, wanted in TYPED.items():
            found = completed(script, words)
            verdict(f"bash completes {' '.join(words)}", "" if found == wanted else found)
    return verdicts()


if __name__ == "__main__":
    sys.exit(main())
