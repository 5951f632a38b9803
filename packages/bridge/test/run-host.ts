import { execFile } from "node:child_process";
import { join } from "node:path";
import type { Sandbox } from "@reins/testkit";
import { examplePath } from "../../../scripts/example-command.ts";

/** The hosts in examples/, and what runs them. */
export const hosts: readonly (readonly [string, string])[] = [
  ["python3", "host.py"],
  ["bash", "host.sh"],
];

export interface HostRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a host that starts a command as its bridge. */
export function runHost(
  [interpreter, file]: readonly [string, string],
  bridge: readonly string[],
  sandbox: Sandbox,
  env: Readonly<Record<string, string>> = {},
): Promise<HostRun> {
  const argv = [examplePath(join(import.meta.dirname, "..", "examples", file)), ...bridge];
  return new Promise((resolve, reject) => {
    const options = { cwd: sandbox.cwd, env: { ...sandbox.env, ...env }, timeout: 45_000 };
    execFile(interpreter, argv, options, (error, stdout, stderr) => {
      if (error && "code" in error && error.code === "ENOENT")
        reject(new Error(`${interpreter} is needed for this test.`));
      else resolve({ code: error ? Number(error.code ?? Number.NaN) : 0, stdout, stderr });
    });
  });
}
