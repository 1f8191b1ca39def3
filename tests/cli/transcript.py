#!/usr/bin/env python3
"""Runs the commands of a transcript and compares what they print.

A transcript is a text file. A line "$ COMMAND" runs a shell line; the lines below it are its stdout,
then its stderr with "! " in front, then "= N" if the exit code is not 0. "..." alone stands for any
lines. In commands, `wavetank` is the program under test, and the folder is a fresh temporary one with
a copy of tests/cli/programs. In output, the program's own folders read as {build} and {tmp}.

    transcript.py PROGRAM FILE            compare; exit code 1 and a diff if something differs
    transcript.py PROGRAM FILE --update   write what is printed now
"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def run(command, program, folder):
    """The transcript lines of one command."""
    environment = dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8")
    environment["PATH"] = f"{program.parent}:{environment['PATH']}"
    for name in [n for n in environment if n.startswith("WAVETANK_")] + ["ROCM_PATH"]:
        environment.pop(name, None)
    command = command.replace("{tmp}", str(folder))
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, text=True,
                          capture_output=True, timeout=300)

    def tidy(text):
        text = text.replace(str(program.parent.parent), "{build}").replace(str(folder), "{tmp}")
        return re.sub(r"[ \t]+$", "", text, flags=re.M).splitlines()

    lines = tidy(done.stdout) + [("! " + line).rstrip() for line in tidy(done.stderr)]
    return lines + ([f"= {done.returncode}"] if done.returncode else [])


def matches(expected, actual):
    """True if `actual` is `expected`, where "..." stands for any lines."""
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and expected[0] == actual[0] and matches(expected[1:], actual[1:])


def read(path):
    """[(comment lines, command, expected lines)]"""
    steps, comments = [], []
    for line in path.read_text().splitlines():
        if line.startswith("# ") and (not steps or comments or not line.strip()):
            comments.append(line)
        elif line.startswith("$ "):
            steps.append((comments, line[2:], []))
            comments = []
        elif steps:
            steps[-1][2].append(line)
    for _, _, expected in steps:
        while expected and expected[-1] == "":
            expected.pop()
    return steps


def main():
    program, path = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    update = "--update" in sys.argv
    if not program.is_file():
        sys.exit(f"there is no program {program}")
    failed, text = 0, []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve() / "work"
        shutil.copytree(pathlib.Path(__file__).parent / "programs", folder)
        for comments, command, expected in read(path):
            actual = run(command, program, folder)
            text += comments + ["$ " + command] + actual + [""]
            if not update and not matches(expected, actual):
                failed += 1
                print(f"$ {command}")
                print("\n".join(difflib.unified_diff(expected, actual, "expected", "actual",
                                                     lineterm="")))
    if update:
        path.write_text("\n".join(text))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
