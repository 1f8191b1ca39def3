"""What tools/check_instruction_names.py finds: instruction_names_test.py ROOT."""
import importlib.util
import pathlib
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop())
SPEC = importlib.util.spec_from_file_location("checker", ROOT / "tools/check_instruction_names.py")
checker = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(checker)
NAMES = checker.Names({"v_add_f32", "v_add_f64", "global_load_dword", "s_nop"})


def offences(line):
    return list(checker.offences(checker.without_comments(line), NAMES, True))


class InstructionNames(unittest.TestCase):
    def test_names_and_their_parts_are_found(self):
        for word in ["v_add_f32", "s_nop", "global_", "v_add_", "_f64", "_dword"]:
            self.assertEqual(len(offences(f'if (x == "{word}") return;')), 1, word)

    def test_other_words_are_not(self):
        for word in ["global_buffer", "flat_scratch", "f64", "_pc", "adds v_add_f32", ""]:
            self.assertEqual(offences(f'if (x == "{word}") return;'), [], word)

    def test_comments_may_name_instructions(self):
        self.assertEqual(offences('int x;  // as "v_add_f32" does'), [])
        self.assertEqual(offences('call("http://s_nop");'), [])

    def test_rows_are_not_compared_by_name_or_opcode(self):
        for text in ["if (row.name == other) {", "find(in.row->name)", "row.encoding.opcode < 0x20",
                     "if (3 == row.encoding.opcode)", "(row.encoding.opcode & 3u)"]:
            self.assertEqual(len(offences(text)), 1, text)

    def test_opcodes_are_put_into_bytes(self):
        self.assertEqual(offences("f::kOp.put(in.row->encoding.opcode);"), [])
        self.assertEqual(offences("put(format, row.encoding.opcode);"), [])


if __name__ == "__main__":
    unittest.main()
