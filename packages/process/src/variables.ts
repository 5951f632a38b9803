/** Variables of an environment. A member that is `undefined` is not there. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a variable. On Windows any letter case of its name counts, and a copy of `process.env` no longer does that by itself. */
export function variable(env: Environment, name: string, platform: string): string | undefined {
  if (platform !== "win32") return env[name];
  return env[sameNames(env, name)[0] ?? name];
}

/** The members whose name is the given one in any letter case. */
export function sameNames(env: Environment, name: string): string[] {
  const wanted = name.toLowerCase();
  return Object.keys(env).filter((key) => key.toLowerCase() === wanted);
}
