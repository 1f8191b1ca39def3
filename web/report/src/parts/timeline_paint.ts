// Draws a timeline on a canvas. Boxes narrower than a pixel are drawn once for each pixel.
import type { ScaleLinear } from "d3-scale";
import { CHOSEN, TRANSFER, type Box, type Timeline } from "../data/timeline_rows";
import { short } from "../format";

export const LABEL_WIDTH = 110;
export const AXIS_HEIGHT = 26;
export const ROW_HEIGHT = 24;

/** A label's room from top to bottom: of thinner rows only some have theirs. */
const LEAST_LABEL = 16;

/** Between the edge of a row and what a wave did there; of thin rows nothing. */
const INSET = 5;
const insetOf = (height: number): number => (height >= 3 * INSET ? INSET : height > 3 ? 0.5 : 0);

/** Where a row is drawn. */
interface Place {
  scale: ScaleLinear<number, number>;
  top: number;
  width: number;
  height: number;
}

/** Colours of the page, as the style sheet has them now. */
export interface Paint {
  ink: string;
  faint: string;
  line: string;
  ground: string;
  accent: string;
  bands: string[];
  font: string;
  /** Of the canvas that is painted. */
  stripes?: CanvasPattern | string;
}

export function paintOf(element: Element, bands: number): Paint {
  const style = getComputedStyle(element);
  const value = (name: string): string => style.getPropertyValue(name).trim();
  return {
    ink: value("--ink"),
    faint: value("--faint"),
    line: value("--line"),
    ground: value("--ground"),
    accent: value("--accent"),
    bands: Array.from({ length: bands }, (_, index) => value(`--band-${index}`)),
    font: `11px ${style.fontFamily}`,
  };
}

/** Stripes, which tell copies from launches without their colour. */
function stripes(context: CanvasRenderingContext2D, paint: Paint): CanvasPattern | string {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const brush = tile.getContext("2d");
  if (brush === null) return paint.faint;
  brush.fillStyle = paint.ground;
  brush.fillRect(0, 0, 6, 6);
  brush.strokeStyle = paint.ink;
  brush.lineWidth = 1.5;
  for (const shift of [-6, 0, 6]) {
    brush.beginPath();
    brush.moveTo(shift, 6);
    brush.lineTo(shift + 6, 0);
    brush.stroke();
  }
  return context.createPattern(tile, "repeat") ?? paint.faint;
}

/** Boxes of no band are workgroups, copies and launches: the chosen kernel's, and others'. */
function colourOf(box: Box, paint: Paint): CanvasPattern | string {
  if (box.band === CHOSEN) return paint.accent;
  if (box.band === TRANSFER) return paint.stripes ?? paint.faint;
  return paint.bands[box.band] ?? paint.faint;
}

function drawAxis(
  context: CanvasRenderingContext2D,
  scale: ScaleLinear<number, number>,
  paint: Paint,
  unit: string,
  height: number,
): void {
  context.font = paint.font;
  context.textAlign = "center";
  for (const tick of scale.ticks(8)) {
    const x = Math.round(scale(tick)) + 0.5;
    context.strokeStyle = paint.line;
    context.beginPath();
    context.moveTo(x, AXIS_HEIGHT - 6);
    context.lineTo(x, height);
    context.stroke();
    context.fillStyle = paint.faint;
    context.fillText(
      tick >= 1e6 ? short(tick) : tick.toLocaleString("en").replaceAll(",", "\u202f"),
      x,
      14,
    );
  }
  context.textAlign = "left";
  context.fillText(unit, 6, 14);
}

/** A wave's stay, behind what it did, with a line at its begin. */
function drawBack(
  context: CanvasRenderingContext2D,
  boxes: Box[],
  place: Place,
  paint: Paint,
): void {
  for (const box of boxes) {
    const left = Math.max(place.scale(box.begin), LABEL_WIDTH);
    const right = Math.min(place.scale(box.end), place.width);
    if (right < LABEL_WIDTH || left > place.width) continue;
    context.globalAlpha = 0.55;
    context.fillStyle = colourOf(box, paint);
    context.fillRect(left, place.top + 1, Math.max(right - left, 1), place.height - 2);
    context.globalAlpha = 1;
    context.fillStyle = paint.faint;
    context.fillRect(left, place.top + 1, 1, place.height - 2);
  }
}

function drawFront(
  context: CanvasRenderingContext2D,
  boxes: Box[],
  place: Place,
  paint: Paint,
  layers: number,
): void {
  let drawnTo = -1;
  const inset = insetOf(place.height);
  // Layers that lie over each other hide less than all behind them.
  context.globalAlpha = Math.min(1, 1.7 / layers);
  for (const box of boxes) {
    const left = Math.max(place.scale(box.begin), LABEL_WIDTH);
    const right = Math.min(place.scale(box.end), place.width);
    if (right < LABEL_WIDTH || left > place.width) continue;
    const drawn = Math.max(right - left, 1);
    if (layers === 1 && drawn <= 1 && left + drawn <= drawnTo) continue;
    context.fillStyle = colourOf(box, paint);
    const height = place.height - 2 * inset;
    context.fillRect(left, place.top + inset, drawn > 3 ? drawn - 0.5 : drawn, height);
    drawnTo = Math.floor(left + drawn);
    if (box.label !== "" && drawn > 46 && layers === 1) {
      drawLabel(context, box, left, drawn, place.top, paint);
    }
  }
  context.globalAlpha = 1;
}

