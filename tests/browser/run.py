#!/usr/bin/env python3
"""Tests the page of `wavetank report --html`.

    run.py sources WAVETANK PAGE_SOURCES FOLDER PROGRAM     types and format of the sources
    run.py views ...                                        the page in a browser
    run.py pictures ... DOCS [VIEW ...]                     takes the pictures of the documentation

Exit code 77, which ctest shows as skipped, where nodejs, npm, their packages, chromium or the page
itself are missing.
"""
import os
import pathlib
import shutil
import subprocess
import sys

import pages

SKIPPED = 77


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def install(sources, folder):
    """Copies the sources beside the packages of the lockfile, which are installed once for each."""
    node = shutil.which("node") or shutil.which("nodejs")
    if not node or not shutil.which("npm"):
        skip("nodejs and npm are not installed")
    folder.mkdir(parents=True, exist_ok=True)
    lock = (sources / "package-lock.json").read_bytes()
    installed = folder / "installed-lock.json"
    is_new = not installed.exists() or installed.read_bytes() != lock
    for name in os.listdir(sources):
        if name == "node_modules":
            continue
        target = folder / name
        if (sources / name).is_dir():
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(sources / name, target)
        else:
            shutil.copy(sources / name, target)
    if is_new:
        done = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund",
                               "--prefer-offline", "--fetch-retries=1", "--fetch-timeout=20000"],
                              cwd=folder, text=True, capture_output=True)
        if done.returncode != 0:
            skip(f"npm cannot install the packages of package-lock.json:\n{done.stderr}")
        installed.write_bytes(lock)
    return node


def check_sources(node, folder):
    types = subprocess.run([node, "node_modules/typescript/bin/tsc", "--noEmit"], cwd=folder)
    form = subprocess.run([node, "node_modules/prettier/bin/prettier.cjs", "--check", "."],
                          cwd=folder)
    return types.returncode or form.returncode


def check_views(node, folder, wavetank, program):
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        skip("chromium is not installed")
    try:
        pages.make(wavetank, program, folder / "pages")
    except pages.NoPage as error:
        skip(str(error))
    return subprocess.run([node, "run_tests.mjs", chromium, str(folder / "pages")],
                          cwd=folder).returncode


def take_pictures(node, folder, wavetank, program, docs, views):
    """The program is examples/transpose."""
    page = pages.page_of_example(wavetank, program, folder / "pages")
    return subprocess.run([node, "pictures.mjs", shutil.which("chromium"), page, docs, *views],
                          cwd=folder).returncode


def main():
    part, wavetank, sources, folder, program = sys.argv[1:6]
    folder = pathlib.Path(folder)
    node = install(pathlib.Path(sources), folder)
    if part == "sources":
        return check_sources(node, folder)
    if part == "pictures":
        return take_pictures(node, folder, wavetank, program, sys.argv[6], sys.argv[7:])
    return check_views(node, folder, wavetank, program)


if __name__ == "__main__":
    sys.exit(main())
