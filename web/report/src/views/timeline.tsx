// When what ran: launches and copies on their queues, workgroups on CUs, and the waves of a CU if
// the kernel was traced.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { useDetail, useShared, type KernelProps } from "../data/context";
import { launchTimeline, waveTimeline } from "../data/timeline_rows";
import { grouped } from "../format";
import { CopyCommand } from "../parts/copy_command";
import { BandLegend } from "../parts/stall_bar";
import { TimelineChart } from "../parts/timeline_chart";
import { Workgroups } from "../parts/workgroups";

function Waves(props: KernelProps): JSX.Element {
  const { reasons } = useShared();
  const detail = useDetail(props.runIndex, props.kernelIndex);
  const timeline = useMemo(
    () => (detail?.trace ? waveTimeline(detail.trace, detail.instructions, reasons) : undefined),
    [detail],
  );
  if (detail === undefined) return <p class="loading">Unpacking …</p>;
  if (timeline === undefined || detail.trace === null) {
    return (
      <>
        <p class="note">
          This kernel's waves were not traced. A trace records each instruction on one CU:
        </p>
        <CopyCommand
          text={`wavetank profile --trace '${props.kernel.name}' -- ${props.run.command.join(" ")}`}
        />
      </>
    );
  }
  const [wave] = detail.trace.waves;
  return (
    <>
      <p class="faint">
        XCD {wave?.xcd} SE {wave?.se} CU {wave?.cu}, launch {detail.trace.dispatch_id}: each wave on
        its slot, what it issued, and before that what it waited for. A wave may begin in a slot
        some cycles before the one in it ends: CUs learn only at the end of a window, of 128 cycles
        at most, what the others did in it.
      </p>
      <TimelineChart
        key={`${props.runIndex}.${props.kernelIndex}`}
        timeline={timeline}
        label="Waves of a CU"
      />
      <BandLegend />
    </>
  );
}

export function TimelineView(props: KernelProps): JSX.Element {
  const { launches, transfers, kernels } = props.run;
  const timeline = useMemo(
    () => launchTimeline(launches, transfers, kernels, props.kernelIndex),
    [launches, props.kernelIndex],
  );
  return (
    <>
      <h2>Launches and copies</h2>
      <p class="faint">
        On the device's clock.
        {launches.left_out > 0 ? ` ${grouped(launches.left_out)} later launches are left out.` : ""}
        {transfers.left_out > 0
          ? ` ${grouped(transfers.left_out)} copies and fills before the last are left out.`
          : ""}
      </p>
      <TimelineChart
        key={props.runIndex}
        timeline={timeline}
        label="Launches and copies on their queues"
      />
      <ul class="legend">
        <li>
          <span class="swatch chosen-launch" aria-hidden="true" /> launches of {props.kernel.name}
        </li>
        <li>
          <span class="swatch other-launch" aria-hidden="true" /> other launches
        </li>
        <li>
          <span class="swatch transfer" aria-hidden="true" /> copies and fills:{" "}
          {grouped(transfers.kind.length)}
        </li>
      </ul>
      <h2>Workgroups over CUs</h2>
      <Workgroups {...props} />
      <h2>Waves of a CU</h2>
      <Waves {...props} />
    </>
  );
}
