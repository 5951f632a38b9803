import { win32 } from "node:path";

/** What Windows takes for the same where two names of files or folders differ by case only, such as keys of `c:\x` and `C:\x`. */
export function comparable(name: string, platform: string = process.platform): string {
  return platform === "win32" ? name.toLowerCase() : name;
}

/**
 * The paths under which a working directory may have sessions, the resolved one first.
 *
 * On Windows a mapped drive resolves to what it stands for (`Z:\app` to `\\server\share\app`), and a CLI may have kept either. The path that was
 * given counts only where the resolved one ends like it: then the root alone is another, where otherwise a link leads to another folder.
 *
 * @param given Absolute, not resolved.
 * @param real The same folder, resolved.
 */
export function spellingsOf(given: string, real: string, platform: string = process.platform): string[] {
  if (platform !== "win32") return [real];
  const [asked, found] = [comparable(given, platform), comparable(real, platform)];
  const root = win32.parse(asked).root;
  const below = asked.slice(root.length);
  const isMoved = /^[a-z]:\\$/.test(root) && win32.parse(found).root !== root;
  const isAlike = below !== "" && `\\${found.slice(win32.parse(found).root.length)}`.endsWith(`\\${below}`);
  return isMoved && isAlike ? [real, given] : [real];
}
