#!/usr/bin/env python3
"""Runs `wavetank check` on programs of examples/checks that are compiled with -O0.

There a barrier, an atomicAdd and what gives a work-item's number are functions, and values go
through private memory. Errors must name lines of the program all the same, and what is right
(-DFIXED) must stay silent.

    check_unoptimised.py WAVETANK FOLDER NAME...
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from check_examples import DEVICES


def compiled(wavetank, source, folder, *flags):
    program = folder / "program"
    targets = [f"--offload-arch={target}" for target in DEVICES]
    subprocess.run([wavetank, "cc", "-g", "-O0", *targets, *flags, source.name, "-o", program],
                   check=True, cwd=source.parent)
    return program


def checked(wavetank, program, device):
    done = subprocess.run([wavetank, "check", "--device", device, program],
                          capture_output=True, text=True, timeout=120)
    return done.returncode, done.stderr


def main():
    wavetank, examples, *names = sys.argv[1:]
    failures = []
    with tempfile.TemporaryDirectory() as temporary:
        for name in names:
            source = pathlib.Path(examples) / f"{name}.hip"
            program = compiled(wavetank, source, pathlib.Path(temporary))
            for device in DEVICES.values():
                code, output = checked(wavetank, program, device)
                places = re.findall(r"--> (?:\S*/)?([^/\s]+):\d+$", output, re.M)
                if code != 1 or set(places) != {source.name} or len(places) < 2:
                    failures.append(f"{name} on {device}: found {places}\n{output}")
            program = compiled(wavetank, source, pathlib.Path(temporary), "-DFIXED")
            for device in DEVICES.values():
                code, output = checked(wavetank, program, device)
                if code != 0 or "[E03" in output:
                    failures.append(f"{name}, fixed, on {device}: exit code {code}\n{output}")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
