// What is known of the instructions of a line.
import type { JSX } from "preact";
import { useShared } from "../data/context";
import { cyclesByReason, residentCycles } from "../data/line_costs";
import type { Instruction, Kernel } from "../data/model";
import { grouped, percent, short } from "../format";

/** "[name, value]" of what an instruction's waves did, on average. */
function factsOf(instruction: Instruction): [string, string][] {
  const { hits } = instruction;
  if (hits === 0) return [["hits", "never issued"]];
  const facts: [string, string][] = [["hits", grouped(hits)]];
  const average = (name: string, sum: number | undefined, of: string): void => {
    if (sum !== undefined) facts.push([name, `${short(sum / hits)}${of}`]);
  };
  average("lanes", instruction.active_lanes, " of 64");
  if (instruction.lines_needed !== undefined) {
    average(
      "cache lines",
      instruction.lines_touched,
      ` touched, ${short(instruction.lines_needed / hits)} needed`,
    );
  }
  average("translation misses", instruction.translation_misses, " a wave");
  average("LDS conflicts", instruction.lds_conflict_cycles, " cycles a wave");
  average("awaited", instruction.awaited_cycles, " cycles a wave");
  if (instruction.stride !== undefined) {
    const { least, greatest } = instruction.stride;
    facts.push([
      "from lane to lane",
      least === greatest ? `${grouped(least)} B` : `${grouped(least)} to ${grouped(greatest)} B`,
    ]);
  }
  return facts;
}

export function InstructionFacts(props: {
  kernel: Kernel;
  instructions: Instruction[];
}): JSX.Element {
  const { reasons } = useShared();
  const resident = residentCycles(props.kernel);
  const byReason = cyclesByReason(props.instructions);
  const [only] = props.instructions;
  return (
    <div class="instruction-facts" aria-live="polite">
      {only === undefined ? (
        <span class="faint">No instruction comes from this line.</span>
      ) : (
        <span>
          {props.instructions.length === 1 ? (
            <code>{only.text}</code>
          ) : (
            `${props.instructions.length} instructions`
          )}
        </span>
      )}
      {only !== undefined && props.instructions.length === 1
        ? factsOf(only).map(([name, value]) => (
            <span key={name}>
              <span class="faint">{name}</span> {value}
            </span>
          ))
        : null}
      {byReason
        .filter(([, cycles]) => cycles >= resident / 2000)
        .slice(0, 4)
        .map(([reason, cycles]) => (
          <span key={reason}>
            <span class={`swatch band band-${reasons.get(reason)?.band ?? 0}`} aria-hidden="true" />{" "}
            {reasons.get(reason)?.text ?? reason} {percent((100 * cycles) / resident)}
          </span>
        ))}
    </div>
  );
}
