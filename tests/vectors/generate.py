#!/usr/bin/env python3
"""Writes the vector files: operands from the value grid, results from the references.

Each line names who gave the result: `llvm` (LLVM's constant folding, llvm.py), `exact` (rational or
integer arithmetic, rows.py), `libm` (the host's, libm.py), `mpfr` (mpfr.py), `pseudo-code` and `hip`
(external.py). What a reference says instead stands behind it; `deviation:9` names the row of
DEVIATIONS.md that explains why no other reference gives the result.
"""
import pathlib
import random
import re
import sys

import external
import libm
import llvm
import mpfr
import reference_numbers
import rows
import rows_rare  # adds to rows.ROWS

HERE = pathlib.Path(__file__).parent
FLOATS = {
    16: [0x0000, 0x0001, 0x03ff, 0x0400, 0x1400, 0x3555, 0x3800, 0x3801, 0x3bff, 0x3c00, 0x3c01, 0x3e00,
         0x4000, 0x4100, 0x4248, 0x5bff, 0x63ff, 0x6400, 0x77ff, 0x7bff, 0x7c00, 0x7d00, 0x7e00, 0x7e01],
    32: [0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x0b800000, 0x33000001, 0x38800000, 0x3dcccccd,
         0x3e22f983, 0x3eaaaaab, 0x3effffff, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000,
         0x40000000, 0x40200000, 0x40490fdb, 0x42c80000, 0x437f8000, 0x477fe000, 0x477ff000, 0x4b000000,
         0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000, 0x7e800000, 0x7f7fffff, 0x7f800000, 0x7fa00000,
         0x7fc00000, 0x7fc12345],
    64: [0x0000000000000000, 0x0000000000000001, 0x000fffffffffffff, 0x0010000000000000,
         0x36a0000000000000, 0x380fffffffffffff, 0x3810000000000000, 0x3fb999999999999a,
         0x3fd5555555555555, 0x3fe0000000000000, 0x3fefffffffffffff, 0x3ff0000000000000,
         0x3ff0000000000001, 0x3ff0000010000000, 0x3ff8000000000000, 0x4000000000000000,
         0x4004000000000000, 0x400921fb54442d18, 0x41dfffffffc00000, 0x41e0000000000000,
         0x41efffffffe00000, 0x41f0000000000000, 0x4330000000000000, 0x47efffffe0000000,
         0x47effffff0000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff4000000000000,
         0x7ff8000000000000, 0x7ff8000012345678],
}
INTEGERS = {
    16: [0, 1, 2, 7, 8, 15, 16, 0x7f, 0x80, 0xff, 0x100, 0x5555, 0x7fff, 0x8000, 0x8001, 0xaaaa, 0xfffe,
         0xffff],
    32: [0, 1, 2, 3, 7, 8, 15, 16, 24, 31, 32, 33, 0x7f, 0x80, 0xff, 0x100, 0x3ff, 0x7fff, 0x8000,
         0xffff, 0x10000, 0x7fffff, 0x800000, 0xffffff, 0x1000000, 0x07060504, 0x0c0d0a08, 0x00080b09,
         0x12345678, 0x55555555, 0x7fffffff, 0x80000000, 0x80000001, 0x89abcdef, 0xaaaaaaaa, 0xff00ff00,
         0xfffffffe, 0xffffffff],
    64: [0, 1, 2, 63, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x0123456789abcdef,
         0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001, 0xffffffff00000000,
         0xfffffffffffffffe, 0xffffffffffffffff],
}


