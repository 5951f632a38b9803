import { homedir } from "node:os";
import { resolve, sep } from "node:path";
import { fits, type PatternElement, star } from "./wildcard.ts";

/** Which paths a rule is about, for sure and in doubt. */
export interface PathRule {
  /** Whether it is about this path, taken to the letter. */
  readonly covers: (path: string) => boolean;
  /** Whether it could be about this path: on a file system that does not tell case, or with brackets as a set of characters. */
  readonly touches: (path: string) => boolean;
}

/**
 * A pattern as in a line of a .gitignore file: without a slash it is a name in any folder, `//` begins an absolute path, `~/` one in the
 * home folder, and all others are relative. What lies in a folder that matches is meant as well.
 *
 * @throws TypeError for one that takes back what another one says (`!`), since a rule stands alone.
 */
export function pathRule(content: string, cwd: string): PathRule {
  if (content.startsWith("!")) throw new TypeError(`A file pattern cannot begin with "!": ${content}`);
  const pattern = patternSegments(sep === "\\" ? content.replaceAll("\\", "/") : content, cwd);
  const literal = pattern.map((segment) => element(segment, wildcardName));
  const folded = pattern.map((segment) => element(segment === undefined ? segment : fold(segment), wildcardName));
  const sets = pattern.map((segment) => element(segment === undefined ? segment : fold(segment), setName));
  return {
    covers: (path) => fits([...literal, star], segmentsOf(path, cwd)),
    touches: (path) => {
      const segments = segmentsOf(path, cwd).map(fold);
      return fits([...folded, star], segments) || fits([...sets, star], segments);
    },
  };
}

/** A literal name, in an object to tell it from a pattern; a pattern of a name; `undefined` for any number of folders. */
type Segment = { readonly name: string } | string | undefined;

function patternSegments(content: string, cwd: string): Segment[] {
  const isAnchored = content.replace(/\/$/, "").includes("/");
  const [root, glob] = content.startsWith("//")
    ? [sep, content.slice(2)]
    : /^~(?:\/|$)/.test(content)
      ? [homedir(), content.slice(2)]
      : [cwd, isAnchored ? content : `**/${content}`];
  const segments: Segment[] = segmentsOf(root, cwd).map((name) => ({ name }));
  for (const part of glob.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") segments.pop();
    else segments.push(part === "**" ? undefined : part);
  }
  // At the end it means what is in a folder, but not the folder.
  if (segments.at(-1) === undefined && segments.length > 0) segments.splice(-1, 1, "*");
  return segments;
}

function segmentsOf(path: string, cwd: string): string[] {
  const expanded = /^~(?:[/\\]|$)/.test(path) ? homedir() + path.slice(1) : path;
  return resolve(cwd, expanded)
    .split(sep)
    .filter((segment) => segment !== "");
}

function fold<Name extends Segment | string>(segment: Name): Name {
  // The kind of a segment stays as it is.
  const folded = typeof segment === "object" ? { name: foldText(segment.name) } : foldText(segment as string);
  return folded as Name;
}

function foldText(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function element(
  segment: Segment,
  compile: (glob: string) => readonly PatternElement<string>[],
): PatternElement<string> {
  if (segment === undefined) return star;
  if (typeof segment === "object") return (name) => name === segment.name;
  const pattern = compile(segment);
  return (name) => fits(pattern, name);
}

/** `*`, `?`, and a backslash in front of what is meant literally. */
function wildcardName(glob: string): readonly PatternElement<string>[] {
  return glob.match(/\\.|./gs)?.map(characterElement) ?? [];
}

/** The same, with sets such as `[a-z]` and `[!x]`. */
function setName(glob: string): readonly PatternElement<string>[] {
  return (
    glob
      .match(/\\.|\[[!^]?\]?[^\]]*\]|./gs)
      ?.map((part) => (part.length > 2 ? setElement(part) : characterElement(part))) ?? []
  );
}

function characterElement(part: string): PatternElement<string> {
  if (part === "*") return star;
  if (part === "?") return () => true;
  const literal = part.length === 2 ? part.slice(1) : part;
  return (character) => character === literal;
}

function setElement(set: string): PatternElement<string> {
  const isNegated = /^\[[!^]/.test(set);
  const ranges = set.slice(isNegated ? 2 : 1, -1).match(/.-.|./gs) ?? [];
  const isIn = (character: string): boolean =>
    ranges.some((range) => character >= range.slice(0, 1) && character <= range.slice(-1));
  return (character) => isIn(character) !== isNegated;
}
