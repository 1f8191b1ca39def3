"""DS rows: mnemonics, operands and addresses (CDNA3 ISA guide, "Data Share Operations")."""
import memory_operations as o
from memory import LANES, Case
from memory_forms import (ADDRESS, DATA, DATA2, DESTINATION, case_count, forms_of, new_case, perform,
                          register, selection, shared_values, values_of)

ROWS = {}


def text_of(name, op, suffix):
    operands = [register(DESTINATION, op.result)] if op.result else []
    operands += [f"v{ADDRESS}"]
    operands += [register(r, bits) for r, bits in zip((DATA, DATA2), op.data)]
    return f"{name} {', '.join(operands)}{suffix}"


def address_of(op, form, index):
    """Address register and offset of a lane in a form."""
    order = [3, 0, 4, 1, 5, 2][index]
    if form == "offset":
        return 8 * op.size * order if op.size > 4 else 32 * order, 0xfd00
    if form == "misaligned":
        return 0x401 + (2 * order if op.size == 2 else order * (op.size + 3)), 6
    if form == "together":
        return 0x40, 0x10
    if form == "broadcast":
        return 0x120, 8
    return 0x200 + (op.size + 11) // 8 * 8 * order, 0


def single(name, op, targets=None):
    """One address, one 16-bit unsigned offset."""
    forms = forms_of(op, ["plain", "offset"], "misaligned", "broadcast", "together")
    cases = []
    for number in range(case_count(op, forms)):
        form = forms[number % len(forms)]
        offset = address_of(op, form, 0)[1]
        case = new_case(form, number, text_of(name, op, f" offset:{offset}" if offset else ""), op)
        case.targets = targets or case.targets
        values = shared_values(values_of(op, number * len(LANES), len(LANES)), form)
        if op.select:
            case.selections = [selection(
                op, name, ["ptr addrspace(3) %base"],
                [f"%p = getelementptr inbounds i8, ptr %base, i32 {offset}"], " addrspace(3)",
                rf".*offset:{offset}\b" if offset else ".*", ",".join(case.targets))]
        for index, lane in enumerate(LANES):
            address, _ = address_of(op, form, index)
            case.set_vector(ADDRESS, lane, address)
            ir = [f"%a = add i32 {address}, {offset}", "%z = zext i32 %a to i64",
                  "%p = getelementptr i8, ptr %mem_lds, i64 %z"]
            perform(case, op, lane, [("lds", address + offset)], values[index], ir)
        cases.append(case)
    ROWS[name] = cases


def double(name, op, unit):
    """Two 8-bit offsets that count elements, or 64 of them (`unit` 64)."""
    step = op.size * unit
    forms = [(0, 1), (3, 1), (255 if step <= 256 else 120, 2)] if unit == 1 or op.size == 4 else [
        (0, 1), (3, 1), (120, 2)]
    cases = []
    for number in range(case_count(op, forms)):
        first, second = forms[number % len(forms)]
        offsets = "".join(f" offset{i}:{v}" for i, v in enumerate((first, second)) if v)
        case = new_case("pair", number, text_of(name, op, offsets), op)
        if op.select:
            # llc numbers the two by address; the instruction may have them either way.
            low, high = sorted((first, second))
            pattern = ".*" + "".join(rf" offset{i}:{v}\b" for i, v in enumerate((low, high)) if v)
            chosen = selection(
                op, name, ["ptr addrspace(3) %base"],
                [f"%p = getelementptr inbounds i8, ptr %base, i32 {first * step}",
                 f"%q = getelementptr inbounds i8, ptr %base, i32 {second * step}"],
                " addrspace(3)", pattern)
            case.selections = [chosen]
        values = values_of(op, number * len(LANES), len(LANES))
        for index, lane in enumerate(LANES):
            address = 2 * op.size * [3, 0, 4, 1, 5, 2][index] if unit == 64 else \
                0x1000 + 8 * op.size * index
            case.set_vector(ADDRESS, lane, address)
            ir = []
            for pointer, offset in (("p", first), ("q", second)):
                ir += [f"%a{pointer} = add i32 {address}, {offset * step}",
                       f"%z{pointer} = zext i32 %a{pointer} to i64",
                       f"%{pointer} = getelementptr i8, ptr %mem_lds, i64 %z{pointer}"]
            perform(case, op, lane, [("lds", address + first * step), ("lds", address + second * step)],
                    values[index], ir)
        cases.append(case)
    ROWS[name] = cases


