/** A change of one line of the wire. `pick` chooses the place, counted round all the places that there are. */
export type Mutation =
  /** Takes a member or an element out. */
  | { readonly kind: "drop"; readonly pick: number }
  /** Puts another value in the place of a member or an element. */
  | { readonly kind: "retype"; readonly pick: number; readonly value: unknown }
  /** Adds a member to an object. */
  | { readonly kind: "add"; readonly pick: number; readonly key: string; readonly value: unknown }
  /** Ends the line early. */
  | { readonly kind: "cut"; readonly pick: number }
  /** Puts another byte in the place of one. */
  | { readonly kind: "byte"; readonly pick: number; readonly byte: number };

/** The bytes of a changed line, without its newline. */
export function mutate(line: string, mutation: Mutation): Uint8Array {
  if (mutation.kind === "cut") return bytesOf(line).slice(0, mutation.pick % (line.length + 1));
  if (mutation.kind === "byte") {
    const bytes = bytesOf(line);
    bytes[mutation.pick % bytes.length] = mutation.byte;
    return bytes;
  }
  const value: unknown = JSON.parse(line);
  const { holder, key } = pickSlot(value, mutation);
  switch (mutation.kind) {
    case "drop":
      Reflect.deleteProperty(holder, key);
      // An element leaves no hole.
      if (Array.isArray(holder)) holder.splice(0, holder.length, ...holder.filter(() => true));
      break;
    case "retype":
      define(holder, key, mutation.value);
      break;
    case "add":
      define(holder, mutation.key, mutation.value);
      break;
  }
  return bytesOf(JSON.stringify(value));
}

interface Slot {
  readonly holder: object;
  readonly key: string;
}

function pickSlot(value: unknown, { kind, pick }: Mutation): Slot {
  const all = slotsOf(value);
  const slots = kind === "add" ? all.filter(({ holder }) => !Array.isArray(holder)) : all;
  // A frame has members.
  return slots[pick % slots.length]!;
}

/** Every place of a value, the outermost first. */
function slotsOf(value: unknown): Slot[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Object.keys(value).map((key) => ({ holder: value, key }));
  return [...own, ...Object.values(value).flatMap(slotsOf)];
}

/** Not an assignment, which would do something else for `__proto__`. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
