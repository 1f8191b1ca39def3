// The parts of the data, which lie deflated in script elements and are unpacked when asked for.
import type { Detail, Device, Page } from "./model";

const unpacked = new Map<string, Promise<unknown>>();

async function unpack(id: string): Promise<unknown> {
  const text = document.getElementById(`part-${id}`)?.textContent;
  if (text === undefined || text === null) throw new Error(`the page has no part ${id}`);
  const bytes = Uint8Array.from(atob(text), (digit) => digit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

function part(id: string): Promise<unknown> {
  let found = unpacked.get(id);
  if (found === undefined) {
    found = unpack(id);
    unpacked.set(id, found);
  }
  return found;
}

/** What all views share. */
export const pagePart = (): Promise<Page> => part("page") as Promise<Page>;

/** One kernel's instructions, counters and trace. */
export const detailPart = (run: number, kernel: number): Promise<Detail> =>
  part(`kernel-${run}-${kernel}`) as Promise<Detail>;

/** The devices of the runs by name. */
export const devicesPart = (): Promise<Record<string, Device>> =>
  part("devices") as Promise<Record<string, Device>>;

/** Source texts by file. */
export const sourcesPart = (): Promise<Record<string, string>> =>
  part("sources") as Promise<Record<string, string>>;
