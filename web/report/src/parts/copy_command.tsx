// A command that the reader can take to a terminal.
import type { JSX } from "preact";
import { useState } from "preact/hooks";

export function CopyCommand({ text }: { text: string }): JSX.Element {
  const [said, setSaid] = useState("Copy");
  const copy = (): void => {
    // Pages of file:// may have no clipboard; the text can be selected then.
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("Select it"),
    );
  };
  return (
    <p class="command">
      <code>{text}</code> <button onClick={copy}>{said}</button>
    </p>
  );
}
