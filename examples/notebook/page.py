#!/usr/bin/env python3
"""Makes a page of a notebook's source and of what its program prints.

    page.py SOURCE FOLDER COMMAND [ARGUMENT]...    the page on stdout

Comments that start a paragraph become text, but for those of functions. The lines from `CELL(n);` to the next empty one become a
block of code, with what the program printed after its line `[n]` below. Lines between `// show` and
`// end` are shown as code; a line `$ COMMAND` of a text is followed by what the command says in FOLDER,
where the programs are. All other lines are left out. COMMAND runs the program.
"""
import os
import re
import subprocess
import sys
import textwrap


def outputs(command):
    """{number of a cell: what the program printed in it}"""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    parts = re.split(r"^\[(\d+)\]\n", done.stdout, flags=re.M)
    return dict(zip(map(int, parts[1::2]), parts[2::2]))


def blocks(lines):
    """Yields ("text", lines), ("code", lines) and ("cell", number, lines) in the order of the source."""
    at = 0
    while at < len(lines):
        stripped = lines[at].strip()
        cell = re.match(r"CELL\((\d+)\);", stripped)
        start = at
        if cell or stripped == "// show":
            last = ("", "}") if cell else ("// end",)
            while lines[at].strip() not in last or (cell and lines[at].startswith(" ")):
                at += 1
            inner = textwrap.dedent("\n".join(lines[start + 1:at])).split("\n")
            yield ("cell", int(cell[1]), inner) if cell else ("code", inner)
        elif stripped.startswith("//") and (at == 0 or not lines[at - 1].strip() or
                                            lines[at - 1].rstrip().endswith("{")):
            while at + 1 < len(lines) and lines[at + 1].strip().startswith("//"):
                at += 1
            if start and not lines[start].startswith(" ") and lines[at + 1].strip():
                at += 1  # what it says is about the function below
                continue
            yield "text", [re.sub(r"^\s*// ?", "", text) for text in lines[start:at + 1]]
        at += 1


def with_commands(text, folder, program):
    """The lines of a text, each command with its output."""
    environment = dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8",
                       PATH=f"{os.path.dirname(os.path.abspath(program))}:{os.environ['PATH']}")
    for line in text:
        if not line.startswith("$ "):
            yield line
            continue
        command = line[2:]
        done = subprocess.run(command, shell=True, cwd=folder, env=environment, text=True, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = [said.rstrip() for said in done.stdout.rstrip("\n").split("\n")]
        yield from ["```", line, *said, "```"]


def main():
    said = outputs(sys.argv[3:])
    page = []
    for kind, *rest in blocks(open(sys.argv[1]).read().splitlines()):
        if kind == "text":
            page += [*with_commands(rest[0], sys.argv[2], sys.argv[3]), ""]
        else:
            page += ["```cpp", *rest[-1], "```", ""]
        if kind == "cell":
            if rest[0] not in said:
                sys.exit(f"cell {rest[0]} printed nothing: it did not run")
            page += ["```", *said.pop(rest[0]).rstrip("\n").split("\n"), "```", ""]
    if said:
        sys.exit(f"the program printed cells that the source does not have: {sorted(said)}")
    print("\n".join(page).rstrip("\n"))


if __name__ == "__main__":
    main()
