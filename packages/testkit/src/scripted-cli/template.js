// @ts-check
// Plain JavaScript, as is its only user, the interpreter.

const placeholder = /\{\{([\w-]+(?:\.[\w-]+)*)(?:\|([^}]*))?\}\}/g;
const onlyPlaceholder = /^\{\{([\w-]+(?:\.[\w-]+)*)(?:\|([^}]*))?\}\}$/;

/**
 * A copy of a value with its placeholders filled in, its `$repeat` texts written out and its `$literal` values bare.
 *
 * @param {unknown} value
 * @param {ReadonlyMap<string, unknown>} kept Frames by the name under which a step kept them.
 * @returns {unknown}
 */
export function fill(value, kept) {
  if (typeof value === "string") return fillText(value, kept);
  if (Array.isArray(value)) return value.map((item) => fill(item, kept));
  if (typeof value !== "object" || value === null) return value;
  if ("$literal" in value) return value.$literal;
  if ("$repeat" in value) {
    const { text, count } = /** @type {{ text: string, count: number }} */ (value.$repeat);
    return text.repeat(count);
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, kept)]));
}

/**
 * The member under a dotted path, or `undefined`. Numbers index arrays; inherited members do not count.
 *
 * @param {unknown} value
 * @param {string} path
 * @returns {unknown}
 */
export function memberAt(value, path) {
  let found = value;
  for (const key of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = /** @type {Record<string, unknown>} */ (found)[key];
  }
  return found;
}

/**
 * Whether two JSON values are equal, order of keys included.
 *
 * @param {unknown} left
 * @param {unknown} right
 */
export function isEqual(left, right) {
  if (typeof left !== "object" || typeof right !== "object") return left === right;
  return JSON.stringify(left) === JSON.stringify(right);
}

/**
 * @param {string} text
 * @param {ReadonlyMap<string, unknown>} kept
 * @returns {unknown} The member itself, of any type, where the text is nothing but a placeholder.
 */
function fillText(text, kept) {
  const only = onlyPlaceholder.exec(text);
  if (only !== null) return lookUp(kept, only[1] ?? "", only[2]);
  return text.replace(placeholder, (_, path, fallback) => {
    const found = lookUp(kept, path, fallback);
    return typeof found === "string" ? found : JSON.stringify(found);
  });
}

/**
 * @param {ReadonlyMap<string, unknown>} kept
 * @param {string} path
 * @param {string | undefined} fallback
 * @returns {unknown}
 */
function lookUp(kept, path, fallback) {
  const [name = "", ...rest] = path.split(".");
  const frame = kept.get(name);
  const found = rest.length === 0 ? frame : memberAt(frame, rest.join("."));
  if (found !== undefined) return found;
  if (fallback !== undefined) return fallback;
  const reason = kept.has(name)
    ? `the frame is ${JSON.stringify(frame)}`
    : "no step before kept a frame under this name";
  throw new Error(`nothing to put in for {{${path}}}: ${reason}`);
}