def by_thread(name, op):
    """Dword of the lane behind M0[15:0] + offset; no address register."""
    cases = []
    for number in range(2):
        base, offset = ((0x100, 0), (0xabcd0200, 0x1004))[number]
        data = f"v{DESTINATION if op.result else DATA}"
        case = new_case("thread", number, f"{name} {data}" + (f" offset:{offset}" if offset else ""), op)
        case.set_scalar(124, base)
        for lane, value in zip(LANES, values_of(op, number * len(LANES), len(LANES))):
            perform(case, op, lane, [("lds", (base & 0xffff) + offset + 4 * lane)], value, [])
        case.accesses = []
        cases.append(case)
    ROWS[name] = cases


def counter(name, sign):
    """ds_append, ds_consume: one access for the wave, the number of active lanes at M0 + offset."""
    operation, cases = ("add", "sub")[sign < 0], []
    for number, (base, offset, old, lanes) in enumerate((
            (0x40, 0, 5, LANES), (0x80, 0x120, 0xfffffffe, [63]), (0, 0xfe00, 2, [7, 33, 34]))):
        case = Case(f"wave{number}", f"{name} v{DESTINATION}" + (f" offset:{offset}" if offset else ""),
                    lanes)
        case.set_scalar(124, base)
        case.set("lds", base + offset, 4, old)
        for lane in lanes:
            case.result(DESTINATION, lane, old)
        case.write("lds", base + offset, 4, old + sign * len(lanes) & 0xffffffff)
        ir = [f"%c = call i64 @llvm.ctpop.i64(i64 {o.signed(sum(1 << lane for lane in lanes), 64)})",
              "%n = trunc i64 %c to i32", f"%a = add i32 {base}, {offset}", "%z = zext i32 %a to i64",
              "%p = getelementptr i8, ptr %mem_lds, i64 %z",
              f"%r = atomicrmw {operation} ptr %p, i32 %n monotonic"]
        case.accesses = [{"ir": ir, "results": [("r", 32, ("v", DESTINATION, lanes[0]))]}]
        lines = (f"  %p = getelementptr inbounds i8, ptr addrspace(3) %b, i32 {offset}\n"
                 f"  %r = call i32 @llvm.amdgcn.{name.replace('_', '.')}.p3(ptr addrspace(3) %p, i1 false)\n")
        case.selections = [(f"i32 @f(ptr addrspace(3) inreg %b) {{\n{lines}  ret i32 %r\n}}",
                            rf"(?ms)^\s*s_mov_b32 m0, s\d+$.*^\s*{name} v\d+{f' offset:{offset}' if offset else ''}$",
                            "gfx90a,gfx942")]
        cases.append(case)
    ROWS[name] = cases


def exchange(name, number, text, lanes, addresses, data, results):
    """A case of lanes that exchange registers."""
    case = Case(f"lanes{number}", text, lanes)
    for lane in lanes:
        if addresses:
            case.set_vector(ADDRESS, lane, addresses[lane])
        case.set_vector(DATA, lane, data[lane])
        case.result(DESTINATION, lane, results[lane])
    ROWS.setdefault(name, []).append(case)


MASKS = [list(range(64)), LANES + [5, 9, 40], list(range(0, 64, 3))]


