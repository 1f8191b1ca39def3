#!/usr/bin/env python3
"""Measures wavetank::array on virtual devices and prints the table of docs/arrays.md.

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
DEVICES = {"mi210": "gfx90a", "mi300x": "gfx942"}


def compile_program(wavetank, include, source, program, target):
    """Processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([wavetank, "cc", "-O3", "-std=c++20", f"--offload-arch={target}", f"-I{include}",
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


def measure(wavetank, device, program, folder):
    """{label: (seconds, bytes fetched, bytes written)}"""
    labels = subprocess.run([wavetank, "run", "--device", device, str(program)], check=True,
                            capture_output=True, text=True).stdout.split("\n")
    subprocess.run([wavetank, "profile", "--device", device, "--every-launch", "-o",
                    str(folder / "figures.wt"), "--pmc", "FETCH_SIZE", "--pmc", "WRITE_SIZE", "-f", "csv",
                    "-d", str(folder), "--", str(program)], check=True, capture_output=True)
    path, = folder.rglob("*counter_collection.csv")
    found = {}
    for row in csv.DictReader(open(path)):
        entry = found.setdefault(labels[int(row["Dispatch_Id"]) - 1], {"s": {}, "F": 0, "W": 0})
        entry["s"][row["Dispatch_Id"]] = (int(row["End_Timestamp"]) - int(row["Start_Timestamp"])) * 1e-9
        entry[row["Counter_Name"][0]] += float(row["Counter_Value"]) * 1024
    return {label: (sum(e["s"].values()), e["F"], e["W"]) for label, e in found.items()}


class Table:
    """Rows of figures, and sentences about those that are out of their bounds."""

    def __init__(self, found):
        self.found, self.wrong = found, []
        print("| what | by arrays | by | ratio |\n|---|---|---|---|")

    def ratio(self, label, other, moved, other_moved, least):
        """Bandwidth against bandwidth, both with the bytes that must be moved."""
        ours, theirs = moved / self.found[label][0], other_moved / self.found[other][0]
        if ours < least * theirs:
            self.wrong.append(f"{label}: {ours / theirs:.1%} of {other}, at least {least:.0%} wanted")
        print(f"| {label} | {ours / 1e9:.0f} GB/s | {other}: {theirs / 1e9:.0f} GB/s | "
              f"{ours / theirs:.1%} |")

    def bytes_moved(self, label, fetched, written):
        """Bytes moved against the bytes that must be."""
        _, fetch, write = self.found[label]
        if abs(fetch + write - fetched - written) > 0.02 * (fetched + written):
            self.wrong.append(f"{label}: {fetch + write:.0f} bytes, {fetched + written} must be")
        print(f"| {label}, bytes | FETCH_SIZE {fetch / 1024:.0f} KB, WRITE_SIZE {write / 1024:.0f} KB | "
              f"operands: {fetched // 1024} KB, result: {written // 1024} KB | "
              f"{(fetch + write) / (fetched + written):.2%} |")


def judge(device, found):
    """The table of a device; what is out of its bounds."""
    print(f"\n{device}\n")
    table = Table(found)
    table.ratio("copy", "copy by hand", 2 * ARRAY, 2 * ARRAY, 0.98)
    table.ratio("add", "add by hand", 3 * ARRAY, 3 * ARRAY, 0.98)
    table.ratio("saxpy", "saxpy by hand", 3 * ARRAY, 3 * ARRAY, 0.98)
    # Six launches of one array, three of two.
    table.ratio("sum", "rocPRIM's reduce", 6 * ARRAY, 6 * ARRAY, 0.95)
    table.ratio("dot", "rocPRIM's reduce", 6 * ARRAY, 6 * ARRAY, 0.95)
    table.bytes_moved("add", 2 * ARRAY, ARRAY)
    table.bytes_moved("ten operations", 2 * ARRAY, ARRAY)
    return [f"{device}, {sentence}" for sentence in table.wrong]


def main():
    wavetank, include = sys.argv[1:3]
    here = pathlib.Path(__file__).parent
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for device, target in DEVICES.items():
            (folder / device).mkdir()
            compile_program(wavetank, include, here / "figures.hip", folder / "figures", target)
            wrong += judge(device, measure(wavetank, device, folder / "figures", folder / device))
        source = folder / "fifty.hip"
        source.write_text(fifty_expressions())
        fifty = compile_program(wavetank, include, source, folder / "fifty", "gfx90a")
    print(f"\nFifty expressions, compiled: {fifty:.1f} s of at most 20 s")
    if fifty > 20:
        wrong.append(f"fifty expressions take {fifty:.1f} s to compile")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
