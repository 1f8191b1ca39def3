#!/usr/bin/env python3
"""Wave-instructions that the cycle model simulates in a second of one host core.

    speed.py WAVETANK DEVICE PROGRAM [ARGUMENT]... [-- PROGRAM ...]...

Times `wavetank profile --exact` on one core and takes off what the same program needs without the
model (`wavetank run`). Every launch should be a new one: a repeated launch is simulated twice only.
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile


def seconds(command, environment):
    """Processor time, which does not grow when the machine has other work."""
    begin = processor_seconds()
    subprocess.run(command, stdout=subprocess.DEVNULL, env=environment, check=True)
    return processor_seconds() - begin


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main():
    wavetank, device, *words = sys.argv[1:]
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    environment = dict(os.environ, WAVETANK_THREADS="1")
    programs = [part.split("\n") for part in "\n".join(words).split("\n--\n")]
    print(f"{'program':24} {'instructions':>14} {'seconds':>9} {'per second':>12}   on {device}")
    for program in programs:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "app.wt"
            whole = seconds([wavetank, "profile", "--device", device, "--exact", "-o", str(file),
                             *program], environment)
            launches = [json.loads(line) for line in file.read_text().splitlines()[1:]]
        bare = seconds([wavetank, "run", "--device", device, *program], environment)
        # The last line about merged launches is of them all.
        results = {json.dumps(launch.get("merged", {}).get("id", at)): launch
                   for at, launch in enumerate(launches)
                   if "counters" in launch and not launch.get("timed_before")}
        count = sum(launch["counters"]["SQ_INSTS"].get("sum", 0) for launch in results.values())
        spent = max(whole - bare, 1e-3)
        name = pathlib.Path(program[0]).name
        print(f"{name:24} {count:14.0f} {spent:9.2f} {count / spent:12.0f}")


main()
