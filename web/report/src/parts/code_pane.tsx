// Read-only code in CodeMirror: beside each line what its waves spent, some lines marked.
import { cpp } from "@codemirror/lang-cpp";
import { StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, RangeSet, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { costGutter, countGutter, type LineCost } from "./cost_gutter";

const setMarks = StateEffect.define<number[]>();
const markLine = Decoration.line({ class: "cm-marked" });

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      const doc = transaction.state.doc;
      const lines = effect.value.filter((line) => line >= 1 && line <= doc.lines);
      const places = lines.map((line) => doc.line(line).from).sort((a, b) => a - b);
      return RangeSet.of(places.map((place) => markLine.range(place)));
    }
    return shown.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Disassembly: mnemonic, registers, numbers. */
const isa = StreamLanguage.define<{ started: boolean }>({
  startState: () => ({ started: false }),
  token(stream, state) {
    if (stream.sol()) state.started = false;
    if (stream.eatSpace()) return null;
    if (!state.started && stream.match(/^[a-z]\w*/)) {
      state.started = true;
      return "keyword";
    }
    if (stream.match(/^[vsa](\d+|\[\d+:\d+\])|^(vcc|exec|m0|scc)\b/)) return "variableName";
    if (stream.match(/^-?(0x[\da-f]+|\d[\d.]*)\b/)) return "number";
    if (stream.match(/^[a-z]\w*/)) return "attributeName";
    stream.next();
    return null;
  },
});

export interface CodePaneProps {
  label: string;
  text: string;
  language: "cpp" | "isa";
  /** What stands for the number of a line, from 1. */
  lineName: (line: number) => string;
  costs: Map<number, LineCost>;
  /** How often each line was issued; absent: a pane without that column. */
  counts?: Map<number, number>;
  marked: number[];
  /** Comes into sight; 0: nothing does. */
  shown: number;
  onLine: (line: number) => void;
}

function extensionsOf(props: CodePaneProps, onLine: (line: number) => void): Extension {
  return [
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({ "aria-label": props.label, spellcheck: "false" }),
    costGutter(props.costs),
    props.counts === undefined ? [] : countGutter(props.counts),
    lineNumbers({ formatNumber: props.lineName }),
    props.language === "cpp" ? cpp() : isa,
    syntaxHighlighting(classHighlighter),
    marks,
    drawSelection(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    keymap.of(searchKeymap),
    EditorView.updateListener.of((update) => {
      if (!update.selectionSet || !update.transactions.some((one) => one.isUserEvent("select")))
        return;
      onLine(update.state.doc.lineAt(update.state.selection.main.head).number);
    }),
  ];
}

export function CodePane(props: CodePaneProps): JSX.Element {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const onLine = useRef(props.onLine);
  onLine.current = props.onLine;
  useEffect(() => {
    if (parent.current === null) return undefined;
    const extensions = extensionsOf(props, (line) => onLine.current(line));
    const made = new EditorView({
      parent: parent.current,
      state: EditorState.create({ doc: props.text, extensions }),
    });
    view.current = made;
    return () => made.destroy();
  }, [props.text, props.costs]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const effects: StateEffect<unknown>[] = [setMarks.of(props.marked)];
    if (props.shown >= 1 && props.shown <= editor.state.doc.lines) {
      const place = editor.state.doc.line(props.shown).from;
      effects.push(EditorView.scrollIntoView(place, { y: "center" }));
      editor.dispatch({ selection: { anchor: place } });
    }
    editor.dispatch({ effects });
  }, [props.marked, props.shown, props.text, props.costs]);
  return <div class="code-pane" ref={parent} />;
}
