import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "puppeteer-core";
import {
  expectNoFaults,
  openPage,
  startBrowser,
  textOf,
  textsOf,
  waitForView,
  type Opened,
} from "./browser";

let browser: Browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());

const KEYS: [string, string, string][] = [
  ["2", "source", ".cm-content"],
  ["3", "timeline", ".timeline canvas"],
  ["4", "memory", "svg.chip"],
  ["5", "access", ".access"],
  ["6", "roofline", "svg.roofline"],
  ["7", "occupancy", "svg.occupancy"],
  ["8", "advice", ".command"],
  ["9", "counters", "section table"],
  ["0", "evidence", "table.evidence"],
  ["1", "summary", ".headline"],
];

/** What the element that has the focus is called by. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const one = document.activeElement;
    return `${one?.tagName.toLowerCase()} ${one?.getAttribute("aria-label") ?? one?.textContent ?? ""}`;
  });

test("every view is reached by its key alone, and shows its content without an error", async () => {
  const opened = await openPage(browser, "traced");
  for (const [key, view, content] of KEYS) {
    await opened.page.keyboard.press(key as "2");
    await waitForView(opened.page, view);
    await opened.page.waitForSelector(`#view ${content}`);
  }
  expectNoFaults(opened);
});

test("tabs are chosen with the arrow keys, and what has the focus shows it", async () => {
  const { page } = await openPage(browser, "traced");
  await page.focus("#tab-summary");
  await page.keyboard.press("ArrowRight");
  await waitForView(page, "source");
  assert.match(await focused(page), /Source/);
  const outline = await page.$eval(":focus", (one) => getComputedStyle(one).outlineStyle);
  assert.equal(outline, "solid");
});

test("the Tab key comes to every control of the summary and to the view", async () => {
  const { page } = await openPage(browser, "traced");
  const seen = new Set<string>();
  for (let presses = 0; presses < 30; ++presses) {
    await page.keyboard.press("Tab");
    seen.add(await focused(page));
  }
  const names = [...seen].join("\n");
  for (const name of [
    /Search kernels/,
    /Dark or light/,
    /button Keys/,
    /1 Summary/,
    /Arrow keys/,
  ]) {
    assert.match(names, name);
  }
});

test("j and k choose the next and the previous kernel, Enter opens its source", async () => {
  const { page } = await openPage(browser, "traced");
  await page.keyboard.press("j");
  await page.waitForSelector("[aria-selected=true].table-row code");
  assert.equal(await textOf(page, "[aria-selected=true].table-row code"), "copy");
  await page.focus(".table-body");
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(
    () => document.querySelector("[aria-selected=true].table-row code")?.textContent === "columns",
  );
  await page.keyboard.press("Enter");
  await waitForView(page, "source");
});

async function openSource(hash = "#source"): Promise<Opened> {
  const opened = await openPage(browser, "traced", hash);
  await opened.page.waitForSelector('[aria-label="Machine code"] .cm-marked');
  return opened;
}

test("the source view opens at the hottest line, with its instruction marked", async () => {
  const opened = await openSource("#source/0.0");
  const [line] = await textsOf(opened.page, '[aria-label^="Source"] .cm-marked');
  assert.match(line ?? "", /\[.*\]/);
  assert.match(await textOf(opened.page, ".cost-text"), /\d/);
  expectNoFaults(opened);
});

test("an instruction that is chosen marks its source line, and a line its instructions", async () => {
  const { page } = await openSource();
  const marked = (label: string): Promise<string[]> =>
    textsOf(page, `[aria-label^="${label}"] .cm-marked`);
  const lines = await page.$$('[aria-label="Machine code"] .cm-line');
  await lines[0]?.click();
  await page.waitForFunction(() =>
    document.querySelector('[aria-label="Machine code"] .cm-line')?.classList.contains("cm-marked"),
  );
  assert.equal((await marked("Machine code")).length, 1);
  const [source] = await page.$$('[aria-label^="Source"] .cm-marked');
  await source?.click();
  await page.waitForFunction(
    () => document.querySelectorAll('[aria-label="Machine code"] .cm-marked').length > 1,
  );
  assert.equal((await marked("Source")).length, 1);
});

/** The row of an array in the memory view, cell by cell. */
async function arrayRow(page: Page, name: string): Promise<string[]> {
  const rows = await page.$$eval("table.arrays tbody tr", (all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent ?? "")),
  );
  return rows.find((row) => row[0] === name) ?? [];
}

