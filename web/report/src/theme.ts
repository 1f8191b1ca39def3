// Dark or light: the system's choice until the reader makes one, which is kept for later pages.
import type { Band } from "./data/model";

export type Theme = "light" | "dark";

const KEY = "wavetank-theme";

/** Storage may be forbidden to files; then the choice lasts as long as the page. */
function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset["theme"] ?? stored();
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function setTheme(theme: Theme, bands: Band[]): void {
  document.documentElement.dataset["theme"] = theme;
  bands.forEach((band, index) => {
    const colour = theme === "dark" ? band.on_dark : band.colour;
    document.documentElement.style.setProperty(`--band-${index}`, colour);
  });
}

export function keepTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Nothing can be kept; see stored().
  }
}
