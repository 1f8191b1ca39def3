#!/usr/bin/env python3
"""Checks that `wavetank inspect` says of every kernel what the compiler's remarks say of it.

    check_remarks.py WAVETANK SOURCE.hip [PROCESSOR ...]
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# Remark -> key of inspect's JSON.
FIELDS = {
    "SGPRs": "sgprs",
    "TotalSGPRs": "sgprs",
    "VGPRs": "vgprs",
    "AGPRs": "agprs",
    "ScratchSize [bytes/lane]": "scratch_bytes",
    "Occupancy [waves/SIMD]": "waves_per_simd",
    "SGPRs Spill": "sgpr_spills",
    "VGPRs Spill": "vgpr_spills",
    "LDS Size [bytes/block]": "lds_bytes",
}


def remarks(text):
    """{symbol: {key: value}} of -Rpass-analysis=kernel-resource-usage."""
    functions, current = {}, None
    for line in text.splitlines():
        if name := re.search(r"remark: +Function Name: (\S+)", line):
            current = functions.setdefault(name.group(1), {})
        elif field := re.search(r"remark: +(.+?): +(\d+) \[-Rpass", line):
            if field.group(1) in FIELDS:
                current[FIELDS[field.group(1)]] = int(field.group(2))
    return functions


def main():
    wavetank, source = pathlib.Path(sys.argv[1]), sys.argv[2]
    compared, wrong = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for processor in sys.argv[3:] or ["gfx90a", "gfx942"]:
            output = f"{folder}/{processor}.o"
            compiled = subprocess.run(
                [wavetank, "cc", "-c", "--offload-arch", processor, source, "-o", output,
                 "-Rpass-analysis=kernel-resource-usage"], text=True, capture_output=True)
            if compiled.returncode:
                sys.exit(compiled.stderr)
            functions = remarks(compiled.stderr)
            report = json.loads(subprocess.check_output([wavetank, "inspect", "--json", output]))
            for kernel in report[0]["kernels"]:
                expected = functions[kernel["symbol"]]
                for key, value in expected.items():
                    compared += 1
                    # With AGPRs the file states ArchVGPRs rounded up to 4.
                    rounded = key == "vgprs" and kernel["agprs"] and kernel[key] == -(-value // 4) * 4
                    if kernel[key] != value and not rounded:
                        wrong += 1
                        print(f"{processor} {kernel['symbol']}: {key} is {kernel[key]}, "
                              f"the compiler says {value}")
    print(f"{compared - wrong} passed, {wrong} failed")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
