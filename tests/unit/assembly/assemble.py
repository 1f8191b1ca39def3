#!/usr/bin/env python3
"""Writes instructions.inc: the dwords of every instruction that unit tests name in their texts.

    assemble.py [LLVM_MC]

Looks for string literals that begin like an instruction and assembles them for gfx90a and gfx942
with llvm-mc-19 (or the one given). To be run when a test names a new instruction.
"""
import pathlib
import re
import subprocess
import sys

JUMP = re.compile(r"s_c?branch\w* [a-z]")  # to a place of the test's own
LITERAL = re.compile(r'"((?:v|s|ds|global|flat|buffer|scratch)_[a-z0-9_]+(?: [^"]*)?)"')


def encode(assembler, target, text):
    done = subprocess.run([assembler, "--triple=amdgcn", f"-mcpu={target}", "--show-encoding"],
                          input=text, capture_output=True, text=True)
    found = re.search(r"encoding: \[([^\]]*)\]", done.stdout)
    if done.returncode != 0 or not found:
        return None
    octets = bytes(int(octet, 16) for octet in found.group(1).split(","))
    return [int.from_bytes(octets[i:i + 4], "little") for i in range(0, len(octets), 4)]


def main():
    assembler = sys.argv[1] if len(sys.argv) > 1 else "llvm-mc-19"
    folder = pathlib.Path(__file__).parent
    texts = set()
    users = [source for name in ("check", "lint", "timing")
             for source in sorted((folder.parent / name).glob("*_test.cpp"))]
    for source in users:
        texts.update(LITERAL.findall(source.read_text()))
    lines = ["// Written by assemble.py: text, targets, dwords."]
    for text in sorted(text for text in texts if not JUMP.match(text)):
        old, new = (encode(assembler, target, text) for target in ("gfx90a", "gfx942"))
        rows = []
        if old and old == new:
            rows = [("kAlways", old)]
        else:
            rows = [(name, words) for name, words in (("kUntilGfx90a", old), ("kSinceGfx942", new)) if words]
        if not rows:
            print(f"no instruction of either target: {text}", file=sys.stderr)
        for name, words in rows:
            numbers = ", ".join(f"0x{word:08x}" for word in words)
            lines.append(f'{{"{text}", {name}, {len(words)}, {{{numbers}}}}},')
    (folder / "instructions.inc").write_text("\n".join(lines) + "\n")


main()
