"""Random statements: assignments and control flow in which neighbouring work-items diverge.

Every loop has a bound of its own besides its condition, and every variable a first value, so that
removing statements, as the shrinker does, never makes a program without a meaning.
"""
from expressions import Expressions
from values import INTS, pick_type

ARRAYS = [("u32", 8), ("u8", 16), ("u64", 4), ("f32", 8), ("f64", 4), ("u16", 8), ("v2f32", 4)]


class Statements(Expressions):
    def __init__(self, tree, rng, scope):
        super().__init__(tree, rng, scope)
        self.names = 0  # how many names of loops and constants are used

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def block(self, count, nesting):
        """`count` statements; the names that they declare end with them."""
        before = {kind: list(names) for kind, names in self.scope.constants.items()}
        text = "\n".join(self.statement(nesting) for _ in range(count))
        self.scope.constants = before
        return text

    def statement(self, nesting):
        """One statement with at most `nesting` levels of control flow inside."""
        r = self.rng
        self.cost += self.trips
        nested = [(self.branch, 12), (self.counted_loop, 5), (self.searching_loop, 3),
                  (self.bounded_do, 2), (self.switch, 4)] if nesting > 0 else []
        simple = [(self.assignment, 60), (self.update, 8), (self.declaration, 6),
                  (self.array_store, 5), (self.leave, 1.5)]
        if self.scope.has_area:
            simple += [(self.area_store, 4), (self.field_store, 2)]
        simple += [(make, 6) for make in (self.call_by_pointer, self.call_of_bag)]
        choices = [make for make, _ in nested] + [make for make, _ in simple]
        make = r.choices(choices, [weight for _, weight in nested + simple])[0]
        text = make(nesting - 1) if make in [m for m, _ in nested] else make()
        return text or self.assignment()

    # -- simple statements ---------------------------------------------------------------------

    def assignment(self):
        kind = pick_type(self.rng)
        target = self.variable(kind)
        if target is None:
            kind = self.rng.choice(list(self.scope.variables))
            target = self.variable(kind)
        return self.tree.statement(f"{target} = {self.expression(kind, self.rng.randrange(1, 5))};")

    def update(self):
        kind = self.rng.choice(["u32", "u32", "u64", "u16", "u8", "u128", "f32", "f64"])
        target = self.variable(kind)
        if target is None:
            return None
        op = self.rng.choice(["+", "-", "*", "^", "|", "&"] if kind in INTS else ["+", "-", "*"])
        value = self.expression(kind, 2)
        if kind not in INTS and op == "-":
            return self.tree.statement(f"{target} = minus<{kind}>({target}, {value});")
        return self.tree.statement(f"{target} {op}= {value};")

    def declaration(self):
        kind, name = pick_type(self.rng), self.name("v")
        text = self.tree.statement(f"const {kind} {name} = {self.expression(kind, 3)};")
        self.scope.add_constant(kind, name)
        return text

    def array_store(self):
        if not self.scope.arrays:
            return None
        kind, name, length = self.rng.choice(self.scope.arrays)
        return self.tree.statement(
            f"{name}[{self.expression('u32', 1)} & {length - 1}] = {self.expression(kind, 2)};")

    def area_store(self):
        """Bytes, words and packed structures at any address; NaNs never go in as bits."""
        r = self.rng
        at = f"area + ({self.expression('u32', 1)} & 63)"
        kind = r.choice(["u8", "u16", "u32", "u32", "u64", "u128"])
        if r.random() < 0.5:
            return self.tree.statement(f"store<{kind}>({at}, {self.expression(kind, 2)});")
        member, kind = r.choice([("a", "u8"), ("b", "u32"), ("c", "u64"), ("d", "u16"),
                                 ("e", "u16")])
        op = r.choice(["=", "=", "+=", "^="])
        return self.tree.statement(
            f"reinterpret_cast<Packed*>({at})->{member} {op} {self.expression(kind, 2)};")

    def field_store(self):
        member, kind = self.rng.choice([("a", "u32"), ("b", "u32"), ("c", "u64"), ("d", "u32"),
                                        ("e", "u64"), ("f", "u16")])
        op = self.rng.choice(["=", "=", "+=", "^=", "*="])
        return self.tree.statement(f"fields.{member} {op} {self.expression(kind, 2)};")

    def leave(self):
        """An early return, rarely: what follows it runs for fewer work-items."""
        if self.scope.leave is None:
            return None
        return self.tree.statement(f"if {self.condition(2)} {self.scope.leave}")

    # -- calls for their effect -----------------------------------------------------------------

    def affordable(self, shape):
        fit = [f for f in self.scope.functions
               if f.shape == shape and self.cost + self.trips * f.cost < 4000]
        return self.rng.choice(fit) if fit else None

    def call_by_pointer(self):
        function = self.affordable("pointer")
        if function is None:
            return None
        targets = []
        for kind in function.pointers:
            arrays = [(n, length) for k, n, length in self.scope.arrays if k == kind]
            if arrays and self.rng.random() < 0.5:
                name, length = self.rng.choice(arrays)
                targets.append(f"&{name}[{self.index()} & {length - 1}]")
            elif self.variable(kind):
                targets.append(f"&{self.variable(kind)}")
            else:
                return None
        self.cost += self.trips * function.cost
        values = [self.expression(kind, 2) for kind in function.parameters]
        return self.tree.statement(f"{function.call(targets + values)};")

    def call_of_bag(self):
        function = self.affordable("bag")
        if function is None or self.scope.bag is None:
            return None
        self.cost += self.trips * function.cost
        values = [self.expression(kind, 2) for kind in function.parameters]
        return self.tree.statement(
            f"{self.scope.bag} = {function.call([self.scope.bag, *values])};")

    # -- control flow ---------------------------------------------------------------------------

    def branch(self, nesting):
        condition = self.condition(2)
        then = self.block(self.rng.randrange(1, 4), nesting)
        if self.rng.random() < 0.5:
            return self.tree.statement(f"if {condition} {{\n{then}\n}}", then)
        other = self.block(self.rng.randrange(1, 4), nesting)
        return self.tree.statement(f"if {condition} {{\n{then}\n}} else {{\n{other}\n}}",
                                   then, other, f"if {condition} {{\n{then}\n}}")

    def loop_body(self, nesting, counter, trips, jumps):
        """Statements that may name the counter, and perhaps a break or continue."""
        before = {kind: list(names) for kind, names in self.scope.constants.items()}
        self.scope.add_constant("u32", counter)
        self.trips *= trips
        parts = [self.block(self.rng.randrange(1, 4), nesting)]
        if self.rng.random() < 0.4:
            jump = self.rng.choice(jumps)
            parts.append(self.tree.statement(f"if {self.condition(1)} {jump};"))
            if self.rng.random() < 0.5:
                parts.append(self.block(1, nesting))
        self.trips //= trips
        self.scope.constants = before
        return "\n".join(parts)

    def counted_loop(self, nesting):
        r, k, n = self.rng, self.name("k"), self.name("n")
        trips = r.choice(["3", "5", f"{self.expression('u32', 1)} & 7",
                          f"{self.index()} & {r.choice([3, 5, 7])}"])
        body = self.loop_body(nesting, k, 4, ["break", "continue"])
        head = r.choice([f"for (u32 {k} = 0, {n} = {trips}; {k} < {n}; ++{k})",
                         f"for (u32 {k} = {trips}; {k} > 0; --{k})",
                         f"for (u32 {k} = {trips}; {k} != 0; {k} >>= 1)"])
        return self.tree.statement(f"{head} {{\n{body}\n}}", f"const u32 {k} = 1;\n{body}")

    def searching_loop(self, nesting):
        """A loop that the data ends, at different times in different lanes."""
        k = self.name("k")
        body = self.loop_body(nesting, k, 6, ["break", "continue"])
        head = f"for (u32 {k} = 0; {k} < {self.rng.choice([6, 9])} && {self.condition(2)}; ++{k})"
        return self.tree.statement(f"{head} {{\n{body}\n}}")

    def bounded_do(self, nesting):
        k = self.name("k")
        body = self.loop_body(nesting, k, 4, ["break"])
        return self.tree.statement(
            f"u32 {k} = 0;\ndo {{\n{body}\n}} while (++{k} < 5 && {self.condition(2)});")

    def switch(self, nesting):
        r = self.rng
        mask = r.choice([3, 3, 7])
        parts = [f"switch ({self.expression('u32', 1)} & {mask}) {{"]
        cases = r.sample(range(mask + 1), r.randrange(2, mask + 1))
        for case in cases:
            ending = "" if r.random() < 0.25 else "break;"
            parts.append(f"case {case}: {{\n{self.block(r.randrange(1, 3), nesting)}\n}} {ending}")
        parts.append(f"default: {{\n{self.block(1, nesting)}\n}}\n}}")
        return self.tree.statement("\n".join(parts))


def declare_arrays(statements, count):
    """Arrays in scratch memory with first values, added to the scope of `statements`."""
    lines = []
    for kind, length in statements.rng.sample(ARRAYS, count):
        name = f"{kind}s"
        values = ", ".join(statements.leaf(kind) for _ in range(length))
        lines.append(statements.tree.statement(f"{kind} {name}[{length}] = {{{values}}};"))
        statements.scope.arrays.append((kind, name, length))
    return "\n".join(lines)
