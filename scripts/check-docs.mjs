// Checks what the Markdown files say against the repository: links and their anchors lead somewhere, and TypeScript blocks are code.
//
//   <!-- examples/x.ts -->       above a block: it is this file, whole. The path is relative to the Markdown file.
//   <!-- given: CODE -->         above a block: what the reader can do without, and the compiler cannot; the block is put in place of a `...`
//
// A link to a file of tests has a title of a test in it as its own: [proof](x.test.ts "does what is said").
// docs/troubleshooting.md names every error that a package exports.
//
// A block without a file is compiled where it stands, as a module of the package whose Markdown it is in; what that package exports need
// not be imported again in each block.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { root } from "./pnpm.mjs";

const files = markdownFiles();
const problems = [];
const snippets = new Map();
for (const file of files) {
  const text = readFileSync(file, "utf8");
  checkLinks(file, text);
  takeBlocks(file, text);
}
compile();
checkErrors();
for (const problem of problems) console.error(problem);
console.log(`${files.length} files, ${snippets.size} blocks compiled`);
if (problems.length > 0) process.exitCode = 1;

function markdownFiles() {
  const include = ["*.md", "docs/*.md", "packages/*/README.md", "apps/*/README.md", "bench/*.md", "contracts/**/*.md"];
  return ts.sys.readDirectory(root, [".md"], ["**/node_modules"], include).sort();
}

function checkLinks(file, text) {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
  for (const [, target, title] of prose.matchAll(/\]\(([^)\s]+)(?: "([^"]*)")?\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    const [path, anchor] = target.split("#");
    const linked = path === "" ? file : resolve(dirname(file), decodeURI(path));
    // Written by the docs gate itself, which checks what is in it.
    if (linked.startsWith(join(root, "docs/api"))) continue;
    if (!existsSync(linked)) problems.push(`${relative(root, file)}: ${target} leads nowhere`);
    else if (
      title !== undefined &&
      /\.test\.tsx?$/.test(path) &&
      !readFileSync(linked, "utf8").includes(`"${title}"`)
    ) {
      problems.push(`${relative(root, file)}: ${relative(root, linked)} has no test "${title}"`);
    } else if (anchor !== undefined && statSync(linked).isFile() && !anchorsOf(linked).has(anchor)) {
      problems.push(`${relative(root, file)}: ${relative(root, linked)} has no heading #${anchor}`);
    }
  }
}

/** The names that headings get where Markdown is shown. */
function anchorsOf(file) {
  const anchors = new Set();
  for (const [, heading] of readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[^\p{L}\p{N}\s_-]/gu, "");
    anchors.add(words.trim().toLowerCase().replaceAll(" ", "-"));
  }
  return anchors;
}

function takeBlocks(file, text) {
  const marked =
    /(?:<!-- (?:(?<path>[\w./-]+\.tsx?)|given: (?<given>[\s\S]*?)) -->\s+)?^(?<indent> *)```(?:ts|typescript)\n(?<body>[\s\S]*?)^ *```/gm;
  for (const match of text.matchAll(marked)) {
    const { path, given = "", indent, body } = match.groups;
    const code = body.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    const line = text.slice(0, match.index + match[0].indexOf("```")).split("\n").length;
    const place = `${relative(root, file)}:${line}`;
    if (path !== undefined) {
      const source = join(dirname(file), path);
      if (!existsSync(source)) problems.push(`${place}: there is no ${path}`);
      else if (readFileSync(source, "utf8") !== code) problems.push(`${place}: differs from ${path}`);
      continue;
    }
    // In a folder of the package, so that names resolve as they do for its own files. docs/ is one that has all packages.
    const folder = dirname(file) === root ? join(root, "docs") : dirname(file);
    const name = join(folder, "examples", `block-${snippets.size}.ts`);
    const [before, after = ""] = given.split(" ... ");
    const whole = `${before}\n${code}\n${after}`;
    snippets.set(name, { place, text: `${importsFor(folder, whole)}${whole}\nexport {};\n` });
  }
}

/** Imports what a block uses of its own package, and neither imports nor declares. */
function importsFor(folder, code) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const own = exportsOf(join(folder, "src", "index.ts"));
  const taken = new Set();
  const used = new Set();
  const visit = (node) => {
    if (ts.isIdentifier(node)) used.add(node.text);
    const { name } = node;
    const declares = ts.isImportSpecifier(node) || ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node);
    if (declares && name !== undefined && ts.isIdentifier(name)) taken.add(name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("block.ts", code, ts.ScriptTarget.Latest, true));
  const missing = own.filter((name) => used.has(name) && !taken.has(name));
  return missing.length === 0 ? "" : `import { ${missing.join(", ")} } from "${manifest.name}";`;
}

function exportsOf(entry) {
  if (!existsSync(entry)) return [];
  const source = ts.createSourceFile(entry, readFileSync(entry, "utf8"), ts.ScriptTarget.Latest, true);
  return source.statements
    .filter((statement) => ts.isExportDeclaration(statement) && statement.exportClause !== undefined)
    .flatMap(({ exportClause }) => exportClause.elements.map(({ name }) => name.text));
}

function checkErrors() {
  const text = readFileSync(join(root, "docs", "troubleshooting.md"), "utf8");
  for (const file of ts.sys.readDirectory(join(root, "packages"), [".md"], undefined, ["*/etc/*.api.md"])) {
    for (const [, name] of readFileSync(file, "utf8").matchAll(/^export (?:abstract )?class (\w+Error) /gm)) {
      const isNamed = text.includes(`\`${name}\``);
      if (!isNamed)
        problems.push(`docs/troubleshooting.md: ${name} of ${relative(root, dirname(dirname(file)))} is missing`);
    }
  }
}

function compile() {
  const { options } = ts.parseJsonConfigFileContent(
    {
      extends: "./tsconfig.base.json",
      compilerOptions: {
        types: ["node"],
        declaration: false,
        isolatedDeclarations: false,
        verbatimModuleSyntax: false,
        isolatedModules: false,
      },
    },
    ts.sys,
    root,
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => snippets.has(path) || fileExists(path);
  host.readFile = (path) => snippets.get(path)?.text ?? readFile(path);
  host.getSourceFile = (path, languageVersion, ...rest) => {
    const snippet = snippets.get(path);
    if (snippet === undefined) return getSourceFile(path, languageVersion, ...rest);
    return ts.createSourceFile(path, snippet.text, languageVersion, true);
  };
  const program = ts.createProgram([...snippets.keys()], options, host);
  for (const [name, { place }] of snippets) {
    const source = program.getSourceFile(name);
    for (const { messageText } of [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]) {
      problems.push(`${place}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`);
    }
  }
}
