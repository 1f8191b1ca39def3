// Bundles tests/*.test.ts and runs them with node's test runner.
//
//   node run_tests.mjs CHROMIUM PAGES     PAGES is the folder of tests/browser/pages.py
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";

const [chromium, pages] = process.argv.slice(2);
const tests = readdirSync("tests").filter((name) => name.endsWith(".test.ts"));
await build({
  entryPoints: tests.map((name) => `tests/${name}`),
  bundle: true,
  platform: "node",
  format: "esm",
  external: ["puppeteer-core"],
  outdir: "built_tests",
  outExtension: { ".js": ".mjs" },
  logLevel: "warning",
});
const files = tests.map((name) => `built_tests/${name.replace(/\.ts$/, ".mjs")}`);
const done = spawnSync(process.execPath, ["--test", ...files], {
  stdio: "inherit",
  env: { ...process.env, WAVETANK_CHROMIUM: chromium, WAVETANK_PAGES: resolve(pages) },
});
process.exit(done.status ?? 1);
