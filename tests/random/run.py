#!/usr/bin/env python3
"""Generates, compiles and runs random kernels; the exit code is 0 when all agree with the host.

    run.py --wavetank build/bin/wavetank --seeds 1-20 [--levels 0,1,2,3] [--devices mi210,mi300x]
           [--group 5] [--keep FOLDER]

Each program holds --group seeds and code for both targets. A failing line names the seed: repeat
it with --seeds N-N --keep FOLDER, then run the program with a seed as its argument.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# One meaning for the host and the device: no contraction, f16 rounded after every operation.
FLAGS = ["-std=c++20", "-w", "-ffp-contract=off", "-Xclang", "-ffloat16-excess-precision=none",
         "-fwrapv", f"-I{HERE.parent}", f"-I{HERE.parent.parent / 'examples'}"]
TARGET = {"mi210": "gfx90a", "mi250x": "gfx90a", "mi300x": "gfx942", "mi300a": "gfx942"}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--wavetank", required=True)
    parser.add_argument("--seeds", default="1-20")
    parser.add_argument("--levels", default="0,1,2,3")
    parser.add_argument("--devices", default="mi210,mi300x")
    parser.add_argument("--group", type=int, default=5)
    parser.add_argument("--keep", type=pathlib.Path)
    return parser.parse_args()


def build(options, folder, first, last, level, targets):
    """The path of the program for seeds first..last at -O<level>."""
    source = folder / f"seeds_{first}_{last}.hip"
    if not source.exists():
        text = subprocess.run([sys.executable, HERE / "generate.py", str(first), str(last)],
                              check=True, capture_output=True, text=True).stdout
        source.write_text(text)
    program = folder / f"seeds_{first}_{last}_O{level}"
    subprocess.run([options.wavetank, "cc", *[f"--offload-arch={t}" for t in targets],
                    f"-O{level}", *FLAGS, str(source), "-o", str(program)], check=True)
    return program


def test(options, folder):
    first_seed, last_seed = map(int, options.seeds.split("-"))
    devices = options.devices.split(",")
    targets = sorted({TARGET[device] for device in devices})
    failures = 0
    for first in range(first_seed, last_seed + 1, options.group):
        last = min(first + options.group - 1, last_seed)
        for level in options.levels.split(","):
            program = build(options, folder, first, last, level, targets)
            for device in devices:
                done = subprocess.run([options.wavetank, "run", "--device", device, str(program)],
                                      capture_output=True, text=True, timeout=300)
                if done.returncode != 0 or not done.stdout.endswith("PASS\n"):
                    failures += 1
                    print(f"FAIL seeds {first}-{last} -O{level} on {device}, exit {done.returncode}\n"
                          f"{done.stdout}{done.stderr}", flush=True)
            if not options.keep:
                program.unlink()
    return failures


def main():
    options = parse()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        failures = test(options, options.keep)
    else:
        with tempfile.TemporaryDirectory() as folder:
            failures = test(options, pathlib.Path(folder))
    print("PASS" if failures == 0 else f"FAIL: {failures} runs")
    return 0 if failures == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
