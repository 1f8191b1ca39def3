#!/usr/bin/env python3
"""Writes tests/vectors/memory: what memory rows do to registers and memory, by two references.

A file is one mnemonic: cases of one instruction each, with the state it starts from and what it
leaves (README.md has the format). Tables: memory_operations.py says what happens to the data
of one lane, memory_rows.py which rows do it and where their addresses come from. References: Python
integers and rationals written from the ISA guides (`exact`), and LLVM's folding of the IR of the
same access (`llvm`, memory_llvm.py), for rows that llc selects for that IR.

    python3 memory.py [mnemonic...]                       writes the files
    python3 memory.py --dump cases.json                   the cases, for another reference
    python3 memory.py --opinion NAME=outcomes.json        adds a reference to what it agrees with

Opinions given once stay in the files as long as a case and its outcome do not change.
"""
import json
import pathlib
import re
import subprocess
import sys

import memory_llvm

HERE = pathlib.Path(__file__).parent / "memory"
TARGETS = ("gfx90a", "gfx942")
LANES = [0, 1, 31, 32, 47, 63]
SHARED, PRIVATE = 0x10000, 0x20000  # upper dwords of the FLAT apertures


class Case:
    """One instruction on one state. Registers are lists of values for each lane (vector) or single
    dwords (scalar); memory maps (space, byte address) to dwords, where space is "lds", "memory" or
    ("private", lane)."""

    def __init__(self, title, assembly, lanes=None):
        self.title, self.assembly, self.lanes = title, assembly, lanes or LANES
        self.vector, self.scalar, self.memory, self.other = {}, {}, {}, {}
        self.vector_after, self.scalar_after, self.memory_after = {}, {}, {}
        self.accesses = []  # what memory_llvm folds
        self.selections, self.flushes = [], False  # the IR that llc shall select it for
        self.targets = TARGETS  # those that may have it
        self.unwritten = False  # LLVM knows no register or memory that the instruction writes

    def read(self, space, address, size):
        """Bytes as an integer; memory that no one set is made up."""
        value = 0
        for i in range(size):
            at = address + i
            word = self.memory_after.get((space, at & ~3))
            if word is None:
                word = self.memory.setdefault((space, at & ~3), noise(space, at & ~3))
            value |= (word >> 8 * (at & 3) & 0xff) << 8 * i
        return value

    def write(self, space, address, size, value):
        for i in range(size):
            at, shift = address + i, 8 * (address + i & 3)
            self.read(space, at, 1)
            word = self.memory_after.get((space, at & ~3), self.memory[space, at & ~3])
            byte = value >> 8 * i & 0xff
            self.memory_after[space, at & ~3] = word & ~(0xff << shift) | byte << shift

    def set(self, space, address, size, value):
        """Memory before the instruction."""
        for i in range(size):
            at, shift = address + i, 8 * (address + i & 3)
            word = self.memory.setdefault((space, at & ~3), noise(space, at & ~3))
            byte = value >> 8 * i & 0xff
            self.memory[space, at & ~3] = word & ~(0xff << shift) | byte << shift

    def set_vector(self, register, lane, value, dwords=1):
        for i in range(dwords):
            self.vector.setdefault(register + i, {})[lane] = value >> 32 * i & 0xffffffff

    def result(self, register, lane, value, dwords=1):
        for i in range(dwords):
            self.vector_after.setdefault(register + i, {})[lane] = value >> 32 * i & 0xffffffff

    def set_scalar(self, register, value, dwords=1, after=False):
        for i in range(dwords):
            where = self.scalar_after if after else self.scalar
            where[register + i] = value >> 32 * i & 0xffffffff


def noise(space, address):
    lane = space[1] if isinstance(space, tuple) else 77
    value = (address * 0x9e3779b1 + lane * 0x85ebca6b + 0x7f4a7c15) & 0xffffffff
    return (value ^ value >> 15) * 0x2c1b3c6d & 0xffffffff


def runs(cells):
    """Consecutive dwords of {address: value} as (address, values)."""
    result = []
    for at in sorted(cells):
        if result and result[-1][0] + 4 * len(result[-1][1]) == at:
            result[-1][1].append(cells[at])
        else:
            result.append((at, [cells[at]]))
    return result


def words(values):
    return " ".join(f"{v:08x}" for v in values)


def state_lines(vector, scalar, memory, lanes):
    for register in sorted(vector):
        yield f"v{register} {words(vector[register][lane] for lane in lanes)}"
    for at, values in runs({4 * r: v for r, v in scalar.items()}):
        yield f"{'m0' if at == 496 else f's{at // 4}'} {words(values)}"
    for space in sorted({space for space, _ in memory}, key=str):
        name = f"private {space[1]}" if isinstance(space, tuple) else space
        for at, values in runs({a: v for (s, a), v in memory.items() if s == space}):
            yield f"{name} {at:x} {words(values)}"


