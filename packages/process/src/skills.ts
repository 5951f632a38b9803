/** The permission rules that let skills run without a question. */
export function skillRules(skills: readonly string[] | "all"): readonly string[] {
  return skills === "all" ? ["Skill"] : skills.map((name) => `Skill(${name})`);
}

/** Why a name would not stay one rule in the list of `--allowedTools`; `undefined` for a name that does. */
export function skillNameProblem(name: unknown): string | undefined {
  if (typeof name !== "string") return "is not a string";
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
