#!/usr/bin/env python3
"""Makes a chroot of Debian with AMD's libraries and their test programs, or completes one.

    make_chroot.py CHROOT FOLDER [--suite NAME]... [--mirror URL] [--expired]

CHROOT is a name of suites.toml (sid, experimental); FOLDER holds a folder of that name afterwards.
Without --suite all suites of the chroot are installed (some GB each: suites.toml says how many).
--expired takes a mirror whose Release file is past its date, as a snapshot's is.

Needs root, mmdebstrap and a mirror. Can be called again: what is there stays.
"""
import argparse
import pathlib
import subprocess

import stack

# Recommended packages are compilers and documentation, which no suite needs.
APT = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends"]


def make(root, releases, mirror, expired):
    """The bare system: apt, the packages that are essential, and the releases' sources."""
    root.parent.mkdir(parents=True, exist_ok=True)  # mmdebstrap makes the last folder only
    options = ["--aptopt=Acquire::Check-Valid-Until \"false\""] if expired else []
    sources = [f"deb {mirror} {release} main" for release in releases]
    subprocess.run(["mmdebstrap", "--variant=apt", *options, releases[0], str(root), *sources],
                   check=True)


def install(root, releases, packages):
    """Packages of the last release that has them: experimental's before sid's."""
    subprocess.run(stack.command_in(root, ["apt-get", "update", "--quiet"]), check=True)
    target = ["--target-release", releases[-1]]
    subprocess.run(stack.command_in(root, [*APT, *target, *packages]), check=True)
    subprocess.run(stack.command_in(root, ["apt-get", "clean"]), check=True)


def main():
    chroots, suites = stack.read_suites()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chroot", choices=chroots)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--suite", action="append", default=[])
    parser.add_argument("--mirror", default="http://deb.debian.org/debian")
    parser.add_argument("--expired", action="store_true")
    options = parser.parse_args()

    chroot = chroots[options.chroot]
    root = options.folder / options.chroot
    if not (root / "etc/debian_version").exists():
        make(root, chroot["releases"], options.mirror, options.expired)
    wanted = [suite for suite in stack.choose(suites, options.suite)
              if suite.chroot == options.chroot]
    packages = {package for suite in wanted for package in (suite.library, *suite.packages)}
    install(root, chroot["releases"], sorted(packages | set(chroot["packages"])))
    for suite in wanted:
        print(f"{suite.name:16} {suite.library} {stack.version_of(root, suite.library)}")


main()
