"""Random expressions of every type, from the templates in forms.py and what a Scope offers."""
import re

import forms
from values import (BITS, CONSTANTS, FLOAT_CONSTANTS, FLOATS, INTS, SIGNED, WIDE_CONSTANTS)

CHOICE = re.compile(r"\{([^{}]*)\}")
TOKEN = re.compile(r"<(\w+)>|#(\d+)|([][])")


class Expressions:
    """Makes expressions; `depth` bounds their size, `cost` and `trips` the calls in them."""

    def __init__(self, tree, rng, scope):
        self.tree, self.rng, self.scope = tree, rng, scope
        self.cost = 0    # estimated statements that a work-item runs
        self.trips = 1   # how often the current place runs

    def expression(self, kind, depth):
        if depth <= 0 or self.rng.random() < 0.1:
            return self.leaf(kind)
        called = self.call(kind, depth) if self.rng.random() < 0.05 else None
        return self.tree.expression(kind, called or self.expand(self.form(kind), kind, depth))

    def form(self, kind):
        """A template for the type."""
        r, dice = self.rng, self.rng.random()
        if kind in INTS:
            if dice < 0.05:
                return r.choice(forms.DIVISION)
            if dice < 0.12 and self.scope.has_area and kind in forms.WITH_AREA:
                return r.choice(forms.WITH_AREA[kind])
            return r.choice(forms.SPECIAL[kind] if dice < 0.4 else forms.INTEGER)
        if kind in FLOATS:
            if dice < 0.08:
                return r.choice(forms.FLOATING_LONG[kind])
            return r.choice(forms.FLOATING_OF[kind] if dice < 0.4 else forms.FLOATING)
        return r.choice(forms.VECTOR + forms.VECTOR_OF[kind])

    def expand(self, template, kind, depth):
        """The template with its holes filled."""
        if kind in INTS:
            wide = kind if kind in ("u64", "u128") else "u32"
            template = (template.replace("$S", SIGNED[kind]).replace("$W", wide)
                        .replace("$M", str(BITS[kind] - 1)).replace("$B", str(BITS[kind])))
        template = template.replace("$K", kind).replace("<K>", f"<{kind}>")

        while CHOICE.search(template):
            template = CHOICE.sub(lambda m: self.rng.choice(m.group(1).split()), template)

        def fill(match):
            hole, bound, bracket = match.groups()
            if bracket:
                return "<" if bracket == "[" else ">"
            return self.hole(hole, kind, depth) if hole else str(self.rng.randrange(int(bound)))

        return TOKEN.sub(fill, template)

    def hole(self, hole, kind, depth):
        if hole == "cond":
            return self.condition(depth - 1)
        if hole == "constant":
            return self.constant(kind)
        if hole == "to_integer":
            return self.expand(forms.TO_INTEGER.get(kind, forms.TO_INTEGER["other"]), kind, depth)
        return self.expression(hole, depth - 1)

    # -- leaves --------------------------------------------------------------------------------

    def constant(self, kind):
        if kind in INTS:
            wide = kind in ("u64", "u128") and self.rng.random() < 0.4
            value = self.rng.choice(WIDE_CONSTANTS if wide else CONSTANTS)
            return f"{kind}({value:#x}ull)" if wide else f"{kind}({value}u)"
        if kind in FLOATS:
            return f"{kind}({self.rng.choice(FLOAT_CONSTANTS)})"
        element = {"v2u16": "u16", "v2f16": "f16", "v2f32": "f32"}[kind]
        return f"{kind}({self.constant(element)})"

    def leaf(self, kind):
        r, scope = self.rng, self.scope
        arrays = [(name, length) for k, name, length in scope.arrays if k == kind]
        if arrays and r.random() < 0.25:
            name, length = r.choice(arrays)
            return f"{name}[{self.index()} & {length - 1}]"
        readable = scope.constants.get(kind, [])
        if readable and r.random() < 0.15:
            return f"{kind}({r.choice(readable)})"
        if kind in INTS and r.random() < 0.1:
            return f"{kind}({r.choice(scope.constants.get('u32', ['5u']))})"
        known = scope.variables.get(kind, [])
        if known and r.random() < 0.85:
            return r.choice(known)
        return self.constant(kind)

    def variable(self, kind):
        """A variable of the type, or None where there is none."""
        known = self.scope.variables.get(kind)
        return self.rng.choice(known) if known else None

    def index(self):
        """A cheap u32, to be masked."""
        known = self.scope.variables.get("u32", []) + self.scope.constants.get("u32", [])
        return f"({self.rng.choice(known)} + {self.rng.randrange(4)})" if known else "1u"

    # -- conditions and calls ------------------------------------------------------------------

    def condition(self, depth):
        r = self.rng
        kind = r.choice(["u32", "u32", "u64", "f32", "f64", "u16", "f16", "u8", "u128"])
        op = r.choice(["<", "<=", ">", ">=", "==", "!="])
        left, right = self.expression(kind, depth - 1), self.expression(kind, depth - 1)
        if kind in INTS and r.random() < 0.4:
            left, right = f"{SIGNED[kind]}({left})", f"{SIGNED[kind]}({right})"
        text, parts = f"({left} {op} {right})", []
        if r.random() < 0.2:
            parts = [text, self.condition(depth - 1)]
            text = f"({parts[0]} {r.choice(['&&', '||', '!='])} {parts[1]})"
        elif r.random() < 0.1:
            text = f"(!{text})"
        return self.tree.node("bool", text, ["(true)", "(false)", *parts])

    def call(self, kind, depth):
        """A call of a function of that result, or None."""
        fit = [f for f in self.scope.functions
               if f.result == kind and self.cost + self.trips * f.cost < 4000]
        if not fit:
            return None
        function = self.rng.choice(fit)
        self.cost += self.trips * function.cost
        return function.call([self.expression(k, min(depth - 1, 2)) for k in function.parameters])
