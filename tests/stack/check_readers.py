#!/usr/bin/env python3
"""Tests of what reads the suites' results; needs no chroot."""
import functools
import io
import pathlib
import sys
import tempfile
import unittest

import make_gguf
import readers
import results
import rocblas_table
import stack
from process import Process

FAKE = pathlib.Path(__file__).parent / "fake_suite.py"


def start(command, limit_s=3, kept=True, log=None):
    """Starts a program: fake_suite.py, or a text that a shell prints."""
    words = [sys.executable, str(FAKE), *command[1:]] if command[0] == "fake" else command
    return Process(words, limit_s, log if kept else None)


def suite(**fields):
    return stack.Suite("s", "sid", "l", [], [], **fields)


class Spread(unittest.TestCase):
    def test_parts_that_begin_elsewhere_share_no_case(self):
        names = list(range(10))
        self.assertEqual(readers.spread(names, 5), [0, 2, 4, 6, 8])
        self.assertEqual(readers.spread(names, 5, 0.5), [1, 3, 5, 7, 9])
        self.assertEqual(readers.spread(names, 3, 0.99), [3, 6, 9])
        self.assertEqual(readers.spread(names, 0, 0.5), names)


class GoogleTest(unittest.TestCase):
    def test_a_crash_and_a_standstill_cost_their_own_case_only(self):
        cases, available = readers.gtest(suite(), "fake", start)
        self.assertEqual(available, 6)
        self.assertEqual([(case.name, case.outcome, case.reason) for case in cases], [
            ("First.passes", "passed", ""),
            ("First.fails", "failed", "file.cpp:5: Failure: Expected equality"),
            ("First.crashes", "failed", "signal 11 error[E0110]: a fault"),
            ("Second.skips/0", "skipped", ""),
            ("Second.stands_still", "failed", "stands still for 3 s"),
            ("Second.passes_after_all", "passed", "")])

    def test_a_program_may_work_for_its_limit_without_a_line(self):
        busy = "import time\nwhile time.process_time() < 2: pass"
        for limit_s, how in ((1, "no progress in 1 s of work"), (20, "exit 0")):
            program = start([sys.executable, "-c", busy], limit_s)
            self.assertEqual(list(program.lines()), [])
            self.assertEqual(program.how, how)

    def test_a_part_is_taken_at_even_distances(self):
        cases, available = readers.gtest(suite(cases=2), "fake", start)
        self.assertEqual(available, 6)
        self.assertEqual([case.name for case in cases], ["First.passes", "Second.skips/0"])

    def test_a_program_without_a_chosen_case_is_skipped_unless_its_list_ends_badly(self):
        for program, outcome in (("/bin/true", "skipped"), ("/bin/false", "failed")):
            cases, _ = readers.gtest(suite(), program, start)
            self.assertEqual([case.outcome for case in cases], [outcome])

    def test_the_log_holds_what_the_cases_wrote_and_not_their_list(self):
        log = io.BytesIO()
        readers.gtest(suite(cases=1), "fake", functools.partial(start, log=log))
        self.assertIn(b"[ RUN      ] First.passes", log.getvalue())
        self.assertNotIn(b"GetParam() = 5\n", log.getvalue())


