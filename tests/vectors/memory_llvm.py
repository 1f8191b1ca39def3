"""LLVM's opinion of memory cases: the IR of each lane's access, folded on the case's memory, and
whether llc selects the instruction for that IR.

A case's accesses are (lane, address IR, operation): the address IR computes %a from constants, the
operation's IR reads and writes %p (and %q) and gives %r. Memory is one alloca for each space, filled
by wide stores; what the case leaves is loaded byte by byte; opt-19 folds all of it.
"""
import re
import subprocess

PASSES = ",".join(["lower-atomic"] + 2 * ["instcombine<no-verify-fixpoint>", "gvn"] +
                  ["instcombine<no-verify-fixpoint>"])
BASE = {"lds": 0, "memory": 0x1fffffff8000, "private": 0}
SIZE = {"lds": 1 << 17, "memory": 1 << 16, "private": 1 << 12}


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) else value


def slot(space):
    return f"%mem_{space[0]}{space[1]}" if isinstance(space, tuple) else f"%mem_{space}"


def kind(space):
    return space[0] if isinstance(space, tuple) else space


def chunks(memory):
    """Adjacent dwords of one space: (space, address, integer, bytes)."""
    result = []
    for space, at in sorted(memory, key=lambda key: (str(key[0]), key[1])):
        if result and result[-1][0] == space and result[-1][1] + result[-1][3] == at:
            last = result[-1]
            result[-1] = (space, last[1], last[2] | memory[space, at] << 8 * last[3], last[3] + 4)
        else:
            result.append((space, at, memory[space, at], 4))
    return result


def rename(lines, prefix):
    return [re.sub(r"%(?!mem_)(\w+)", rf"%{prefix}\1", line) for line in lines]


