"""SMEM rows: mnemonics, operands and addresses (CDNA3 ISA guide, "Scalar Memory Operations")."""
import re
import subprocess

import memory_operations as o
import wave_llvm
from memory import Case
from memory_forms import case_count, definitions, place_for_fold, selection

ROWS = {}
BASE, OFFSET, RESULT, DATA, M0 = 4, 10, 16, 32, 124
HIGH = 0x200000000000  # a carry into the upper dword
POINTER = "ptr addrspace(4) inreg %base"
GEP = "%p = getelementptr i8, ptr %base, i64 {o}"
SOFFSET = ["%wide = zext i32 %soff to i64", "%sum = getelementptr i8, ptr %base, i64 %wide",
           GEP.replace("%base", "%sum")]


class Form:
    """The base's value, the offset register (SGPR or M0) with its value, the immediate; `pointers`
    and `select` are the same for llc where it may select the form."""

    def __init__(self, base, soffset=None, value=0, offset=0, pointers=None, select=(), pattern=""):
        self.base, self.soffset, self.value, self.offset = base, soffset, value, offset
        self.pointers, self.select, self.pattern = pointers, select, pattern

    def text(self):
        name = {None: "", OFFSET: f"s{OFFSET}", M0: "m0"}[self.soffset]
        if not name:
            return f"{'-' if self.offset < 0 else ''}{abs(self.offset):#x}"
        return name + (f" offset:{'-' if self.offset < 0 else ''}{abs(self.offset):#x}" if self.offset else "")

    def address(self, scale=1):
        """Each part is aligned to dwords; a scratch row's register counts 64 bytes."""
        return (self.base & ~3) + (self.offset & ~3) + (self.value * scale & ~3)


READ = {
    "imm": Form(HIGH - 0x40, offset=0x7f8, pointers=[POINTER], select=[GEP], pattern=r".*s\[\d+:\d+\], 0x7f8"),
    "sgpr": Form(HIGH - 0x80000020, OFFSET, 0x80000000, 0, [POINTER, "i32 inreg %soff"],
                 SOFFSET[:1] + [SOFFSET[1].replace("%sum", "%p")], r".*s\[\d+:\d+\], s\d+( offset:0x0)?$"),
    "both": Form(HIGH - 0x58, OFFSET, 0x24, 0x14, [POINTER, "i32 inreg %soff"], SOFFSET,
                 r".*s\[\d+:\d+\], s\d+ offset:0x14"),
    "negative": Form(HIGH, OFFSET, 0x40, -0x60), "m0": Form(HIGH - 0x100, M0, 0xe0, 0),
    "unaligned": Form(HIGH - 0x3d, OFFSET, 0x1b, 0x16)}
# A negative immediate may not outweigh the register.
READ["negative"] = Form(HIGH - 0x20, OFFSET, 0x60, -0x50)
WRITE = {"imm": READ["imm"], "m0": READ["m0"], "both": Form(HIGH - 0x50, M0, 0x38, 0x14)}
ATOMIC = {"imm": Form(HIGH - 0x40, offset=0x7f8), "m0": Form(HIGH - 0x100, M0, 0xe0, 0),
          "both": Form(HIGH - 0x50, M0, 0x38, 0x8)}
SCRATCH = {"imm": Form(HIGH - 0x40, offset=0x128), "sgpr": Form(HIGH - 0x420, OFFSET, 0x10),
           "both": Form(HIGH - 0x430, OFFSET, 0x11, -0x1c), "m0": Form(HIGH - 0x80, M0, 3)}


def scalars(number, bits):
    return f"s{number}" if bits <= 32 else f"s[{number}:{number + bits // 32 - 1}]"


def resource(case, base, stride, records):
    for i, word in enumerate((base & 0xffffffff, base >> 32 | stride << 16, records, 0)):
        case.set_scalar(BASE + i, word)


