#!/usr/bin/env python3
"""Runs the suites of suites.toml on Wavetank and prints what became of them.

    run.py FOLDER [--suite NAME]... [--cases N] [--begin P] [--filter F] [--device D] [--limit S]
           [--build B] [--results R] [--show]

FOLDER is where make_chroot.py put its chroots; the suites of those that are there are run, one
process at a time. B is a build (default build/release of this tree) or where one is installed,
which the chroot sees at /opt/wavetank. --cases, --filter, --device and --limit (limit_s) replace
the file's (--cases 0: all); with --begin, from 0 to below 1, a part takes other cases than without. R (default FOLDER/results) gets NAME.json with every case and NAME.log with all that its cases
wrote; --show prints what is there and runs nothing.
Exit code 1 when a case failed. Needs root.
"""
import argparse
import dataclasses
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import readers
import results
import rocblas_table
import stack
from process import Process

SHOWN = 20  # failures of a suite that are printed


def bring_libraries(root, build):
    """Copies the libraries that the build was linked with and the chroot does not have."""
    folder = root / stack.EXTRA[1:]
    folder.mkdir(parents=True, exist_ok=True)
    files = [build / "bin/wavetank", *(build / "lib").rglob("*.so.*")]
    done = subprocess.run(["ldd", *map(str, files)], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        words = line.split()
        if "=>" not in words or not words[2].startswith("/"):
            continue
        there = [root / "usr/lib/x86_64-linux-gnu" / words[0], folder / words[0]]
        if not any(file.exists() for file in there):  # one that a program maps is not written to
            shutil.copy(words[2], folder / words[0])


def programs_of(root, suite):
    """The suite's programs as the chroot sees them; a pattern stands for all that match it."""
    found = [path for pattern in suite.programs for path in sorted(root.glob(pattern[1:]))]
    return [f"/{path.relative_to(root)}" for path in found]


def run_suite(suite, root, build, folder):
    """Runs all programs of the suite; every case ends up in the report."""
    report = results.Report(suite.name, stack.version_of(root, suite.library), suite.device, 0)
    environment = {"LD_LIBRARY_PATH": stack.EXTRA, "GTEST_LISTENER": "PASS_LINE_IN_LOG",
                   **suite.environment}
    if suite.table:
        rocblas_table.thin(root / suite.table["file"][1:], root / "tmp/rocblas_table",
                           suite.table["every"])
    begun = time.monotonic()
    with open(folder / f"{suite.name}.log", "wb", buffering=0) as log:
        def start(command, limit_s=suite.limit_s, kept=True):
            wavetank = [f"{stack.INSIDE}/bin/wavetank", "run", "--device", suite.device, "--"]
            return Process(stack.command_in(root, [*wavetank, *command], environment, build),
                           limit_s, log if kept else None)
        for program in programs_of(root, suite):
            cases, available = readers.READERS[suite.reader](suite, program, start)
            report.cases += cases
            report.available += available
    report.seconds = time.monotonic() - begun
    results.write(report, folder / f"{suite.name}.json")
    return report


def run_all(suites, options, folder):
    """A report for each suite whose packages are installed and use a device."""
    for suite in suites:
        root = options.folder / suite.chroot
        if stack.version_of(root, suite.library) == "none":
            print(f"{suite.name}: {suite.library} is not installed in {root}", file=sys.stderr)
            continue
        if not stack.calls_hip(root, suite):
            print(f"{suite.name}: no package of it depends on {stack.RUNTIME}, it would run on the "
                  "host alone", file=sys.stderr)
            continue
        bring_libraries(root, options.build)
        report = run_suite(suite, root, options.build, folder)
        print(f"{suite.name}: {report.count(results.PASSED)} passed, "
              f"{report.count(results.FAILED)} failed", file=sys.stderr)
        yield report


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--suite", action="append", default=[])
    parser.add_argument("--cases", type=int)
    parser.add_argument("--begin", type=float)
    parser.add_argument("--filter")
    parser.add_argument("--device")
    parser.add_argument("--limit", type=int, dest="limit_s", metavar="S")
    parser.add_argument("--build", type=pathlib.Path, default=stack.BUILD)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--show", action="store_true")
    return parser.parse_args()


def main():
    options = parse()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # ends the program that runs
    suites = stack.choose(stack.read_suites()[1], options.suite)
    folder = options.results or options.folder / "results"
    folder.mkdir(parents=True, exist_ok=True)
    if options.show:
        files = [folder / f"{suite.name}.json" for suite in suites]
        reports = [results.read(file) for file in files if file.exists()]
    else:
        fields = ("cases", "begin", "filter", "device", "limit_s")
        replaced = {name: getattr(options, name) for name in fields
                    if getattr(options, name) is not None}
        suites = [dataclasses.replace(suite, **replaced) for suite in suites]
        reports = list(run_all(suites, options, folder))
    print("\n".join(results.table(reports)))
    for report in reports:
        failures = report.failures()
        for case in failures[:SHOWN]:
            print(f"{report.suite}: {case.name}: {case.reason}")
        if len(failures) > SHOWN:
            print(f"{report.suite}: {len(failures) - SHOWN} more in {report.suite}.json")
    sys.exit(1 if any(report.failures() for report in reports) else 0)


if __name__ == "__main__":
    main()
