#!/usr/bin/env python3
"""Writes tests/vectors/wave: cases of instructions that look across lanes, decide what runs next or
set the wave's own registers. A case runs until the program counter leaves its code; the format is
that of memory/ with three places more: `pc` (bytes from the case's code), `scc` and `stop` (why the
wave gave the host thread back).

References: `exact` (Python from the CDNA3 ISA guide's text), `pseudo-code` (external.py), `llvm`: what
llc-19 selects the instruction for, or that LLVM knows no register which it writes (wave_llvm.py).

    python3 wave.py [mnemonic...]
"""
import pathlib
import re
import subprocess
import sys

import external
import wave_llvm

HERE = pathlib.Path(__file__).parent / "wave"
BASE = 0x100000000000  # where the test puts a case's code
ALL = (1 << 64) - 1
M32 = (1 << 32) - 1
STATE = {"scc": 0, "exec": ALL, "vcc": 0, "m0": 0, "mode": 0x3f0}
CASES = {}  # mnemonic: list of cases


def case(title, assembly, before=None, after=None, pc=None, stop=None, llvm=None, vectors=None,
         targets="gfx90a,gfx942", steps=1, lanes=None):
    """`before` and `after` map places (s4, scc, exec, vcc, m0, mode) to values; vectors (v2) to a
    list of values for the lanes. `llvm` says whether LLVM agrees."""
    name = assembly.split()[0].removesuffix("_e32")
    CASES.setdefault(name, []).append(dict(
        title=title, assembly=assembly, before=before or {}, after=after or {}, pc=pc, stop=stop, llvm=llvm,
        vectors=vectors or ({}, {}), targets=targets, steps=steps, lanes=lanes or [0]))


