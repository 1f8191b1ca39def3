"""What a memory instruction does to the data of one lane: by the ISA guide's description in integers
and rationals, and as LLVM IR.

IR works on pointers %p and %q and on %d, %e (data registers) and %o (the old destination) and gives
%r. ALIGN stands for the alignment of plain accesses.
"""
import random

from reference_numbers import F16, F32, F64, Format, add

BF16 = Format(16, 7)
MONOTONIC = 'syncscope("agent") monotonic'
GRID32 = [0, 1, 2, 7, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x12345678,
          0x55555555, 0xaaaaaaaa, 0xdeadbeef]
GRID64 = [0, 1, 2, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000,
          0x8000000000000001, 0xfffffffffffffffe, 0xffffffffffffffff, 0x0123456789abcdef,
          0xaaaaaaaa55555555]
FLOATS = {32: [0x3f800000, 0xbf800000, 0x40490fdb, 0x34000000, 0x33800000, 0x7f7fffff, 0x00800000,
               0xc2280000, 0x4b800001, 0x7f800000],
          64: [0x3ff0000000000000, 0xbff0000000000000, 0x400921fb54442d18, 0x3cb0000000000000,
               0x3ca0000000000000, 0x7fefffffffffffff, 0x0010000000000000, 0xc045000000000000,
               0x4340000000000001, 0x7ff0000000000000],
          16: [0x3c00, 0xbc00, 0x4248, 0x1400, 0x1000, 0x7bff, 0x0400, 0xc520, 0x6801, 0x7c00],
          "bf16": [0x3f80, 0xbf80, 0x4049, 0x3c00, 0x3b80, 0x7f7f, 0x0080, 0xc228, 0x4381, 0x7f80]}
DENORMALS = {32: [0x00000001, 0x807fffff, 0x00400000], 64: [1, 0x800fffffffffffff, 0x0008000000000000],
             16: [1, 0x83ff, 0x0200], "bf16": [1, 0x807f, 0x0040]}


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


class Operation:
    """size: bytes of an element; data: bits of each data operand; result: bits of the destination,
    0 for none; exact(olds, data, old destination) gives (news or None, result); grid: values of
    (olds, data) that should be tried; pair: two elements; together: lanes may share an address."""

    def __init__(self, size, data, result, exact, ir, grid, **extra):
        self.size, self.data, self.result, self.exact = size, data, result, exact
        self.ir = ir if isinstance(ir, list) else [ir]
        self.grid, self.pair, self.together = grid, False, False
        self.plain, self.keeps_half, self.flags, self.flushes = False, None, "", False
        self.select = True
        self.__dict__.update(extra)


def vector_type(bits):
    return f"<{bits // 32} x i32>" if bits > 64 else f"i{bits}"


def cast(bits, of, to):
    """%to from %of, where registers are wide integers and accesses vectors of dwords."""
    if bits <= 64:
        return f"%{to} = or i{bits} %{of}, 0"
    return (f"%{to} = bitcast {vector_type(bits)} %{of} to i{bits}" if to == "r" else
            f"%{to} = bitcast i{bits} %{of} to {vector_type(bits)}")


def bytes_grid(name, size, count=12):
    draw = random.Random(f"{name}{size}")
    edge = [0, (1 << 8 * size) - 1, 1 << 8 * size - 1, (1 << 8 * size - 1) - 1, 0x80, 0xff7f]
    values = [v & (1 << 8 * size) - 1 for v in edge]
    return values + [draw.getrandbits(8 * size) for _ in range(count - len(values))]


def load(size, sign=False):
    bits = 8 * size
    if size < 4:
        extend = "sext" if sign else "zext"
        ir = [f"%v = load i{bits}, ptr %p, ALIGN", f"%r = {extend} i{bits} %v to i32"]
        exact = lambda olds, data, o: (None, (signed(olds[0], bits) if sign else olds[0]) & 0xffffffff)
    else:
        ir = [f"%v = load {vector_type(bits)}, ptr %p, ALIGN", cast(bits, "v", "r")]
        exact = lambda olds, data, o: (None, olds[0])
    return Operation(size, [], max(bits, 32), exact, ir,
                     [((v,), ()) for v in bytes_grid("load", size)], plain=True)


