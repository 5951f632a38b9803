/** Text as code, in a cell of a table. */
export function code(text: string): string {
  return `\`${escaped(text)}\``;
}

/** Text in a cell of a table. */
export function escaped(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** `CanUseTool(2).signal`, `Options.agents[].model`. */
export function joined(name: string, field: string): string {
  return /^[([=]/.test(field) ? name + field : `${name}.${field}`;
}
