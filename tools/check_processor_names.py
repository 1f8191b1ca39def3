#!/usr/bin/env python3
"""Checks that nothing in src/ tells processors apart by name (CONTRIBUTING.md).

What is true of a processor stands in its row (src/isa/target.hpp), and whoever wants to know asks the
row; what is true of instructions and counters since or until a processor stands in theirs. So nothing
is compared with a processor's name or row. Prints each offence, and each exception that nothing needs
any more; exits 1 if there is any.
"""
import pathlib
import re
import sys

# Where names are compared all the same, and why.
EXCEPTIONS = {
    "src/cli/bench/runs.cpp": "publications name the processor where they mean a device",
}
NAME = r'(?:"gfx[0-9a-f]+[^"]*"|(?:isa::)?kGfx[0-9a-f]+\b)'
COMPARED = re.compile(rf"[=!]= *&?{NAME}|{NAME} *[=!]=")


def check(root):
    problems, needed = [], set()
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in {".hpp", ".cpp", ".h"}:
            continue
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            match = COMPARED.search(line.split("//")[0])
            if not match:
                continue
            needed.add(name)
            if name not in EXCEPTIONS:
                problems.append(f"{name}:{number}: {match.group(0)}: ask the processor's row")
    return problems + [f"{name}: no exception is needed" for name in EXCEPTIONS if name not in needed]


def main():
    problems = check(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve())
    print("\n".join(problems) if problems else "processors: only their rows tell them apart")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
