"""Compiles and runs generated programs."""
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
# One meaning for the host and the device: no contraction, f16 rounded after every operation,
# signed integers that wrap, memory that any type may read. A variable without a first value would
# be a fault of the generator.
FLAGS = ["-std=c++20", "-Wno-everything", "-Werror=uninitialized", "-ffp-contract=off", "-Xclang",
         "-ffloat16-excess-precision=none", "-fwrapv", "-fno-strict-aliasing", f"-I{HERE.parent}",
         f"-I{HERE.parent.parent / 'examples'}"]
# What the generator may not do, seen on the host while it calculates what is expected.
SANITIZE = ["-Xarch_host", "-fsanitize=undefined,float-divide-by-zero", "-Xarch_host",
            "-fno-sanitize=float-divide-by-zero,alignment,function", "-Xarch_host",
            "-fsanitize-trap=all"]
TARGET = {"mi210": "gfx90a", "mi250x": "gfx90a", "mi300x": "gfx942", "mi300a": "gfx942"}
# How Wavetank runs the instructions: translated for the host where it can, or all interpreted.
ENGINES = {"jit": "1", "interpreter": "0"}


def compile_program(wavetank, source, program, level, devices, extra=()):
    """None, or what the compiler says against the program."""
    targets = sorted({TARGET[device] for device in devices})
    done = subprocess.run([wavetank, "cc", *[f"--offload-arch={t}" for t in targets], f"-O{level}",
                           *FLAGS, *extra, str(source), "-o", str(program)],
                          capture_output=True, text=True)
    return None if done.returncode == 0 else done.stdout + done.stderr


def run_program(wavetank, program, device, engine="jit", name=None, timeout=300):
    """None when all kernels, or the named one, agree with the host; otherwise what was seen."""
    command = [wavetank, "run", "--device", device, str(program)]
    command += [] if name is None else [name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout,
                              env={**os.environ, "WAVETANK_JIT": ENGINES[engine]})
    except subprocess.TimeoutExpired:
        return f"no end within {timeout} s"
    if done.returncode == 0 and done.stdout.endswith("PASS\n"):
        return None
    return f"exit {done.returncode}: {(done.stdout + done.stderr).strip()[:2000]}"
