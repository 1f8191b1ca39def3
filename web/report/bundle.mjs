// Bundles the page's shell: page.html with the styles and the script of src/ inside.
//
//   node bundle.mjs FOLDER OUTPUT     FOLDER holds node_modules
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [folder, output] = process.argv.slice(2).map((path) => resolve(path));
const sources = dirname(fileURLToPath(import.meta.url));
const packages = resolve(folder, "node_modules");
const esbuild = createRequire(resolve(packages, "x.js"))("esbuild");

const built = await esbuild.build({
  entryPoints: [resolve(sources, "src/main.tsx")],
  nodePaths: [packages],
  bundle: true,
  minify: true,
  write: false,
  outdir: folder,
  format: "iife",
  target: ["chrome103", "firefox113", "safari16.4"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
});

/** The text of the one output with this ending; `</` would end the element that holds it. */
function textOf(ending) {
  const file = built.outputFiles.find((one) => one.path.endsWith(ending));
  if (file === undefined) throw new Error(`esbuild made no ${ending}`);
  return file.text.trim().replaceAll("</", "<\\/");
}

const shell = readFileSync(resolve(sources, "page.html"), "utf8")
  .replace("/* styles */", () => textOf(".css"))
  .replace("/* script */", () => textOf(".js"));
writeFileSync(output, shell);
