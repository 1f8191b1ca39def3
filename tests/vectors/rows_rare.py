"""More rows: division steps, 8-bit floats, packing, carries, sums of differences in four registers.

The division rules are those of src/number/divide.hpp's head: AMD's pseudo-code, read as tinygrad's
published hardware tests need it (DEVIATIONS.md, 8).
"""
from fractions import Fraction

import reference_numbers as n
from rows import FLUSHING, m, row, s

SCALE = {"f32": (64, 96, 23), "f64": (128, 768, 53)}  # of an operand; near overflow; tiny numerator
UNDERFLOW = {"f16": 1 << 20, "f32": 150, "f64": 1075}


def field(f, a):
    return (a & (f.sign - 1)) >> f.mantissa


def true_exponent(f, a):
    """Of a finite number as if its exponent had no bounds; infinity and NaN one above the largest."""
    if not f.is_denormal(a):
        return field(f, a) - f.bias
    return (a & (f.sign - 1)).bit_length() - f.mantissa - f.bias


def div_scale(k, a, d, num):
    """(value, VCC bit) for operand a, a copy of denominator d or numerator num."""
    f, (scale, near, tiny) = n.FORMATS[k], SCALE[k]
    if f.is_zero(num) or f.is_zero(d):
        return f.nan, 1
    is_d, is_n = n.compare(f, a, d) == "=", n.compare(f, a, num) == "="
    quotient_tiny = true_exponent(f, num) - true_exponent(f, d) <= 1 - f.bias
    top = (1 << f.exponent_bits) - 1
    reciprocal_tiny = top - 2 <= field(f, d) < top
    if field(f, num) - field(f, d) >= near:
        return (n.ldexp(f, a, scale) if is_d else a), 1
    if f.is_denormal(d):
        return n.ldexp(f, a, scale), 0
    if reciprocal_tiny and quotient_tiny:
        return (n.ldexp(f, a, -scale) if is_d else a), 1
    if reciprocal_tiny:
        return n.ldexp(f, a, -scale), 0
    if quotient_tiny:
        return (n.ldexp(f, a, scale) if is_n else a), 1
    return (n.ldexp(f, a, scale), 0) if field(f, num) <= tiny else (a, 0)


def div_fmas(k, a, b, c, vcc):
    f, (scale, _, _) = n.FORMATS[k], SCALE[k]
    finite = not any(f.is_nan(x) or f.is_inf(x) for x in (a, b, c))
    if not vcc or not finite:
        return n.fma(f, a, b, c)
    total = f.value(a) * f.value(b) + f.value(c)
    scale = scale if field(f, c) > f.bias else -scale
    return n.fma(f, a, b, c) if total == 0 else f.round(total * Fraction(2) ** scale)


def div_fixup(k, quotient, d, num):
    f = n.FORMATS[k]
    sign = (d ^ num) & f.sign
    for x in (num, d):
        if f.is_nan(x):
            return x | f.quiet
    if (f.is_zero(d) and f.is_zero(num)) or (f.is_inf(d) and f.is_inf(num)):
        return f.nan | f.sign
    if f.is_zero(d) or f.is_inf(num):
        return sign | f.infinity
    if f.is_inf(d) or f.is_zero(num) or field(f, num) - field(f, d) < -UNDERFLOW[k]:
        return sign
    return sign | (f.infinity if f.is_nan(quotient) else quotient & (f.sign - 1))


def divisions():
    for k in SCALE:
        three = f"{k} {k} {k}"
        row(f"v_div_scale_{k}", three, k, None, lambda a, d, x, k=k: div_scale(k, a, d, x)[0])
        row(f"v_div_scale_{k}.vcc", three, "mask", None, lambda a, d, x, k=k: div_scale(k, a, d, x)[1])
        row(f"v_div_fmas_{k}", three + " mask", k, None, lambda *x, k=k: div_fmas(k, *x))
    for name in ("f16", "legacy_f16", "f32", "f64"):
        k = name[-3:]
        row(f"v_div_fixup_{name}", f"{k} {k} {k}", k, None, lambda *x, k=k: div_fixup(k, *x))


def two_over_pi(bits):
    """floor(2/pi * 2^bits), pi by Machin's formula in integers."""
    one = 1 << (bits + 64)

    def arctan_inverse(x):
        power, total, k = one // x, one // x, 1
        while power:
            power, k = power // (x * x), k + 2
            total += (-power if k % 4 == 3 else power) // k
        return total
    return (one << bits) // (8 * arctan_inverse(5) - 2 * arctan_inverse(239))


TWO_OVER_PI = two_over_pi(1201)


def trig_preop(a, segment):
    """53 bits of 2/pi, as V_TRIG_PREOP_F64 holds it: 1201 bits."""
    exponent = field(n.F64, a)
    shift = 53 * (segment & 31) + max(0, exponent - 1077)
    bits = (TWO_OVER_PI << shift >> (1201 - 53)) & m(53)
    return n.F64.round(Fraction(bits) * Fraction(2) ** (-53 - shift + (128 if exponent >= 1968 else 0)))