function drawLabel(
  context: CanvasRenderingContext2D,
  box: Box,
  left: number,
  width: number,
  top: number,
  paint: Paint,
): void {
  context.save();
  context.beginPath();
  context.rect(left, top, width - 3, ROW_HEIGHT);
  context.clip();
  if (box.band === TRANSFER) {
    context.fillStyle = paint.ground;
    context.fillRect(left + 1, top + INSET, context.measureText(box.label).width + 6, 14);
    context.fillStyle = paint.ink;
    context.fillText(box.label, left + 4, top + ROW_HEIGHT / 2 + 4);
    context.restore();
    return;
  }
  context.fillStyle = box.band < 0 ? paint.ground : box.band === 0 ? "#ffffff" : "#111111";
  if (box.band === 8) context.fillStyle = getComputedStyle(context.canvas).color;
  context.fillText(box.label, left + 4, top + ROW_HEIGHT / 2 + 4);
  context.restore();
}

function drawMarks(
  context: CanvasRenderingContext2D,
  timeline: Timeline,
  scale: ScaleLinear<number, number>,
  paint: Paint,
  place: { width: number; height: number },
): void {
  context.strokeStyle = context.fillStyle = paint.ink;
  context.setLineDash([5, 3]);
  for (const mark of timeline.marks ?? []) {
    const x = Math.round(scale(mark.at)) + 0.5;
    if (x < LABEL_WIDTH || x > place.width) continue;
    context.beginPath();
    context.moveTo(x, AXIS_HEIGHT - 8);
    context.lineTo(x, place.height);
    context.stroke();
    const fits = x + context.measureText(mark.label).width + 8 < place.width;
    context.textAlign = fits ? "left" : "right";
    const width = context.measureText(mark.label).width + 4;
    context.fillStyle = paint.ground;
    context.fillRect(fits ? x + 3 : x - 3 - width, AXIS_HEIGHT + 1, width, 15);
    context.fillStyle = paint.ink;
    context.fillText(mark.label, fits ? x + 5 : x - 5, AXIS_HEIGHT + 13);
  }
  context.setLineDash([]);
  context.textAlign = "left";
}

/** The row that is chosen has a frame, and its label is always there. */
function drawChosen(
  context: CanvasRenderingContext2D,
  label: string,
  place: Place,
  paint: Paint,
): void {
  const middle = place.top + place.height / 2;
  context.strokeStyle = paint.ink;
  context.strokeRect(LABEL_WIDTH - 1.5, place.top - 1, place.width - LABEL_WIDTH, place.height + 2);
  context.fillStyle = paint.ground;
  context.fillRect(0, middle - 9, LABEL_WIDTH - 3, 18);
  context.fillStyle = paint.ink;
  context.fillText(`▸ ${label}`, 6, middle + 4);
}

/** `scale` goes from the timeline's unit to pixels, `chosen` is a row that is marked. */
export function paintTimeline(
  canvas: HTMLCanvasElement,
  timeline: Timeline,
  scale: ScaleLinear<number, number>,
  paint: Paint,
  chosen?: number,
): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = paint.ground;
  context.fillRect(0, 0, width, height);
  drawAxis(context, scale, paint, timeline.unit, height);
  const brushes = { ...paint, stripes: stripes(context, paint) };
  const rowHeight = timeline.rowHeight ?? ROW_HEIGHT;
  const labelled = Math.ceil(LEAST_LABEL / rowHeight);
  timeline.rows.forEach((row, index) => {
    const top = AXIS_HEIGHT + index * rowHeight;
    const place = { scale, top, width, height: rowHeight };
    drawBack(
      context,
      row.boxes.filter((box) => box.back),
      place,
      paint,
    );
    drawFront(
      context,
      row.boxes.filter((box) => !box.back),
      place,
      brushes,
      timeline.layers ?? 1,
    );
    context.fillStyle = paint.ground;
    context.fillRect(0, top, LABEL_WIDTH - 2, rowHeight);
  });
  context.textAlign = "left";
  timeline.rows.forEach((row, index) => {
    const covered = chosen !== undefined && Math.abs(index - chosen) * rowHeight < LEAST_LABEL;
    if (index % labelled !== 0 || covered) return;
    context.fillStyle = paint.ink;
    const height = Math.max(rowHeight, LEAST_LABEL);
    context.fillText(row.label, 6, AXIS_HEIGHT + index * rowHeight + height / 2 + 4);
  });
  drawMarks(context, timeline, scale, paint, { width, height });
  const marked = chosen === undefined ? undefined : timeline.rows[chosen];
  if (chosen !== undefined && marked !== undefined) {
    const top = AXIS_HEIGHT + chosen * rowHeight;
    drawChosen(context, marked.label, { scale, top, width, height: rowHeight }, paint);
  }
}
