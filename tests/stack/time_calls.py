#!/usr/bin/env python3
"""Wall time of some library calls on Wavetank: the first one, a later one, its kernels alone.

    time_calls.py FOLDER [PROGRAM]... [--build B] [--device D]

FOLDER holds the chroot `experimental` of make_chroot.py with the suites of the libraries; what the
programs are compiled with is installed if it is missing. PROGRAM is a name of programs/ (otherwise
all). Prints a Markdown table; `share` is that of a later call which is spent in its kernels. Both are
the least of ten: other work on the machine only adds.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys

import stack
from run import bring_libraries

# What each program is compiled with, besides HIP's headers.
PACKAGES = {"rocblas": ["librocblas-dev"],
            "hipblaslt": ["libhipblaslt-dev", "libhipblas-common-dev"],
            "rocfft": ["librocfft-dev"], "miopen": ["libmiopen-dev"]}
# Debian's MIOpen comes without the sources of its assembler kernels, which a search would load.
VARIABLES = {"miopen": {"MIOPEN_DEBUG_CONV_IMPLICIT_GEMM": "0", "MIOPEN_DEBUG_CONV_WINOGRAD": "0"}}
LIBRARIES = {"miopen": "MIOpen"}  # where -lNAME is not the program's name
SOURCES = stack.HERE / "programs"
INSIDE = "/tmp/time_calls"


def compile_program(root, name):
    """The program as the chroot sees it; the host's part needs no offloading compiler."""
    packages = [*PACKAGES[name], "libamdhip64-dev"]
    if "none" in [stack.version_of(root, package) for package in packages]:
        subprocess.run(stack.command_in(root, [
            "apt-get", "install", "--yes", "--quiet", "--quiet", "--no-install-recommends",
            "--target-release", "experimental", *packages]), check=True, stdout=sys.stderr)
    shutil.copytree(SOURCES, root / INSIDE[1:], dirs_exist_ok=True)
    program = f"{INSIDE}/{name}"
    subprocess.run(stack.command_in(root, [
        "clang++-22", "-O2", "-std=c++17", "-D__HIP_PLATFORM_AMD__", f"{program}.cpp",
        "-o", program, f"-l{LIBRARIES.get(name, name)}", "-lamdhip64"]), check=True)
    return program


def row(line):
    """A line of the table from NAME|FIRST|LATER|KERNELS."""
    name, first, later, kernels = line.split("|")
    share = f"{100 * float(kernels) / float(later):.0f} %" if kernels else ""
    return f"| {name} | {first} | {later} | {kernels} | {share} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("programs", nargs="*", default=list(PACKAGES), metavar="PROGRAM")
    parser.add_argument("--build", type=pathlib.Path, default=stack.BUILD)
    parser.add_argument("--device", default="mi210")
    options = parser.parse_intermixed_args()
    root = options.folder / "experimental"
    bring_libraries(root, options.build)
    wavetank = [f"{stack.INSIDE}/bin/wavetank", "run", "--device", options.device, "--"]
    failed = False
    print("| call | first, ms | later, ms | its kernels, ms | share |\n|---|---|---|---|---|")
    for name in options.programs:
        program = compile_program(root, name)
        variables = {"LD_LIBRARY_PATH": stack.EXTRA, **VARIABLES.get(name, {})}
        done = subprocess.run(
            stack.command_in(root, [*wavetank, program], variables, options.build),
            capture_output=True, text=True, timeout=900)
        for line in done.stdout.splitlines():
            if line.count("|") == 3:
                print(row(line), flush=True)
        if done.returncode != 0:
            failed = True
            print(f"{name}: exit {done.returncode}\n{done.stderr}", file=sys.stderr)
    sys.exit(1 if failed else 0)


main()
