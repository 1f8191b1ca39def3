#!/usr/bin/env python3
"""Writes a HIP program of random kernels that checks itself.

    generate.py FIRST_SEED LAST_SEED > program.hip

For each seed there is one kernel. A work-item runs random statements on variables of every type;
between such phases lanes exchange values through LDS, shuffles, votes, DPP and atomics. The same
statements, compiled for the host by the same compiler, run work-item by work-item; after each
phase the variables of both must agree bit for bit. The same seeds give the same program.
"""
import random
import sys

INTS = {"u8": "b", "u16": "h", "u32": "i", "u64": "l"}
FLOATS = {"f16": "p", "f32": "f", "f64": "d"}
VECTORS = {"v2u16": "w", "v2f16": "q", "v2f32": "g"}
SIGNED = {"u8": "s8", "u16": "s16", "u32": "s32", "u64": "s64"}
BITS = {"u8": 8, "u16": 16, "u32": 32, "u64": 64}
COUNT = {"u8": 2, "u16": 2, "u32": 5, "u64": 3, "f16": 2, "f32": 4, "f64": 3,
         "v2u16": 2, "v2f16": 2, "v2f32": 2}
MEMBER = {**INTS, **FLOATS, **VECTORS}
WEIGHTS = {"u8": 1, "u16": 1, "u32": 6, "u64": 3, "f16": 1, "f32": 4, "f64": 3,
           "v2u16": 1, "v2f16": 1, "v2f32": 1}
CONSTANTS = [0, 1, 2, 3, 7, 8, 15, 31, 64, 100, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff,
             0x80000000, 0xffffffff, 0xfffffff0, 0x01010101, 0xdeadbeef, 0x3f800000, 0x00ff00ff]
FLOAT_CONSTANTS = ["0.0", "1.0", "-1.0", "0.5", "2.0", "-4.0", "3.25", "1e-3", "-7.5e4", "0.1", "1e30"]


