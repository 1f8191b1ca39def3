#!/usr/bin/env python3
"""Checks that projects for ROCm configure, build and run in `wavetank shell`.

    check_shell.py WAVETANK tools|cmake|makefile|rocprofv3|rocm_smi|roctx
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROJECTS = pathlib.Path(__file__).parent
failures = []
passed = 0


def expect(what, holds, seen=""):
    global passed
    if holds:
        passed += 1
    else:
        failures.append(f"{what}: {seen}")


class Shell:
    """One shell for a device, its commands run in a folder of its own."""

    def __init__(self, wavetank, folder, device):
        self.start = [wavetank, "shell", "--device", device, "--"]
        self.folder = folder
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("WAVETANK_", "ROCM", "HIP"))}
        self.environment["XDG_CACHE_HOME"] = str(folder / "cache")

    def run(self, *words):
        return subprocess.run([*self.start, *words], text=True, capture_output=True,
                              cwd=self.folder, env=self.environment)

    def script(self, text):
        return self.run("sh", "-ec", text)


def check_tools(shell):
    together = [subprocess.Popen([*shell.start, "true"], env=shell.environment, text=True,
                                 stderr=subprocess.PIPE) for _ in range(6)]
    seen = [process.communicate()[1] for process in together]
    expect("shells that start at once", all(p.returncode == 0 for p in together), seen)
    left = list((shell.folder / "cache" / "wavetank").iterdir())
    expect("they share one folder", len(left) == 1, left)
    expect("a command's exit status is the shell's", shell.run("sh", "-c", "exit 7").returncode == 7)
    missing = shell.run("no-such-command")
    expect("a command that is not there", missing.returncode == 2 and "no-such-command" in
           missing.stderr, missing)
    expect("rocm_agent_enumerator", shell.run("rocm_agent_enumerator").stdout == "gfx000\ngfx942\n")
    expect("only GPUs", shell.run("rocm_agent_enumerator", "-t", "GPU").stdout == "gfx942\n")
    expect("offload-arch", shell.run("offload-arch").stdout == "gfx942\n")
    expect("hipconfig ends without a newline", shell.run("hipconfig", "-P").stdout == "amd")
    paths = shell.script('hipconfig --rocmpath; echo; hipconfig -l; echo; echo "$ROCM_PATH"')
    root, clang, variable = paths.stdout.splitlines()
    expect("hipconfig knows the folder", root == variable and clang == root + "/llvm/bin", paths)
    # CMake projects split the version at the dots and at the dash before the commit.
    full = shell.run("hipconfig", "--version").stdout
    expect("hipconfig --version", re.fullmatch(r"\d+\.\d+\.\d+-\w*", full), full)
    for part in ("bin/hipcc", "include/hip/hip_runtime.h", "lib/libamdhip64.so",
                 "amdgcn/bitcode/ocml.bc", "lib/cmake/hip/hip-config.cmake", ".info/version"):
        expect(f"the folder has {part}", (pathlib.Path(root) / part).exists())
    version = shell.run("hipcc", "--version").stdout
    expect("hipcc --version", version.startswith("HIP version: ") and "clang version" in version,
           version)
    expect("hipcc's errors", shell.run("hipcc", "missing.hip").returncode == 1)
    expect("rocminfo", "AMD Instinct MI300X" in shell.run("rocminfo").stdout)
    for tool in ("hipconfig", "rocm_agent_enumerator", "offload-arch", "amdgpu-arch"):
        helped = shell.run(tool, "--help")
        expect(f"{tool} --help", helped.returncode == 0 and "usage: " in helped.stdout, helped)
    nested = shell.script(f'{shell.start[0]} shell --device mi210 -- offload-arch')
    expect("a shell in a shell", nested.stdout == "gfx90a\n", nested)


def check_cmake(shell):
    source = PROJECTS / "scale"
    built = shell.script(f"cmake -S {source} -B build; cmake --build build")
    expect("LANGUAGES HIP builds", built.returncode == 0, built)
    tested = shell.script("ctest --test-dir build --output-on-failure -V")
    expect("ctest runs on the device", "scaled on AMD Instinct MI300X" in tested.stdout, tested)
    for compiler in ("hipcc", "amdclang++"):
        built = shell.script(f"CXX={compiler} cmake -S {source}_cxx -B {compiler};"
                             f"cmake --build {compiler}; {compiler}/scale")
        expect(f"CXX={compiler}", "scaled on AMD Instinct MI300X" in built.stdout, built)


def check_makefile(shell):
    shutil.copytree(PROJECTS / "scale", shell.folder / "scale")
    made = shell.run("make", "-C", "scale", "check")
    expect("make", made.returncode == 0 and "scaled on AMD Instinct MI300X" in made.stdout, made)
    for words in (("--offload-arch=native", "-O2"), ("--offload-arch=gfx90a,gfx942",),
                  ("--offload-arch=gfx942", "-fgpu-rdc")):
        built = shell.run("hipcc", *words, "scale/scale.hip", "scale/host.cpp", "-o", "once")
        expect(f"hipcc {words}", built.returncode == 0, built)
        expect(f"built with {words}", shell.run("./once").returncode == 0)
    code = shell.run("hipcc", "--genco", "scale/scale.hip", "-o", "scale.co")
    expect("hipcc --genco", code.returncode == 0 and (shell.folder / "scale.co").exists(), code)


def check_rocprofv3(shell):
    folder = shell.folder
    built = shell.run("hipcc", str(PROJECTS / "scale/scale.hip"), str(PROJECTS / "scale/host.cpp"),
                      "-o", "app")
    expect("hipcc", built.returncode == 0, built)

    def files(where):
        """The files below a folder, as rocprofv3 names them, with HOST and PID for what varies."""
        names = set()
        for path in (folder / where).rglob("*.*"):
            parts = path.relative_to(folder / where).parts
            name = parts[-1].split("_", 1)
            shown = ("PID_" + name[1]) if name[0].isdigit() else parts[-1]
            middle = ["HOST" if part == os.uname().nodename else part for part in parts[:-1]]
            names.add("/".join([*middle, shown]))
        return names

    traced = shell.run("rocprofv3", "--kernel-trace", "--stats", "-f", "csv", "json", "-d", "a",
                       "--", "./app")
    expect("the program's own output", traced.stdout == "scaled on AMD Instinct MI300X\n", traced)
    expect("default names", files("a") == {f"HOST/PID_{name}" for name in (
        "agent_info.csv", "kernel_trace.csv", "kernel_stats.csv", "results.json")}, files("a"))
    shell.run("rocprofv3", "--pmc", "SQ_WAVES", "SQ_INSTS_VALU", "-d", "b", "-o", "run", "--",
              "./app")
    expect("-o", files("b") == {"run_agent_info.csv", "run_counter_collection.csv"}, files("b"))
    rows = (folder / "b/run_counter_collection.csv").read_text()
    expect("counters", '"SQ_WAVES",16' in rows and '"SQ_INSTS_VALU"' in rows, rows)
    (folder / "in.txt").write_text("# counters\npmc: SQ_WAVES # one\npmc: SQ_INSTS_VALU\n")
    shell.run("rocprofv3", "-i", "in.txt", "-d", "c", "-o", "run", "--", "./app")
    expect("a run for each pmc line", {"pmc_1/run_counter_collection.csv",
                                       "pmc_2/run_counter_collection.csv"} <= files("c"), files("c"))
    jobs = {"jobs": [{"pmc": ["SQ_WAVES"], "kernel_include_regex": "scale", "output_file": "in"},
                     {"pmc": ["SQ_WAVES"], "kernel_include_regex": "other", "output_file": "in"}]}
    (folder / "in.json").write_text(json.dumps(jobs))
    (folder / "in.yaml").write_text(
        "jobs:\n  - pmc: [SQ_WAVES]\n    kernel_include_regex: \"scale\"\n    output_file: in\n"
        "  - pmc:\n      - SQ_WAVES\n    kernel_exclude_regex: scale\n    output_file: in\n")
    for form in ("json", "yaml"):
        shell.run("rocprofv3", "-i", f"in.{form}", "-d", form, "--", "./app")
        texts = [(folder / form / f"pass_{i}/in_counter_collection.csv").read_text() for i in (1, 2)]
        expect(f"jobs of {form}", "scale" in texts[0] and "scale" not in texts[1], texts)
    for name, text in (("no YAML", "jobs:\n  - pmc: [SQ_WAVES\n"),
                       ("a list in itself", "jobs:\n  - pmc: &list [*list]\n")):
        (folder / "bad.yaml").write_text(text)
        bad = shell.run("rocprofv3", "-i", "bad.yaml", "--", "./app")
        expect(name, bad.returncode == 2 and "bad.yaml:" in bad.stderr, bad)
    unknown = shell.run("rocprofv3", "--pmc", "SQ_WAVES", "NOTHING", "--", "./app")
    expect("an unknown counter ends it before the program runs", unknown.returncode == 2 and
           "NOTHING" in unknown.stderr and unknown.stdout == "", unknown)
    listed = shell.run("rocprofv3", "-L").stdout
    expect("-L", "Name:gfx942" in listed and "Counter_Name        :\tSQ_WAVES\n" in listed and
           "Counter_Name        :\tVALUBusy\n" in listed, listed[:1000])
    expect("--help", "--kernel-trace" in shell.run("rocprofv3", "--help").stdout)
    for option, name in (("-M", '"_Z5scalePffi"'), ("-T", '"scale"')):
        shell.run("rocprofv3", "--kernel-trace", option, "-d", "names", "-o", "run", "--", "./app")
        trace = (folder / "names/run_kernel_trace.csv").read_text()
        expect(f"names with {option}", name in trace, trace)
    shell.run("rocprofv3", "--kernel-trace", "--pmc", "SQ_WAVES", "--kernel-include-regex", "other",
              "-d", "e", "-o", "run", "--", "./app")
    trace = (folder / "e/run_kernel_trace.csv").read_text()
    counted = (folder / "e/run_counter_collection.csv").read_text()
    expect("an expression is about counters, not about the trace",
           "scale" in trace and "scale" not in counted, [trace, counted])
    other = shell.run("rocprofv3", "--kernel-trace", "--hip-trace", "-d", "d", "--", "sh", "-c",
                      "./app; exit 5")
    expect("the program's exit status", other.returncode == 5, other)
    expect("what is not recorded is named", "no hip-trace" in other.stderr, other)
    expect("an unknown option", shell.run("rocprofv3", "--nonsense", "--", "./app").returncode == 2)
    expect("no program", shell.run("rocprofv3", "--kernel-trace", "./app").returncode == 2)


def check_rocm_smi(shell):
    table = shell.run("rocm-smi").stdout
    rows = [line.split() for line in table.splitlines() if line[:1].isdigit()]
    expect("the table", len(rows) == 1 and rows[0][2] == "0x74a1," and "132Mhz" in rows[0], table)
    expect("a list", "GPU[0]\t\t: VRAM Total Memory (B): 206158430208" in
           shell.run("rocm-smi", "--showmeminfo", "vram").stdout)
    levels = shell.run("rocm-smi", "-c", "-s").stdout
    expect("a clock in deep sleep", "sclk clock level: S: (132Mhz)" in levels and
           "S: 132Mhz *\nGPU[0]\t\t: 0: 500Mhz\nGPU[0]\t\t: 1: 2100Mhz" in levels, levels)
    unknown = shell.run("rocm-smi", "--setsclk", "1")
    expect("what there is none of", unknown.returncode == 2 and "--setsclk" in unknown.stderr and
           unknown.stdout == "", unknown)
    two = f"{shell.start[0]} shell --device mi300x,mi210 -- rocm-smi "
    memory = shell.script(two + "--showmeminfo vram --json").stdout
    expect("JSON", json.loads(memory)["card1"] == {"VRAM Total Memory (B)": "68719476736",
                                                   "VRAM Total Used Memory (B)": "0"}, memory)
    chosen = shell.script(two + "-d 1 --showid --json").stdout
    expect("one card", json.loads(chosen).keys() == {"card1"}, chosen)
    missing = shell.script(two + "-d 2")
    expect("a card that is not there", missing.returncode == 2, missing)
    rows = shell.script(two + "--showtemp --showproductname --csv").stdout.splitlines()
    expect("CSV has a column for all cards", rows[0].startswith("device,") and len(rows) == 3 and
           len({row.count(",") for row in rows}) == 1 and "N/A" in rows[1], rows)
    everything = shell.run("rocm-smi", "-a").stdout
    expect("-a", "Device ID: 0x74a1" in everything and "socclk" in everything, everything)
    expect("--help", "--showclkfrq" in shell.run("rocm-smi", "--help").stdout)
    links = shell.script(f"{shell.start[0]} shell --device mi300x,mi300x -- rocm-smi --showtopo")
    expect("links", "XGMI" in links.stdout, links)


def check_roctx(shell):
    """A program that names its ranges, built by hipcc and by `wavetank cc`."""
    (shell.folder / "ranges.hip").write_text("""
        #include <hip/hip_runtime.h>
        #include <roctracer/roctx.h>
        #include <cstdio>
        int main() {
          roctxMark("begin");
          const roctx_range_id_t first = roctxRangeStart("all"), second = roctxRangeStart("a part");
          const int levels[] = {roctxRangePush("outer"), roctxRangePush("inner"), roctxRangePop(),
                                roctxRangePop(), roctxRangePop()};
          roctxRangeStop(second);
          roctxRangeStop(first);
          for (const int level : levels) std::printf("%d ", level);
          std::printf("%d %u\\n", int(second - first), roctx_version_major());
        }""")
    for start, compiler in ((shell.start, 'hipcc -I"$ROCM_PATH/include" -L"$ROCM_PATH/lib"'),
                            ([], f"{shell.start[0]} cc --device mi300x")):
        built = subprocess.run([*start, "sh", "-ec", f"{compiler} ranges.hip -lroctx64 -o ranges"],
                               text=True, capture_output=True, cwd=shell.folder,
                               env=shell.environment)
        expect(compiler, built.returncode == 0, built)
        ran = shell.run("./ranges")
        expect(f"built by {compiler}", ran.stdout == "0 1 1 0 -1 1 4\n", ran)
        alone = subprocess.run([shell.start[0], "run", "--device", "mi300x", "./ranges"], text=True,
                               capture_output=True, cwd=shell.folder)
        expect("outside of a shell", alone.stdout == ran.stdout, alone)


def main():
    wavetank, part = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        shell = Shell(wavetank, pathlib.Path(name), "mi300x")
        globals()["check_" + part](shell)
    print("\n".join(failures))
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
