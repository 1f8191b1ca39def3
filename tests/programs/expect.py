#!/usr/bin/env python3
"""Runs a command and compares what it says with a transcript.

    expect.py TRANSCRIPT [NAME=VALUE]... -- COMMAND [ARGUMENT]...

A transcript starts with `exit N` (or `exit any but 0`); then come sections `stdout` and `stderr`.
A line of a section must be found in that order in the stream; `*` stands for anything and {NAME}
for a value given on the command line. Without a section the stream may hold anything. A line
`not TEXT` must not be found anywhere.
"""
import fnmatch
import re
import subprocess
import sys


def matches(pattern, line):
    return re.match(fnmatch.translate(pattern.replace("[", "[[]")), line) is not None


def check_stream(name, text, patterns):
    lines = [line.strip() for line in text.splitlines()]
    at = 0
    for pattern in patterns:
        if pattern.startswith("not "):
            if any(matches(pattern[4:], line) for line in lines):
                return [f"{name} holds: {pattern[4:]}"]
            continue
        while at < len(lines) and not matches(pattern, lines[at]):
            at += 1
        if at == len(lines):
            return [f"{name} lacks (in this order): {pattern}"]
        at += 1
    return []


def main():
    split = sys.argv.index("--")
    transcript = open(sys.argv[1]).read()
    for argument in sys.argv[2:split]:
        name, value = argument.split("=", 1)
        transcript = transcript.replace("{%s}" % name, value)
    sections, current = {"exit": "0"}, None
    for line in transcript.splitlines():
        if line.startswith("exit "):
            sections["exit"] = line[5:]
        elif line in ("stdout", "stderr"):
            current = sections.setdefault(line, [])
        elif current is not None and line.strip():
            current.append(line.strip())
    done = subprocess.run(sys.argv[split + 1:], capture_output=True, text=True, timeout=120)
    code = done.returncode if done.returncode >= 0 else 128 - done.returncode
    wanted = sections["exit"]
    right_code = code != 0 if wanted == "any but 0" else code == int(wanted)
    problems = [] if right_code else [f"exit code {code}, expected {wanted}"]
    problems += check_stream("stdout", done.stdout, sections.get("stdout", []))
    problems += check_stream("stderr", done.stderr, sections.get("stderr", []))
    if problems:
        print("\n".join(problems))
        print(f"---- stdout\n{done.stdout}---- stderr\n{done.stderr}----")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
