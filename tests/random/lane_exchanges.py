"""Steps in which the lanes of a wave exchange values: text for the device and for the host.

On the host all states exist at once, so a step is a loop over the work-items of a workgroup that
reads the states from before it. The last wave may lack lanes; what a builtin gives for an inactive
source lane is taken from the CDNA2 ISA manual (ds_bpermute and ds_swizzle: 0; DPP: the old value).
"""
from values import COUNT, MEMBER


def each(text):
    """Host: runs `text` for every work-item t; `old` are the states before, w the wave's first."""
    return ("{\nconst std::vector<State> old = states;\nfor (u32 t = 0; t < kThreads; ++t) {\n"
            "const u32 w = t - t % kWave, lanes = lanes_of(t, kThreads);\n"
            f"{text}\n}}\n}}")


def member_of(rng, kinds):
    kind = rng.choice(kinds)
    return f"{MEMBER[kind]}[{rng.randrange(COUNT[kind])}]"


def shuffle(rng):
    """Each lane reads the lane that a variable names."""
    member, i = member_of(rng, ["u32", "f32", "f64", "u64"]), rng.randrange(5)
    return (f"s.{member} = __shfl(s.{member}, "
            f"static_cast<int>(s.i[{i}] % lanes_of(thread, kThreads)));",
            each(f"states[t].{member} = old[w + old[t].i[{i}] % lanes].{member};"))


def shuffle_fixed(rng):
    """__shfl_xor, _up and _down inside parts of a wave."""
    member, width = member_of(rng, ["u32", "f32", "f64", "u64"]), rng.choice([64, 32, 16, 8, 4, 2])
    amount = rng.randrange(1, width)
    name, inside, source = rng.choice([
        ("__shfl_xor", "true", f"(t ^ {amount})"),
        ("__shfl_up", f"t % {width} >= {amount}", f"t - {amount}"),
        ("__shfl_down", f"t % {width} + {amount} < {width}", f"t + {amount}")])
    return (f"s.{member} = {name}(s.{member}, {amount}, {width});",
            each(f"const u32 x = {inside} ? {source} : t;\n"
                 f"states[t].{member} = x < kThreads ? old[x].{member} : 0;"))


def wave_sum(rng):
    """A butterfly of shuffles in a loop: every lane gets the sum, where all lanes exist."""
    kind = rng.choice(["u32", "u64"])
    k = rng.randrange(COUNT[kind])
    member = f"{MEMBER[kind]}[{k}]"
    return (f"for (int d = kWave / 2; d > 0; d /= 2) s.{member} += __shfl_xor(s.{member}, d);",
            "for (u32 d = kWave / 2; d > 0; d /= 2) " + each(
                f"if ((t ^ d) < kThreads) states[t].{member} += old[t ^ d].{member};"))


def ballot(rng):
    """Votes of a wave, or of the lanes that an if lets through, and the votes below each lane."""
    i, k, bit = rng.randrange(5), rng.randrange(3), rng.randrange(32)
    j, other = rng.randrange(5), rng.randrange(32)
    among = f"(X.i[{j}] >> {other} & 1)" if rng.random() < 0.5 else "true"
    device = (f"if ({among.replace('X', 's')}) {{\n"
              f"const u64 votes = __ballot(s.i[{i}] >> {bit} & 1);\ns.l[{k}] ^= votes;\n"
              f"s.i[{i}] += __builtin_amdgcn_mbcnt_hi(static_cast<u32>(votes >> 32), "
              "__builtin_amdgcn_mbcnt_lo(static_cast<u32>(votes), 0));\n}")
    return device, each(
        f"if (!{among.replace('X', 'old[t]')}) continue;\nu64 votes = 0;\nu32 below = 0;\n"
        "for (u32 n = 0; n < lanes; ++n) {\n"
        f"const u64 vote = {among.replace('X', 'old[w + n]')} && "
        f"(old[w + n].i[{i}] >> {bit} & 1);\n"
        "votes |= vote << n;\nif (w + n < t) below += vote;\n}\n"
        f"states[t].l[{k}] ^= votes;\nstates[t].i[{i}] += below;")


def vote(rng):
    """__any and __all of a wave."""
    i, k, mask = rng.randrange(5), rng.randrange(5), rng.choice([1, 0x80000000, 0x3f, 0xffff])
    return (f"s.i[{k}] += __any(s.i[{i}] & {mask}u) * 2 + __all(s.i[{i}] & {mask}u);",
            each("u32 any = 0, all = 1;\nfor (u32 n = 0; n < lanes; ++n) {\n"
                 f"const bool is = old[w + n].i[{i}] & {mask}u;\nany |= is, all &= is;\n}}\n"
                 f"states[t].i[{k}] += any * 2 + all;"))


def dpp(rng):
    control = rng.choice([rng.randrange(256), 0x100 + rng.randrange(1, 16),
                          0x110 + rng.randrange(1, 16), 0x120 + rng.randrange(1, 16),
                          0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143])
    i, j = rng.randrange(5), rng.randrange(5)
    return (f"s.i[{i}] += static_cast<u32>(__builtin_amdgcn_update_dpp(static_cast<int>(s.i[{j}]), "
            f"static_cast<int>(s.i[{j}]), {control:#x}, 0xf, 0xf, false));",
            each(f"states[t].i[{i}] += "
                 f"old[w + dpp_source({control:#x}, t % kWave, lanes)].i[{j}];"))


def swizzle(rng):
    pattern, i = rng.randrange(1 << 15), rng.randrange(5)
    return (f"s.i[{i}] ^= static_cast<u32>(__builtin_amdgcn_ds_swizzle(static_cast<int>(s.i[{i}]), "
            f"{pattern:#x}));",
            each(f"const u32 x = w + swizzle_source({pattern:#x}, t % kWave);\n"
                 f"states[t].i[{i}] ^= x < kThreads ? old[x].i[{i}] : 0;"))


def first_lane(rng):
    i, j, lane = rng.randrange(5), rng.randrange(5), rng.randrange(64)
    return (f"s.i[{i}] += "
            f"static_cast<u32>(__builtin_amdgcn_readfirstlane(static_cast<int>(s.i[{j}]))) * 3 + "
            f"static_cast<u32>(__builtin_amdgcn_readlane(static_cast<int>(s.i[{j}]), "
            f"{lane} % lanes_of(thread, kThreads)));",
            each(f"states[t].i[{i}] += old[w].i[{j}] * 3 + old[w + {lane} % lanes].i[{j}];"))


ALL = [shuffle, shuffle_fixed, wave_sum, ballot, vote, dpp, swizzle, first_lane]
