// The page's data: what `wavetank report --json` prints, and what src/report/page.cpp adds to it.

/** Shares of wave slot cycles that were spent on one reason. */
export interface StallShare {
  reason: string;
  cycles: number;
  percent: number;
  percent_of_waves: number;
}

export interface HotLine {
  file: string;
  line: number;
  instruction: string;
  offset: number;
  reason: string;
  percent: number;
  reason_percent: number;
}

export interface RoofLevel {
  name: string;
  bytes: number;
  bytes_per_second: number;
  peak_bytes_per_second: number;
  flop_per_byte: number;
  ridge_flop_per_byte: number;
}

export interface Roofline {
  region: string;
  nearest_roof: string;
  nearest_percent: number;
  seconds: number;
  flop: number;
  is_integer: boolean;
  flop_per_second: number;
  peak: string;
  peak_flop_per_second: number;
  levels: RoofLevel[];
}

/** Traffic of one level of the memory hierarchy; bytes crossed its upper port. */
export interface Level {
  name: string;
  bytes_read: number;
  bytes_written: number;
  peak_bytes_per_cycle: number;
  /** The device number that the peak rests on. */
  peak_source: string;
  requests: number;
  hits: number;
  busy_percent: number;
  channels?: {
    count: number;
    busiest_percent: number;
    moment_percent: number;
    crowded: number;
    crowded_percent: number;
  };
  rows?: { opened: number; row_bytes: number; busy_percent: number; bus_percent: number };
}

export interface Finding {
  id: string;
  text: string;
  place: string;
  weight_percent: number;
  /** What to do, in one sentence. */
  remedy: string;
  /** The change that removes the cause; empty where the gain is estimated. */
  change: string;
  /** Of the launch's time, without the cause; absent if the launch was not timed again. */
  gain_percent?: number;
  is_estimated?: boolean;
}

/** A launch that was timed again with one cause removed. */
export interface WhatIf {
  /** "lds.conflicts=off", several joined by "+", or "all". */
  change: string;
  label: string;
  cycles?: number;
  /** Percent of the launch's cycles that the change saves. */
  gain?: number;
  /** Why it is not known. */
  problem?: string;
}

/** One that is known. */
export type Answer = WhatIf & { cycles: number; gain: number };

export interface Kernel {
  name: string;
  kernel: string;
  mangled: string;
  device: string;
  engine_clock_mhz: number;
  grid_work_items: [number, number, number];
  workgroup_work_items: [number, number, number];
  vgprs: number;
  agprs: number;
  sgprs: number;
  lds_bytes: number;
  scratch_bytes_per_lane: number;
  launches: number;
  least_cycles: number;
  mean_cycles: number;
  most_cycles: number;
  average_of_launches: number;
  cycles: number;
  milliseconds: number;
  launch_cycles: number;
  write_back_cycles: number;
  tail_cycles: number;
  sampled: boolean;
  uncertainty_percent: number;
  rest_ratio: number;
  verdict: { bound: string; what: string; because: string; page: string; resource: string };
  findings: Finding[];
  speed_of_light: { name: string; percent: number; kind: string; detail: string }[];
  levels: Level[];
  occupancy: {
    waves_per_cu: number;
    max_waves_per_cu: number;
    limited_by: string;
    achieved_waves_per_cu: number;
  };
  stall_stack: StallShare[];
  hot_lines: HotLine[];
  roofline: Roofline;
  evidence_percent: Record<string, number>;
  what_if?: WhatIf[];
  /** Why the launch could not be timed again. */
  not_repeatable?: string;
}

/** Launches as lists of equal length. */
export interface Launches {
  kernel: number[];
  queue: number[];
  begin_ns: number[];
  length_ns: number[];
  cycles: number[];
  left_out: number;
}

/** Copies and fills as lists of equal length. */
export interface Transfers {
  /** Index into TRANSFER_WORDS. */
  kind: number[];
  queue: number[];
  bytes: number[];
  begin_ns: number[];
  length_ns: number[];
  left_out: number;
}

export interface Run {
  file: string;
  command: string[];
  cut_off: boolean;
  kernels: Kernel[];
  launches: Launches;
  transfers: Transfers;
}

export interface Change {
  name: string;
  unit: string;
  before: number;
  after: number;
}

