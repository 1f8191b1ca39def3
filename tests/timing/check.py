#!/usr/bin/env python3
"""Profiles programs and checks what the cycle model must keep, whatever its parameters.

    check.py accounting WAVETANK DEVICE PROGRAM [ARGUMENT]... [-- PROGRAM ...]...
    check.py repeatable WAVETANK DEVICE PROGRAM [ARGUMENT]... [-- PROGRAM ...]...
    check.py sampling   WAVETANK DEVICE PROGRAM [ARGUMENT]...
    check.py uneven     WAVETANK DEVICE PROGRAM
    check.py vcopy      WAVETANK DEVICE PROGRAM
    check.py clock      WAVETANK DEVICE PROGRAM
    check.py limits     WAVETANK DEVICE PROGRAM
    check.py what_if    WAVETANK DEVICE TRANSPOSE PRINTF VIRTUAL_MEMORY
    check.py interrupt  WAVETANK DEVICE TRANSPOSE RACE_THEN_LONG
"""
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

# Counters of a copy of 1048576 doubles by workgroups of 256, measured on hardware: the vcopy
# workloads that rocprofiler-compute ships, (MI200, MI300X). Values below 50 are per wave.
VCOPY = {
    "SQ_WAVES": (16384, 16384), "SPI_CSN_NUM_THREADGROUPS": (4096, 4096),
    "SQ_INSTS": (24, 20), "SQ_INSTS_VALU": (10, 6), "SQ_INSTS_SALU": (3, 3),
    "SQ_INSTS_SMEM": (4, 4), "SQ_INSTS_FLAT": (2, 2), "SQ_INSTS_BRANCH": (1, 1),
    "SQ_INSTS_SENDMSG": (1, 1), "SQ_IFETCH": (4, 4), "SQ_ACTIVE_INST_SCA": (7, 7),
    "SQ_ACTIVE_INST_MISC": (2, 2), "SQ_ACTIVE_INST_VMEM": (0, 0),
    "SPI_VWC_CSC_WR": (16384, 16384), "SPI_SWC_CSC_WR": (32768, 32768),
    "TA_TOTAL_WAVEFRONTS": (32768, 32768), "TCP_TOTAL_ACCESSES": (2097152, 2097152),
    "TCP_TOTAL_CACHE_ACCESSES": (524288, 524288), "TCP_TCC_READ_REQ": (131072, 65536),
    "TCP_TCC_WRITE_REQ": (131072, 131072), "TCP_TOTAL_WRITEBACK_INVALIDATES": (0, 304),
    "SQC_ICACHE_REQ": (4, 4), "TCP_TA_TCP_STATE_READ": (32768, 32768),
    "SQC_DCACHE_MISSES": (56, 160), "SQC_TC_DATA_READ_REQ": (56, 160),
    "SQ_INSTS_SMEM_NORM": (131072, 131072), "SQ_INSTS_VALU_INT32": (114688, 49152),
    "SQ_INSTS_VALU_INT64": (0, 32768), "TCC_BUBBLE": (0, 65536), "TCC_EA0_WRREQ": (None, 131072),
    "TCC_WRITEBACK": (None, 65536)}
# Those of its first launch, which are 0 in later ones.
VCOPY_FIRST = {"SQC_ICACHE_MISSES": (56, 160), "SQC_TC_INST_REQ": (168, None)}

