// What to change, and what each change would gain.
import type { JSX } from "preact";
import type { KernelProps } from "../data/context";
import type { Advice, WhatIf } from "../data/model";
import { grouped, percent } from "../format";
import { Bar } from "../parts/bar";
import { CopyCommand } from "../parts/copy_command";
import { ExplainLink } from "../parts/explain";

function AdviceList({ advice }: { advice: Advice[] }): JSX.Element {
  if (advice.length === 0) return <p class="note">Nothing to gain here.</p>;
  return (
    <ol class="advice">
      {advice.map((one) => (
        <li key={one.rule + (one.place ?? "")}>
          {one.text} {one.place ? <code>{one.place}</code> : null}{" "}
          {one.gain === undefined ? null : <b>{percent(one.gain)} less time</b>}{" "}
          <ExplainLink page={one.rule} />
        </li>
      ))}
    </ol>
  );
}

function WhatIfTable(props: { cycles: number; changes: WhatIf[] }): JSX.Element {
  const changes = [...props.changes].sort((a, b) => b.gain - a.gain);
  return (
    <table class="plain lights">
      <thead>
        <tr>
          <th>without</th>
          <th class="numeric">cycles</th>
          <th class="numeric">gain</th>
          <th class="numeric">speed-up</th>
          <th />
        </tr>
      </thead>
      <tbody>
        {changes.map((one) => (
          <tr key={one.change}>
            <th scope="row" title={one.change}>
              {one.label}
            </th>
            <td class="numeric">{grouped(one.cycles)}</td>
            <td class="numeric">{percent(one.gain)}</td>
            <td class="numeric">{(props.cycles / Math.max(one.cycles, 1)).toFixed(2)}×</td>
            <td class="wide">
              <Bar percent={one.gain} kind="compute" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function AdviceView(props: KernelProps): JSX.Element {
  const { kernel, run } = props;
  const command = run.command.join(" ");
  return (
    <>
      <h2>Advice</h2>
      {kernel.advice === undefined ? (
        <p class="note">
          {kernel.findings.length === 0
            ? "No rule found anything."
            : "Found in the profile, without the gain of removing it:"}
        </p>
      ) : (
        <AdviceList advice={kernel.advice} />
      )}
      {kernel.advice === undefined ? (
        <ul class="findings">
          {kernel.findings.map((finding) => (
            <li key={finding.id + finding.place}>
              {finding.text} {finding.place ? <code>{finding.place}</code> : null}{" "}
              <span class="faint">concerns {percent(finding.weight_percent, 0)}</span>{" "}
              <ExplainLink page={finding.id} />
            </li>
          ))}
        </ul>
      ) : null}
      <h2>What if</h2>
      {kernel.what_if === undefined ? (
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
