#!/usr/bin/env python3
"""Host instructions that the handlers take for one GPU instruction, by class; needs valgrind.

    count_instructions.py BUILD [OTHER_BUILD]

A count does not depend on what else the machine does. BUILD is a build folder with bench_interpreter;
a second one is compared with it. valgrind knows no AVX-512, so the handlers are those for AVX2;
compiled classes and translation are left out.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK_INSTRUCTIONS = 224  # kInstructions + 2 * kResults of interpreter_bench.cpp


def benchmark_of(build, folder):
    """A copy without debug information: valgrind 3.19 cannot read what clang-19 writes."""
    copy = folder / str(len(list(folder.iterdir())))
    source = pathlib.Path(build) / "bench" / "interpreter" / "bench_interpreter"
    subprocess.run(["objcopy", "--strip-debug", source, copy], check=True)
    return copy


def classes(program):
    listed = subprocess.run([program, "--benchmark_list_tests"], check=True, capture_output=True,
                            text=True).stdout.split()
    return [name for name in listed if "compiled" not in name and "translation" not in name]


def count(program, name):
    """One iteration, counted inside the executor's loop only."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         "--toggle-collect=wavetank::dispatch::run_until_stop*", program,
         f"--benchmark_filter=^{name}$", "--benchmark_min_time=0"],
        env=dict(os.environ, WAVETANK_HOST_SIMD="avx2"), capture_output=True, text=True)
    iterations = re.search(r"/\w+\s+[\d.]+ \w+\s+[\d.]+ \w+\s+(\d+)", done.stdout)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if not iterations or int(iterations[1]) != 1 or not collected or int(collected[1]) == 0:
        sys.exit(f"{name}: valgrind did not count one iteration\n{done.stdout}{done.stderr}")
    return int(collected[1]) / BLOCK_INSTRUCTIONS


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    builds = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        programs = [benchmark_of(build, pathlib.Path(folder)) for build in builds]
        print(f"{'class':28}" + "".join(f"{build[-20:]:>22}" for build in builds) + "   ratio")
        for name in classes(programs[0]):
            counts = [count(program, name) for program in programs]
            ratio = f"{counts[-1] / counts[0]:8.3f}" if len(counts) == 2 else ""
            numbers = "".join(f"{number:22.1f}" for number in counts)
            print(f"{name:28}{numbers}{ratio}", flush=True)


main()
