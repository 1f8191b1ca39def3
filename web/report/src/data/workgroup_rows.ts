// Workgroups over the CUs of a device: which CU had which, when.
import { grouped } from "../format";
import type { Device, Stays } from "./model";
import { CHOSEN, timelineOf, type Box, type Row, type Timeline } from "./timeline_rows";

/** One workgroup on a CU. */
export interface Stay {
  cu: number;
  workgroup: number;
  begin: number;
  end: number;
}

export function staysOf(stays: Stays): Stay[] {
  let workgroup = 0;
  let begin = 0;
  return stays.cu.map((cu, i) => {
    workgroup += stays.workgroup[i] ?? 0;
    begin += stays.begin[i] ?? 0;
    return { cu, workgroup, begin, end: begin + (stays.length[i] ?? 0) };
  });
}

/** "XCD 2 CU 17": a CU by its number among its XCD's. */
export function unitName(device: Device, cu: number): string {
  const each = device.compute_units / device.xcds;
  const of = `CU ${cu % each}`;
  return device.xcds === 1 ? of : `XCD ${Math.floor(cu / each)} ${of}`;
}

function boxOf(stay: Stay): Box {
  const label = `workgroup ${grouped(stay.workgroup)}`;
  const title = `${label}: cycles ${grouped(stay.begin)} to ${grouped(stay.end)}`;
  return { begin: stay.begin, end: stay.end, band: CHOSEN, label, title, back: false };
}

/** Cycles by which a workgroup may begin before the one whose place it takes ends: a window of the
 * model at most, after which CUs learn what others did in it. */
const WINDOW = 128;

/** Stays that overlap on separate tracks, each on the first that is free. */
function tracksOf(stays: Stay[]): Stay[][] {
  const tracks: { until: number; stays: Stay[] }[] = [];
  for (const stay of stays) {
    let track = tracks.find((one) => one.until <= stay.begin + WINDOW);
    if (track === undefined) {
      track = { until: 0, stays: [] };
      tracks.push(track);
    }
    track.stays.push(stay);
    track.until = stay.end;
  }
  return tracks.map((track) => track.stays);
}

/** What the whole device did, in cycles from the kernel's begin. */
export interface Filling {
  /** When each CU that got a workgroup had its first. */
  filled: number;
  /** CUs that got none. */
  idle: number;
  lastBegin: number;
  end: number;
  /** CUs that were still at work when half of the time from the last begin to the end was over. */
  workingHalfway: number;
}

export function fillingOf(stays: Stay[], units: number): Filling {
  const first = new Map<number, number>();
  const last = new Map<number, number>();
  let lastBegin = 0;
  let end = 0;
  for (const stay of stays) {
    first.set(stay.cu, Math.min(first.get(stay.cu) ?? Infinity, stay.begin));
    last.set(stay.cu, Math.max(last.get(stay.cu) ?? 0, stay.end));
    lastBegin = Math.max(lastBegin, stay.begin);
    end = Math.max(end, stay.end);
  }
  const halfway = (lastBegin + end) / 2;
  return {
    filled: Math.max(0, ...first.values()),
    idle: units - first.size,
    lastBegin,
    end,
    workingHalfway: [...last.values()].filter((until) => until > halfway).length,
  };
}

/** Pixels that the rows of all CUs take together, and what a row takes at least and at most. */
const ALL_ROWS = 430;
const ROW = { least: 1.5, most: 24 };

/** A row for each CU, whose boxes lie over each other. */
export function unitTimeline(stays: Stay[], device: Device): Timeline {
  const units = device.compute_units;
  const rows: Row[] = Array.from({ length: units }, (_, cu) => ({
    label: unitName(device, cu),
    boxes: [],
  }));
  const ofUnit = Array.from({ length: units }, (): Stay[] => []);
  for (const stay of stays) {
    ofUnit[stay.cu]?.push(stay);
    const box = boxOf(stay);
    rows[stay.cu]?.boxes.push({ ...box, title: `${unitName(device, stay.cu)}, ${box.title}` });
  }
  const { lastBegin } = fillingOf(stays, units);
  return {
    ...timelineOf(rows, "cycles"),
    rowHeight: Math.min(ROW.most, Math.max(ROW.least, ALL_ROWS / units)),
    layers: Math.max(1, ...ofUnit.map((one) => tracksOf(one).length)),
    marks: [{ at: lastBegin, label: "the last begins" }],
  };
}

/** The workgroups of one CU, side by side. */
export function oneUnitTimeline(stays: Stay[], cu: number): Timeline {
  const tracks = tracksOf(stays.filter((stay) => stay.cu === cu));
  const rows = tracks.map((track, i) => ({ label: `place ${i}`, boxes: track.map(boxOf) }));
  return timelineOf(rows, "cycles");
}
