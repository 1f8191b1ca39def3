"""One random program: functions, phases, the kernel that runs them, and the same for the host."""
import random

import lane_exchanges
import memory_exchanges
from calls import Calls
from statements import Statements, declare_arrays
from tree import Tree
from values import phase_scope

PARAMETERS = "State& s, const u32* table, const Uniform& u, u32 thread, u32 block, u8* area"
# Shapes of a workgroup: one wave, several, with a part of a wave at the end, in 1 to 3 dimensions.
SHAPES = [(64, 1, 1), (128, 1, 1), (192, 1, 1), (256, 1, 1), (100, 1, 1), (33, 1, 1), (161, 1, 1),
          (8, 8, 1), (16, 16, 1), (5, 7, 3), (4, 4, 4), (64, 2, 1), (3, 50, 1), (1, 70, 1),
          (2, 2, 20), (512, 1, 1)]
GRIDS = [(3, 1, 1), (2, 2, 1), (1, 2, 2), (1, 1, 3), (1, 1, 1), (4, 1, 1)]


class Program:
    """The text of one seed as a tree; `text` and `case` are what generate.py joins.

    A shrinker may give other shapes of the workgroup and the grid than the seed's.
    """

    def __init__(self, seed, threads=None, grid=None):
        self.seed, self.tree = seed, Tree()
        self.rng = rng = random.Random(seed)
        self.threads, self.grid = rng.choice(SHAPES), rng.choice(GRIDS)
        self.threads, self.grid = threads or self.threads, grid or self.grid
        self.count = self.threads[0] * self.threads[1] * self.threads[2]
        self.area = rng.choice(["memory", "lds", "scratch"])
        if self.count > 256 and self.area == "lds":
            self.area = "memory"
        self.calls = Calls(self.tree, rng) if rng.random() < 0.7 else None
        self.phases = rng.randrange(2, 5)
        self.text = "\n".join([self.head(), self.calls.text() if self.calls else "",
                               *self.steps(), "}  // namespace"])

    @property
    def dynamic_lds_bytes(self):
        return self.count * 16 + (self.count * 96 if self.area == "lds" else 0)

    @property
    def name(self):
        return f"seed_{self.seed}"

    def case(self, name):
        """What the harness needs to run the kernel in the namespace `name`."""
        dimensions = [f"dim3({x}, {y}, {z})" for x, y, z in (self.grid, self.threads)]
        return (f'{{"{name}", {self.seed}, {", ".join(dimensions)}, {name}::kPhases, '
                f"{self.dynamic_lds_bytes}, {name}::device_run, {name}::host_run}}")

    def head(self):
        blocks = self.grid[0] * self.grid[1] * self.grid[2]
        words = ", ".join(f"0x{self.rng.getrandbits(32):x}u" for _ in range(16))
        lookup = self.tree.node("function", f"constexpr u32 kLookup[16] = {{{words}}};\n"
                                "RANDOM_FN u32 lookup(u32 index) {\n"
                                "return kLookup[index & 15];\n}", [""])
        return (f"namespace {self.name} {{\nconstexpr u32 kThreads = {self.count}, "
                f"kBlocks = {blocks}, kPhases = {self.phases};\n{lookup}")

    def phase(self, number):
        """A function of random statements over the variables of a work-item."""
        scope = phase_scope()
        scope.functions = list(self.calls.functions) if self.calls else []
        statements = Statements(self.tree, self.rng, scope)
        lines = [declare_arrays(statements, self.rng.randrange(1, 3)),
                 self.tree.statement("Fields fields = {u.a, s32(thread), 3, u.b, -1, 77};")]
        if self.calls and self.calls.bag:
            self.calls.add_bag(scope)
            lines.append(self.tree.statement("Bag bag = {};"))
        lines += [statements.statement(3) for _ in range(self.rng.randrange(6, 13))]
        body = "\n".join(lines)
        return self.tree.node(
            "function", f"RANDOM_FN void phase_{number}({PARAMETERS}) {{\n{body}\n}}", [""])

    def step(self, number):
        """The calls of a phase and an exchange, for the device and the host."""
        rng = self.rng
        guard = rng.choice(["", "", "", f"if (thread % 3 != {rng.randrange(3)}) "])
        call = f"phase_{number}({{state}}, table, u, {{thread}}, block, {{area}});"
        phase = self.tree.nodes("statement", [
            guard + call.format(state="s", thread="thread", area="area"),
            "for (u32 thread = 0; thread < kThreads; ++thread) {\n" + guard
            + call.format(state="states[thread]", thread="thread", area="areas[thread].data()")
            + "\n}"],
            [["", ""]])
        make = rng.choice(rng.choice([lane_exchanges.ALL, memory_exchanges.ALL]))
        device, host = make(rng)
        exchange = self.tree.nodes("statement", [f"{{\n{device}\n}}", host], [["", ""]])
        repeat = ""
        if rng.random() < 0.15:
            repeat = "for (u32 again = 0; again < (u.b & 1) + 1; ++again)"
        device, host = (f"{repeat} {{\n{phase[side]}\n{exchange[side]}\n}}" for side in (0, 1))
        write = f"records[({number} * kBlocks + block) * kThreads + thread] = "
        return (device + f"\n{write}record(s, area);",
                host + "\nfor (u32 thread = 0; thread < kThreads; ++thread) "
                f"{write}record(states[thread], areas[thread].data());")

    def kernel_head(self):
        """The start of the kernel, perhaps with few registers so that the compiler spills."""
        few = self.rng.choice(["", "", "", "__attribute__((amdgpu_num_vgpr(32))) "])
        area = {"memory": "u8* const area = memory_of_block + kMemoryBytes + thread * kAreaBytes;",
                "lds": "u8* const area = dynamic_lds + kThreads * 16 + thread * kAreaBytes;",
                "scratch": "u8 area[kAreaBytes];"}[self.area]
        return (f"__global__ {few}__launch_bounds__(kThreads) void device_run("
                "const u32* table, Uniform u, Record* records, u8* memory, u64* totals) {\n"
                "__shared__ v4u32 lds[kThreads];\n"
                "extern __shared__ __align__(16) u8 dynamic_lds[];\n"
                "const u32 thread = threadIdx.x + "
                "blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n"
                "const u32 block = blockIdx.x + "
                "gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);\n"
                "u8* const memory_of_block = "
                "memory + (kMemoryBytes + kThreads * kAreaBytes) * block;\n"
                f"{area}\n"
                "State s = start(table, thread, block, area);")

    def steps(self):
        phases, device, host = [], [], []
        for number in range(self.phases):
            phases.append(self.phase(number))
            pair = self.tree.nodes("statement", self.step(number), [["", ""]])
            device.append(pair[0])
            host.append(pair[1])
        return [*phases, self.kernel_head(), *device, "}",
                "static void host_run(const u32* table, const Uniform& u, Record* records, "
                "u64* totals, u32 block) {\nstd::vector<State> states(kThreads);\n"
                "std::vector<std::array<u8, kAreaBytes>> areas(kThreads);\n"
                "for (u32 t = 0; t < kThreads; ++t) {\n"
                "states[t] = start(table, t, block, areas[t].data());\n}",
                *host, "}"]
