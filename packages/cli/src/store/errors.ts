import { ReinsError } from "@reins/streamjson";

/** An address of a session store cannot be used. `url` has no password in it. */
export class StoreUrlError extends ReinsError {
  readonly code = "REINS_STORE_URL" as const;
  readonly url: string;

  constructor(url: string, problem: string, cause?: unknown) {
    const shown = withoutSecrets(url);
    super(`The store ${shown} cannot be opened: ${problem}`, cause === undefined ? undefined : { cause });
    this.url = shown;
  }

  override get name(): string {
    return "StoreUrlError";
  }
}

/** A package that this kind of store needs is not installed. Install `packages`, beside `@reins/cli`. */
export class StorePackageError extends ReinsError {
  readonly code = "REINS_STORE_PACKAGE" as const;
  /** All that this kind of store needs. */
  readonly packages: readonly string[];

  constructor(scheme: string, missing: string, packages: readonly string[], cause: unknown) {
    super(
      `Stores at ${scheme} need the package ${missing}, which is not installed. Run npm install ${packages.join(" ")} ` +
        "where @reins/cli is installed (with --global if it is).",
      { cause },
    );
    this.packages = packages;
  }

  override get name(): string {
    return "StorePackageError";
  }
}

/** An address as it may be shown. What is no URL is not taken apart: nobody knows where a password ends in it. */
function withoutSecrets(text: string): string {
  if (!URL.canParse(text)) return /@/.test(text) ? text.replace(/^.*@/s, "***@") : text;
  const url = new URL(text);
  if (url.password !== "") url.password = "***";
  for (const name of url.searchParams.keys())
    if (/pass|secret|token|key/i.test(name)) url.searchParams.set(name, "***");
  return url.href;
}
