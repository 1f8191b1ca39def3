// The page's beginning: unpacks what the first view needs, then draws it.
import { render } from "preact";
import { App } from "./app";
import { pagePart } from "./data/parts";
import "./styles/base.css";
import "./styles/frame.css";
import "./styles/tables.css";
import "./styles/bands.css";
import "./styles/code.css";
import "./styles/pictures.css";

async function start(): Promise<void> {
  const root = document.getElementById("page");
  if (root === null) return;
  const page = await pagePart();
  document.title = `${page.runs.map((run) => run.command[0] ?? run.file).join(" → ")} — Wavetank`;
  root.replaceChildren();
  render(<App page={page} />, root);
  document.documentElement.dataset["ready"] = String(Math.round(performance.now()));
}

start().catch((error: unknown) => {
  document.body.textContent = `This report cannot be shown: ${String(error)}`;
  throw error;
});
