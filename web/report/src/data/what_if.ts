// The answers of launches that were timed again.
import type { Answer, Kernel, WhatIf } from "./model";

/** Less is within what the model says anyhow. */
export const LEAST_PERCENT = 1;

/** Those that are known, the largest gain first. */
export function answersOf(changes: WhatIf[]): Answer[] {
  const known = changes.filter(
    (one): one is Answer => one.cycles !== undefined && one.gain !== undefined,
  );
  return known.sort((a, b) => b.gain - a.gain);
}

export const isSeveral = (one: WhatIf): boolean => one.change === "all" || one.change.includes("+");

/** The single changes of a kernel that gain the most, at most so many. */
export function bestAnswers(kernel: Kernel, count: number): Answer[] {
  const single = answersOf(kernel.what_if ?? []).filter((one) => !isSeveral(one));
  return single.filter((one) => one.gain >= LEAST_PERCENT).slice(0, count);
}
