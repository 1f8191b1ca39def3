// The columns of the table of kernels: what they show and what they are sorted by.
import type { ComponentChildren } from "preact";
import { totalMilliseconds } from "../data/context";
import type { Kernel } from "../data/model";
import { duration, percent } from "../format";
import { StallBar } from "./stall_bar";

/** A kernel of a run, with its share of the time of all kernels. */
export interface KernelRow {
  index: number;
  kernel: Kernel;
  share: number;
}

export interface Column {
  id: string;
  title: string;
  help: string;
  width: string;
  numeric: boolean;
  key: (row: KernelRow) => number | string;
  cell: (row: KernelRow) => ComponentChildren;
}

function ShareCell({ row }: { row: KernelRow }): ComponentChildren {
  return (
    <span class="share">
      <span class="share-bar" style={{ width: `${row.share}%` }} />
      <span class="share-text">{percent(row.share)}</span>
    </span>
  );
}

const occupancyOf = (row: KernelRow): number =>
  row.kernel.occupancy.achieved_waves_per_cu / Math.max(row.kernel.occupancy.max_waves_per_cu, 1);

export const COLUMNS: Column[] = [
  {
    id: "time",
    title: "Time",
    help: "share of the time of all kernels",
    width: "110px",
    numeric: true,
    key: (row) => row.share,
    cell: (row) => <ShareCell row={row} />,
  },
  {
    id: "mean",
    title: "Mean",
    help: "of the launches",
    width: "84px",
    numeric: true,
    key: (row) => totalMilliseconds(row.kernel) / row.kernel.launches,
    cell: (row) => duration(totalMilliseconds(row.kernel) / row.kernel.launches),
  },
  {
    id: "launches",
    title: "Launches",
    help: "of the kernel with this grid and workgroup",
    width: "84px",
    numeric: true,
    key: (row) => row.kernel.launches,
    cell: (row) => row.kernel.launches,
  },
  {
    id: "kernel",
    title: "Kernel",
    help: "name; the whole signature is in the tip",
    width: "minmax(140px, 2fr)",
    numeric: false,
    key: (row) => row.kernel.name,
    cell: (row) => <code title={row.kernel.kernel}>{row.kernel.name}</code>,
  },
  {
    id: "bound",
    title: "Bound by",
    help: "what keeps the kernel from being faster",
    width: "minmax(120px, 1.6fr)",
    numeric: false,
    key: (row) => row.kernel.verdict.what,
    cell: (row) => <span title={row.kernel.verdict.because}>{row.kernel.verdict.what}</span>,
  },
  {
    id: "stalls",
    title: "Cycles by reason",
    help: "wave slot cycles by reason; sorted by the share without work",
    width: "minmax(120px, 1.6fr)",
    numeric: false,
    key: (row) =>
      row.kernel.stall_stack.reduce(
        (sum, share) => sum + (share.reason.startsWith("issue_") ? 0 : share.percent),
        0,
      ),
    cell: (row) => <StallBar shares={row.kernel.stall_stack} label={row.kernel.name} />,
  },
  {
    id: "busiest",
    title: "Busiest",
    help: "the busiest unit or level, of the time that waves run",
    width: "156px",
    numeric: true,
    key: (row) => row.kernel.speed_of_light[0]?.percent ?? 0,
    cell: (row) => {
      const light = row.kernel.speed_of_light[0];
      return light === undefined ? "" : `${light.name} ${percent(light.percent, 0)}`;
    },
  },
  {
    id: "occupancy",
    title: "Waves/CU",
    help: "achieved of what a CU can hold",
    width: "90px",
    numeric: true,
    key: occupancyOf,
    cell: (row) =>
      `${row.kernel.occupancy.achieved_waves_per_cu.toFixed(1)} / ${row.kernel.occupancy.max_waves_per_cu}`,
  },
  {
    id: "roof",
    title: "Of roof",
    help: "share of the attainable rate under the nearest roof",
    width: "110px",
    numeric: true,
    key: (row) => row.kernel.roofline.nearest_percent,
    cell: (row) =>
      row.kernel.roofline.nearest_roof === ""
        ? ""
        : `${row.kernel.roofline.nearest_roof} ${percent(row.kernel.roofline.nearest_percent, 0)}`,
  },
];
