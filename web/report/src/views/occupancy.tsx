// How many waves a CU holds: what the resources admit, what was achieved, what would gain a wave.
import { scaleLinear } from "d3-scale";
import type { JSX } from "preact";
import { useDetail, useDevices, type KernelProps } from "../data/context";
import type { Device, Kernel, OccupancyLimit } from "../data/model";
import { grouped, percent } from "../format";
import { ExplainLink } from "../parts/explain";

const FRAME = { left: 60, right: 130, top: 14, bottom: 46, width: 860, height: 330 };

function Staircase(props: { device: Device; kernel: Kernel; registers: number }): JSX.Element {
  const { device, kernel } = props;
  const most = kernel.occupancy.max_waves_per_cu;
  const last = device.register_steps.at(-1)?.max_vgprs ?? 512;
  const x = scaleLinear()
    .domain([0, last])
    .range([FRAME.left, FRAME.width - FRAME.right]);
  const y = scaleLinear()
    .domain([0, most])
    .range([FRAME.height - FRAME.bottom, FRAME.top]);
  const bottom = FRAME.height - FRAME.bottom;
  const steps = device.register_steps.map((step, index) => ({
    from: device.register_steps[index - 1]?.max_vgprs ?? 0,
    to: step.max_vgprs,
    waves: step.waves_per_simd * device.simds_per_cu,
  }));
  const byRegisters = steps.find((step) => props.registers <= step.to)?.waves ?? 0;
  const outline = steps
    .map((step) => `L${x(step.from)},${y(step.waves)} L${x(step.to)},${y(step.waves)}`)
    .join(" ");
  const hasRoom = (step: { to: number }, index: number): boolean => {
    const before = steps[index - 1];
    return before === undefined || x(step.to) - x(before.to) >= 24;
  };
  const across = (waves: number, name: string, label: string, below: boolean): JSX.Element => (
    <g class={`limit ${name}`}>
      <line x1={FRAME.left} x2={FRAME.width - FRAME.right} y1={y(waves)} y2={y(waves)} />
      <text x={FRAME.width - FRAME.right + 6} y={y(waves) + (below ? 14 : 2)}>
        {label}
      </text>
    </g>
  );
  const { waves_per_cu, achieved_waves_per_cu, limited_by } = kernel.occupancy;
  const close = waves_per_cu - achieved_waves_per_cu < 2;
  return (
    <svg
      class="occupancy"
      viewBox={`0 0 ${FRAME.width} ${FRAME.height}`}
      role="img"
      aria-label={`${props.registers} registers; ${limited_by} admit ${waves_per_cu} of ${most} waves a CU, ${achieved_waves_per_cu.toFixed(1)} achieved`}
    >
      {[0, ...steps.map((step) => step.waves)].map((tick) => (
        <g key={tick}>
          <line class="grid" x1={FRAME.left} x2={x(last)} y1={y(tick)} y2={y(tick)} />
          <text class="tick end" x={FRAME.left - 8} y={y(tick) + 4}>
            {tick}
          </text>
        </g>
      ))}
      <path class="stairs" d={`M${x(0)},${bottom} ${outline} L${x(last)},${bottom} Z`} />
      {steps.filter(hasRoom).map((step) => (
        <text key={step.to} class="tick" x={x(step.to)} y={bottom + 16}>
          {step.to}
        </text>
      ))}
      <text class="tick" x={(FRAME.left + x(last)) / 2} y={FRAME.height - 8}>
        VGPRs and AccVGPRs of a wave
      </text>
      <text class="tick" transform={`translate(16,${bottom / 2}) rotate(-90)`}>
        waves a CU
      </text>
      {across(waves_per_cu, "admitted", `${limited_by}: ${waves_per_cu}`, false)}
      {across(
        achieved_waves_per_cu,
        "achieved",
        `achieved ${achieved_waves_per_cu.toFixed(1)}`,
        close,
      )}
      <circle class="here" cx={x(props.registers)} cy={y(byRegisters)} r="6" />
      <text class="here-text" x={x(props.registers) + 10} y={y(byRegisters) + 18}>
        {props.registers} registers
      </text>
    </svg>
  );
}

/** "8 VGPRs less": what admits one workgroup more than are resident. */
function giveUpText(limit: OccupancyLimit): string {
  if (limit.give_up === undefined) return "no amount less admits one more";
  if (limit.give_up === 0) return "admits one more already";
  return `${grouped(limit.give_up)} ${limit.resource === "LDS" ? "bytes of LDS" : limit.resource} less`;
}

function Limits(props: { limits: OccupancyLimit[]; by: string }): JSX.Element {
  return (
    <table class="plain">
      <thead>
        <tr>
          <th>resource</th>
          <th class="numeric">used</th>
          <th class="numeric">allocated</th>
          <th class="numeric">waves/SIMD</th>
          <th class="numeric">workgroups/CU</th>
          <th>for one workgroup more</th>
        </tr>
      </thead>
      <tbody>
        {props.limits.map((limit) => (
          <tr key={limit.resource} class={limit.resource === props.by ? "chosen" : ""}>
            <th scope="row">
              {limit.resource === props.by ? <b>{limit.resource}, the limit</b> : limit.resource}
            </th>
            <td class="numeric">{grouped(limit.used)}</td>
            <td class="numeric">{grouped(limit.allocated)}</td>
            <td class="numeric">{limit.waves_per_simd}</td>
            <td class="numeric">{limit.workgroups_per_cu}</td>
            <td>{giveUpText(limit)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function OccupancyView(props: KernelProps): JSX.Element {
  const detail = useDetail(props.runIndex, props.kernelIndex);
  const device = useDevices()?.[props.kernel.device];
  if (detail === undefined || device === undefined) return <p class="loading">Unpacking …</p>;
  const { occupancy } = props.kernel;
  const registers = detail.occupancy_limits.find((limit) => limit.resource === "VGPRs")?.used ?? 0;
  return (
    <>
      <h2>
        {occupancy.achieved_waves_per_cu.toFixed(1)} of {occupancy.max_waves_per_cu} waves a CU (
        {percent((100 * occupancy.achieved_waves_per_cu) / occupancy.max_waves_per_cu, 0)}),{" "}
        {occupancy.limited_by} admit {occupancy.waves_per_cu} <ExplainLink page="occupancy" />
      </h2>
      <Staircase device={device} kernel={props.kernel} registers={registers} />
      <Limits limits={detail.occupancy_limits} by={occupancy.limited_by} />
    </>
  );
}