def load_half(size, sign, high):
    """D16: one half of the register; here the other half is zero before and after."""
    bits, place = 8 * size, 16 if high else 0
    widen = f"%w = {'sext' if sign else 'zext'} i8 %v to i16" if size == 1 else "%w = or i16 %v, 0"
    ir = [f"%v = load i{bits}, ptr %p, ALIGN", widen, "%b = bitcast i32 %o to <2 x i16>",
          f"%c = insertelement <2 x i16> %b, i16 %w, i32 {place // 16}",
          "%r = bitcast <2 x i16> %c to i32"]
    exact = lambda olds, data, o: (
        None, ((signed(olds[0], bits) if sign else olds[0]) & 0xffff) << place)
    return Operation(size, [], 32, exact, ir, [((v,), ()) for v in bytes_grid("half", size)],
                     plain=True, keeps_half=place, flags="-mattr=-sramecc")


def store(size, shift=0):
    bits, register = 8 * size, max(8 * size, 32)
    ir = []
    if size < 4:
        ir = [f"%s = lshr i32 %d, {shift}", f"%v = trunc i32 %s to i{bits}"]
    else:
        ir = [cast(bits, "d", "v")]
    ir += [f"store {vector_type(bits)} %v, ptr %p, ALIGN"]
    draw = random.Random(f"store{size}")
    grid = [((draw.getrandbits(bits),), (draw.getrandbits(register),)) for _ in range(12)]
    return Operation(size, [register], 0,
                     lambda olds, data, o: ((data[0] >> shift & (1 << bits) - 1,), 0), ir, grid,
                     plain=True)


def pair(one):
    """Two elements: both results in one tuple, a data operand for each."""
    bits = 8 * one.size
    if one.result:
        ir = ["%v = load {0}, ptr %p, ALIGN".format(f"i{bits}"), f"%w = load i{bits}, ptr %q, ALIGN",
              f"%x = zext i{bits} %v to i{2 * bits}", f"%y = zext i{bits} %w to i{2 * bits}",
              f"%z = shl i{2 * bits} %y, {bits}", f"%r = or i{2 * bits} %z, %x"]
        exact = lambda olds, data, o: (None, olds[0] | olds[1] << bits)
        grid = [((v[0][0], ~v[0][0] & (1 << bits) - 1), ()) for v in one.grid]
        return Operation(one.size, [], 2 * bits, exact, ir, grid, plain=True, pair=True)
    ir = [f"store i{bits} %d, ptr %p, ALIGN", f"store i{bits} %e, ptr %q, ALIGN"]
    grid = [((0, 0), (v[1][0], ~v[1][0] & (1 << bits) - 1)) for v in one.grid]
    return Operation(one.size, [bits, bits], 0, lambda olds, data, o: (data, 0), ir, grid,
                     plain=True, pair=True)


def pairs_of(bits, name):
    """(old, data): equal, neighbours and extremes."""
    grid, draw = GRID32 if bits == 32 else GRID64, random.Random(name)
    chosen = [(v, v) for v in draw.sample(grid, 4)]
    chosen += [(v, v - 1 & (1 << bits) - 1) for v in draw.sample(grid, 2)]
    chosen += [(0, grid[-1]), (1 << bits - 1, (1 << bits - 1) - 1), (grid[-1], 0)]
    return chosen + [(draw.choice(grid), draw.choice(grid)) for _ in range(9)]


def atomic(name, bits, function, ir, returns, **extra):
    """An operation on memory and one data operand. `ir` is the name of an atomicrmw, or lines."""
    ones = (1 << bits) - 1
    lines = ir if isinstance(ir, list) else [f"%r = atomicrmw {ir} ptr %p, i{bits} %d {MONOTONIC}"]
    values = extra.pop("values", None) or pairs_of(bits, name)
    return Operation(bits // 8, [bits], bits if returns else 0,
                     lambda olds, data, o: ((function(olds[0], data[0]) & ones,), olds[0]), lines,
                     [((old,), (data,)) for old, data in values], **extra)


