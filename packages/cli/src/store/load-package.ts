import { StorePackageError } from "./errors.ts";

/** Loads the packages of a kind of store, and says what to install when one is not there. */
export async function loadPackages<Loaded>(
  scheme: string,
  packages: readonly string[],
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    const missing = missingPackage(error);
    if (missing === undefined || !packages.includes(missing)) throw error;
    throw new StorePackageError(scheme, missing, packages, error);
  }
}

function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) return undefined;
  // Node.js names it nowhere but in the message: Cannot find package 'NAME' imported from PATH.
  return /'((?:@[\w.-]+\/)?[\w.-]+)'/.exec(error.message)?.[1];
}
