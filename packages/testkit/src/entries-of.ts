import { readdirSync } from "node:fs";

/** The names in a folder; none when it is gone, cannot be read, or does not exist on this system. */
export function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