INTEGER = {
    "add": ("add", lambda m, d, b: m + d), "sub": ("sub", lambda m, d, b: m - d),
    "smin": ("min", lambda m, d, b: min(m, d, key=lambda x: signed(x, b))),
    "smax": ("max", lambda m, d, b: max(m, d, key=lambda x: signed(x, b))),
    "umin": ("umin", lambda m, d, b: min(m, d)), "umax": ("umax", lambda m, d, b: max(m, d)),
    "and": ("and", lambda m, d, b: m & d), "or": ("or", lambda m, d, b: m | d),
    "xor": ("xor", lambda m, d, b: m ^ d), "swap": ("xchg", lambda m, d, b: d),
    "inc": ("uinc_wrap", lambda m, d, b: 0 if m >= d else m + 1),
    "dec": ("udec_wrap", lambda m, d, b: d if m == 0 or m > d else m - 1)}
COMMUTES = ("add", "sub", "smin", "smax", "umin", "umax", "and", "or", "xor")


def integer_atomic(name, bits, returns):
    ir, function = INTEGER[name]
    return atomic(name, bits, lambda m, d: function(m, d, bits), ir, returns,
                  together=name in COMMUTES and not returns)


def reverse_subtract(bits, returns):
    lines = [f"%r = load i{bits}, ptr %p, ALIGN", f"%n = sub i{bits} %d, %r",
             f"store i{bits} %n, ptr %p, ALIGN"]
    return atomic("rsub", bits, lambda m, d: d - m, lines, returns, select=False)


def two_operands(name, bits, function, lines, returns, **extra):
    """DS: memory with two data operands."""
    draw, ones = random.Random(name), (1 << bits) - 1
    values = pairs_of(bits, name)
    grid = [((m,), (d, draw.choice(GRID32 if bits == 32 else GRID64))) for m, d in values]
    return Operation(bits // 8, [bits, bits], bits if returns else 0,
                     lambda olds, data, o: ((function(olds[0], *data) & ones,), olds[0]), lines,
                     grid, **extra)


def compare_swap_lines(bits, compare, new):
    return [f"%x = cmpxchg ptr %p, i{bits} {compare}, i{bits} {new} {MONOTONIC} monotonic",
            f"%r = extractvalue {{ i{bits}, i1 }} %x, 0"]


def compare_swap(bits, returns):
    """DS: the comparand in the first operand, the new value in the second."""
    return two_operands("cmpst", bits, lambda m, c, n: n if m == c else m,
                        compare_swap_lines(bits, "%d", "%e"), returns)


def compare_swap_tuple(bits, returns):
    """FLAT, MUBUF, SMEM: one tuple, the new value below the comparand."""
    lines = [f"%n = trunc i{2 * bits} %d to i{bits}", f"%h = lshr i{2 * bits} %d, {bits}",
             f"%c = trunc i{2 * bits} %h to i{bits}"] + compare_swap_lines(bits, "%c", "%n")
    ones = (1 << bits) - 1
    function = lambda m, t: t & ones if m == t >> bits else m
    draw = random.Random("cmpswap")
    values = [(m, c << bits | draw.getrandbits(bits)) for m, c in pairs_of(bits, "cmpswap")]
    result = atomic("cmpswap", bits, function, lines, returns, values=values)
    result.data = [2 * bits]
    return result


def float_of(bits):
    return {32: ("float", F32), 64: ("double", F64)}[bits]


def float_grid(bits, denormals):
    values = FLOATS[bits] + (DENORMALS[bits] if denormals else [])
    draw = random.Random(f"float{bits}")
    chosen = [(values[3], values[0]), (values[4], values[0]), (values[5], values[5]),
              (values[9], values[1]), (values[0], values[1])]
    if denormals:
        chosen += [(values[-1], values[-1]), (values[-3], values[-2]), (values[6], values[-2])]
    return chosen + [(draw.choice(values), draw.choice(values[:-1])) for _ in range(12)]


def float_lines(ir, bits):
    kind, _ = float_of(bits)
    return [f"%f = bitcast i{bits} %d to {kind}",
            f"%g = atomicrmw {ir} ptr %p, {kind} %f {MONOTONIC}", f"%r = bitcast {kind} %g to i{bits}"]


UNSAFE = '"amdgpu-unsafe-fp-atomics"="true"'


