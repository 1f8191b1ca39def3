"""What each instruction computes, twice: for LLVM to fold and in Python integers or rationals.

A row is (name, operand kinds, result kind, LLVM body or None, Python function). The Python side is
written from the CDNA3 ISA guide's descriptions; the LLVM side is the IR that LLVM's own patterns
select the instruction for, or the intrinsic that names it.
"""
import reference_numbers as n

ROWS = []


# v_mad_f32 and its kin flush f32 denormals whatever MODE says (LLVM selects them only so).
FLUSHING = '"denormal-fp-math-f32"="preserve-sign,preserve-sign"'


def row(name, kinds, result, body, function, attributes=""):
    ROWS.append((name, kinds.split(), result, [body] if isinstance(body, str) else body, function,
                 attributes))


def s(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def m(bits):
    return (1 << bits) - 1


def clamp(value, low, high):
    return max(low, min(high, value))


T = {"f16": "half", "f32": "float", "f64": "double"}


def floats():
    for k, f in n.FORMATS.items():
        t = T[k]
        two, three = f"{k} {k}", f"{k} {k} {k}"
        for op, ir, py in (("add", "fadd", n.add), ("sub", "fsub", n.sub), ("mul", "fmul", n.mul)):
            if not (k == "f64" and op == "sub"):
                row(f"v_{op}_{k}", two, k, f"%r = {ir} {t} {{a}}, {{b}}",
                    lambda a, b, f=f, py=py: py(f, a, b))
        if k != "f64":
            row(f"v_subrev_{k}", two, k, f"%r = fsub {t} {{b}}, {{a}}",
                lambda a, b, f=f: n.sub(f, b, a))
        for op, want in (("min", False), ("max", True)):
            row(f"v_{op}_{k}", two, k, f"%r = call {t} @llvm.{op}num.{k}({t} {{a}}, {t} {{b}})",
                lambda a, b, f=f, w=want: n.extremum(f, a, b, w))
            if k != "f64":
                row(f"v_{op}3_{k}", three, k,
                    [f"%q = call {t} @llvm.{op}num.{k}({t} {{a}}, {t} {{b}})",
                     f"%r = call {t} @llvm.{op}num.{k}({t} %q, {t} {{c}})"],
                    lambda a, b, c, f=f, w=want:
                        n.extremum(f, n.extremum(f, a, b, w), c, w))
        fma_body = f"%r = call {t} @llvm.fma.{k}({t} {{a}}, {t} {{b}}, {t} {{c}})"
        fma = lambda a, b, c, f=f: n.fma(f, a, b, c)
        row(f"v_fma_{k}", three, k, fma_body, fma)
        if k != "f16":
            row(f"v_fmac_{k}", three, k, fma_body, fma)
        else:
            row("v_fma_legacy_f16", three, k, fma_body, fma)
        if k == "f32":
            for name in ("v_fmaak_f32", "v_fmamk_f32"):
                row(name, three, k, fma_body, fma)
        for op, call in (("trunc", "trunc"), ("ceil", "ceil"), ("floor", "floor"),
                         ("rndne", "roundeven")):
            row(f"v_{op}_{k}", k, k, f"%r = call {t} @llvm.{call}.{k}({t} {{a}})",
                lambda a, f=f, op=op: n.integral(f, a, op))
        row(f"v_fract_{k}", k, k, f"%r = call {t} @llvm.amdgcn.fract.{k}({t} {{a}})",
            lambda a, f=f: n.fract(f, a))
        exp = ("i16", "i16") if k == "f16" else ("i32", "i32")
        row(f"v_frexp_mant_{k}", k, k, f"%r = call {t} @llvm.amdgcn.frexp.mant.{k}({t} {{a}})",
            lambda a, f=f: n.frexp(f, a)[0])
        row(f"v_frexp_exp_{exp[0]}_{k}", k, exp[0],
            f"%r = call {exp[1]} @llvm.amdgcn.frexp.exp.{exp[1]}.{k}({t} {{a}})",
            lambda a, f=f, b=16 if k == "f16" else 32: n.frexp(f, a)[1] & m(b))
        ek = "i16" if k == "f16" else "i32"
        row(f"v_ldexp_{k}", f"{k} {ek}", k,
            f"%r = call {t} @llvm.ldexp.{k}.{ek}({t} {{a}}, {ek} {{b}})",
            lambda a, b, f=f, e=16 if k == "f16" else 32: n.ldexp(f, a, s(b, e)))
        row(f"v_rcp_{k}", k, k, f"%r = call {t} @llvm.amdgcn.rcp.{k}({t} {{a}})",
            lambda a, f=f: n.rcp(f, a))
        row(f"v_sqrt_{k}", k, k, f"%r = call {t} @llvm.sqrt.{k}({t} {{a}})",
            lambda a, f=f: n.sqrt(f, a))
        row(f"v_rsq_{k}", k, k, None, lambda a, f=f: n.rsq(f, a))
        if k != "f64":
            row(f"v_exp_{k}", k, k, f"%r = call {t} @llvm.exp2.{k}({t} {{a}})",
                lambda a, f=f: n.exp2(f, a))
            row(f"v_log_{k}", k, k, f"%r = call {t} @llvm.log2.{k}({t} {{a}})",
                lambda a, f=f: n.log2(f, a))
        for prefix in ("cmp", "cmpx"):
            row(f"v_{prefix}_class_{k}", f"{k} u32", "mask",
                f"%r = call i1 @llvm.amdgcn.class.{k}({t} {{a}}, i32 {{b}})",
                lambda a, mask, f=f: mask >> class_bit(f, a) & 1)
    row("v_rcp_iflag_f32", "f32", "f32", "%r = call float @llvm.amdgcn.rcp.f32(float {a})",
        lambda a: n.rcp(n.F32, a))
    row("v_exp_legacy_f32", "f32", "f32", "%r = call float @llvm.exp2.f32(float {a})",
        lambda a: n.exp2(n.F32, a))
    row("v_log_legacy_f32", "f32", "f32", "%r = call float @llvm.log2.f32(float {a})",
        lambda a: n.log2(n.F32, a))
    row("v_med3_f32", "f32 f32 f32", "f32",
        "%r = call float @llvm.amdgcn.fmed3.f32(float {a}, float {b}, float {c})",
        lambda a, b, c: median(n.F32, a, b, c))
    row("v_med3_f16", "f16 f16 f16", "f16",
        "%r = call half @llvm.amdgcn.fmed3.f16(half {a}, half {b}, half {c})",
        lambda a, b, c: median(n.F16, a, b, c))
    row("v_mul_legacy_f32", "f32 f32", "f32",
        "%r = call float @llvm.amdgcn.fmul.legacy(float {a}, float {b})",
        lambda a, b: 0 if n.F32.is_zero(a) or n.F32.is_zero(b) else n.mul(n.F32, a, b))


def class_bit(f, a):
    """The bit of v_cmp_class's mask: signalling, quiet, -inf, -normal, -denormal, -0, +0 ..."""
    if f.is_nan(a):
        return 1 if a & f.quiet else 0
    order = 3 if f.is_inf(a) else (0 if f.is_zero(a) else (1 if f.is_denormal(a) else 2))
    return 5 - order if f.negative(a) else 6 + order


def median(f, a, b, c):
    if any(f.is_nan(x) for x in (a, b, c)):
        return n.extremum(f, n.extremum(f, a, b, False), c, False)
    return sorted((a, b, c), key=lambda x: n.key(f, x))[1]


def conversions():
    for to, source in (("f16", "f32"), ("f32", "f64")):
        row(f"v_cvt_{to}_{source}", source, to, f"%r = fptrunc {T[source]} {{a}} to {T[to]}",
            lambda a, t=n.FORMATS[to], f=n.FORMATS[source]: n.convert(t, f, a))
    for to, source in (("f32", "f16"), ("f64", "f32")):
        row(f"v_cvt_{to}_{source}", source, to, f"%r = fpext {T[source]} {{a}} to {T[to]}",
            lambda a, t=n.FORMATS[to], f=n.FORMATS[source]: n.convert(t, f, a))
    for k, w in (("f32", 32), ("f64", 32), ("f16", 16)):
        f, t = n.FORMATS[k], T[k]
        row(f"v_cvt_i{w}_{k}", k, f"i{w}", f"%r = call i{w} @llvm.fptosi.sat.i{w}.{k}({t} {{a}})",
            lambda a, f=f, w=w: n.to_integer(f, a, -(1 << (w - 1)), (1 << (w - 1)) - 1) & m(w))
        row(f"v_cvt_u{w}_{k}", k, f"u{w}", f"%r = call i{w} @llvm.fptoui.sat.i{w}.{k}({t} {{a}})",
            lambda a, f=f, w=w: n.to_integer(f, a, 0, m(w)))
        row(f"v_cvt_{k}_i{w}", f"i{w}", k, f"%r = sitofp i{w} {{a}} to {t}",
            lambda a, f=f, w=w: f.round(n.Fraction(s(a, w))))
        row(f"v_cvt_{k}_u{w}", f"u{w}", k, f"%r = uitofp i{w} {{a}} to {t}",
            lambda a, f=f: f.round(n.Fraction(a)))
    for byte in range(4):
        row(f"v_cvt_f32_ubyte{byte}", "u32", "f32",
            [f"%q = lshr i32 {{a}}, {8 * byte}", "%p = and i32 %q, 255",
             "%r = uitofp i32 %p to float"],
            lambda a, byte=byte: n.F32.round(n.Fraction(a >> (8 * byte) & 255)))
    row("v_cvt_flr_i32_f32", "f32", "i32",
        ["%q = call float @llvm.floor.f32(float {a})", "%r = call i32 @llvm.fptosi.sat.i32.f32(float %q)"],
        lambda a: n.to_integer(n.F32, n.integral(n.F32, a, "floor"), -(1 << 31), m(31)) & m(32))
    row("v_pack_b32_f16", "u16 u16", "u32",
        ["%p = zext i16 {a} to i32", "%q = zext i16 {b} to i32", "%h = shl i32 %q, 16",
         "%r = or i32 %p, %h"], lambda a, b: a | b << 16)
    row("v_cvt_pk_i16_i32", "i32 i32", "u32",
        ["%p = call i32 @llvm.smin.i32(i32 {a}, i32 32767)", "%q = call i32 @llvm.smax.i32(i32 %p, i32 -32768)",
         "%s = call i32 @llvm.smin.i32(i32 {b}, i32 32767)", "%t = call i32 @llvm.smax.i32(i32 %s, i32 -32768)",
         "%l = and i32 %q, 65535", "%h = shl i32 %t, 16", "%r = or i32 %l, %h"],
        lambda a, b: (clamp(s(a, 32), -32768, 32767) & m(16)) | (clamp(s(b, 32), -32768, 32767) & m(16)) << 16)
    row("v_cvt_pk_u16_u32", "u32 u32", "u32",
        ["%q = call i32 @llvm.umin.i32(i32 {a}, i32 65535)", "%t = call i32 @llvm.umin.i32(i32 {b}, i32 65535)",
         "%h = shl i32 %t, 16", "%r = or i32 %q, %h"],
        lambda a, b: min(a, 65535) | min(b, 65535) << 16)


def integers():
    for k, w in (("u32", 32), ("u16", 16)):
        for op, ir, py in (("add", "add", lambda a, b: a + b), ("sub", "sub", lambda a, b: a - b)):
            row(f"v_{op}_{k}", f"{k} {k}", k, f"%r = {ir} i{w} {{a}}, {{b}}",
                lambda a, b, py=py, w=w: py(a, b) & m(w))
        row(f"v_subrev_{k}", f"{k} {k}", k, f"%r = sub i{w} {{b}}, {{a}}",
            lambda a, b, w=w: (b - a) & m(w))
    for op in ("add", "sub"):
        for w in (16, 32):
            row(f"v_{op}_i{w}", f"i{w} i{w}", f"i{w}", f"%r = {op} i{w} {{a}}, {{b}}",
                lambda a, b, op=op, w=w: (a + b if op == "add" else a - b) & m(w))
    for k, w in (("u32", 32), ("i32", 32), ("u16", 16), ("i16", 16)):
        value = (lambda a, w=w: s(a, w)) if k[0] == "i" else (lambda a, w=w: a)
        for op, want in (("min", min), ("max", max)):
            call = f"llvm.{'s' if k[0] == 'i' else 'u'}{op}.i{w}"
            row(f"v_{op}_{k}", f"{k} {k}", k, f"%r = call i{w} @{call}(i{w} {{a}}, i{w} {{b}})",
                lambda a, b, want=want, value=value: want((a, b), key=value))
            row(f"v_{op}3_{k}", f"{k} {k} {k}", k,
                [f"%q = call i{w} @{call}(i{w} {{a}}, i{w} {{b}})",
                 f"%r = call i{w} @{call}(i{w} %q, i{w} {{c}})"],
                lambda a, b, c, want=want, value=value: want((a, b, c), key=value))
        sign = "s" if k[0] == "i" else "u"
        row(f"v_med3_{k}", f"{k} {k} {k}", k,
            [f"%p = call i{w} @llvm.{sign}min.i{w}(i{w} {{a}}, i{w} {{b}})",
             f"%q = call i{w} @llvm.{sign}max.i{w}(i{w} {{a}}, i{w} {{b}})",
             f"%t = call i{w} @llvm.{sign}min.i{w}(i{w} %q, i{w} {{c}})",
             f"%r = call i{w} @llvm.{sign}max.i{w}(i{w} %p, i{w} %t)"],
            lambda a, b, c, value=value: sorted((a, b, c), key=value)[1])
    for op, py in (("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)):
        row(f"v_{op}_b32", "u32 u32", "u32", f"%r = {op} i32 {{a}}, {{b}}", py)
    row("v_xnor_b32", "u32 u32", "u32", ["%q = xor i32 {a}, {b}", "%r = xor i32 %q, -1"],
        lambda a, b: ~(a ^ b) & m(32))
    row("v_not_b32", "u32", "u32", "%r = xor i32 {a}, -1", lambda a: ~a & m(32))
    row("v_mov_b32", "u32", "u32", "%r = add i32 {a}, 0", lambda a: a)
    row("v_mov_b64", "u64", "u64", "%r = add i64 {a}, 0", lambda a: a)
    row("v_bfrev_b32", "u32", "u32", "%r = call i32 @llvm.bitreverse.i32(i32 {a})",
        lambda a: int(f"{a:032b}"[::-1], 2))
    row("v_ffbh_u32", "u32", "u32",
        ["%q = call i32 @llvm.ctlz.i32(i32 {a}, i1 false)", "%z = icmp eq i32 {a}, 0",
         "%r = select i1 %z, i32 -1, i32 %q"], lambda a: 32 - a.bit_length() if a else m(32))
    row("v_ffbl_b32", "u32", "u32",
        ["%q = call i32 @llvm.cttz.i32(i32 {a}, i1 false)", "%z = icmp eq i32 {a}, 0",
         "%r = select i1 %z, i32 -1, i32 %q"], lambda a: (a & -a).bit_length() - 1 if a else m(32))
    row("v_ffbh_i32", "i32", "u32", None,
        lambda a: m(32) if a in (0, m(32)) else 32 - (a if a >> 31 == 0 else ~a & m(32)).bit_length())
    for op, bits, shift in (("lshlrev", 32, "shl"), ("lshrrev", 32, "lshr"), ("lshlrev", 16, "shl"),
                            ("lshrrev", 16, "lshr"), ("lshlrev", 64, "shl"), ("lshrrev", 64, "lshr")):
        amount = "u32" if bits != 16 else "u16"
        cast = [f"%n = and i{32 if bits != 16 else 16} {{a}}, {bits - 1}"]
        if bits == 64:
            cast += ["%w = zext i32 %n to i64"]
        row(f"v_{op}_b{bits}", f"{amount} u{bits}", f"u{bits}",
            cast + [f"%r = {shift} i{bits} {{b}}, %{'w' if bits == 64 else 'n'}"],
            lambda a, b, bits=bits, left=shift == "shl":
                (b << (a % bits) if left else b >> (a % bits)) & m(bits))
    for bits in (16, 32, 64):
        amount = "u32" if bits != 16 else "u16"
        cast = [f"%n = and i{32 if bits != 16 else 16} {{a}}, {bits - 1}"]
        if bits == 64:
            cast += ["%w = zext i32 %n to i64"]
        row(f"v_ashrrev_i{bits}", f"{amount} i{bits}", f"i{bits}",
            cast + [f"%r = ashr i{bits} {{b}}, %{'w' if bits == 64 else 'n'}"],
            lambda a, b, bits=bits: (s(b, bits) >> (a % bits)) & m(bits))
    row("v_mul_lo_u32", "u32 u32", "u32", "%r = mul i32 {a}, {b}", lambda a, b: a * b & m(32))
    row("v_mul_lo_u16", "u16 u16", "u16", "%r = mul i16 {a}, {b}", lambda a, b: a * b & m(16))
    for k, ext in (("u32", "zext"), ("i32", "sext")):
        row(f"v_mul_hi_{k}", f"{k} {k}", k,
            [f"%p = {ext} i32 {{a}} to i64", f"%q = {ext} i32 {{b}} to i64", "%t = mul i64 %p, %q",
             "%h = lshr i64 %t, 32", "%r = trunc i64 %h to i32"],
            (lambda a, b: a * b >> 32) if k == "u32"
            else (lambda a, b: (s(a, 32) * s(b, 32) >> 32) & m(32)))
    row("v_mul_u32_u24", "u32 u32", "u32", "%r = call i32 @llvm.amdgcn.mul.u24.i32(i32 {a}, i32 {b})",
        lambda a, b: (a & m(24)) * (b & m(24)) & m(32))
    row("v_mul_i32_i24", "i32 i32", "i32", "%r = call i32 @llvm.amdgcn.mul.i24.i32(i32 {a}, i32 {b})",
        lambda a, b: s(a & m(24), 24) * s(b & m(24), 24) & m(32))
    row("v_mul_hi_u32_u24", "u32 u32", "u32", None, lambda a, b: (a & m(24)) * (b & m(24)) >> 32)
    row("v_mul_hi_i32_i24", "i32 i32", "i32", None,
        lambda a, b: (s(a & m(24), 24) * s(b & m(24), 24) >> 32) & m(32))
    row("v_mad_u32_u24", "u32 u32 u32", "u32",
        ["%p = and i32 {a}, 16777215", "%q = and i32 {b}, 16777215", "%t = mul i32 %p, %q",
         "%r = add i32 %t, {c}"],
        lambda a, b, c: ((a & m(24)) * (b & m(24)) + c) & m(32))
    row("v_mad_i32_i24", "i32 i32 i32", "i32",
        ["%p = shl i32 {a}, 8", "%u = ashr i32 %p, 8", "%q = shl i32 {b}, 8", "%v = ashr i32 %q, 8",
         "%t = mul i32 %u, %v", "%r = add i32 %t, {c}"],
        lambda a, b, c: (s(a & m(24), 24) * s(b & m(24), 24) + c) & m(32))
    for k, ext in (("u", "zext"), ("i", "sext")):
        row(f"v_mad_{k}32_{k}16", f"{k}16 {k}16 {k}32", f"{k}32",
            [f"%p = {ext} i16 {{a}} to i32", f"%q = {ext} i16 {{b}} to i32", "%t = mul i32 %p, %q",
             "%r = add i32 %t, {c}"],
            (lambda a, b, c: (a * b + c) & m(32)) if k == "u"
            else (lambda a, b, c: (s(a, 16) * s(b, 16) + c) & m(32)))
        for name in (f"v_mad_{k}16", f"v_mad_legacy_{k}16"):
            row(name, f"{k}16 {k}16 {k}16", f"{k}16", ["%t = mul i16 {a}, {b}", "%r = add i16 %t, {c}"],
                lambda a, b, c: (a * b + c) & m(16))
    three = "u32 u32 u32"
    row("v_bfe_u32", three, "u32", "%r = call i32 @llvm.amdgcn.ubfe.i32(i32 {a}, i32 {b}, i32 {c})",
        lambda a, b, c: (a >> (b & 31)) & m(c & 31))
    row("v_bfe_i32", "i32 u32 u32", "i32",
        "%r = call i32 @llvm.amdgcn.sbfe.i32(i32 {a}, i32 {b}, i32 {c})",
        lambda a, b, c: s((s(a, 32) >> (b & 31)) & m(c & 31), c & 31) & m(32) if c & 31 else 0)
    row("v_bfi_b32", three, "u32",
        ["%p = and i32 {a}, {b}", "%n = xor i32 {a}, -1", "%q = and i32 %n, {c}", "%r = or i32 %p, %q"],
        lambda a, b, c: int("".join(y if x == "1" else z for x, y, z in
                                    zip(f"{a:032b}", f"{b:032b}", f"{c:032b}")), 2))
    row("v_bfm_b32", "u32 u32", "u32",
        ["%p = and i32 {a}, 31", "%o = shl i32 1, %p", "%w = sub i32 %o, 1", "%q = and i32 {b}, 31",
         "%r = shl i32 %w, %q"], lambda a, b: (m(a & 31) << (b & 31)) & m(32))
    row("v_alignbit_b32", three, "u32", "%r = call i32 @llvm.fshr.i32(i32 {a}, i32 {b}, i32 {c})",
        lambda a, b, c: ((a << 32 | b) >> (c & 31)) & m(32))
    row("v_alignbyte_b32", three, "u32", None,
        lambda a, b, c: ((a << 32 | b) >> (8 * (c & 3))) & m(32))
    row("v_perm_b32", three, "u32", "%r = call i32 @llvm.amdgcn.perm(i32 {a}, i32 {b}, i32 {c})", perm)
    row("v_bcnt_u32_b32", "u32 u32", "u32",
        ["%q = call i32 @llvm.ctpop.i32(i32 {a})", "%r = add i32 %q, {b}"],
        lambda a, b: (bin(a).count("1") + b) & m(32))
    row("v_xad_u32", three, "u32", ["%q = xor i32 {a}, {b}", "%r = add i32 %q, {c}"],
        lambda a, b, c: ((a ^ b) + c) & m(32))
    row("v_add3_u32", three, "u32", ["%q = add i32 {a}, {b}", "%r = add i32 %q, {c}"],
        lambda a, b, c: (a + b + c) & m(32))
    row("v_or3_b32", three, "u32", ["%q = or i32 {a}, {b}", "%r = or i32 %q, {c}"],
        lambda a, b, c: a | b | c)
    row("v_and_or_b32", three, "u32", ["%q = and i32 {a}, {b}", "%r = or i32 %q, {c}"],
        lambda a, b, c: (a & b) | c)
    row("v_lshl_add_u32", three, "u32",
        ["%n = and i32 {b}, 31", "%q = shl i32 {a}, %n", "%r = add i32 %q, {c}"],
        lambda a, b, c: ((a << (b & 31)) + c) & m(32))
    row("v_lshl_or_b32", three, "u32",
        ["%n = and i32 {b}, 31", "%q = shl i32 {a}, %n", "%r = or i32 %q, {c}"],
        lambda a, b, c: ((a << (b & 31)) | c) & m(32))
    row("v_add_lshl_u32", three, "u32",
        ["%n = and i32 {c}, 31", "%q = add i32 {a}, {b}", "%r = shl i32 %q, %n"],
        lambda a, b, c: ((a + b) << (c & 31)) & m(32))
    row("v_lshl_add_u64", "u64 u32 u64", "u64",
        ["%n = and i32 {b}, 7", "%w = zext i32 %n to i64", "%q = shl i64 {a}, %w", "%r = add i64 %q, {c}"],
        lambda a, b, c: ((a << (b & 7)) + c) & m(64))
    row("v_mad_u64_u32", "u32 u32 u64", "u64",
        ["%p = zext i32 {a} to i64", "%q = zext i32 {b} to i64", "%t = mul i64 %p, %q",
         "%r = add i64 %t, {c}"], lambda a, b, c: (a * b + c) & m(64))
    row("v_mad_i64_i32", "i32 i32 i64", "i64",
        ["%p = sext i32 {a} to i64", "%q = sext i32 {b} to i64", "%t = mul i64 %p, %q",
         "%r = add i64 %t, {c}"], lambda a, b, c: (s(a, 32) * s(b, 32) + c) & m(64))
    row("v_cndmask_b32", "u32 u32 mask", "u32", "%r = select i1 {c}, i32 {b}, i32 {a}",
        lambda a, b, c: b if c else a)
    for op, py in (("add", lambda a, b: a + b), ("sub", lambda a, b: a - b)):
        row(f"v_{op}_co_u32", "u32 u32", "u32", f"%r = {op} i32 {{a}}, {{b}}",
            lambda a, b, py=py: py(a, b) & m(32))
    row("v_subrev_co_u32", "u32 u32", "u32", "%r = sub i32 {b}, {a}", lambda a, b: (b - a) & m(32))
    row("v_addc_co_u32", "u32 u32 mask", "u32",
        ["%c1 = zext i1 {c} to i32", "%q = add i32 {a}, {b}", "%r = add i32 %q, %c1"],
        lambda a, b, c: (a + b + c) & m(32))
    row("v_subb_co_u32", "u32 u32 mask", "u32",
        ["%c1 = zext i1 {c} to i32", "%q = sub i32 {a}, {b}", "%r = sub i32 %q, %c1"],
        lambda a, b, c: (a - b - c) & m(32))
    row("v_subbrev_co_u32", "u32 u32 mask", "u32",
        ["%c1 = zext i1 {c} to i32", "%q = sub i32 {b}, {a}", "%r = sub i32 %q, %c1"],
        lambda a, b, c: (b - a - c) & m(32))


def perm(a, b, selector):
    data = (a << 32 | b).to_bytes(8, "little")
    chosen = []
    for select in selector.to_bytes(4, "little"):
        if select >= 13:
            chosen.append(255)
        elif select == 12:
            chosen.append(0)
        elif select >= 8:
            chosen.append(255 if data[2 * (select - 8) + 1] & 128 else 0)
        else:
            chosen.append(data[select])
    return int.from_bytes(bytes(chosen), "little")


def dots():
    def fields(value, width, is_signed):
        parts = [value >> i & m(width) for i in range(0, 32, width)]
        return [s(p, width) for p in parts] if is_signed else parts

    def dot(width, is_signed):
        return lambda a, b, c: (sum(x * y for x, y in zip(fields(a, width, is_signed),
                                                          fields(b, width, is_signed)))
                                + c) & m(32)
    for name, width, k in (("dot2_i32_i16", 16, "i32"), ("dot2_u32_u16", 16, "u32"),
                           ("dot4_i32_i8", 8, "i32"), ("dot4_u32_u8", 8, "u32"),
                           ("dot8_i32_i4", 4, "i32"), ("dot8_u32_u4", 4, "u32")):
        row(f"v_{name}", f"pk pk {k}", k, None, dot(width, k == "i32"))
    for name, width in (("dot2c_i32_i16", 16), ("dot4c_i32_i8", 8), ("dot8c_i32_i4", 4)):
        row(f"v_{name}", "pk pk i32", "i32", None, dot(width, True))

    def differences(a, b, width):
        return [abs(x - y) for x, y in zip(fields(a, width, False), fields(b, width, False))]
    three = "u32 u32 u32"
    row("v_sad_u8", three, "u32", None, lambda a, b, c: (sum(differences(a, b, 8)) + c) & m(32))
    row("v_sad_u16", three, "u32", None, lambda a, b, c: (sum(differences(a, b, 16)) + c) & m(32))
    row("v_sad_u32", three, "u32", None, lambda a, b, c: (abs(a - b) + c) & m(32))
    row("v_sad_hi_u8", three, "u32", None,
        lambda a, b, c: ((sum(differences(a, b, 8)) << 16) + c) & m(32))
    row("v_msad_u8", three, "u32", None,
        lambda a, b, c: (sum(abs(x - y) for x, y in zip(fields(a, 8, False), fields(b, 8, False)) if y)
                         + c) & m(32))
    row("v_lerp_u8", three, "u32", None,
        lambda a, b, c: int.from_bytes(bytes((x + y + (z & 1)) >> 1 for x, y, z in zip(
            fields(a, 8, False), fields(b, 8, False), fields(c, 8, False))), "little"))


def compares():
    ordered = {"f": "", "lt": "<", "eq": "=", "le": "<=", "gt": ">", "lg": "<>", "ge": ">=", "o": "<=>"}
    unordered = {"u": "?", "nge": "<?", "nlg": "=?", "ngt": "<=?", "nle": ">?", "neq": "<>?",
                 "nlt": "=>?", "tru": "<=>?"}
    fcmp = {"f": "false", "lt": "olt", "eq": "oeq", "le": "ole", "gt": "ogt", "lg": "one", "ge": "oge",
            "o": "ord", "u": "uno", "nge": "ult", "nlg": "ueq", "ngt": "ule", "nle": "ugt",
            "neq": "une", "nlt": "uge", "tru": "true"}
    for k, f in n.FORMATS.items():
        for name, accepted in (ordered | unordered).items():
            for prefix in ("cmp", "cmpx"):
                row(f"v_{prefix}_{name}_{k}", f"{k} {k}", "mask",
                    f"%r = fcmp {fcmp[name]} {T[k]} {{a}}, {{b}}",
                    lambda a, b, f=f, accepted=accepted: int(n.compare(f, a, b) in accepted))
    names = {"f": None, "lt": "lt", "eq": "eq", "le": "le", "gt": "gt", "ne": "ne", "ge": "ge", "t": None}
    test = {"f": lambda x, y: False, "lt": lambda x, y: x < y, "eq": lambda x, y: x == y,
            "le": lambda x, y: x <= y, "gt": lambda x, y: x > y, "ne": lambda x, y: x != y,
            "ge": lambda x, y: x >= y, "t": lambda x, y: True}
    for k in ("i16", "u16", "i32", "u32", "i64", "u64"):
        bits = int(k[1:])
        for name, ir in names.items():
            sign = "" if ir in ("eq", "ne") else ("s" if k[0] == "i" else "u")
            body = (f"%r = icmp {sign}{ir} i{bits} {{a}}, {{b}}" if ir
                    else f"%r = add i1 {'true' if name == 't' else 'false'}, false")
            for prefix in ("cmp", "cmpx"):
                row(f"v_{prefix}_{name}_{k}", f"{k} {k}", "mask", body,
                    lambda a, b, t=test[name], bits=bits, signed=k[0] == "i":
                        int(t(s(a, bits), s(b, bits)) if signed else t(a, b)))


def halves(value):
    return value & m(16), value >> 16


def packed():
    """Both halves of a register, or both registers of a pair, as LLVM's two-element vectors."""
    def pair(name, count, vector, body, function, kind="pk"):
        wide = "i64" if kind == "pair" else "i32"
        bits = 32 if kind == "pair" else 16
        lines = [f"%v{x} = bitcast {wide} {{{x}}} to {vector}" for x in "abc"[:count]]
        lines += [body] if isinstance(body, str) else body
        lines.append(f"%r = bitcast {vector} %s to {wide}")

        def both(*registers):
            low = function(*(x & m(bits) for x in registers))
            high = function(*(x >> bits for x in registers))
            return low | high << bits
        row(name, " ".join([kind] * count), kind, lines, both)
    f16, f32 = n.F16, n.F32
    h, f, i = "<2 x half>", "<2 x float>", "<2 x i16>"
    for op, ir, py in (("add", "fadd", n.add), ("mul", "fmul", n.mul)):
        pair(f"v_pk_{op}_f16", 2, h, f"%s = {ir} {h} %va, %vb", lambda a, b, py=py: py(f16, a, b))
        pair(f"v_pk_{op}_f32", 2, f, f"%s = {ir} {f} %va, %vb", lambda a, b, py=py: py(f32, a, b),
             "pair")
    pair("v_pk_fma_f16", 3, h, f"%s = call {h} @llvm.fma.v2f16({h} %va, {h} %vb, {h} %vc)",
         lambda a, b, c: n.fma(f16, a, b, c))
    pair("v_pk_fmac_f16", 3, h, f"%s = call {h} @llvm.fma.v2f16({h} %va, {h} %vb, {h} %vc)",
         lambda a, b, c: n.fma(f16, a, b, c))
    pair("v_pk_fma_f32", 3, f, f"%s = call {f} @llvm.fma.v2f32({f} %va, {f} %vb, {f} %vc)",
         lambda a, b, c: n.fma(f32, a, b, c), "pair")
    for op, want in (("min", False), ("max", True)):
        pair(f"v_pk_{op}_f16", 2, h, f"%s = call {h} @llvm.{op}num.v2f16({h} %va, {h} %vb)",
             lambda a, b, want=want: n.extremum(f16, a, b, want))
        for sign, value in (("u", lambda a: a), ("i", lambda a: s(a, 16))):
            call = f"llvm.{'s' if sign == 'i' else 'u'}{op}.v2i16"
            pair(f"v_pk_{op}_{sign}16", 2, i, f"%s = call {i} @{call}({i} %va, {i} %vb)",
                 lambda a, b, value=value, pick=max if want else min: pick((a, b), key=value))
    for sign in "iu":
        for op in ("add", "sub"):
            pair(f"v_pk_{op}_{sign}16", 2, i, f"%s = {op} {i} %va, %vb",
                 lambda a, b, op=op: (a + b if op == "add" else a - b) & m(16))
        pair(f"v_pk_mad_{sign}16", 3, i, [f"%q = mul {i} %va, %vb", f"%s = add {i} %q, %vc"],
             lambda a, b, c: (a * b + c) & m(16))
    pair("v_pk_mul_lo_u16", 2, i, f"%s = mul {i} %va, %vb", lambda a, b: a * b & m(16))
    mask = f"%n = and {i} %va, <i16 15, i16 15>"
    pair("v_pk_lshlrev_b16", 2, i, [mask, f"%s = shl {i} %vb, %n"], lambda a, b: b << (a & 15) & m(16))
    pair("v_pk_lshrrev_b16", 2, i, [mask, f"%s = lshr {i} %vb, %n"], lambda a, b: b >> (a & 15))
    pair("v_pk_ashrrev_i16", 2, i, [mask, f"%s = ashr {i} %vb, %n"],
         lambda a, b: s(b, 16) >> (a & 15) & m(16))
    row("v_pk_mov_b32", "pair pair", "pair",
        ["%p = and i64 {a}, 4294967295", "%q = shl i64 {b}, 32", "%r = or i64 %p, %q"],
        lambda a, b: a & m(32) | (b & m(32)) << 32)


def mixed():
    """v_fma_mix with f16 sources in the low halves."""
    widen = [line for x in "abc" for line in (
        f"%t{x} = trunc i32 {{{x}}} to i16", f"%h{x} = bitcast i16 %t{x} to half",
        f"%f{x} = fpext half %h{x} to float")]
    call = "call float @llvm.fma.f32(float %fa, float %fb, float %fc)"

    def mix(a, b, c):
        return n.fma(n.F32, *(n.convert(n.F32, n.F16, x & m(16)) for x in (a, b, c)))
    row("v_fma_mix_f32", "pk pk pk", "f32", widen + [f"%r = {call}"], mix)
    row("v_fma_mixlo_f16", "pk pk pk", "f16", widen + [f"%q = {call}", "%r = fptrunc float %q to half"],
        lambda a, b, c: n.convert(n.F16, n.F32, mix(a, b, c)))
    row("v_fma_mixhi_f16", "pk pk pk", "u32",
        widen + [f"%q = {call}", "%w = fptrunc float %q to half", "%x = bitcast half %w to i16",
                 "%y = zext i16 %x to i32", "%r = shl i32 %y, 16"],
        lambda a, b, c: n.convert(n.F16, n.F32, mix(a, b, c)) << 16)


def rare():
    for name in ("v_mad_f16", "v_mad_legacy_f16", "v_mac_f16", "v_madmk_f16", "v_madak_f16"):
        row(name, "f16 f16 f16", "f16", ["%q = fmul half {a}, {b}", "%r = fadd half %q, {c}"],
            lambda a, b, c: n.mad(n.F16, a, b, c))
    for name in ("v_mad_f32", "v_mac_f32", "v_madmk_f32", "v_madak_f32"):
        row(name, "f32 f32 f32", "f32", ["%q = fmul float {a}, {b}", "%r = fadd float %q, {c}"],
            lambda a, b, c: n.mad_flushed(n.F32, a, b, c), FLUSHING)
    row("v_mad_legacy_f32", "f32 f32 f32", "f32",
        ["%x = fcmp oeq float {a}, 0.0", "%y = fcmp oeq float {b}, 0.0", "%z = or i1 %x, %y",
         "%p = fmul float {a}, {b}", "%q = select i1 %z, float 0.0, float %p", "%r = fadd float %q, {c}"],
        n.mad_legacy, FLUSHING)
    row("v_cvt_pkrtz_f16_f32", "f32 f32", "u32",
        ["%q = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float {a}, float {b})",
         "%r = bitcast <2 x half> %q to i32"],
        lambda a, b: n.toward_zero(n.F16, n.F32, a) | n.toward_zero(n.F16, n.F32, b) << 16)
    for name, index in (("id", 0), ("sc", 1), ("tc", 2), ("ma", 3)):
        row(f"v_cube{name}_f32", "f32 f32 f32", "f32",
            f"%r = call float @llvm.amdgcn.cube{name}(float {{a}}, float {{b}}, float {{c}})",
            lambda x, y, z, index=index: n.cube(n.F32, x, y, z)[index])
    for k in ("f32", "f16"):
        for name, quarters in (("sin", 0), ("cos", 1)):
            row(f"v_{name}_{k}", k, k,
                f"%r = call {T[k]} @llvm.amdgcn.{name}.{k}({T[k]} {{a}})",
                lambda a, f=n.FORMATS[k], quarters=quarters: n.turn(f, a, quarters))
        for prefix, low in (("i16", -1), ("u16", 0)):
            steps = 32767 if low else 65535
            norm = lambda a, f=n.FORMATS[k], low=low, steps=steps: n.normalized(f, a, low, steps) & m(16)
            row(f"v_cvt_pknorm_{prefix}_{k}", f"{k} {k}", "u32", None,
                lambda a, b, norm=norm: norm(a) | norm(b) << 16)
            if k == "f16":
                row(f"v_cvt_norm_{prefix}_f16", k, prefix, None, norm)
    row("v_cvt_rpi_i32_f32", "f32", "i32",
        ["%p = fadd float {a}, 5.000000e-01", "%q = call float @llvm.floor.f32(float %p)",
         "%r = call i32 @llvm.fptosi.sat.i32.f32(float %q)"], n.half_added_floor)
    row("v_cvt_off_f32_i4", "u32", "f32",
        ["%p = trunc i32 {a} to i4", "%q = sitofp i4 %p to float", "%r = fmul float %q, 6.250000e-02"],
        lambda a: n.F32.round(n.Fraction(s(a & 15, 4), 16)))
    row("v_sat_pk_u8_i16", "u32", "u32", None,
        lambda a: clamp(s(a & m(16), 16), 0, 255) | clamp(s(a >> 16, 16), 0, 255) << 8)
    for name, bias, mantissa in (("fp8", 8, 3), ("bf8", 16, 2)):
        decode = lambda a, bias=bias, mantissa=mantissa: n.fnuz(a & 255, bias, mantissa)
        row(f"v_cvt_f32_{name}", "u32", "f32", None, decode)
        row(f"v_cvt_pk_f32_{name}", "u32", "u64", None,
            lambda a, decode=decode: decode(a) | decode(a >> 8) << 32)
    for name, masked in (("qsad", False), ("mqsad", True)):
        row(f"v_{name}_pk_u16_u8", "u64 u32 u64", "u64", None,
            lambda a, b, c, masked=masked: four_windows(a, b, c, masked))


def four_windows(a, b, c, masked):
    window, reference = a.to_bytes(8, "little"), b.to_bytes(4, "little")
    result = 0
    for i in range(4):
        total = sum(abs(x - y) for x, y in zip(window[i:i + 4], reference) if y or not masked)
        result |= ((c >> 16 * i & m(16)) + total & m(16)) << 16 * i
    return result


floats(), conversions(), integers(), dots(), compares(), packed(), mixed(), rare()
