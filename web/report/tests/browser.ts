// A page in a headless browser that notes what it must not do: errors in the console, requests.
import assert from "node:assert/strict";
import puppeteer, { type Browser, type Page } from "puppeteer-core";

export interface Opened {
  page: Page;
  /** Errors and warnings of the console, exceptions, and requests to a network. */
  faults: string[];
}

export function startBrowser(): Promise<Browser> {
  const executablePath = process.env["WAVETANK_CHROMIUM"] ?? "/usr/bin/chromium";
  // Containers often have neither user namespaces nor a large /dev/shm.
  return puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

export function pageUrl(name: string): string {
  return `file://${process.env["WAVETANK_PAGES"] ?? "."}/${name}.html`;
}

/** Opens one of the pages of tests/browser/pages.py and waits until it is drawn. */
export async function openPage(browser: Browser, name: string, hash = ""): Promise<Opened> {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) faults.push(`request of ${request.url()}`);
  });
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(pageUrl(name) + hash);
  await page.waitForSelector("html[data-ready]");
  return { page, faults };
}

/** The texts of the elements that a selector finds. */
export function textsOf(page: Page, selector: string): Promise<string[]> {
  return page.$$eval(selector, (found) => found.map((one) => one.textContent ?? ""));
}

export async function textOf(page: Page, selector: string): Promise<string> {
  return (await textsOf(page, selector)).join(" ");
}

/** Waits until the view is shown. */
export async function waitForView(page: Page, view: string): Promise<void> {
  await page.waitForSelector(`#view[data-view="${view}"]`);
}

export function expectNoFaults(opened: Opened): void {
  assert.deepEqual(opened.faults, []);
}