def float_add(bits, returns, denormals=True, flushes=False):
    _, form = float_of(bits)
    flush = lambda a: a & form.sign if flushes and form.is_denormal(a) else a
    return atomic("fadd", bits, lambda m, d: flush(add(form, flush(m), flush(d))),
                  float_lines("fadd", bits), returns, values=float_grid(bits, denormals or flushes),
                  attributes=UNSAFE, flushes=flushes)


def float_extreme(bits, want_max, returns):
    """No zeros of opposite signs and no NaN in memory, where references differ (DEVIATIONS 14)."""
    _, form = float_of(bits)
    value = lambda a: form.value(a) if not form.is_inf(a) else (-1) ** (a >> bits - 1) * 2 ** 2000
    pick = max if want_max else min
    function = lambda m, d: m if form.is_nan(d) else pick(m, d, key=value)
    values = float_grid(bits, True) + [(FLOATS[bits][0], form.nan)]
    return atomic("fmax" if want_max else "fmin", bits, function,
                  float_lines("fmax" if want_max else "fmin", bits), returns, values=values,
                  attributes=UNSAFE)


def packed_add(kind, returns, denormals=True):
    form, name = (F16, "half") if kind == "f16" else (BF16, "bfloat")
    key = 16 if kind == "f16" else "bf16"
    function = lambda m, d: (add(form, m & 0xffff, d & 0xffff) |
                             add(form, m >> 16, d >> 16) << 16)
    values = FLOATS[key] + (DENORMALS[key] if denormals else [])
    draw = random.Random(kind)
    halves = [(draw.choice(values), draw.choice(values[:9])) for _ in range(36)]
    grid = [(a[0] | b[0] << 16, a[1] | b[1] << 16) for a, b in zip(halves[::2], halves[1::2])]
    lines = [f"%f = bitcast i32 %d to <2 x {name}>",
             f"%g = atomicrmw fadd ptr %p, <2 x {name}> %f {MONOTONIC}",
             f"%r = bitcast <2 x {name}> %g to i32"]
    return atomic(kind, 32, function, lines, returns, values=grid, attributes=UNSAFE)


def masked_or(bits, returns):
    ones = (1 << bits) - 1
    return two_operands("mskor", bits, lambda m, d, e: m & ~d & ones | e, [], returns, select=False)


def float_compare_swap(bits, returns):
    """Equality of floats: zeros of both signs are equal, a NaN equals nothing."""
    _, form = float_of(bits)
    equal = lambda a, b: not form.is_nan(a) and (a == b or form.is_zero(a) and form.is_zero(b))
    result = two_operands("cmpst_f", bits, lambda m, c, n: n if equal(m, c) else m, [], returns,
                          select=False)
    one = FLOATS[bits][0]
    pairs = [(one, one), (form.sign, 0), (0, form.sign), (form.nan, form.nan), (one, form.nan),
             (form.infinity, form.infinity), (one, one + 1), (one, one | form.sign), (0, 0)]
    pairs += [(FLOATS[bits][2], FLOATS[bits][2]), (DENORMALS[bits][0], DENORMALS[bits][0]),
              (DENORMALS[bits][0], 0)]
    result.grid = [((m,), (c, FLOATS[bits][i % 9])) for i, (m, c) in enumerate(pairs)]
    return result


def exchange_pair(bits):
    draw = random.Random("wrxchg2")
    grid = [tuple(tuple(draw.getrandbits(bits) for _ in range(2)) for _ in range(2)) for _ in range(18)]
    return Operation(bits // 8, [bits, bits], 2 * bits,
                     lambda olds, data, o: (data, olds[0] | olds[1] << bits), [], grid, pair=True,
                     select=False)


def wrap():
    function = lambda m, d, e: m - d if m >= d else m + e
    return two_operands("wrap", 32, function, [], True, select=False)


def conditional_exchange():
    """Each dword whose bit 31 of the data is set takes the data with that bit cleared."""
    half = lambda m, d: d & 0x7fffffff if d >> 31 else m
    function = lambda m, d: half(m & 0xffffffff, d & 0xffffffff) | half(m >> 32, d >> 32) << 32
    return atomic("condxchg", 64, function, [], True, select=False)
