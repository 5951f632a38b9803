import { brief } from "./assertions.ts";

/** Remembers which call each failure came from, so that a report can name it. */
export class FailedCalls {
  readonly #names = new Map<unknown, string>();

  /** The call that failed with an error, such as `append({"projectKey":"p"}, …)`. */
  nameOf(error: unknown): string | undefined {
    return this.#names.get(error);
  }

  /** A view of a store whose failures are remembered; all else is as in the store. */
  watch<S extends object>(store: S): S {
    // Of nothing, since a proxy of a frozen store could not give other functions than that has.
    return new Proxy({} as S, {
      get: (_, name) => {
        const member: unknown = Reflect.get(store, name);
        if (typeof member !== "function") return member;
        // On the store itself: private members are not there on a view of it.
        return (...args: unknown[]) => this.named(callOf(name, args), () => Reflect.apply(member, store, args));
      },
    });
  }

  /** Makes a call, and remembers its failure by a name. */
  named<T>(name: string, call: () => T): T {
    const remember = (error: unknown): never => {
      this.#names.set(error, name);
      throw error;
    };
    try {
      const result = call();
      // A promise of the same type, but for its class.
      return result instanceof Promise ? (result.catch(remember) as T) : result;
    } catch (error) {
      return remember(error);
    }
  }
}

function callOf(name: string | symbol, [first, ...rest]: readonly unknown[]): string {
  return `${String(name)}(${first === undefined ? "" : brief(first)}${rest.length > 0 ? ", …" : ""})`;
}
