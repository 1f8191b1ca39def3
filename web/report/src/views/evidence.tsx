// How the numbers behind the result are known.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useDevices, type KernelProps } from "../data/context";
import type { Answer, DeviceNumber } from "../data/model";
import { answersOf } from "../data/what_if";
import { percent } from "../format";

/** From the best known to the least. */
const KINDS = ["measured", "public", "derived", "fitted", "assumed"];

function Waits({ kernel }: KernelProps): JSX.Element {
  return (
    <section>
      <h3>
        What the waiting rests on <small>stalled cycles by kind of the numbers behind them</small>
      </h3>
      <div class="stall-bar tall" role="img" aria-label="Evidence of the stalled cycles">
        {KINDS.map((kind, index) => {
          const share = kernel.evidence_percent[kind] ?? 0;
          return share === 0 ? null : (
            <span
              key={kind}
              class={`band kind-${index}`}
              style={{ flexGrow: share }}
              title={`${kind}: ${percent(share)}`}
            >
              {share < 8 ? null : (
                <b>
                  {kind} {percent(share, 0)}
                </b>
              )}
            </span>
          );
        })}
      </div>
      <p class="faint">
        {KINDS.filter((kind) => (kernel.evidence_percent[kind] ?? 0) > 0)
          .map((kind) => `${kind} ${percent(kernel.evidence_percent[kind] ?? 0)}`)
          .join(", ")}
      </p>
    </section>
  );
}

/** How far a number that was changed moves the time; nothing for those that were not. */
function Moved(props: { answers: Answer[]; name: string }): JSX.Element | null {
  const answers = props.answers.filter((one) => one.change.startsWith(`${props.name}=`));
  return (
    <>
      {answers.map((one) => (
        <div key={one.change}>
          <code>{one.change}</code>: {percent(Math.abs(one.gain))} {one.gain < 0 ? "more" : "less"}{" "}
          time
        </div>
      ))}
    </>
  );
}

/** Sets of address bits in hexadecimal, as device files give them. */
function valueText(number: DeviceNumber): string {
  return number.unit === "address mask" ? `0x${number.value.toString(16)}` : `${number.value}`;
}

export function EvidenceView(props: KernelProps): JSX.Element {
  const devices = useDevices();
  const [words, setWords] = useState("");
  const [kind, setKind] = useState("");
  const device = devices?.[props.kernel.device];
  if (device === undefined) return <p class="loading">Unpacking …</p>;
  const answers = answersOf(props.kernel.what_if ?? []);
  const count = (one: string): number => device.numbers.filter((n) => n.kind === one).length;
  const shown = device.numbers.filter((number) => {
    const text = `${number.name} ${number.meaning} ${number.source}`.toLowerCase();
    return (kind === "" || number.kind === kind) && text.includes(words.toLowerCase());
  });
  return (
    <>
      <Waits {...props} />
      <h3>
        {device.marketing_name} <small>every number that runs and the cycle model read</small>
      </h3>
      <p>
        <input
          type="search"
          placeholder="Search numbers"
          aria-label="Search numbers"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />{" "}
        <select
          aria-label="Kind of evidence"
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value)}
        >
          <option value="">all kinds ({device.numbers.length})</option>
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {one} ({count(one)})
            </option>
          ))}
        </select>
      </p>
      <table class="plain evidence">
        <thead>
          <tr>
            <th>number</th>
            <th class="numeric">value</th>
            <th>unit</th>
            <th>kind</th>
            <th>meaning and source</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((number) => (
            <tr key={number.name}>
              <th scope="row">
                <code>{number.name}</code>
              </th>
              <td class="numeric">{valueText(number)}</td>
              <td class="faint">{number.unit}</td>
              <td>
                <span class={`kind kind-${KINDS.indexOf(number.kind)}`}>{number.kind}</span>
              </td>
              <td>
                {number.meaning}
                <Moved answers={answers} name={number.name} />
                <div class="faint">
                  {number.source}
                  {number.note === undefined ? "" : ` Note: ${number.note}`}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
