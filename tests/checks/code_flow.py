"""A kernel's instructions as a graph, and what each of them is to memory."""
import re

FENCE = re.compile(r"buffer_(wbl2|inv|wbinvl1|invl2)")
VECTOR = re.compile(r"(global|flat|buffer|scratch)_(load|store|atomic)")
CROSSING = re.compile(r"ds_(b?permute|swizzle|gws|nop)")  # ds_ that touches no LDS
WIDEST = 64  # a counter has no more


def registers(text):
    """Names of the registers that operands name."""
    done = set()
    for file, first, last in re.findall(r"\b([vsa])\[(\d+):(\d+)\]", text):
        done |= {f"{file}{i}" for i in range(int(first), int(last) + 1)}
    done |= set(re.findall(r"\b[vsa]\d+\b", text))
    if "vcc" in text:
        done.add("vcc")
    return done


class Code:
    """`before` and `after` give the places of an instruction's neighbours."""

    def __init__(self, instructions):
        self.code = instructions
        at = {one.address: i for i, one in enumerate(instructions)}
        self.after = [[] for _ in instructions]
        self.before = [[] for _ in instructions]
        for i, one in enumerate(instructions):
            following = []
            if one.target in at:
                following.append(at[one.target])
            if one.name not in ("s_branch", "s_endpgm") and i + 1 < len(instructions):
                following.append(i + 1)
            for other in following:
                self.after[i].append(other)
                self.before[other].append(i)

    def has_calls(self):
        return any(one.name in ("s_setpc_b64", "s_swappc_b64") for one in self.code)

    # ---- what an instruction is ------------------------------------------------------------------

    def counters(self, i):
        """Which counters of s_waitcnt count it."""
        name = self.code[i].name
        if FENCE.match(name):
            return set()
        if VECTOR.match(name):
            return {"vmcnt", "lgkmcnt"} if name.startswith("flat") else {"vmcnt"}
        return {"lgkmcnt"} if re.match(r"ds_|s_(buffer_)?load|s_memtime", name) else set()

    def limits(self, i):
        """Of an s_waitcnt: the most that may be under way after it, by counter."""
        if self.code[i].name != "s_waitcnt":
            return {}
        return {name: int(most) for name, most in
                re.findall(r"(vmcnt|lgkmcnt)\((\d+)\)", self.code[i].text)}

    def result(self, i):
        """Registers that a memory instruction gives something to."""
        text = self.code[i].text
        name = self.code[i].name
        returns = re.search(r"_load|ds_read|ds_b?permute|ds_swizzle|_rtn", name) or (
            "atomic" in name and re.search(r" glc| sc0", text))
        if not returns or "lds" in text.split():
            return set()
        return registers(text.split(None, 1)[1].split(",")[0])

    def bypasses_caches(self, i):
        return bool(re.search(r" glc| sc0| sc1", self.code[i].text)) or "atomic" in self.code[i].name

    def touches(self, i):
        """{(what, whether it stores)}: LDS and global memory."""
        name = self.code[i].name
        if name == "ds_gws_barrier":  # hands on and learns whatever other workgroups did
            return {("global", True)}
        if name.startswith("ds_") and not CROSSING.match(name):
            return {("lds", not name.startswith("ds_read"))}
        if VECTOR.match(name) and not self.is_private(i):
            stores = "_load" not in name
            return {("global", stores)} | ({("lds", stores)} if name.startswith("flat") else set())
        if re.match(r"s_load", name) and not re.search(r"s\[(0:1|4:5|6:7|8:9)\], 0x", self.code[i].text):
            return {("global", False)}
        return set()

    def is_private(self, i):
        text = self.code[i].text
        return text.startswith("scratch") or (text.startswith("buffer_") and "s[0:3]" in text)

    # ---- walks -----------------------------------------------------------------------------------

    def walk(self, start, neighbours, visit, state):
        """Calls visit(i, state) on all paths from beside `start`; it gives the state to go on with,
        or None."""
        done, todo = set(), [(i, state) for i in neighbours[start]]
        while todo:
            one = todo.pop()
            if one in done:
                continue
            done.add(one)
            state = visit(*one)
            if state is not None:
                todo += [(i, state) for i in neighbours[one[0]]]

    def waited_for(self, wait, counter, limit):
        """{instruction: how many of its counter came after it} of what a wait makes certain."""
        done = {}

        def visit(i, state):
            came, room = state  # counted since, and those that an earlier wait may have left
            if counter in self.limits(i):
                room = min(room, self.limits(i)[counter])
            if counter in self.counters(i):
                if room == 0:
                    return None
                if came >= limit:
                    done[i] = min(came, done.get(i, came))
                return min(came + 1, WIDEST), room - 1
            return (came, room) if room else None

        self.walk(wait, self.before, visit, (0, WIDEST))
        return done

    def before_next_wait(self, start, counter, came, visit):
        """Calls visit(i, whether a barrier lies between) on all paths until a wait makes certain
        what `came` others followed; it gives False where a path need not be followed."""
        def step(i, state):
            came, past_barrier = state
            limits = self.limits(i)
            if counter in limits and came >= limits[counter]:
                return None
            past_barrier = past_barrier or self.code[i].name == "s_barrier"
            if visit(i, past_barrier) is False:
                return None
            return min(came + (counter in self.counters(i)), WIDEST), past_barrier
        self.walk(start, self.after, step, (came, False))

    def branches_to(self, wait, counter, limit):
        """The branches by which alone the wait is reached with something under way, or None if it
        is so in another way too."""
        join = wait
        while self.before[join] == [join - 1]:
            join -= 1
            if counter in self.counters(join):
                return None
        branches = []
        for one in self.before[join]:
            if not self.waited_for(one, counter, limit) and counter not in self.counters(one):
                continue
            if self.code[one].target != self.code[join].address:
                return None
            branches.append(self.code[one])
        return branches
