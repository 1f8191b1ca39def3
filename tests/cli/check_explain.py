#!/usr/bin/env python3
"""Checks that every ErrorCode of base/error.hpp has a page, and every page fits on a screen.

    check_explain.py WAVETANK ERROR_HPP
"""
import json
import pathlib
import re
import subprocess
import sys

MAX_LINES = 45


def main():
    wavetank, header = sys.argv[1:3]
    enum = re.search(r"enum class ErrorCode.*?\{(.*?)\};", pathlib.Path(header).read_text(), re.S)
    codes = {f"E{int(n):04}" for n in re.findall(r"k\w+ = (\d+),", enum.group(1))}
    listed = json.loads(subprocess.check_output([wavetank, "explain", "--json"]))
    pages = {page["name"] for page in listed}
    failures = [f"no page for {code}" for code in sorted(codes - pages)]
    failures += [f"a page for {name}, which is no diagnostic" for name in sorted(pages - codes)
                 if re.fullmatch(r"E\d+", name)]
    for page in listed:
        text = subprocess.check_output([wavetank, "explain", page["name"]], text=True)
        lines = text.splitlines()
        if len(lines) > MAX_LINES or max(map(len, lines)) > 100:
            failures.append(f"{page['name']} does not fit on a screen")
        for other in re.findall(r"wavetank explain (\w[\w-]*)", text):
            if other not in pages:
                failures.append(f"{page['name']} refers to {other}, which is no page")
    print("\n".join(failures))
    print(f"{len(pages) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures or not codes else 0


if __name__ == "__main__":
    sys.exit(main())
