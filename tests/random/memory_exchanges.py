"""Steps in which the work-items of a workgroup exchange values through memory, and atomics.

Only what does not depend on the order of work-items is looked at: final values of operations that
commute, and returned values where each work-item has a word of its own.
"""
from lane_exchanges import each
from values import COUNT, MEMBER

WIDTHS = [
    ("s8", "s8(S.b[0])", "s.i[0] += u32(s32(V));"),
    ("s16", "s16(S.h[0])", "s.i[1] ^= u32(s32(V));"),
    ("f16", "S.p[1]", "s.p[0] = V; s.f[3] = f32(V);"),
    ("u128", "S.n[0]", "s.n[0] += V;"),
    ("u32x3", "u32x3{{S.i[0], S.i[1], S.i[2]}}",
     "{ const u32x3 v = V; s.i[1] = v.word[0]; s.i[2] ^= v.word[1]; s.i[0] += v.word[2]; }"),
    ("v4u32", "v4u32{S.i[0], S.i[1], S.i[2], S.i[3]}",
     "{ const v4u32 v = V; s.i[3] = v.x; s.i[0] = v.y ^ v.z; s.i[1] = v.w; }")]


def place(rng):
    """The memory of an exchange and the fence with which its stores are seen."""
    name = rng.choice(["lds", "dynamic_lds", "memory_of_block"])
    return name, "__threadfence();\n" if name == "memory_of_block" else ""


def other_item(rng):
    """The work-item whose value one reads; @ stands for the own number."""
    return f"(@ * {rng.choice([1, 3, 5, 31, 33])} + {rng.randrange(64)}) % kThreads"


def permute(rng):
    """Each work-item stores a value and loads that of another, in every width."""
    k, (memory, fence), other = rng.randrange(2), place(rng), other_item(rng)
    kind, store, load = rng.choice([
        *[(kind, f"S.{MEMBER[kind]}[{k}]", f"s.{MEMBER[kind]}[{k}] = V;")
          for kind in ("u8", "u16", "u32", "u64", "f32", "f64", "v2f32")], *WIDTHS])
    return (f"auto* box = reinterpret_cast<{kind}*>({memory});\n"
            f"box[thread] = {store.replace('S.', 's.')};\n{fence}__syncthreads();\n"
            + load.replace("V", f"box[{other.replace('@', 'thread')}]") + "\n__syncthreads();",
            each(f"const u32 x = {other.replace('@', 't')};\nState& s = states[t];\n"
                 + load.replace("V", f"({kind}({store.replace('S.', 'old[x].')}))")))


def rounds(rng):
    """Several exchanges in a loop whose trip count is the same for the workgroup."""
    (memory, fence), i, j = place(rng), rng.randrange(5), rng.randrange(5)
    trips = f"(u.{rng.choice('ab')} + block & 3) + 1"
    return (f"auto* box = reinterpret_cast<u32*>({memory});\n"
            f"for (u32 round = 0; round < {trips}; ++round) {{\n"
            f"box[thread] = s.i[{i}] + round;\n{fence}__syncthreads();\n"
            f"s.i[{j}] ^= box[(thread + round * 7 + 1) % kThreads];\n__syncthreads();\n}}",
            f"for (u32 round = 0; round < {trips}; ++round) " + each(
                f"states[t].i[{j}] ^= old[(t + round * 7 + 1) % kThreads].i[{i}] + round;"))


def scan(rng):
    """An inclusive sum over the workgroup in log2 steps, each with two barriers."""
    kind = rng.choice(["u32", "u64"])
    member = f"{MEMBER[kind]}[{rng.randrange(COUNT[kind])}]"
    memory = rng.choice(["lds", "dynamic_lds"])
    return (f"auto* box = reinterpret_cast<{kind}*>({memory});\n"
            "for (u32 d = 1; d < kThreads; d *= 2) {\n"
            f"box[thread] = s.{member};\n__syncthreads();\n"
            f"if (thread >= d) s.{member} += box[thread - d];\n__syncthreads();\n}}",
            f"for (u32 t = 1; t < kThreads; ++t) states[t].{member} += states[t - 1].{member};")


