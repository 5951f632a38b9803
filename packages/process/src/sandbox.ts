type Members = Readonly<Record<string, unknown>>;

/**
 * Merges the `sandbox` option into the sandbox of the settings, as the official SDK does: the option wins, objects are merged, some lists
 * are joined; what the settings open by a proxy port or by `filesystem.disabled` closes again when the option restricts it.
 *
 * @see the table of options, "sandbox"; read from the official TypeScript SDK 0.3.328
 */
export function mergeSandbox(fromSettings: unknown, option: Members): Members {
  const base = isObject(fromSettings) ? restrict(fromSettings, option) : {};
  const merged = mergeObjects(base, option, "");
  // A sandbox that was asked for and cannot be had must not be left out silently.
  return option["enabled"] === true && merged["failIfUnavailable"] === undefined
    ? { ...merged, failIfUnavailable: true }
    : merged;
}

/** Lists that say what is closed off: the option adds to them. */
const joinedLists = [
  "filesystem.denyRead",
  "filesystem.denyWrite",
  "network.deniedDomains",
  "credentials.files",
  "credentials.envVars",
];

/** Objects that make sense only as a whole. */
const wholeObjects = ["ripgrep", "network.tlsTerminate"];

function mergeObjects(base: Members, option: Members, path: string): Members {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(option)) {
    if (key === "__proto__" || key === "constructor" || key === "prototype") continue;
    const at = path === "" ? key : `${path}.${key}`;
    merged[key] = mergeValue(base[key], value, at);
  }
  return merged;
}

function mergeValue(base: unknown, value: unknown, path: string): unknown {
  if (isObject(base) && isObject(value) && !wholeObjects.includes(path)) return mergeObjects(base, value, path);
  if (Array.isArray(base) && Array.isArray(value) && joinedLists.includes(path)) return distinct([...base, ...value]);
  return value;
}

/** By content: the lists hold strings and small objects. */
function distinct(list: readonly unknown[]): unknown[] {
  return [...new Map(list.map((item) => [JSON.stringify(item), item])).values()];
}

/** Takes out of the settings what would undo a restriction of the option. */
function restrict(settings: Members, option: Members): Members {
  const restricted: Record<string, unknown> = { ...settings };
  const filesystem = settings["filesystem"];
  if (isObject(filesystem) && filesystem["disabled"] === true && restrictsFiles(option)) {
    restricted["filesystem"] = without(filesystem, ["disabled"]);
  }
  const network = settings["network"];
  const wanted = option["network"];
  if (isObject(network) && isObject(wanted) && restrictsNetwork(wanted)) {
    restricted["network"] = without(network, ["httpProxyPort", "socksProxyPort"]);
  }
  return restricted;
}

function restrictsFiles(option: Members): boolean {
  const filesystem = option["filesystem"];
  if (isObject(filesystem) && filesystem["disabled"] === undefined) return true;
  const credentials = option["credentials"];
  const files: unknown = isObject(credentials) ? credentials["files"] : undefined;
  return Array.isArray(files) && files.some((file: unknown) => isObject(file) && file["mode"] === "deny");
}

function restrictsNetwork(network: Members): boolean {
  const denied = network["deniedDomains"];
  return (
    network["allowedDomains"] !== undefined ||
    (Array.isArray(denied) && denied.length > 0) ||
    network["strictAllowlist"] === true
  );
}

function without(members: Members, keys: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([key]) => !keys.includes(key)));
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
