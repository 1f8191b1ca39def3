#!/usr/bin/env python3
"""Checks that nothing outside src/isa tells instructions apart by name or opcode (CONTRIBUTING.md).

What is true of an instruction stands in its row (src/isa/row.hpp), and whoever wants to know asks
the row. So no string literal may be an instruction's name, or begin or end one ("v_cmp_", "_f64"),
a row's name may be looked at only where it is printed, and its opcode is put into bytes, not
compared. Prints each offence, and each exception that nothing needs any more; exits 1 if there is
any.
"""
import pathlib
import re
import sys

# Where names are looked at all the same, and why. A folder ends with a slash.
EXCEPTIONS = {
    "src/isa/": "the tables",
    "src/execute/translate.cpp": "says in an error which instruction it is",
    "src/cli/isa/card.cpp": "prints the names that an instruction has on the targets",
}
# The folders whose rows are isa::Row, and the files of other folders.
FOLDERS = ["encoding", "execute", "machine", "lint", "check", "dispatch"]
FILES = ["src/cli/isa/*.cpp", "src/profile/finding*.[ch]pp", "src/profile/instruction_kind.hpp"]

LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
WORD = re.compile(r"[a-z0-9_]+")
ROW_NAME = re.compile(r"\brow(?:\(\))?(?:_)?(?:\.|->)name\b")
COMPARED = r"(?:[=!<>]=|[<>&%-])"
OPCODE = re.compile(rf"\bencoding\.opcode {COMPARED} | {COMPARED} [\w.>-]*\bencoding\.opcode\b")
# A beginning has a segment or unit and an underscore at least; shorter ends are words of their own.
SHORTEST_END = 4


def mnemonics(root):
    names = set()
    for path in sorted((root / "tests/data/isa").glob("*_mnemonics.txt")):
        names.update(line.split()[0] for line in path.read_text().splitlines()
                     if line and not line.startswith("#"))
    return names


class Names:
    """Which words are instructions' names, or their beginnings and ends."""

    def __init__(self, names):
        self.whole = names
        self.beginnings = set()
        self.ends = set()
        for name in names:
            parts = [i for i, letter in enumerate(name) if letter == "_"]
            self.beginnings.update(name[:i + 1] for i in parts)
            self.ends.update(name[i:] for i in parts if len(name) - i >= SHORTEST_END)

    def offence(self, word):
        if not WORD.fullmatch(word) or "_" not in word:
            return None
        if word in self.whole:
            return "is an instruction"
        if word in self.beginnings:
            return "begins instructions' names"
        return "ends instructions' names" if word in self.ends else None


def without_comments(text):
    """The text with comments blanked out, strings kept."""
    pattern = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.S)
    return pattern.sub(lambda m: m.group(0) if m.group(0)[0] == '"'
                       else re.sub(r"[^\n]", " ", m.group(0)), text)


def exception_for(name):
    """The exception that a file falls under; None if it has to keep the rule."""
    return next((place for place in EXCEPTIONS
                 if name == place or (place.endswith("/") and name.startswith(place))), None)


def sources(root):
    return sorted(p for p in (root / "src").rglob("*") if p.suffix in {".hpp", ".cpp", ".h"})


def knows_rows(root):
    files = {p for folder in FOLDERS for p in (root / "src" / folder).rglob("*")}
    for pattern in FILES:
        files.update(root.glob(pattern))
    return files


def offences(line, names, of_row):
    """What a line does that it may not, in words."""
    if line.lstrip().startswith("#include"):
        return
    for match in LITERAL.finditer(line):
        offence = names.offence(match.group(1))
        if offence:
            yield f'"{match.group(1)}" {offence}'
    if of_row and ROW_NAME.search(line):
        yield "looks at a row's name"
    if of_row and OPCODE.search(line):
        yield "compares a row's opcode"


def check(root):
    names = Names(mnemonics(root))
    of_rows = knows_rows(root)
    problems = []
    needed = set()
    for path in sources(root):
        name = path.relative_to(root).as_posix()
        place = exception_for(name)
        text = without_comments(path.read_text(errors="replace"))
        for number, line in enumerate(text.splitlines(), 1):
            for offence in offences(line, names, path in of_rows):
                if place is None:
                    problems.append(f"{name}:{number}: {offence}: ask the row (src/isa/row.hpp)")
                needed.add(place)
    for place in EXCEPTIONS.keys() - needed:
        problems.append(f"{place} needs no exception in tools/check_instruction_names.py")
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    problems = check(root)
    for problem in problems:
        print(problem)
    print(f"{len(problems)} places look at instructions' names")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
