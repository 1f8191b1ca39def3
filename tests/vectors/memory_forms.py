"""How a row's cases are built: what an access does to registers and memory in both references, and
the IR that llc shall select the row for."""
import re

from memory import LANES, Case

DESTINATION, ADDRESS, DATA, DATA2 = 8, 2, 12, 20


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
    return [re.sub(r"<(\d+) x i32>", lambda m: f"i{32 * int(m[1])}", line)
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
    if not op.select:
        return
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
            rf"(?m)^\s*{name}(_e32|_e64)? {pattern}", f"{targets} {op.flags} {flags}".strip())


def case_count(op, forms, lanes=len(LANES)):
    """Every form once, and all the operation's values."""
    return max(len(forms), -(-len(op.grid) // lanes))


def forms_of(op, plain, misaligned, broadcast, together):
    """Forms of addresses: the given ones, and those that the operation allows."""
    forms = list(plain)
    if op.plain and op.size > 1:
        forms.append(misaligned)
    if op.plain and op.result:
        forms.append(broadcast)
    if op.together:
        forms.append(together)
    return forms


def shared_values(values, form):
    """Lanes that share an address find one value there: what the lane before them left."""
    if form == "broadcast":
        return [(values[0][0], data) for _, data in values]
    if form == "together":
        return [values[0]] + [((), data) for _, data in values[1:]]
    return values


def new_case(form, number, text, op):
    case = Case(f"{form}{number}", text)
    case.flushes = op.flushes
    return case
