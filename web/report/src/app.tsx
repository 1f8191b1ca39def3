// The page around the views: head, tabs, the list of kernels, keys.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { SharedProvider, totalMilliseconds } from "./data/context";
import type { Page, Run } from "./data/model";
import { fileName } from "./format";
import type { KernelRow } from "./parts/kernel_columns";
import { KernelList } from "./parts/kernel_list";
import { ShortcutHelp, useShortcuts } from "./parts/shortcuts";
import { go, useRoute, VIEWS, type Route, type ViewId } from "./route";
import { currentTheme, keepTheme, setTheme } from "./theme";
import { View } from "./views/view";

/** The kernels of a run whose names hold the words, the longest first. */
function rowsOf(run: Run, words: string): KernelRow[] {
  const all = run.kernels.reduce((sum, kernel) => sum + totalMilliseconds(kernel), 0);
  const wanted = words.toLowerCase().split(/\s+/);
  return run.kernels
    .map((kernel, index) => ({ index, kernel, share: (100 * totalMilliseconds(kernel)) / all }))
    .filter((row) => wanted.every((word) => row.kernel.kernel.toLowerCase().includes(word)))
    .sort((a, b) => b.share - a.share);
}

/** The key of a view: 1 to 9, 0, then its first letter. */
const keyOf = (index: number): string => "1234567890c".charAt(index);

function Tabs(props: { route: Route; views: (typeof VIEWS)[number][] }): JSX.Element {
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const at = props.views.findIndex((view) => view.id === props.route.view);
    const next = props.views[(at + step + props.views.length) % props.views.length];
    if (step === 0 || next === undefined) return;
    go({ ...props.route, view: next.id, focus: "" });
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Views" onKeyDown={onKey}>
      {props.views.map((view) => (
        <button
          key={view.id}
          id={`tab-${view.id}`}
          role="tab"
          aria-selected={view.id === props.route.view}
          aria-controls="view"
          tabIndex={view.id === props.route.view ? 0 : -1}
          onClick={() => go({ ...props.route, view: view.id, focus: "" })}
        >
          <kbd>{keyOf(VIEWS.indexOf(view))}</kbd> {view.title}
        </button>
      ))}
    </div>
  );
}

function Head(props: {
  page: Page;
  route: Route;
  words: string;
  onWords: (words: string) => void;
  onTheme: () => void;
  onHelp: () => void;
}): JSX.Element {
  const { page, route } = props;
  const run = page.runs[route.run] as Run;
  return (
    <header>
      <h1>
        <code title={run.command.join(" ")}>{run.command.map(fileName).join(" ")}</code>
        <small>
          {[...new Set(run.kernels.map((kernel) => kernel.device))].join(", ")} · wavetank{" "}
          {page.version}
        </small>
      </h1>
      {page.runs.length > 1 ? (
        <select
          aria-label="Run"
          value={route.run}
          onChange={(event) =>
            go({ ...route, run: Number(event.currentTarget.value), kernel: 0, focus: "" })
          }
        >
          {page.runs.map((one, index) => (
            <option key={one.file} value={index}>
              {index === 0 ? "before" : "after"}: {fileName(one.file)}
            </option>
          ))}
        </select>
      ) : null}
      <input
        id="search"
        type="search"
        placeholder="Search kernels  /"
        aria-label="Search kernels"
        value={props.words}
        onInput={(event) => props.onWords(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
      />
      <button onClick={props.onTheme} title="Dark or light (t)" aria-label="Dark or light">
        ◐
      </button>
      <button onClick={props.onHelp} title="Keys (?)" aria-label="Keys">
        ?
      </button>
    </header>
  );
}

export function App({ page }: { page: Page }): JSX.Element {
  const asked = useRoute();
  const [theme, chooseTheme] = useState(currentTheme);
  const [words, setWords] = useState("");
  const [help, setHelp] = useState(false);
  const main = useRef<HTMLDivElement>(null);
  const runIndex = Math.min(asked.run, page.runs.length - 1);
  const run = page.runs[runIndex] as Run;
  const rows = useMemo(() => rowsOf(run, words), [run, words]);
  const longest = useMemo(() => rowsOf(run, "")[0]?.index ?? 0, [run]);
  const chosen = asked.kernel < 0 ? longest : Math.min(asked.kernel, run.kernels.length - 1);
  const route = { ...asked, run: runIndex, kernel: chosen };
  const views = VIEWS.filter((view) => view.id !== "compare" || page.pairs !== undefined);
  useEffect(() => setTheme(theme, page.bands), [theme]);
  const shared = useMemo(
    () => ({ page, theme, reasons: new Map(page.reasons.map((reason) => [reason.key, reason])) }),
    [theme],
  );
  const select = (index: number): void =>
    go({ ...route, kernel: index, focus: "" }, route.view === "summary");
  const toggleTheme = (): void => {
    const other = theme === "dark" ? "light" : "dark";
    keepTheme(other);
    chooseTheme(other);
  };
  const step = (by: number): void => {
    const at = rows.findIndex((row) => row.index === route.kernel);
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    if (next !== undefined) select(next.index);
  };
  useShortcuts((key) => {
    const view = views.find((one) => keyOf(VIEWS.indexOf(one)) === key);
    if (view !== undefined) {
      go({ ...route, view: view.id, focus: "" });
      main.current?.focus();
    } else if (key === "j" || key === "k") step(key === "j" ? 1 : -1);
    else if (key === "/") document.getElementById("search")?.focus();
    else if (key === "t") toggleTheme();
    else if (key === "?") setHelp(true);
    else return false;
    return true;
  });
  const kernel = run.kernels[route.kernel];
  const aside = route.view !== "summary" && route.view !== "compare";
  return (
    <SharedProvider value={shared}>
      <Head
        page={page}
        route={route}
        words={words}
        onWords={setWords}
        onTheme={toggleTheme}
        onHelp={() => setHelp(true)}
      />
      <Tabs route={route} views={views} />
      <div class={`body${aside ? " with-list" : ""}`}>
        {aside ? <KernelList rows={rows} selected={route.kernel} onSelect={select} /> : null}
        <main>
          <div
            id="view"
            class="view"
            ref={main}
            role="tabpanel"
            tabIndex={-1}
            aria-labelledby={`tab-${route.view}`}
            data-view={route.view}
          >
            {kernel === undefined ? (
              <p class="note">The run has no kernels.</p>
            ) : (
              <View
                id={route.view as ViewId}
                rows={rows}
                run={run}
                runIndex={runIndex}
                kernel={kernel}
                kernelIndex={route.kernel}
                focus={route.focus}
                onSelect={select}
                onOpen={(index) => go({ ...route, view: "source", kernel: index, focus: "" })}
              />
            )}
          </div>
        </main>
      </div>
      {help ? <ShortcutHelp onClose={() => setHelp(false)} /> : null}
    </SharedProvider>
  );
}
