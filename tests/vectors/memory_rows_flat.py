"""FLAT, GLOBAL and SCRATCH rows: mnemonics, operands and addresses (CDNA3 ISA guide, "Flat Memory
Instructions")."""
import memory_operations as o
from memory import LANES, PRIVATE, SHARED
from memory_forms import (ADDRESS, DATA, DESTINATION, case_count, forms_of, new_case, perform, register,
                          selection, shared_values, values_of)

ROWS = {}
SCALAR, SCRATCH_SCALAR = 4, 6
ORDER = [3, 0, 4, 1, 5, 2]
RETURN_BIT = {"gfx90a": " glc", "gfx942": " sc0"}


class Form:
    """Where the lanes of a case find their data. address(size, place): (address registers, address);
    `ir` gives %a from {v}, {s} and {o}; `pointers` and `select` are the same for llc."""

    def __init__(self, operands, offset, address, ir, pointers, select, pattern, scalar=0, space=None,
                 targets=("gfx90a", "gfx942")):
        self.operands, self.offset, self.address, self.ir = operands, offset, address, ir
        self.pointers, self.select, self.pattern = pointers, select, pattern
        self.scalar, self.space, self.targets = scalar, space, targets


def step(size):
    return (size + 11) // 8 * 8


VECTOR64 = ["%a = add i64 {v}, {o}"]
SADDR = ["%wide = zext i32 {v} to i64", "%sum = add i64 {s}, %wide", "%a = add i64 %sum, {o}"]
GLOBAL_POINTER = ["ptr addrspace(1) %base"]
GLOBAL_SELECT = ["%p = getelementptr i8, ptr %base, i64 {o}"]
SADDR_POINTER = ["ptr addrspace(1) inreg %base", "i32 %vaddr"]
SADDR_SELECT = ["%wide = zext i32 %vaddr to i64", "%base2 = getelementptr i8, ptr %base, i64 %wide",
                "%p = getelementptr i8, ptr %base2, i64 {o}"]
HIGH = 0x200000000000  # a carry into the upper dword


def global_form(offset, start, scalar=0, sized=True, fixed=None):
    """Addresses start + place * step; with SADDR `scalar` is the base and the rest the VGPR."""
    def address(size, place):
        at = start + (0 if fixed else ORDER[place] * (step(size) if sized else size + 3))
        return at - offset - scalar, at
    if scalar:
        return Form(f"v{ADDRESS}, {{data}}s[{SCALAR}:{SCALAR + 1}]", offset, address, SADDR,
                    SADDR_POINTER, SADDR_SELECT, r".*s\[\d+:\d+\]", scalar)
    return Form(f"v[{ADDRESS}:{ADDRESS + 1}], {{data}}off", offset, address, VECTOR64, GLOBAL_POINTER,
                GLOBAL_SELECT, ".*off")


GLOBAL = {"negative": global_form(-4096, HIGH - 0x60), "scalar": global_form(4080, HIGH - 0x40, HIGH - 0x2000),
          "unsigned": global_form(0, HIGH - 0x40, HIGH - 0x80002000),
          "misaligned": global_form(7, HIGH - 0x1f, sized=False),
          "broadcast": global_form(8, HIGH + 0x40, fixed=True),
          "together": global_form(-8, HIGH + 0x80, HIGH - 0x1000, fixed=True)}

FLAT_SELECT = ["%p = getelementptr inbounds i8, ptr %base, i64 {o}"]


def flat_form(offset, start, aperture=None, sized=True, fixed=None):
    def address(size, place):
        at = start + (0 if fixed else ORDER[place] * (step(size) if sized else size + 3))
        return (at - offset) | (aperture or 0) << 32, at
    space = {None: None, SHARED: "lds", PRIVATE: "private"}[aperture]
    return Form(f"v[{ADDRESS}:{ADDRESS + 1}]{{data}}", offset, address, VECTOR64, ["ptr %base"],
                FLAT_SELECT, ".*", space=space)


FLAT = {"memory": flat_form(4088, HIGH - 0x40), "lds": flat_form(16, 0x200, SHARED),
        "private": flat_form(4, 0x10, PRIVATE), "misaligned": flat_form(3, HIGH - 0x1f, sized=False),
        "broadcast": flat_form(0, HIGH + 0x40, fixed=True),
        "together": flat_form(64, HIGH + 0x80, fixed=True)}


def scratch_form(operands, offset, start, vector, scalar, pointers, select, pattern, both=True, sized=True):
    def address(size, place):
        at = start + (ORDER[place] * (step(size) if sized else size + 3) if vector else 0)
        return at - offset - scalar & 0xffffffff, at
    ir = ["%sum = add i32 {v}, {s}" if vector else "%sum = add i32 {s}, 0", "%a = add i32 %sum, {o}"]
    return Form(operands, offset, address, ir, pointers, select, pattern, scalar, "private",
                ("gfx90a", "gfx942") if both else ("gfx942",))