def barrier_vote(rng):
    """Barriers that count, and that combine, a condition of all work-items."""
    i, k, bit = rng.randrange(5), rng.randrange(5), rng.randrange(32)
    name, value = rng.choice([("count", "sum"), ("and", "(sum == kThreads)"), ("or", "(sum != 0)")])
    return (f"s.i[{k}] += static_cast<u32>(__syncthreads_{name}(s.i[{i}] >> {bit} & 1)) * 5;",
            f"{{\nu32 sum = 0;\nfor (const State& s : states) sum += s.i[{i}] >> {bit} & 1;\n"
            f"for (State& s : states) s.i[{k}] += {value} * 5u;\n}}")


FOLDS = [("atomicAdd", "bin += value"), ("atomicSub", "bin -= value"),
         ("atomicMin", "bin = smaller(bin, value)"), ("atomicMax", "bin = larger(bin, value)"),
         ("atomicAnd", "bin &= value"), ("atomicOr", "bin |= value"), ("atomicXor", "bin ^= value")]


def atomic(rng):
    """Many work-items change few words: the final values."""
    kind, value_kind, number = rng.choice([
        ("u32", "u32", ""), ("u64", "u64", ""), ("u32", "s32", ""), ("u64", "s64", ""),
        ("u32", "f32", " & 1023"), ("u32", "f64", " & 1023")])
    folds = [f for f in FOLDS if value_kind in ("u32", "u64")
             or f[0] in (("atomicMin", "atomicMax") if value_kind[0] == "s" else ("atomicAdd",))]
    (name, fold), (memory, fence) = rng.choice(folds), place(rng)
    name = "unsafeAtomicAdd" if value_kind[0] == "f" and rng.random() < 0.5 else name
    if name == "atomicSub" and value_kind == "u64":
        name, fold = "atomicAdd", "bin += value"  # HIP has no 64-bit atomicSub
    operation = f"{name}(WHERE, VALUE)"
    if value_kind == "s64":  # HIP has no function for it
        operation = (f"__hip_atomic_fetch_{name[6:].lower()}(WHERE, VALUE, __ATOMIC_RELAXED, "
                     "__HIP_MEMORY_SCOPE_AGENT)")
    i, mask = rng.randrange(5), rng.choice([0, 1, 7, 31])
    member = f"{MEMBER[kind]}[{rng.randrange(COUNT[kind])}]"
    value = f"static_cast<{value_kind}>(s.{member}{number})"
    first = f"static_cast<{value_kind}>(@ * 0x12345679u{number})"
    sync = f"{fence}__syncthreads();\n"
    return (f"auto* bins = reinterpret_cast<{value_kind}*>({memory});\n"
            "for (u32 n = thread; n < 32; n += kThreads) "
            f"bins[n] = {first.replace('@', 'n')};\n{sync}"
            + operation.replace("WHERE", f"&bins[s.i[{i}] & {mask}]").replace("VALUE", value)
            + f";\n{sync}"
            f"s.{member} ^= static_cast<{kind}>(bins[thread & 31]);\n{sync}",
            f"{{\n{value_kind} bins[32];\n"
            f"for (u32 t = 0; t < 32; ++t) bins[t] = {first.replace('@', 't')};\n"
            f"for (const State& s : states) {{\n{value_kind}& bin = bins[s.i[{i}] & {mask}];\n"
            f"const {value_kind} value = {value};\n{fold};\n}}\n"
            "for (u32 t = 0; t < kThreads; ++t) "
            f"states[t].{member} ^= static_cast<{kind}>(bins[t & 31]);\n}}")


def count_up(rng):
    """atomicInc and atomicDec, which wrap at a limit."""
    (memory, fence), i, limit = place(rng), rng.randrange(5), rng.choice([0, 3, 99, 1000])
    name, fold = rng.choice([("atomicInc", f"bin >= {limit}u ? 0 : bin + 1"),
                             ("atomicDec", f"bin == 0 || bin > {limit}u ? {limit}u : bin - 1")])
    return (f"auto* bins = reinterpret_cast<u32*>({memory});\n"
            f"for (u32 n = thread; n < 4; n += kThreads) bins[n] = n;\n{fence}__syncthreads();\n"
            f"{name}(&bins[s.i[{i}] & 3], {limit}u);\n{fence}__syncthreads();\n"
            f"s.i[{i}] += bins[thread & 3];\n{fence}__syncthreads();",
            "{\nu32 bins[4] = {0, 1, 2, 3};\nfor (const State& s : states) {\n"
            f"u32& bin = bins[s.i[{i}] & 3];\nbin = {fold};\n}}\n"
            f"for (u32 t = 0; t < kThreads; ++t) states[t].i[{i}] += bins[t & 3];\n}}")


