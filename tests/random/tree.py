"""The text of a program as a tree whose nodes can be replaced: what makes shrinking possible.

A node's text holds references to other nodes, made by node(). Each node has alternatives, simpler
texts that may stand in its place, simplest first: a shrinker tries them and keeps those with which
the program still fails. One node may have several texts that change together (device and host).
"""
import re

REFERENCE = re.compile("\x02(\\d+)\\.(\\d+)\x03")


class Tree:
    def __init__(self):
        self.kinds, self.texts, self.alternatives = [], [], []

    def nodes(self, kind, texts, alternatives):
        """References to a new node's texts; each alternative is a list of as many texts."""
        number = len(self.texts)
        self.kinds.append(kind)
        self.texts.append(list(texts))
        self.alternatives.append([list(a) for a in alternatives])
        return [f"\x02{number}.{part}\x03" for part in range(len(self.texts[number]))]

    def node(self, kind, text, alternatives=()):
        return self.nodes(kind, [text], [[a] for a in alternatives])[0]

    def expression(self, kind, text):
        """A node of the type `kind`; a part of the same type or a constant may replace it."""
        constants = [f"{kind}(1)", f"{kind}(0)"]
        parts = [part for part in self._parts(text, 2) if self.kinds[number_of(part)] == kind]
        return self.node(kind, text, constants + parts[:6])

    def statement(self, text, *alternatives):
        return self.node("statement", text, ["", *alternatives])

    def _parts(self, text, depth):
        found = [match.group(0) for match in REFERENCE.finditer(text)]
        below = [part for f in found if depth > 0
                 for part in self._parts(self.texts[number_of(f)][0], depth - 1)]
        return found + below

    def render(self, text, choices=None):
        """The text without references; `choices` maps nodes to indices of alternatives."""
        choices = choices or {}

        def resolve(match):
            number, part = int(match.group(1)), int(match.group(2))
            texts = self.texts[number]
            if number in choices:
                texts = self.alternatives[number][choices[number]]
            return REFERENCE.sub(resolve, texts[part])

        return REFERENCE.sub(resolve, text)

    def live(self, text, choices):
        """The numbers of the nodes that render() meets, outermost first, without repetition."""
        seen, order = set(), []

        def visit(text):
            for match in REFERENCE.finditer(text):
                number = int(match.group(1))
                texts = self.texts[number]
                if number in choices:
                    texts = self.alternatives[number][choices[number]]
                if number not in seen:
                    seen.add(number)
                    order.append(number)
                visit(texts[int(match.group(2))])

        visit(text)
        return order


def number_of(reference):
    return int(REFERENCE.match(reference).group(1))


def layout(text):
    """The text indented by its braces, without empty lines."""
    lines, depth = [], 0
    for line in text.split("\n"):
        line = line.strip()
        if not line:
            continue
        closing = len(line) - len(line.lstrip("}"))
        label = line.startswith("case ") or line.startswith("default:")
        lines.append("  " * max(depth - closing - label, 0) + line)
        depth += line.count("{") - line.count("}")
    return "\n".join(lines)
