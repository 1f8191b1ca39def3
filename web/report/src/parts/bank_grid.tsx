// The banks of the LDS and the words in them that a wave's lanes ask for.
import type { JSX } from "preact";

const LANES = 64;
const CELL = { width: 13, height: 5 };
const MOST_HEIGHT = 64;
const BANK_BYTES = 4;

/** Different words by bank, of lanes that lie `stride` bytes apart and take `bytes` each. */
export function wordsByBank(banks: number, stride: number, bytes: number): number[] {
  const words = Array.from({ length: banks }, () => new Set<number>());
  for (let lane = 0; lane < LANES; ++lane) {
    for (let byte = 0; byte < bytes; byte += BANK_BYTES) {
      const word = Math.floor((lane * stride + byte) / BANK_BYTES);
      words[((word % banks) + banks) % banks]?.add(word);
    }
  }
  return words.map((set) => set.size);
}

export function BankGrid(props: { banks: number; stride: number; bytes: number }): JSX.Element {
  const words = wordsByBank(props.banks, props.stride, props.bytes);
  const even = (LANES * Math.ceil(props.bytes / BANK_BYTES)) / props.banks;
  const most = Math.max(...words, even);
  const unit = Math.min(CELL.height, (MOST_HEIGHT * 2) / most);
  const height = most * unit;
  const used = words.filter((count) => count > 0).length;
  return (
    <svg
      class="squares"
      width={props.banks * CELL.width + 130}
      height={height + 18}
      role="img"
      aria-label={`${used} of ${props.banks} banks hold the words, the fullest ${most}; ${even} would be even`}
    >
      {words.map((count, bank) => (
        <g key={bank}>
          <rect class="bank" x={bank * CELL.width} y={0} width={CELL.width - 2} height={height} />
          <rect
            class={count > even ? "excess-fill" : "needed-fill"}
            x={bank * CELL.width}
            y={height - count * unit}
            width={CELL.width - 2}
            height={count * unit}
          />
          {bank % 8 === 0 ? (
            <text class="pipe-rate" x={bank * CELL.width + 5} y={height + 13}>
              {bank}
            </text>
          ) : null}
        </g>
      ))}
      <line
        class="even"
        x1={0}
        x2={props.banks * CELL.width}
        y1={height - even * unit}
        y2={height - even * unit}
      />
      <text class="side-text" x={props.banks * CELL.width + 6} y={height - even * unit + 4}>
        {even} words if even
      </text>
    </svg>
  );
}
