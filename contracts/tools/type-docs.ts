import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** What the docstrings of a type say. */
export interface TypeDocs {
  /** First paragraph of the type's own. */
  readonly text: string | undefined;
  /** By field, those of the types that it extends included. */
  readonly fields: ReadonlyMap<string, string>;
}

const source = join(import.meta.dirname, "..", "..", "packages", "messages", "src");

/** Reads the docstrings of the types of `@reins/messages`: units and meanings, which a schema cannot tell. */
export function typeDocs(): Map<string, TypeDocs> {
  const declarations = new Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>();
  for (const file of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts") || file.startsWith("schemas")) continue;
    const text = readFileSync(join(source, file), "utf8");
    for (const statement of ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true).statements) {
      const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
      if (isType) declarations.set(statement.name.text, statement);
    }
  }
  const fieldsOf = (name: string): [string, string][] => {
    const declaration = declarations.get(name);
    if (declaration === undefined || !ts.isInterfaceDeclaration(declaration)) return [];
    const bases = declaration.heritageClauses?.flatMap(({ types }) =>
      types.map(({ expression }) => expression.getText()),
    );
    const own = declaration.members.flatMap((member): [string, string][] => {
      const text = docOf(member);
      return member.name === undefined || text === undefined ? [] : [[member.name.getText(), text]];
    });
    return [...(bases ?? []).flatMap(fieldsOf), ...own];
  };
  return new Map(
    [...declarations].map(([name, declaration]) => {
      const text = docOf(declaration)?.split("\n\n")[0];
      return [name, { text: text?.replaceAll("\n", " "), fields: new Map(fieldsOf(name)) }];
    }),
  );
}

function docOf(node: ts.Node): string | undefined {
  const [doc] = ts.getJSDocCommentsAndTags(node);
  const comment = doc === undefined ? undefined : ts.getTextOfJSDocComment(doc.comment);
  // Links lead to types of the same name in the schemas, or to fields.
  return comment?.replaceAll(/\{@link ([^}]+)\}/g, "$1").replaceAll(/[ \t]*\n[ \t]*/g, "\n");
}
