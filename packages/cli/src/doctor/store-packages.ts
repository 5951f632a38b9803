import type { Finding } from "./check.ts";

/** Which kinds of stores can be opened. Only looked up, not loaded. */
export function checkStores(): Finding {
  const kinds = {
    redis: ["@reins/sessions-redis", "ioredis"],
    s3: ["@reins/sessions-s3", "@aws-sdk/client-s3"],
    postgres: ["@reins/sessions-postgres", "pg"],
  };
  const states = Object.entries(kinds).map(([kind, packages]) => {
    const missing = packages.filter((name) => !isInstalled(name));
    return missing.length === 0 ? kind : `${kind} (without ${missing.join(", ")})`;
  });
  const usable = ["file", ...states.filter((state) => !state.includes("("))];
  const others = states.filter((state) => state.includes("("));
  const end = others.length === 0 ? "" : `; not installed, and needed for these only: ${others.join(", ")}`;
  return { status: "info", message: `${usable.join(", ")} can be opened${end}` };
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