def narrow(a, bias, mantissa, seed=None):
    """f32 to an 8-bit float without infinity and -0: to nearest even, or with the top bits of a seed
    added to the bits that go."""
    if n.F32.is_nan(a) or n.F32.is_inf(a):
        return 0x80
    x = abs(n.F32.value(a))
    exponent = max(x.numerator.bit_length() - x.denominator.bit_length() if x else -999, 1 - bias)
    while exponent > 1 - bias and Fraction(2) ** exponent > x:
        exponent -= 1
    while Fraction(2) ** (exponent + 1) <= x:
        exponent += 1
    count = x / Fraction(2) ** (exponent - mantissa)
    if seed is None:
        whole = n.nearest_integer(count)
    else:
        dropped = 23 - mantissa
        grid = count * (1 << dropped)
        whole = (grid.numerator // grid.denominator + (seed >> (32 - dropped))) >> dropped
    pattern = ((exponent + bias - 1) << mantissa) + whole
    if pattern > 0x7f:
        return 0x80
    return pattern | (0x80 if pattern and n.F32.negative(a) else 0)


def small_floats():
    for name, bias, mantissa in (("fp8", 8, 3), ("bf8", 16, 2)):
        to = lambda a, seed=None, bias=bias, mantissa=mantissa: narrow(a, bias, mantissa, seed)
        row(f"v_cvt_pk_{name}_f32", "f32 f32", "u16", None, lambda a, b, to=to: to(a) | to(b) << 8)
        row(f"v_cvt_sr_{name}_f32", "f32 u32", "u32", None, to)


def byte_of(a):
    """f32 to a byte, to nearest even as MODE is in these files; NaN gives 0."""
    if n.F32.is_nan(a):
        return 0
    return n.nearest_integer(max(Fraction(0), min(Fraction(255), n.F32.value_or_inf(a))))


def insert_byte(a, index, base):
    shift = 8 * (index & 3)
    return base & ~(255 << shift) | byte_of(a) << shift


def packing():
    for name in ("v_cvt_pk_u8_f32", "v_cvt_pkaccum_u8_f32"):
        row(name, "f32 u32 u32", "u32",
            ["%n = call float @llvm.roundeven.f32(float {a})", "%i = call i8 @llvm.fptoui.sat.i8.f32(float %n)",
             "%w = zext i8 %i to i32", "%k = and i32 {b}, 3", "%s = shl i32 %k, 3", "%v = shl i32 %w, %s",
             "%o = shl i32 255, %s", "%q = xor i32 %o, -1", "%p = and i32 {c}, %q", "%r = or i32 %p, %v"],
            insert_byte)
    row("v_trig_preop_f64", "f64 u32", "f64", None, trig_preop)


def dot2(a, b, c):
    """Exact products; the sum is rounded after each, f32 denormals flushed."""
    total = n.flush(n.F32, c)
    for half in (0, 16):
        x, y = (n.convert(n.F32, n.F16, v >> half & m(16)) for v in (a, b))
        total = n.flush(n.F32, n.fma(n.F32, x, y, total))
    return total


def dots():
    body = []
    for i, half in enumerate((0, 16)):
        for x in "ab":
            body += [f"%s{x}{i} = lshr i32 {{{x}}}, {half}", f"%t{x}{i} = trunc i32 %s{x}{i} to i16",
                     f"%h{x}{i} = bitcast i16 %t{x}{i} to half", f"%f{x}{i} = fpext half %h{x}{i} to float"]
        body.append(f"%p{i} = fmul float %fa{i}, %fb{i}")
    body += ["%q = fadd float %p0, {c}", "%r = fadd float %p1, %q"]
    for name in ("v_dot2_f32_f16", "v_dot2c_f32_f16"):
        row(name, "pk pk f32", "f32", body, dot2, FLUSHING)


def carries():
    wide = ["%x = zext i32 {a} to i64", "%y = zext i32 {b} to i64"]
    carry = ["%z = zext i1 {c} to i64"]
    bit = ["%h = lshr i64 %t, 32", "%r = trunc i64 %h to i1"]
    plain = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "subrev": lambda a, b: b - a}
    for name, f in plain.items():
        first, second = ("%y", "%x") if name == "subrev" else ("%x", "%y")
        op = name[:3]
        row(f"v_{name}_co_u32.vcc", "u32 u32", "mask", wide + [f"%t = {op} i64 {first}, {second}"] + bit,
            lambda a, b, f=f: int(not 0 <= f(a, b) <= m(32)))
        with_carry = {"add": "addc", "sub": "subb", "subrev": "subbrev"}[name]
        row(f"v_{with_carry}_co_u32.vcc", "u32 u32 mask", "mask",
            wide + carry + [f"%u = {op} i64 {first}, {second}", f"%t = {op} i64 %u, %z"] + bit,
            lambda a, b, c, f=f, c_sign=1 if op == "add" else -1: int(not 0 <= f(a, b) + c_sign * c <= m(32)))
    for sign, value in (("u", lambda v, bits: v), ("i", s)):
        ext = "zext" if sign == "u" else "sext"
        row(f"v_mad_{sign}64_{sign}32.vcc", f"{sign}32 {sign}32 {sign}64", "mask",
            [f"%x = {ext} i32 {{a}} to i80", f"%y = {ext} i32 {{b}} to i80", f"%z = {ext} i64 {{c}} to i80",
             "%p = mul i80 %x, %y", "%t = add i80 %p, %z", "%h = lshr i80 %t, 64", "%r = trunc i80 %h to i1"],
            lambda a, b, c, value=value: (value(a, 32) * value(b, 32) + value(c, 64)) >> 64 & 1)


def sums():
    def windows(a, b, c):
        window, reference = a.to_bytes(8, "little"), b.to_bytes(4, "little")
        return sum(((c >> 32 * i) + sum(abs(x - y) for x, y in zip(window[i:i + 4], reference) if y)
                    & m(32)) % (1 << 32) << 32 * i for i in range(4))
    row("v_mqsad_u32_u8", "u64 u32 u128", "u128", None, windows)


divisions(), small_floats(), packing(), dots(), carries(), sums()
