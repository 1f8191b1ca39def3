// What to change, and what each change would gain.
import type { JSX } from "preact";
import type { KernelProps } from "../data/context";
import type { Answer, Kernel, WhatIf } from "../data/model";
import { answersOf, isSeveral, LEAST_PERCENT } from "../data/what_if";
import { grouped, percent } from "../format";
import { Bar } from "../parts/bar";
import { CopyCommand } from "../parts/copy_command";
import { FindingList } from "../parts/finding_list";

function AdviceList({ kernel }: { kernel: Kernel }): JSX.Element {
  const wasTimedAgain = kernel.what_if !== undefined;
  if (kernel.findings.length === 0) {
    return (
      <p class="note">
        {wasTimedAgain
          ? "Nothing to gain here: no remedy that is known saves enough of the time."
          : "No rule found anything."}
      </p>
    );
  }
  return (
    <>
      {wasTimedAgain ? null : (
        <p class="note">Found in the profile, without the gain of removing it:</p>
      )}
      <FindingList findings={kernel.findings} weights={!wasTimedAgain} />
    </>
  );
}

function AnswerRows(props: { cycles: number; answers: Answer[] }): JSX.Element {
  return (
    <tbody>
      {props.answers.map((one) => (
        <tr key={one.change}>
          <th scope="row">
            {one.label}
            <div class="faint">
              <code>{one.change}</code>
            </div>
          </th>
          <td class="numeric">{grouped(one.cycles)}</td>
          <td class="numeric">{percent(one.gain)}</td>
          <td class="numeric">{(props.cycles / Math.max(one.cycles, 1)).toFixed(2)}×</td>
          <td class="wide">
            <Bar percent={Math.max(one.gain, 0)} kind="compute" />
          </td>
        </tr>
      ))}
    </tbody>
  );
}

function WhatIfTable(props: { cycles: number; changes: WhatIf[] }): JSX.Element {
  const answers = answersOf(props.changes);
  const single = answers.filter((one) => !isSeveral(one));
  const several = answers.filter(isSeveral);
  const small = single.filter((one) => one.gain < LEAST_PERCENT);
  const unknown = props.changes.filter((one) => one.problem !== undefined);
  return (
    <>
      <table class="plain lights what-if">
        <thead>
          <tr>
            <th>if</th>
            <th class="numeric">cycles</th>
            <th class="numeric">gain</th>
            <th class="numeric">speed-up</th>
            <th />
          </tr>
        </thead>
        <AnswerRows
          cycles={props.cycles}
          answers={single.filter((one) => one.gain >= LEAST_PERCENT)}
        />
        {several.length === 0 ? null : (
          <tbody>
            <tr>
              <th colSpan={5}>
                <b>together</b>
              </th>
            </tr>
          </tbody>
        )}
        <AnswerRows cycles={props.cycles} answers={several} />
      </table>
      {small.length === 0 ? null : (
        <p class="note">
          Less than {LEAST_PERCENT} %: {small.map((one) => one.label).join("; ")}.
        </p>
      )}
      {unknown.map((one) => (
        <p key={one.change} class="note">
          {one.label}: not known, {one.problem}
        </p>
      ))}
    </>
  );
}

export function AdviceView(props: KernelProps): JSX.Element {
  const { kernel, run } = props;
  const command = run.command.join(" ");
  return (
    <>
      <h2>Advice</h2>
      <AdviceList kernel={kernel} />
      <h2>What if</h2>
      {kernel.not_repeatable !== undefined ? (
        <p class="note">Not timed again: {kernel.not_repeatable}</p>
      ) : kernel.what_if === undefined ? (
        <>
          <p class="note">
            This run was not timed again with causes removed. Then this table says what each is
            worth:
          </p>
          <CopyCommand text={`wavetank profile --what-if -- ${command}`} />
        </>
      ) : (
        <>
          <p class="faint">
            The launch was timed again with one cause removed, from the same state. Gains overlap:
            do not add them.
          </p>
          <WhatIfTable cycles={kernel.cycles} changes={kernel.what_if} />
        </>
      )}
    </>
  );
}
