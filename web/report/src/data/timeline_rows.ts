// What a timeline shows: rows of boxes over time.
import { duration, grouped, quantity } from "../format";
import { cyclesByReason } from "./line_costs";
import type { Instruction, Kernel, Launches, Reason, Trace, Transfers } from "./model";

/** What launches, copies and workgroups are drawn as. */
export const CHOSEN = -1;
export const OTHER = -2;
export const TRANSFER = -3;

/** By profile::Transfer::Kind; in front of all but the last stands "copy". */
const TRANSFER_WORDS = ["to device", "from device", "on device", "of host memory", "fill"];

export interface Box {
  begin: number;
  end: number;
  /** A band of reasons, whose colour it has; else CHOSEN or OTHER. */
  band: number;
  title: string;
  label: string;
  /** Boxes in the background are taller. */
  back: boolean;
}

export interface Row {
  label: string;
  boxes: Box[];
}

export interface Timeline {
  rows: Row[];
  unit: string;
  begin: number;
  end: number;
  /** Pixels of a row, where it is not the usual height. */
  rowHeight?: number;
  /** Boxes that lie over each other in a row at most: each is drawn so much fainter. */
  layers?: number;
  /** Moments that are marked. */
  marks?: { at: number; label: string }[];
}

export function timelineOf(rows: Row[], unit: string): Timeline {
  let begin = Infinity;
  let end = -Infinity;
  for (const row of rows) {
    row.boxes.sort((a, b) => a.begin - b.begin);
    for (const box of row.boxes) {
      begin = Math.min(begin, box.begin);
      end = Math.max(end, box.end);
    }
  }
  return { rows, unit, begin, end };
}

/** Launches, copies and fills on their queues, in µs; the chosen kernel's launches stand out. */
export function launchTimeline(
  launches: Launches,
  transfers: Transfers,
  kernels: Kernel[],
  chosen: number,
): Timeline {
  const rows = new Map<number, Row>();
  const rowOf = (queue: number): Row => {
    const row = rows.get(queue) ?? { label: `queue ${queue + 1}`, boxes: [] };
    rows.set(queue, row);
    return row;
  };
  transfers.kind.forEach((kind, i) => {
    const begin = (transfers.begin_ns[i] ?? 0) / 1e3;
    const length = (transfers.length_ns[i] ?? 0) / 1e3;
    const label = `${TRANSFER_WORDS[kind] ?? ""} ${quantity(transfers.bytes[i] ?? 0, "B")}`;
    const words = kind < TRANSFER_WORDS.length - 1 ? `copy ${label}` : label;
    const title = `${words}: ${duration(length / 1e3)}`;
    const box = { begin, end: begin + length, band: TRANSFER, label, title, back: false };
    rowOf(transfers.queue[i] ?? 0).boxes.push(box);
  });
  launches.kernel.forEach((kernel, i) => {
    const row = rowOf(launches.queue[i] ?? 0);
    const begin = (launches.begin_ns[i] ?? 0) / 1e3;
    const length = (launches.length_ns[i] ?? 0) / 1e3;
    const name = kernels[kernel]?.name ?? "";
    row.boxes.push({
      begin,
      end: begin + length,
      band: kernel === chosen ? CHOSEN : OTHER,
      label: name,
      title: `${name}: ${duration(length / 1e3)}, ${grouped(launches.cycles[i] ?? 0)} cycles`,
      back: false,
    });
  });
  const byQueue = [...rows].sort((a, b) => a[0] - b[0]).map(([, row]) => row);
  return timelineOf(byQueue, "µs");
}

/** Which reason an instruction's own cycles have: that of issuing it. */
function issueReason(instruction: Instruction | undefined): string {
  const own = Object.keys(instruction?.cycles ?? {}).find((key) => key.startsWith("issue_"));
  return own ?? "issue_scalar";
}

/** The waves of a CU on their slots, in cycles: what each issued, and what it waited for before. */
export function waveTimeline(
  trace: Trace,
  instructions: Instruction[],
  reasons: Map<string, Reason>,
): Timeline {
  const slots = new Map<string, Row>();
  const rowOfWave = trace.waves.map((wave) => {
    const key = [wave.xcd, wave.se, wave.cu, wave.simd, wave.slot]
      .map((n) => String(n).padStart(3, "0"))
      .join(".");
    const row = slots.get(key) ?? { label: `SIMD ${wave.simd} slot ${wave.slot}`, boxes: [] };
    slots.set(key, row);
    const name = `workgroup ${wave.workgroup} wave ${wave.wave}`;
    const title = `${name}: cycles ${grouped(wave.begin)} to ${grouped(wave.end)}`;
    row.boxes.push({ begin: wave.begin, end: wave.end, band: 8, label: name, title, back: true });
    return row;
  });
  const lastOfWave = new Map<number, number>();
  const band = (reason: string): number => reasons.get(reason)?.band ?? 8;
  const { issues } = trace;
  issues.wave.forEach((wave, i) => {
    const row = rowOfWave[wave];
    const cycle = issues.cycle[i] ?? 0;
    const stall = issues.stall[i] ?? 0;
    const instruction = instructions[issues.instruction[i] ?? -1];
    const text = instruction?.text ?? "";
    if (row === undefined) return;
    lastOfWave.set(wave, i);
    const reason = issues.reason[i] ?? "";
    const words = reasons.get(reason)?.text ?? reason;
    const addStall = (begin: number, cycles: number, where: string): void => {
      if (cycles <= 0) return;
      const title = `${words}: ${grouped(cycles)} cycles ${where} ${text}`;
      row.boxes.push({
        begin,
        end: begin + cycles,
        band: band(reason),
        label: "",
        title,
        back: false,
      });
    };
    addStall(cycle - stall, stall, "before");
    addStall(cycle + (issues.length[i] ?? 1), issues.wait[i] ?? 0, "at");
    row.boxes.push({
      begin: cycle,
      end: cycle + Math.max(issues.length[i] ?? 1, 1),
      band: band(issueReason(instruction)),
      label: text,
      title: `${text} at cycle ${grouped(cycle)}`,
      back: false,
    });
  });
  for (const [wave, i] of lastOfWave) {
    const issued = (issues.cycle[i] ?? 0) + Math.max(issues.length[i] ?? 1, 1);
    const begin = issued + (issues.wait[i] ?? 0);
    const end = trace.waves[wave]?.end ?? 0;
    const last = instructions[issues.instruction[i] ?? -1];
    if (last === undefined || end <= begin) continue;
    // What the last instruction's cycles are mostly spent on: a wave ends when its stores have.
    const [reason = "empty"] = cyclesByReason([last])[0] ?? [];
    const words = reasons.get(reason)?.text ?? reason;
    const title = `${words}: ${grouped(end - begin)} cycles, until the wave's end`;
    rowOfWave[wave]?.boxes.push({ begin, end, band: band(reason), label: "", title, back: false });
  }
  return timelineOf(
    [...slots].sort((a, b) => a[0].localeCompare(b[0])).map(([, row]) => row),
    "cycles",
  );
}