# What bounds each kernel of limits.hip, by the page of `wavetank explain`. None: not the limit of
# the kernel before, of which it is the other side.
LIMITS = {"rows_in_pages": "translation", "rows_in_few_pages": None,
          "rows_in_one_bank": "dram-rows", "columns_in_few_channels": "channels",
          "columns_in_all_channels": None, "one_line": "channels", "many_counters": None,
          "an_element_each": "dispatcher", "a_loop_each": None, "small": "launch-queue"}

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def lines_of(wavetank, device, program, *options, threads=None):
    """All that a run wrote about launches, and what it printed."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("WAVETANK_")}
    if threads is not None:
        environment["WAVETANK_THREADS"] = str(threads)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "app.wt"
        done = subprocess.run([wavetank, "profile", "--device", device, "-o", str(file), *options,
                               *program], text=True, capture_output=True, env=environment)
        expect(done.returncode == 0, f"{program}: exit {done.returncode}: {done.stderr}")
        lines = file.read_text().splitlines() if file.exists() else []
    return [json.loads(line) for line in lines[1:]], done.stdout


def profile(wavetank, device, program, *options, threads=None):
    """The launches of a run that were simulated and are in full, and what it printed."""
    launches, printed = lines_of(wavetank, device, program, *options, threads=threads)
    partial = {"timed_before", "merged"}
    return [one for one in launches if "kernel_name" in one and not partial & set(one)], printed


def counter(launch, name):
    return launch["counters"].get(name, {}).get("sum", 0)


def programs_of(words):
    programs = [[]]
    for word in words:
        if word == "--":
            programs.append([])
        else:
            programs[-1].append(word)
    return programs


def accounting(wavetank, device, words):
    """Every cycle of every wave slot has one reason: the sums are equal, not nearly so."""
    for program in programs_of(words):
        launches, _ = profile(wavetank, device, program)
        expect(launches, f"{program}: no launch was timed")
        end = 0
        for launch in launches:
            name = f"{pathlib.Path(program[0]).name}, {launch['kernel_name']} on {device}"
            reasons = launch["cycles_by_reason"]
            slots = launch["wave_slots"] * (launch["cycles"] - launch["launch_cycles"])
            expect(sum(reasons.values()) == slots,
                   f"{name}: {sum(reasons.values())} cycles have a reason, of {slots}")
            expect(min(reasons.values()) >= 0, f"{name}: {reasons}")
            if not launch.get("sampling", {}).get("sampled"):
                used = sum(sum(one.get("cycles", {}).values())
                           for one in launch.get("instructions", []))
                filled = slots - reasons.get("empty", 0)
                expect(used == filled,
                       f"{name}: {used} cycles at instructions, {filled} of waves")
            expect(launch.get("begin_ns", 0) >= end, f"{name}: begins before the last one's end")
            end = launch["end_ns"]


def repeatable(wavetank, device, words):
    """Neither a second run nor the number of host threads changes anything that was counted."""
    def counted(program, threads):
        launches, _ = profile(wavetank, device, program, threads=threads)
        for launch in launches:
            for instruction in launch.get("instructions", []):
                instruction.pop("virtual_address", None)
        return launches

    for program in programs_of(words):
        one, two, many = (counted(program, threads) for threads in (1, 2, 8))
        for a, b, c in zip(one, two, many):
            name = f"{program[0]}, {a['kernel_name']} on {device}"
            expect(a == b, f"{name}: {a['cycles']} cycles with one thread, {b['cycles']} with two")
            expect(b == c, f"{name}: {b['cycles']} cycles with two, {c['cycles']} with eight")
        expect(len(one) == len(two) == len(many) > 0, f"{program}: launches differ")


def padding(wavetank, device, words):
    """Launches that differ in the padding of a struct only repeat each other."""
    def launches(*more):
        lines, _ = lines_of(wavetank, device, [*words, *more])
        return [(one["cycles"], one.get("repeats", {}).get("count")) for one in lines
                if "dispatch_id" in one]

    other, same = launches(), launches("same")
    expect(other == same, f"{other} on {device}; with the same padding {same}")
    expect(any(count is not None for _, count in same), f"nothing repeats on {device}: {same}")


def what_if(wavetank, device, words):
    """Timing launches again changes nothing of them, and tells what their remedy does."""
    transpose, printf, virtual_memory = words
    program = [transpose, "256"]
    plain, printed = profile(wavetank, device, program)
    asked, printed_too = lines_of(wavetank, device, program, "--what-if")
    answers = {one["mangled_name"]: one for one in asked if "what_if" in one}
    asked = [one for one in asked if "kernel_name" in one]
    for launch in plain + asked:
        for instruction in launch.get("instructions", []):
            instruction.pop("virtual_address", None)
    expect(plain == asked, "launches that are timed again later take another time")
    expect(printed.splitlines()[:6] == printed_too.splitlines()[:6], "the program prints else")
    cycles = {one["mangled_name"]: one["cycles"] for one in plain}
    read = next(name for name in cycles if "read_contiguous" in name)
    tiled = min(cycles[name] for name in cycles if "tiled" in name)
    for launch in plain:
        lds = next(level for level in launch["levels"] if level["name"] == "LDS")
        through = 256 * 256 * 8 if "tiled" in launch["mangled_name"] else 0
        moved = lds.get("bytes_read", 0), lds.get("bytes_written", 0)
        expect(moved == (through, through), f"{launch['mangled_name']} moves {moved} by the LDS")
    coalesced = [one["cycles"] for one in answers[read]["what_if"]
                 if one["change"] == "coalescing=perfect"]
    expect(coalesced and 0.85 < coalesced[0] / tiled < 1.15,
           f"a walk down columns would take {coalesced} cycles along rows; by tiles {tiled}")
    for answer in answers.values():
        taken = {one["change"]: one.get("cycles", 0) for one in answer["what_if"]}
        expect(0 < taken["all"] <= min(taken.values()), f"more than all causes: {taken}")
    refused, _ = lines_of(wavetank, device, [printf], "--what-if")
    expect(any("calls the host" in one.get("not_repeatable", "") for one in refused),
           "a kernel that prints was timed again")
    refused, _ = lines_of(wavetank, device, [virtual_memory], "--what-if")
    expect(any("mapped shared" in one.get("not_repeatable", "") for one in refused),
           "a launch that writes shared pages was timed again")


def typed_away(words, when):
    """What a terminal showed of a program that ^C ended when `when` stood there, and its status."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(words[0], words)
    shown, typed = b"", False
    while True:
        try:
            shown += os.read(terminal, 65536)
        except OSError:
            break
        if not typed and re.search(when, shown):
            os.write(terminal, b"\x03")
            typed = True
    _, status = os.waitpid(child, 0)
    expect(typed, f"nothing was shown of what is under way: {shown[-400:]}")
    return shown, os.waitstatus_to_exitcode(status)


