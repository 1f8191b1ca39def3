#!/usr/bin/env python3
"""Writes tests/vectors/scalar: what scalar rows leave in D, SCC and EXEC, by two references.

A file is one effect of one instruction: `s_add_u32.txt` its result, `s_add_u32.scc.txt` its SCC,
`s_and_saveexec_b64.exec.txt` its EXEC. Operands are the row's sources in order (D stands for the old
destination, imm for SIMM16), then SCC or EXEC where the instruction reads it. References: Python
integers, written from the CDNA3 ISA guide, and LLVM's folding of IR (llvm.py).

    python3 scalar.py [instruction...]
"""
import pathlib
import random
import sys

import llvm

HERE = pathlib.Path(__file__).parent / "scalar"
GRID = {
    32: [0, 1, 2, 7, 15, 16, 31, 32, 33, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x80000,
         0x100003, 0x200000, 0x3f0010, 0x12345678, 0x55555555, 0x7fffffff, 0x80000000, 0x80000001,
         0xaaaaaaaa, 0xff00ff00, 0xfffffffe, 0xffffffff],
    64: [0, 1, 2, 31, 32, 63, 64, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x0123456789abcdef,
         0x5555555555555555, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
         0xaaaaaaaaaaaaaaaa, 0xffffffff00000000, 0xfffffffffffffffe, 0xffffffffffffffff],
    16: [0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff],
    1: [0, 1],
}
ROWS = []  # (name, effect, operand kinds, result kind, IR lines, function)


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def row(name, kinds, result, ir, function, scc=None, scc_ir=None):
    """`ir` computes %r from {a}, {b} ...; `scc` is a function of the operands, "nonzero" or None."""
    kinds = kinds.split()
    lines = ir if isinstance(ir, list) else [ir]
    if result:
        ROWS.append((name, "", kinds, result, lines, function))
    if scc == "nonzero":
        rest = [line.replace("%r =", "%q =") for line in lines]
        scc_ir = rest + [f"%r = icmp ne {llvm.IR_TYPE[result]} %q, 0"]
        scc = lambda *operands: int(function(*operands) != 0)
    if scc:
        ROWS.append((name, "scc", kinds, "mask", scc_ir if isinstance(scc_ir, list) else [scc_ir], scc))


def bitwise():
    for bits in (32, 64):
        t, ones = f"i{bits}", (1 << bits) - 1
        two = f"u{bits} u{bits}"
        for name, ir, f in (
                ("and", f"%r = and {t} {{a}}, {{b}}", lambda a, b: a & b),
                ("or", f"%r = or {t} {{a}}, {{b}}", lambda a, b: a | b),
                ("xor", f"%r = xor {t} {{a}}, {{b}}", lambda a, b: a ^ b),
                ("andn2", [f"%n = xor {t} {{b}}, -1", f"%r = and {t} {{a}}, %n"], lambda a, b: a & ~b),
                ("orn2", [f"%n = xor {t} {{b}}, -1", f"%r = or {t} {{a}}, %n"], lambda a, b: a | ~b),
                ("nand", [f"%n = and {t} {{a}}, {{b}}", f"%r = xor {t} %n, -1"], lambda a, b: ~(a & b)),
                ("nor", [f"%n = or {t} {{a}}, {{b}}", f"%r = xor {t} %n, -1"], lambda a, b: ~(a | b)),
                ("xnor", [f"%n = xor {t} {{a}}, {{b}}", f"%r = xor {t} %n, -1"], lambda a, b: ~(a ^ b))):
            row(f"s_{name}_b{bits}", two, f"u{bits}", ir,
                lambda a, b, f=f, ones=ones: f(a, b) & ones, "nonzero")
        mask = bits - 1
        amount = [f"%m = and i32 {{b}}, {mask}"]
        amount += ["%n = add i32 %m, 0"] if bits == 32 else ["%n = zext i32 %m to i64"]
        for name, op, f in (("s_lshl_b", "shl", lambda a, n, bits: a << n),
                            ("s_lshr_b", "lshr", lambda a, n, bits: a >> n),
                            ("s_ashr_i", "ashr", lambda a, n, bits: signed(a, bits) >> n)):
            row(f"{name}{bits}", f"u{bits} u32", f"u{bits}", amount + [f"%r = {op} {t} {{a}}, %n"],
                lambda a, b, f=f, bits=bits, ones=ones: f(a, b % bits, bits) & ones, "nonzero")
        row(f"s_not_b{bits}", f"u{bits}", f"u{bits}", f"%r = xor {t} {{a}}, -1",
            lambda a, ones=ones: ~a & ones, "nonzero")
        row(f"s_mov_b{bits}", f"u{bits}", f"u{bits}", f"%r = add {t} {{a}}, 0", lambda a: a)
        row(f"s_cmov_b{bits}", f"u{bits} D{bits} scc", f"u{bits}",
            f"%r = select i1 {{c}}, {t} {{a}}, {t} {{b}}", lambda a, d, c: a if c else d)
        row(f"s_cselect_b{bits}", two + " scc", f"u{bits}",
            f"%r = select i1 {{c}}, {t} {{a}}, {t} {{b}}", lambda a, b, c: a if c else b)
        row(f"s_brev_b{bits}", f"u{bits}", f"u{bits}",
            f"%r = call {t} @llvm.bitreverse.{t}({t} {{a}})",
            lambda a, bits=bits: int(f"{a:0{bits}b}"[::-1], 2))


