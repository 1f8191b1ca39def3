#!/usr/bin/env python3
"""Writes docs/numbers.md from the runs of this folder's programs.

    page.py PAGE INSTRUCTIONS CONVERSIONS WAVETANK FUNCTIONS_GFX90A FUNCTIONS_GFX942
"""
import subprocess
import sys

HEAD = """# Numbers

How far the arithmetic is from the exact result. `ninja update_numbers` writes this page (some ten
minutes); `ctest -R numbers_` checks the bounds on fewer operands, `ctest -C Long -R
numbers_.*long` on more: there every f32 operand.

Errors are in units of the last place (ulp) of the exact result; 0.5 is a correctly rounded one. The
operand is the smallest that gives the largest error. The reference is MPFR; bounds and their sources
are in [bounds.hpp](../tests/numbers/bounds.hpp).
"""
INSTRUCTIONS = """
## Instructions

As launches run them; of every instruction the lane-by-lane handler gives the same bits. f32 functions
except sine and cosine flush denormals ([DEVIATIONS.md](../DEVIATIONS.md), row 9). v_rcp_iflag_f32,
v_exp_legacy_f32 and v_log_legacy_f32 compute as their namesakes do. v_frexp_exp is checked with
v_frexp_mant, the division instructions with the functions below.

| instruction | operands | largest error | bound | source |
|---|---|---|---|---|
"""
CONVERSIONS = """
## Conversions

| instruction | operands | result | |
|---|---|---|---|
"""
FUNCTIONS = """
## Functions

Debian's device library (ROCm 5.2.3), compiled by `wavetank cc -O3` and run on the virtual MI210. On
the MI300X every function is within its bound, too. Two functions of that library are wrong on any
device and not asked: `tgammaf` of negative numbers (up to 116 ulp above -31, 0 below) and `hsin` (NaN
for every finite number); see [functions.hpp](../tests/numbers/functions.hpp). `divide` and `sqrt` are
the operators: v_div_scale, v_div_fmas and v_div_fixup around v_rcp, as clang emits them.

| function | operands | largest error | bound | source |
|---|---|---|---|---|
"""


def rows(command):
    """The table's lines that a program prints; ends if the program says anything but PASS."""
    done = subprocess.run(command, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    if done.returncode != 0 or lines[-1] != "PASS":
        sys.exit(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
    return "".join(line + "\n" for line in lines if line.startswith("| "))


def main():
    page, instructions, conversions, wavetank, gfx90a, gfx942 = sys.argv[1:]
    text = HEAD + INSTRUCTIONS + rows([instructions, "page"])
    text += CONVERSIONS + rows([conversions])
    text += FUNCTIONS + rows([wavetank, "run", "--device", "mi210", gfx90a, "long"])
    rows([wavetank, "run", "--device", "mi300x", gfx942, "long"])
    open(page, "w").write(text)


main()
