"""The rows that tests/vectors/memory covers: mnemonics, operands and where addresses come from (CDNA3
ISA guide: "Data Share Operations", "Flat Memory Instructions", "Scalar Memory Operations")."""
import re

import memory_operations as operations
from memory import LANES, Case

DESTINATION, ADDRESS, DATA, DATA2 = 8, 2, 12, 20
ROWS = {}


def register(number, bits):
    return f"v{number}" if bits <= 32 else f"v[{number}:{number + bits // 32 - 1}]"


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def definitions(op, data, old):
    lines = [f"%{name} = or i{bits} {signed(value, bits)}, 0"
             for name, bits, value in zip("de", op.data, data)]
    return lines + ([f"%o = or i32 {signed(old, 32)}, 0"] if op.keeps_half is not None else [])


def place_for_fold(lines):
    """GVN forwards integers better than vectors of dwords."""
    return [re.sub(r"<([34]) x i32>", lambda m: f"i{32 * int(m[1])}", line)
            .replace("ALIGN", "align 1") for line in lines]


def perform(case, op, lane, places, values, address_ir):
    """Lane's access at `places` [(space, address)], in both references."""
    olds, data = values
    for (space, at), old in zip(places, olds):
        case.set(space, at, op.size, old)
    for number, bits, value in zip((DATA, DATA2), op.data, data):
        case.set_vector(number, lane, value, bits // 32)
    before = 0
    if op.keeps_half is not None:
        before = (0x1111 * (lane % 15 + 1)) << op.keeps_half
        case.set_vector(DESTINATION, lane, before)
    news, result = op.exact([case.read(s, at, op.size) for s, at in places], data, before)
    for (space, at), new in zip(places, news or ()):
        case.write(space, at, op.size, new)
    results = []
    if op.result:
        case.result(DESTINATION, lane, result, op.result // 32)
        results = [("r", op.result, ("v", DESTINATION, lane))]
        if op.result > 32:
            results = []
            for i in range(op.result // 32):
                address_ir = address_ir + []
                results.append((f"r{i}", 32, ("v", DESTINATION + i, lane)))
    split = [line for i in range(len(results) if op.result > 32 else 0) for line in
             (f"%t{i} = lshr i{op.result} %r, {32 * i}", f"%r{i} = trunc i{op.result} %t{i} to i32")]
    case.accesses.append({"ir": definitions(op, data, before) + address_ir +
                          place_for_fold(op.ir) + split, "results": results})


def values_of(op, start, count):
    return [op.grid[(start + i) % len(op.grid)] for i in range(count)]


def selection(op, name, pointers, addresses, space, pattern, targets="gfx90a,gfx942", flags=""):
    """The function that llc shall select `name` for: arguments are the pointers, data, old value."""
    arguments = pointers + [f"i{bits} %{n}" for n, bits in zip("de", op.data)]
    arguments += ["i32 %o"] if op.keeps_half is not None else []
    kind = f"i{op.result}" if op.result else "void"
    align = f"align {op.size if op.size in (1, 2, 4, 8, 16) else 16}"
    lines = addresses + [line.replace("ALIGN", align) for line in op.ir]
    lines = [line.replace("ptr %", f"ptr{space} %").replace("i8, ptr ", f"i8, ptr{space} ")
             .replace(f"ptr{space}{space}", f"ptr{space}") for line in lines]
    body = "".join(f"  {line}\n" for line in lines)
    last = f"  ret {kind} %r\n" if op.result else "  ret void\n"
    attributes = getattr(op, "attributes", "")
    return (f"{kind} @f({', '.join(arguments)}) {attributes} {{\n{body}{last}}}",
            rf"(?m)^\s*{name}(_e32|_e64)? {pattern}", f"{targets} {op.flags or flags}".strip())


def ds_text(name, op, offset):
    operands = [register(DESTINATION, op.result)] if op.result else []
    operands += [f"v{ADDRESS}"]
    operands += [register(r, bits) for r, bits in zip((DATA, DATA2), op.data)]
    return f"{name} {', '.join(operands)}{offset}"


def ds_form(op, title, lane_index):
    """Address register and offset of a lane in a form."""
    order = [3, 0, 4, 1, 5, 2][lane_index]
    step = max(op.size, 4) + 4 if not op.pair else 4 * op.size
    step = (step + 7) // 8 * 8
    if title == "offset":
        return 8 * op.size * order if op.size > 4 else 32 * order, 0xfd00
    if title == "misaligned":
        return 0x401 + (2 * order if op.size == 2 else order * (op.size + 3)), 6
    if title == "together":
        return 0x40, 0x10
    if title == "broadcast":
        return 0x120, 8
    return 0x200 + step * order, 0


def ds_row(name, op):
    """One address, one 16-bit unsigned offset."""
    forms = ["plain", "offset"]
    if op.plain and op.size > 1:
        forms.append("misaligned")
    if op.plain and op.result:
        forms.append("broadcast")
    if op.together:
        forms.append("together")
    count = max(len(forms), -(-len(op.grid) // len(LANES)))
    cases = []
    for number in range(count):
        form = forms[number % len(forms)]
        offset = ds_form(op, form, 0)[1]
        suffix = f" offset:{offset}" if offset else ""
        case = Case(f"{form}{number}", ds_text(name, op, suffix))
        values = values_of(op, number * len(LANES), len(LANES))
        if form in ("together", "broadcast"):
            values = [(values[0][0], data) for _, data in values]
        case.selections = []
        if op.select:
            pattern = rf".*offset:{offset}\b" if offset else ".*"
            case.selections.append(selection(
                op, name, ["ptr addrspace(3) %base"],
                [f"%p = getelementptr inbounds i8, ptr %base, i32 {offset}"], " addrspace(3)", pattern))
        case.flushes = op.flushes
        for index, lane in enumerate(LANES):
            address, _ = ds_form(op, form, index)
            case.set_vector(ADDRESS, lane, address)
            olds = values[index] if form != "together" or index == 0 else ((), values[index][1])
            ir = [f"%a = add i32 {address}, {offset}", "%z = zext i32 %a to i64",
                  "%p = getelementptr i8, ptr %mem_lds, i64 %z"]
            perform(case, op, lane, [("lds", address + offset)], olds, ir)
        if not op.select:
            case.accesses = []
        cases.append(case)
    ROWS[name] = cases


def rows():
    o = operations
    for bits in (32, 64, 96, 128):
        ds_row(f"ds_read_b{bits}", o.load(bits // 8))
        ds_row(f"ds_write_b{bits}", o.store(bits // 8))
    ds_row("ds_read_u8", o.load(1))
    ds_row("ds_read_i8", o.load(1, True))
    ds_row("ds_add_u32", o.integer_atomic("add", 32, False))
    ds_row("ds_add_rtn_u32", o.integer_atomic("add", 32, True))
    return ROWS