def fields():
    for bits in (32, 64):
        t, ones = f"i{bits}", (1 << bits) - 1
        widen = [f"%x = zext i{bits} {{a}} to i128"]
        place = [f"%o = and i32 {{b}}, {bits - 1}", "%ow = zext i32 %o to i128",
                 "%s = lshr i32 {b}, 16", "%w = and i32 %s, 127", "%ww = zext i32 %w to i128"]
        row(f"s_bfe_u{bits}", f"u{bits} u32", f"u{bits}",
            widen + place + ["%f = lshr i128 %x, %ow", "%p = shl i128 1, %ww", "%m = sub i128 %p, 1",
                             "%k = and i128 %f, %m", f"%r = trunc i128 %k to {t}"],
            lambda a, b, bits=bits: a >> b % bits & (1 << (b >> 16 & 127)) - 1, "nonzero")
        row(f"s_bfe_i{bits}", f"u{bits} u32", f"u{bits}",
            [f"%x = sext i{bits} {{a}} to i128"] + place +
            ["%f = ashr i128 %x, %ow", "%zero = icmp eq i32 %w, 0", "%l = sub i128 128, %ww",
             "%u = select i1 %zero, i128 0, i128 %l", "%h = shl i128 %f, %u", "%g = ashr i128 %h, %u",
             f"%y = trunc i128 %g to {t}", f"%r = select i1 %zero, {t} 0, {t} %y"],
            lambda a, b, bits=bits, ones=ones: signed_field(a, bits, b % bits, b >> 16 & 127) & ones,
            "nonzero")
        wide = [] if bits == 32 else ["%aw = zext i32 {a} to i64", "%bw = zext i32 {b} to i64"]
        a, b = ("{a}", "{b}") if bits == 32 else ("%aw", "%bw")
        row(f"s_bfm_b{bits}", "u32 u32", f"u{bits}",
            wide + [f"%c = and {t} {a}, {bits - 1}", f"%d = and {t} {b}, {bits - 1}",
                    f"%p = shl {t} 1, %c", f"%m = sub {t} %p, 1", f"%r = shl {t} %m, %d"],
            lambda a, b, bits=bits, ones=ones: ((1 << a % bits) - 1) << b % bits & ones)
        index = [f"%i = and i32 {{a}}, {bits - 1}"]
        index += ["%j = add i32 %i, 0"] if bits == 32 else ["%j = zext i32 %i to i64"]
        bit = index + [f"%k = shl {t} 1, %j"]
        row(f"s_bitset1_b{bits}", f"u32 D{bits}", f"u{bits}", bit + [f"%r = or {t} {{b}}, %k"],
            lambda a, d, bits=bits: d | 1 << a % bits)
        row(f"s_bitset0_b{bits}", f"u32 D{bits}", f"u{bits}",
            bit + [f"%n = xor {t} %k, -1", f"%r = and {t} {{b}}, %n"],
            lambda a, d, bits=bits: d & ~(1 << a % bits))
        index = [line.replace("{a}", "{b}") for line in index]
        for value in (0, 1):
            row(f"s_bitcmp{value}_b{bits}", f"u{bits} u32", None, [], None,
                lambda a, b, bits=bits, v=value: int((a >> b % bits & 1) == v),
                index + [f"%k = lshr {t} {{a}}, %j", f"%l = and {t} %k, 1",
                         f"%r = icmp eq {t} %l, {value}"])


