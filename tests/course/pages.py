#!/usr/bin/env python3
"""Runs the commands of a page of docs/course and compares what they print with the page.

    pages.py WAVETANK PROGRAMS PAGE            compare; exit code 1 and a diff if something differs
    pages.py WAVETANK PROGRAMS PAGE --update   write what is printed now, if no program is missing

A block of a page that starts with "$ " holds commands, each with its output below. They run in a fresh
folder with links to the programs of the folder PROGRAMS, as tests/cli/transcript.py runs commands.
"""
import difflib
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import transcript  # noqa: E402


def renewed(text, run):
    """The page with the output of each command as it is now."""
    lines, in_block, skipping = [], False, False
    source = text.split("\n")
    for number, line in enumerate(source):
        if line == "```":
            in_block, skipping = not in_block, False
        elif in_block and line.startswith("$ "):
            said = run(line[2:])
            while said and not said[-1]:
                said.pop()
            lines += [line] + said
            skipping = True
            continue
        if not skipping:
            lines.append(line)
    return "\n".join(lines)


def main():
    wavetank, programs, page = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
    text = page.read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        for program in programs.iterdir():
            (folder / program.name).symlink_to(program)
        now = renewed(text, lambda command: transcript.run(command, wavetank, folder))
    if "--update" in sys.argv:
        if "error[E0002]" in now:  # no page shows that a file is missing
            sys.exit(f"{page} stays as it is: a command lacks a file, build all programs first\n{now}")
        page.write_text(now)
        return 0
    diff = list(difflib.unified_diff(text.split("\n"), now.split("\n"), str(page), "now", lineterm=""))
    print("\n".join(diff))
    return 1 if diff else 0


if __name__ == "__main__":
    sys.exit(main())
