// The kernels beside a view.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { percent } from "../format";
import type { KernelRow } from "./kernel_columns";
import { useVirtualRows } from "./virtual";

const ROW_HEIGHT = 34;

export function KernelList(props: {
  rows: KernelRow[];
  selected: number;
  onSelect: (index: number) => void;
}): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualRows(props.rows.length, ROW_HEIGHT, scroller);
  const at = props.rows.findIndex((row) => row.index === props.selected);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, [at]);
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const row = props.rows[at + step];
    if (step === 0 || row === undefined) return;
    event.preventDefault();
    props.onSelect(row.index);
  };
  return (
    <div
      class="kernel-list"
      role="listbox"
      aria-label="Kernels"
      tabIndex={0}
      ref={scroller}
      aria-activedescendant={at >= 0 ? `kernel-item-${props.selected}` : undefined}
      onKeyDown={onKey}
    >
      <div style={{ height: `${virtual.getTotalSize()}px`, position: "relative" }}>
        {virtual.getVirtualItems().map((item) => {
          const row = props.rows[item.index];
          if (row === undefined) return null;
          return (
            <div
              key={row.index}
              id={`kernel-item-${row.index}`}
              role="option"
              class="kernel-item"
              aria-selected={row.index === props.selected}
              title={row.kernel.kernel}
              style={{ transform: `translateY(${item.start}px)`, height: `${ROW_HEIGHT}px` }}
              onClick={() => props.onSelect(row.index)}
            >
              <code>{row.kernel.name}</code>
              <span>{percent(row.share, 0)}</span>
              <i style={{ width: `${row.share}%` }} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