class Body:
    """The statements of one phase. `uniform` restricts variables to those of the workgroup."""

    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.indent = 1
        self.loops = 0

    def emit(self, text):
        self.lines.append("  " * self.indent + text)

    def pick_type(self):
        return self.rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]

    def variable(self, kind):
        return f"s.{MEMBER[kind]}[{self.rng.randrange(COUNT[kind])}]"

    # -- expressions: `depth` bounds their size ------------------------------------------------

    def expr(self, kind, depth):
        if kind in INTS:
            return self.integer(kind, depth)
        if kind in FLOATS:
            return self.floating(kind, depth)
        return self.vector(kind, depth)

    def leaf(self, kind):
        r = self.rng
        if kind in INTS:
            choice = r.random()
            if choice < 0.2:
                return f"{kind}({r.choice(CONSTANTS)}u)"
            if choice < 0.27:
                return f"{kind}({r.choice(['u.a', 'u.b', 'u.c', 'thread', 'block'])})"
            if choice < 0.33 and self.loops:
                return f"{kind}(k{r.randrange(self.loops)})"
        elif kind in FLOATS and r.random() < 0.2:
            return f"{kind}({r.choice(FLOAT_CONSTANTS)})"
        elif kind == "f32" and r.random() < 0.1:
            return "u.e"
        return self.variable(kind)

    def integer(self, kind, depth):
        r = self.rng
        if depth <= 0 or r.random() < 0.1:
            return self.leaf(kind)
        a = lambda: self.integer(kind, depth - 1)
        wide = "u64" if kind == "u64" else "u32"
        signed, mask = SIGNED[kind], BITS[kind] - 1
        forms = [
            lambda: f"{kind}({wide}({a()}) {r.choice('+-*&|^+-*')} {wide}({a()}))",
            lambda: f"{kind}({wide}({a()}) {r.choice('+-*&|^+-*')} {wide}({a()}))",
            lambda: f"{kind}({wide}({a()}) {r.choice('+-*&|^')} {wide}({r.choice(CONSTANTS)}u))",
            lambda: f"{kind}({a()} << ({a()} & {mask}))",
            lambda: f"{kind}({a()} >> ({a()} & {mask}))",
            lambda: f"{kind}({signed}({a()}) >> {r.randrange(mask + 1)})",
            lambda: f"{kind}(({wide}({a()}) << {r.randrange(5)}) + {wide}({a()}))",
            lambda: f"{kind}(({wide}({a()}) + {wide}({a()})) << {r.randrange(8)})",
            lambda: f"{kind}(({wide}({a()}) & {wide}({a()})) | {wide}({a()}))",
            lambda: f"{kind}({wide}({a()}) + {wide}({a()}) + {wide}({a()}))",
            lambda: f"{kind}({wide}({a()}) * {wide}({a()}) + {wide}({a()}))",
            lambda: f"{kind}(({a()} >> {r.randrange(mask + 1)}) & {(1 << r.randrange(1, 9)) - 1})",
            lambda: f"({self.condition(depth - 1)} ? {a()} : {a()})",
            lambda: f"{r.choice(['smaller', 'larger'])}<{r.choice([kind, signed])}>({a()}, {a()})",
            lambda: f"{kind}(~{a()})",
            lambda: f"{kind}({self.convert_to_integer(kind, depth - 1)})",
            lambda: f"{kind}({self.integer(r.choice(list(INTS)), depth - 1)})",
        ]
        if r.random() < 0.12:  # long sequences of instructions: rarely
            forms = [lambda: f"{kind}({r.choice(['quotient', 'modulo'])}<{r.choice([kind, signed])}>"
                             f"({a()}, {a()}))"]
        elif kind == "u32" and r.random() < 0.35:
            b = lambda: self.integer("u32", depth - 1)
            forms = [
                lambda: f"__builtin_rotateleft32({b()}, {b()})",
                lambda: f"__builtin_bitreverse32({b()})",
                lambda: f"__builtin_bswap32({b()})",
                lambda: f"u32(__builtin_popcount({b()}))",
                lambda: f"{r.choice(['count_zeros_high', 'count_zeros_low'])}(u32({b()}))",
                lambda: f"{r.choice(['high_product', 'high_product_signed', 'product_24', 'difference', 'average_bytes'])}({b()}, {b()})",
                lambda: f"median({b()}, {b()}, {b()})",
                lambda: f"__builtin_elementwise_{r.choice(['add', 'sub'])}_sat({b()}, {b()})",
                lambda: f"u32(__builtin_elementwise_{r.choice(['add', 'sub'])}_sat(s32({b()}), s32({b()})))",
                lambda: f"u32(s32(s16({b()})) * s32(s16({b()})))",
                lambda: f"u32({self.integer('u64', depth - 1)} >> {r.randrange(33)})",
                lambda: f"at(table, {b()})",
                lambda: f"scratch[{b()} & 7]",
                lambda: f"bits({self.floating('f32', depth - 1)})",
            ]
        elif kind == "u64" and r.random() < 0.25:
            b = lambda: self.integer("u64", depth - 1)
            forms = [
                lambda: f"u64(__builtin_popcountll({b()}))",
                lambda: f"{r.choice(['count_zeros_high', 'count_zeros_low'])}(u64({b()}))",
                lambda: f"__builtin_bitreverse64({b()})",
                lambda: f"u64({self.integer('u32', depth - 1)}) * u64({self.integer('u32', depth - 1)}) + {b()}",
                lambda: f"u64(s64(s32({self.integer('u32', depth - 1)})) * s64(s32({self.integer('u32', depth - 1)})))",
                lambda: f"(u64(at(table, {self.integer('u32', depth - 1)})) << 32 | {b()})",
                lambda: f"bits({self.floating('f64', depth - 1)})",
            ]
        return r.choice(forms)()

    def convert_to_integer(self, kind, depth):
        source = self.rng.choice(["f32", "f64"])
        name = {"u64": self.rng.choice(["to_s64", "to_u64"])}.get(
            kind, self.rng.choice(["to_s32", "to_u32"]))
        return f"{name}({self.floating(source, depth)})"

    def floating(self, kind, depth):
        r = self.rng
        if depth <= 0 or r.random() < 0.1:
            return self.leaf(kind)
        a = lambda: self.floating(kind, depth - 1)
        forms = [
            lambda: f"{kind}({a()} {r.choice('+-*')} {a()})",
            lambda: f"{kind}({a()} {r.choice('+-*')} {a()})",
            lambda: f"{kind}(-{a()})",
            lambda: f"{r.choice(['smaller', 'larger'])}<{kind}>({a()}, {a()})",
            lambda: f"({self.condition(depth - 1)} ? {a()} : {a()})",
            lambda: f"{kind}({signed_or_not(r)}({self.integer('u32', depth - 1)}))",
            lambda: f"{kind}({self.integer(r.choice(['u8', 'u16']), depth - 1)})",
        ]
        if kind != "f16":
            other = "f64" if kind == "f32" else "f32"
            forms += [
                lambda: f"fused({a()}, {a()}, {a()})",
                lambda: f"fused({a()}, -{a()}, {a()})",
                lambda: f"{r.choice(['down', 'up', 'nearest', 'towards_zero', 'magnitude'])}({a()})",
                lambda: f"{kind}({self.floating(other, depth - 1)})",
                lambda: f"{kind}({r.choice(['u64', 's64'])}({self.integer('u64', depth - 1)}))",
                lambda: f"clamped({a()})",
            ]
            if r.random() < 0.1:
                forms = [lambda: f"root({a()})", lambda: f"({a()} / {a()})"]
        if kind == "f16":
            forms.append(lambda: f"f16(opaque({self.floating('f32', depth - 1)}))")
        if kind == "f32":
            forms.append(lambda: f"f32({self.floating('f16', depth - 1)})")
            forms.append(lambda: f"bit_cast<f32>({self.integer('u32', depth - 1)})")
        return r.choice(forms)()

    def vector(self, kind, depth):
        r = self.rng
        if depth <= 0 or r.random() < 0.1:
            return self.leaf(kind)
        a = lambda: self.vector(kind, depth - 1)
        forms = [
            lambda: f"({a()} {r.choice('+-*')} {a()})",
            lambda: f"({a()} {r.choice('+-*')} {a()})",
            lambda: f"{a()}.yx",
        ]
        if kind == "v2u16":
            forms += [
                lambda: f"({a()} {r.choice('&|^')} {a()})",
                lambda: f"({a()} << ({a()} & v2u16(15)))",
                lambda: f"({a()} >> ({a()} & v2u16(15)))",
                lambda: f"__builtin_elementwise_{r.choice(['min', 'max', 'add_sat', 'sub_sat'])}({a()}, {a()})",
                lambda: f"bit_cast<v2u16>({self.integer('u32', depth - 1)})",
            ]
        else:
            element = "f16" if kind == "v2f16" else "f32"
            forms += [
                lambda: f"(-{a()})",
                lambda: f"{kind}{{{self.floating(element, depth - 1)}, {self.floating(element, depth - 1)}}}",
            ]
            if kind == "v2f32":
                forms.append(lambda: f"__builtin_elementwise_fma({a()}, {a()}, {a()})")
        return r.choice(forms)()

    def condition(self, depth):
        r = self.rng
        kind = r.choice(["u32", "u32", "u64", "f32", "f64", "u16", "f16"])
        op = r.choice(["<", "<=", ">", ">=", "==", "!="])
        left, right = self.expr(kind, depth - 1), self.expr(kind, depth - 1)
        if kind in INTS and r.random() < 0.4:
            left, right = f"{SIGNED[kind]}({left})", f"{SIGNED[kind]}({right})"
        text = f"{left} {op} {right}"
        if r.random() < 0.15:
            text = f"({text}) {r.choice(['&&', '||', '!='])} ({self.condition(depth - 1)})"
        elif r.random() < 0.1:
            text = f"!({text})"
        return f"({text})"

    # -- statements ----------------------------------------------------------------------------

    def assign(self, depth):
        kind = self.pick_type()
        self.emit(f"{self.variable(kind)} = {self.expr(kind, depth)};")

    def block(self, count, nesting):
        self.indent += 1
        for _ in range(count):
            self.statement(nesting)
        self.indent -= 1

    def statement(self, nesting):
        r = self.rng
        choice = r.random()
        if nesting > 0 and choice < 0.12:
            self.emit(f"if {self.condition(2)} {{")
            self.block(r.randrange(1, 4), nesting - 1)
            if r.random() < 0.5:
                self.emit("} else {")
                self.block(r.randrange(1, 4), nesting - 1)
            self.emit("}")
        elif nesting > 0 and choice < 0.2:
            trips = r.choice(["3", "5", f"{self.variable('u32')} & 7", f"thread & {r.choice([3, 5, 7])}",
                              "u.a & 7"])
            k = f"k{self.loops}"
            self.emit(f"for (u32 {k} = 0, n{self.loops} = {trips}; {k} < n{self.loops}; ++{k}) {{")
            self.loops += 1
            self.block(r.randrange(1, 4), nesting - 1)
            if r.random() < 0.3:
                self.emit(f"  if {self.condition(1)} {r.choice(['break', 'continue'])};")
            self.loops -= 1
            self.emit("}")
        elif nesting > 0 and choice < 0.23:
            self.emit(f"switch ({self.variable('u32')} & 3) {{")
            for case in range(r.randrange(2, 4)):
                self.emit(f"  case {case}:")
                self.block(r.randrange(1, 3), nesting - 1)
                self.emit("    break;")
            self.emit("  default:")
            self.emit("    break;")
            self.emit("}")
        elif choice < 0.28:
            self.emit(f"scratch[{self.variable('u32')} & 7] = {self.integer('u32', 2)};")
        else:
            self.assign(r.randrange(1, 5))


