// What a kernel asked of each array, and what the memory moved for it.
import type { JSX } from "preact";
import { useDetail, type KernelProps } from "../data/context";
import type { ArrayTraffic } from "../data/model";
import { quantity } from "../format";

const PLACES: Record<ArrayTraffic["place"], string> = {
  argument: "global memory",
  other: "global memory, by other pointers",
  scalar: "scalar loads: arguments, constants",
  scratch: "scratch",
  lds: "LDS",
};

const askedFor = (array: ArrayTraffic): number => array.loaded + array.stored + array.atomic;
const bytes = (value: number): string => (value === 0 ? "" : quantity(value, "B"));

/** A bar of what lanes asked for, and below it what L2 and HBM moved: all on one scale. */
function Bars(props: { array: ArrayTraffic; most: number }): JSX.Element {
  const { moved } = props.array;
  const line = (kind: string, words: string, value: number): JSX.Element => (
    <div
      class={`amount ${kind}`}
      style={{ width: `${(100 * value) / props.most}%` }}
      title={`${words}: ${quantity(value, "B")}`}
    />
  );
  return (
    <div class="amounts">
      {line("asked", "asked for by lanes", askedFor(props.array))}
      {moved === undefined ? null : (
        <>
          {line("l2", "through the L2's port", moved.l2_read + moved.l2_written)}
          {line("hbm", "to and from HBM", moved.hbm_read + moved.hbm_written)}
        </>
      )}
    </div>
  );
}

function ArrayRow(props: { array: ArrayTraffic; most: number }): JSX.Element {
  const { array } = props;
  const { moved } = array;
  const both = (read: number, written: number): string =>
    [read > 0 ? `${bytes(read)} read` : "", written > 0 ? `${bytes(written)} written` : ""]
      .filter((text) => text !== "")
      .join(", ") || "0 B";
  return (
    <tr>
      <th scope="row">
        {array.name === "" ? <span class="faint">—</span> : <code>{array.name}</code>}
      </th>
      <td class="faint">{PLACES[array.place]}</td>
      <td class="numeric">{bytes(array.bytes ?? 0)}</td>
      <td class="numeric">{bytes(array.loaded)}</td>
      <td class="numeric">{bytes(array.stored)}</td>
      <td class="numeric">{bytes(array.atomic)}</td>
      <td class="numeric">{moved ? both(moved.l2_read, moved.l2_written) : ""}</td>
      <td class="numeric">{moved ? both(moved.hbm_read, moved.hbm_written) : ""}</td>
      <td style={{ minWidth: "140px", verticalAlign: "middle" }}>
        <Bars array={array} most={props.most} />
      </td>
    </tr>
  );
}

export function ArrayTable(props: KernelProps): JSX.Element {
  const detail = useDetail(props.runIndex, props.kernelIndex);
  if (detail === undefined) return <p class="loading">Unpacking …</p>;
  const arrays = [...detail.arrays].sort((a, b) => askedFor(b) - askedFor(a));
  if (arrays.length === 0) return <p class="note">The kernel accesses no memory.</p>;
  const most = Math.max(
    1,
    ...arrays.flatMap(({ moved, ...array }) => [
      askedFor(array),
      (moved?.l2_read ?? 0) + (moved?.l2_written ?? 0),
      (moved?.hbm_read ?? 0) + (moved?.hbm_written ?? 0),
    ]),
  );
  return (
    <>
      <table class="plain arrays">
        <thead>
          <tr>
            <th>array</th>
            <th>in</th>
            <th class="numeric">size</th>
            <th class="numeric">loaded</th>
            <th class="numeric">stored</th>
            <th class="numeric">atomics</th>
            <th class="numeric">L2</th>
            <th class="numeric">HBM</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {arrays.map((array) => (
            <ArrayRow key={`${array.place}.${array.name}`} array={array} most={most} />
          ))}
        </tbody>
      </table>
      <ul class="legend">
        <li>
          <span class="swatch amount asked" aria-hidden="true" /> asked for by lanes
        </li>
        <li>
          <span class="swatch amount l2" aria-hidden="true" /> through the L2's port
        </li>
        <li>
          <span class="swatch amount hbm" aria-hidden="true" /> to and from HBM
        </li>
      </ul>
      <p class="faint">
        Loaded, stored and atomics count the bytes that active lanes asked for. L2 is what the CUs'
        caches asked of it, in whole sectors and lines; HBM what memory moved, with lines that
        earlier launches had left dirty in the L2. An array reaches from its pointer to the next
        one, or to its allocation's end. LDS variables are named as the source has them, where its
        lines are known (-g).
      </p>
    </>
  );
}
