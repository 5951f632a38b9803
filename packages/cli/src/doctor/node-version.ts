import type { Finding } from "./check.ts";

/** Is this Node.js new enough? 20.19 is the oldest that the packages are tested with. */
export function checkNode(): Finding {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const isEnough = major > 20 || (major === 20 && minor >= 19);
  return isEnough
    ? { status: "ok", message: `${node} on ${process.platform} ${process.arch}` }
    : { status: "failed", message: `${node} is too old.`, next: "install Node.js 20.19 or newer." };
}
