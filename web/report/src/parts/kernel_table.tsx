// All kernels of a run: sorted by a column, moved through with the arrow keys.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { COLUMNS, type Column, type KernelRow } from "./kernel_columns";
import { useVirtualRows } from "./virtual";

const ROW_HEIGHT = 30;
const TEMPLATE = COLUMNS.map((column) => column.width).join(" ");

interface Order {
  column: Column;
  descending: boolean;
}

function sorted(rows: KernelRow[], order: Order): KernelRow[] {
  const sign = order.descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const left = order.column.key(a);
    const right = order.column.key(b);
    const difference =
      typeof left === "number" && typeof right === "number"
        ? left - right
        : String(left).localeCompare(String(right));
    return sign * difference || a.index - b.index;
  });
}

function Head(props: { order: Order; onOrder: (order: Order) => void }): JSX.Element {
  return (
    <div class="table-row table-head" role="row" style={{ gridTemplateColumns: TEMPLATE }}>
      {COLUMNS.map((column) => {
        const chosen = column === props.order.column;
        const direction = props.order.descending ? "descending" : "ascending";
        return (
          <div
            key={column.id}
            role="columnheader"
            class={column.numeric ? "numeric" : ""}
            aria-sort={chosen ? direction : "none"}
          >
            <button
              class="sort"
              title={`${column.help}; sorts`}
              onClick={() =>
                props.onOrder({
                  column,
                  descending: chosen ? !props.order.descending : column.numeric,
                })
              }
            >
              {column.title}
              <span aria-hidden="true">{chosen ? (props.order.descending ? " ▾" : " ▴") : ""}</span>
            </button>
          </div>
        );
      })}
    </div>
  );
}

/** The row that a key leads to; undefined for keys that lead nowhere. */
function rowAfter(key: string, at: number, count: number): number | undefined {
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 };
  const step = steps[key];
  if (step !== undefined) return Math.max(0, Math.min(count - 1, at + step));
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

export function KernelTable(props: {
  rows: KernelRow[];
  selected: number;
  onSelect: (index: number) => void;
  onOpen: (index: number) => void;
}): JSX.Element {
  const first = COLUMNS[0] as Column;
  const [order, setOrder] = useState<Order>({ column: first, descending: true });
  const scroller = useRef<HTMLDivElement>(null);
  const rows = sorted(props.rows, order);
  const virtual = useVirtualRows(rows.length, ROW_HEIGHT, scroller);
  const at = rows.findIndex((row) => row.index === props.selected);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, [at, order]);
  const onKey = (event: KeyboardEvent): void => {
    const next = rowAfter(event.key, at, rows.length);
    const row = rows[next ?? at];
    if (row === undefined || (next === undefined && event.key !== "Enter")) return;
    event.preventDefault();
    if (next === undefined) props.onOpen(row.index);
    else props.onSelect(row.index);
  };
  return (
    <div class="table" role="grid" aria-label="Kernels" aria-rowcount={rows.length + 1}>
      <Head order={order} onOrder={setOrder} />
      <div
        class="table-body"
        role="rowgroup"
        ref={scroller}
        tabIndex={0}
        aria-label="Arrow keys choose a kernel, Enter shows its source"
        aria-activedescendant={at >= 0 ? `kernel-row-${props.selected}` : undefined}
        style={{ height: `${Math.min(rows.length, 14) * ROW_HEIGHT}px` }}
        onKeyDown={onKey}
      >
        <div style={{ height: `${virtual.getTotalSize()}px`, position: "relative" }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              <div
                key={row.index}
                id={`kernel-row-${row.index}`}
                class="table-row"
                role="row"
                aria-rowindex={item.index + 2}
                aria-selected={row.index === props.selected}
                style={{
                  gridTemplateColumns: TEMPLATE,
                  transform: `translateY(${item.start}px)`,
                  height: `${ROW_HEIGHT}px`,
                }}
                onClick={() => props.onSelect(row.index)}
                onDblClick={() => props.onOpen(row.index)}
              >
                {COLUMNS.map((column) => (
                  <div key={column.id} role="gridcell" class={column.numeric ? "numeric" : ""}>
                    {column.cell(row)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
