// Keys, and the dialog that lists them.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

const KEYS: [string, string][] = [
  ["1 … 9, 0, c", "the views, in the order of the tabs"],
  ["j, k", "next and previous kernel"],
  ["/", "search kernels"],
  ["n, p", "in the source view: the next and the previous instruction in cost"],
  ["t", "dark or light"],
  ["?", "this list"],
  ["arrow keys", "rows of a table or list, lines of code"],
  ["← →, + −, Home", "in a timeline: move, zoom, show all"],
  ["Tab, Shift Tab", "next and previous control"],
];

/** Calls `act` for keys that are typed nowhere else. */
export function useShortcuts(act: (key: string) => boolean): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      const typing = target.matches("input, select, textarea, dialog *");
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (latest.current(event.key)) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

export function ShortcutHelp(props: { onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="explain-page" aria-label="Keys" onClose={props.onClose}>
      <h2>Keys</h2>
      <table class="plain">
        <tbody>
          {KEYS.map(([keys, meaning]) => (
            <tr key={keys}>
              <td>
                <kbd>{keys}</kbd>
              </td>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <form method="dialog">
        <button>Close</button>
      </form>
    </dialog>
  );
}
