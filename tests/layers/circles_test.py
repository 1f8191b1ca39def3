"""What tools/check_layers.py says of files that include each other: circles_test.py ROOT."""
import importlib.util
import pathlib
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop())
SPEC = importlib.util.spec_from_file_location("checker", ROOT / "tools/check_layers.py")
checker = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(checker)


class Circles(unittest.TestCase):
    def test_files_that_lead_to_each_other_are_a_circle(self):
        graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"a"}}
        self.assertEqual(checker.circles(graph), [("a", "b", "c")])

    def test_a_chain_and_a_diamond_are_none(self):
        self.assertEqual(checker.circles({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": set()}), [])

    def test_a_file_that_includes_its_own_header_is_none(self):
        self.assertEqual(checker.circles({"a": {"a"}}), [])

    def test_two_circles_that_do_not_lead_back_are_two(self):
        graph = {"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"c"}}
        self.assertEqual(checker.circles(graph), [("a", "b"), ("c", "d")])

    def test_a_source_belongs_to_the_header_whose_name_it_continues(self):
        headers = {"x/wave", "x/wave_order"}
        self.assertEqual(checker.part_of("x/wave.cpp", headers), "x/wave")
        self.assertEqual(checker.part_of("x/wave_start.cpp", headers), "x/wave")
        self.assertEqual(checker.part_of("x/wave_order_text.cpp", headers), "x/wave_order")
        self.assertEqual(checker.part_of("x/lane.cpp", headers), "x/lane")
        self.assertEqual(checker.part_of("wave_y/lane.cpp", {"wave"}), "wave_y/lane")


if __name__ == "__main__":
    unittest.main()
