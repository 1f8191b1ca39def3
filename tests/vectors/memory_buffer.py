"""MUBUF and MTBUF rows: buffer resources, their addresses and ranges (CDNA3 ISA guide, "Buffer
Addressing", "Range checking"), and the formats of texels.
"""
import random
from fractions import Fraction

import memory_operations as o
import wave_llvm
from memory import LANES, Case
from memory_forms import (ADDRESS, DATA, DESTINATION, place_for_fold, register, selection, signed)
from reference_numbers import F16, F32, Format, nearest_integer

RESOURCE, SCALAR = 8, 3
BASE = 0x1fffffffe000
ROWS = {}
F11, F10 = Format(12, 6), Format(11, 5)  # with a sign bit that the texel does not have
FAR = 0x4000


class Buffer:
    """A resource and how an instruction addresses it."""

    def __init__(self, title, records=FAR, stride=0, swizzle=0, index_stride=0, add_tid=False, offen=True,
                 idxen=False, offset=0, scalar=0, word=0, indices=None, offsets=None):
        self.__dict__.update(locals())

    def adds_lane(self):
        return self.add_tid and (self.swizzle or not self.idxen)

    def full_stride(self):
        """Where the lane is added, DATA_FORMAT is stride[17:14]."""
        return self.stride | (self.word >> 15 & 15) << 14 if self.adds_lane() else self.stride

    def modifiers(self):
        text = " idxen" if self.idxen else ""
        text += " offen" if self.offen else ""
        return text + (f" offset:{self.offset}" if self.offset else "")

    def registers(self):
        count = self.idxen + self.offen
        return register(ADDRESS, 32 * count) if count else "off"

    def operands(self):
        return f"{self.registers()}, s[{RESOURCE}:{RESOURCE + 3}], s{SCALAR}{self.modifiers()}"

    def set_up(self, case):
        words = [BASE & 0xffffffff, BASE >> 32 | self.stride << 16 | self.swizzle << 31, self.records,
                 self.word | self.index_stride << 21 | self.add_tid << 23]
        for i, word in enumerate(words):
            case.set_scalar(RESOURCE + i, word)
        case.set_scalar(SCALAR, self.scalar)

    def lane(self, case, place, lane, size):
        """(own index, index, offset) of a lane, put into its address registers."""
        step = 4 * (-(-size // 4))
        offset = self.offsets[place] if self.offsets else [3, 0, 4, 1, 5, 2][place] * step
        index = self.indices[place] if self.indices else 0
        if self.idxen:
            case.set_vector(ADDRESS, lane, index)
        if self.offen:
            case.set_vector(ADDRESS + self.idxen, lane, offset)
        index = index if self.idxen else 0
        return (index, index + (lane if self.adds_lane() else 0),
                self.offset + (offset if self.offen else 0))

    def address(self, own, index, offset, size=1):
        """Where byte `offset` of a record lies, or None if a part of `size` bytes is out of range.
        `own` is the index that the register gives."""
        stride = self.full_stride()
        if self.swizzle and self.add_tid:
            n = 8 << self.index_stride
            at = (index // n * stride + offset // 4 * 4) * n + index % n * 4 + offset % 4
        else:
            at = stride * index + offset
        if self.add_tid and not self.idxen:
            inside = True
        elif self.idxen and self.stride:
            inside = own < self.records
        else:
            inside = offset + self.scalar + size <= self.records
        return BASE + self.scalar + at if inside else None


def plain_buffers(size, shared):
    """Every kind of address, in range and beyond it. `shared`: lanes may use one address."""
    wide = 4 * (-(-size // 4))
    yield Buffer("raw", offset=16)
    yield Buffer("scalar", offset=4088, scalar=0x100)
    yield Buffer("range", records=0x40 + 3 * wide, scalar=0x40)
    yield Buffer("empty", records=0x20, scalar=0x20)
    if shared:
        yield Buffer("same", offen=False, offset=24, scalar=8)
    stride = 2 * wide
    yield Buffer("records", stride=stride, idxen=True, offen=False, indices=[0, 5, 2, 31, 4, 1])
    yield Buffer("fields", stride=stride, idxen=True, indices=[0, 5, 2, 31, 4, 1], offsets=[wide, 0] * 3)
    yield Buffer("beyond", records=8, stride=stride, idxen=True, offen=False,
                 indices=[0, 8, 2, 9, 7, 0x7fffffff])
    for index_stride in range(4):
        yield Buffer(f"swizzle{8 << index_stride}", records=200, stride=4 * wide, swizzle=1, add_tid=True,
                     index_stride=index_stride, idxen=True, indices=[70, 5, 63, 64, 9, 199],
                     offsets=[0, wide, 3 * wide, 2 * wide, wide, 0])
    yield Buffer("swizzlerange", records=64, stride=2 * wide, swizzle=1, add_tid=True, index_stride=1,
                 idxen=True, indices=[63, 64, 1, 2, 0x80000000, 3],
                 offsets=[0, 0, 2 * wide, wide, 0, 3 * wide])
    yield Buffer("noswizzle", records=32, stride=stride, swizzle=1, idxen=True,
                 indices=[0, 5, 2, 31, 4, 32], offsets=[wide, 0] * 3)
    yield Buffer("thread", records=0, stride=2 * wide, swizzle=1, index_stride=3, add_tid=True,
                 offsets=[0, wide] * 3)
    yield Buffer("threadlinear", records=0, stride=wide, add_tid=True, offen=False, offset=8)
    yield Buffer("threadindex", records=32, stride=stride, add_tid=True, idxen=True, offen=False,
                 word=4 << 15, indices=[0, 5, 2, 31, 4, 32])


def put_data(case, op, lane, data):
    for number, bits, value in zip((DATA, DATA + 8), op.data, data):
        case.set_vector(number, lane, value, bits // 32)


def perform(case, op, buffer, lane, record, values):
    """Lane's access: dword by dword if it is longer, a swizzled one too; atomics as a whole."""
    own, index, offset = record
    olds, data = values
    put_data(case, op, lane, data)
    before = 0
    if op.keeps_half is not None:
        before = 0x11111111 * (lane % 15 + 1) & (0xffff << op.keeps_half)
        case.set_vector(DESTINATION, lane, before)
    pieces = range(0, op.size, 4) if op.plain else (0,)
    width = min(op.size, 4) if op.plain else op.size
    places = [buffer.address(own, index, offset + at, width) for at in pieces]
    old = 0
    for at, place in zip(pieces, places):
        if place is not None:
            case.set("memory", place, width, olds[0] >> 8 * at & (1 << 8 * width) - 1)
    for at, place in zip(pieces, places):
        if place is not None:
            old |= case.read("memory", place, width) << 8 * at
    news, result = op.exact([old], data, before)
    for at, place in zip(pieces, places):
        if news and place is not None:
            case.write("memory", place, width, news[0] >> 8 * at)
    if op.result:
        case.result(DESTINATION, lane, result, op.result // 32)


def ask_llvm(case, op, name, buffer, places, values, flag):
    """Raw buffers in range are pointers of address space 7 to LLVM."""
    case.selections = [selection(
        op, name, ["ptr addrspace(7) inreg %base", "i32 %i"],
        ["%at = getelementptr inbounds i8, ptr %base, i32 %i",
         f"%p = getelementptr inbounds i8, ptr %at, i32 {buffer.offset}"], " addrspace(7)",
        rf".*offen offset:{buffer.offset}{' ' + flag if flag else ''}\b", ",".join(case.targets))]
    first = DESTINATION if op.plain else DATA
    for lane, place, (_, data) in zip(LANES, places, values):
        ir = [f"%{n} = or i{bits} {signed(value, bits)}, 0" for n, bits, value in zip("de", op.data, data)]
        ir += ["%o = or i32 0, 0"] if op.keeps_half is not None else []
        ir += [f"%p = getelementptr i8, ptr %mem_memory, i64 {place - 0x1fffffff8000}"]
        ir += place_for_fold(op.ir)
        results = [("r", 32, ("v", first, lane))] if op.result == 32 else []
        for i in range(op.result // 32 if op.result > 32 else 0):
            ir += [f"%t{i} = lshr i{op.result} %r, {32 * i}", f"%r{i} = trunc i{op.result} %t{i} to i32"]
            results.append((f"r{i}", 32, ("v", first + i, lane)))
        case.accesses.append({"ir": ir, "results": results})


def grid_for(op, buffer):
    """References but LLVM know no flushed denormals (DEVIATIONS.md 12): only the raw form has them."""
    if not op.flushes or buffer.title == "raw":
        return op.grid
    tiny = lambda *values: any(F32.is_denormal(v) for v in values)
    total = lambda pair: o.add(F32, pair[0][0], pair[1][0])
    return [pair for pair in op.grid if not tiny(pair[0][0], pair[1][0], total(pair))]


def plain_case(name, op, buffer, number, flag, targets):
    grid = grid_for(op, buffer)
    values = [grid[(number + i) % len(grid)] for i in range(len(LANES))]
    if buffer.title == "same":
        values = [(values[0][0], data) for _, data in values]
    target = register(DESTINATION, op.result) if op.plain and op.result else register(DATA, op.data[0])
    text = f"{name} {target}, {buffer.operands()}" + (f" {flag}" if flag else "")
    case = Case("-".join([buffer.title] + flag.split()) + ("-flush" if op.flushes else ""), text)
    case.targets, case.flushes = targets, op.flushes
    buffer.set_up(case)
    records = [buffer.lane(case, i, lane, op.size) for i, lane in enumerate(LANES)]
    for lane, record, value in zip(LANES, records, values):
        perform(case, op, buffer, lane, record, value)
    if op.result and not op.plain:  # the old value comes back in the data's registers
        for i in range(op.result // 32):
            case.vector_after[DATA + i] = case.vector_after.pop(DESTINATION + i)
    wraps = "_inc" in name or "_dec" in name  # llc-19 has none in address space 7
    if buffer.title == "raw" and op.select and not wraps:
        ask_llvm(case, op, name, buffer, [buffer.address(*r) for r in records], values, flag)
    ROWS.setdefault(name, []).append(case)


def plain_row(name, op, targets=("gfx90a", "gfx942")):
    shared = op.plain and op.result or op.together
    flags = [("", targets)]
    if op.result and not op.plain:
        flags = [(f, (t,)) for f, t in (("glc", "gfx90a"), ("sc0", "gfx942")) if t in targets]
    for flag, where in flags:
        number = 0
        for buffer in plain_buffers(op.size, shared):
            # What a swizzle does to an atomic of two elements is not documented.
            if not op.plain and op.size > 4 and (buffer.swizzle or buffer.add_tid):
                continue
            plain_case(name, op, buffer, number, flag, where)
            number += len(LANES)


def plain_rows():
    for size, suffix in ((1, "byte"), (2, "short")):
        for sign in "us":
            plain_row(f"buffer_load_{sign}{suffix}", o.load(size, sign == "s"))
            half = "" if size == 2 else sign
            if size == 1 or sign == "s":
                plain_row(f"buffer_load_{half}{suffix}_d16", o.load_half(size, sign == "s", False))
                plain_row(f"buffer_load_{half}{suffix}_d16_hi", o.load_half(size, sign == "s", True))
        plain_row(f"buffer_store_{suffix}", o.store(size))
        plain_row(f"buffer_store_{suffix}_d16_hi", o.store(size, 16))
    for count in range(1, 5):
        suffix = "" if count == 1 else f"x{count}"
        plain_row(f"buffer_load_dword{suffix}", o.load(4 * count))
        plain_row(f"buffer_store_dword{suffix}", o.store(4 * count))


def atomic_rows():
    for returns in (False, True):
        for bits, suffix in ((32, ""), (64, "_x2")):
            for name in o.INTEGER:
                plain_row(f"buffer_atomic_{name}{suffix}", o.integer_atomic(name, bits, returns))
            plain_row(f"buffer_atomic_cmpswap{suffix}", o.compare_swap_tuple(bits, returns))
        plain_row("buffer_atomic_add_f32", o.float_add(32, returns, flushes=True), ("gfx90a",))
        plain_row("buffer_atomic_add_f32", o.float_add(32, returns), ("gfx942",))
        plain_row("buffer_atomic_add_f64", o.float_add(64, returns))
        plain_row("buffer_atomic_min_f64", o.float_extreme(64, False, returns))
        plain_row("buffer_atomic_max_f64", o.float_extreme(64, True, returns))
        plain_row("buffer_atomic_pk_add_f16", o.packed_add("f16", returns))


DATA_FORMATS = {1: (8,), 2: (16,), 3: (8, 8), 4: (32,), 5: (16, 16), 6: (11, 11, 10), 7: (10, 11, 11),
                8: (2, 10, 10, 10), 9: (10, 10, 10, 2), 10: (8,) * 4, 11: (32,) * 2, 12: (16,) * 4,
                13: (32,) * 3, 14: (32,) * 4}
NAMES = {6: "10_11_11", 7: "11_11_10", 8: "10_10_10_2", 9: "2_10_10_10"}
UNORM, SNORM, USCALED, SSCALED, UINT, SINT, FLOAT = 0, 1, 2, 3, 4, 5, 7
NUMBERS = {0: "UNORM", 1: "SNORM", 2: "USCALED", 3: "SSCALED", 4: "UINT", 5: "SINT", 7: "FLOAT"}


def data_name(number):
    return NAMES.get(number, "_".join(map(str, DATA_FORMATS[number])))


def formats(stores):
    """(data format, number format) that buffers have; scaled ones are not written."""
    for data, bits in DATA_FORMATS.items():
        for number in NUMBERS:
            small = data in (6, 7)
            if (small or bits[0] == 32) and number not in ((FLOAT,) if small else (UINT, SINT, FLOAT)):
                continue
            if number == FLOAT and not small and bits[0] not in (16, 32):
                continue
            if not (stores and number in (USCALED, SSCALED)):
                yield data, number


def is_integer(number):
    return number in (UINT, SINT)


def widen(raw, bits, number):
    """The register value of a component, exactly: a pattern of f32 or an integer."""
    value = signed(raw, bits) if number in (SNORM, SSCALED, SINT) else raw
    if is_integer(number):
        return value & 0xffffffff
    if number == FLOAT:
        form = {32: F32, 16: F16, 11: F11, 10: F10}[bits]
        return raw if bits == 32 else F32.round(form.value(raw), form.negative(raw))
    steps = {UNORM: (1 << bits) - 1, SNORM: max((1 << bits - 1) - 1, 1)}.get(number, 1)
    return F32.round(max(Fraction(value, steps), Fraction(-1)) if steps > 1 or number == SNORM
                     else Fraction(value))


def narrow(value, bits, number):
    """The reverse, of a register value in range."""
    if is_integer(number) or bits == 32:
        return value & (1 << bits) - 1
    x = F32.value(value)
    if number == FLOAT:
        return {16: F16, 11: F11, 10: F10}[bits].round(x)
    steps = (1 << bits) - 1 if number == UNORM else (1 << bits - 1) - 1
    low = 0 if number == UNORM else -1
    return nearest_integer(max(Fraction(low), min(Fraction(1), x)) * steps) & (1 << bits) - 1


def to_half(value, number):
    return value & 0xffff if is_integer(number) else F16.round(F32.value(value), F32.negative(value))


def from_half(half, number):
    if is_integer(number):
        return (signed(half, 16) if number == SINT else half) & 0xffffffff
    return F32.round(F16.value(half), F16.negative(half))


def raw_value(draw, bits, number, narrow_register):
    """A component's bits: edges and draws; no NaN, nothing that a 16-bit register cannot hold."""
    if number == FLOAT:
        form = {32: F32, 16: F16, 11: F11, 10: F10}[bits]
        limits = (form.bias - 8, form.bias + 8) if narrow_register else (1, 2 * form.bias)
        sign = draw.getrandbits(1) << form.bits - 1 if bits in (16, 32) else 0
        fraction = draw.getrandbits(form.mantissa)
        if narrow_register and bits == 32:
            fraction &= ~0x1fff
        return sign | draw.randint(*limits) << form.mantissa | fraction
    limit = min(bits, 15 if narrow_register else 32)
    if is_integer(number):
        value = draw.choice([0, 1, (1 << limit - 1) - 1, draw.getrandbits(limit - 1)])
        return (-value if number == SINT and draw.getrandbits(1) else value) & (1 << bits) - 1
    if narrow_register and number in (USCALED, SSCALED) and bits > 11:
        return draw.getrandbits(11)  # a half holds it
    edges = [0, 1, (1 << bits) - 1, 1 << bits - 1, (1 << bits - 1) - 1]
    return draw.choice(edges + [draw.getrandbits(bits) for _ in range(4)])


SELECTS = {"identity": (4, 5, 6, 7), "reverse": (7, 6, 5, 4), "constants": (5, 0, 1, 4),
           "twice": (4, 4, 1, 6)}


def format_name(typed, data, number):
    if not typed:
        return ""
    return f" format:[BUF_DATA_FORMAT_{data_name(data)},BUF_NUM_FORMAT_{NUMBERS[number]}]"


def raw_of(case, place, bits):
    texel = case.read("memory", place, -(-sum(bits) // 8))
    raw, at = [], 0
    for width in bits:
        raw.append(texel >> at & (1 << width) - 1)
        at += width
    return raw


def load_result(values, one, select, count, halves, high, number):
    result = [0, 0, 0, 0]
    for i in range(count):
        value = values[select[i] - 4] if select[i] >= 4 else (one if select[i] == 1 else 0)
        if halves:
            result[i // 2] |= to_half(value, number) << (16 if high or i % 2 else 0)
        else:
            result[i] = value
    return result


def format_load(case, place, lane, shape):
    bits, number, select, count, halves, high = shape
    one = 1 if is_integer(number) else 0x3f800000
    values = [0, 0, 0, 0]
    if place is not None:
        values = [widen(r, b, number) for r, b in zip(raw_of(case, place, bits), bits)]
        values += [0, 0, 0, one][len(values):]
    result = load_result(values, one, select, count, halves, high, number)
    for i in range((count + 1) // 2 if halves else count):
        case.set_vector(DESTINATION + i, lane, 0x5a5a5a5a + i)
        case.result(DESTINATION + i, lane, result[i])


def format_store(case, place, lane, shape, draw):
    bits, number, select, count, halves, high = shape
    values = []
    for i in range(count):
        width = bits[select[i] - 4] if 4 <= select[i] < 4 + len(bits) else 8
        value = widen(raw_value(draw, width, UINT if number == FLOAT and width == 8 else number, halves),
                      width, UINT if number == FLOAT and width == 8 else number)
        values.append(value)
    registers = [0x5a5a5a5a] * 4
    for i, value in enumerate(values):
        if not halves:
            registers[i] = value
            continue
        half = to_half(value, number)
        values[i] = from_half(half, number)
        shift = 16 if high or i % 2 else 0
        registers[i // 2] = registers[i // 2] & ~(0xffff << shift) | half << shift
    for i in range((count + 1) // 2 if halves else count):
        case.set_vector(DATA + i, lane, registers[i])
    if place is None:
        return
    texel, at = 0, 0
    for component, width in enumerate(bits):
        chosen = [v for v, s in zip(values, select) if s == 4 + component]
        texel |= (narrow(chosen[0], width, number) if chosen else 0) << at
        at += width
    case.write("memory", place, -(-sum(bits) // 8), texel)


def format_cases(name, typed, store, count, halves, high):
    draw = random.Random(name)
    pairs = list(formats(store))
    start = sum(map(ord, name)) % len(pairs)
    cases = ROWS.setdefault(name, [])
    for number_of_case in range(8):
        data, number = pairs[(start + 5 * number_of_case) % len(pairs)]
        bits = DATA_FORMATS[data]
        chosen = "identity" if typed else list(SELECTS)[number_of_case % 4]
        if store and chosen == "twice":
            chosen = "identity"
        size = sum(bits) // 8
        word = sum(s << 3 * i for i, s in enumerate(SELECTS[chosen])) | number << 12 | data << 15
        buffer = [Buffer("raw", offset=8, scalar=0x40), Buffer("range", records=3 * max(size, 4)),
                  Buffer("records", stride=2 * max(size, 4), idxen=True, offen=False,
                         indices=[0, 5, 2, 31, 4, 1])][number_of_case % 3]
        buffer.word = 0 if typed else word
        target = register(DATA if store else DESTINATION, 32 * ((count + 1) // 2 if halves else count))
        fmt = format_name(typed, data, number)
        operands = f"{buffer.registers()}, s[{RESOURCE}:{RESOURCE + 3}], s{SCALAR}{fmt}{buffer.modifiers()}"
        case = Case(f"{buffer.title}-{data_name(data)}-{NUMBERS[number].lower()}-{chosen}",
                    f"{name} {target}, {operands}")
        buffer.set_up(case)
        shape = bits, number, SELECTS[chosen], count, halves, high
        for index, lane in enumerate(LANES):
            record = buffer.lane(case, index, lane, size)
            place = buffer.address(*record, size)
            if store:
                format_store(case, place, lane, shape, draw)
                continue
            if place is not None:
                texel, at = 0, 0
                for width in bits:
                    texel |= raw_value(draw, width, number, halves) << at
                    at += width
                case.set("memory", place, size, texel)
            format_load(case, place, lane, shape)
        cases.append(case)


def format_rows():
    for typed, prefix in ((False, "buffer"), (True, "tbuffer")):
        for store, verb in ((False, "load"), (True, "store")):
            for count, suffix in enumerate(("x", "xy", "xyz", "xyzw"), 1):
                format_cases(f"{prefix}_{verb}_format_{suffix}", typed, store, count, False, False)
                format_cases(f"{prefix}_{verb}_format_d16_{suffix}", typed, store, count, True, False)
            if not typed:
                format_cases(f"buffer_{verb}_format_d16_hi_x", typed, store, 1, True, True)


def from_lds():
    """buffer_store_lds_dword: no address registers; the resource may add the lane."""
    cases = ROWS.setdefault("buffer_store_lds_dword", [])
    for title, base, buffer in (("one", 0x80, Buffer("one", offen=False, scalar=0x20)),
                                ("thread", 0x1200, Buffer("thread", records=256, stride=4, add_tid=True,
                                                          offen=False, offset=8, scalar=4))):
        lanes = [5] if title == "one" else LANES
        offset = f" offset:{buffer.offset}" if buffer.offset else ""
        case = Case(title, f"buffer_store_lds_dword s[{RESOURCE}:{RESOURCE + 3}], s{SCALAR}{offset} lds", lanes)
        buffer.set_up(case)
        case.set_scalar(124, base)
        for lane in lanes:
            value = case.read("lds", base + buffer.offset + 4 * lane, 4)
            place = buffer.address(0, lane if buffer.add_tid else 0, buffer.offset, 4)
            if place is not None:
                case.write("memory", place, 4, value)
        cases.append(case)


def caches():
    """Nothing that a wave can see changes."""
    for name, operands in (("buffer_wbl2", " 0,"), ("buffer_inv", " 0,"), ("buffer_invl2", ""),
                           ("buffer_wbinvl1", ""), ("buffer_wbinvl1_vol", "")):
        case = Case("nothing", name)
        case.unwritten = wave_llvm.writes_nothing(f"{name.upper()}{operands} implicit $exec")
        ROWS[name] = [case]


def rows():
    plain_rows(), atomic_rows(), format_rows(), from_lds(), caches()
    return ROWS
