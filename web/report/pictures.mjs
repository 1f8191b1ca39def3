// Takes the pictures of the documentation, light and dark.
//
//   node pictures.mjs CHROMIUM PAGE FOLDER     writes FOLDER/page_VIEW_THEME.webp
import puppeteer from "puppeteer-core";

const SIZE = { width: 1180, height: 720 };

/** Views with what they are shown at: the second kernel's traced waves, for instance. */
const VIEWS = {
  summary: "#summary",
  source: "#source/0.0",
  timeline: "#timeline/0.3",
  waves: "#timeline/0.3",
  memory: "#memory/0.0",
  access: "#access/0.0",
  roofline: "#roofline/0.0",
  occupancy: "#occupancy/0.0",
  evidence: "#evidence/0.0",
};

/** Parts of views, with what is scrolled into sight. */
const PARTS = { waves: ["timeline", "#view canvas[aria-label^='Waves']"] };

const [chromium, file, folder, ...wanted] = process.argv.slice(2);
const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox"] });
for (const theme of ["light", "dark"]) {
  for (const view of wanted.length > 0 ? wanted : Object.keys(VIEWS)) {
    const page = await browser.newPage();
    await page.setViewport(SIZE);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    await page.goto(`file://${file}${VIEWS[view]}`);
    const [shown, part] = PARTS[view] ?? [view];
    await page.waitForSelector(`#view[data-view="${shown}"]`);
    await page.waitForFunction(() => document.querySelector("#view .loading") === null);
    if (part !== undefined) {
      await page.waitForSelector(part);
      await page.$eval(part, (one) => one.parentElement.scrollIntoView());
    }
    await page.screenshot({
      path: `${folder}/page_${view}_${theme}.webp`,
      type: "webp",
      quality: 82,
    });
    await page.close();
  }
}
await browser.close();