def access(case, op, form, at, values, result):
    """The access of the wave, in both references."""
    olds, data = values
    case.set("memory", at, op.size, olds[0])
    for bits, value in zip(op.data, data):
        case.set_scalar(DATA, value, bits // 32)
    news, got = op.exact([case.read("memory", at, op.size)], data, 0)
    if news:
        case.write("memory", at, op.size, news[0])
    if op.result:
        case.set_scalar(result, got, op.result // 32, after=True)
    if form.pointers and case.selections:
        ir = [f"%a0 = add i64 {form.base}, {form.value}", f"%a = add i64 %a0, {form.offset}",
              "%at = sub i64 %a, 35184372056064", "%p = getelementptr i8, ptr %mem_memory, i64 %at"]
        words = op.result // 32
        split = [line for i in range(words) for line in (
            f"%part{i} = lshr i{op.result} %r, {32 * i}", f"%r{i} = trunc i{op.result} %part{i} to i32")]
        split = split if words > 1 else ["%r0 = or i32 %r, 0"][:words]
        case.accesses = [{"ir": definitions(op, data, 0) + ir + place_for_fold(op.ir) + split,
                          "results": [(f"r{i}", 32, ("s", result + i)) for i in range(words)]}]


def add(name, op, forms, scale=1, buffer=False, select=False):
    atomic = op.data and not op.plain
    result = DATA if atomic else RESULT
    cases = ROWS.setdefault(name, [])
    for number in range(case_count(op, list(forms), 1) if not atomic else 4):
        title = list(forms)[number % len(forms)]
        form = forms[title]
        register = scalars(DATA, op.data[0]) if op.data else scalars(RESULT, op.result)
        glc = " glc" if atomic and op.result else ""
        case = Case(f"{title}{len(cases)}", f"{name} {register}, {scalars(BASE, 128 if buffer else 64)}, "
                    f"{form.text()}{glc}", [0, 63])
        case.flushes = False
        if form.soffset is not None:
            case.set_scalar(form.soffset, form.value)
        if buffer:
            resource(case, form.base, (0, 16)[number & 1], (0xfffff000, 0x8001000)[number & 1])
        else:
            case.set_scalar(BASE, form.base, 2)
        if select and form.pointers:
            case.selections = [selection(op, name, form.pointers, [x.format(o=form.offset) for x in form.select],
                                         " addrspace(4)", "(?m:" + form.pattern + ")")]
        values = op.grid[number * 5 % len(op.grid)] if atomic else op.grid[number % len(op.grid)]
        access(case, op, form, form.address(scale), values, result)
        cases.append(case)


@wave_llvm.functools.cache
def touches_no_memory(text):
    """True if LLVM's instruction info has neither MayLoad nor MayStore."""
    run = subprocess.run(["llvm-mca-19", "-mtriple=amdgcn", "-mcpu=gfx90a", "-all-views=false",
                          "-instruction-info"], input=text + "\n", capture_output=True, text=True)
    columns = re.search(r"^ \d+ +\d+ +[\d.]+(.*?)[sd]+_", run.stdout, re.M)[1]
    return "*" not in columns


def without_effect(name, operands="", machine_operands=""):
    """Caches and translations: no register and no memory changes. LLVM's MIR has no register that
    the instruction writes, its instruction info no load or store."""
    case = Case("state0", f"{name}{' ' if operands else ''}{operands}", [0, 31, 63])
    case.set_scalar(BASE, HIGH - 0x40, 2)
    case.read("memory", HIGH - 0x30, 8)
    case.read("lds", 0x40, 4)
    opcode = name.upper() + ("_IMM" if operands else "")
    case.unwritten = (wave_llvm.writes_nothing(f"{opcode}{machine_operands}") and
                      touches_no_memory(case.assembly))
    ROWS[name] = [case]


def clock(name, place, intrinsic):
    """The counter's value; in the IR it is a constant that stands for what the intrinsic reads."""
    values = [0x12345678, 0x9abcdef0, 0x0fedcba9, 0x87654321]
    case = Case("counter0", f"{name} s[{RESULT}:{RESULT + 1}]", [0, 63])
    case.flushes = False
    case.other["clock"] = values
    value = values[place] | values[place + 1] << 32
    case.set_scalar(RESULT, value, 2, after=True)
    case.accesses = [{"ir": [f"%r0 = or i32 {values[place]}, 0", f"%r1 = or i32 {values[place + 1]}, 0"],
                      "results": [("r0", 32, ("s", RESULT)), ("r1", 32, ("s", RESULT + 1))]}]
    case.selections = [(f"i64 @f() {{\n  %r = call i64 @{intrinsic}()\n  ret i64 %r\n}}",
                        rf"(?m)^\s*{name} s\[", "gfx90a,gfx942")]
    ROWS[name] = [case]


def rows():
    for dwords in (1, 2, 4, 8, 16):
        suffix = f"x{dwords}" if dwords > 1 else ""
        load, store = o.load(4 * dwords), o.store(4 * dwords) if dwords < 5 else None
        load.grid = load.grid[-6:]
        add(f"s_load_dword{suffix}", load, READ, select=True)
        add(f"s_buffer_load_dword{suffix}", load, READ, buffer=True)
        if store:
            store.grid = store.grid[:4]
            load.grid = load.grid[:4]
            add(f"s_scratch_load_dword{suffix}", load, SCRATCH, scale=64)
            add(f"s_store_dword{suffix}", store, WRITE)
            add(f"s_buffer_store_dword{suffix}", store, WRITE, buffer=True)
            add(f"s_scratch_store_dword{suffix}", store,
                {k: v for k, v in SCRATCH.items() if v.soffset != OFFSET}, scale=64)
    for bits, suffix in ((32, ""), (64, "_x2")):
        for name in list(o.INTEGER) + ["cmpswap"]:
            for returns in (False, True):
                op = (o.compare_swap_tuple(bits, returns) if name == "cmpswap" else
                      o.integer_atomic(name, bits, returns))
                add(f"s_atomic_{name}{suffix}", op, ATOMIC)
                add(f"s_buffer_atomic_{name}{suffix}", op, ATOMIC, buffer=True)
    for name in ("inv", "wb", "inv_vol", "wb_vol"):
        without_effect(f"s_dcache_{name}")
    without_effect("s_atc_probe", "7, s[4:5], 0x10", " 7, $sgpr4_sgpr5, 16")
    without_effect("s_atc_probe_buffer", "7, s[4:7], 0x10", " 7, $sgpr4_sgpr5_sgpr6_sgpr7, 16")
    without_effect("ds_nop", machine_operands=" implicit $m0, implicit $exec")
    clock("s_memtime", 0, "llvm.readcyclecounter")
    clock("s_memrealtime", 2, "llvm.readsteadycounter")
    return ROWS
