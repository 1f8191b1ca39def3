// What the waves spent on a line, beside it: a bar of reasons, and percent.
import type { Extension } from "@codemirror/state";
import { gutter, GutterMarker } from "@codemirror/view";
import { grouped, percent, short } from "../format";

/** What waves spent on a line, in percent of the cycles that they were resident. */
export interface LineCost {
  percent: number;
  /** The largest of all lines, for which the bar is full. */
  most: number;
  /** By band of reasons. */
  parts: { band: number; percent: number }[];
  title: string;
}

class CostMarker extends GutterMarker {
  constructor(private readonly cost: LineCost) {
    super();
  }
  override eq(other: CostMarker): boolean {
    return other.cost === this.cost;
  }
  override toDOM(): Node {
    const cell = document.createElement("div");
    cell.className = "cost";
    cell.title = this.cost.title;
    const bar = document.createElement("span");
    bar.className = "cost-bar";
    for (const part of this.cost.parts) {
      const piece = document.createElement("i");
      piece.className = `band band-${part.band}`;
      piece.style.width = `${(100 * part.percent) / this.cost.most}%`;
      bar.append(piece);
    }
    const text = document.createElement("span");
    text.className = "cost-text";
    text.textContent = this.cost.percent >= 0.05 ? percent(this.cost.percent) : "";
    cell.append(bar, text);
    return cell;
  }
}

/** A gutter with the costs of lines, from 1. */
export function costGutter(costs: Map<number, LineCost>): Extension {
  const markers = new Map([...costs].map(([line, cost]) => [line, new CostMarker(cost)]));
  return gutter({
    class: "cm-costs",
    lineMarker(view, block) {
      return markers.get(view.state.doc.lineAt(block.from).number) ?? null;
    },
  });
}

class CountMarker extends GutterMarker {
  constructor(private readonly count: number) {
    super();
  }
  override toDOM(): Node {
    const text = document.createElement("div");
    text.className = "count";
    text.title = `issued by ${grouped(this.count)} waves`;
    text.textContent = this.count === 0 ? "·" : short(this.count);
    return text;
  }
}

/** A gutter with how many waves issued each line. */
export function countGutter(counts: Map<number, number>): Extension {
  const markers = new Map([...counts].map(([line, count]) => [line, new CountMarker(count)]));
  return gutter({
    class: "cm-counts",
    lineMarker(view, block) {
      return markers.get(view.state.doc.lineAt(block.from).number) ?? null;
    },
  });
}