def signed_or_not(rng):
    return rng.choice(["u32", "s32"])


class Exchange:
    """A step in which lanes or waves of a workgroup exchange values: device and host text."""

    def __init__(self, rng):
        self.device, self.host = [], []
        make = rng.choice([self.lds_permute, self.lds_permute, self.memory_permute,
                           self.memory_permute, self.shuffle, self.shuffle_fixed, self.ballot,
                           self.lds_atomic, self.memory_atomic, self.dpp, self.swizzle,
                           self.first_lane])
        make(rng)

    def both(self, device, host):
        self.device += device
        self.host += host

    def each(self, text):
        """Host: copies the states, then runs `text` for every work-item t with its wave base w."""
        return ["{", "  const std::vector<State> old = states;",
                "  for (u32 t = 0; t < kThreads; ++t) {",
                "    const u32 w = t - t % kWave;", "    (void)w;"] + \
               [f"    {line}" for line in text] + ["  }", "}"]

    def permute(self, rng, place, fence):
        """Each work-item stores a value and loads that of another, in every width."""
        factor, offset = rng.choice([1, 3, 5, 31, 33]), rng.randrange(64)
        k = rng.randrange(2)
        kind, store, load = rng.choice([
            *[(kind, f"S.{MEMBER[kind]}[{k}]", f"s.{MEMBER[kind]}[{k}] = V;")
              for kind in ("u8", "u16", "u32", "u64", "f32", "f64", "v2f32")],
            ("s8", "s8(S.b[0])", "s.i[0] += u32(s32(V));"),
            ("s16", "s16(S.h[0])", "s.i[1] ^= u32(s32(V));"),
            ("f16", f"S.p[{k}]", f"s.p[{k}] = V; s.f[3] = f32(V);"),
            ("u32x3", "u32x3{{S.i[0], S.i[1], S.i[2]}}",
             "{ const u32x3 v = V; s.i[1] = v.word[0]; s.i[2] ^= v.word[1]; s.i[0] += v.word[2]; }"),
            ("v4u32", "v4u32{S.i[0], S.i[1], S.i[2], S.i[3]}",
             "{ const v4u32 v = V; s.i[3] = v.x; s.i[0] = v.y ^ v.z; s.i[1] = v.w; }")])
        self.both(
            [f"auto* box = reinterpret_cast<{kind}*>({place});",
             f"box[thread] = {store.replace('S.', 's.')};", f"{fence}__syncthreads();",
             load.replace("V", f"box[(thread * {factor} + {offset}) % kThreads]"), "__syncthreads();"],
            self.each([f"const u32 x = (t * {factor} + {offset}) % kThreads;", "State& s = states[t];",
                       load.replace("V", f"({kind}({store.replace('S.', 'old[x].')}))")]))

    def lds_permute(self, rng):
        self.permute(rng, "lds", "")

    def memory_permute(self, rng):
        self.permute(rng, "memory_of_block", "__threadfence(); ")

    def shuffle(self, rng):
        kind = rng.choice(["u32", "f32", "f64", "u64"])
        k, i = rng.randrange(COUNT[kind]), rng.randrange(5)
        member = f"{MEMBER[kind]}[{k}]"
        self.both([f"s.{member} = __shfl(s.{member}, static_cast<int>(s.i[{i}] & 63));"],
                  self.each([f"states[t].{member} = old[w + (old[t].i[{i}] & 63)].{member};"]))

    def shuffle_fixed(self, rng):
        kind, width = rng.choice(["u32", "f32", "f64"]), rng.choice([64, 32, 16, 8])
        member = f"{MEMBER[kind]}[{rng.randrange(COUNT[kind])}]"
        amount = rng.randrange(1, width)
        name, inside, source = rng.choice([
            ("__shfl_xor", "true", f"(t ^ {amount})"),
            ("__shfl_up", f"t % {width} >= {amount}", f"t - {amount}"),
            ("__shfl_down", f"t % {width} + {amount} < {width}", f"t + {amount}")])
        self.both([f"s.{member} = {name}(s.{member}, {amount}, {width});"],
                  self.each([f"states[t].{member} = old[{inside} ? {source} : t].{member};"]))

    def ballot(self, rng):
        i, k, bit = rng.randrange(5), rng.randrange(3), rng.randrange(32)
        self.both(
            [f"const u64 votes = __ballot(s.i[{i}] >> {bit} & 1);",
             f"s.l[{k}] ^= votes;", f"s.i[{i}] += __builtin_amdgcn_mbcnt_hi("
             "static_cast<u32>(votes >> 32), __builtin_amdgcn_mbcnt_lo(static_cast<u32>(votes), 0));"],
            self.each(["u64 votes = 0;", "u32 below = 0;",
                       "for (u32 n = 0; n < kWave; ++n) {",
                       f"  const u64 vote = old[w + n].i[{i}] >> {bit} & 1;",
                       "  votes |= vote << n;", "  if (w + n < t) below += vote;", "}",
                       f"states[t].l[{k}] ^= votes;", f"states[t].i[{i}] += below;"]))

    def atomic(self, rng, place, sync):
        kind = rng.choice(["u32", "u64"])
        name, fold = rng.choice([
            ("atomicAdd", "bin += value"), ("atomicAdd", "bin += value"),
            ("atomicMin", "bin = smaller(bin, value)"), ("atomicMax", "bin = larger(bin, value)"),
            ("atomicAnd", "bin &= value"), ("atomicOr", "bin |= value"),
            ("atomicXor", "bin ^= value")])
        k, i = rng.randrange(COUNT[kind]), rng.randrange(5)
        mask = rng.choice([0, 1, 7, 31])
        member = f"{MEMBER[kind]}[{k}]"
        self.both(
            [f"auto* bins = reinterpret_cast<{kind}*>({place});",
             f"if (thread < 32) bins[thread] = {kind}(thread * 0x12345679u);", sync,
             f"{name}(&bins[s.i[{i}] & {mask}], s.{member});", sync,
             f"s.{member} ^= bins[thread & 31];", sync],
            ["{", f"  {kind} bins[32];",
             f"  for (u32 t = 0; t < 32; ++t) bins[t] = {kind}(t * 0x12345679u);",
             "  for (const State& s : states) {", f"    {kind}& bin = bins[s.i[{i}] & {mask}];",
             f"    const {kind} value = s.{member};", f"    {fold};", "  }",
             f"  for (u32 t = 0; t < kThreads; ++t) states[t].{member} ^= bins[t & 31];", "}"])

    def lds_atomic(self, rng):
        self.atomic(rng, "lds", "__syncthreads();")

    def memory_atomic(self, rng):
        self.atomic(rng, "memory_of_block", "__threadfence(); __syncthreads();")

    def dpp(self, rng):
        control = rng.choice([rng.randrange(256), 0x100 + rng.randrange(1, 16),
                              0x110 + rng.randrange(1, 16), 0x120 + rng.randrange(1, 16),
                              0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143])
        i, j = rng.randrange(5), rng.randrange(5)
        self.both(
            [f"s.i[{i}] += static_cast<u32>(__builtin_amdgcn_update_dpp("
             f"static_cast<int>(s.i[{j}]), static_cast<int>(s.i[{j}]), {control:#x}, 0xf, 0xf, false));"],
            self.each([f"states[t].i[{i}] += old[w + dpp_source({control:#x}, t % kWave)].i[{j}];"]))

    def swizzle(self, rng):
        pattern, i = rng.randrange(1 << 15), rng.randrange(5)
        self.both(
            [f"s.i[{i}] ^= static_cast<u32>(__builtin_amdgcn_ds_swizzle("
             f"static_cast<int>(s.i[{i}]), {pattern:#x}));"],
            self.each([f"states[t].i[{i}] ^= old[w + swizzle_source({pattern:#x}, t % kWave)].i[{i}];"]))

    def first_lane(self, rng):
        i, j, lane = rng.randrange(5), rng.randrange(5), rng.randrange(64)
        self.both(
            [f"s.i[{i}] += static_cast<u32>(__builtin_amdgcn_readfirstlane(static_cast<int>(s.i[{j}])))"
             f" * 3 + static_cast<u32>(__builtin_amdgcn_readlane(static_cast<int>(s.i[{j}]), {lane}));"],
            self.each([f"states[t].i[{i}] += old[w].i[{j}] * 3 + old[w + {lane}].i[{j}];"]))


