#!/usr/bin/env python3
"""What `wavetank check` costs beside `wavetank run`.

    slow_down.py [--device D] [--threads N] [--rounds N] WAVETANK PROGRAM [ARGUMENT]... [-- PROGRAM ...]...

Runs each program under both commands in turn and prints, of the least of all rounds, the processor
time of all threads, the time that passed, their ratios, and the peak memory. Processor time is
what to compare on a machine that has other work. Ends with the geometric means. Exit code 1 when a
program failed, or when the check found an error in it.
"""
import argparse
import math
import os
import pathlib
import subprocess
import sys
import time


def measure(command, environment):
    """Seconds of processor time, seconds, MB at the peak; None when the command failed."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        return None
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss / 1024


def least_of(command, environment, best):
    measured = measure(command, environment)
    if measured is None:
        sys.exit("failed: " + " ".join(command))
    return tuple(min(pair) for pair in zip(best or measured, measured))


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="mi210")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("wavetank")
    parser.add_argument("words", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    environment = dict(os.environ, WAVETANK_THREADS=options.threads)
    programs = [part.split("\n") for part in "\n".join(options.words).split("\n--\n")]
    print(f"{'program':28} {'run s':>8} {'check s':>8} {'ratio':>6} {'passed':>7} "
          f"{'run MB':>7} {'check MB':>8} {'ratio':>6}")
    ratios = []
    for program in programs:
        best = {"run": None, "check": None}
        for _ in range(options.rounds):
            for verb in best:
                command = [options.wavetank, verb, "--device", options.device, *program]
                best[verb] = least_of(command, environment, best[verb])
        run, check = best["run"], best["check"]
        ratios.append([after / before for before, after in zip(run, check)])
        name = " ".join([pathlib.Path(program[0]).name, *program[1:]])[:28]
        print(f"{name:28} {run[0]:8.2f} {check[0]:8.2f} {ratios[-1][0]:6.2f} {ratios[-1][1]:7.2f} "
              f"{run[2]:7.0f} {check[2]:8.0f} {ratios[-1][2]:6.2f}", flush=True)
    means = [geomean(column) for column in zip(*ratios)]
    print(f"{'geometric mean':28} {'':8} {'':8} {means[0]:6.2f} {means[1]:7.2f} "
          f"{'':7} {'':8} {means[2]:6.2f}")


main()
