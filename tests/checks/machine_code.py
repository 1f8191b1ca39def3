"""The kernels in a compiled program, as instructions that can be overwritten one by one."""
import dataclasses
import re
import struct
import subprocess
import tempfile

AMDGPU = 224  # e_machine
NOP = struct.pack("<I", 0xBF800000)
TRAP = struct.pack("<I", 0xBF920002)  # s_trap 2, which ends the program


@dataclasses.dataclass
class Instruction:
    place: int  # in the program's file
    address: int
    bytes: int
    text: str
    target: int | None  # address that a branch may go to

    @property
    def name(self):
        return self.text.split()[0]


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


def kernels(program):
    """(name, instructions) of each kernel, by what llvm-objdump says of it."""
    for begin, elf in code_objects(program):
        section, offset = text_section(elf)
        with tempfile.NamedTemporaryFile() as file:
            file.write(elf)
            file.flush()
            listing = subprocess.run(["llvm-objdump-19", "-d", file.name], capture_output=True,
                                     text=True, check=True).stdout
        name, code = "", []
        for line in listing.splitlines() + ["0 <>:"]:
            if found := re.match(r"[0-9a-f]+ <(.*)>:", line):
                if code:
                    yield name, code
                name, code = found[1], []
            elif found := re.match(r"\s+(.+?)\s+// ([0-9A-F]+): ([0-9A-F ]+)", line):
                address, words = int(found[2], 16), found[3].split()
                target = None
                if re.match(r"s_c?branch", found[1]):
                    distance, = struct.unpack("<h", bytes.fromhex(words[0])[:1:-1])
                    target = address + 4 + 4 * distance
                code.append(Instruction(begin + address - section + offset, address,
                                        4 * len(words), found[1].strip(), target))


def overwritten(program, instructions, word):
    """A copy of the program with `word` in place of these instructions."""
    copy = bytearray(program)
    for one in instructions:
        copy[one.place:one.place + one.bytes] = word * (one.bytes // 4)
    return bytes(copy)


def redirected(program, branches, address):
    """A copy of the program whose branches go there."""
    copy = bytearray(program)
    for one in branches:
        struct.pack_into("<h", copy, one.place, (address - one.address - 4) // 4)
    return bytes(copy)
