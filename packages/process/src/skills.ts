import { OptionError } from "./errors.ts";

/**
 * The permission rules that let the listed skills run without a question.
 *
 * @throws {@link OptionError} for a name that would not stay one rule in the list of `--allowedTools`.
 */
export function skillRules(skills: readonly string[] | "all"): readonly string[] {
  if (skills === "all") return ["Skill"];
  if (!Array.isArray(skills)) throw new OptionError("skills", `has to be a list of names or "all".`);
  return skills.map((name: unknown) => {
    const problem = typeof name === "string" ? problemOf(name) : "is not a string";
    if (problem !== undefined) throw new OptionError("skills", `has a name that ${problem}: ${JSON.stringify(name)}.`);
    return `Skill(${name})`;
  });
}

function problemOf(name: string): string | undefined {
  if (name === "") return "is empty";
  if (name !== name.trim()) return "begins or ends with white space";
  if (/[(),]/.test(name)) return "has a parenthesis or a comma";
  if (/\p{Cc}/u.test(name)) return "has a control character";
  // With the u flag a pair is one code point, so this finds halves only.
  if (/\p{Surrogate}/u.test(name)) return "has half of a surrogate pair";
  if (name === "*" || name.endsWith(":*") || name.endsWith(" *")) return "is a pattern";
  if (name.startsWith("/")) return "begins with a slash";
  if (name.includes("\\\\") || name.endsWith("\\")) return "has backslashes that would escape something";
  return undefined;
}
