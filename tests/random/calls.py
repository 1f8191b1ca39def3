"""Functions of a random program: by value, through pointers, with structures, recursive, indirect.

A function may call those before it and, with a depth that falls, itself; so every call ends.
"""
from statements import Statements, declare_arrays
from values import MEMBER, Scope, pick_type

BAG_TYPES = ["u8", "u16", "u32", "u64", "f32", "f64", "u128", "f16"]
QUALIFIERS = ["RANDOM_CALL", "RANDOM_CALL", "RANDOM_CALL", "RANDOM_FN"]


class Function:
    """How to call a function, and what it costs in statements."""

    def __init__(self, name, shape, result, parameters, pointers=()):
        self.name, self.shape, self.result = name, shape, result
        self.parameters, self.pointers = parameters, pointers
        self.cost = 0

    def call(self, arguments):
        if self.shape == "recursive":
            arguments = [f"(0 | {arguments[0]}) & 3", *arguments[1:]]
        if self.shape == "indirect":
            arguments = list(arguments)
            return f"operation({arguments[0]})({', '.join(arguments[1:])})"
        return f"{self.name}({', '.join(arguments)})"


class Calls:
    """The functions of one program, in the order of their definition."""

    def __init__(self, tree, rng):
        self.tree, self.rng = tree, rng
        self.functions, self.texts, self.bag = [], [], []
        if rng.random() < 0.6:
            self.define_bag()
        shapes = ["value", "value", "pointer", "recursive", "mutual"]
        shapes += ["bag_function"] * (2 if self.bag else 0)
        for _ in range(rng.randrange(1, 5)):
            getattr(self, f"define_{rng.choice(shapes)}")()
        if rng.random() < 0.4:
            self.define_indirect()

    def text(self):
        return "\n".join(self.texts)

    def define(self, function, text):
        self.texts.append(self.tree.node("function", text, [""]))
        self.functions.append(function)

    def scope(self, parameters):
        """A scope with the parameters a0, a1, ... as variables."""
        scope = Scope()
        for index, kind in enumerate(parameters):
            scope.add(kind, f"a{index}")
        scope.functions = list(self.functions)
        return scope

    def body(self, scope, result, count, nesting=1):
        """Locals and statements; `result` is what an early return gives, a type or text."""
        statements = Statements(self.tree, self.rng, scope)
        lines = []
        for index in range(self.rng.randrange(1, 4)):
            kind = pick_type(self.rng)
            value = statements.expression(kind, 1)
            lines.append(self.tree.statement(f"{kind} x{index} = {value};"))
            scope.add(kind, f"x{index}")
        if self.rng.random() < 0.5:
            lines.append(declare_arrays(statements, 1))
        if result in MEMBER:
            scope.leave = f"return {statements.leaf(result)};"
        lines.append(statements.block(count, nesting))
        return statements, "\n".join(lines)

    def define_value(self):
        kinds = [pick_type(self.rng) for _ in range(self.rng.randrange(1, 6))]
        result = pick_type(self.rng)
        function = Function(f"f{len(self.functions)}", "value", result, kinds)
        statements, body = self.body(self.scope(kinds), result, self.rng.randrange(1, 5))
        function.cost = statements.cost + 2
        self.define(function, f"{self.rng.choice(QUALIFIERS)} {result} {function.name}"
                    f"({named(kinds)}) {{\n{body}\nreturn {statements.expression(result, 2)};\n}}")

    def define_pointer(self):
        pointers = [self.rng.choice(["u32", "u64", "f32", "f64", "u8"])
                    for _ in range(self.rng.randrange(1, 3))]
        kinds = [pick_type(self.rng) for _ in range(self.rng.randrange(1, 3))]
        function = Function(f"f{len(self.functions)}", "pointer", None, kinds, pointers)
        scope = self.scope(kinds)
        for index, kind in enumerate(pointers):
            scope.add(kind, f"(*p{index})")
        scope.leave = "return;"
        statements, body = self.body(scope, None, self.rng.randrange(1, 5))
        function.cost = statements.cost + 2
        names = [f"{kind}* p{index}" for index, kind in enumerate(pointers)]
        parameters = ", ".join([*names, named(kinds)])
        self.define(function, f"{self.rng.choice(QUALIFIERS)} void {function.name}({parameters}) "
                              f"{{\n{body}\n}}")

    def define_bag(self):
        """A structure that is passed and returned by value."""
        for index in range(self.rng.randrange(2, 9)):
            self.bag.append((self.rng.choice(BAG_TYPES), f"m{index}"))
        members = "\n".join(f"{kind} {name};" for kind, name in self.bag)
        self.texts.append(self.tree.node("function", f"struct Bag {{\n{members}\n}};", [""]))

    def add_bag(self, scope):
        scope.bag = "bag"
        for kind, name in self.bag:
            scope.add(kind, f"bag.{name}")

    def define_bag_function(self):
        kinds = [pick_type(self.rng) for _ in range(self.rng.randrange(1, 3))]
        name = f"f{len(self.functions)}"
        scope = self.scope(kinds)
        self.add_bag(scope)
        scope.leave = "return bag;"
        statements, body = self.body(scope, None, self.rng.randrange(1, 5))
        function = Function(name, "bag", "Bag", kinds)
        function.cost = statements.cost + 2
        self.define(function, f"{self.rng.choice(QUALIFIERS)} Bag {name}(Bag bag, {named(kinds)}) "
                              f"{{\n{body}\nreturn bag;\n}}")

    def define_recursive(self):
        """A function that calls itself once or twice with a smaller depth."""
        kinds = [pick_type(self.rng) for _ in range(self.rng.randrange(1, 4))]
        result = pick_type(self.rng)
        name = f"f{len(self.functions)}"
        function = Function(name, "recursive", result, ["u32", *kinds])
        scope = self.scope(kinds)
        scope.add_constant("u32", "depth")
        statements, body = self.body(scope, result, self.rng.randrange(1, 4))
        again = [self.tree.expression(result, f"{name}(depth - 1, "
                 + ", ".join(statements.expression(kind, 2) for kind in kinds) + ")")
                 for _ in range(self.rng.choice([1, 1, 2]))]
        first = statements.leaf(result)
        scope.add(result, "r")
        tail = statements.block(self.rng.randrange(1, 3), 1)
        second = f"r = {again[1]};\n" if len(again) > 1 else ""
        function.cost = (statements.cost + 2) * (15 if second else 4)
        self.define(function, f"RANDOM_CALL {result} {name}(u32 depth, {named(kinds)}) {{\n{body}\n"
                    f"{result} r = {first};\nif (depth != 0) {{\n"
                    f"r = {again[0]};\n{tail}\n{second}}}\nreturn r;\n}}")

    def define_mutual(self):
        """Two functions that call each other with a smaller depth."""
        kinds = [pick_type(self.rng) for _ in range(self.rng.randrange(1, 3))]
        result = pick_type(self.rng)
        name = f"f{len(self.functions)}"
        other, cost, texts = f"{name}_other", 2, []
        for me, partner in ((other, name), (name, other)):
            scope = self.scope(kinds)
            scope.add_constant("u32", "depth")
            statements, body = self.body(scope, result, self.rng.randrange(1, 4))
            arguments = ", ".join(statements.expression(kind, 2) for kind in kinds)
            end = statements.expression(result, 2)
            texts.append(f"RANDOM_CALL {result} {me}(u32 depth, {named(kinds)}) {{\n{body}\n"
                         f"if (depth != 0) return {partner}(depth - 1, {arguments});\n"
                         f"return {end};\n}}")
            cost += statements.cost
        function = Function(name, "recursive", result, ["u32", *kinds])
        function.cost = 2 * cost
        declaration = f"RANDOM_CALL {result} {name}(u32, {', '.join(kinds)});\n"
        self.define(function, declaration + "\n".join(texts))

    def define_indirect(self):
        """Functions of one signature, called through a pointer that differs between lanes."""
        kinds = [self.rng.choice(["u32", "u64", "f32"]) for _ in range(self.rng.randrange(1, 4))]
        result = self.rng.choice(["u32", "u64", "f32", "f64"])
        count = self.rng.randrange(2, 5)
        texts, cost = [], 2
        for index in range(count):
            statements, body = self.body(self.scope(kinds), result, self.rng.randrange(1, 4), 0)
            texts.append(f"RANDOM_CALL {result} operation{index}({named(kinds)}) {{\n{body}\n"
                         f"return {statements.expression(result, 2)};\n}}")
            cost = max(cost, statements.cost + 2)
        texts.append(f"using Operation = {result} (*)({', '.join(kinds)});")
        names = ", ".join(f"operation{index}" for index in range(count))
        if self.rng.random() < 0.5:
            texts.append(f"constexpr Operation kOperations[] = {{{names}}};\n"
                         f"RANDOM_FN Operation operation(u32 n) {{\n"
                         f"return kOperations[n % {count}];\n}}")
        else:
            cases = "\n".join(f"if (n % {count} == {index}) return operation{index};"
                              for index in range(1, count))
            texts.append(f"RANDOM_CALL Operation operation(u32 n) {{\n{cases}\n"
                         "return operation0;\n}")
        function = Function("operation", "indirect", result, ["u32", *kinds])
        function.cost = cost
        self.define(function, "\n".join(texts))


def named(kinds):
    return ", ".join(f"{kind} a{index}" for index, kind in enumerate(kinds))
