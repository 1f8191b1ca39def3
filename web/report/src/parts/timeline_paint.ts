// Draws a timeline on a canvas. Boxes narrower than a pixel are drawn once for each pixel.
import type { ScaleLinear } from "d3-scale";
import { CHOSEN, type Box, type Timeline } from "../data/timeline_rows";
import { short } from "../format";

export const LABEL_WIDTH = 110;
export const AXIS_HEIGHT = 26;
export const ROW_HEIGHT = 24;

/** Between the edge of a row and what a wave did there. */
const INSET = 5;

/** Where a row is drawn. */
interface Place {
  scale: ScaleLinear<number, number>;
  top: number;
  width: number;
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

/** Boxes of no band are launches: the chosen kernel's, and others'. */
function colourOf(box: Box, paint: Paint): string {
  if (box.band === CHOSEN) return paint.accent;
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
    context.fillRect(left, place.top + 1, Math.max(right - left, 1), ROW_HEIGHT - 2);
    context.globalAlpha = 1;
    context.fillStyle = paint.faint;
    context.fillRect(left, place.top + 1, 1, ROW_HEIGHT - 2);
  }
}

function drawFront(
  context: CanvasRenderingContext2D,
  boxes: Box[],
  place: Place,
  paint: Paint,
): void {
  let drawnTo = -1;
  for (const box of boxes) {
    const left = Math.max(place.scale(box.begin), LABEL_WIDTH);
    const right = Math.min(place.scale(box.end), place.width);
    if (right < LABEL_WIDTH || left > place.width) continue;
    const drawn = Math.max(right - left, 1);
    if (drawn <= 1 && left + drawn <= drawnTo) continue;
    context.fillStyle = colourOf(box, paint);
    const height = ROW_HEIGHT - 2 * INSET;
    context.fillRect(left, place.top + INSET, drawn > 3 ? drawn - 0.5 : drawn, height);
    drawnTo = Math.floor(left + drawn);
    if (box.label !== "" && drawn > 46) drawLabel(context, box, left, drawn, place.top);
  }
}

function drawLabel(
  context: CanvasRenderingContext2D,
  box: Box,
  left: number,
  width: number,
  top: number,
): void {
  context.save();
  context.beginPath();
  context.rect(left, top, width - 3, ROW_HEIGHT);
  context.clip();
  context.fillStyle = box.band <= 0 ? "#ffffff" : "#111111";
  if (box.band === 8) context.fillStyle = getComputedStyle(context.canvas).color;
  context.fillText(box.label, left + 4, top + ROW_HEIGHT / 2 + 4);
  context.restore();
}

/** `scale` goes from the timeline's unit to pixels, `chosen` is the row with the focus. */
export function paintTimeline(
  canvas: HTMLCanvasElement,
  timeline: Timeline,
  scale: ScaleLinear<number, number>,
  paint: Paint,
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
  timeline.rows.forEach((row, index) => {
    const top = AXIS_HEIGHT + index * ROW_HEIGHT;
    const place = { scale, top, width };
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
      paint,
    );
    context.fillStyle = paint.ground;
    context.fillRect(0, top, LABEL_WIDTH - 2, ROW_HEIGHT);
    context.fillStyle = paint.ink;
    context.textAlign = "left";
    context.fillText(row.label, 6, top + ROW_HEIGHT / 2 + 4);
  });
}