def signed_field(value, bits, offset, width):
    if width == 0:
        return 0
    field = signed(value, bits) >> offset
    return signed(field & (1 << width) - 1, width)


def counts():
    for bits in (32, 64):
        t, ones = f"i{bits}", (1 << bits) - 1
        low = [] if bits == 32 else ["%r = trunc i64 %n to i32"]
        last = "%r" if bits == 32 else "%n"
        flip = [f"%x = xor {t} {{a}}, -1"]
        suffix = f"i32_b{bits}"
        for value, before, x in ((1, [], "{a}"), (0, flip, "%x")):
            row(f"s_bcnt{value}_{suffix}", f"u{bits}", "u32",
                before + [f"{last} = call {t} @llvm.ctpop.{t}({t} {x})"] + low,
                lambda a, v=value, bits=bits: f"{a:0{bits}b}".count(str(v)), "nonzero")
            row(f"s_ff{value}_{suffix}", f"u{bits}", "u32",
                before + [f"%c = call {t} @llvm.cttz.{t}({t} {x}, i1 false)",
                          f"%z = icmp eq {t} {x}, 0", f"{last} = select i1 %z, {t} -1, {t} %c"] + low,
                lambda a, v=value, bits=bits: f"{a:0{bits}b}"[::-1].find(str(v)) & 0xffffffff)
        zeros = [f"%c = call {t} @llvm.ctlz.{t}({t} %y, i1 false)", f"%z = icmp eq {t} %y, 0",
                 f"{last} = select i1 %z, {t} -1, {t} %c"] + low
        row(f"s_flbit_{suffix}", f"u{bits}", "u32", [f"%y = add {t} {{a}}, 0"] + zeros,
            lambda a, bits=bits: f"{a:0{bits}b}".find("1") & 0xffffffff)
        row("s_flbit_i32" if bits == 32 else "s_flbit_i32_i64", f"u{bits}", "u32",
            [f"%g = ashr {t} {{a}}, {bits - 1}", f"%y = xor {t} {{a}}, %g"] + zeros,
            lambda a, bits=bits, ones=ones: run_of_sign(f"{a:0{bits}b}"))
        fold = [f"%s{i} = lshr {t} {{a}}, {i}" for i in (1, 2, 3)]
        fold += [f"%o1 = or {t} {{a}}, %s1", f"%o2 = or {t} %o1, %s2", f"%o3 = or {t} %o2, %s3",
                 f"%q0 = and {t} %o3, {signed(ones // 15, bits)}"]
        quads = lambda a, bits: [int(a >> 4 * i & 15 != 0) for i in range(bits // 4)]
        row(f"s_wqm_b{bits}", f"u{bits}", f"u{bits}", fold + [f"%r = mul {t} %q0, 15"],
            lambda a, bits=bits: sum(15 * q << 4 * i for i, q in enumerate(quads(a, bits))), "nonzero")
        gather, total = [], "0"
        for i in range(bits // 4):
            name = "%r" if i == bits // 4 - 1 else f"%t{i}"
            gather += [f"%m{i} = lshr {t} %q0, {3 * i}", f"%n{i} = and {t} %m{i}, {1 << i}",
                       f"{name} = or {t} {total}, %n{i}"]
            total = name
        row(f"s_quadmask_b{bits}", f"u{bits}", f"u{bits}", fold + gather,
            lambda a, bits=bits: sum(q << i for i, q in enumerate(quads(a, bits))), "nonzero")


def run_of_sign(digits):
    same = len(digits) - len(digits.lstrip(digits[0]))
    return 0xffffffff if same == len(digits) else same


def arithmetic():
    m = 0xffffffff
    two, s = "u32 u32", lambda v: signed(v, 32)
    wide = ["%x = zext i32 {a} to i64", "%y = zext i32 {b} to i64"]
    sign = ["%x = sext i32 {a} to i64", "%y = sext i32 {b} to i64"]
    out = ["%l = trunc i64 %s to i32", "%v = sext i32 %l to i64", "%r = icmp ne i64 %v, %s"]
    above = ["%h = lshr i64 %s, 32", "%r = icmp ne i64 %h, 0"]
    row("s_add_u32", two, "u32", "%r = add i32 {a}, {b}", lambda a, b: a + b & m,
        lambda a, b: int(a + b > m), wide + ["%s = add i64 %x, %y"] + above)
    row("s_sub_u32", two, "u32", "%r = sub i32 {a}, {b}", lambda a, b: a - b & m,
        lambda a, b: int(b > a), "%r = icmp ult i32 {a}, {b}")
    outside = lambda v: int(not -1 << 31 <= v < 1 << 31)
    for name, op, f in (("add", "add", lambda a, b: a + b), ("sub", "sub", lambda a, b: a - b)):
        row(f"s_{name}_i32", two, "u32", f"%r = {op} i32 {{a}}, {{b}}",
            lambda a, b, f=f: f(s(a), s(b)) & m, lambda a, b, f=f: outside(f(s(a), s(b))),
            sign + [f"%s = {op} i64 %x, %y"] + out)
    carry = wide + ["%z = zext i1 {c} to i64"]
    add3 = carry + ["%t = add i64 %x, %y", "%s = add i64 %t, %z"]
    sub3 = carry + ["%t = sub i64 %x, %y", "%s = sub i64 %t, %z"]
    row("s_addc_u32", two + " scc", "u32", add3 + ["%r = trunc i64 %s to i32"],
        lambda a, b, c: a + b + c & m, lambda a, b, c: int(a + b + c > m), add3 + above)
    row("s_subb_u32", two + " scc", "u32", sub3 + ["%r = trunc i64 %s to i32"],
        lambda a, b, c: a - b - c & m, lambda a, b, c: int(a - b - c < 0), sub3 + above)
    for k in range(1, 5):
        ir = wide + [f"%t = shl i64 %x, {k}", "%s = add i64 %t, %y"]
        row(f"s_lshl{k}_add_u32", two, "u32", ir + ["%r = trunc i64 %s to i32"],
            lambda a, b, k=k: (a << k) + b & m, lambda a, b, k=k: int((a << k) + b > m), ir + above)
    row("s_mul_i32", two, "u32", "%r = mul i32 {a}, {b}", lambda a, b: a * b & m)
    high = ["%p = mul i64 %x, %y", "%h = lshr i64 %p, 32", "%r = trunc i64 %h to i32"]
    row("s_mul_hi_u32", two, "u32", wide + high, lambda a, b: a * b >> 32)
    row("s_mul_hi_i32", two, "u32", sign + high, lambda a, b: s(a) * s(b) >> 32 & m)
    row("s_absdiff_i32", two, "u32", ["%d = sub i32 {a}, {b}", "%n = sub i32 0, %d",
                                      "%g = icmp slt i32 %d, 0", "%r = select i1 %g, i32 %n, i32 %d"],
        lambda a, b: abs(s(a - b & m)) & m, "nonzero")
    row("s_abs_i32", "u32", "u32", "%r = call i32 @llvm.abs.i32(i32 {a}, i1 false)",
        lambda a: abs(s(a)) & m, "nonzero")
    row("s_sext_i32_i8", "u32", "u32", ["%t = trunc i32 {a} to i8", "%r = sext i8 %t to i32"],
        lambda a: signed(a & 0xff, 8) & m)
    row("s_sext_i32_i16", "u32", "u32", ["%t = trunc i32 {a} to i16", "%r = sext i16 %t to i32"],
        lambda a: signed(a & 0xffff, 16) & m)
    low, top = "%l = and i32 {a}, 65535", "%h = and i32 {b}, -65536"
    row("s_pack_ll_b32_b16", two, "u32", [low, "%h = shl i32 {b}, 16", "%r = or i32 %l, %h"],
        lambda a, b: a & 0xffff | (b & 0xffff) << 16)
    row("s_pack_lh_b32_b16", two, "u32", [low, top, "%r = or i32 %l, %h"],
        lambda a, b: a & 0xffff | b >> 16 << 16)
    row("s_pack_hh_b32_b16", two, "u32", ["%l = lshr i32 {a}, 16", top, "%r = or i32 %l, %h"],
        lambda a, b: a >> 16 | b >> 16 << 16)
    spread = ["%x = zext i32 {a} to i64"]
    total = "0"
    for i in range(32):
        name = "%r" if i == 31 else f"%t{i}"
        spread += [f"%b{i} = lshr i64 %x, {i}", f"%c{i} = and i64 %b{i}, 1",
                   f"%d{i} = mul i64 %c{i}, {signed(3 << 2 * i, 64)}", f"{name} = or i64 {total}, %d{i}"]
        total = name
    row("s_bitreplicate_b64_b32", "u32", "u64", spread,
        lambda a: int("".join(2 * digit for digit in f"{a:032b}"), 2))


COMPARE = {"eq": ("eq", lambda a, b: a == b), "lg": ("ne", lambda a, b: a != b),
           "gt": ("gt", lambda a, b: a > b), "ge": ("ge", lambda a, b: a >= b),
           "lt": ("lt", lambda a, b: a < b), "le": ("le", lambda a, b: a <= b)}


# s_max: the guide has SCC = S0 >= S1; devices leave SCC at 0 for equal operands (tinygrad's
# emulator, which was compared with hardware, corrects the guide the same way).
def compares():
    for name, (code, f) in COMPARE.items():
        for sign in "iu":
            value = (lambda v: signed(v, 32)) if sign == "i" else (lambda v: v)
            short = (lambda v: signed(v, 16)) if sign == "i" else (lambda v: v)
            ir = code if code in ("eq", "ne") else ("s" if sign == "i" else "u") + code
            row(f"s_cmp_{name}_{sign}32", "u32 u32", None, [], None,
                lambda a, b, f=f, v=value: int(f(v(a), v(b))), f"%r = icmp {ir} i32 {{a}}, {{b}}")
            row(f"s_cmpk_{name}_{sign}32", "imm D32", None, [], None,
                lambda k, d, f=f, v=value, w=short: int(f(v(d), w(k))),
                [f"%k = {'sext' if sign == 'i' else 'zext'} i16 {{a}} to i32",
                 f"%r = icmp {ir} i32 {{b}}, %k"])
        if name in ("eq", "lg"):
            row(f"s_cmp_{name}_u64", "u64 u64", None, [], None,
                lambda a, b, f=f: int(f(a, b)), f"%r = icmp {code} i64 {{a}}, {{b}}")
    for name, code, f in (("min", "lt", lambda a, b: a < b), ("max", "gt", lambda a, b: a > b)):
        for sign, letter in (("i", "s"), ("u", "u")):
            value = (lambda v: signed(v, 32)) if sign == "i" else (lambda v: v)
            row(f"s_{name}_{sign}32", "u32 u32", "u32",
                f"%r = call i32 @llvm.{letter}{name}.i32(i32 {{a}}, i32 {{b}})",
                lambda a, b, f=f, v=value: a if f(v(a), v(b)) else b,
                lambda a, b, f=f, v=value: int(f(v(a), v(b))),
                f"%r = icmp {letter}{code} i32 {{a}}, {{b}}")
    m, widen = 0xffffffff, "%k = sext i16 {a} to i32"
    row("s_movk_i32", "imm", "u32", "%r = sext i16 {a} to i32", lambda k: signed(k, 16) & m)
    row("s_cmovk_i32", "imm D32 scc", "u32", [widen, "%r = select i1 {c}, i32 %k, i32 {b}"],
        lambda k, d, c: signed(k, 16) & m if c else d)
    row("s_mulk_i32", "imm D32", "u32", [widen, "%r = mul i32 {b}, %k"],
        lambda k, d: d * signed(k, 16) & m)
    row("s_addk_i32", "imm D32", "u32", [widen, "%r = add i32 {b}, %k"],
        lambda k, d: d + signed(k, 16) & m,
        lambda k, d: int(not -1 << 31 <= signed(d, 32) + signed(k, 16) < 1 << 31),
        ["%x = sext i16 {a} to i64", "%y = sext i32 {b} to i64", "%s = add i64 %x, %y",
         "%l = trunc i64 %s to i32", "%v = sext i32 %l to i64", "%r = icmp ne i64 %v, %s"])


def exec_rows():
    ones = (1 << 64) - 1
    not_a, not_b = "%n = xor i64 {a}, -1", "%n = xor i64 {b}, -1"
    inverted = lambda op: [f"%n = {op} i64 {{a}}, {{b}}", "%r = xor i64 %n, -1"]
    table = {"and": (["%r = and i64 {a}, {b}"], lambda a, e: a & e),
             "or": (["%r = or i64 {a}, {b}"], lambda a, e: a | e),
             "xor": (["%r = xor i64 {a}, {b}"], lambda a, e: a ^ e),
             "andn2": ([not_b, "%r = and i64 {a}, %n"], lambda a, e: a & ~e),
             "orn2": ([not_b, "%r = or i64 {a}, %n"], lambda a, e: a | ~e),
             "nand": (inverted("and"), lambda a, e: ~(a & e)),
             "nor": (inverted("or"), lambda a, e: ~(a | e)),
             "xnor": (inverted("xor"), lambda a, e: ~(a ^ e)),
             "andn1": ([not_a, "%r = and i64 {b}, %n"], lambda a, e: ~a & e),
             "orn1": ([not_a, "%r = or i64 {b}, %n"], lambda a, e: ~a | e)}
    for name, (ir, f) in table.items():
        for form in ("save", "wr"):
            if form == "wr" and name not in ("andn1", "andn2"):
                continue
            full = f"s_{name}_{form}exec_b64"
            new = lambda a, e, f=f: f(a, e) & ones
            d_ir = ["%r = add i64 {b}, 0"] if form == "save" else ir
            old = (lambda a, e: e) if form == "save" else new
            ROWS.append((full, "", ["u64", "exec"], "u64", d_ir, old))
            ROWS.append((full, "exec", ["u64", "exec"], "u64", ir, new))
            scc_ir = [line.replace("%r =", "%q =") for line in ir] + ["%r = icmp ne i64 %q, 0"]
            ROWS.append((full, "scc", ["u64", "exec"], "mask", scc_ir,
                         lambda a, e, new=new: int(new(a, e) != 0)))


BITS = {"u32": 32, "u64": 64, "D32": 32, "D64": 64, "imm": 16, "scc": 1, "exec": 64, "mask": 1}
PLAIN = {"D32": "u32", "D64": "u64", "imm": "u16", "scc": "mask", "exec": "u64"}


def operands(name, kinds):
    """Each grid value in each place, the others drawn; and pairs of equal operands."""
    draw, chosen = random.Random(name), []
    for place, kind in enumerate(kinds):
        for value in GRID[BITS[kind]]:
            vector = [draw.choice(GRID[BITS[k]]) for k in kinds]
            vector[place] = value
            chosen.append(tuple(vector))
    if len(kinds) > 1 and kinds[0] == kinds[1]:
        chosen += [(v, v, *(draw.choice(GRID[BITS[k]]) for k in kinds[2:])) for v in GRID[BITS[kinds[0]]]]
    return list(dict.fromkeys(chosen))


def write(name, effect, kinds, result, ir, function):
    vectors = operands(name, kinds)
    exact = [function(*vector) for vector in vectors]
    folded = llvm.fold([PLAIN.get(k, k) for k in kinds], vectors, result, ir)
    title = f"{name}.{effect}" if effect else name
    text = [f"# {title}   {result}({', '.join(kinds)})\n"]
    digits = lambda kind: max(1, BITS[kind] // 4)
    for vector, want, other in zip(vectors, exact, folded):
        words = " ".join(f"{v:0{digits(k)}x}" for v, k in zip(vector, kinds))
        note = f"   llvm says {other:x}" if other not in (None, want) else ""
        sources = "exact,llvm" if other == want else "exact"
        text.append(f"  {words} -> {want:0{digits(result)}x}   {sources}{note}\n")
    (HERE / f"{title}.txt").write_text("".join(text))
    both = sum(e == f for e, f in zip(exact, folded))
    print(f"{title}: {len(vectors)} vectors, {both} confirmed")


def main():
    HERE.mkdir(exist_ok=True)
    for section in (bitwise, fields, counts, arithmetic, compares, exec_rows):
        section()
    for entry in ROWS:
        if len(sys.argv) == 1 or entry[0] in sys.argv[1:]:
            write(*entry)


if __name__ == "__main__":
    main()