def function(index, case):
    """IR of a case as a function that returns what it leaves, as an array of bytes; and of what."""
    spaces = {space for space, _ in case.memory}
    lines = [f"{slot(s)} = alloca [{SIZE[kind(s)]} x i8], align 16" for s in sorted(spaces, key=str)]
    for number, (space, at, value, size) in enumerate(chunks(case.memory)):
        lines.append(f"%i{number} = getelementptr i8, ptr {slot(space)}, i64 {at - BASE[kind(space)]}")
        lines.append(f"store i{8 * size} {value}, ptr %i{number}, align 1")
    outputs = []  # (name of an integer, bits, what)
    for number, access in enumerate(case.accesses):
        prefix = f"L{number}_"
        lines += rename(access["ir"], prefix)
        for name, bits, what in access["results"]:
            outputs.append((f"%{prefix}{name}", bits, what))
    for number, (space, at) in enumerate(sorted(case.memory, key=str)):
        for byte in range(4):
            name = f"%o{number}_{byte}"
            lines.append(f"{name}p = getelementptr i8, ptr {slot(space)}, i64 "
                         f"{at + byte - BASE[kind(space)]}")
            lines.append(f"{name} = load i8, ptr {name}p")
            outputs.append((name, 8, (space, at, byte)))
    total = sum(bits // 8 for _, bits, _ in outputs)
    last, place, whats = "undef", 0, []
    for number, (name, bits, what) in enumerate(outputs):
        for byte in range(bits // 8):
            part = f"%x{number}_{byte}"
            if bits > 8:
                lines.append(f"{part}s = lshr i{bits} {name}, {8 * byte}")
                lines.append(f"{part} = trunc i{bits} {part}s to i8")
            whats.append((what, byte))
            lines.append(f"%y{place} = insertvalue [{total} x i8] {last}, i8 "
                         f"{part if bits > 8 else name}, {place}")
            last, place = f"%y{place}", place + 1
    attributes = '"denormal-fp-math-f32"="preserve-sign,preserve-sign"' if case.flushes else ""
    text = f"define [{total} x i8] @f{index}() {attributes} {{\n"
    return text + "".join(f"  {line}\n" for line in lines) + f"  ret [{total} x i8] {last}\n}}\n", whats


def declarations(text):
    found = {}
    for match in re.finditer(r"call ([\w<> ]+?) (@llvm[\w.]+)\((.*)\)", text):
        kinds = [a.strip().rsplit(" ", 1)[0] for a in match[3].split(",")]
        found[match[2]] = f"declare {match[1]} {match[2]}({', '.join(kinds)})\n"
    return "".join(found.values())


def fold(cases):
    """For each case what LLVM finds, {what: bytes}, or None where it does not fold."""
    functions = [function(i, case) for i, case in enumerate(cases)]
    text = "".join(f for f, _ in functions)
    run = subprocess.run(["opt-19", "-mtriple=amdgcn", "-S", f"-passes={PASSES}"],
                         input=text + declarations(text), capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(run.stderr[:2000])
    results = [None] * len(cases)
    for match in re.finditer(r"define \[(\d+) x i8\] @f(\d+)\(\)[^{]*\{(.*?)\n\}", run.stdout, re.S):
        returned = re.search(r"ret \[\d+ x i8\] (.*)", match[3])[1]
        if returned.startswith("%"):
            continue
        data = constant_bytes(returned, int(match[1]))
        found = {}
        for (what, byte), value in zip(functions[int(match[2])][1], data):
            found[what] = found.get(what, 0) | value << 8 * byte
        results[int(match[2])] = found
    return results


def constant_bytes(text, count):
    if text.startswith("zeroinitializer"):
        return [0] * count
    if text.startswith("c\""):
        raw = text[2:text.rindex('"')]
        pieces = re.findall(r"\\\\|\\[0-9A-F]{2}|.", raw)
        return [ord(p[0]) if p in ("\\\\", p[0]) else int(p[1:], 16) for p in pieces]
    return [int(x) & 0xff for x in re.findall(r"i8 (-?\d+)", text)]


def agrees(case, found):
    """True if LLVM's outcome is the case's."""
    for what, value in found.items():
        if what[0] == "v":
            want = case.vector_after[what[1]][what[2]]
        elif what[0] == "s":
            want = case.scalar_after[what[1]]
        else:
            space, at, byte = what
            want = case.memory_after.get((space, at), case.memory[space, at]) >> 8 * byte & 0xff
        if value != want:
            return False
    return True


def selected(selections, targets):
    """The selections (IR, pattern, flags) for which llc emits a line with the pattern."""
    good, by_flags = set(), {}
    for selection in selections:
        by_flags.setdefault(selection[2], []).append(selection)
    for flags, group in by_flags.items():
        text = "".join(f"define amdgpu_gfx {ir.replace('@f', f'@f{i}')}\n"
                       for i, (ir, _, _) in enumerate(group))
        for target in flags.split()[0].split(","):
            run = subprocess.run(["llc-19", "-mtriple=amdgcn-amd-amdpal", f"-mcpu={target}", "-o", "-"] +
                                 flags.split()[1:], input=text + declarations(text),
                                 capture_output=True, text=True)
            if run.returncode != 0:
                raise RuntimeError(run.stderr[:3000])
            parts = re.split(r"^f(\d+):.*$", run.stdout, flags=re.M)[1:]
            here = {group[int(parts[i])] for i in range(0, len(parts), 2)
                    if re.search(group[int(parts[i])][1], parts[i + 1])}
            good = good | here if target == flags.split()[0].split(",")[0] else good - (set(group) - here)
    return good


def agreement(cases, targets):
    """{id of a case: True} where LLVM folds it to the same outcome and selects the instruction."""
    asked = [case for case in cases if case.accesses]
    good = selected({s for case in asked for s in case.selections}, targets)
    result = {}
    for start in range(0, len(asked), 200):
        group = asked[start:start + 200]
        for case, found in zip(group, fold(group)):
            missing = [s for s in case.selections if s not in good]
            result[id(case)] = found is not None and not missing and agrees(case, found)
            if not result[id(case)]:
                why = "not folded" if found is None else "not selected" if missing else "differs"
                print(f"llvm: {case.assembly} ({case.title}): {why}")
    return result