def permutes():
    data = [lane * 0x01010101 + 0x40 for lane in range(64)]
    for number, (lanes, offset) in enumerate(zip(MASKS, (0, 8, 252))):
        suffix = f" offset:{offset}" if offset else ""
        # All bits of the address count modulo 64 lanes; several lanes may read one.
        pulled = [(lane * 28 + (lane & 1) * 0x1000 + lane % 4) & 0xffffffff for lane in range(64)]
        from_lane = [(a + offset) // 4 % 64 for a in pulled]
        exchange("ds_bpermute_b32", number, f"ds_bpermute_b32 v8, v2, v12{suffix}", lanes, pulled, data,
                 [data[s] if s in lanes else 0 for s in from_lane])
        pushed = [(63 - lane) // (2 if number == 1 else 1) * 4 + 0x2000 for lane in range(64)]
        received = [0] * 64
        for lane in lanes:
            received[(pushed[lane] + offset) // 4 % 64] = data[lane]
        exchange("ds_permute_b32", number, f"ds_permute_b32 v8, v2, v12{suffix}", lanes, pushed, data,
                 received)


def swizzles():
    """Quads (bit 15), or and, or, xor masks within 32 lanes; lanes that are off read as 0."""
    data = [lane * 0x01010101 + 0x40 for lane in range(64)]
    for number, pattern in enumerate((0x8000 | 0x1b, 0x8000 | 0x93, 0x1f | 1 << 10, 0x10 | 3 << 5,
                                      0x1c | 1 << 5 | 0x12 << 10, 0x041f)):
        lanes = MASKS[number % 3]
        if pattern >> 15:
            source = [lane & ~3 | pattern >> 2 * (lane & 3) & 3 for lane in range(64)]
        else:
            source = [lane & 32 | (lane & pattern & 31 | pattern >> 5 & 31) ^ pattern >> 10 & 31
                      for lane in range(64)]
        exchange("ds_swizzle_b32", number, f"ds_swizzle_b32 v8, v12 offset:{pattern}", lanes, None, data,
                 [data[s] if s in lanes else 0 for s in source])


def rows():
    for bits in (32, 64, 96, 128):
        single(f"ds_read_b{bits}", o.load(bits // 8))
        single(f"ds_write_b{bits}", o.store(bits // 8))
    for size in (1, 2):
        for sign in "iu":
            single(f"ds_read_{sign}{8 * size}", o.load(size, sign == "i"))
            if sign == "u" or size == 1:
                single(f"ds_read_{sign}{8 * size}_d16", o.load_half(size, sign == "i", False))
                single(f"ds_read_{sign}{8 * size}_d16_hi", o.load_half(size, sign == "i", True))
        single(f"ds_write_b{8 * size}", o.store(size))
        single(f"ds_write_b{8 * size}_d16_hi", o.store(size, 16))
    for bits in (32, 64):
        for unit, infix in ((1, "2"), (64, "2st64")):
            double(f"ds_read{infix}_b{bits}", o.pair(o.load(bits // 8)), unit)
            double(f"ds_write{infix}_b{bits}", o.pair(o.store(bits // 8)), unit)
            double(f"ds_wrxchg{infix}_rtn_b{bits}", o.exchange_pair(bits), unit)
        single(f"ds_wrxchg_rtn_b{bits}", o.integer_atomic("swap", bits, True))
        for returns, infix in ((False, ""), (True, "_rtn")):
            for name, kind, key in (("add", "u", "add"), ("sub", "u", "sub"), ("inc", "u", "inc"),
                                    ("dec", "u", "dec"), ("min", "i", "smin"), ("max", "i", "smax"),
                                    ("min", "u", "umin"), ("max", "u", "umax"), ("and", "b", "and"),
                                    ("or", "b", "or"), ("xor", "b", "xor")):
                single(f"ds_{name}{infix}_{kind}{bits}", o.integer_atomic(key, bits, returns))
            single(f"ds_rsub{infix}_u{bits}", o.reverse_subtract(bits, returns))
            single(f"ds_mskor{infix}_b{bits}", o.masked_or(bits, returns))
            single(f"ds_cmpst{infix}_b{bits}", o.compare_swap(bits, returns))
            single(f"ds_cmpst{infix}_f{bits}", o.float_compare_swap(bits, returns))
            single(f"ds_add{infix}_f{bits}", o.float_add(bits, returns))
            single(f"ds_min{infix}_f{bits}", o.float_extreme(bits, False, returns))
            single(f"ds_max{infix}_f{bits}", o.float_extreme(bits, True, returns))
    for returns, infix in ((False, ""), (True, "_rtn")):
        for kind in ("f16", "bf16"):
            single(f"ds_pk_add{infix}_{kind}", o.packed_add(kind, returns), ("gfx942",))
    single("ds_wrap_rtn_b32", o.wrap())
    single("ds_condxchg32_rtn_b64", o.conditional_exchange())
    by_thread("ds_read_addtid_b32", o.load(4))
    by_thread("ds_write_addtid_b32", o.store(4))
    counter("ds_append", 1)
    counter("ds_consume", -1)
    permutes()
    swizzles()
    return ROWS
