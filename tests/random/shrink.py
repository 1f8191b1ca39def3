#!/usr/bin/env python3
"""Makes a random program that fails as small as it goes, by delta debugging of its tree.

    shrink.py SEED LEVEL DEVICE --wavetank build/bin/wavetank [--engine interpreter]
              [--output small.hip]

Statements, functions and exchanges are left out, alone and in groups; loops and branches give way
to their bodies, expressions to their parts or to constants, the grid to one small workgroup. A
change stays when the program still compiles, the host finds nothing undefined in it and it fails
in the way it first did. The result is a HIP program fit for tests/programs.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from build import SANITIZE, compile_program, run_program
from generate import source
from program import Program

STEPS = ("statement", "function")
TRIALS = 16  # kernels in one source file: most of the time is the compiler's for the headers


def manner(seen):
    """How a run failed: another value, no end, or the exit code; None when it did not fail."""
    if seen is None or seen.startswith("no end"):
        return seen and "no end"
    return "other values" if ", expected 0x" in seen else seen.split(":")[0]


class Shrinker:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.program = Program(options.seed)
        self.choices, self.tests, self.manner = {}, 0, None

    def source(self, trials, marks=True):
        """A source file that holds the program several times, each with other choices.

        With `marks` the compiler names the trial as the file of an error.
        """
        parts = []
        for name, choices in trials.items():
            text = self.program.tree.render(self.program.text, {**self.choices, **choices})
            text = text.replace(f"namespace {self.program.name} ", f"namespace {name} ")
            parts.append((self.program, name, (f'#line 1 "{name}"\n' if marks else "") + text))
        return source(parts)

    def test(self, trials):
        """How the program with each of these choices fails, or None, by the trials' names."""
        if not trials:
            return {}
        file, binary = self.folder / "trials.hip", self.folder / "trials"
        self.tests += len(trials)
        o = self.options
        alive = dict(trials)
        while alive:
            file.write_text(self.source(alive))
            complaint = compile_program(o.wavetank, file, binary, o.level, [o.device],
                                        [*SANITIZE, "-ferror-limit=0"])
            if complaint is None:
                break
            named = set(re.findall(r"^(trial_\d+):\d+:\d+: error", complaint, re.MULTILINE))
            alive = {n: choices for n, choices in alive.items() if named and n not in named}
        return {name: manner(run_program(o.wavetank, binary, o.device, o.engine, name, 60))
                if name in alive else None for name in trials}

    def first(self, candidates):
        """Choices to add with which the program still fails: of several candidates, or None."""
        for at in range(0, len(candidates), TRIALS):
            trials = {f"trial_{k}": c for k, c in enumerate(candidates[at:at + TRIALS])}
            good = [trials[name] for name, how in self.test(trials).items() if how == self.manner]
            if not good:
                continue
            unions = [good[0]]
            for more in good[1:]:
                unions.append({**unions[-1], **more})
            tests = {f"trial_{k}": union for k, union in enumerate(unions[1:])}
            together = [tests[name] for name, how in self.test(tests).items() if how == self.manner]
            return max([good[0], *together], key=len)
        return None

    def live(self, kinds=None):
        """The nodes of the program as it is, not yet replaced, outermost first."""
        tree = self.program.tree
        return [n for n in tree.live(self.program.text, self.choices)
                if n not in self.choices and tree.alternatives[n]
                and (kinds is None) == (tree.kinds[n] not in STEPS)]

    def simplest(self, kinds):
        """Puts the simplest alternative in place of nodes: halves of them, quarters, each."""
        changed = False
        while True:
            nodes, candidates, size = self.live(kinds), [], len(self.live(kinds))
            while size > 1:
                size = (size + 1) // 2
                candidates += [{node: 0 for node in nodes[at:at + size]}
                               for at in range(0, len(nodes), size)]
            found = self.first(candidates or [{node: 0} for node in nodes])
            if not found:
                return changed
            self.choices.update(found)
            changed = True

    def parts(self):
        """Puts a part of a node, its body or an operand, in its place."""
        changed = False
        while True:
            alternatives = self.program.tree.alternatives
            found = self.first([{node: other} for node in self.live(STEPS) + self.live()
                                for other in range(1, len(alternatives[node]))])
            if not found:
                return changed
            self.choices.update(found)
            changed = True

    def smaller_grid(self):
        whole = self.program
        for threads, grid in (((64, 1, 1), (1, 1, 1)), (None, (1, 1, 1))):
            self.program = Program(self.options.seed, threads, grid)
            if self.test({"trial_0": {}})["trial_0"] == self.manner:
                return
        self.program = whole

    def shrink(self):
        self.manner = self.test({"trial_0": {}})["trial_0"]
        if self.manner is None:
            sys.exit("this program agrees with the host")
        self.smaller_grid()
        while True:
            changed = self.simplest(STEPS)
            self.report()
            changed = self.simplest(None) or changed
            self.report()
            changed = self.parts() or changed
            self.report()
            if not changed:
                return

    def report(self):
        print(f"{self.tests} programs tried, {self.size()}", file=sys.stderr, flush=True)

    def size(self):
        lines = self.source({self.program.name: {}}).count("\n")
        return (f"{lines} lines, {len(self.live(STEPS))} statements and functions, "
                f"{len(self.live())} expressions")


def parse():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("level", type=int)
    parser.add_argument("device")
    parser.add_argument("--wavetank", required=True)
    parser.add_argument("--engine", default="jit")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("small.hip"))
    return parser.parse_args()


def main():
    options = parse()
    with tempfile.TemporaryDirectory() as folder:
        shrinker = Shrinker(options, pathlib.Path(folder))
        before = shrinker.size()
        shrinker.shrink()
    options.output.write_text(
        f"// Random program {options.seed}, made small: at -O{options.level} on {options.device} "
        f"it gave {shrinker.manner}.\n"
        + shrinker.source({shrinker.program.name: {}}, marks=False))
    if shutil.which("clang-format"):
        subprocess.run(["clang-format", "-i", "--style={BasedOnStyle: Google, ColumnLimit: 100}",
                        str(options.output)], check=True)
    print(f"before: {before}; after: {shrinker.size()}; {shrinker.tests} programs tried; "
          f"{options.output}")


if __name__ == "__main__":
    main()
