import { type Signal, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const order: readonly Theme[] = ["system", "light", "dark"];

export const theme: Signal<Theme> = signal(readTheme());

function readTheme(): Theme {
  const stored = localStorage.getItem("theme");
  return order.find((name) => name === stored) ?? "system";
}

/** Puts the choice on the document; without one the style sheet follows the system. */
export function applyTheme(next: Theme = theme.value): void {
  theme.value = next;
  localStorage.setItem("theme", next);
  if (next === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = next;
}

export function nextTheme(): void {
  applyTheme(order[(order.indexOf(theme.value) + 1) % order.length] ?? "system");
}
