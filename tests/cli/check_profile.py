#!/usr/bin/env python3
"""Checks `wavetank profile`, `report` and `diff` on a program with two kernels, on two devices,
and at another clock.

    check_profile.py WAVETANK PROGRAM_SOURCE
"""
import csv
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def check_device(wavetank, folder, device):
    def run(*words):
        done = subprocess.run([wavetank, *words], text=True, capture_output=True, cwd=folder,
                              env={k: v for k, v in os.environ.items() if k != "WAVETANK_DEVICE"})
        return done

    profiled = run("profile", "--device", device, "-o", f"{device}.wt", "--trace", "copy",
                   "--kernel-trace", "--pmc", "SQ_WAVES", "FETCH_SIZE", "-d", "out", "-f",
                   "csv,json,rocpd", "./copy_columns")
    expect(profiled.returncode == 7, f"{device}: the exit code is the program's: {profiled}")
    expect(profiled.stdout.startswith("the program's own line\n"), f"{device}: its output is first")
    expect("\x1b" not in profiled.stdout, f"{device}: no colour in a pipe")
    expect("uncoalesced stores" in profiled.stdout, f"{device}: names the stores: {profiled.stdout}")
    expect("copy_columns.hip:13" in profiled.stdout, f"{device}: names the line")
    expect("I issue" in profiled.stdout, f"{device}: shows the trace's legend")

    screens = run("report", f"{device}.wt").stdout
    expect(screens and screens in profiled.stdout, f"{device}: report prints the same screens")
    report = json.loads(run("report", f"{device}.wt", "--json").stdout)
    expect([k["kernel"].split("(")[0] for k in report["kernels"]] == ["copy", "columns"],
           f"{device}: both kernels are in the JSON")
    for kernel in report["kernels"]:
        share = sum(reason["percent"] for reason in kernel["stall_stack"])
        expect(abs(share - 100) < 1e-6, f"{device}: the stack of {kernel['kernel']} is {share} %")

    trace = next((folder / "out").glob("*_kernel_trace.csv"))
    rows = list(csv.DictReader(trace.open()))
    expect([row["Grid_Size_X"] for row in rows] == ["262144", "262144"], f"{device}: grid sizes")
    counters = next((folder / "out").glob("*_counter_collection.csv"))
    values = {(row["Kernel_Name"].split("(")[0], row["Counter_Name"]): float(row["Counter_Value"])
              for row in csv.DictReader(counters.open())}
    expect(values.get(("copy", "SQ_WAVES")) == 4096, f"{device}: 4096 waves: {values}")
    expect(values.get(("copy", "FETCH_SIZE"), 0) >= 2048, f"{device}: 2 MiB are read: {values}")
    results = json.load(next((folder / "out").glob("*_results.json")).open())
    expect(len(results["rocprofiler-sdk-tool"][0]["buffer_records"]["kernel_dispatch"]) == 2,
           f"{device}: two dispatches in the JSON")
    with sqlite3.connect(next((folder / "out").glob("*_results.db"))) as database:
        names = [name for (name,) in database.execute("SELECT name FROM kernels ORDER BY id")]
    expect([n.split("(")[0] for n in names] == ["copy", "columns"], f"{device}: rocpd: {names}")
    stats = next((folder / "out").glob("stats_ui_output_agent_1_dispatch_*.csv"))
    hits = [int(row["Hitcount"]) for row in csv.DictReader(stats.open())]
    expect(hits[0] == 0 and hits[1] > 0, f"{device}: the thread trace counts hits: {hits}")
    for file in (folder / "out").iterdir():
        file.unlink()

    written = run("report", f"{device}.wt", "--perfetto", "trace.json", "--svg", "plots")
    expect(written.returncode == 0, f"{device}: {written.stderr}")
    events = json.load((folder / "trace.json").open())["traceEvents"]
    expect(any(e["name"].startswith("waves on SIMD") for e in events), f"{device}: waves per SIMD")
    plots = sorted(p.name for p in (folder / "plots").iterdir())
    expect(f"roofline_{device}.svg" in plots and "stall_stack.svg" in plots, f"{device}: {plots}")


def check_clocks(wavetank, folder):
    """A copy is bound by memory, which keeps its pace when the engine slows down under load."""
    kernels = {}
    for clocks in ("peak", "sustained"):
        done = subprocess.run([wavetank, "profile", "--device", "mi300x", "--clocks", clocks, "-o",
                               f"{clocks}.wt", "./copy_columns"], text=True, capture_output=True,
                              cwd=folder)
        expect((" at 1207 of 2100 MHz" in done.stdout) == (clocks == "sustained"),
               f"{clocks}: the screen names the clock: {done.stdout}")
        report = subprocess.run([wavetank, "report", f"{clocks}.wt", "--json"], text=True,
                                capture_output=True, cwd=folder)
        kernels[clocks] = json.loads(report.stdout)["kernels"][0]
    peak, sustained = kernels["peak"], kernels["sustained"]
    expect(peak["engine_clock_mhz"] == 2100 and sustained["engine_clock_mhz"] == 1207, "clocks")
    expect(sustained["cycles"] < peak["cycles"], f"memory is fewer cycles away: {kernels}")
    slower = sustained["milliseconds"] / peak["milliseconds"]
    expect(1 < slower < 2100 / 1207, f"slower than at the peak, by less than the clock: {slower}")
    unknown = subprocess.run([wavetank, "profile", "--device", "mi210", "--clocks", "sustained",
                              "-o", "none.wt", "./copy_columns"], text=True, capture_output=True,
                             cwd=folder)
    expect("no clock of mi210 under a sustained load is known" in unknown.stderr
           and not (folder / "none.wt").exists(), f"mi210 has none: {unknown}")


def main():
    wavetank, source = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([wavetank, "cc", "-g", "--device", "mi210", "--device", "mi300x", source,
                        "-o", folder / "copy_columns"], check=True)
        for device in ("mi210", "mi300x"):
            check_device(wavetank, folder, device)
        check_clocks(wavetank, folder)
        diff = subprocess.run([wavetank, "diff", "mi210.wt", "mi300x.wt"], text=True,
                              capture_output=True, cwd=folder)
        expect("mi210 → mi300x" in diff.stdout and "faster" in diff.stdout, f"diff: {diff}")
        pipe = folder / "pipe"
        os.mkfifo(pipe)
        refused = subprocess.run([wavetank, "profile", "-o", pipe, "./copy_columns"], text=True,
                                 capture_output=True, cwd=folder)
        expect(refused.returncode == 2 and "no regular file" in refused.stderr, f"pipe: {refused}")
        expect(pipe.is_fifo(), "what is no regular file stays what it is")
        broken = folder / "broken.wt"
        broken.write_text((folder / "mi210.wt").read_text().replace('"cycles":', '"cycles":x', 1))
        refused = subprocess.run([wavetank, "report", broken], text=True, capture_output=True)
        expect(refused.returncode == 2 and "broken.wt:2" in refused.stderr, f"broken: {refused}")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
