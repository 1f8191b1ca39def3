// A timeline that is moved and zoomed with wheel, mouse and keys.
import { scaleLinear, type ScaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomTransform } from "d3-zoom";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useShared } from "../data/context";
import type { Box, Timeline } from "../data/timeline_rows";
import { duration, short } from "../format";
import { AXIS_HEIGHT, LABEL_WIDTH, paintOf, paintTimeline, ROW_HEIGHT } from "./timeline_paint";

type Scale = ScaleLinear<number, number>;

const heightOf = (timeline: Timeline): number => timeline.rowHeight ?? ROW_HEIGHT;
const rowAt = (timeline: Timeline, y: number): number =>
  Math.floor((y - AXIS_HEIGHT) / heightOf(timeline));

/** The box at a place: the foremost, which is drawn last. */
function boxAt(timeline: Timeline, scale: Scale, x: number, y: number): Box | undefined {
  const row = timeline.rows[rowAt(timeline, y)];
  if (row === undefined || x < LABEL_WIDTH) return undefined;
  const at = scale.invert(x);
  const slack = scale.invert(x + 1) - at;
  const hit = (box: Box): boolean => box.begin <= at + slack && box.end >= at - slack;
  return row.boxes.findLast((box) => !box.back && hit(box)) ?? row.boxes.find(hit);
}

const KEYS: Record<string, { factor?: number; shift?: number }> = {
  "+": { factor: 1.5 },
  "=": { factor: 1.5 },
  "-": { factor: 1 / 1.5 },
  ArrowLeft: { shift: 80 },
  ArrowRight: { shift: -80 },
};

export function TimelineChart(props: {
  timeline: Timeline;
  label: string;
  /** A row that is marked, and what a click or the keys up and down choose. */
  chosen?: number;
  onChoose?: (row: number) => void;
}): JSX.Element {
  const { timeline } = props;
  const { page, theme } = useShared();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [transform, setTransform] = useState<ZoomTransform>(zoomIdentity);
  const [tip, setTip] = useState<{ x: number; y: number; text: string } | null>(null);
  const [width, setWidth] = useState(900);
  const margin = (timeline.end - timeline.begin) * 0.01 || 1;
  const whole = scaleLinear()
    .domain([timeline.begin - margin, timeline.end + margin])
    .range([LABEL_WIDTH, width]);
  const scale = transform.rescaleX(whole);
  const behaviour = useRef(zoom<HTMLCanvasElement, unknown>().scaleExtent([1, 1e5]));
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const watch = new ResizeObserver(() => setWidth(element.clientWidth));
    watch.observe(element);
    behaviour.current.on("zoom", (event: D3ZoomEvent<HTMLCanvasElement, unknown>) =>
      setTransform(event.transform),
    );
    select(element).call(behaviour.current);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    behaviour.current.translateExtent([
      [LABEL_WIDTH, 0],
      [width, 1],
    ]);
    behaviour.current.extent([
      [LABEL_WIDTH, 0],
      [width, 1],
    ]);
  }, [width]);
  useEffect(() => {
    if (canvas.current === null) return;
    const paint = paintOf(canvas.current, page.bands.length);
    paintTimeline(canvas.current, timeline, scale, paint, props.chosen);
  }, [timeline, transform, width, theme, props.chosen]);
  const choose = (row: number): void =>
    props.onChoose?.(Math.max(0, Math.min(timeline.rows.length - 1, row)));
  const onKey = (event: KeyboardEvent): void => {
    const element = canvas.current;
    const key = KEYS[event.key];
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && props.onChoose !== undefined) {
      event.preventDefault();
      choose((props.chosen ?? 0) + step);
      return;
    }
    if (element === null || (key === undefined && event.key !== "Home")) return;
    event.preventDefault();
    event.stopPropagation();
    const target = select(element);
    if (key?.factor !== undefined) behaviour.current.scaleBy(target, key.factor);
    else if (key?.shift !== undefined) {
      behaviour.current.translateBy(target, key.shift / transform.k, 0);
    } else behaviour.current.transform(target, zoomIdentity);
  };
  const onMove = (event: MouseEvent): void => {
    const box = boxAt(timeline, scale, event.offsetX, event.offsetY);
    setTip(box === undefined ? null : { x: event.offsetX, y: event.offsetY, text: box.title });
  };
  const [from = 0, to = 0] = scale.domain();
  return (
    <div class="timeline">
      <canvas
        ref={canvas}
        tabIndex={0}
        role="img"
        aria-label={`${props.label}: ${timeline.rows.length} rows, ${short(timeline.end - timeline.begin)} ${timeline.unit}. Arrow keys move, plus and minus zoom, Home shows all.${props.onChoose ? " Up and down choose a row." : ""}`}
        data-zoom={transform.k.toFixed(2)}
        style={{ height: `${AXIS_HEIGHT + timeline.rows.length * heightOf(timeline) + 6}px` }}
        onKeyDown={onKey}
        onClick={(event) => {
          const row = rowAt(timeline, event.offsetY);
          if (row >= 0) choose(row);
        }}
        onMouseMove={onMove}
        onMouseLeave={() => setTip(null)}
      />
      {tip === null ? null : (
        <div class="tip" style={{ left: `${tip.x + 14}px`, top: `${tip.y + 14}px` }}>
          {tip.text}
        </div>
      )}
      <p class="faint">
        {timeline.unit === "µs" ? duration((to - from) / 1e3) : `${short(to - from)} cycles`} in
        sight. Wheel or + and − zoom, dragging or ← and → move, Home shows all.
        {props.onChoose ? " A click or ↑ and ↓ choose a row." : ""}
      </p>
    </div>
  );
}