def interrupt(wavetank, device, words):
    """A terminal shows what is under way, and what was known when ^C was typed."""
    transpose, race_then_long = words
    shown, status = typed_away(
        [wavetank, "what-if", "--device", device, "--top", "1", transpose, "1024"],
        rb"read_contiguous: [1-9]\d* of \d+ what-ifs, \d+ %")
    expect(b"coalescing=perfect" in shown, f"^C lost what was known: {shown[-400:]}")
    expect(b"together" not in shown, "^C did not end it")
    expect(status in (0, 130), f"it ended with {status}")
    shown, status = typed_away([wavetank, "check", "--device", device, race_then_long],
                               rb"for_hours: 1 of 1 workgroups, 100 %")
    expect(b"error[E0310]" in shown, f"^C lost the race: {shown[-400:]}")
    expect(b"ended with status 130" in shown and status == 1, f"it ended with {status}")


def sampling(wavetank, device, words):
    """A sampled launch takes the time of the whole, within 5 %, and counts what it counts: what each
    workgroup does alike exactly, the traffic within 2 %."""
    sampled, _ = profile(wavetank, device, words)
    exact, _ = profile(wavetank, device, words, "--exact")
    expect(any(one.get("sampling", {}).get("sampled") for one in sampled), "nothing was sampled")
    for some, whole in zip(sampled, exact):
        error = some["cycles"] / whole["cycles"] - 1
        expect(abs(error) < 0.05, f"{some['kernel_name']} on {device}: {some['cycles']} cycles "
                                  f"sampled, {whole['cycles']} exactly ({100 * error:+.1f} %)")
        for counter, most in {"SQ_WAVES": 0, "SQ_INSTS": 0, "TCC_REQ": 0.02, "TCC_EA_WRREQ": 0.02,
                              "TCC_EA_RDREQ": 0.02}.items():
            a, b = (one["counters"][counter]["sum"] for one in (some, whole))
            expect(abs(a / b - 1) <= most, f"{some['kernel_name']}: {counter} {a} sampled, "
                                           f"{b} exactly")


