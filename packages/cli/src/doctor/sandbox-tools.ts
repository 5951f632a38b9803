import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Finding } from "./check.ts";

/**
 * What the sandbox of Claude Code (the setting `sandbox.enabled`) needs on this platform: bubblewrap and socat on Linux, nothing on macOS.
 * [texts of CLI 2.1.328] Nothing else needs it, so that what is missing is no failure.
 */
export async function checkSandbox(): Promise<Finding> {
  if (process.platform === "darwin") return { status: "ok", message: "macOS has what sandboxed commands need" };
  if (process.platform !== "linux") {
    return { status: "info", message: `Claude Code has no sandbox for commands on ${process.platform}.` };
  }
  const missing: string[] = [];
  for (const [program, name] of [
    ["bwrap", "bubblewrap"],
    ["socat", "socat"],
  ] as const) {
    if (!(await isOnPath(program))) missing.push(name);
  }
  return missing.length === 0
    ? { status: "ok", message: "bubblewrap and socat are there, which sandboxed commands need" }
    : {
        status: "warning",
        message: `Sandboxed commands need ${missing.join(" and ")}, not found on PATH. All else works without.`,
        next: `to use the setting sandbox.enabled, install ${missing.join(" and ")}.`,
      };
}

async function isOnPath(program: string): Promise<boolean> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    if (folder === "") continue;
    const isThere = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}
