// When what ran: launches on their queues, and the waves of a CU if the kernel was traced.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { useDetail, useShared, type KernelProps } from "../data/context";
import { launchTimeline, waveTimeline } from "../data/timeline_rows";
import { CopyCommand } from "../parts/copy_command";
import { BandLegend } from "../parts/stall_bar";
import { TimelineChart } from "../parts/timeline_chart";

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
        its slot, what it issued, and before that what it waited for.
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
  const { launches, kernels } = props.run;
  const timeline = useMemo(
    () => launchTimeline(launches, kernels, props.kernelIndex),
    [launches, props.kernelIndex],
  );
  return (
    <>
      <h2>Launches</h2>
      <p class="faint">
        On the device's clock; <b>{props.kernel.name}</b> stands out.
        {launches.left_out > 0 ? ` ${launches.left_out} later launches are left out.` : ""}
      </p>
      <TimelineChart key={props.runIndex} timeline={timeline} label="Launches on their queues" />
      <h2>Waves of a CU</h2>
      <Waves {...props} />
    </>
  );
}
