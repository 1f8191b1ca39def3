// The stall stack as one bar. Colour and pattern name a band of reasons; words are in titles and
// in the legend.
import type { JSX } from "preact";
import { useShared } from "../data/context";
import { percent } from "../format";

export interface Part {
  band: number;
  percent: number;
  text: string;
}

/** Shares by reason as parts by band, in the order of the bands. */
export function useBands(shares: { reason: string; percent: number }[]): Part[] {
  const { page, reasons } = useShared();
  const sums = page.bands.map((band, index) => ({ band: index, percent: 0, text: band.name }));
  for (const share of shares) {
    const sum = sums[reasons.get(share.reason)?.band ?? -1];
    if (sum !== undefined) sum.percent += share.percent;
  }
  return sums.filter((sum) => sum.percent > 0);
}

export function StallBar(props: {
  shares: { reason: string; percent: number }[];
  label: string;
  tall?: boolean;
}): JSX.Element {
  const parts = useBands(props.shares);
  const words = parts
    .filter((part) => part.percent >= 1)
    .map((part) => `${part.text} ${percent(part.percent, 0)}`)
    .join(", ");
  return (
    <div
      class={`stall-bar${props.tall ? " tall" : ""}`}
      role="img"
      aria-label={`${props.label}: ${words}`}
    >
      {parts.map((part) => (
        <span
          key={part.band}
          class={`band band-${part.band}`}
          style={{ flexGrow: part.percent }}
          title={`${part.text}: ${percent(part.percent)}`}
        >
          {props.tall && part.percent >= 7 ? <b>{percent(part.percent, 0)}</b> : null}
        </span>
      ))}
    </div>
  );
}

export function BandLegend(): JSX.Element {
  const { page } = useShared();
  return (
    <ul class="legend">
      {page.bands.map((band, index) => (
        <li key={band.name}>
          <span class={`swatch band band-${index}`} aria-hidden="true" /> {band.name}
        </li>
      ))}
    </ul>
  );
}
