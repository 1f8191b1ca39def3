// What the rules found in a profile, with what to do about it.
import type { JSX } from "preact";
import type { Finding } from "../data/model";
import { percent } from "../format";
import { ExplainLink } from "./explain";

/** What removing the cause gains, where the launch was timed again. */
function Gain({ finding }: { finding: Finding }): JSX.Element | null {
  if (finding.gain_percent === undefined) return null;
  const about = finding.is_estimated ? "about " : "";
  return (
    <b title={finding.is_estimated ? "by arithmetic on the launch" : finding.change}>
      {about}
      {percent(finding.gain_percent, 0)} less time:{" "}
    </b>
  );
}

export function FindingList(props: { findings: Finding[]; weights?: boolean }): JSX.Element {
  return (
    <ul class="findings">
      {props.findings.map((finding) => (
        <li key={finding.id + finding.place}>
          <Gain finding={finding} />
          {finding.text} {finding.place === "" ? null : <code>{finding.place}</code>}{" "}
          {props.weights ? (
            <span class="faint">concerns {percent(finding.weight_percent, 0)}</span>
          ) : null}{" "}
          <ExplainLink page={finding.id} />
          <div class="faint">{finding.remedy}</div>
        </li>
      ))}
    </ul>
  );
}
