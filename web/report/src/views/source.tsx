// Source beside machine code: a line of one marks its lines of the other.
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useDetail, useShared, useSources, type KernelProps } from "../data/context";
import { costsOf, cyclesOf, residentCycles } from "../data/line_costs";
import type { Instruction } from "../data/model";
import { fileName, offsetText } from "../format";
import { CodePane } from "../parts/code_pane";
import { InstructionFacts } from "../parts/instruction_facts";
import { useShortcuts } from "../parts/shortcuts";
import { hashOf } from "../route";

/** What is marked, and which pane the reader chose it in. */
interface Choice {
  instructions: number[];
  by: "source" | "isa" | "start";
}

function hottestOf(instructions: Instruction[], among: number[]): number {
  const cycles = (index: number): number => {
    const instruction = instructions[index];
    return instruction === undefined ? -1 : cyclesOf(instruction);
  };
  return among.reduce(
    (best, index) => (cycles(index) > cycles(best) ? index : best),
    among[0] ?? 0,
  );
}

const indicesOf = (instructions: Instruction[], holds: (one: Instruction) => boolean): number[] =>
  instructions.flatMap((one, index) => (holds(one) ? [index] : []));

/** The instruction of an address' offset, else those of the hottest line. */
function firstChoice(props: KernelProps, instructions: Instruction[]): Choice {
  const hottest = props.kernel.hot_lines[0];
  const offset = props.focus === "" ? String(hottest?.offset) : props.focus;
  const asked = instructions.findIndex((one) => String(one.offset) === offset);
  const { file, line } = instructions[asked] ?? {};
  if (props.focus !== "" || file === undefined) {
    return { instructions: [Math.max(asked, 0)], by: "start" };
  }
  const ofLine = indicesOf(instructions, (one) => one.file === file && one.line === line);
  return { instructions: ofLine, by: "start" };
}

function linesOf(instructions: Instruction[], file: string): Map<number, Instruction[]> {
  const lines = new Map<number, Instruction[]>();
  for (const one of instructions) {
    if (one.file !== file || one.line === undefined) continue;
    lines.set(one.line, [...(lines.get(one.line) ?? []), one]);
  }
  return lines;
}

function NoSource({ file }: { file: string | undefined }): JSX.Element {
  return (
    <div class="no-source note">
      {file === undefined ? (
        <p>
          The program has no line information: compile it with <code>-g</code> to see its source
          here.
        </p>
      ) : (
        <p>
          <code>{file}</code> was not there when the page was written. Write it again on the machine
          and in the folder of the source.
        </p>
      )}
    </div>
  );
}

function Panes(
  props: KernelProps & { instructions: Instruction[]; sources: Record<string, string> },
): JSX.Element {
  const { instructions, sources } = props;
  const { reasons } = useShared();
  const resident = residentCycles(props.kernel);
  const [choice, setChoice] = useState(() => firstChoice(props, instructions));
  const files = [...new Set(instructions.flatMap((one) => one.file ?? []))];
  const chosen = instructions[hottestOf(instructions, choice.instructions)];
  const [picked, pickFile] = useState<string | undefined>(undefined);
  const file = picked ?? chosen?.file ?? files[0];
  const text = file === undefined ? undefined : sources[file];
  const sourceCosts = useMemo(
    () => costsOf(linesOf(instructions, file ?? ""), resident, reasons),
    [instructions, file],
  );
  const isaCosts = useMemo(
    () => costsOf(new Map(instructions.map((one, i) => [i + 1, [one]])), resident, reasons),
    [instructions],
  );
  const hits = useMemo(
    () => new Map(instructions.map((one, i) => [i + 1, one.hits])),
    [instructions],
  );
  const isaText = useMemo(() => instructions.map((one) => one.text).join("\n"), [instructions]);
  const choose = (found: number[], by: Choice["by"]): void => {
    if (by !== "source") pickFile(undefined);
    setChoice({ instructions: found, by });
    const offset = instructions[hottestOf(instructions, found)]?.offset;
    if (offset === undefined) return;
    const route = { run: props.runIndex, kernel: props.kernelIndex, focus: String(offset) };
    history.replaceState(null, "", hashOf({ view: "source", ...route }));
  };
  const ranked = useMemo(() => {
    const costs = instructions.map((one, index) => ({ index, cycles: cyclesOf(one) }));
    return costs.sort((a, b) => b.cycles - a.cycles).map((one) => one.index);
  }, [instructions]);
  const step = (by: number): void => {
    const rank = ranked.indexOf(hottestOf(instructions, choice.instructions));
    const next = ranked[Math.max(0, Math.min(ranked.length - 1, rank + by))];
    if (next !== undefined) choose([next], "start");
  };
  useShortcuts((key) => {
    if (key !== "n" && key !== "p") return false;
    step(key === "n" ? 1 : -1);
    return true;
  });
  const markedLines = useMemo(
    () =>
      choice.instructions.flatMap((index) => {
        const one = instructions[index];
        return one?.file === file && one?.line !== undefined ? [one.line] : [];
      }),
    [choice, file],
  );
  const markedInstructions = useMemo(() => choice.instructions.map((i) => i + 1), [choice]);
  return (
    <div class="source-view">
      <div class="pane-head">
        {files.length > 1 ? (
          <select
            aria-label="Source file"
            value={file}
            onChange={(event) => pickFile(event.currentTarget.value)}
          >
            {files.map((one) => (
              <option key={one} value={one}>
                {fileName(one)}
              </option>
            ))}
          </select>
        ) : (
          <b title={file}>{file === undefined ? "no source" : fileName(file)}</b>
        )}{" "}
        <small>share of the cycles that waves were resident</small>
      </div>
      <div class="pane-head">
        <b>machine code</b>{" "}
        <small>
          {instructions.length} instructions; <kbd>n</kbd> and <kbd>p</kbd> go to the next and the
          previous in cost, <kbd>Ctrl F</kbd> searches
        </small>
      </div>
      {text === undefined ? (
        <NoSource file={file} />
      ) : (
        <CodePane
          label={`Source ${file ?? ""}`}
          text={text}
          language="cpp"
          lineName={String}
          costs={sourceCosts}
          marked={markedLines}
          shown={choice.by === "source" ? 0 : (markedLines[0] ?? 0)}
          onLine={(line) =>
            choose(
              indicesOf(instructions, (one) => one.file === file && one.line === line),
              "source",
            )
          }
        />
      )}
      <CodePane
        label="Machine code"
        text={isaText}
        language="isa"
        lineName={(line) => offsetText(instructions[line - 1]?.offset ?? 0)}
        costs={isaCosts}
        counts={hits}
        marked={markedInstructions}
        shown={choice.by === "isa" ? 0 : hottestOf(instructions, choice.instructions) + 1}
        onLine={(line) => choose([line - 1], "isa")}
      />
      <InstructionFacts
        kernel={props.kernel}
        instructions={choice.instructions.flatMap((index) => instructions[index] ?? [])}
      />
    </div>
  );
}

export function SourceView(props: KernelProps): JSX.Element {
  const detail = useDetail(props.runIndex, props.kernelIndex);
  const sources = useSources();
  if (detail === undefined || sources === undefined) return <p class="loading">Unpacking …</p>;
  if (detail.instructions.length === 0) return <p class="note">No instructions were recorded.</p>;
  const key = `${props.runIndex}.${props.kernelIndex}`;
  return <Panes key={key} {...props} instructions={detail.instructions} sources={sources} />;
}
