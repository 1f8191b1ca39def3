// A bar of 100 %.
import type { JSX } from "preact";

/** `kind` names the colour: "compute", "memory" or "launch". */
export function Bar(props: { percent: number; kind: string }): JSX.Element {
  return (
    <span class="bar" aria-hidden="true">
      <span
        class={`bar-fill ${props.kind}`}
        style={{ width: `${Math.min(props.percent, 100)}%` }}
      />
    </span>
  );
}