def body(case):
    """The lines between `case` and the next case, without the code."""
    lines = [f"lanes {' '.join(map(str, case.lanes))}"]
    lines += [f"{name} {words(values)}" for name, values in case.other.items()]
    lines += state_lines(case.vector, case.scalar, case.memory, case.lanes)
    changed = {k: v for k, v in case.memory_after.items() if v != case.memory[k]}
    lines += ["-> " + line for line in
              state_lines(case.vector_after, case.scalar_after, changed, case.lanes)]
    return lines


def assemble(cases):
    """{(assembly, target): code words}, where the target has the instruction."""
    texts, result = sorted({case.assembly for case in cases}), {}
    for target in TARGETS:
        run = subprocess.run(["llvm-mc-19", "-triple=amdgcn", f"-mcpu={target}", "-show-encoding"],
                             input="\n".join(texts), capture_output=True, text=True)
        bad = {int(m) for m in re.findall(r"<stdin>:(\d+):\d+: error", run.stderr)}
        good = [text for i, text in enumerate(texts, 1) if i not in bad]
        codes = re.findall(r"; encoding: \[([^\]]*)\]", run.stdout)
        assert len(good) == len(codes), run.stderr
        for text, code in zip(good, codes):
            data = bytes(int(b, 16) for b in code.split(","))
            result[text, target] = " ".join(
                f"{int.from_bytes(data[i:i + 4], 'little'):08x}" for i in range(0, len(data), 4))
    return result


def variants(case, codes):
    """(targets, code): targets with the same bytes share an entry."""
    found = {}
    for target in case.targets:
        code = codes.get((case.assembly, target))
        if code is not None:
            found.setdefault(code, []).append(target)
    return [(",".join(targets), code) for code, targets in found.items()]


def opinions_kept(path):
    """{lines of a case: sources} of an earlier file, for references that are not computed here."""
    kept = {}
    if path.exists():
        for part in path.read_text().split("\ncase ")[1:]:
            head, *lines = part.rstrip("\n").split("\n")
            sources = [s for s in head.split()[2].split(",") if s not in ("exact", "llvm")]
            kept["\n".join(line.strip() for line in lines)] = sources
    return kept


def write(name, cases, codes, folded, opinions):
    kept, text, confirmed, total = opinions_kept(HERE / f"{name}.txt"), [f"# {name}\n"], 0, 0
    for case in cases:
        lines = body(case)
        for targets, code in variants(case, codes):
            full = [f"code {code} ; {case.assembly}"] + lines
            sources = ["exact"] + (["llvm"] if folded.get(id(case)) or case.unwritten else [])
            sources += kept.get("\n".join(full), [])
            for source, outcomes in opinions.items():
                if outcomes.get(f"{name} {case.title}") == [x for x in lines if x[:2] == "->"]:
                    sources += [source] if source not in sources else []
            text.append(f"case {case.title} {targets} {','.join(sources)}\n")
            text += [f"  {line}\n" for line in full]
            confirmed, total = confirmed + (len(sources) > 1), total + 1
    (HERE / f"{name}.txt").write_text("".join(text))
    return confirmed, total


def dump(path, rows):
    cases = [{"key": f"{name} {case.title}", "assembly": case.assembly, "lines": body(case)}
             for name, cases in rows.items() for case in cases]
    pathlib.Path(path).write_text(json.dumps(cases, indent=1))


def main():
    import memory_buffer
    import memory_rows
    import memory_rows_flat
    import memory_rows_scalar
    arguments, opinions, names = sys.argv[1:], {}, []
    rows = memory_rows.rows() | memory_rows_flat.rows() | \
        memory_rows_scalar.rows() | memory_buffer.rows()
    while arguments:
        argument = arguments.pop(0)
        if argument == "--dump":
            return dump(arguments.pop(0), rows)
        if argument == "--opinion":
            source, path = arguments.pop(0).split("=")
            opinions[source] = json.loads(pathlib.Path(path).read_text())
        else:
            names.append(argument)
    rows = {name: cases for name, cases in rows.items() if not names or name in names}
    every = [case for cases in rows.values() for case in cases]
    codes = assemble(every)
    folded = memory_llvm.agreement(every, TARGETS)
    for name, cases in rows.items():
        confirmed, total = write(name, cases, codes, folded, opinions)
        if confirmed != total or not total:
            print(f"{name}: {confirmed} of {total} confirmed")
    print(f"{len(rows)} mnemonics, {len(every)} cases")


if __name__ == "__main__":
    main()