def uneven(wavetank, device, words):
    """A launch whose first workgroups do less than the others is not taken to be all like them."""
    (sampled,), _ = profile(wavetank, device, words)
    (exact,), _ = profile(wavetank, device, words, "--exact")
    expect(sampled["sampling"].get("rest_ratio", 1) > 2,
           f"the others are like the first: {sampled['sampling']}")
    # Two standard errors, of which the launch says how large they are.
    most = 2 * sampled["sampling"]["uncertainty_percent"] / 100
    expect(most < 0.1, f"nothing is known: {sampled['sampling']}")
    for what, a, b in [("cycles", sampled["cycles"], exact["cycles"]),
                       ("SQ_INSTS", counter(sampled, "SQ_INSTS"), counter(exact, "SQ_INSTS"))]:
        expect(abs(a / b - 1) < most, f"{what} on {device}: {a} sampled, {b} exactly")


def vcopy(wavetank, device, words):
    """The measured counters, and events that say what the profile says."""
    launches, output = profile(wavetank, device, words, "--every-launch")
    column = ["mi210", "mi300x"].index(device)
    later = {name: (0, 0) for name in VCOPY_FIRST}
    for launch, others in zip(launches, [VCOPY_FIRST, later]):
        for name, values in (VCOPY | others).items():
            value = values[column]
            if value is None:
                continue
            total = value * 16384 if 0 < value < 50 else value
            expect(counter(launch, name) == total,
                   f"{name} on {device}: {counter(launch, name)}, measured {total}")
    told = [int(text) for text in re.findall(r"event (\d+) ns", output)]
    timed = [launch["end_ns"] - launch.get("begin_ns", 0) for launch in launches]
    expect(len(told) == len(timed) == 2, f"two launches: {output}")
    for a, b in zip(told, timed):
        expect(abs(a - b) <= 2, f"events say {a} ns on {device}, the profile {b} ns")


def clock(wavetank, device, words):
    """clock64() counts the model's cycles: chains of 128 and 256 v_exp_f32 of 16 cycles."""
    launches, output = profile(wavetank, device, words)
    found = re.search(r"(\d+) cycles, (\d+) cycles", output)
    expect(found and int(found[2]) - int(found[1]) == 128 * 16, f"{device}: {output[:200]}")
    expect(found and all(int(found[2]) < launch["cycles"] for launch in launches), "too long")


def limits(wavetank, device, words):
    """Each kernel is bound by what it was written for, with a finding; its other side is not."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "app.wt"
        subprocess.run([wavetank, "profile", "--device", device, "-o", str(file), *words],
                       check=True, capture_output=True)
        report = json.loads(subprocess.check_output([wavetank, "report", str(file), "--json"]))
    before = None
    for kernel in report["kernels"]:
        name = kernel["kernel"].split("(")[0]
        page, said = LIMITS.pop(name), kernel["verdict"]["page"]
        found = {finding["id"] for finding in kernel["findings"]}
        if page is not None:
            expect(said == page, f"{name} on {device} is bound by {said}, not {page}")
            expect(page in found, f"{name} on {device}: no {page} among {found}")
        else:
            expect(before not in {said} | found, f"{name} on {device}: {before} in {said}, {found}")
        before = page
        for column in ("percent", "percent_of_waves"):
            share = sum(reason[column] for reason in kernel["stall_stack"])
            expect(abs(share - 100) < 1e-6, f"{name} on {device}: {column} sums to {share}")
    expect(not LIMITS, f"kernels that were not launched: {LIMITS}")


def main():
    checks = {f.__name__: f for f in (accounting, repeatable, padding, sampling, uneven, vcopy,
                                      clock, limits, what_if, interrupt)}
    checks[sys.argv[1]](sys.argv[2], sys.argv[3], sys.argv[4:])
    if failures:
        print("\n".join(failures))
        sys.exit(1)


main()