test("copies and fills stand on the queue beside launches, and a pointer tells their bytes", async () => {
  const opened = await openPage(browser, "scale", "#timeline/0.0");
  const { page } = opened;
  const queues = ".timeline canvas[aria-label^='Launches and copies']";
  await page.waitForSelector(queues);
  assert.match(await textOf(page, ".legend"), /copies and fills: 3/);
  const box = await (await page.$(queues))?.boundingBox();
  const seen = new Set<string>();
  for (let x = 115; x < (box?.width ?? 0); x += 12) {
    await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + 26 + 12);
    const tip = await page.$(".tip");
    if (tip !== null) seen.add((await tip.evaluate((one) => one.textContent ?? "")).trim());
  }
  const tips = [...seen].join("\n");
  for (const words of [/copy to device 1\.05 MB/, /copy from device 1\.05 MB/, /fill/]) {
    assert.match(tips, words);
  }
  expectNoFaults(opened);
});

test("workgroups stand on all CUs; up and down choose one, whose workgroups stand below", async () => {
  const opened = await openPage(browser, "scale", "#timeline/0.0");
  const { page } = opened;
  const units = ".timeline canvas[aria-label^='Workgroups over CUs: 104 rows']";
  await page.waitForSelector(units);
  assert.match(await textOf(page, "#view"), /All 104 CUs have a workgroup after/);
  assert.deepEqual(await textsOf(page, "#view h3"), ["CU 0"]);
  await page.focus(units);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.querySelector("#view h3")?.textContent === "CU 2");
  await page.waitForSelector(".timeline canvas[aria-label^='Workgroups of CU 2: ']");
  await page.keyboard.press("+");
  await page.waitForFunction(
    (selector) => Number(document.querySelector(selector)?.getAttribute("data-zoom")) > 1,
    {},
    units,
  );
  const box = await (await page.$(units))?.boundingBox();
  await page.mouse.click((box?.x ?? 0) + 200, (box?.y ?? 0) + (box?.height ?? 0) - 8);
  await page.waitForFunction(() => document.querySelector("#view h3")?.textContent === "CU 103");
  expectNoFaults(opened);
});

test("the memory view says what each array asked for, and what L2 and HBM moved", async () => {
  const opened = await openPage(browser, "scale", "#memory/0.0");
  const { page } = opened;
  await page.waitForSelector("table.arrays");
  const [, place, size, loaded, stored] = await arrayRow(page, "in");
  assert.deepEqual([place, size, loaded, stored], ["global memory", "1.05 MB", "1.05 MB", ""]);
  const [, , , , written, , l2, hbm] = await arrayRow(page, "out");
  assert.equal(written, "1.05 MB");
  assert.equal(l2, "1.05 MB written");
  assert.match(hbm ?? "", /written/);
  const tile = await arrayRow(page, "tile");
  assert.deepEqual(tile.slice(1, 5), ["LDS", "", "1.05 MB", "1.05 MB"]);
  assert.equal(tile[7], "", "the LDS asks nobody");
  expectNoFaults(opened);
});

test("the waves of the traced kernel are zoomed by key and by wheel", async () => {
  const opened = await openPage(browser, "traced", "#timeline/0.0");
  const { page } = opened;
  const waves = ".timeline canvas[aria-label^='Waves']";
  await page.waitForSelector(waves);
  const zoomIs = (test: string): Promise<unknown> =>
    page.waitForFunction(
      (selector, wanted) => {
        const zoom = Number(document.querySelector(selector)?.getAttribute("data-zoom"));
        return wanted === "one" ? zoom === 1 : zoom > Number(wanted);
      },
      {},
      waves,
      test,
    );
  await page.focus(waves);
  await page.keyboard.press("+");
  await zoomIs("1");
  await page.keyboard.press("Home");
  await zoomIs("one");
  const box = await (await page.$(waves))?.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 400, (box?.y ?? 0) + 60);
  await page.mouse.wheel({ deltaY: -600 });
  await zoomIs("1.5");
  await page.mouse.move((box?.x ?? 0) + 420, (box?.y ?? 0) + 60);
  await page.waitForSelector(".tip");
  assert.match(await textOf(page, ".tip"), /cycles/);
  expectNoFaults(opened);
});

