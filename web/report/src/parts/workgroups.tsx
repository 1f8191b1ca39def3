// Which CU had which workgroup when: all CUs of the device, and below them the one that is chosen.
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useDetail, useDevices, type KernelProps } from "../data/context";
import type { Device, Stays } from "../data/model";
import {
  fillingOf,
  oneUnitTimeline,
  staysOf,
  unitName,
  unitTimeline,
  type Filling,
} from "../data/workgroup_rows";
import { grouped } from "../format";
import { TimelineChart } from "./timeline_chart";

/** How the dispatcher filled the device, and how it ran empty. */
function FillingText(props: { filling: Filling; stays: Stays; device: Device }): JSX.Element {
  const { filling, stays, device } = props;
  const { filled, idle, lastBegin, end } = filling;
  const busy = device.compute_units - idle;
  return (
    <p>
      {idle === 0
        ? `All ${device.compute_units} CUs have a workgroup after ${grouped(filled)} cycles.`
        : `${busy} of ${device.compute_units} CUs get a workgroup, within ${grouped(filled)} cycles; ${idle} stay idle.`}{" "}
      The last begins at cycle {grouped(lastBegin)}: for the last {grouped(end - lastBegin)} cycles
      nothing is left to start, and halfway through them {filling.workingHalfway} CUs still work.
      {stays.simulated < stays.workgroups
        ? ` The launch was sampled: ${grouped(stays.simulated)} of ${grouped(stays.workgroups)} workgroups were simulated, and the end is that of the sample.`
        : ""}
      {stays.left_out > 0
        ? ` Of each CU the first and the last are shown: ${grouped(stays.left_out)} between them are not.`
        : ""}
    </p>
  );
}

function Charts(props: { stays: Stays; device: Device }): JSX.Element {
  const { device } = props;
  const [cu, choose] = useState(0);
  const stays = useMemo(() => staysOf(props.stays), [props.stays]);
  const all = useMemo(() => unitTimeline(stays, device), [stays, device]);
  const one = useMemo(() => oneUnitTimeline(stays, cu), [stays, cu]);
  const filling = useMemo(() => fillingOf(stays, device.compute_units), [stays, device]);
  return (
    <>
      <FillingText filling={filling} stays={props.stays} device={device} />
      <p class="faint">
        Launch {props.stays.dispatch_id}. A row is a CU: the stronger its colour, the more of the{" "}
        {all.layers === 1 ? "one workgroup" : `${all.layers} workgroups`} that it holds at most.
      </p>
      <TimelineChart timeline={all} label="Workgroups over CUs" chosen={cu} onChoose={choose} />
      <h3>{unitName(device, cu)}</h3>
      {one.rows.length === 0 ? (
        <p class="note">It had no workgroup.</p>
      ) : (
        <TimelineChart key={cu} timeline={one} label={`Workgroups of ${unitName(device, cu)}`} />
      )}
    </>
  );
}

export function Workgroups(props: KernelProps): JSX.Element {
  const detail = useDetail(props.runIndex, props.kernelIndex);
  const device = useDevices()?.[props.kernel.device];
  if (detail === undefined || device === undefined) return <p class="loading">Unpacking …</p>;
  if (detail.stays === null) {
    return (
      <p class="note">
        {detail.stays_left_out > 0
          ? "The page has no room for this kernel's workgroups: others take longer. A page about a run of this kernel alone shows them."
          : "The profile does not tell where this kernel's workgroups ran: it keeps them for the first launches of a run, and an older Wavetank kept none."}
      </p>
    );
  }
  const key = `${props.runIndex}.${props.kernelIndex}`;
  return <Charts key={key} stays={detail.stays} device={device} />;
}
