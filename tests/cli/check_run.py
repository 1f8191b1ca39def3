#!/usr/bin/env python3
"""Checks that `wavetank run` gives a program Wavetank's runtime whatever run path it carries.

Works on a copy of the program with stand-in runtimes beside it, so it needs no real one.

    check_run.py WAVETANK
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

RUNTIME = 'const char* whose(void) { return WHOSE; }\n'
MIDDLE = 'const char* whose(void);\nconst char* middle(void) { return whose(); }\n'
PROGRAM = r'''
#include <stdio.h>
#include <stdlib.h>
const char* CALL(void);
int main(int argc, char** argv) {
  const char* device = getenv("WAVETANK_DEVICE");
  const char* threads = getenv("WAVETANK_THREADS");
  printf("%s device=%s threads=%s", CALL(), device ? device : "", threads ? threads : "");
  for (int i = 1; i < argc; ++i) printf(" %s", argv[i]);
  puts("");
  return 7;
}
'''


def compile_c(folder, output, text, *flags):
    (folder / "source.c").write_text(text)
    subprocess.run(["cc", folder / "source.c", "-o", output, *flags], check=True, cwd=folder)


def main():
    failures = []

    def expect(what, done, output, code):
        if (done.stdout, done.returncode) != (output, code):
            failures.append(f"{what}: {done.stdout!r} {done.stderr!r} {done.returncode}")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ("bin", "lib", "other"):
            (folder / part).mkdir()
        wavetank = folder / "bin" / "wavetank"
        shutil.copy(sys.argv[1], wavetank)
        for version in (5, 6, 7):
            for owner, where in (("ours", "lib"), ("theirs", "other")):
                compile_c(folder, folder / where / f"libamdhip64.so.{version}", RUNTIME, "-shared",
                          "-fPIC", f'-DWHOSE="{owner}{version}"',
                          f"-Wl,-soname,libamdhip64.so.{version}")
        other = folder / "other"
        environment = {k: v for k, v in os.environ.items()
                       if not k.startswith("WAVETANK_") and k != "LD_PRELOAD"}

        def run(*words):
            return subprocess.run([wavetank, "run", *words], text=True, capture_output=True,
                                  cwd=folder, env=environment)

        for version in (5, 6, 7):
            for tags in ("--disable-new-dtags", "--enable-new-dtags"):
                program = folder / f"program{version}"
                link = [f"-L{other}", f"-l:libamdhip64.so.{version}", f"-Wl,-rpath,{other},{tags}"]
                compile_c(folder, program, PROGRAM, "-DCALL=whose", *link)
                alone = subprocess.run([program], text=True, capture_output=True, env=environment)
                expect("the program alone", alone, f"theirs{version} device= threads=\n", 7)
                expect(f"{tags} {version}", run(program), f"ours{version} device= threads=\n", 7)
                compile_c(folder, other / "libmiddle.so", MIDDLE, "-shared", "-fPIC", *link)
                compile_c(folder, program, PROGRAM, "-DCALL=middle", f"-L{other}", "-lmiddle",
                          f"-Wl,-rpath,{other},{tags}")
                expect(f"through a library, {tags} {version}", run(program),
                       f"ours{version} device= threads=\n", 7)
        expect("options before the program are ours, after it the program's",
               run("--device", "mi300x", "--threads", "3", "./program7", "--device", "x", "--json"),
               "ours7 device=mi300x threads=3 --device x --json\n", 7)
        expect("-- ends our options", run("--", "./program7", "--", "a"),
               "ours7 device= threads= -- a\n", 7)
        expect("several devices", run("--device", "mi210,mi300a", "./program7"),
               "ours7 device=mi210,mi300a threads=\n", 7)
        for owner, where in (("ours", "lib"), ("theirs", "other")):
            compile_c(folder, folder / where / "librocm_smi64.so.7", RUNTIME, "-shared", "-fPIC",
                      f'-DWHOSE="{owner}smi"', "-Wl,-soname,librocm_smi64.so.7")
        compile_c(folder, folder / "smi", PROGRAM, "-DCALL=whose", f"-L{other}",
                  "-l:librocm_smi64.so.7", f"-Wl,-rpath,{other},--disable-new-dtags")
        expect("the SMI library", run("./smi"), "ourssmi device= threads=\n", 7)
        (folder / "lib" / "libamdhip64.so.7").unlink()
        if (missing := run("./program7")).returncode != 3 or "E0013" not in missing.stderr:
            failures.append(f"a version that is not there: {missing}")
    print("\n".join(failures))
    print(f"{17 - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
