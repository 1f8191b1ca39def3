#!/usr/bin/env python3
"""Generates, compiles and runs random programs; the exit code is 0 when all agree with the host.

    run.py --wavetank build/bin/wavetank --seeds 1-1000 [--levels 0,1,2,3] [--devices mi210,mi300x]
           [--engines jit,interpreter] [--group 20] [--jobs 2] [--record FILE]
           [--keep FOLDER] [--sanitize]

A seed is one program: a kernel with its functions. Without --levels each seed has one optimisation
level, seed modulo 4, so that a range spreads over -O0 to -O3; with it, every seed runs at each.
Programs of one level share a source file of --group seeds with code for all targets. A line names
each program that fails; shrink.py makes it small. --record continues an interrupted run: groups
that agreed are written to FILE and not repeated. --sanitize lets the host stop where C++ gives the
program no meaning. The last line counts what ran.
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile
import time

from build import SANITIZE, TARGET, compile_program, run_program

HERE = pathlib.Path(__file__).resolve().parent


def parse():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wavetank", required=True)
    parser.add_argument("--seeds", default="1-20")
    parser.add_argument("--levels")
    parser.add_argument("--devices", default="mi210,mi300x")
    parser.add_argument("--engines", default="jit,interpreter")
    parser.add_argument("--group", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--sanitize", action="store_true")
    return parser.parse_args()


def groups(options):
    """(level, seeds) for every source file."""
    first, _, last = options.seeds.partition("-")
    first, last = int(first), int(last or first)
    seeds = range(first, last + 1)
    if options.levels:
        by_level = {int(level): list(seeds) for level in options.levels.split(",")}
    else:
        by_level = {level: [s for s in seeds if s % 4 == level] for level in range(4)}
    most = max(map(len, by_level.values()))
    return [(level, chosen[at:at + options.group]) for at in range(0, most, options.group)
            for level, chosen in sorted(by_level.items()) if at < len(chosen)]


def machines(options):
    """Every device with every engine."""
    return [(device, engine) for device in options.devices.split(",")
            for engine in options.engines.split(",")]


def test_group(options, folder, level, seeds):
    """The failures of one source file, as lines."""
    name = f"seeds_{seeds[0]}_{seeds[-1]}_O{level}"
    source, program = folder / f"{name}.hip", folder / name
    made = subprocess.run([sys.executable, HERE / "generate.py", *map(str, seeds)],
                          check=True, capture_output=True, text=True)
    source.write_text(made.stdout)
    complaint = compile_program(options.wavetank, source, program, level,
                                options.devices.split(","), SANITIZE if options.sanitize else ())
    failures = []
    if complaint:
        if len(seeds) > 1:  # the others can still run
            return [line for seed in seeds for line in test_group(options, folder, level, [seed])]
        return [f"FAIL seed {seeds[0]} -O{level}: does not compile\n{complaint[:2000]}"]
    for device, engine in machines(options):
        if run_program(options.wavetank, program, device, engine) is None:
            continue
        alone = {seed: run_program(options.wavetank, program, device, engine, f"seed_{seed}", 120)
                 for seed in seeds}
        failures += [f"FAIL seed {seed} -O{level} on {device} ({engine}): {seen}"
                     for seed, seen in alone.items() if seen]
        if not any(alone.values()):
            failures.append(f"FAIL seeds {seeds} -O{level} on {device} ({engine}): only together")
    if not options.keep:
        program.unlink()
        source.unlink()
    return failures


def record_line(options, level, seeds):
    return f"-O{level} on {options.devices} by {options.engines}: {' '.join(map(str, seeds))}"


def done_before(options):
    """The groups that the record names."""
    if not options.record or not options.record.exists():
        return []
    known = set(options.record.read_text().splitlines())
    return [group for group in groups(options) if record_line(options, *group) in known]


def test_unless_done(options, folder, level, seeds):
    """None when the record has the group: of an earlier run, or of one at the same time."""
    if (level, seeds) in done_before(options):
        return None
    return test_group(options, folder, level, seeds)


def test(options, folder):
    """The failures of all groups; each group is reported when it ends."""
    failures = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(test_unless_done, options, folder, *group): group
                   for group in groups(options)}
        for done in concurrent.futures.as_completed(running):
            level, seeds = running[done]
            seen = done.result()
            if seen is None:
                continue
            failures += seen
            if options.record and not seen:
                with options.record.open("a") as record:
                    print(record_line(options, level, seeds), file=record)
            print(f"-O{level} seeds {seeds[0]}-{seeds[-1]}: {len(seen)} failures", *seen, sep="\n",
                  file=sys.stderr, flush=True)
    return failures


def summary(options, failures, seconds, earlier):
    work, devices = groups(options), options.devices.split(",")
    programs = len({seed for _, seeds in work for seed in seeds})
    at_level = {level: sum(len(s) for at, s in work if at == level) for level in range(4)}
    levels = ", ".join(f"{count} at -O{level}" for level, count in at_level.items() if count)
    runs = sum(at_level.values()) * len(machines(options))
    where = " and ".join(f"{device} ({TARGET[device]})" for device in devices)
    verdict = "PASS" if not failures else f"FAIL ({len(failures)})"
    return (f"{verdict}: {programs} random programs, seeds {options.seeds} ({levels}) on {where}, "
            f"{options.engines.replace(',', ' and ')}: {runs - len(failures)} of {runs} runs agree "
            f"with the host, {seconds:.0f} s"
            + (f" ({earlier} of {len(work)} groups earlier)" if earlier else ""))


def main():
    options, start = parse(), time.monotonic()
    earlier = len(done_before(options))
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        failures = test(options, options.keep)
    else:
        with tempfile.TemporaryDirectory() as folder:
            failures = test(options, pathlib.Path(folder))
    print(summary(options, failures, time.monotonic() - start, earlier), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
