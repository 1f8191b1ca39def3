#!/usr/bin/env python3
"""Checks that a library destroys nothing at exit.

Threads of the runtime still work when a program returns from main, until the exit handler of the
program's fat binary has waited for them; an object that was destroyed before would be used by them.
Usage: check_exit_handlers.py LIBRARY
"""
import subprocess
import sys


def main():
    path = sys.argv[1]
    text = subprocess.run(["nm", "-D", "--undefined-only", path],
                          capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1].split("@")[0] for line in text.splitlines()}
    if names & {"__cxa_atexit", "atexit"}:
        print(f"{path}: registers a destructor; make the object `*new Type`, never destroyed")
        return 1
    print("nothing is destroyed at exit")
    return 0


if __name__ == "__main__":
    sys.exit(main())