def returned(rng):
    """Atomics on a word of one's own: the value before and after, for every kind."""
    kind, (memory, fence) = rng.choice(["u32", "u64"]), place(rng)
    a, b = (f"s.{MEMBER[kind]}[{rng.randrange(COUNT[kind])}]" for _ in range(2))
    name, fold = rng.choice(FOLDS + [("atomicExch", "bin = value")] * 2)
    if name == "atomicSub" and kind == "u64":
        name, fold = "atomicExch", "bin = value"
    swap = rng.random() < 0.25
    operation = f"{name}(&box[thread], {kind}({b}))"
    if swap:
        expected = f"s.i[0] & 1 ? {kind}({a}) : {kind}(7)"
        operation = f"atomicCAS(&box[thread], {expected}, {kind}({b}))"
        fold = f"if (bin == ({expected})) bin = value"
    return (f"auto* box = reinterpret_cast<{kind}*>({memory});\nbox[thread] = {a};\n"
            f"const {kind} before = {operation};\n"
            f"s.l[0] = s.l[0] * 3 + before;\ns.l[1] ^= box[thread];\n{fence}__syncthreads();",
            f"for (State& s : states) {{\n{kind} bin = {a};\n"
            f"const {kind} before = bin, value = {b};\n{fold};\n"
            "s.l[0] = s.l[0] * 3 + before;\ns.l[1] ^= bin;\n}")


def compare_and_swap(rng):
    """A loop around atomicCAS: products, in any order."""
    (memory, fence), i = place(rng), rng.randrange(5)
    return (f"auto* bin = reinterpret_cast<u32*>({memory});\nif (thread == 0) *bin = 1;\n"
            f"{fence}__syncthreads();\nfor (u32 seen = *bin, expected = 0;;) {{\n"
            f"expected = seen;\nseen = atomicCAS(bin, expected, expected * (s.i[{i}] | 1));\n"
            f"if (seen == expected) break;\n}}\n{fence}__syncthreads();\ns.i[{i}] ^= *bin;\n"
            f"{fence}__syncthreads();",
            f"{{\nu32 bin = 1;\nfor (const State& s : states) bin *= s.i[{i}] | 1;\n"
            f"for (State& s : states) s.i[{i}] ^= bin;\n}}")


def tickets(rng):
    """Each work-item takes a number; the sum and the count of the numbers are known."""
    (memory, fence), i, k = place(rng), rng.randrange(5), rng.randrange(3)
    return (f"auto* bins = reinterpret_cast<u32*>({memory});\nif (thread < 2) bins[thread] = 0;\n"
            f"{fence}__syncthreads();\n"
            f"if (s.i[{i}] & 1) atomicAdd(&bins[1], atomicAdd(&bins[0], 1u));\n"
            f"{fence}__syncthreads();\ns.l[{k}] += u64{{bins[1]}} << 32 | bins[0];\n"
            f"{fence}__syncthreads();",
            f"{{\nu32 count = 0;\nfor (const State& s : states) count += s.i[{i}] & 1;\n"
            "for (State& s : states) "
            f"s.l[{k}] += u64{{count * (count - 1) / 2}} << 32 | count;\n}}")


def total(rng):
    """All workgroups of the kernel change one word; it is compared at the end."""
    kind, slot = rng.choice(["u32", "u64"]), rng.randrange(4)
    names = [("atomicAdd", "bin += value"), ("atomicXor", "bin ^= value")]
    name, fold = names[slot % 2]  # each word has its operation: several steps may share it
    member = f"{MEMBER[kind]}[{rng.randrange(COUNT[kind])}]"
    return (f"{name}(&totals[{slot}], u64(s.{member}));",
            f"for (const State& s : states) {{\nu64& bin = totals[{slot}];\n"
            f"const u64 value = s.{member};\n{fold};\n}}")


ALL = [permute, permute, permute, rounds, scan, barrier_vote, atomic, atomic, atomic, count_up,
       returned, returned, compare_and_swap, tickets, total]
