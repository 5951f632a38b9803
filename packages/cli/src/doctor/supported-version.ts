import { type ClaudeLocation, checkCliVersion } from "@reins/process";
import type { Finding } from "./check.ts";

/** Does the program run, and is it a version that these packages were tested with? */
export async function checkVersion(location: ClaudeLocation): Promise<Finding> {
  const { version, supported, verdict } = checkCliVersion(await location.version());
  switch (verdict) {
    case "supported":
      return { status: "ok", message: `${version}, which these packages were tested with` };
    case "newer":
      return { status: "ok", message: `${version}, newer than ${supported}, which these packages were tested with` };
    case "older":
      return {
        status: "warning",
        message: `${version} is older than ${supported}, which these packages were tested with.`,
        next: "update Claude Code where something is missing.",
      };
    case "too-old":
      return {
        status: "failed",
        message: `${version} is too old: ${supported} is supported.`,
        next: "update Claude Code.",
      };
    case "unknown":
      return {
        status: "failed",
        message: `${location.path} --version names no version.`,
        next: "run it by hand; is it Claude Code?",
      };
  }
}
