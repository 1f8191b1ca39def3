#!/usr/bin/env python3
"""Checks the include graph of src/ and include/ against layers.toml, and the size limits of files.

A folder of src/ may include those that its rule names; one with rules inside has rooms, which may
include those that their rules name. No rule names one that stands behind it: there are no circles.
Nor are there any of files, a header and what implements it counted as one.

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


def room_of(name, folder):
    """The folder inside src/FOLDER that holds a file, named from src/; "" for FOLDER itself."""
    parts = name.removeprefix(folder + "/").split("/")
    return parts[0] if len(parts) > 1 and name.startswith(folder + "/") else ""


def check_room(rooms, folder, room, target):
    """What is wrong with a file of src/FOLDER/ROOM that includes TARGET, by the rules in ROOMS."""
    if not target.startswith(folder + "/"):
        return None
    other = room_of(target, folder)
    if room and room not in rooms:
        return f"folder {folder}/{room} is not in layers.toml"
    if room and other and other != room and other not in rooms[room]:
        return f"{folder}/{room} may not include {folder}/{other}"
    return None


def check_order(rooms, folder):
    """The rules of a folder's rooms lead nowhere in a circle: each may include only earlier ones."""
    known = set()
    for room, allowed in rooms.items():
        for other in allowed:
            if other not in known:
                yield f"layers.toml: {folder}/{room} may include {other}, which is not before it"
        known.add(room)


def check(root):
    rules = tomllib.loads((root / "layers.toml").read_text())
    allowed = rules["allowed"]
    silent = set(rules["no_printing"]["folders"])
    forbidden = set(rules["no_printing"]["forbidden_includes"])
    inside = rules["inside"]
    problems = [problem for folder, rooms in inside.items() for problem in check_order(rooms, folder)]
    problems += check_order(allowed, "src")
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
            relative = path.relative_to(root / "src").as_posix()
            for house in [house for house in inside if relative.startswith(house + "/")]:
                wrong = check_room(inside[house], house, room_of(relative, house), target)
                if quote == '"' and wrong:
                    problems.append(f"{name}:{number}: \"{target}\": {wrong}")
    return problems


def part_of(name, headers):
    """What a file of src/ belongs to, named without suffix: its header, or if it has none the one
    whose name its own continues (checker_host.cpp implements checker.hpp)."""
    stem = whole = name.rsplit(".", 1)[0]
    while whole not in headers and "_" in whole.rsplit("/", 1)[-1]:
        whole = whole.rsplit("_", 1)[0]
    return whole if whole in headers else stem


def include_graph(root):
    """What each header of src/, with its sources, includes of the others."""
    files = {path.relative_to(root / "src").as_posix(): path
             for path in sorted((root / "src").rglob("*")) if path.suffix in {".hpp", ".cpp", ".h"}}
    headers = {name.rsplit(".", 1)[0] for name in files if not name.endswith(".cpp")}
    graph = {}
    for name, path in files.items():
        targets = (target for _, quote, target in includes(path) if quote == '"' and target in files)
        graph.setdefault(part_of(name, headers), set()).update(part_of(t, headers) for t in targets)
    return graph


def reachable(graph, start):
    """All that a node leads to; itself only if there is a way back."""
    found, left = set(), [start]
    while left:
        for node in graph.get(left.pop(), ()):
            if node not in found:
                found.add(node)
                left.append(node)
    return found


def circles(graph):
    """Sets of nodes that lead to each other, each as a sorted list."""
    graph = {node: targets - {node} for node, targets in graph.items()}
    reached = {node: reachable(graph, node) for node in graph}
    return sorted({tuple(sorted(other for other in reached[node] if node in reached[other]))
                   for node in graph if node in reached[node]})


def check_circles(root):
    """Files that include each other."""
    return [f"src: files include each other: {' '.join(circle)}"
            for circle in circles(include_graph(root))]


def check_sizes(root):
    """Lines and columns of what is compiled."""
    limits = tomllib.loads((root / "layers.toml").read_text())["size"]
    exceptions = limits.get("exceptions", {})
    problems = []
    files = [path for folder in limits["folders"] for path in sorted((root / folder).rglob("*"))]
    for path in files:
        name = path.relative_to(root).as_posix()
        if path.suffix not in {".hpp", ".cpp", ".h"} or name in exceptions:
            continue
        lines = path.read_text(errors="replace").splitlines()
        if len(lines) > limits["max_lines"]:
            problems.append(f"{name}: {len(lines)} lines, limit {limits['max_lines']}")
        for number, line in enumerate(lines, 1):
            if len(line) > limits["max_columns"]:
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
    problems = check(root) + check_circles(root) + check_sizes(root) + check_headers(root)
    print("\n".join(problems) if problems else "layers: every include goes down")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