class Lines(unittest.TestCase):
    EXPRESSIONS = {"passed": r"^(\w+): OK$", "failed": r"^(\w+): FAIL$", "skipped": r"^(\w+): no$"}

    def read(self, text, **fields):
        return readers.lines(suite(arguments=["-c", text], **fields), "/bin/sh", start)[0]

    def test_lines_are_cases_where_expressions_say_so(self):
        cases = self.read("echo ADD: OK; echo MUL: FAIL; echo SUB: no; exit 1",
                          lines=self.EXPRESSIONS)
        self.assertEqual([(case.name, case.outcome) for case in cases],
                         [("sh: ADD", "passed"), ("sh: MUL", "failed"), ("sh: SUB", "skipped")])

    def test_a_bad_end_without_a_failed_case_is_a_failure(self):
        cases = self.read("echo ADD: OK; kill -SEGV $$", lines=self.EXPRESSIONS)
        self.assertEqual([(case.outcome, case.reason) for case in cases],
                         [("passed", ""), ("failed", "signal 11: ADD: OK")])

    def test_a_program_that_tells_of_no_case_is_skipped_unless_it_ends_badly(self):
        for text, outcome in (("true", "skipped"), ("exit 1", "failed")):
            self.assertEqual([case.outcome for case in self.read(text, lines=self.EXPRESSIONS)],
                             [outcome])

    def test_without_expressions_the_exit_code_counts(self):
        self.assertEqual([case.outcome for case in self.read("true")], ["passed"])
        self.assertEqual([case.reason for case in self.read("echo why; exit 3")], ["exit 3: why"])


class Table(unittest.TestCase):
    def test_a_row_counts_what_became_of_the_cases(self):
        report = results.Report("s", "1.0", "mi210", 9, seconds=4.4, cases=[
            results.Case("a", "passed"), results.Case("b", "failed", "why"),
            results.Case("c", "skipped"), results.Case("d", "passed")])
        self.assertEqual(results.table([report])[2],
                         "| s | 1.0 | mi210 | 9 | 4 | 2 | 1 | 1 | 4 |")


class Suites(unittest.TestCase):
    def test_every_suite_names_a_chroot_and_a_reader_that_there_are(self):
        chroots, suites = stack.read_suites()
        for row in suites:
            self.assertIn(row.chroot, chroots, row.name)
            self.assertIn(row.reader, readers.READERS, row.name)


class Chroot(unittest.TestCase):
    STATUS = """Package: {name}
Status: install ok installed
Version: 2.0-1
Architecture: amd64
Maintainer: nobody <nobody@example.org>
Description: none
Depends: {depends}

"""

    def test_a_suite_calls_hip_if_a_package_of_it_depends_on_the_runtime(self):
        with tempfile.TemporaryDirectory() as folder:
            status = pathlib.Path(folder, "var/lib/dpkg/status")
            status.parent.mkdir(parents=True)
            for depends, calls in (("libc6, libamdhip64-7 (>= 7.1.0)", True), ("libc6", False)):
                status.write_text(self.STATUS.format(name="l", depends=depends))
                self.assertEqual(stack.calls_hip(folder, suite()), calls)
                self.assertEqual(stack.version_of(folder, "l"), "2.0-1")
            self.assertEqual(stack.version_of(folder, "other"), "none")


class RocblasTable(unittest.TestCase):
    def test_every_nth_record_is_kept_behind_the_head(self):
        head = b"rocBLAS\0" + b"layout.." + b"ROCblas\0"
        with tempfile.TemporaryDirectory() as folder:
            source, part = pathlib.Path(folder, "all"), pathlib.Path(folder, "part")
            source.write_bytes(head + b"".join(b"record %d" % i for i in range(7)))
            rocblas_table.thin(source, part, 3)
            self.assertEqual(part.read_bytes(), head + b"record 0record 3record 6")


class Gguf(unittest.TestCase):
    def test_a_quantised_block_has_the_bytes_of_the_format(self):
        weights = [float(level) for level in range(-16, 16)]
        data = make_gguf.pack(weights, "q4_0")
        self.assertEqual(len(data), 18)
        self.assertEqual(data[:3].hex(), "004080", "scale 2.0; levels -8 and 0 in a byte")
        self.assertEqual(make_gguf.rounded(weights, "q4_0")[0], -16.0)
        self.assertEqual(len(make_gguf.pack(weights, "q8_0")), 34)

    def test_a_reference_holds_the_numbers_of_the_rounded_weights(self):
        weights = [0.1 * level for level in range(32)]
        self.assertEqual(make_gguf.pack(make_gguf.rounded(weights, "q8_0"), "q8_0"),
                         make_gguf.pack(weights, "q8_0"))


if __name__ == "__main__":
    unittest.main()
