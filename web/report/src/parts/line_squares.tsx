// Cache lines that an access touches, as squares.
import type { JSX } from "preact";
import { short } from "../format";

const SIDE = 14;
const A_ROW = 32;
const MOST = 128;

/** Averages over the waves, rounded to whole squares. */
export function LineSquares(props: { touched: number; needed: number }): JSX.Element {
  const touched = Math.min(Math.ceil(props.touched - 0.01), MOST);
  const needed = Math.ceil(props.needed - 0.01);
  const rows = Math.ceil(touched / A_ROW);
  return (
    <svg
      class="squares"
      width={A_ROW * SIDE}
      height={rows * SIDE}
      role="img"
      aria-label={`${short(props.touched)} lines touched, ${short(props.needed)} needed`}
    >
      <defs>
        <pattern id="excess" width="5" height="5" patternUnits="userSpaceOnUse">
          <rect width="5" height="5" class="excess-fill" />
          <path d="M0,5 L5,0" stroke="#ffffff" stroke-opacity="0.6" />
        </pattern>
      </defs>
      {Array.from({ length: touched }, (_, index) => (
        <rect
          key={index}
          class={index < needed ? "needed-fill" : ""}
          fill={index < needed ? undefined : "url(#excess)"}
          x={(index % A_ROW) * SIDE}
          y={Math.floor(index / A_ROW) * SIDE}
          width={SIDE - 2}
          height={SIDE - 2}
        />
      ))}
    </svg>
  );
}
