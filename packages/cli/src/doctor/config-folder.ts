import { access, constants, readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Finding } from "./check.ts";

/** Is there a configuration folder that can be written, and how many projects are in it? */
export async function checkConfigFolder(): Promise<Finding> {
  const given = process.env["CLAUDE_CONFIG_DIR"] ?? "";
  const folder = given === "" ? join(homedir(), ".claude") : given;
  const by = given === "" ? "" : ", by CLAUDE_CONFIG_DIR";
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) {
    return { status: "info", message: `${folder}${by} is not there yet. Claude Code makes it at its first start.` };
  }
  if (!found.isDirectory()) {
    return {
      status: "failed",
      message: `${folder}${by} is no folder.`,
      next: "move it away, or set CLAUDE_CONFIG_DIR.",
    };
  }
  const isWritable = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) {
    return {
      status: "failed",
      message: `${folder}${by} cannot be written.`,
      next: "see who owns it, or set CLAUDE_CONFIG_DIR.",
    };
  }
  const projects = await readdir(join(folder, "projects")).catch(() => []);
  return {
    status: "ok",
    message: `${folder}${by}, ${projects.length} ${projects.length === 1 ? "project" : "projects"}`,
  };
}
