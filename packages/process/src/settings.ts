import { OptionError } from "./errors.ts";
import { toJson } from "./json.ts";
import { mergeSandbox } from "./sandbox.ts";

/**
 * The value of `--settings`: JSON text, or the path of a file as it was given.
 *
 * @throws {@link OptionError} for text that begins like JSON and is none (the CLI would take it for the path of a file), and for a file
 * together with a sandbox.
 */
export function settingsText(settings: string | object | undefined, sandbox: object | undefined): string | undefined {
  const text = typeof settings === "object" ? toJson("settings", settings) : settings;
  const inline = text !== undefined && isSettingsText(text) ? parse(text) : undefined;
  if (sandbox === undefined) return text;
  if (text && inline === undefined) {
    throw new OptionError(
      "sandbox",
      "cannot be used with settings that are a file. Put it into that file, under the key sandbox.",
    );
  }
  const merged = mergeSandbox(inline?.["sandbox"], JSON.parse(toJson("sandbox", sandbox)));
  return JSON.stringify({ ...inline, sandbox: merged });
}

/** Whether it is JSON text, or means to be; anything else is the path of a file. */
export function isSettingsText(text: string): boolean {
  return text.trim().startsWith("{");
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OptionError(
      "settings",
      `begins like JSON and is none: ${String(error)}. Give an object, or the path of a file.`,
      error,
    );
  }
}
