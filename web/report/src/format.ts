// Numbers as people read them, in the way of the terminal's report.

const PREFIXES = ["", "k", "M", "G", "T", "P"];

/** "7.01 M", "12.3 k", "512": three significant digits. */
export function short(value: number): string {
  let size = Math.abs(value);
  let prefix = 0;
  while (size >= 999.5 && prefix + 1 < PREFIXES.length) {
    size /= 1000;
    prefix += 1;
  }
  const digits =
    size >= 99.95 || (prefix === 0 && Number.isInteger(size)) ? 0 : size >= 9.995 ? 1 : 2;
  const sign = value < 0 ? "−" : "";
  const gap = prefix > 0 ? " " : "";
  return `${sign}${size.toFixed(digits)}${gap}${PREFIXES[prefix] ?? ""}`;
}

/** A number with its unit: "1.64 TB/s", "512 B". */
export function quantity(value: number, unit: string): string {
  const text = short(value);
  return text.includes(" ") ? text + unit : `${text} ${unit}`;
}

/** The number of a tick: "1 k", "0.03", "10 T". */
export function tick(value: number): string {
  return value < 1
    ? String(Number(value.toPrecision(2)))
    : short(value).replace(/\.0+(?=\D|$)/, "");
}

/** "183 412": groups of three digits, with spaces that do not break. */
export function grouped(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** "87.3 µs", "4.40 ms", "2.10 s". */
export function duration(milliseconds: number): string {
  const digits = (size: number): string => size.toPrecision(3);
  if (milliseconds === 0) return "0 s";
  if (milliseconds < 1e-3) return `${digits(milliseconds * 1e6)} ns`;
  if (milliseconds < 1) return `${digits(milliseconds * 1e3)} µs`;
  if (milliseconds < 1e3) return `${digits(milliseconds)} ms`;
  return `${digits(milliseconds / 1e3)} s`;
}

/** "34.9 %". */
export function percent(value: number, digits = 1): string {
  return `${value.toFixed(digits)}\u202f%`;
}

/** "+ 0x14", as in disassemblies. */
export function offsetText(offset: number): string {
  return `0x${offset.toString(16).padStart(4, "0")}`;
}

/** "kernel.hip", without its folders. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
