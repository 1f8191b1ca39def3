"""What LLVM knows of wave-level instructions: registers they write (its MIR reader refuses an
instruction whose implicit operands are not all written down), and what llc-19 selects them for."""
import functools
import re
import subprocess


def run(arguments, text, triple="amdgcn-amd-amdhsa"):
    return subprocess.run(["llc-19", f"-mtriple={triple}", "-o", "-", *arguments], input=text,
                          capture_output=True, text=True)


def mir(lines):
    text = "---\nname: f\nbody: |\n  bb.0:\n" + "".join(f"    {line}\n" for line in lines) + "...\n"
    return run(["-mcpu=gfx942", "-run-pass=none", "-verify-machineinstrs", "-x", "mir", "-"], text)


@functools.cache
def writes_nothing(instruction):
    """True if LLVM accepts the instruction without a register that it writes (MODE apart), and would
    not accept one that does write so."""
    if mir(["S_ADD_U32 $sgpr0, $sgpr1"]).returncode == 0:
        raise RuntimeError("LLVM no longer checks implicit operands")
    if instruction == "S_SET_GPR_IDX_OFF":
        instruction += " implicit-def $mode, implicit $mode"
    return mir([instruction]).returncode == 0


@functools.cache
def ends(opcode):
    """True if LLVM lets nothing follow the instruction in its block."""
    operand = " 0" if opcode == "S_ENDPGM" else ""
    after = mir([opcode + operand, "S_NOP 0"])
    return mir([opcode + operand]).returncode == 0 and "after the first terminator" in after.stderr


@functools.cache
def traps(intrinsic, expected):
    text = f"declare void @{intrinsic}()\ndefine amdgpu_kernel void @f() {{\n  call void @{intrinsic}()\n  ret void\n}}\n"
    return expected in run(["-mcpu=gfx942"], text).stdout


@functools.cache
def indexes(mode):
    """llc-19 selects the region of s_set_gpr_idx_on for a dynamic vector element."""
    body = ("%e = extractelement <16 x i32> %v, i32 %i\n  %r = insertelement <16 x i32> poison, i32 %e, i32 0"
            if mode == 1 else "%r = insertelement <16 x i32> %v, i32 %x, i32 %i")
    text = (f"define amdgpu_ps <16 x float> @f(<16 x i32> %v, i32 inreg %i, i32 %x) {{\n  {body}\n"
            "  %c = bitcast <16 x i32> %r to <16 x float>\n  ret <16 x float> %c\n}\n")
    code = run(["-mcpu=gfx942"], text, "amdgcn").stdout
    mark = "SRC0" if mode == 1 else "DST"
    return re.search(rf"s_set_gpr_idx_on s\d+, gpr_idx\({mark}\)\n\s*v_mov_b32_e32 v\d+, v\d+\n"
                     r"\s*s_set_gpr_idx_off", code) is not None


@functools.cache
def copies(name):
    """llc-19 copies between register files with the instruction."""
    to, source = {"v_accvgpr_read_b32": ("v", "a"), "v_accvgpr_write_b32": ("a", "v"),
                  "v_accvgpr_mov_b32": ("a", "a")}[name]
    one, two = ("{a5}", "{a4}") if to == source else (source, to)
    text = (f'define amdgpu_kernel void @f() {{\n  %x = call i32 asm sideeffect "; def $0", "={one}"()\n'
            f'  call void asm sideeffect "; use $0", "{two}"(i32 %x)\n  ret void\n}}\n')
    return name in run(["-mcpu=gfx942"], text).stdout
