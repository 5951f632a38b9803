/** No settings of the machine and no tools: the shortest frames. */
export function quiet(): string[] {
  return ["--setting-sources", "", "--tools", ""];
}
