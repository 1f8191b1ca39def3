// Where the reader is: in the address, so that a link leads there again.
import { useEffect, useState } from "preact/hooks";

/** The views in the order of their keys: 1 to 9 and 0. */
export const VIEWS = [
  { id: "summary", title: "Summary" },
  { id: "source", title: "Source" },
  { id: "timeline", title: "Timeline" },
  { id: "memory", title: "Memory" },
  { id: "access", title: "Accesses" },
  { id: "roofline", title: "Roofline" },
  { id: "occupancy", title: "Occupancy" },
  { id: "advice", title: "What-if" },
  { id: "counters", title: "Counters" },
  { id: "evidence", title: "Evidence" },
  { id: "compare", title: "Compare" },
] as const;

export type ViewId = (typeof VIEWS)[number]["id"];

/** `kernel` is -1 where none was chosen, `focus` is a view's own place: an instruction's offset, for instance. */
export interface Route {
  view: ViewId;
  run: number;
  kernel: number;
  focus: string;
}

/** "#source/0.3/0x40": view, run and kernel, focus. What makes no sense is the beginning. */
export function parseRoute(hash: string): Route {
  const [view = "", place = "", focus = ""] = hash.replace(/^#/, "").split("/");
  const known = VIEWS.find((one) => one.id === view)?.id ?? "summary";
  const [run = -1, kernel = -1] = place.split(".").map((text) => {
    const number = Number.parseInt(text, 10);
    return Number.isNaN(number) ? -1 : number;
  });
  return { view: known, run: Math.max(run, 0), kernel, focus: decodeURIComponent(focus) };
}

export function hashOf(route: Route): string {
  const focus = route.focus === "" ? "" : `/${encodeURIComponent(route.focus)}`;
  return `#${route.view}/${route.run}.${route.kernel}${focus}`;
}

/** Goes somewhere; `replace` leaves no step to go back to. */
export function go(route: Route, replace = false): void {
  if (replace) {
    history.replaceState(null, "", hashOf(route));
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else {
    location.hash = hashOf(route);
  }
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const follow = (): void => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
