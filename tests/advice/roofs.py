#!/usr/bin/env python3
"""Fails if anything above 10 % is advised on kernels that are near a roof of the device.

    roofs.py WAVETANK SOURCE gfx90a|gfx942
"""
import json
import pathlib
import subprocess
import sys
import tempfile

DEVICES = {"gfx90a": "mi210", "gfx942": "mi300x"}
MOST_PERCENT = 10


def timed(wavetank, recorded, *words):
    """The kernels of a run that `wavetank profile` or `wavetank what-if` timed."""
    subprocess.run([wavetank, *words], check=True, capture_output=True)
    shown = subprocess.run([wavetank, "report", "--json", recorded], check=True,
                           capture_output=True, text=True)
    return json.loads(shown.stdout)["kernels"]


def main():
    wavetank, source, processor = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory() as temporary:
        program, recorded = f"{temporary}/roofs", f"{temporary}/roofs.wt"
        subprocess.run([wavetank, "cc", "-g", "-O3", f"--offload-arch={processor}", source, "-o",
                        program], check=True)
        device = ["--device", DEVICES[processor], "-o", recorded]
        kernels = timed(wavetank, recorded, "profile", *device, program)
        changes = {f["change"] for kernel in kernels for f in kernel["findings"]} - {""}
        kernels = timed(wavetank, recorded, "what-if", *device, *sorted(changes), program)
    good = True
    for kernel in kernels:
        advice = [(f["id"], round(f.get("gain_percent") or 0)) for f in kernel["findings"]]
        near = all(gain <= MOST_PERCENT for _, gain in advice)
        good &= near
        print(f"{'good' if near else 'TOO MUCH':<9}{kernel['mean_cycles']:>9.0f} "
              f"{kernel['kernel'].split('(')[0]:<12}{kernel['verdict']['what']:<32}"
              f"{kernel['verdict']['because']} {advice}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
