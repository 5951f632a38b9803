import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";

/** What a package declares, as the compiler sees it. */
export interface Declarations {
  readonly checker: ts.TypeChecker;
  /** What each entry exports, by the entry's specifier (`@reins/messages`, `./browser`). */
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, ts.Symbol>>;
  /** Types that the module of the first entry declares for itself and does not export. */
  readonly unexported: ReadonlyMap<string, ts.Symbol>;
  /** True for a file of the packages that were read, false for the standard library and foreign packages. */
  readonly isOwn: (file: ts.SourceFile) => boolean;
}

/** The only packages of others that are read, and the folder that they are resolved from. What others give stays unknown. */
export interface Foreign {
  readonly packages: readonly string[];
  readonly folder: string;
}

type ModuleResolver = NonNullable<ts.CompilerHost["resolveModuleNameLiterals"]>;

/**
 * Reads declaration or source files with one compiler program. Nothing is checked, so that errors in a declaration do not matter.
 *
 * @param files Path of each entry, by its specifier.
 * @param ownFolders What lies below these and in no `node_modules` further down counts as own.
 * @param foreign Default: every import is resolved as usual.
 */
export function readDeclarations(
  files: ReadonlyMap<string, string>,
  ownFolders: readonly string[],
  foreign?: Foreign,
): Declarations {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    customConditions: ["@reins/source"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  if (foreign !== undefined) host.resolveModuleNameLiterals = onlyFrom(foreign, host);
  const program = ts.createProgram([...files.values()], options, host);
  const checker = program.getTypeChecker();
  const entries = new Map<string, ReadonlyMap<string, ts.Symbol>>();
  let unexported: ReadonlyMap<string, ts.Symbol> = new Map();
  for (const [specifier, path] of files) {
    const file = program.getSourceFile(path);
    if (file === undefined) throw new Error(`The compiler cannot read ${path}, the entry ${specifier}.`);
    const exported = exportsOf(checker, file);
    if (entries.size === 0) unexported = unexportedTypesOf(checker, file, exported);
    entries.set(specifier, exported);
  }
  const roots = ownFolders.map((folder) => `${slashed(resolve(folder))}/`);
  const isOwn = (file: ts.SourceFile): boolean => {
    const name = slashed(file.fileName);
    return roots.some((root) => name.startsWith(root) && !name.slice(root.length).includes("node_modules/"));
  };
  return { checker, entries, unexported, isOwn };
}

/** The entries of a package that have types, by `name` + subpath as one would import them, or by the bare subpath without a name. */
export function entriesOf(folder: string, name: string): Map<string, string> {
  const manifest: { exports?: Record<string, unknown> } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const entries = new Map<string, string>();
  for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
    if (typeof target !== "object" || target === null) continue;
    const conditions: { "@reins/source"?: string; types?: string } = target;
    const file = conditions["@reins/source"] ?? conditions.types;
    if (file === undefined) continue;
    const path = join(folder, file);
    // A subpath that is planned in package.json before its file exists, or one file under two names.
    if (!existsSync(path) || [...entries.values()].includes(path)) continue;
    entries.set(name === "" ? subpath : name + subpath.slice(1), path);
  }
  return entries;
}

function exportsOf(checker: ts.TypeChecker, file: ts.SourceFile): Map<string, ts.Symbol> {
  const module = checker.getSymbolAtLocation(file);
  // A file without any import or export is no module.
  if (module === undefined) return new Map();
  return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, unaliased(checker, symbol)]));
}

function unexportedTypesOf(
  checker: ts.TypeChecker,
  file: ts.SourceFile,
  exported: ReadonlyMap<string, ts.Symbol>,
): Map<string, ts.Symbol> {
  const found = new Map<string, ts.Symbol>();
  for (const statement of file.statements) {
    if (!ts.isTypeAliasDeclaration(statement) && !ts.isInterfaceDeclaration(statement)) continue;
    const symbol = checker.getSymbolAtLocation(statement.name);
    if (symbol !== undefined && !exported.has(symbol.name)) found.set(symbol.name, symbol);
  }
  return found;
}

function unaliased(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The type that a symbol names, or the type of the value that it is. */
export function typeOf(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Type {
  return isType(symbol) ? checker.getDeclaredTypeOfSymbol(symbol) : checker.getTypeOfSymbol(symbol);
}

/** True for types and interfaces, false for what exists at run time. A class is both, and read as its instances. */
function isType(symbol: ts.Symbol): boolean {
  return (symbol.flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) !== 0;
}

function onlyFrom({ packages, folder }: Foreign, host: ts.CompilerHost): ModuleResolver {
  return (literals, containingFile, redirected, options, sourceFile) =>
    literals.map((literal) => {
      const isBare = !literal.text.startsWith(".");
      if (isBare && !packages.includes(literal.text.split("/")[0]!)) return { resolvedModule: undefined };
      const from = isBare ? join(folder, "index.d.ts") : containingFile;
      const mode = ts.getModeForUsageLocation(sourceFile, literal, options);
      return ts.resolveModuleName(literal.text, from, options, host, undefined, redirected, mode);
    });
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
