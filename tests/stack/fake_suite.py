"""A program that speaks like GoogleTest: what the readers are tested with.

Its cases are named for what they do: pass, skip, fail, crash, or stand still.
"""
import os
import signal
import sys
import time

CASES = ["First.passes", "First.fails", "First.crashes", "Second.skips/0", "Second.stands_still",
         "Second.DISABLED_is_not_run", "Second.passes_after_all"]


def listing():
    print("a library's greeting, which is no case.")
    for suite in ("First", "Second"):
        print(f"{suite}.")
        for case in (case for case in CASES if case.startswith(suite)):
            print(f"  {case.split('.')[1]}  # GetParam() = 5")


def run(case):
    print(f"[ RUN      ] {case}", flush=True)
    if "fails" in case:
        print("file.cpp:5: Failure\nExpected equality\n[  FAILED  ] %s, where GetParam() = 5 (3 ms)"
              % case, flush=True)
        return
    if "crashes" in case:
        print("\x1b[31merror[E0110]\x1b[0m: a fault", flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    if "stands_still" in case:
        time.sleep(60)
    word = "  SKIPPED " if "skips" in case else "      OK "
    print(f"[{word}] {case} (7 ms)", flush=True)


def main():
    flags = dict(word.split("=") for word in sys.argv[1:] if "=" in word)
    if "--gtest_list_tests" in sys.argv:
        return listing()
    chosen = [case for case in CASES if case in flags["--gtest_filter"].split(":")]
    for case in chosen:
        if "DISABLED_" not in case:
            run(case)
    sys.exit(any("fails" in case for case in chosen))


main()
