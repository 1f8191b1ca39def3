"""The types of the generated programs, their members of State, and the constants to combine."""

INTS = {"u8": "b", "u16": "h", "u32": "i", "u64": "l", "u128": "n"}
FLOATS = {"f16": "p", "f32": "f", "f64": "d"}
VECTORS = {"v2u16": "w", "v2f16": "q", "v2f32": "g"}
MEMBER = {**INTS, **FLOATS, **VECTORS}
SIGNED = {"u8": "s8", "u16": "s16", "u32": "s32", "u64": "s64", "u128": "s128"}
BITS = {"u8": 8, "u16": 16, "u32": 32, "u64": 64, "u128": 128}
COUNT = {"u8": 2, "u16": 2, "u32": 5, "u64": 3, "u128": 1, "f16": 2, "f32": 4, "f64": 3,
         "v2u16": 2, "v2f16": 2, "v2f32": 2}
WEIGHTS = {"u8": 1, "u16": 1, "u32": 6, "u64": 3, "u128": 0.6, "f16": 1, "f32": 4, "f64": 3,
           "v2u16": 1, "v2f16": 1, "v2f32": 1}
CONSTANTS = [0, 1, 2, 3, 7, 8, 15, 31, 64, 100, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000,
             0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff0, 0x01010101, 0xdeadbeef, 0x3f800000,
             0x00ff00ff]
WIDE_CONSTANTS = [0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffff00000000,
                  0xffffffffffffffff, 0x0123456789abcdef]
FLOAT_CONSTANTS = ["0.0", "1.0", "-1.0", "0.5", "2.0", "-4.0", "3.25", "1e-3", "-7.5e4", "0.1",
                   "1e30", "65504.0", "2147483648.0", "-0.0"]


def pick_type(rng):
    return rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]


class Scope:
    """What the statements of one function may name."""

    def __init__(self):
        self.variables = {}   # type -> lvalues to read and write
        self.constants = {}   # type -> expressions to read only
        self.arrays = []      # (type, name, length): lengths are powers of two
        self.functions = []   # callable, see calls.Function
        self.has_area = False  # `area`, `fields` and `table` exist
        self.bag = None       # the name of a variable of the program's structure Bag
        self.leave = None     # what an early return says, or None where there is none

    def add(self, kind, name):
        self.variables.setdefault(kind, []).append(name)

    def add_constant(self, kind, name):
        self.constants.setdefault(kind, []).append(name)


def phase_scope():
    """The scope of a phase: all of State, and what a workgroup or a work-item knows."""
    scope = Scope()
    for kind, count in COUNT.items():
        for index in range(count):
            scope.add(kind, f"s.{MEMBER[kind]}[{index}]")
    for name in ("u.a", "u.b", "thread", "block"):
        scope.add_constant("u32", name)
    scope.add_constant("u64", "u.c")
    scope.add_constant("f32", "u.e")
    scope.has_area = True
    scope.leave = "return;"
    return scope
