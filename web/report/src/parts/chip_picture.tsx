// The memory of the chip as boxes with pipes between them, as wide as their bytes.
import type { JSX } from "preact";
import { useDevices, type KernelProps } from "../data/context";
import type { Kernel, Level } from "../data/model";
import { percent, quantity } from "../format";

const BOX = { width: 122, height: 128, top: 44 };
const GAP = 118;
const MOST_WIDTH = 34;

/** The widest pipe has the most bytes; a pipe with any is seen. */
function widthOf(bytes: number, most: number): number {
  return bytes === 0 ? 0 : Math.max((MOST_WIDTH * bytes) / most, 1.5);
}

function Pipe(props: { x: number; level: Level; most: number; seconds: number }): JSX.Element {
  const { x, level, most, seconds } = props;
  const line = (bytes: number, y: number, towards: "left" | "right", word: string): JSX.Element => {
    const width = widthOf(bytes, most);
    const tip = towards === "left" ? x + 3 : x + GAP - 3;
    const back = towards === "left" ? tip + 9 : tip - 9;
    const half = Math.max(width / 2 + 4, 6);
    const [from, to] = towards === "left" ? [back, x + GAP] : [x, back];
    return (
      <g class={word === "read" ? "pipe-read" : "pipe-written"} opacity={bytes === 0 ? 0.25 : 1}>
        <rect x={from} y={y - width / 2} width={to - from} height={width} />
        <path d={`M${tip},${y} L${back},${y - half} L${back},${y + half} Z`} />
        <text x={x + GAP / 2} y={y - half - 16} class="pipe-text">
          {word} {quantity(bytes, "B")}
        </text>
        <text x={x + GAP / 2} y={y - half - 4} class="pipe-rate">
          {quantity(bytes / Math.max(seconds, 1e-12), "B/s")}
        </text>
      </g>
    );
  };
  return (
    <>
      {line(level.bytes_read, BOX.top + 44, "left", "read")}
      {line(level.bytes_written, BOX.top + 112, "right", "written")}
    </>
  );
}

function LevelBox(props: {
  x: number;
  y: number;
  title: string;
  lines: string[];
  busy: number;
}): JSX.Element {
  const { x, y } = props;
  const filled = (BOX.height * Math.min(props.busy, 100)) / 100;
  return (
    <g>
      <rect class="box" x={x} y={y} width={BOX.width} height={BOX.height} rx="5" />
      <rect
        class="box-busy"
        x={x}
        y={y + BOX.height - filled}
        width={BOX.width}
        height={filled}
        rx="3"
      />
      <rect class="box-line" x={x} y={y} width={BOX.width} height={BOX.height} rx="5" />
      <text class="box-title" x={x + BOX.width / 2} y={y + 22}>
        {props.title}
      </text>
      {props.lines.map((line, index) => (
        <text key={line} class="box-text" x={x + BOX.width / 2} y={y + 44 + 17 * index}>
          {line}
        </text>
      ))}
    </g>
  );
}

function linesOf(level: Level, kernel: Kernel): string[] {
  const lines = [`${percent(level.busy_percent, 0)} busy`];
  if (level.requests > 0 && level.hits > 0) {
    lines.push(`${percent((100 * level.hits) / level.requests, 0)} hits`);
  }
  const roof = kernel.roofline.levels.find((one) => one.name === level.name);
  if (roof !== undefined) {
    lines.push(`${percent((100 * roof.bytes_per_second) / roof.peak_bytes_per_second, 0)} of peak`);
  }
  if (level.channels !== undefined) lines.push(`${level.channels.count} channels`);
  return lines;
}

/** What the picture says, in words. */
function altText(path: Level[]): string {
  return path
    .map(
      (level) =>
        `${level.name}: ${quantity(level.bytes_read, "B")} read, ${quantity(level.bytes_written, "B")} written, ${percent(level.busy_percent, 0)} busy`,
    )
    .join("; ");
}

export function ChipPicture(props: KernelProps): JSX.Element {
  const { kernel } = props;
  const device = useDevices()?.[kernel.device];
  const lds = kernel.levels.find((level) => level.name === "LDS");
  const usesLds = lds !== undefined && lds.bytes_read + lds.bytes_written > 0;
  const path = kernel.levels.filter((level) => level.name !== "LDS");
  const most = Math.max(...kernel.levels.map((l) => Math.max(l.bytes_read, l.bytes_written)), 1);
  const step = BOX.width + GAP;
  const width = step * (path.length + 1) - GAP + 4;
  const valu = kernel.speed_of_light.find((light) => light.name === "VALU")?.percent ?? 0;
  const fabric = kernel.speed_of_light.find((light) => light.name === "fabric");
  const seconds = kernel.roofline.seconds;
  return (
    <svg
      class="chip"
      viewBox={`0 0 ${width} ${usesLds ? 352 : 196}`}
      style={{ maxWidth: `${width * 1.15}px` }}
      role="img"
      aria-label={altText(kernel.levels)}
    >
      <LevelBox
        x={2}
        y={BOX.top}
        title={device === undefined ? "CUs" : `${device.compute_units} CUs`}
        lines={[
          `${percent(valu, 0)} VALU busy`,
          `${kernel.occupancy.achieved_waves_per_cu.toFixed(1)} waves a CU`,
        ]}
        busy={valu}
      />
      {path.map((level, index) => (
        <g key={level.name}>
          <Pipe x={2 + step * (index + 1) - GAP} level={level} most={most} seconds={seconds} />
          {level.name === "L2" && fabric !== undefined ? (
            <text class="pipe-rate" x={2 + step * (index + 1) + BOX.width / 2} y={BOX.top - 10}>
              {(device?.xcds ?? 1) > 1 ? `${device?.xcds} XCDs, ` : ""}fabric{" "}
              {percent(fabric.percent, 0)} busy
            </text>
          ) : null}
          <LevelBox
            x={2 + step * (index + 1)}
            y={BOX.top}
            title={level.name}
            lines={linesOf(level, kernel)}
            busy={level.busy_percent}
          />
        </g>
      ))}
      {lds === undefined || !usesLds ? null : <LdsBelow level={lds} kernel={kernel} most={most} />}
    </svg>
  );
}

/** The LDS stands beside the CUs' own path to memory. */
function LdsBelow(props: { level: Level; kernel: Kernel; most: number }): JSX.Element {
  const { level } = props;
  const y = BOX.top + BOX.height;
  const read = widthOf(level.bytes_read, props.most);
  const written = widthOf(level.bytes_written, props.most);
  const seconds = Math.max(props.kernel.roofline.seconds, 1e-12);
  return (
    <g>
      <rect class="pipe-read" x={40 - read / 2} y={y} width={read} height={44} />
      <rect class="pipe-written" x={88 - written / 2} y={y} width={written} height={44} />
      <LevelBox
        x={2}
        y={y + 44}
        title="LDS"
        lines={linesOf(level, props.kernel)}
        busy={level.busy_percent}
      />
      <text class="side-text" x={BOX.width + 14} y={y + 78}>
        read {quantity(level.bytes_read, "B")}, {quantity(level.bytes_read / seconds, "B/s")}
      </text>
      <text class="side-text" x={BOX.width + 14} y={y + 96}>
        written {quantity(level.bytes_written, "B")},{" "}
        {quantity(level.bytes_written / seconds, "B/s")}
      </text>
    </g>
  );
}