def grid(kind):
    if kind == "mask":
        return [0, 1]
    bits = llvm.WIDTH[kind]
    if kind == "u128":
        return [v * 0x10001000000000000001 & (1 << 128) - 1 for v in INTEGERS[64]]
    if kind in ("pk", "pair"):
        half = FLOATS[bits // 2] + [v | 1 << (bits // 2 - 1) for v in FLOATS[bits // 2]]
        half += INTEGERS[bits // 2]
        return [v | half[(7 * i + 3) % len(half)] << bits // 2 for i, v in enumerate(half)]
    if kind[0] != "f":
        return INTEGERS[bits]
    return [v | sign for v in FLOATS[bits] for sign in (0, 1 << (bits - 1))]


def operands(name, kinds):
    """All of the grid for one operand; for more, each grid value in each place, then draws."""
    if len(kinds) == 1:
        return [(v,) for v in grid(kinds[0])]
    draw = random.Random(name)
    chosen = []
    for place, kind in enumerate(kinds):
        for value in grid(kind):
            vector = [draw.choice(grid(k)) for k in kinds]
            vector[place] = value
            chosen.append(tuple(vector))
    while len(chosen) < 60:
        chosen.append(tuple(draw.choice(grid(k)) for k in kinds))
    return list(dict.fromkeys(chosen))


# Rows of DEVIATIONS.md that explain differences from a reference.
DEVIATIONS = [(r"v_(sin|cos)_", 10), (r"v_div_", 8), (r"v_cvt_sr_", 30), (r"v_(rcp|rcp_iflag|rsq|sqrt|exp|log)(_legacy)?_f32", 9)]


def same_but_nan(form, want, value):
    """Equal, or both NaN: which one is for DEVIATIONS.md (rows 4 and 7) to say."""
    return want == value or (form.is_nan(want) and (value == "nan" or form.is_nan(value)))


def agree_but_for_nans(name, kind, want, value):
    if kind == "pk" and name.endswith("_f16") and value != "nan":
        form, low = reference_numbers.F16, 0xffff
        return same_but_nan(form, want & low, value & low) and same_but_nan(form, want >> 16, value >> 16)
    form = reference_numbers.FORMATS.get(kind)
    return form is not None and same_but_nan(form, want, value)


def agreement(name, result, want, opinions):
    """(sources that give `want`, notes on those that do not)."""
    sources, notes = ["exact"], ""
    for source, value in opinions.items():
        if value == want:
            sources.append(source)
        elif value is not None and agree_but_for_nans(name, result, want, value):
            sources.append(source + ":nan")
        elif value is not None:
            digits = max(1, llvm.WIDTH[result] // 4)
            text = value if value == "nan" else f"{value:0{digits}x}"
            notes += ("; " if notes else "   ") + f"{source} says {text}"
    return sources, notes


def lines(name, kinds, result, vectors, opinions):
    """`opinions` has a list of results for each source, `exact` the first."""
    digits = lambda kind: max(1, llvm.WIDTH[kind] // 4)
    for index, (vector, want) in enumerate(zip(vectors, opinions["exact"])):
        text = " ".join(f"{v:0{digits(k)}x}" for v, k in zip(vector, kinds))
        others = {s: values[index] for s, values in opinions.items() if s != "exact"}
        sources, notes = agreement(name, result, want, others)
        if len(sources) == 1:
            sources += [f"deviation:{row}" for pattern, row in DEVIATIONS if re.match(pattern, name)]
        yield f"  {text} -> {want:0{digits(result)}x}   {','.join(sources)}{notes}\n"


def write(name, kinds, result, body, function, attributes=""):
    vectors = operands(name, kinds)
    path = HERE / f"{name}.txt"
    opinions = {"exact": [function(*vector) for vector in vectors]}
    opinions["llvm"] = (llvm.fold(kinds, vectors, result, body, attributes) if body
                        else [None] * len(vectors))
    for source, module in (("libm", libm), ("mpfr", mpfr)):
        opinions[source] = [module.evaluate(name, vector) for vector in vectors]
    outside = external.results(path, name, kinds, result, vectors)
    for source in external.RECORDED:
        opinions[source] = [said.get(source) for said in outside]
    text = [f"# {name}   {result}({', '.join(kinds)})\n",
            "mode ieee, round nearest-even, denormals kept\n"]
    text += lines(name, kinds, result, vectors, opinions)
    path.write_text("".join(text))
    return len(vectors), sum("," in line.split("->")[1].split("says")[0] for line in text[2:])


def main():
    wanted = sys.argv[1:]
    for entry in rows.ROWS:
        if wanted and entry[0] not in wanted:
            continue
        total, both = write(*entry)
        print(f"{entry[0]}: {total} vectors, {both} with two sources")


main()
