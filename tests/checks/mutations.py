#!/usr/bin/env python3
"""Takes one wait, barrier or fence at a time out of programs that pass `wavetank check`.

    mutations.py WAVETANK gfx90a|gfx942 [--flags FLAGS] SOURCE.hip...

Each source is compiled, its device code disassembled, and each s_waitcnt, s_barrier, buffer_wbl2,
buffer_inv and buffer_wbinvl1_vol of its kernels overwritten by s_nop in a copy of the program, which
is then checked. Prints a line for each: what was found, or that nothing was. Loads, which only
matter where a register is used too early, are told apart from waits that order memory: a wait
directly before a barrier, a fence or a store orders.
"""
import argparse
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

DEVICES = {"gfx90a": "mi210", "gfx942": "mi300x"}
NOP = struct.pack("<I", 0xBF800000)
REMOVED = re.compile(r"s_waitcnt|s_barrier|buffer_wbl2|buffer_inv|buffer_wbinvl1")
AMDGPU = 224  # e_machine


def code_objects(program):
    """Begin and bytes of the device code objects in a program."""
    at = program.find(b"\x7fELF", 4)
    while at >= 0:
        if struct.unpack_from("<H", program, at + 18)[0] == AMDGPU:
            sections, = struct.unpack_from("<Q", program, at + 40)
            size, count = struct.unpack_from("<HH", program, at + 58)
            yield at, program[at:at + sections + size * count]
        at = program.find(b"\x7fELF", at + 4)


def text_section(elf):
    """Address and offset of .text."""
    done = {}
    sections, = struct.unpack_from("<Q", elf, 40)
    size, count, names = struct.unpack_from("<HHH", elf, 58)
    strings, = struct.unpack_from("<Q", elf, sections + size * names + 24)
    for i in range(count):
        name, _, _, address, offset = struct.unpack_from("<IIQQQ", elf, sections + size * i)
        label = elf[strings + name:elf.index(b"\0", strings + name)]
        done[label] = (address, offset)
    return done[b".text"]


def instructions(elf, folder):
    """(kernel, address, bytes, text) of each instruction."""
    path = folder / "code.elf"
    path.write_bytes(elf)
    listing = subprocess.run(["llvm-objdump-19", "-d", path], capture_output=True, text=True,
                             check=True).stdout
    kernel = ""
    for line in listing.splitlines():
        if found := re.match(r"[0-9a-f]+ <(.+)>:", line):
            kernel = found[1]
        elif found := re.match(r"\s+(.+?)\s+// ([0-9A-F]+): ([0-9A-F ]+)", line):
            yield kernel, int(found[2], 16), 4 * len(found[3].split()), found[1]


def checked(wavetank, program, device):
    try:
        done = subprocess.run([wavetank, "check", "--device", device, program],
                              capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return ["hangs"]
    errors = re.findall(r"^error\[(E\d+)\]", done.stderr, re.M)
    return sorted(set(errors)) if errors or done.returncode == 0 else ["fails"]


def mutate(options, source, folder):
    """Prints a line for each mutation; the counts of found ones and of all, by instruction."""
    program = folder / source.stem
    subprocess.run([options.wavetank, "cc", "-g", "-O2", f"--offload-arch={options.processor}",
                    *options.flags.split(), source, "-o", program], check=True)
    device = DEVICES[options.processor]
    if found := checked(options.wavetank, program, device):
        print(f"{source.stem}: has {found} as it is")
        return
    original = program.read_bytes()
    for begin, elf in code_objects(original):
        address, offset = text_section(elf)
        code = list(instructions(elf, folder))
        for i, (kernel, at, size, text) in enumerate(code):
            if not REMOVED.match(text) or "__device_stub__" in kernel:
                continue
            copy = bytearray(original)
            place = begin + at - address + offset
            copy[place:place + size] = NOP * (size // 4)
            program.write_bytes(copy)
            found = checked(options.wavetank, program, device)
            following = code[i + 1][3] if i + 1 < len(code) else ""
            print(f"{source.stem:32} {kernel[:24]:24} +{at - address:#06x} {text.strip():34} "
                  f"before {following.split()[0] if following else '':22} "
                  f"{' '.join(found) or 'nothing'}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("wavetank")
    parser.add_argument("processor", choices=DEVICES)
    parser.add_argument("--flags", default="-DFIXED")
    parser.add_argument("sources", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for source in options.sources:
            mutate(options, source, pathlib.Path(temporary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
