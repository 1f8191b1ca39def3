import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Browser } from "puppeteer-core";
import { expectNoFaults, openPage, pageUrl, startBrowser, textOf, textsOf } from "./browser";

let browser: Browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());

/** Milliseconds until a page is painted, and until the summary is drawn. */
async function paintTimes(name: string): Promise<{ first: number; drawn: number }> {
  const opened = await openPage(browser, name);
  const painted = await opened.page.evaluate(() => {
    const entry = performance.getEntriesByName("first-contentful-paint")[0];
    return {
      first: entry?.startTime ?? Infinity,
      drawn: Number(document.documentElement.dataset["ready"]),
    };
  });
  expectNoFaults(opened);
  await opened.page.close();
  return painted;
}

test("a hundred kernels take less than 2 MB and are drawn within a second", async () => {
  // Other tests may have the machine at a moment: the best of three loads counts.
  const times = [];
  for (let load = 0; load < 3; ++load) times.push(await paintTimes("hundred"));
  const size = statSync(pageUrl("hundred").replace("file://", "")).size;
  console.log(
    `${size} bytes, ms to first paint and to the drawn summary: ${JSON.stringify(times)}`,
  );
  assert.ok(Math.min(...times.map((time) => time.first)) < 1000, JSON.stringify(times));
  assert.ok(Math.min(...times.map((time) => time.drawn)) < 1000, JSON.stringify(times));
  assert.ok(size < 2e6, `${size} bytes`);
});

test("the summary begins with the longest kernel and what bounds it", async () => {
  const opened = await openPage(browser, "traced");
  assert.match(await textOf(opened.page, ".headline"), /2 kernels.*bound by.*uncoalesced stores/);
  assert.equal((await textsOf(opened.page, ".table-body code"))[0], "columns");
  expectNoFaults(opened);
});

test("a click on a column's name sorts by it, another one the other way round", async () => {
  const { page } = await openPage(browser, "hundred");
  const sort = async (): Promise<void> => {
    await page.click(".table-head [role=columnheader]:nth-child(4) button");
    await page.$eval(".table-body", (body) => body.scrollTo(0, 0));
  };
  const firstIs = (name: string): Promise<unknown> =>
    page.waitForFunction(
      (wanted) => {
        document.querySelector(".table-body")?.scrollTo(0, 0);
        const first = document.querySelector(".table-body [aria-rowindex='2'] code");
        return first?.textContent === wanted;
      },
      {},
      name,
    );
  await sort();
  await firstIs("kernel_000");
  await sort();
  await firstIs("kernel_099");
  const sorted = await textOf(page, "[aria-sort=descending]");
  assert.equal(sorted, "Kernel ▾");
});

test("the table of a hundred kernels holds only the rows in sight", async () => {
  const { page } = await openPage(browser, "hundred");
  assert.ok((await page.$$(".table-body .table-row")).length < 40);
  assert.equal(
    await page.$eval("[role=grid]", (grid) => grid.getAttribute("aria-rowcount")),
    "101",
  );
});

test("a search shows the kernels with the words", async () => {
  const opened = await openPage(browser, "hundred");
  await opened.page.keyboard.press("/");
  await opened.page.keyboard.type("kernel_04");
  await opened.page.waitForFunction(
    () => document.querySelectorAll(".table-body .table-row").length === 10,
  );
  expectNoFaults(opened);
});
