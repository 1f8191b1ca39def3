// Which view is shown.
import type { JSX } from "preact";
import type { ViewId } from "../route";
import { AccessView } from "./access";
import { AdviceView } from "./advice";
import { CompareView } from "./compare";
import { CountersView } from "./counters";
import { EvidenceView } from "./evidence";
import { MemoryView } from "./memory";
import { OccupancyView } from "./occupancy";
import { RooflineView } from "./roofline";
import { SourceView } from "./source";
import { Summary, type SummaryProps } from "./summary";
import { TimelineView } from "./timeline";

const VIEW_PARTS: Record<ViewId, (props: SummaryProps) => JSX.Element> = {
  summary: Summary,
  source: SourceView,
  timeline: TimelineView,
  memory: MemoryView,
  access: AccessView,
  roofline: RooflineView,
  occupancy: OccupancyView,
  advice: AdviceView,
  counters: CountersView,
  evidence: EvidenceView,
  compare: CompareView,
};

export function View(props: SummaryProps & { id: ViewId }): JSX.Element {
  const Part = VIEW_PARTS[props.id];
  return <Part {...props} />;
}
