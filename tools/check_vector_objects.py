#!/usr/bin/env python3
"""Checks that objects compiled for one host's vector unit share no code with the rest.

A weak function (an inline function or a template that was not inlined) is merged by the linker with
those of the same name; one compiled with AVX-512 would crash older hosts. Every weak function of such
an object must belong to its host's namespace. Usage: check_vector_objects.py HOST OBJECT;OBJECT...
"""
import subprocess
import sys


def weak_functions(path):
    text = subprocess.run(["nm", "-C", path], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        fields = line.split(maxsplit=2)
        if len(fields) == 3 and fields[1] == "W":
            yield fields[2]


def main():
    host, objects = sys.argv[1], sys.argv[2].split(";")
    problems = [
        f"{path.rsplit('/', 1)[-1]}: {name}"
        for path in objects
        for name in weak_functions(path)
        if f"execute::{host}::" not in name
    ]
    print("\n".join(sorted(set(problems))) if problems else f"{host}: nothing shared")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
