// Proves on the built files that the packages below run without Node: nothing that an entry reaches imports a Node
// module or touches a global that only Node has.
import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { root } from "./pnpm.mjs";

const browserSafe = ["streamjson", "messages", "control", "toolhost"];
/** Other entries that are, of packages which are not. */
const entries = ["runtime/dist/events.js"];

const nodeGlobals = new Set([
  ...["Buffer", "process", "global", "require", "module", "exports", "__dirname", "__filename"],
  ...["setImmediate", "clearImmediate"],
]);

const problems = [];
for (const entry of [...browserSafe.map((name) => `${name}/dist/index.js`), ...entries]) {
  visit(join(root, "packages", entry), new Set());
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function visit(file, seen) {
  if (seen.has(file)) return;
  seen.add(file);
  const shown = relative(root, file);
  if (!existsSync(file)) {
    problems.push(`${shown}: is missing; build first`);
    return;
  }
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const report = (node, what) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    problems.push(`${shown}:${line + 1}: ${what}`);
  };
  const walk = (node) => {
    const specifier = moduleSpecifier(node);
    if (specifier !== undefined) {
      if (specifier.startsWith(".")) visit(join(dirname(file), specifier), seen);
      else if (!isAllowed(specifier)) report(node, `imports ${specifier}`);
    }
    if (ts.isIdentifier(node) && nodeGlobals.has(node.text) && isGlobalUse(node)) report(node, `uses ${node.text}`);
    ts.forEachChild(node, walk);
  };
  walk(source);
}

function moduleSpecifier(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier?.text;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return node.arguments[0]?.text ?? "a computed module";
  }
  return undefined;
}

function isAllowed(specifier) {
  if (specifier.startsWith("node:") || builtinModules.includes(specifier)) return false;
  const sibling = /^@reins\/([^/]+)$/.exec(specifier);
  return sibling === null ? !specifier.startsWith("@reins/") : browserSafe.includes(sibling[1]);
}

/** Whether an identifier reads a variable, as opposed to naming a property. `globalThis.process` counts as a read. */
function isGlobalUse(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node)
    return parent.expression.getText() === "globalThis";
  const namesProperty =
    ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent);
  return !(namesProperty && parent.name === node);
}
