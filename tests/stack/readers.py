"""How the results of a test program are read from the lines that it writes.

GoogleTest's XML is written by a process that ends well only; its lines are there also for the
cases before a crash, so the lines are read. Every reader gives (cases, available).
"""
import re
import time

from results import FAILED, PASSED, SKIPPED, Case

ENDED = "(end of the process)"
LISTING_S = 900  # some libraries make a million cases before they say a word
BEGIN = re.compile(r"\[ RUN      \] (\S+)")
END = re.compile(r"\[ +(OK|FAILED|SKIPPED) +\] ([^\s,]+).*?(?:\((\d+) ms\))?$")
DISABLED = re.compile(r"(^|[./])DISABLED_")
OUTCOMES = {"OK": PASSED, "FAILED": FAILED, "SKIPPED": SKIPPED}
# What a failing assertion says; a gtest case's first such line is its reason.
TELLING = re.compile(r"Failure$|error\[E\d+\]|exception|memory access fault|Skipped", re.I)


def listed(lines):
    """The case names in what --gtest_list_tests writes: suites end in a dot, cases are indented.

    Those that their authors disabled are listed too, but would not run; they are left out.
    """
    names, suite = [], None
    for line in lines:
        text = line.split("  # ")[0].rstrip()
        if re.fullmatch(r"[\w/<>:, ]+\.", text) and not text.startswith(" "):
            suite = text
        elif suite and re.fullmatch(r"  \S+", text):
            names.append(suite + text.strip())
        else:
            suite = None
    return [name for name in names if not DISABLED.search(name)]


def spread(names, count, begin=0.0):
    """`count` of the names at even distances, so that a part speaks for the whole; `begin`, from 0
    to below 1, is where in the first distance it begins."""
    if count == 0 or len(names) <= count:
        return names
    return [names[int((index + begin) * len(names) / count)] for index in range(count)]


def gtest_pass(lines, cases):
    """Reads one process's lines into `cases`; returns the case that was running at their end."""
    running, reason, begun = None, "", 0.0
    expect_detail = False
    for line in lines:
        begin, end = BEGIN.search(line), END.search(line)
        if begin:
            running, reason, begun = begin[1], "", time.monotonic()
        elif end and running == end[2]:
            outcome = OUTCOMES[end[1]]
            why = "" if outcome == PASSED else reason
            cases.append(Case(running, outcome, why, time.monotonic() - begun))
            running = None
        elif running and expect_detail and line.strip():
            reason, expect_detail = f"{reason}: {line.strip()}", False
        elif running and not reason and TELLING.search(line):
            reason, expect_detail = line.strip(), line.endswith(("Failure", "Skipped"))
    return running, reason


def first_chunk(names):
    """As many of the names as one argument of a program may hold (128 KiB on Linux)."""
    length, count = 0, 0
    while count < len(names) and length < 100_000:
        length += len(names[count]) + 1
        count += 1
    return names[:count]


def gtest(suite, program, start):
    """All chosen cases; after a crash or a standstill the rest is run by a new process.

    `start(command)` gives a Process; `start(command, limit_s, kept=False)` one with that limit
    whose lines are not logged: a list of cases may have a GB.
    """
    lister = start([program, f"--gtest_filter={suite.filter}", "--gtest_list_tests",
                    *suite.arguments], LISTING_S, kept=False)
    available = listed(lister.lines())
    if not available:
        outcome = SKIPPED if lister.how == "exit 0" else FAILED
        return [Case(f"(cases of {program})", outcome, f"none, {lister.how}")], 0
    left = spread(available, suite.cases, suite.begin)
    cases = []
    while left:
        wanted = first_chunk(left)
        process = start([program, f"--gtest_filter={':'.join(wanted)}", *suite.arguments])
        before = len(cases)
        running, reason = gtest_pass(process.lines(), cases)
        if running:
            cases.append(Case(running, FAILED, f"{process.how} {reason}".strip()))
        done = {case.name for case in cases[before:]}
        if not running:
            cases += [Case(name, FAILED, f"did not start ({process.how})") for name in wanted
                      if name not in done]
            done.update(wanted)
            if process.how != "exit 0" and all(case.outcome != FAILED for case in cases[before:]):
                cases.append(Case(ENDED, FAILED, process.how))
        left = [name for name in left if name not in done]
    return cases, len(available)


def lines(suite, program, start):
    """Cases are lines that match suite.lines' expressions, whose group 1 is the name.

    Without an expression the program is the one case, a program that tells of none is skipped. A
    bad end is a failure of its own, if no case failed.
    """
    process = start([program, *suite.arguments])
    expressions = {outcome: re.compile(text) for outcome, text in suite.lines.items()}
    name = program.rsplit("/", 1)[-1]
    cases, last = [], ""
    for line in process.lines():
        last = line.strip() or last
        for outcome, expression in expressions.items():
            found = expression.search(line)
            if found:
                case = f"{name}: {found[1]}"
                cases.append(Case(case, outcome, "" if outcome == PASSED else last))
    well = process.how == "exit 0"
    if not expressions:
        cases = [Case(name, PASSED if well else FAILED, "" if well else f"{process.how}: {last}")]
    elif not cases and well:
        cases.append(Case(f"{name} (no case)", SKIPPED, last))
    elif not cases or (not well and not any(case.outcome == FAILED for case in cases)):
        cases.append(Case(f"{name} {ENDED}", FAILED, f"{process.how}: {last}"))
    return cases, len(cases)


READERS = {"gtest": gtest, "lines": lines}