test("uncoalesced stores are drawn as lines beyond those that are needed", async () => {
  const { page } = await openPage(browser, "traced", "#access/0.1");
  await page.waitForSelector(".access svg");
  const [label] = await page.$$eval(".access svg", (all) =>
    all.map((one) => one.getAttribute("aria-label") ?? ""),
  );
  assert.match(label ?? "", /64 lines touched, 4 needed|64.* lines touched/);
});

test("t changes between dark and light, which the system's choice begins with", async () => {
  const { page } = await openPage(browser, "traced");
  await page.evaluate(() => localStorage.clear());
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await page.reload();
  await page.waitForSelector('html[data-ready][data-theme="dark"]');
  await page.keyboard.press("t");
  await page.waitForSelector('html[data-theme="light"]');
});

test("the address leads to a view again", async () => {
  const { page } = await openPage(browser, "traced", "#occupancy/0.1");
  await waitForView(page, "occupancy");
  assert.match(await textOf(page, ".kernel-item[aria-selected=true]"), /columns/);
});

test("two runs are compared by kernel and by reason", async () => {
  const opened = await openPage(browser, "compared");
  await opened.page.keyboard.press("c");
  await waitForView(opened.page, "compare");
  const rows = await textsOf(opened.page, ".pairs tbody tr");
  assert.equal(rows.length, 2);
  assert.match(rows[0] ?? "", /copy.*(faster|slower)/);
  assert.match(await textOf(opened.page, ".card h2"), /mi210 → mi300x/);
  const [, second] = await opened.page.$$(".pairs button");
  await second?.click();
  await opened.page.waitForFunction(() =>
    document.querySelector(".card h2")?.textContent?.startsWith("columns"),
  );
  expectNoFaults(opened);
});

test("a question mark shows the page of wavetank explain", async () => {
  const { page } = await openPage(browser, "traced");
  await page.click("button.explain");
  await page.waitForSelector("dialog[open] h2");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector("dialog") === null);
});

test("what-ifs stand in the order of their gains, below the advice", async () => {
  const opened = await openPage(browser, "advised", "#advice");
  await opened.page.waitForSelector(".findings li");
  assert.match(await textOf(opened.page, ".findings li"), /50.% less time: uncoalesced stores/);
  assert.match(await textOf(opened.page, ".findings li"), /fastest index/);
  const rows = await textsOf(opened.page, "table.lights tbody tr");
  assert.match(rows[0] ?? "", /lanes side by side.*2\.00×/);
  assert.match(rows[1] ?? "", /no conflicts.*1\.11×/);
  assert.match(await textOf(opened.page, "#view"), /Less than 1 %: no time between launches/);
  assert.match(await textOf(opened.page, "#view"), /no barriers: not known, it did not end/);
  expectNoFaults(opened);
});

test("the evidence says how far a number that was changed moves the time", async () => {
  const { page } = await openPage(browser, "advised", "#evidence");
  await page.waitForSelector("table.evidence");
  assert.match(await textOf(page, "table.evidence"), /lds\.banks=1\.1x: 2\.0.% less time/);
});

test("n goes to the instruction that costs the most after the chosen one", async () => {
  const { page } = await openSource();
  const marked = async (): Promise<string> =>
    (await textsOf(page, '[aria-label="Machine code"] .cm-marked')).join("\n");
  // The line that is marked once another one is than before.
  const markedAfter = async (key: "n" | "p"): Promise<string> => {
    const before = await marked();
    await page.keyboard.press(key);
    await page.waitForFunction(
      (old) => {
        const lines = document.querySelectorAll('[aria-label="Machine code"] .cm-marked');
        return lines.length === 1 && lines[0]?.textContent !== old;
      },
      {},
      before,
    );
    return marked();
  };
  const first = await markedAfter("n");
  assert.notEqual(await markedAfter("n"), first);
  assert.equal(await markedAfter("p"), first);
});
