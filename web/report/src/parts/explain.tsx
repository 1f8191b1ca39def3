// Pages of `wavetank explain` in a dialog.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useShared } from "../data/context";

/** Text with `code` in back-ticks. */
function inline(text: string): ComponentChildren[] {
  return text.split("`").map((piece, index) => (index % 2 === 1 ? <code>{piece}</code> : piece));
}

/** The Markdown that the pages use: headings, paragraphs, lists and indented code. */
function blockOf(block: string, key: number): JSX.Element {
  const heading = /^(#+) (.*)/.exec(block);
  if (heading !== null)
    return heading[1] === "#" ? (
      <h2>{inline(heading[2] ?? "")}</h2>
    ) : (
      <h3>{inline(heading[2] ?? "")}</h3>
    );
  if (/^( {4}|```)/.test(block))
    return <pre>{block.replace(/^```.*$/gm, "").replace(/^ {4}/gm, "")}</pre>;
  if (/^[-|]/.test(block)) {
    return block.startsWith("|") ? (
      <pre>{block}</pre>
    ) : (
      <ul>
        {block
          .slice(2)
          .split(/\n- /)
          .map((item) => (
            <li>{inline(item)}</li>
          ))}
      </ul>
    );
  }
  return <p key={key}>{inline(block)}</p>;
}

function ExplainDialog(props: { page: string; text: string; onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="explain-page"
      aria-label={props.page}
      onClose={props.onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      {props.text.trim().split(/\n\n+/).map(blockOf)}
      <form method="dialog">
        <button>Close</button>
      </form>
    </dialog>
  );
}

/** A question mark that opens the page; nothing where there is none. */
export function ExplainLink({ page }: { page: string }): JSX.Element | null {
  const text = useShared().page.pages[page];
  const [open, setOpen] = useState(false);
  if (text === undefined) return null;
  return (
    <>
      <button
        class="explain"
        aria-label={`What is ${page}?`}
        title={`wavetank explain ${page}`}
        onClick={() => setOpen(true)}
      >
        ?
      </button>
      {open ? <ExplainDialog page={page} text={text} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