BASE5, GEP5 = "ptr addrspace(5)", "%p = getelementptr inbounds i8, ptr %base, i32 {o}"
SCRATCH = {
    "vector": scratch_form(f"v{ADDRESS}, {{data}}off", 20, 0x40, True, 0, [f"{BASE5} %base"], [GEP5],
                           r".*v\d+, (v.*, )?off"),
    "scalar": scratch_form(f"off, {{data}}s{SCRATCH_SCALAR}", 8, 0x60, False, 0x58,
                           [f"{BASE5} inreg %base"], [GEP5], r".*off, (v.*, )?s\d+"),
    # llc puts neither a negative offset nor both registers into one instruction without more facts.
    "negative": scratch_form(f"v{ADDRESS}, {{data}}off", -64, 0x20, True, 0, None, [], ""),
    "both": scratch_form(f"v{ADDRESS}, {{data}}s{SCRATCH_SCALAR}", 4, 0x30, True, 0x24, None, [], "",
                         both=False),
    "none": scratch_form("off, {data}off", 16, 16, False, 0, None, [], "", both=False),
    "misaligned": scratch_form(f"v{ADDRESS}, {{data}}off", 3, 0x21, True, 0, [f"{BASE5} %base"], [GEP5],
                               r".*v\d+, (v.*, )?off", sized=False)}
SPACES = {"flat": (FLAT, "", 64, ""), "global": (GLOBAL, " addrspace(1)", 64, ""),
          "scratch": (SCRATCH, " addrspace(5)", 32, "-mattr=+enable-flat-scratch")}


def pointer_ir(form, lane, value):
    """%a and %p of one lane; FLAT addresses must lie in the aperture of the form's space."""
    lines = [line.format(v=value, s=form.scalar, o=form.offset) for line in form.ir]
    if form.space == "private" and len(form.ir) > 1:
        return lines + ["%at = zext i32 %a to i64", f"%p = getelementptr i8, ptr %mem_private{lane}, i64 %at"]
    if form.space is None:
        return lines + ["%at = sub i64 %a, 35184372056064", "%p = getelementptr i8, ptr %mem_memory, i64 %at"]
    slot = "%mem_lds" if form.space == "lds" else f"%mem_private{lane}"
    aperture = SHARED if form.space == "lds" else PRIVATE
    return lines + ["%high = lshr i64 %a, 32", f"%in = icmp eq i64 %high, {aperture}",
                    "%low = and i64 %a, 4294967295", f"%there = getelementptr i8, ptr {slot}, i64 %low",
                    "%p = select i1 %in, ptr %there, ptr null"]


def case_of(segment, name, op, title, number, target):
    """One case; atomics have one for each target where the bit that asks for the old value has
    different names."""
    forms, space, _, flags = SPACES[segment]
    form, mnemonic = forms[title], f"{segment}_{name}"
    result = f"{register(DESTINATION, op.result)}, " if op.result else ""
    data = register(DATA, op.data[0]) if op.data else ""
    operands = form.operands.format(data=f"{data}, " if data and segment != "flat" else
                                    f", {data}" if data else "")
    suffix = f" offset:{form.offset}" if form.offset else ""
    if op.data and op.result:
        suffix += RETURN_BIT[target]
    only = target or (getattr(op, "targets", (None, None))[0] if len(getattr(op, "targets", ())) == 1 else None)
    tag = ("-old" if op.data and op.result else "") + (f"-{only}" if only else "")
    case = new_case(title, f"{number}{tag}",
                    f"{mnemonic} {result}{operands}{suffix}", op)
    case.targets = tuple(t for t in form.targets if not target or t == target)
    case.targets = tuple(t for t in case.targets if t in getattr(op, "targets", case.targets))
    if form.scalar:
        case.set_scalar(SCALAR if segment == "global" else SCRATCH_SCALAR, form.scalar,
                        2 if segment == "global" else 1)
    pattern = form.pattern + (rf".*offset:{form.offset}\b" if form.offset else "")
    select = [line.format(o=form.offset) for line in form.select]
    if form.pointers:
        case.selections = [selection(op, mnemonic, form.pointers, select, space, pattern,
                                     ",".join(case.targets), flags)]
    values = shared_values(values_of(op, number * len(LANES), len(LANES)), title)
    for place, lane in enumerate(LANES):
        value, at = form.address(op.size, place)
        if "v" in form.operands.split("{")[0]:
            wide = "[" in form.operands.split("{")[0]
            case.set_vector(ADDRESS, lane, value, 2 if wide else 1)
        where = ("private", lane) if form.space == "private" else form.space or "memory"
        perform(case, op, lane, [(where, at)], values[place], pointer_ir(form, lane, value))
    if not form.pointers:
        case.accesses = []
    return case


