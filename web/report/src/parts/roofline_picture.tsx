// Kernels as points under the roofs of their device, on logarithmic axes.
import { scaleLog, type ScaleLogarithmic } from "d3-scale";
import type { JSX } from "preact";
import type { Device, Kernel, RoofLevel } from "../data/model";
import { bestAnswers } from "../data/what_if";
import { quantity, tick as tickText } from "../format";
import type { KernelRow } from "./kernel_columns";

const FRAME = { left: 76, right: 20, top: 16, bottom: 50, width: 1000, height: 560 };

/** The levels whose peak bandwidths have other names than their traffic. */
const LONG_NAMES: Record<string, string> = { vL1D: "vector L1", MALL: "Infinity Cache" };

interface Axes {
  x: ScaleLogarithmic<number, number>;
  y: ScaleLogarithmic<number, number>;
}

/** The level whose roof a kernel is nearest to, else the farthest with traffic. */
export function levelOf(kernel: Kernel): RoofLevel | undefined {
  const { levels, nearest_roof } = kernel.roofline;
  return levels.find((level) => level.name === nearest_roof) ?? levels.at(-1);
}

/** Where a kernel without floating point stands: at the left edge, at its bandwidth. */
function edgeOf(kernel: Kernel, left: number): { intensity: number; rate: number } | undefined {
  const level = levelOf(kernel);
  if (level === undefined) return undefined;
  const intensity = left * 1.5;
  return { intensity, rate: intensity * level.bytes_per_second };
}

/** Where a kernel stands; undefined if it did no arithmetic of the roofs' kind. */
export function pointOf(kernel: Kernel): { intensity: number; rate: number } | undefined {
  const level = levelOf(kernel);
  const { flop, is_integer, flop_per_second } = kernel.roofline;
  if (level === undefined || flop === 0 || is_integer || level.flop_per_byte === 0)
    return undefined;
  return { intensity: level.flop_per_byte, rate: flop_per_second };
}

function axesOf(device: Device, kernels: Kernel[]): Axes {
  const points = kernels.flatMap((kernel) => pointOf(kernel) ?? []);
  const top = Math.max(...device.peaks.rates.map((rate) => rate.flop_per_second));
  const low = Math.min(...points.map((point) => point.rate / 3), top / 3e4);
  const left = Math.min(...points.map((point) => point.intensity / 3), 0.03);
  const right = Math.max(...points.map((point) => point.intensity * 3), 1e3);
  return {
    x: scaleLog()
      .domain([left, right])
      .range([FRAME.left, FRAME.width - FRAME.right]),
    y: scaleLog()
      .domain([low, top * 2])
      .range([FRAME.height - FRAME.bottom, FRAME.top]),
  };
}

const decades = (scale: ScaleLogarithmic<number, number>): number[] =>
  scale.ticks().filter((tick) => Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-9);

function Grid({ axes }: { axes: Axes }): JSX.Element {
  const bottom = FRAME.height - FRAME.bottom;
  return (
    <g>
      {decades(axes.x).map((tick) => (
        <g key={tick}>
          <line class="grid" x1={axes.x(tick)} x2={axes.x(tick)} y1={FRAME.top} y2={bottom} />
          <text class="tick" x={axes.x(tick)} y={bottom + 18}>
            {tickText(tick)}
          </text>
        </g>
      ))}
      {decades(axes.y).map((tick) => (
        <g key={tick}>
          <line
            class="grid"
            x1={FRAME.left}
            x2={FRAME.width - FRAME.right}
            y1={axes.y(tick)}
            y2={axes.y(tick)}
          />
          <text class="tick end" x={FRAME.left - 8} y={axes.y(tick) + 4}>
            {tickText(tick)}
          </text>
        </g>
      ))}
      <text class="tick" x={(FRAME.left + FRAME.width) / 2} y={FRAME.height - 10}>
        FLOP per byte of the level that a kernel is nearest to
      </text>
      <text class="tick" transform={`translate(16,${FRAME.height / 2}) rotate(-90)`}>
        FLOP/s
      </text>
    </g>
  );
}

/** True for the roofs that the kernel's traffic stands under. */
function isOwn(kernel: Kernel, roof: string): boolean {
  const level = levelOf(kernel)?.name;
  return level !== undefined && (level === roof || LONG_NAMES[level] === roof);
}

/** Where the chosen kernel stands with respect to its other levels: the same rate, other bytes. */
function OtherLevels({ axes, kernel }: { axes: Axes; kernel: Kernel }): JSX.Element | null {
  const point = pointOf(kernel);
  if (point === undefined) return null;
  const y = axes.y(point.rate);
  const [left = 0, right = 1] = axes.x.domain();
  const levels = kernel.roofline.levels.filter(
    ({ flop_per_byte }) => flop_per_byte > left && flop_per_byte < right,
  );
  const places = levels.map((level) => axes.x(level.flop_per_byte));
  return (
    <g>
      <line class="climb" x1={Math.min(...places)} x2={Math.max(...places)} y1={y} y2={y} />
      {levels.map((level, index) => (
        <g key={level.name}>
          <circle class="ghost" cx={axes.x(level.flop_per_byte)} cy={y} r="5" />
          <text class="tick" x={axes.x(level.flop_per_byte)} y={y + (index % 2 ? -16 : 26)}>
            {level.name}
          </text>
        </g>
      ))}
    </g>
  );
}