def assemble(cases, cpu):
    text = "\n".join("\n".join([f"case{i}:"] + c["assembly"].split("; ")) for i, c in enumerate(cases))
    run = subprocess.run(["llvm-mc-19", "-triple=amdgcn", f"-mcpu={cpu}", "-show-encoding"], input=text,
                         capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(run.stderr[:1000])
    codes = [[] for _ in cases]
    for line in run.stdout.splitlines():
        label = re.match(r"case(\d+):", line)
        if label:
            index = int(label[1])
        found = re.search(r"encoding: \[([^]]*)\]", line)
        if found:
            data = bytes(int(b, 16) for b in found[1].split(","))
            codes[index] += [int.from_bytes(data[k:k + 4], "little") for k in range(0, len(data), 4)]
    return codes


def branches():
    def both(name, before_taken, before_not):
        for offset in (0, 1, 5, -1, -7, 32767, -32768):
            for taken, before in ((1, before_taken), (0, before_not)):
                if before is None:
                    continue
                target = 4 + 4 * offset if taken else 4
                case(f"{'to' if taken else 'not'}{offset}", f"{name} {offset & 0xffff}", before, pc=target)
    both("s_branch", {}, None)
    both("s_cbranch_scc0", {"scc": 0}, {"scc": 1})
    both("s_cbranch_scc1", {"scc": 1}, {"scc": 0})
    for value in (1, 1 << 32, 1 << 63, ALL):
        both("s_cbranch_vccz", {"vcc": 0}, {"vcc": value})
        both("s_cbranch_vccnz", {"vcc": value}, {"vcc": 0})
        both("s_cbranch_execz", {"exec": 0}, {"exec": value})
        both("s_cbranch_execnz", {"exec": value}, {"exec": 0})
    for name in ("cdbgsys", "cdbguser", "cdbgsys_or_user", "cdbgsys_and_user"):
        both(f"s_cbranch_{name}", None, {})
    for offset in (0, 1, -1, 100, 32767, -32768):
        case(f"to{offset}", f"s_call_b64 s[8:9], {offset & 0xffff}", {"s8": 5, "s9": 6},
             {"s8": BASE + 4 & M32, "s9": BASE + 4 >> 32}, pc=4 + 4 * offset)
    case("next", "s_getpc_b64 s[8:9]", {"s8": 1, "s9": 2}, {"s8": BASE + 4 & M32, "s9": BASE + 4 >> 32}, pc=4)
    for target in (0, 4, 0x40, -0x100, 0x1fffc):
        at = BASE + target
        place = {"s10": at & M32, "s11": at >> 32}
        case(f"to{target}", "s_setpc_b64 s[10:11]", place, pc=target)
        case(f"to{target}", "s_swappc_b64 s[8:9], s[10:11]", place,
             {"s8": BASE + 4 & M32, "s9": BASE + 4 >> 32}, pc=target)
        case(f"own{target}", "s_swappc_b64 s[10:11], s[10:11]", place,
             {"s10": BASE + 4 & M32, "s11": BASE + 4 >> 32}, pc=target)


def hardware_registers():
    for mode in (0x3f0, 0x2c5):
        for first, width in ((0, 32), (0, 2), (2, 2), (4, 4), (8, 1), (9, 1), (3, 7)):
            name = f"hwreg(HW_REG_MODE, {first}, {width})"
            field = ((1 << width) - 1) << first
            case(f"{mode:x}-{first}-{width}", f"s_getreg_b32 s8, {name}", {"mode": mode, "s8": 7},
                 {"s8": (mode & field) >> first}, pc=4)
            for value in (0, 0x2a5, 0xffffffff):
                value &= 0x3ff >> first
                new = mode & ~field | value << first & field
                title = f"{mode:x}-{first}-{width}-{value:x}"
                case(title, f"s_setreg_b32 {name}, s8", {"mode": mode, "s8": value}, {"mode": new}, pc=4)
                case(title, f"s_setreg_imm32_b32 {name}, 0x{value:x}", {"mode": mode}, {"mode": new}, pc=8)


def vector_skip():
    skips = {"mode": STATE["mode"] | 1 << 28}
    for place in (0, 5, 31):
        for mark, word, after in (("set", 1 << place, skips), ("clear", M32 ^ 1 << place, {})):
            case(f"{mark}{place}", f"s_setvskip s8, {place}", {"s8": word}, after, pc=4)
            case(f"{mark}{place}-sgpr", "s_setvskip s8, s9", {"s8": word, "s9": 0x60 | place}, after, pc=4)
            case(f"{mark}{place}-end", f"s_setvskip s8, {place}", {"s8": word, **skips}, after or {"mode": STATE["mode"]},
                 pc=4)
    case("literal", "s_setvskip 0x12340, 6", {}, skips, pc=8)
    vectors = {"v2": [1, 2], "v4": [3, 4]}
    for bit in (0, 1):
        moved = {} if bit else {"v2": vectors["v4"]}
        case(f"move{bit}", f"s_setvskip {bit}, 0; v_mov_b32_e32 v2, v4; s_mov_b32 s8, 7; s_setvskip 0, 0",
             {"s8": 1}, {"s8": 7}, pc=16, lanes=[0, 33], steps=4, vectors=(vectors, moved))


def relative_moves():
    words = {f"s{20 + i}": 0x1000 * i + 7 for i in range(8)}
    for index in range(4):
        b32, b64 = {**words, "m0": index, "s8": 1, "s9": 2}, {**words, "m0": 2 * index, "s8": 1, "s9": 2}
        case(f"m{index}", "s_movrels_b32 s8, s20", b32, {"s8": words[f"s{20 + index}"]}, pc=4)
        case(f"m{index}", "s_movreld_b32 s20, s8", b32, {f"s{20 + index}": 1}, pc=4)
        first = 20 + 2 * index
        case(f"m{index}", "s_movrels_b64 s[8:9], s[20:21]", b64,
             {"s8": words[f"s{first}"], "s9": words[f"s{first + 1}"]}, pc=4)
        case(f"m{index}", "s_movreld_b64 s[20:21], s[8:9]", b64, {f"s{first}": 1, f"s{first + 1}": 2}, pc=4)
        case(f"literal{index}", "s_movreld_b32 s20, 0x12345678", b32, {f"s{20 + index}": 0x12345678}, pc=8)


def register_indexing():
    vectors = {f"v{i}": [100 * i + 1, 100 * i + 2] for i in range(2, 10)}
    for m0 in (0, 0xffffffff, 0x12345678):
        for index in (0, 1, 5, 0x80000003):
            case(f"{m0:x}-{index:x}", "s_set_gpr_idx_idx s8", {"m0": m0, "s8": index},
                 {"m0": m0 & ~0xff | index & 0xff}, pc=4)
        case(f"{m0:x}-literal", "s_set_gpr_idx_idx 0x12345", {"m0": m0}, {"m0": m0 & ~0xff | 0x45}, pc=8)
        for mode in (0, 1, 8, 15):
            case(f"{m0:x}-{mode}", f"s_set_gpr_idx_mode {mode}; s_set_gpr_idx_off", {"m0": m0},
                 {"m0": m0 & ~0xf000 | mode << 12}, pc=8)
            for index in (0, 0x103):
                case(f"{m0:x}-{mode}-{index:x}", f"s_set_gpr_idx_on s8, {mode}; s_set_gpr_idx_off",
                     {"m0": m0, "s8": index}, {"m0": m0 & ~0xf0ff | index & 255 | mode << 12}, pc=8)
            case(f"{m0:x}-{mode}-literal", f"s_set_gpr_idx_on 0x123, {mode}; s_set_gpr_idx_off",
                 {"m0": m0}, {"m0": m0 & ~0xf0ff | 0x23 | mode << 12}, pc=12)
    for index in range(4):
        for mode, mark in ((1, "read"), (8, "write")):
            source, to = (4 + index, 2) if mode == 1 else (2, 4 + index)
            case(f"{mark}{index}", f"s_set_gpr_idx_on s8, {mode}; v_mov_b32_e32 v{2 if mode == 1 else 4}, "
                 f"v{4 if mode == 1 else 2}; s_set_gpr_idx_off", {"m0": 0, "s8": index},
                 {"m0": index | mode << 12}, pc=12, lanes=[0, 33], steps=3,
                 vectors=(vectors, {f"v{to}": vectors[f"v{source}"]}), llvm=wave_llvm.indexes(mode))
    case("off", "s_set_gpr_idx_off", {"m0": 0x5005}, {}, pc=4, llvm=wave_llvm.writes_nothing("S_SET_GPR_IDX_OFF"))


def quiet_rows():
    """Rows that write no register: by the guide's text, and by LLVM."""
    table = [("s_nop 0", "S_NOP 0"), ("s_nop 7", "S_NOP 0"), ("s_wakeup", "S_WAKEUP"),
             ("s_waitcnt 0", "S_WAITCNT 0"), ("s_sethalt 0", "S_SETHALT 0"), ("s_setkill 0", "S_SETKILL 0"),
             ("s_setprio 2", "S_SETPRIO 2"), ("s_icache_inv", "S_ICACHE_INV"),
             ("s_incperflevel 3", "S_INCPERFLEVEL 3"), ("s_decperflevel 3", "S_DECPERFLEVEL 3"),
             ("s_ttracedata", "S_TTRACEDATA implicit $m0"),
             ("s_sendmsg sendmsg(MSG_SAVEWAVE)", "S_SENDMSG 4, implicit $exec, implicit $m0"),
             ("s_sendmsghalt sendmsg(MSG_SAVEWAVE)", "S_SENDMSGHALT 4, implicit $exec, implicit $m0"),
             ("v_nop", "V_NOP_e32 implicit $exec"), ("v_clrexcp", "V_CLREXCP_e32 implicit $exec")]
    for assembly, mir in table:
        llvm = wave_llvm.writes_nothing(mir)
        for scc in (0, 1):
            case(f"scc{scc}", assembly, {"scc": scc, "m0": 0x77}, pc=4, llvm=llvm)
    for assembly, mir, stop in (("s_barrier", "S_BARRIER", "barrier"), ("s_sleep 3", "S_SLEEP 3", "waiting"),
                                ("s_sendmsg sendmsg(MSG_INTERRUPT)",
                                 "S_SENDMSG 1, implicit $exec, implicit $m0", "host"),
                                ("s_sendmsghalt sendmsg(MSG_INTERRUPT)",
                                 "S_SENDMSGHALT 1, implicit $exec, implicit $m0", "host")):
        case(f"stops-{stop}", assembly, {"scc": 1, "m0": 5}, pc=4, stop=stop,
             llvm=wave_llvm.writes_nothing(mir))
    for name in ("s_endpgm", "s_endpgm_saved", "s_endpgm_ordered_ps_done"):
        case("ends", name, {"scc": 1}, pc=0, stop="ended", llvm=wave_llvm.ends(name.upper()))
    case("kills", "s_setkill 1", {"scc": 1}, pc=0, stop="ended")
    case("aborts", "s_trap 2", {"scc": 1}, pc=0, stop="trap", llvm=wave_llvm.traps("llvm.trap", "s_trap 2"))
    case("debugger", "s_trap 3", {"scc": 1}, pc=4, llvm=wave_llvm.traps("llvm.debugtrap", "s_trap 3"))


def lanes_rows():
    lanes = [0, 1, 5, 31, 32, 62, 63]
    exec_of = lambda chosen: sum(1 << lane for lane in chosen)
    data = [0x1000 * lane + 0xabc for lane in lanes]
    for chosen in ([0, 63], [5, 32], [31], [63], lanes):
        values = [data[lanes.index(lane)] for lane in chosen]
        case(f"first{chosen[0]}", "v_readfirstlane_b32 s8, v4", {"s8": 1}, {"s8": values[0]}, pc=4,
             lanes=chosen, vectors=({"v4": values}, {}))
    for lane in lanes + [64, 69, 0xffffffc1]:
        if lane & 63 not in lanes:
            continue
        at = lanes.index(lane & 63)
        before = {"s8": 1, "s9": lane, "exec": 1 << 5, "m0": lane}
        for select in ("s9", "m0"):
            case(f"{select}-{lane:x}", f"v_readlane_b32 s8, v4, {select}", before, {"s8": data[at]}, pc=8,
                 lanes=lanes, vectors=({"v4": data}, {}))
            value = "s10" if select == "m0" else "55"  # one SGPR for each instruction, beside M0
            written = data[:at] + [0x5a5a if select == "m0" else 55] + data[at + 1:]
            case(f"{select}-{lane:x}", f"v_writelane_b32 v4, {value}, {select}", {**before, "s10": 0x5a5a}, {},
                 pc=8, lanes=lanes, vectors=({"v4": data}, {"v4": written}))
    for mask in (0, M32, 0x80000001, 0x12345678):
        for name, begin in (("lo", 0), ("hi", 32)):
            counts = [bin(mask & (1 << max(0, min(32, lane - begin))) - 1).count("1") for lane in lanes]
            for base in (0, 40, M32):
                case(f"{mask:x}-{base:x}", f"v_mbcnt_{name}_u32_b32 v5, s8, v6", {"s8": mask}, {}, pc=8,
                     lanes=lanes, vectors=({"v6": [base] * 7, "v5": [9] * 7},
                                           {"v5": [base + n & M32 for n in counts]}))
    for chosen in ([0], [5, 63], lanes):
        low, high = [7 * lane + 1 for lane in chosen], [lane << 20 for lane in chosen]
        case(f"lanes{len(chosen)}", "v_swap_b32 v4, v5", lanes=chosen, pc=4,
             vectors=({"v4": low, "v5": high}, {"v4": high, "v5": low}))
        for assembly, to in (("v_accvgpr_read_b32 v4, a5", "v4"), ("v_accvgpr_write_b32 a4, v5", "a4"),
                             ("v_accvgpr_mov_b32 a4, a5", "a4")):
            source = assembly.split()[-1]
            case(f"lanes{len(chosen)}", assembly, lanes=chosen, vectors=({source: low, to: high}, {to: low}),
                 pc=4 if "mov" in assembly else 8, llvm=wave_llvm.copies(assembly.split()[0]))


def place_lines(values, vectors):
    lines = []
    for key, value in values.items():
        if key in ("exec", "vcc"):
            lines.append(f"{dict(exec='s126', vcc='s106')[key]} {value & M32:08x} {value >> 32:08x}")
        else:
            lines.append(f"{key} {value:08x}")
    return lines + [f"{key} {' '.join(f'{v:08x}' for v in row)}" for key, row in vectors.items()]


def text_of(c, code):
    """The case without its first line."""
    lines = ["  code " + " ".join(f"{w:08x}" for w in code) + " ; " + c["assembly"],
             "  lanes " + " ".join(map(str, c["lanes"]))]
    lines += ["  " + line for line in place_lines(c["before"], c["vectors"][0])]
    lines += ["  -> " + line for line in place_lines(c["after"], c["vectors"][1])]
    if c["pc"] is not None:
        lines.append(f"  -> pc {c['pc'] & ALL:x}")
    if c["stop"]:
        lines.append(f"  -> stop {c['stop']}")
    return "\n".join(lines) + "\n"


def write(name, cases):
    path = HERE / f"{name}.txt"
    codes = assemble(cases, "gfx942")
    bodies = [text_of(c, code) for c, code in zip(cases, codes)]
    said = external.case_results(path, name, cases, bodies)
    text, both = f"# {name}\n", 0
    for c, body, agrees in zip(cases, bodies, said):
        sources = ["exact"] + (["llvm"] if c["llvm"] else []) + agrees
        both += len(sources) > 1
        text += f"case {c['title']} {c['targets']} {','.join(sources)}\n{body}"
    path.write_text(text)
    print(f"{name}: {len(cases)} cases, {both} confirmed")


def main():
    HERE.mkdir(exist_ok=True)
    for section in (branches, hardware_registers, vector_skip, relative_moves, register_indexing, quiet_rows,
                    lanes_rows):
        section()
    for name, cases in CASES.items():
        if len(sys.argv) == 1 or name in sys.argv[1:]:
            write(name, cases)


if __name__ == "__main__":
    main()
