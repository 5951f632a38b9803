import { detailsOpen, goTo, helpOpen, route } from "./state.ts";
import { nextTheme } from "./theme.ts";

/** What the help lists. */
export const keyHelp: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [["j", "k"], "next and previous session, or part of a transcript"],
  [["Enter"], "open a session; open or close what is folded"],
  [["Esc"], "back to the list; leave a field"],
  [["/"], "filter the list; Enter there searches what was said"],
  [["g", "G"], "beginning and end"],
  [["b", "B"], "next and previous place where a conversation branches"],
  [["[", "]"], "previous and next branch"],
  [["f"], "stay at the end of a transcript that grows"],
  [["a", "A", "d"], "answer a permission question: allow, always, deny"],
  [["c"], "continue a session"],
  [["n"], "new session"],
  [["u"], "usage of all sessions"],
  [["i"], "details of the session"],
  [["t"], "system, light, dark"],
  [["?"], "this help"],
];

type Handler = (event: KeyboardEvent) => boolean;
const handlers: Handler[] = [];

/** Takes keys that nobody types into a field. The handler that came last is asked first; true means that it was for it. */
export function onKeys(handler: Handler): () => void {
  handlers.unshift(handler);
  return () => {
    const index = handlers.indexOf(handler);
    if (index >= 0) handlers.splice(index, 1);
  };
}

export function startKeys(): void {
  addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select")) {
      if (event.key === "Escape") target.blur();
      return;
    }
    // Enter and space on a button or link are its own, and so is space on a box.
    const own = event.key === "Enter" ? "button, a" : event.key === " " ? "button, a, input" : undefined;
    if (own !== undefined && target instanceof HTMLElement && target.matches(own)) return;
    if (handlers.some((handler) => handler(event)) || general(event)) event.preventDefault();
  });
}

function general({ key }: KeyboardEvent): boolean {
  switch (key) {
    case "?":
      helpOpen.value = !helpOpen.value;
      return true;
    case "Escape":
      if (helpOpen.value) helpOpen.value = false;
      else if (route.value.name !== "home") goTo({ name: "home" });
      return true;
    case "/":
      document.querySelector<HTMLInputElement>("#filter")?.focus();
      return true;
    case "t":
      nextTheme();
      return true;
    case "u":
      goTo({ name: "usage" });
      return true;
    case "n":
      goTo({ name: "new" });
      return true;
    case "i":
      detailsOpen.value = !detailsOpen.value;
      return true;
    default:
      return false;
  }
}
