/** The name that the CLI gives to the folder of a project's transcripts, made of the project's path. */
export function folderName(path: string): string {
  return path.replace(/[^a-zA-Z0-9]/g, "-");
}
