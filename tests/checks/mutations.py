#!/usr/bin/env python3
"""Takes one wait, barrier or fence at a time out of programs that pass `wavetank check`.

    mutations.py WAVETANK gfx90a|gfx942 [--flags FLAGS] SOURCE.hip[:ARGUMENTS]...

Each source is compiled, and each s_waitcnt, s_barrier, buffer_wbl2, buffer_inv and
buffer_wbinvl1_vol of the kernels that it launches overwritten by s_nop in a copy of the program,
which is then checked. Prints a line for each: what was found, or why it does no harm (harmless.py),
or that it was missed; then a table for each sort. What a reason says not to run is overwritten by
s_trap, which would end the program. Exit code 1 if less than 95 % of what matters was found.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

import code_flow
import harmless
import machine_code

DEVICES = {"gfx90a": "mi210", "gfx942": "mi300x"}
REMOVED = re.compile(r"s_waitcnt|s_barrier|buffer_wbl2|buffer_inv|buffer_wbinvl1")
LEAST_FOUND = 0.95


class Program:
    """A compiled source, of which copies are run and checked."""

    def __init__(self, options, source, folder):
        path, _, arguments = source.partition(":")
        self.name = pathlib.Path(path).name.split(".")[0]
        self.path = folder / self.name
        self.arguments = arguments.split()
        self.wavetank = options.wavetank
        self.device = DEVICES[options.processor]
        subprocess.run([options.wavetank, "cc", "-g", "-O3", f"--offload-arch={options.processor}",
                        *options.flags.split(), "-x", "hip", path, "-o", self.path], check=True)
        self.bytes = self.path.read_bytes()

    def start(self, command, content):
        self.path.write_bytes(content)
        return subprocess.run([self.wavetank, command, "--device", self.device, self.path,
                               *self.arguments], capture_output=True, text=True, timeout=120)

    def errors(self, content):
        """Codes of what a check of these bytes finds."""
        try:
            done = self.start("check", content)
        except subprocess.TimeoutExpired:
            return ["hangs"]
        errors = sorted(set(re.findall(r"^error\[(E\d+)\]", done.stderr, re.M)))
        return errors if errors or done.returncode == 0 else ["fails"]

    def traps(self, content):
        try:
            return "s_trap" in self.start("run", content).stderr
        except subprocess.TimeoutExpired:
            return True

    def reaches(self, instructions):
        """True if the program comes to one of these instructions."""
        return self.traps(machine_code.overwritten(self.bytes, instructions, machine_code.TRAP))


class Run:
    """What a run of a program comes to in one of its kernels."""

    def __init__(self, program, kernel):
        self.program = program
        self.kernel = kernel
        self.reached = {}

    def reaches(self, instructions):
        return any(self.reaches_one(one) for one in instructions)

    def reaches_one(self, one):
        if one.address not in self.reached:
            self.reached[one.address] = self.program.reaches([one])
        return self.reached[one.address]

    def takes(self, branches):
        """True if one of the branches is taken: the instruction behind the kernel's end is a trap
        then, to which they go."""
        end = next(i for i in reversed(range(len(self.kernel)))
                   if self.kernel[i].name in ("s_endpgm", "s_branch"))
        if end + 1 == len(self.kernel):
            return True
        trap = self.kernel[end + 1]
        content = machine_code.overwritten(self.program.bytes, [trap], machine_code.TRAP)
        return self.program.traps(machine_code.redirected(content, branches, trap.address))


def mutate(program, counts):
    """Prints a line for each instruction that is taken out, and counts what became of it."""
    if found := program.errors(program.bytes):
        sys.exit(f"{program.name}: {' '.join(found)} as it is")
    for kernel, instructions in machine_code.kernels(program.bytes):
        if not program.reaches(instructions[:1]):
            continue
        code, run = code_flow.Code(instructions), Run(program, instructions)
        if code.has_calls():
            sys.exit(f"{program.name}: {kernel} calls functions, which is not followed here")
        for i, one in enumerate(instructions):
            if not REMOVED.match(one.text):
                continue
            found = program.errors(machine_code.overwritten(program.bytes, [one],
                                                            machine_code.NOP))
            told = [error for error in found if error.startswith("E")]
            reason = None if told else harmless.why(code, i, run)
            counts[one.name, "found" if told else reason or "missed"] += 1
            place = one.address - instructions[0].address
            print(f"{program.name:28} {kernel[:20]:20} +{place:#06x} {one.text:32} "
                  f"{' '.join(found) or reason or 'MISSED'}", flush=True)


def share_of_found(counts):
    """Prints the table; the share of what was found among what matters."""
    sorts = sorted({name for name, _ in counts})
    print("\n| taken out | of | found | missed | harmless |\n|---|---:|---:|---:|---:|")
    total = collections.Counter()
    for name in sorts + ["all"]:
        row = {what: counts[name, what] for one, what in counts if one == name} or total
        total.update(row if name != "all" else {})
        print(f"| {name} | {sum(row.values())} | {row.get('found', 0)} | {row.get('missed', 0)} | "
              f"{sum(row.values()) - row.get('found', 0) - row.get('missed', 0)} |")
    print("\n| harmless, since | times |\n|---|---:|")
    for reason, times in total.most_common():
        if reason not in ("found", "missed"):
            print(f"| {reason} | {times} |")
    matters = total["found"] + total["missed"]
    share = total["found"] / matters if matters else 1
    print(f"\n{total['found']} of {matters} that matter were found: {100 * share:.1f} %")
    return share


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("wavetank")
    parser.add_argument("processor", choices=DEVICES)
    parser.add_argument("--flags", default="-DFIXED")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as temporary:
        for source in options.sources:
            mutate(Program(options, source, pathlib.Path(temporary)), counts)
    return 0 if share_of_found(counts) >= LEAST_FOUND else 1


if __name__ == "__main__":
    sys.exit(main())
