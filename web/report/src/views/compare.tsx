// Two runs: which kernels became faster, and by which reason.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useShared } from "../data/context";
import type { Change, Kernel, Pair } from "../data/model";
import { duration, fileName, grouped, percent, short } from "../format";

function ratioText(before: number, after: number): string {
  if (before === 0 || after === 0) return "";
  return after <= before
    ? `${(before / after).toFixed(2)}× faster`
    : `${(after / before).toFixed(2)}× slower`;
}

/** Differences of the average slot's cycles, to both sides of a middle line. */
function Reasons({ changes }: { changes: Change[] }): JSX.Element {
  const most = Math.max(...changes.map((one) => Math.abs(one.after - one.before)), 1);
  const shown = changes.filter((one) => Math.abs(one.after - one.before) >= most / 200);
  return (
    <table class="plain lights">
      <thead>
        <tr>
          <th>cycles of the average wave slot</th>
          <th class="numeric">before</th>
          <th class="numeric">after</th>
          <th class="numeric">difference</th>
          <th />
        </tr>
      </thead>
      <tbody>
        {shown.map((one) => {
          const difference = one.after - one.before;
          const width = (50 * Math.abs(difference)) / most;
          return (
            <tr key={one.name}>
              <th scope="row">{one.name}</th>
              <td class="numeric">{grouped(one.before)}</td>
              <td class="numeric">{grouped(one.after)}</td>
              <td class="numeric">
                {difference < 0 ? "−" : "+"}
                {grouped(Math.abs(difference))}
              </td>
              <td class="wide">
                <span class="two-sided" aria-hidden="true">
                  <span
                    class={difference < 0 ? "less" : "more"}
                    style={{ width: `${width}%`, [difference < 0 ? "right" : "left"]: "50%" }}
                  />
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Metrics({ changes }: { changes: Change[] }): JSX.Element {
  if (changes.length === 0) return <p class="note">No counter changed by 5 % or more.</p>;
  return (
    <table class="plain">
      <thead>
        <tr>
          <th>counters that changed by 5 % or more</th>
          <th class="numeric">before</th>
          <th class="numeric">after</th>
          <th class="numeric">change</th>
          <th>unit</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((one) => (
          <tr key={one.name}>
            <th scope="row">
              <code>{one.name}</code>
            </th>
            <td class="numeric">{short(one.before)}</td>
            <td class="numeric">{short(one.after)}</td>
            <td class="numeric">
              {one.before === 0 ? "" : percent((100 * (one.after - one.before)) / one.before, 0)}
            </td>
            <td class="faint">{one.unit}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Compared {
  pair: Pair;
  before: Kernel;
  after: Kernel;
}

function PairRow(props: Compared & { chosen: boolean; onChoose: () => void }): JSX.Element {
  const { before, after } = props;
  const same = before.verdict.what === after.verdict.what;
  return (
    <tr class={props.chosen ? "chosen" : ""}>
      <th scope="row">
        <button class="link" aria-pressed={props.chosen} onClick={props.onChoose}>
          {before.name === after.name ? before.name : `${before.name} → ${after.name}`}
        </button>
      </th>
      <td class="numeric">{duration(before.milliseconds)}</td>
      <td class="numeric">{duration(after.milliseconds)}</td>
      <td class="numeric">
        <b>{ratioText(before.milliseconds, after.milliseconds)}</b>
      </td>
      <td>
        {same
          ? `${after.verdict.what}, as before`
          : `${before.verdict.what} → ${after.verdict.what}`}
      </td>
    </tr>
  );
}

export function CompareView(): JSX.Element {
  const { page } = useShared();
  const [chosen, choose] = useState(0);
  const [first, second] = page.runs;
  const all = (page.pairs ?? []).flatMap((pair): Compared[] => {
    const before = first?.kernels[pair.before];
    const after = second?.kernels[pair.after];
    return before === undefined || after === undefined ? [] : [{ pair, before, after }];
  });
  const shown = all[chosen];
  if (shown === undefined) return <p class="note">There is nothing to compare.</p>;
  return (
    <>
      <p class="headline">
        <code>{fileName(first?.file ?? "")}</code> → <code>{fileName(second?.file ?? "")}</code>
      </p>
      <table class="plain pairs">
        <thead>
          <tr>
            <th>kernel</th>
            <th class="numeric">before</th>
            <th class="numeric">after</th>
            <th class="numeric">change</th>
            <th>bound by</th>
          </tr>
        </thead>
        <tbody>
          {all.map((one, index) => (
            <PairRow
              key={index}
              {...one}
              chosen={index === chosen}
              onChoose={() => choose(index)}
            />
          ))}
        </tbody>
      </table>
      <section class="card" aria-label={`Changes of ${shown.before.name}`}>
        <h2>
          <code>{shown.before.name}</code>: {grouped(shown.before.cycles)} →{" "}
          {grouped(shown.after.cycles)} cycles
          {shown.before.device === shown.after.device
            ? ""
            : `, ${shown.before.device} → ${shown.after.device}`}
        </h2>
        <div class="columns">
          <Reasons changes={shown.pair.reasons} />
          <Metrics changes={shown.pair.metrics} />
        </div>
      </section>
    </>
  );
}
