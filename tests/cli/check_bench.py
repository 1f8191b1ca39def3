#!/usr/bin/env python3
"""Checks that `wavetank bench accuracy` compiles the programs it needs, once, and keeps outputs, and
that it runs programs without a mechanism.

    check_bench.py WAVETANK
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

COMPILES = "compiling 1 program into"
RUNS = " s\n"  # how long a run took

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def bench(wavetank, cache, *words):
    """The rows of one family on one device, and what was said on the way."""
    done = subprocess.run(
        [wavetank, "bench", "accuracy", "latency", "--device", "mi210", "--json", *words],
        text=True, capture_output=True, env=dict(os.environ, WAVETANK_CACHE=str(cache)))
    expect(done.returncode == 0, f"{words}: {done}")
    rows = json.loads(done.stdout)["rows"] if done.returncode == 0 else []
    expect(len(rows) == 3 and all(row["simulated"] for row in rows), f"{words}: {rows}")
    expect(all(row["limiter"] for row in rows), f"what bounded the launches: {rows}")
    return rows, done.stderr


def without_fences(wavetank):
    """The program runs with all mechanisms, without each that touches it, and without all."""
    done = subprocess.run([wavetank, "bench", "accuracy", "fence", "--mechanisms", "--json"],
                          text=True, capture_output=True)
    table = json.loads(done.stdout)
    rows = {row["mechanism"]: row for row in table["without"]}
    expect(done.returncode == 0 and done.stderr.count(RUNS) == 1 + len(rows), f"{done}")
    expect("scan of a fence" in rows and "translation" not in rows and "all of them" in rows,
           f"what touches fences: {rows}")
    for row in rows.values():
        expect(row["rows"] == 1 and row["missing"] == 0, f"all rows have values: {row}")
        expect(row["percent_with"] == table["overall_percent"], f"with all mechanisms: {row}")
    scan = rows["scan of a fence"]
    expect(scan["percent_without"] > 2 * scan["percent_with"], f"a fence looks through: {scan}")


def main(wavetank):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cache, kept = folder / "cache", folder / "kept"
        first, said = bench(wavetank, cache)
        expect(f"{COMPILES} {cache}" in said and RUNS in said, f"the first compiles: {said}")
        expect(len(list(cache.glob("accuracy-latency-*"))) == 1, "and keeps the program")
        second, said = bench(wavetank, cache, "--keep", str(kept))
        expect(COMPILES not in said and RUNS in said, f"the second only runs: {said}")
        picture = folder / "accuracy.svg"
        third, said = bench(wavetank, cache, "--keep", str(kept), "--plot", str(picture))
        expect(said == "", f"what is kept is not run again: {said}")
        expect(picture.read_text().count(": measured ") == 3, "a point each")
        fourth, said = bench(wavetank, "off")
        expect(COMPILES in said and RUNS in said, f"without a cache it compiles, too: {said}")
        expect(first == second == third == fourth, "all find the same")
    without_fences(wavetank)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
