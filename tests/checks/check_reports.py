#!/usr/bin/env python3
"""Runs `wavetank check` on the race of examples/race: its reports, suppressions and its fix.

    check_reports.py WAVETANK RACE_SOURCE
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

WAVETANK, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()


class Race(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / ".git").mkdir()
        (cls.folder / "src").mkdir()
        cls.source = cls.folder / "src" / "race.hip"
        cls.source.write_text(SOURCE.read_text().replace("../common/",
                                                         f"{SOURCE.parent.parent}/common/"))
        cls.lines = cls.source.read_text().splitlines()
        subprocess.run([WAVETANK, "cc", "-g", "-O2", "--offload-arch=gfx90a", cls.source, "-o",
                        cls.folder / "race"], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def check(self, *flags):
        return subprocess.run([WAVETANK, "check", "--device", "mi210", *flags, "./race"],
                              cwd=self.folder, capture_output=True, text=True, timeout=300)

    def line_of(self, text):
        return next(i + 1 for i, line in enumerate(self.lines) if text in line)

    def test_sarif_puts_both_lines_below_the_repository(self):
        self.assertEqual(self.check("--sarif", "race.sarif").returncode, 1)
        run = json.loads((self.folder / "race.sarif").read_text())["runs"][0]
        self.assertEqual(len(run["results"]), 1)
        result = run["results"][0]
        places = [result["locations"][0], result["relatedLocations"][0]]
        self.assertEqual([place["physicalLocation"]["artifactLocation"]["uri"] for place in places],
                         ["src/race.hip"] * 2)
        self.assertEqual([place["physicalLocation"]["region"]["startLine"] for place in places],
                         [self.line_of("= in[y"), self.line_of("= tile[")])

    def test_junit_fails_the_kernel(self):
        self.check("--junit", "race.xml")
        suite = xml.etree.ElementTree.parse(self.folder / "race.xml").getroot()[0]
        cases = {case.get("name").split("(")[0]: case for case in suite}
        self.assertIsNotNone(cases["transpose"].find("failure"))
        self.assertEqual(cases["transpose"].get("line"), str(self.line_of("= in[y")))
        self.assertEqual(len(cases["the program's end"]), 0)

    def test_json_on_stdout_follows_what_the_program_prints(self):
        output = self.check("--json", "-").stdout
        report = json.loads(output[output.index("{"):])
        self.assertEqual(report["errors"], 1)
        self.assertEqual(report["findings"][0]["spots"][1]["line"], self.line_of("= tile["))
        self.assertEqual(list(report["launches"].values()), [1])

    def test_a_file_suppresses_and_its_unused_entry_is_named(self):
        suppressions = self.folder / ".wavetank-check"
        suppressions.write_text("[[ok]]\nfunction = 'transpose'\n\n[[ok]]\ncode = 'E0312'\n")
        done = self.check()
        suppressions.unlink()
        self.assertEqual(done.returncode, 0)
        self.assertIn("no error, 1 note in 1 launch, 1 suppressed", done.stderr)
        self.assertNotIn("error[E0310]", done.stderr)
        self.assertIn("note[E0320]: this entry", done.stderr)
        self.assertIn(f"{suppressions.name}:4", done.stderr)
        self.assertNotIn(f"{suppressions.name}:1", done.stderr)

    def test_a_comment_suppresses(self):
        text = self.source.read_text()
        self.source.write_text(text.replace("tile[threadIdx.y][threadIdx.x] = in[y * width + x];",
                                            "tile[threadIdx.y][threadIdx.x] = in[y * width + x];"
                                            "  // wavetank: ok E0310 as it is")
                               + "// wavetank: ok E0311 nothing\n")
        done = self.check()
        self.source.write_text(text)
        self.assertEqual(done.returncode, 0)
        self.assertIn("no error, 1 note in 1 launch, 1 suppressed", done.stderr)
        self.assertIn("note[E0320]: this comment", done.stderr)
        self.assertIn(f"race.hip:{len(self.lines) + 1}", done.stderr)

    def test_the_fix_is_the_barrier(self):
        done = self.check("--fix")
        self.assertEqual(done.returncode, 1)
        line = self.line_of("= in[y")
        self.assertRegex(done.stderr, rf"= help: verified: with __syncthreads\(\) after "
                                      rf"race.hip:{line}.* the program has no error")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
