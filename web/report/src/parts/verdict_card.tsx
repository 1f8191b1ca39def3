// The verdict of one kernel: the sentence, what was found, where the cycles went, what was busy.
import type { ComponentChildren, JSX } from "preact";
import { useShared, type KernelProps } from "../data/context";
import type { Kernel } from "../data/model";
import { bestAnswers } from "../data/what_if";
import { duration, fileName, grouped, percent } from "../format";
import { go } from "../route";
import { Bar } from "./bar";
import { ExplainLink } from "./explain";
import { FindingList } from "./finding_list";
import { StallBar } from "./stall_bar";

/** "memory-bound" as a word of a sentence: "Memory bound". */
function boundWord(bound: string): string {
  const words = bound.replace("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function VerdictSentence({ kernel }: { kernel: Kernel }): JSX.Element {
  return (
    <p class="verdict">
      <b>{boundWord(kernel.verdict.bound)}:</b> {kernel.verdict.what}.{" "}
      <span class="because">{kernel.verdict.because}</span>{" "}
      <ExplainLink page={kernel.verdict.page} />
    </p>
  );
}

const sizeText = (size: [number, number, number]): string =>
  size
    .slice(0, size[2] > 1 ? 3 : size[1] > 1 ? 2 : 1)
    .map(grouped)
    .join(" × ");

export function Facts({ kernel }: { kernel: Kernel }): JSX.Element {
  const facts: [string, ComponentChildren][] = [
    ["time", `${duration(kernel.milliseconds)} (${grouped(kernel.cycles)} cycles)`],
    ["grid", `${sizeText(kernel.grid_work_items)} in ${sizeText(kernel.workgroup_work_items)}`],
    ["registers", `${kernel.vgprs} VGPRs, ${kernel.agprs} AGPRs, ${kernel.sgprs} SGPRs`],
    ["LDS", `${grouped(kernel.lds_bytes)} B a workgroup`],
  ];
  if (kernel.scratch_bytes_per_lane > 0) {
    facts.push(["scratch", `${grouped(kernel.scratch_bytes_per_lane)} B a lane`]);
  }
  if (kernel.sampled) {
    facts.push(["sampled", `± ${percent(kernel.uncertainty_percent)}`]);
    if (kernel.rest_ratio !== 1) {
      facts.push(["the others", `${kernel.rest_ratio.toFixed(2)} times the instructions`]);
    }
  }
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Findings({ kernel }: { kernel: Kernel }): JSX.Element | null {
  if (kernel.findings.length === 0) return null;
  return (
    <section>
      <h3>Found</h3>
      <FindingList findings={kernel.findings} />
    </section>
  );
}

/** What would help the most, if the run was timed again without its causes. */
function WouldHelp({ kernel }: { kernel: Kernel }): JSX.Element | null {
  const answers = bestAnswers(kernel, 3);
  if (answers.length === 0) return null;
  return (
    <section>
      <h3>
        What would help <small>each timed again alone; do not add them</small>
      </h3>
      <table class="plain">
        <tbody>
          {answers.map((one) => (
            <tr key={one.change}>
              <td class="numeric">
                <b>{(kernel.cycles / Math.max(one.cycles, 1)).toFixed(2)}× faster</b>
              </td>
              <td title={one.change}>if {one.label}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function HotLines(props: KernelProps): JSX.Element {
  const { reasons } = useShared();
  return (
    <section>
      <h3>Hottest lines</h3>
      <table class="plain">
        <tbody>
          {props.kernel.hot_lines.map((line) => (
            <tr key={line.offset}>
              <td>
                <button
                  class="link"
                  onClick={() =>
                    go({
                      view: "source",
                      run: props.runIndex,
                      kernel: props.kernelIndex,
                      focus: String(line.offset),
                    })
                  }
                >
                  {line.line === 0 ? `+ ${line.offset}` : `${fileName(line.file)}:${line.line}`}
                </button>
              </td>
              <td class="numeric">{percent(line.percent)}</td>
              <td>{reasons.get(line.reason)?.text ?? line.reason}</td>
              <td>
                <code>{line.instruction}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SpeedOfLight({ kernel }: { kernel: Kernel }): JSX.Element {
  return (
    <section>
      <h3>Speed of light</h3>
      <table class="plain lights">
        <tbody>
          {kernel.speed_of_light.map((light) => (
            <tr key={light.name}>
              <th scope="row">{light.name}</th>
              <td class="numeric">{percent(light.percent)}</td>
              <td class="wide">
                <Bar percent={light.percent} kind={light.kind} />
              </td>
              <td class="faint">{light.detail}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** On a device of which so much is empty the waves' own cycles have a bar of their own, as in the
 * terminal (kEmptyPermille of src/report/stall_table.hpp). */
const EMPTY_PERCENT = 50;

function Stalls({ kernel }: { kernel: Kernel }): JSX.Element {
  const { reasons } = useShared();
  const empty = kernel.stall_stack.find((share) => share.reason === "empty")?.percent ?? 0;
  const ofWaves = kernel.stall_stack
    .filter((share) => share.reason !== "empty")
    .map((share) => ({ reason: share.reason, percent: share.percent_of_waves }));
  return (
    <section>
      <h3>
        Where the cycles went{" "}
        <small>
          of {grouped(kernel.stall_stack.reduce((sum, s) => sum + s.cycles, 0))} wave slot cycles
        </small>
      </h3>
      <StallBar shares={kernel.stall_stack} label="Where the cycles went" tall />
      {empty < EMPTY_PERCENT ? null : (
        <>
          <p class="faint">of the cycles that waves were resident:</p>
          <StallBar shares={ofWaves} label="Of the cycles that waves were resident" tall />
        </>
      )}
      <table class="plain">
        <tbody>
          {kernel.stall_stack
            .filter((share) => share.percent >= 0.5 || share.percent_of_waves >= 3)
            .map((share) => (
              <tr key={share.reason}>
                <td>
                  <span
                    class={`swatch band band-${reasons.get(share.reason)?.band ?? 0}`}
                    aria-hidden="true"
                  />{" "}
                  {reasons.get(share.reason)?.text ?? share.reason}
                </td>
                <td class="numeric">{percent(share.percent)}</td>
                <td class="numeric faint" title="of the cycles that waves were resident">
                  {share.reason === "empty" ? "" : `${percent(share.percent_of_waves)} of waves`}
                </td>
                <td>
                  <ExplainLink page={reasons.get(share.reason)?.page ?? ""} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}

export function VerdictCard(props: KernelProps): JSX.Element {
  return (
    <article class="card" aria-label={`Verdict of ${props.kernel.name}`}>
      <h2>
        <code>{props.kernel.kernel}</code>
      </h2>
      <VerdictSentence kernel={props.kernel} />
      <Facts kernel={props.kernel} />
      <Findings kernel={props.kernel} />
      <WouldHelp kernel={props.kernel} />
      <div class="columns">
        <div>
          <Stalls kernel={props.kernel} />
          <HotLines {...props} />
        </div>
        <SpeedOfLight kernel={props.kernel} />
      </div>
    </article>
  );
}
