// The answer first: what the run spent its time on, all kernels, and the chosen one's verdict.
import type { JSX } from "preact";
import { totalMilliseconds, type KernelProps } from "../data/context";
import { duration, percent } from "../format";
import type { KernelRow } from "../parts/kernel_columns";
import { KernelTable } from "../parts/kernel_table";
import { BandLegend } from "../parts/stall_bar";
import { VerdictCard } from "../parts/verdict_card";

export interface SummaryProps extends KernelProps {
  rows: KernelRow[];
  onSelect: (index: number) => void;
  onOpen: (index: number) => void;
}

function Headline(props: SummaryProps): JSX.Element {
  const { kernels } = props.run;
  const all = kernels.reduce((sum, kernel) => sum + totalMilliseconds(kernel), 0);
  const launches = kernels.reduce((sum, kernel) => sum + kernel.launches, 0);
  const longest = kernels.reduce((a, b) => (totalMilliseconds(b) > totalMilliseconds(a) ? b : a));
  const share = (100 * totalMilliseconds(longest)) / all;
  return (
    <p class="headline">
      {kernels.length === 1 ? "One kernel" : `${kernels.length} kernels`}, {launches}{" "}
      {launches === 1 ? "launch" : "launches"}, <b>{duration(all)}</b>.{" "}
      {kernels.length > 1 ? (
        <>
          <code>{longest.name}</code> takes {percent(share, 0)} of it,{" "}
        </>
      ) : (
        "It is "
      )}
      bound by <b>{longest.verdict.what}</b>
      {longest.findings[0] === undefined ? "." : `: ${longest.findings[0].text}`}
      {longest.findings[0]?.place ? <code> {longest.findings[0].place}</code> : null}
    </p>
  );
}

export function Summary(props: SummaryProps): JSX.Element {
  return (
    <>
      <Headline {...props} />
      {props.run.cut_off ? (
        <p class="note">The profile's last line was cut off: the run did not end by itself.</p>
      ) : null}
      <KernelTable
        rows={props.rows}
        selected={props.kernelIndex}
        onSelect={props.onSelect}
        onOpen={props.onOpen}
      />
      <BandLegend />
      <VerdictCard {...props} />
    </>
  );
}