/** Kernels of two runs that belong together, by their places in the runs. */
export interface Pair {
  before: number;
  after: number;
  reasons: Change[];
  metrics: Change[];
}

export interface Reason {
  key: string;
  text: string;
  page: string;
  band: number;
}

export interface Band {
  name: string;
  colour: string;
  on_dark: string;
}

export interface Page {
  version: string;
  reasons: Reason[];
  bands: Band[];
  runs: Run[];
  pairs?: Pair[];
  /** Pages of `wavetank explain` by name, in Markdown. */
  pages: Record<string, string>;
}

export interface Instruction {
  offset: number;
  text: string;
  hits: number;
  cycles: Record<string, number>;
  file?: string;
  line?: number;
  /** What a memory instruction moves for each lane. */
  bytes_per_lane?: number;
  is_lds?: boolean;
  active_lanes?: number;
  lines_touched?: number;
  lines_needed?: number;
  /** Bytes from one active lane's address to the next one's. */
  stride?: { least: number; greatest: number };
  /** Of its hits, those that access the lanes' scratch memory. */
  private_accesses?: number;
  translation_misses?: number;
  lds_conflict_cycles?: number;
  awaited_cycles?: number;
}

export interface TraceWave {
  xcd: number;
  se: number;
  cu: number;
  simd: number;
  slot: number;
  workgroup: number;
  wave: number;
  begin: number;
  end: number;
}

/** Issues as lists of equal length; `wave` and `instruction` are indices. */
export interface TraceIssues {
  wave: number[];
  instruction: number[];
  cycle: number[];
  length: number[];
  /** Cycles before the issue, and after it: an s_waitcnt waits when it was issued. */
  stall: number[];
  wait: number[];
  reason: string[];
}

export interface Trace {
  dispatch_id: number;
  waves: TraceWave[];
  issues: TraceIssues;
}

/** Workgroups on CUs as lists of equal length, by begin. */
export interface Stays {
  dispatch_id: number;
  /** Of the launch, and those of them that were simulated. */
  workgroups: number;
  simulated: number;
  /** Of those simulated, between the first and the last of their CUs. */
  left_out: number;
  cu: number[];
  /** Differences to the one before. */
  workgroup: number[];
  begin: number[];
  length: number[];
}

/** What a kernel's accesses asked for of an array, in bytes of lanes. */
export interface ArrayTraffic {
  name: string;
  place: "argument" | "other" | "scalar" | "scratch" | "lds";
  instructions: number;
  loaded: number;
  stored: number;
  atomic: number;
  /** Of the array. */
  bytes?: number;
  /** What crossed the upper ports of the L2s and of HBM for it. */
  moved?: { l2_read: number; l2_written: number; hbm_read: number; hbm_written: number };
}

export interface OccupancyLimit {
  resource: string;
  used: number;
  allocated: number;
  waves_per_simd: number;
  workgroups_per_cu: number;
  /** Registers or bytes less that admit one workgroup more; absent: no amount is enough. */
  give_up?: number;
}

export interface Counter {
  sum: number;
  max: number;
  instances: number;
}

/** What the views of one kernel need beyond Kernel. */
export interface Detail {
  counters: Record<string, Counter>;
  metrics: Record<string, { unit: string; value?: number; no_value?: string }>;
  instructions: Instruction[];
  occupancy_limits: OccupancyLimit[];
  arrays: ArrayTraffic[];
  stays: Stays | null;
  /** Where the page has no room for them. */
  stays_left_out: number;
  trace: Trace | null;
}

/** A number of a device's description, with how it is known. */
export interface DeviceNumber {
  name: string;
  value: number;
  unit: string;
  kind: string;
  source: string;
  meaning: string;
  note?: string;
}

export interface Device {
  name: string;
  marketing_name: string;
  gfx: string;
  compute_units: number;
  xcds: number;
  simds_per_cu: number;
  wave_slots_per_simd: number;
  engine_clock_mhz: number;
  peaks: {
    rates: { name: string; flop_per_second: number; kind: string }[];
    bandwidths: { name: string; bytes_per_second: number; kind: string }[];
  };
  register_steps: { waves_per_simd: number; max_vgprs: number }[];
  numbers: DeviceNumber[];
}
