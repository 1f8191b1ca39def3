#!/usr/bin/env python3
"""Runs `wavetank check` on the programs of examples/checks.

Each was compiled as it is, in which case errors or advice are to be found, and with FIXED defined as
NAME_FIXED, in which case nothing is. What is printed for gfx90a stands in the README, which --update
writes; the number of the host's threads changes nothing of it.

    check_examples.py WAVETANK FOLDER PROGRAMS gfx90a|gfx942 [--update]
"""
import argparse
import pathlib
import subprocess
import sys

DEVICES = {"gfx90a": "mi210", "gfx942": "mi300x"}
HEAD = """# Programs with a mistake

Small programs, each with one mistake of a kind that `wavetank check` finds. Compiled with -DFIXED
they are right, and it says so.

    wavetank cc -g NAME.hip -o NAME
    wavetank check --fix --device mi210 ./NAME

`ninja update_checks` writes this page; a test compares it with what the command prints.
"""


def checked(wavetank, program, processor, threads, *flags):
    done = subprocess.run([wavetank, "check", *flags, "--device", DEVICES[processor], "--threads",
                           str(threads), program], capture_output=True, text=True, timeout=240)
    # A launch that ends in a fault says so in AMD's words, with a handle that differs each time.
    report = done.stderr
    return done.returncode, report[report.index("\n\n"):] if report[0] != "\n" and "\n\n" in report \
        else report


def section(source, output):
    text = source.read_text()
    purpose = text[:text.index("#include")].replace("// ", "").replace("\n", " ").strip()
    lines = "".join(("    " + line).rstrip() + "\n" for line in output.strip().splitlines())
    return f"\n## {source.stem}\n\n{purpose}\n\n{lines}"


def without_help(output):
    return "".join(line for line in output.splitlines(True) if "= help: " not in line)


def races_without_help(output):
    return [part for part in output.split("\n\n")
            if part.lstrip().startswith("error[E0310]") and "= help: " not in part]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("wavetank")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("processor", choices=DEVICES)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    failures = []
    page = HEAD
    for source in sorted(options.folder.glob("*.hip")):
        wrong, right = options.programs / source.stem, options.programs / f"{source.stem}_FIXED"
        code, output = checked(options.wavetank, wrong, options.processor, 1, "--fix")
        page += section(source, output)
        is_told = code == 1 and "error[E03" in output or code == 0 and "note[E0319]" in output
        if not is_told or f"{source.name}:" not in output:
            failures.append(f"{source.stem}: nothing found\n{output}")
        if races_without_help(output):
            failures.append(f"{source.stem}: races without a help\n{output}")
        if options.processor == "gfx90a":
            _, again = checked(options.wavetank, wrong, options.processor, 8)
            if again != without_help(output):
                failures.append(f"{source.stem}: other threads, other findings\n{again}")
        code, output = checked(options.wavetank, right, options.processor, 1)
        if code != 0 or "[E03" in output:
            failures.append(f"{source.stem}, fixed: exit code {code}\n{output}")
    readme = options.folder / "README.md"
    if options.update:
        readme.write_text(page)
    elif options.processor == "gfx90a" and readme.read_text() != page:
        failures.append("examples/checks/README.md is not what is printed: `ninja update_checks`")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
