/** What a list of denied models says of some models. */
export interface DeniedModelsMatch {
  /** Of each model, in order, whether an entry denies it. */
  readonly denied: boolean[];
  /** About entries and models that could not be used, and entries that deny less or more than they look like. For a reader. */
  readonly warnings: string[];
}

/**
 * Says which models the setting `deniedModels` of a policy denies, without starting the CLI.
 *
 * An entry is a family (`opus`), a version with all its snapshots and spellings (`claude-opus-4-5`, `opus-4`), or else exactly one name.
 * Grant nothing by it: the CLI also looks at what an alias stands for, and refuses more. Never rejects.
 */
export async function matchDeniedModels(
  models: readonly string[],
  deniedModels: readonly string[] | undefined,
): Promise<DeniedModelsMatch> {
  const warnings: string[] = [];
  const entries = textsOf(deniedModels ?? [], "deniedModels", warnings).map((entry) => denierOf(entry, warnings));
  const isList: unknown = Array.isArray(models);
  if (isList !== true) {
    warnings.push("models is no list, so that nothing was looked at.");
    return { denied: [], warnings };
  }
  const denied = models.map((model: unknown) => {
    if (typeof model === "string") return entries.some((denies) => denies(plainName(model)));
    warnings.push(`models has a member of type ${typeof model}, which is no name of a model.`);
    return false;
  });
  return { denied, warnings };
}

function textsOf(list: unknown, what: string, warnings: string[]): string[] {
  if (!Array.isArray(list)) {
    warnings.push(`${what} is no list of names, so that it denies nothing.`);
    return [];
  }
  return list.filter((entry: unknown) => {
    if (typeof entry === "string") return true;
    warnings.push(`${what} has a member of type ${typeof entry}, which was left out.`);
    return false;
  });
}

/** Names that stand for another model in each release; an entry of one would mean nothing that lasts. */
const shifting: readonly string[] = ["best", "default", "opusplan"];
const families: readonly string[] = ["fable", "haiku", "opus", "sonnet"];

function denierOf(entry: string, warnings: string[]): (model: string) => boolean {
  const name = plainName(entry);
  if (name === "" || shifting.includes(name)) {
    warnings.push(`The entry ${JSON.stringify(entry)} was left out: it does not name a model.`);
    return () => false;
  }
  const version = versionOf(families.some((family) => name.startsWith(`${family}-`)) ? `claude-${name}` : name);
  const isTagged = /\[.*\]$/.test(entry.trim());
  if (families.includes(name) || version) {
    if (isTagged || version?.rest) warnings.push(`The entry ${JSON.stringify(entry)} denies every size and snapshot.`);
    return version ? (model) => isOf(versionOf(model), version) : (model) => isOfFamily(model, name);
  }
  warnings.push(
    `The entry ${JSON.stringify(entry)} denies exactly ${JSON.stringify(name)}, and no other spelling of it.`,
  );
  return (model) => model === name;
}

/** Without space around it, capitals, and the size of the context that is written behind a name: `opus[1m]`. */
function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/\[[^\]]*\]$/, "");
}

interface ModelVersion {
  readonly family: string;
  readonly numbers: readonly string[];
  /** What follows the version: a date, a revision. */
  readonly rest: string;
}

/** Reads `claude-opus-4-5`, the older `claude-3-5-sonnet`, and both with the prefixes that clouds put before them. */
function versionOf(name: string): ModelVersion | undefined {
  const bare = name.replace(/^.*\//, "").replace(/^.*\banthropic\./, "");
  const family = families.join("|");
  const match =
    new RegExp(`^claude-(?<family>${family})-(?<major>\\d{1,2})(?:-(?<minor>\\d{1,2}))?(?<rest>$|[-@:].*)`).exec(
      bare,
    ) ??
    new RegExp(`^claude-(?<major>\\d{1,2})(?:-(?<minor>\\d{1,2}))?-(?<family>${family})(?<rest>$|[-@:].*)`).exec(bare);
  if (!match?.groups) return undefined;
  const { family: ofFamily = "", major = "", minor, rest = "" } = match.groups;
  return { family: ofFamily, numbers: minor === undefined ? [major] : [major, minor], rest };
}

function isOf(model: ModelVersion | undefined, entry: ModelVersion): boolean {
  if (model?.family !== entry.family) return false;
  return entry.numbers.every((number, index) => model.numbers[index] === number);
}

function isOfFamily(model: string, family: string): boolean {
  return model.split(/[^a-z0-9]+/).includes(family);
}
