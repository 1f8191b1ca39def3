// Instructions and source lines with what their waves spent there.
import { grouped, percent } from "../format";
import type { LineCost } from "../parts/cost_gutter";
import type { Instruction, Kernel, Reason } from "./model";

export function cyclesOf(instruction: Instruction): number {
  return Object.values(instruction.cycles).reduce((sum, cycles) => sum + cycles, 0);
}

/** Cycles that waves were resident: what shares of lines are of. */
export function residentCycles(kernel: Kernel): number {
  return kernel.stall_stack.reduce(
    (sum, share) => sum + (share.reason === "empty" ? 0 : share.cycles),
    0,
  );
}

/** Cycles of several instructions by reason, the most first. */
export function cyclesByReason(instructions: Instruction[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const instruction of instructions) {
    for (const [reason, cycles] of Object.entries(instruction.cycles)) {
      sums.set(reason, (sums.get(reason) ?? 0) + cycles);
    }
  }
  return [...sums].sort((a, b) => b[1] - a[1]);
}

/** Costs of lines, each of which stands for some instructions. */
export function costsOf(
  lines: Map<number, Instruction[]>,
  resident: number,
  reasons: Map<string, Reason>,
): Map<number, LineCost> {
  const costs = new Map<number, LineCost>();
  let most = 0;
  for (const [line, instructions] of lines) {
    const byReason = cyclesByReason(instructions);
    const bands = new Map<number, number>();
    for (const [reason, cycles] of byReason) {
      const band = reasons.get(reason)?.band ?? 0;
      bands.set(band, (bands.get(band) ?? 0) + (100 * cycles) / resident);
    }
    const parts = [...bands].sort((a, b) => a[0] - b[0]);
    const share = parts.reduce((sum, [, part]) => sum + part, 0);
    most = Math.max(most, share);
    const words = byReason.map(
      ([reason, cycles]) =>
        `${reasons.get(reason)?.text ?? reason}: ${grouped(cycles)} cycles, ${percent((100 * cycles) / resident)}`,
    );
    costs.set(line, {
      percent: share,
      most: 0,
      parts: parts.map(([band, part]) => ({ band, percent: part })),
      title: words.join("\n"),
    });
  }
  for (const cost of costs.values()) cost.most = Math.max(most, 1e-9);
  return costs;
}
