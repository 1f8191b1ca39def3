// The instructions that move more than they must: cache lines beyond the fewest, LDS cycles beyond
// those of an access without conflicts.
import type { JSX } from "preact";
import { useDetail, useDevices, type KernelProps } from "../data/context";
import type { Device, Instruction } from "../data/model";
import { fileName, grouped, short } from "../format";
import { BankGrid } from "../parts/bank_grid";
import { LineSquares } from "../parts/line_squares";
import { go } from "../route";

const MOST_SHOWN = 12;

const excessLines = (one: Instruction): number =>
  (one.lines_touched ?? 0) - (one.lines_needed ?? 0);

function Place(props: KernelProps & { instruction: Instruction }): JSX.Element {
  const { instruction } = props;
  return (
    <button
      class="link"
      onClick={() =>
        go({
          view: "source",
          run: props.runIndex,
          kernel: props.kernelIndex,
          focus: String(instruction.offset),
        })
      }
    >
      {instruction.file === undefined
        ? `+ ${instruction.offset}`
        : `${fileName(instruction.file)}:${instruction.line}`}
    </button>
  );
}

function strideText({ stride }: Instruction): string {
  if (stride === undefined) return "";
  return stride.least === stride.greatest
    ? `lanes ${grouped(stride.least)} B apart`
    : `lanes ${grouped(stride.least)} to ${grouped(stride.greatest)} B apart`;
}

function Coalescing(props: KernelProps & { instruction: Instruction }): JSX.Element {
  const { instruction } = props;
  const touched = (instruction.lines_touched ?? 0) / instruction.hits;
  const needed = (instruction.lines_needed ?? 0) / instruction.hits;
  return (
    <article class="access">
      <p>
        <Place {...props} /> <code>{instruction.text}</code>
      </p>
      <LineSquares touched={touched} needed={needed} />
      <p class="faint">
        {short(touched)} cache lines a wave where {short(needed)} would do;{" "}
        {strideText(instruction)}; {grouped(instruction.hits)} waves
      </p>
    </article>
  );
}

function Conflicts(props: KernelProps & { instruction: Instruction; device: Device }): JSX.Element {
  const { instruction, device } = props;
  const extra = (instruction.lds_conflict_cycles ?? 0) / instruction.hits;
  const banks = device.numbers.find((number) => number.name === "lds.banks")?.value ?? 32;
  return (
    <article class="access">
      <p>
        <Place {...props} /> <code>{instruction.text}</code>
      </p>
      {instruction.stride === undefined || instruction.bytes_per_lane === undefined ? null : (
        <BankGrid
          banks={banks}
          stride={instruction.stride.greatest}
          bytes={instruction.bytes_per_lane}
        />
      )}
      <p class="faint">
        {short(extra)} cycles a wave more than without conflicts; {strideText(instruction)};{" "}
        {grouped(instruction.hits)} waves
      </p>
    </article>
  );
}

export function AccessView(props: KernelProps): JSX.Element {
  const detail = useDetail(props.runIndex, props.kernelIndex);
  const device = useDevices()?.[props.kernel.device];
  if (detail === undefined || device === undefined) return <p class="loading">Unpacking …</p>;
  const accesses = detail.instructions.filter((one) => (one.lines_touched ?? 0) > 0);
  const wasteful = [...accesses].sort((a, b) => excessLines(b) - excessLines(a));
  const conflicting = detail.instructions
    .filter((one) => (one.lds_conflict_cycles ?? 0) > 0)
    .sort((a, b) => (b.lds_conflict_cycles ?? 0) - (a.lds_conflict_cycles ?? 0));
  const lds = detail.instructions.filter((one) => one.is_lds && one.hits > 0);
  return (
    <div class="columns">
      <section>
        <h2>Cache lines of global memory</h2>
        <p class="faint">
          A square is a line of the vector L1 that one wave's access touches, the worst instruction
          first. <span class="swatch needed" /> needed for the bytes, <span class="swatch excess" />{" "}
          beyond that.
        </p>
        {accesses.length === 0 ? (
          <p class="note">The kernel does not access global memory.</p>
        ) : null}
        {wasteful.slice(0, MOST_SHOWN).map((one) => (
          <Coalescing key={one.offset} {...props} instruction={one} />
        ))}
        {wasteful.length > MOST_SHOWN ? (
          <p class="note">{wasteful.length - MOST_SHOWN} more waste less.</p>
        ) : null}
      </section>
      <section>
        <h2>Banks of the LDS</h2>
        <p class="faint">
          Each lane's words by bank, as the lanes lie at the greatest distance that was seen: what
          stands in one column is served one after the other.
        </p>
        {conflicting.length === 0 ? (
          <p class="note">
            {lds.length === 0 ? "The kernel does not access the LDS." : "No access had a conflict."}
          </p>
        ) : null}
        {conflicting.slice(0, MOST_SHOWN).map((one) => (
          <Conflicts key={one.offset} {...props} instruction={one} device={device} />
        ))}
      </section>
    </div>
  );
}
