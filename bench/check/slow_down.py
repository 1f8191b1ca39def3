#!/usr/bin/env python3
"""What `wavetank check` costs beside `wavetank run`.

    slow_down.py [--device D] [--threads N] [--rounds N] [--limit S] WAVETANK
                 [PROGRAM [ARGUMENT]... [-- PROGRAM ...]...]

Runs each program under both commands in turn and prints, of the least of all rounds, the processor
time of all threads, the time that passed, their ratios, and the peak memory. Processor time is
what to compare on a machine that has other work. Ends with the geometric means.

Without programs: the tests of bench/portable and lds_bound.hip, compiled now, and of the build that
WAVETANK (build/release/bin/wavetank) belongs to the examples and the programs of AMD's libraries
that are there (`ninja library_programs` makes all of them). They are judged by what a check may
cost: 4 times as a geometric mean, 10 times for each, 3 times where LDS is all that is used.

Exit code 1 when a program failed, took longer than the limit of S seconds under check, or when the
check found an error in it, or cost more than it may.
"""
import argparse
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
PORTABLE = ["vadd 1048576 100", "transpose 1024 60", "reduce 1048576 60", "sgemm 256 20",
            "nbody 2048 10"]
EXAMPLES = ["vadd", "transpose", "mxv", "reduction", "daxpy", "lbm", "conversions", "fusion",
            "divergence", "histogram", "shuffle", "printf"]
LIBRARY_PROGRAMS = ["rocprim_scan", "rocprim_sort", "rocrand_generators", "rocsparse_matrix_vector"]
MOST_ON_AVERAGE, MOST, MOST_IN_LDS = 4, 10, 3


class Failure(Exception):
    pass


def measure(command, environment, limit):
    """Seconds of processor time, seconds, MB at the peak."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=environment, start_new_session=True)
    timer = threading.Timer(limit, os.killpg, (process.pid, signal.SIGKILL))
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    if status != 0:
        late = time.monotonic() - begin >= limit
        raise Failure(f"no end in {limit:.0f} s" if late else "failed")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss / 1024


def least_of(measured, best):
    return tuple(min(pair) for pair in zip(best or measured, measured))


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def compile_program(options, source, folder, flags):
    target = "gfx942" if options.device.startswith("mi300") else "gfx90a"
    program = folder / source.name.split(".")[0]
    command = [options.wavetank, "cc", "-O3", "-std=c++17", f"--offload-arch={target}",
               f"-I{HERE.parent.parent / 'examples'}", *flags, source, "-o", program]
    subprocess.run(command, check=True)
    return str(program), target


def standard_programs(options, folder):
    """The programs with their arguments; what is not built is named and left out."""
    portable, target = compile_program(
        options, HERE.parent / "portable" / "portable_bench.hip.cpp", folder, [])
    in_lds, _ = compile_program(options, HERE / "lds_bound.hip", folder, [])
    programs = [[portable, *test.split()] for test in PORTABLE] + [[in_lds, "512", "300"]]
    build = pathlib.Path(options.wavetank).resolve().parent.parent
    for place, names in ((build / "examples" / target, EXAMPLES),
                         (build / "tests" / "libraries" / target, LIBRARY_PROGRAMS)):
        for name in names:
            if (place / name).is_file():
                programs.append([str(place / name)])
            else:
                print(f"not built, left out: {place / name}", file=sys.stderr)
    return programs


def measure_program(program, options, environment):
    """For run and check: seconds of processor time, seconds, MB."""
    best = {"run": None, "check": None}
    for _ in range(options.rounds):
        for verb in best:
            command = [options.wavetank, verb, "--device", options.device, *program]
            best[verb] = least_of(measure(command, environment, options.limit), best[verb])
    return best["run"], best["check"]


def measure_all(programs, options):
    """Prints a line for each; gives the ratios by name, and whether all could be measured."""
    environment = dict(os.environ, WAVETANK_THREADS=options.threads)
    print(f"{'program':30} {'run s':>8} {'check s':>8} {'ratio':>6} {'passed':>7} "
          f"{'run MB':>7} {'check MB':>8} {'ratio':>6}")
    ratios = {}
    for program in programs:
        name = " ".join([pathlib.Path(program[0]).name, *program[1:]])[:30]
        try:
            run, check = measure_program(program, options, environment)
        except Failure as failure:
            print(f"{name:30} {failure}", flush=True)
            continue
        ratio = ratios[name] = [after / before for before, after in zip(run, check)]
        print(f"{name:30} {run[0]:8.2f} {check[0]:8.2f} {ratio[0]:6.2f} {ratio[1]:7.2f} "
              f"{run[2]:7.0f} {check[2]:8.0f} {ratio[2]:6.2f}", flush=True)
    if ratios:
        means = [geomean(column) for column in zip(*ratios.values())]
        print(f"{'geometric mean':30} {'':8} {'':8} {means[0]:6.2f} {means[1]:7.2f} "
              f"{'':7} {'':8} {means[2]:6.2f}")
    return ratios, len(ratios) == len(programs)


def exceeded(ratios):
    """What costs more than it may, by processor time."""
    if ratios and geomean([ratio[0] for ratio in ratios.values()]) > MOST_ON_AVERAGE:
        yield f"more than {MOST_ON_AVERAGE} times on average"
    for name, ratio in ratios.items():
        most = MOST_IN_LDS if name.startswith("lds_bound") else MOST
        if ratio[0] > most:
            yield f"more than {most} times: {name}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="mi210")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=300)
    parser.add_argument("wavetank")
    parser.add_argument("words", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if options.words:
        programs = [part.split("\n") for part in "\n".join(options.words).split("\n--\n")]
        return 0 if measure_all(programs, options)[1] else 1
    with tempfile.TemporaryDirectory() as folder:
        ratios, complete = measure_all(standard_programs(options, pathlib.Path(folder)), options)
    too_much = list(exceeded(ratios))
    print("\n".join(too_much) or "none costs more than it may")
    return 0 if complete and not too_much else 1


sys.exit(main())