def add(segment, name, op, forms=None):
    titles = forms or list(SPACES[segment][0])
    if segment == "scratch":
        titles = [t for t in titles if t != "misaligned" or op.size > 1]
    else:
        plain = [t for t in titles if t not in ("misaligned", "broadcast", "together")]
        titles = forms_of(op, plain, "misaligned", "broadcast", "together")
    cases = ROWS.setdefault(f"{segment}_{name}", [])
    returning = op.data and op.result
    targets = [t for t in RETURN_BIT if t in getattr(op, "targets", RETURN_BIT)] if returning else [None]
    for number in range(case_count(op, titles)):
        for target in targets:
            case = case_of(segment, name, op, titles[number % len(titles)], number, target)
            if case.targets:
                cases.append(case)


def to_lds(segment, name, op):
    """A load whose result goes to LDS at M0[17:2] * 4 + offset + 4 * lane, as a dword (CDNA3 ISA guide,
    "Addressing" of FLAT). No other reference says where."""
    cases = ROWS.setdefault(f"{segment}_{name}", [])
    for number, (base, offset) in enumerate(((0x100, 0), (0x203, 16), (0xf003, 64))):
        wide = segment == "global"
        text = f"{segment}_{name} {register(ADDRESS, 64 if wide else 32)}, off"
        case = new_case("direct", number, text + (f" offset:{offset}" if offset else ""), op)
        case.targets = ("gfx942",)
        case.set_scalar(124, base)
        values = values_of(op, number * len(LANES), len(LANES))
        for place, lane in enumerate(LANES):
            at = (HIGH - 0x20 if wide else 0x50) + step(op.size) * ORDER[place]
            space = "memory" if wide else ("private", lane)
            case.set_vector(ADDRESS, lane, at - offset, 2 if wide else 1)
            case.set(space, at, op.size, values[place][0][0])
            _, result = op.exact([case.read(space, at, op.size)], (), 0)
            case.write("lds", (base & 0x3fffc) + offset + 4 * lane, 4, result)
        cases.append(case)


def atomic(name, make, floats=False, flat=True, targets=None, **extra):
    for returns in (False, True):
        op = make(returns)
        if targets:
            op.targets = targets
        add("global", name, op)
        if flat:
            add("flat", name, op, ["memory"] if floats else ["memory", "lds"])


def rows():
    plain = {"load_ubyte": o.load(1), "load_sbyte": o.load(1, True), "load_ushort": o.load(2),
             "load_sshort": o.load(2, True), "load_dword": o.load(4), "store_byte": o.store(1),
             "store_byte_d16_hi": o.store(1, 16), "store_short": o.store(2),
             "store_short_d16_hi": o.store(2, 16), "store_dword": o.store(4)}
    for dwords in (2, 3, 4):
        plain[f"load_dwordx{dwords}"], plain[f"store_dwordx{dwords}"] = o.load(4 * dwords), o.store(4 * dwords)
    for suffix, high in (("", False), ("_hi", True)):
        plain[f"load_ubyte_d16{suffix}"] = o.load_half(1, False, high)
        plain[f"load_sbyte_d16{suffix}"] = o.load_half(1, True, high)
        plain[f"load_short_d16{suffix}"] = o.load_half(2, False, high)
    for name, op in plain.items():
        for segment in SPACES:
            add(segment, name, op)
    for name, op in (("ubyte", o.load(1)), ("sbyte", o.load(1, True)), ("ushort", o.load(2)),
                     ("sshort", o.load(2, True)), ("dword", o.load(4))):
        to_lds("global", f"load_lds_{name}", op)
        to_lds("scratch", f"load_lds_{name}", op)
    for bits, suffix in ((32, ""), (64, "_x2")):
        for name in o.INTEGER:
            atomic(f"atomic_{name}{suffix}", lambda r: o.integer_atomic(name, bits, r))
        atomic(f"atomic_cmpswap{suffix}", lambda r: o.compare_swap_tuple(bits, r))
    # f32: gfx90a flushes denormals; for gfx942 the sources differ (DEVIATIONS 12), so none are used.
    atomic("atomic_add_f32", lambda r: o.float_add(32, r, flushes=True), True, False, ("gfx90a",))
    atomic("atomic_add_f32", lambda r: o.float_add(32, r, denormals=False), True, True, ("gfx942",))
    atomic("atomic_pk_add_f16", lambda r: o.packed_add("f16", r), True, False, ("gfx90a",))
    atomic("atomic_pk_add_f16", lambda r: o.packed_add("f16", r), True, True, ("gfx942",))
    atomic("atomic_pk_add_bf16", lambda r: o.packed_add("bf16", r), True, True, ("gfx942",))
    atomic("atomic_add_f64", lambda r: o.float_add(64, r), True)
    atomic("atomic_min_f64", lambda r: o.float_extreme(64, False, r), True)
    atomic("atomic_max_f64", lambda r: o.float_extreme(64, True, r), True)
    return ROWS
