/** What a `#!` line may hold on every system: Linux before 5.1 cuts it at 127 bytes. */
const longestInterpreterLine = 127;

/**
 * Makes the text of a file that is a program, and JavaScript both as CommonJS and as a module.
 *
 * @param node Path of Node.js.
 * @param mainUrl URL of a module whose `main` is called with `folder`.
 */
export function toLauncher(node: string, mainUrl: string, folder: string): string {
  const code = `import(${JSON.stringify(mainUrl)}).then(({ main }) => main(${JSON.stringify(folder)}));\n`;
  const line = `#!${node}`;
  if (!/\s/.test(node) && new TextEncoder().encode(line).length <= longestInterpreterLine) return `${line}\n${code}`;
  // To the shell, the second line is a command; to JavaScript, a string and a comment.
  return `#!/bin/sh\n':' //; exec '${node.replaceAll("'", `'\\''`)}' "$0" "$@"\n${code}`;
}