PHASE_ARGUMENTS = "State& s, const u32* table, const Uniform& u, u32 thread, u32 block"


def program(seed):
    rng = random.Random(seed)
    phases, threads, blocks = rng.randrange(2, 5), rng.choice([64, 128, 192, 256]), 3
    out = [f"namespace seed_{seed} {{", f"constexpr u32 kThreads = {threads}, kBlocks = {blocks}, "
           f"kPhases = {phases};"]
    exchanges = [Exchange(rng) for _ in range(phases)]
    for phase in range(phases):
        body = Body(rng)
        for _ in range(rng.randrange(8, 16)):
            body.statement(3)
        out += [f"RANDOM_FN void phase_{phase}({PHASE_ARGUMENTS}) {{",
                "  u32 scratch[8] = {s.i[0], s.i[1], s.i[2], 3, 4, 5, u.a, thread};",
                "  (void)scratch, (void)table, (void)u, (void)thread, (void)block;"]
        out += body.lines + ["}"]
    out += ["__global__ __launch_bounds__(kThreads) void device_run(const u32* table, Uniform u, "
            "Record* records, u64* memory) {",
            "  __shared__ v4u32 lds[kThreads];", "  (void)lds;",
            "  const u32 thread = threadIdx.x, block = blockIdx.x;",
            "  u64* const memory_of_block = memory + kMemoryWords * block;", "  (void)memory_of_block;",
            "  State s = start(table, thread, block);"]
    for phase in range(phases):
        out += [f"  phase_{phase}(s, table, u, thread, block);", "  {"]
        out += [f"    {line}" for line in exchanges[phase].device] + ["  }"]
        out += [f"  records[({phase} * kBlocks + block) * kThreads + thread] = record(s);"]
    out += ["}", "static void host_run(const u32* table, const Uniform& u, Record* records, u32 block) {",
            "  std::vector<State> states(kThreads);",
            "  for (u32 t = 0; t < kThreads; ++t) states[t] = start(table, t, block);"]
    for phase in range(phases):
        out += [f"  for (u32 t = 0; t < kThreads; ++t) phase_{phase}(states[t], table, u, t, block);"]
        out += [f"  {line}" for line in exchanges[phase].host]
        out += ["  for (u32 t = 0; t < kThreads; ++t)",
                f"    records[({phase} * kBlocks + block) * kThreads + t] = record(states[t]);"]
    out += ["}", "}  // namespace", ""]
    return out