/** What the chosen kernel would do without a cause, if its bytes stayed the same. */
function WhatIfPoints({ axes, kernel }: { axes: Axes; kernel: Kernel }): JSX.Element | null {
  const point = pointOf(kernel);
  if (point === undefined) return null;
  const x = axes.x(point.intensity);
  return (
    <g>
      {bestAnswers(kernel, 3).map((one, index) => {
        const y = axes.y((point.rate * kernel.cycles) / Math.max(one.cycles, 1));
        return (
          <g key={one.change}>
            {index === 0 ? (
              <line class="climb" x1={x} x2={x} y1={axes.y(point.rate)} y2={y} />
            ) : null}
            <path class="ghost" d={`M${x - 6},${y + 4} L${x},${y - 6} L${x + 6},${y + 4} Z`} />
            <text class="side-text" x={x + 11} y={y + 4}>
              {one.change}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** Rates that are (nearly) the same share a line and a label. */
function flatRoofs(device: Device): { names: string; rate: number }[] {
  const roofs: { names: string; rate: number }[] = [];
  for (const rate of [...device.peaks.rates].sort(
    (a, b) => b.flop_per_second - a.flop_per_second,
  )) {
    const same = roofs.find((one) => Math.abs(one.rate / rate.flop_per_second - 1) < 0.02);
    if (same === undefined) roofs.push({ names: rate.name, rate: rate.flop_per_second });
    else same.names += `, ${rate.name}`;
  }
  return roofs;
}

function Roofs({
  axes,
  device,
  kernel,
}: {
  axes: Axes;
  device: Device;
  kernel: Kernel;
}): JSX.Element {
  const [left = 0, right = 1] = axes.x.domain();
  const [low = 0] = axes.y.domain();
  const flat = flatRoofs(device);
  const top = flat[0]?.rate ?? 1;
  const steepest = Math.max(...device.peaks.bandwidths.map((level) => level.bytes_per_second));
  return (
    <g>
      {device.peaks.bandwidths.map((level, index) => {
        const bytes = level.bytes_per_second;
        const from = Math.max(left, low / bytes);
        const to = top / bytes;
        const angle =
          (Math.atan2(axes.y(from * bytes) - axes.y(to * bytes), axes.x(to) - axes.x(from)) * 180) /
          Math.PI;
        // The labels of roofs that lie close together stand one beside the other.
        const at = axes.x.invert(axes.x(from) + 12 + 150 * (index % 3));
        return (
          <g key={level.name}>
            <line
              class={`roof${isOwn(kernel, level.name) ? "" : " aside"}`}
              x1={axes.x(from)}
              y1={axes.y(from * bytes)}
              x2={axes.x(to)}
              y2={axes.y(to * bytes)}
            />
            <text
              class="roof-text"
              transform={`translate(${axes.x(at)},${axes.y(at * bytes) - 5}) rotate(${-angle})`}
            >
              {level.name} {quantity(bytes, "B/s")}
            </text>
          </g>
        );
      })}
      {flat.map((roof) => (
        <g key={roof.names}>
          <line
            class={`roof flat${roof.names.split(", ").includes(kernel.roofline.peak) ? "" : " aside"}`}
            x1={axes.x(Math.max(roof.rate / steepest, left))}
            x2={axes.x(right)}
            y1={axes.y(roof.rate)}
            y2={axes.y(roof.rate)}
          />
          <text class="roof-text end" x={axes.x(right) - 4} y={axes.y(roof.rate) - 4}>
            {roof.names} {quantity(roof.rate, "FLOP/s")}
          </text>
        </g>
      ))}
    </g>
  );
}

function Points(props: { axes: Axes; rows: KernelRow[]; selected: number }): JSX.Element {
  return (
    <g>
      {props.rows.map((row, index) => {
        const own = pointOf(row.kernel);
        const [left = 0] = props.axes.x.domain();
        const point = own ?? edgeOf(row.kernel, left * 1.25 ** (index % 6));
        if (point === undefined) return null;
        const x = props.axes.x(point.intensity);
        const y = props.axes.y(point.rate);
        return (
          <g key={row.index} class={row.index === props.selected ? "point chosen" : "point"}>
            {own === undefined ? (
              <path d={`M${x - 10},${y} L${x},${y - 10} L${x + 10},${y} L${x},${y + 10} Z`} />
            ) : (
              <circle cx={x} cy={y} r={6 + row.share / 12} />
            )}
            <text x={x} y={y + 4}>
              {index + 1}
            </text>
            <title>{row.kernel.name}</title>
          </g>
        );
      })}
    </g>
  );
}

export function RooflinePicture(props: {
  device: Device;
  kernel: Kernel;
  rows: KernelRow[];
  selected: number;
}): JSX.Element {
  const { device, kernel, rows } = props;
  const axes = axesOf(
    device,
    rows.map((row) => row.kernel),
  );
  const words = rows.map((row) => `${row.kernel.name}: ${row.kernel.roofline.region}`);
  return (
    <svg
      class="roofline"
      viewBox={`0 0 ${FRAME.width} ${FRAME.height}`}
      role="img"
      aria-label={words.join("; ")}
    >
      <Grid axes={axes} />
      <Roofs axes={axes} device={device} kernel={kernel} />
      <OtherLevels axes={axes} kernel={kernel} />
      <WhatIfPoints axes={axes} kernel={kernel} />
      <Points axes={axes} rows={rows} selected={props.selected} />
    </svg>
  );
}
