#!/usr/bin/env python3
"""Checks the include graph of src/ and include/ against layers.toml, and the size limits of files.

Prints each offending include with the rule it breaks; exits 1 if there is any.
"""
import pathlib
import re
import sys
import tomllib

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes(path):
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def check(root):
    rules = tomllib.loads((root / "layers.toml").read_text())
    allowed = rules["allowed"]
    silent = set(rules["no_printing"]["folders"])
    forbidden = set(rules["no_printing"]["forbidden_includes"])
    limits = rules["size"]
    exceptions = limits.get("exceptions", {})
    problems = []
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in {".hpp", ".cpp", ".h"}:
            continue
        name = path.relative_to(root).as_posix()
        folder = path.relative_to(root / "src").parts[0]
        if folder not in allowed:
            problems.append(f"{name}: folder {folder} is not in layers.toml")
            continue
        for number, quote, target in includes(path):
            if folder in silent and target in forbidden:
                problems.append(f"{name}:{number}: <{target}>: {folder} does not print")
            other = target.split("/")[0]
            if quote == '"' and other in allowed and other != folder and other not in allowed[folder]:
                problems.append(f"{name}:{number}: \"{target}\": {folder} may not include {other}")
        lines = path.read_text(errors="replace").splitlines()
        if len(lines) > limits["max_lines"] and name not in exceptions:
            problems.append(f"{name}: {len(lines)} lines, limit {limits['max_lines']}")
        for number, line in enumerate(lines, 1):
            if len(line) > limits["max_columns"] and name not in exceptions:
                problems.append(f"{name}:{number}: {len(line)} columns, limit {limits['max_columns']}")
    return problems


def check_headers(root):
    """The headers of include/ stand alone: quoted includes are neighbours, others are known."""
    rules = tomllib.loads((root / "layers.toml").read_text())
    headers, limits = rules["headers"], rules["size"]
    problems = []
    for path in sorted((root / headers["folder"]).rglob("*.hpp")):
        name = path.relative_to(root).as_posix()
        for number, quote, target in includes(path):
            neighbour = quote == '"' and (path.parent / target).is_file()
            outside = quote == "<" and ("/" not in target or target.startswith(tuple(headers["outside"])))
            if not neighbour and not outside:
                problems.append(f"{name}:{number}: {target}: an installed header stands alone")
        lines = path.read_text().splitlines()
        if len(lines) > headers["max_lines"]:
            problems.append(f"{name}: {len(lines)} lines, limit {headers['max_lines']}")
        for number, line in enumerate(lines, 1):
            if len(line) > limits["max_columns"]:
                problems.append(f"{name}:{number}: {len(line)} columns, limit {limits['max_columns']}")
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    problems = check(root) + check_headers(root)
    print("\n".join(problems) if problems else "layers: every include goes down")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