MAIN = """
struct Case {
  int seed;
  u32 threads, blocks, phases;
  void (*device)(const u32*, Uniform, Record*, u64*);
  void (*host)(const u32*, const Uniform&, Record*, u32);
};

// Random words, among them every class of floating-point number and small integers.
static std::vector<u32> make_table(u32 seed) {
  std::vector<u32> table(kTableWords);
  const u32 special[] = {0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 1,
                         0x007fffff, 0x00800000, 0x7f7fffff, 0x3c003c00, 0x7c00fc00, 0x00010001,
                         0x7fff8000, 0xffffffff, 0x4f000000, 0xcf000000, 0x3ff00000, 0x7ff00000};
  u32 state = seed * 2654435761u + 1;
  for (u32& word : table) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    const u32 kind = state >> 28;
    word = state * 2246822519u;
    if (kind < 3) word = special[state % 20];
    if (kind >= 3 && kind < 6) word = state & 1023;
    if (kind >= 6 && kind < 11) word = (word & 0x807fffff) | (120 + (state >> 8) % 16) << 23;
  }
  return table;
}

static bool run(const Case& test) {
  const std::vector<u32> table = make_table(test.seed);
  const Uniform uniform = {table[3], table[5], table[7] | u64{table[11]} << 32, 1.5f};
  const size_t count = static_cast<size_t>(test.phases) * test.blocks * test.threads;
  std::vector<Record> expected(count);
  for (u32 block = 0; block < test.blocks; ++block)
    test.host(table.data(), uniform, expected.data(), block);
  example::DeviceArray<u32> device_table(table);
  example::DeviceArray<Record> device_records(count);
  example::DeviceArray<u64> device_memory(kMemoryWords * test.blocks);
  device_records.clear();
  test.device<<<test.blocks, test.threads>>>(device_table.data(), uniform, device_records.data(),
                                             device_memory.data());
  example::finish_kernel();
  const std::vector<Record> actual = device_records.read();
  for (size_t at = 0; at < count; ++at)
    for (int word = 0; word < Record::kWords; ++word)
      if (actual[at].word[word] != expected[at].word[word]) {
        std::printf("seed %d: phase %zu block %zu thread %zu: %s is 0x%08x, expected 0x%08x\\n",
                    test.seed, at / (test.blocks * test.threads), at / test.threads % test.blocks,
                    at % test.threads, kWordNames[word], actual[at].word[word],
                    expected[at].word[word]);
        return false;
      }
  return true;
}

int main(int argc, char** argv) {
  const Case cases[] = {CASES};
  bool ok = true;
  for (const Case& test : cases) {
    if (argc > 1 && std::atoi(argv[1]) != test.seed) continue;
    ok = run(test) && ok;
  }
  return example::verdict(ok);
}"""


def main():
    first, last = int(sys.argv[1]), int(sys.argv[2])
    lines = [f"// Made by generate.py {first} {last}.", '#include "random/support.hpp"', ""]
    for seed in range(first, last + 1):
        lines += program(seed)
    cases = ",\n      ".join(
        "{%d, seed_%d::kThreads, seed_%d::kBlocks, seed_%d::kPhases, seed_%d::device_run, "
        "seed_%d::host_run}" % ((seed,) * 6) for seed in range(first, last + 1))
    print("\n".join(lines) + MAIN.replace("CASES", cases))


if __name__ == "__main__":
    main()
