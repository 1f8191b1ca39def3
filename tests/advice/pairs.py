#!/usr/bin/env python3
"""Asks for advice on the slow programs of examples/advice, and measures what following it gains.

Each program of causes.tsv is compiled as it is and with -DFIXED, and both are profiled on a device.
Told of each: whether the first advice on the slow one names the true cause, whether it names the line
that the source marks with `// cause`, the gain that it predicts, and what the fixed one gains in the
model. Fails if fewer are right than the goals say.

    pairs.py WAVETANK FOLDER gfx90a|gfx942 [--only NAME ...] [--keep FOLDER] [--jobs N]
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

DEVICES = {"gfx90a": "mi210", "gfx942": "mi300x"}
CAUSE_PERCENT = 90  # of the programs have their cause and its line as the first advice
GAIN_PERCENT = 80   # of the programs gain what was predicted, within GAIN_WITHIN
GAIN_WITHIN = 15    # percent points of the slow program's time; told of too: percent of the gain


def causes(folder, processor):
    for line in (folder / "causes.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            name, ids, processors = line.split("\t")
            if processor in processors.split(","):
                yield name, ids.split(",")


def compiled(options, name, *flags):
    program = options.keep / (name + "".join(flags) + "-" + options.processor)
    source = options.folder / f"{name}.hip"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        subprocess.run([options.wavetank, "cc", "-g", "-O3", f"--offload-arch={options.processor}",
                        *flags, source.name, "-o", program], check=True, cwd=options.folder)
    return program


def run(options, program, command, *changes):
    """The kernels of a run that `wavetank profile` or `wavetank what-if` timed."""
    recorded = program.with_suffix(".wt")
    recorded.unlink(missing_ok=True)
    subprocess.run([options.wavetank, command, "--device", DEVICES[options.processor], "-o",
                    recorded, "--threads", "1", *changes, program],
                   check=True, capture_output=True, timeout=500)
    shown = subprocess.run([options.wavetank, "report", "--json", recorded], check=True,
                           capture_output=True, text=True)
    return json.loads(shown.stdout)["kernels"]


def advised(options, program):
    """The kernels of a run with advice: only the changes that findings name are asked for, of the
    kernel that takes the longest."""
    changes = {finding["change"] for finding in worst_of(run(options, program, "profile"))["findings"]}
    return run(options, program, "what-if", *sorted(changes - {""}) or ["launch=free"])


def cycles(kernels):
    return sum(kernel["mean_cycles"] * kernel["launches"] for kernel in kernels)


def worst_of(kernels):
    return max(kernels, key=lambda kernel: kernel["mean_cycles"] * kernel["launches"])


def judged(options, name, ids):
    slow = advised(options, compiled(options, name))
    fixed = run(options, compiled(options, name, "-DFIXED"), "profile")
    source = (options.folder / f"{name}.hip").read_text().splitlines()
    lines = [number for number, line in enumerate(source, 1) if "// cause" in line]
    kernel = worst_of(slow)
    first = kernel["findings"][0] if kernel["findings"] else None
    place = f"{name}.hip:{lines[0]}"
    return {
        "name": name, "cycles": cycles(slow), "verdict": kernel["verdict"]["what"],
        "gained": 100 * (1 - cycles(fixed) / cycles(slow)),
        "advice": first["id"] if first else "-", "predicted": first.get("gain_percent") if first else 0,
        "place": first["place"] if first else "",
        "right": first is not None and first["id"] in ids and first["place"] == place,
        "others": [(a["id"], a["place"], round(a["gain_percent"])) for a in kernel["findings"][1:]],
        "true": (",".join(ids), place)}


def is_near(r, of=100):
    """Within GAIN_WITHIN percent of `of`, itself in percent of the slow program's time."""
    return r["predicted"] is not None and abs(r["predicted"] - r["gained"]) <= GAIN_WITHIN / 100 * of


def tell(r):
    predicted = "-" if r["predicted"] is None else f"{r['predicted']:.0f}"
    print(f"{r['name']:<26}{r['cycles']:>9.0f} {'right' if r['right'] else 'WRONG'}"
          f" {r['advice']:<18} {r['place']:<32} predicted {predicted}"
          f" gained {r['gained']:.0f}{'' if is_near(r, r['gained']) else ' far' if is_near(r) else ' FAR'}  [{r['verdict']}]", flush=True)
    if not r["right"]:
        print(f"    true: {r['true']}")
    print(f"    others: {r['others']}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("wavetank")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("processor", choices=DEVICES)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    rows = [row for row in causes(options.folder, options.processor)
            if not options.only or row[0] in options.only]
    with tempfile.TemporaryDirectory() as temporary, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        options.keep = options.keep or pathlib.Path(temporary)
        results = []
        for result in pool.map(lambda row: judged(options, *row), rows):
            tell(result)
            results.append(result)
    near = sum(is_near(r) for r in results)
    strict = sum(is_near(r, r["gained"]) for r in results)
    right = sum(r["right"] for r in results)
    print(f"of {len(results)}: {right} causes, {near} gains within {GAIN_WITHIN} points, {strict} within "
          f"{GAIN_WITHIN} % of the gain")
    good = 100 * right >= CAUSE_PERCENT * len(results) and 100 * near >= GAIN_PERCENT * len(results)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
