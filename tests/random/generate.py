#!/usr/bin/env python3
"""Writes a HIP program of random kernels that checks itself.

    generate.py SEED... > program.hip

For each seed there is one kernel. A work-item runs random statements on variables of every type;
between such phases lanes exchange values through LDS, shuffles, votes, DPP and atomics. The same
statements, compiled for the host by the same compiler, run work-item by work-item; after each
phase the variables of both must agree bit for bit. The same seeds give the same program.
"""
import sys

from program import Program
from tree import layout


def source(programs):
    """The HIP program of some kernels, given as (program, name, text)."""
    cases = ",\n".join(program.case(name) for program, name, _ in programs)
    bodies = "\n".join(text for _, _, text in programs)
    return layout('#include "random/harness.hpp"\n' + bodies
                  + "\nint main(int argc, char** argv) {\nconst Case cases[] = {\n" + cases
                  + "\n};\nreturn run_cases(argc, argv, cases);\n}") + "\n"


def main():
    seeds = [int(word) for word in sys.argv[1:]]
    print(f"// Made by generate.py {' '.join(map(str, seeds))}.")
    programs = [Program(seed) for seed in seeds]
    print(source([(p, p.name, p.tree.render(p.text)) for p in programs]), end="")


if __name__ == "__main__":
    main()
