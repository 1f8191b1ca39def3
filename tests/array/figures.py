#!/usr/bin/env python3
"""Measures wavetank::array on the virtual MI210 and prints the table of docs/arrays.md.

    figures.py WAVETANK INCLUDE_FOLDER [--check]

Bandwidths are those of the cycle model, bytes its counters FETCH_SIZE and WRITE_SIZE, compile times the
processor time of `wavetank cc -O3` for one target. With --check the exit code is 1 if one is out of its bounds.
"""
import csv
import pathlib
import resource
import subprocess
import sys
import tempfile

COUNT = 1 << 24
ARRAY = 4 * COUNT  # bytes


def compile_program(wavetank, include, source, program):
    """Processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([wavetank, "cc", "-O3", "-std=c++20", "--offload-arch=gfx90a", f"-I{include}",
                    str(source), "-o", str(program)], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def fifty_expressions():
    """A program of fifty assignments of different expressions."""
    names, operators = "abcd", "+-*/"
    lines = []
    for n in range(50):
        x, y, z, w = (names[(n >> s) % 4] for s in (0, 1, 2, 3))
        p, q, r = (operators[(n // d) % 4] for d in (1, 4, 16))
        lines.append(f"  {w} = ({x} {p} {y}) {q} {z} {r} {n + 1};")
    return ("#include <wavetank/array/create.hpp>\n#include <wavetank/array/operators.hpp>\n"
            "int main() {\n  auto a = wavetank::ones<float>(100), b = wavetank::ones<float>(100),\n"
            "       c = wavetank::ones<float>(100), d = wavetank::ones<float>(100);\n"
            + "\n".join(lines) + "\n}\n")


def measure(wavetank, program, folder):
    """{label: (seconds, bytes fetched, bytes written)}"""
    labels = subprocess.run([wavetank, "run", "--device", "mi210", str(program)], check=True,
                            capture_output=True, text=True).stdout.split("\n")
    subprocess.run([wavetank, "profile", "--device", "mi210", "--every-launch", "-o",
                    str(folder / "figures.wt"), "--pmc", "FETCH_SIZE", "--pmc", "WRITE_SIZE", "-f", "csv",
                    "-d", str(folder), "--", str(program)], check=True, capture_output=True)
    path, = folder.rglob("*counter_collection.csv")
    found = {}
    for row in csv.DictReader(open(path)):
        entry = found.setdefault(labels[int(row["Dispatch_Id"]) - 1], {"s": {}, "F": 0, "W": 0})
        entry["s"][row["Dispatch_Id"]] = (int(row["End_Timestamp"]) - int(row["Start_Timestamp"])) * 1e-9
        entry[row["Counter_Name"][0]] += float(row["Counter_Value"]) * 1024
    return {label: (sum(e["s"].values()), e["F"], e["W"]) for label, e in found.items()}


def main():
    wavetank, include = sys.argv[1:3]
    here = pathlib.Path(__file__).parent
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / "fifty.hip"
        source.write_text(fifty_expressions())
        fifty = compile_program(wavetank, include, source, folder / "fifty")
        compile_program(wavetank, include, here / "figures.hip", folder / "figures")
        found = measure(wavetank, folder / "figures", folder)

    wrong = []

    def ratio(label, other, moved, other_moved, least):
        """One row: bandwidth against bandwidth, both with the bytes that must be moved."""
        ours, theirs = moved / found[label][0], other_moved / found[other][0]
        if ours < least * theirs:
            wrong.append(f"{label}: {ours / theirs:.1%} of {other}, at least {least:.0%} wanted")
        print(f"| {label} | {ours / 1e9:.0f} GB/s | {other}: {theirs / 1e9:.0f} GB/s | "
              f"{ours / theirs:.1%} |")

    def bytes_moved(label, fetched, written):
        """One row: bytes moved against the bytes that must be."""
        _, fetch, write = found[label]
        if abs(fetch + write - fetched - written) > 0.02 * (fetched + written):
            wrong.append(f"{label}: {fetch + write:.0f} bytes, {fetched + written} must be")
        print(f"| {label}, bytes | FETCH_SIZE {fetch / 1024:.0f} KB, WRITE_SIZE {write / 1024:.0f} KB | "
              f"operands: {fetched // 1024} KB, result: {written // 1024} KB | "
              f"{(fetch + write) / (fetched + written):.2%} |")

    print("| what | by arrays | by | ratio |\n|---|---|---|---|")
    ratio("copy", "copy by hand", 2 * ARRAY, 2 * ARRAY, 0.98)
    ratio("add", "add by hand", 3 * ARRAY, 3 * ARRAY, 0.98)
    ratio("saxpy", "saxpy by hand", 3 * ARRAY, 3 * ARRAY, 0.97)
    ratio("sum", "rocPRIM's reduce", ARRAY, ARRAY, 0.95)
    ratio("dot", "rocPRIM's reduce", 2 * ARRAY, ARRAY, 0.95)
    bytes_moved("add", 2 * ARRAY, ARRAY)
    bytes_moved("ten operations", 2 * ARRAY, ARRAY)
    print(f"| fifty expressions, compiled | {fifty:.1f} s | at most 20 s | {fifty / 20:.0%} |")
    if fifty > 20:
        wrong.append(f"fifty expressions take {fifty:.1f} s to compile")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
