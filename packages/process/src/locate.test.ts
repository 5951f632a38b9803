import { describe, expect, test } from "vitest";
import { CliNotFoundError } from "./errors.ts";
import type { FileProbe } from "./file-probe.ts";
import { type ClaudeLocation, type LocateOptions, locateClaude } from "./locate.ts";

interface FakeFile {
  readonly kind?: "file" | "directory";
  readonly executable?: boolean;
  readonly text?: string;
  readonly linksTo?: string;
}

/** A disk that holds just these. */
function disk(files: Record<string, FakeFile>): FileProbe {
  return {
    status(path) {
      const file = files[path];
      if (file === undefined) return undefined;
      const size = file.text?.length ?? 300_000_000;
      return { kind: file.kind ?? "file", executable: file.executable ?? true, size };
    },
    realPath: (path) => files[path]?.linksTo ?? (files[path] === undefined ? undefined : path),
    head: (path, length) => new TextEncoder().encode(files[path]?.text ?? "").subarray(0, length),
  };
}

function locate(files: Record<string, FakeFile>, options: LocateOptions = {}): ClaudeLocation {
  return locateClaude({
    platform: "linux",
    arch: "x64",
    libc: "glibc",
    env: { PATH: "/usr/bin:/bin" },
    home: "/home/u",
    cwd: "/srv/app",
    searchFrom: ["/app/dist"],
    files: disk(files),
    ...options,
  });
}

function placesTried(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof CliNotFoundError) return error.tried.map(({ place, outcome }) => `${place}: ${outcome}`);
    throw error;
  }
  return [];
}

const sdkPackage = "/app/node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude";
const cliPackage = "/app/node_modules/@anthropic-ai/claude-code-linux-x64/claude";

describe("the order", () => {
  const everything = {
    [sdkPackage]: {},
    [cliPackage]: {},
    "/usr/bin/claude": {},
    "/home/u/.local/bin/claude": {},
  };

  test("is: option, variable, package of the agent SDK, package of the CLI, PATH, known places", () => {
    const files: Record<string, FakeFile> = { ...everything };
    const env = { PATH: "/usr/bin", CLAUDE_CODE_EXECUTABLE: "/v/claude" };
    const found = (options?: LocateOptions): string[] => {
      const { path, foundBy } = locate(files, options);
      return [path, foundBy];
    };
    expect(found({ path: "/o/claude", env })).toEqual(["/o/claude", "option"]);
    expect(found({ env })).toEqual(["/v/claude", "environment"]);
    expect(found()).toEqual([sdkPackage, "agent-sdk-package"]);
    delete files[sdkPackage];
    expect(found()).toEqual([cliPackage, "cli-package"]);
    delete files[cliPackage];
    expect(found()).toEqual(["/usr/bin/claude", "path"]);
    delete files["/usr/bin/claude"];
    expect(found()).toEqual(["/home/u/.local/bin/claude", "known-place"]);
  });

  test("is told in the error, with the option that sets the path", () => {
    const tried = placesTried(() => locate({}));
    expect(tried).toEqual([
      "package @anthropic-ai/claude-agent-sdk-linux-x64: missing",
      "package @anthropic-ai/claude-code-linux-x64: missing",
      "claude on PATH: missing",
      "/home/u/.local/bin/claude: missing",
      "/home/u/.claude/local/claude: missing",
      "/home/u/.npm-global/bin/claude: missing",
      "/usr/local/bin/claude: missing",
      "/opt/homebrew/bin/claude: missing",
      "/home/u/.yarn/bin/claude: missing",
      "/home/u/node_modules/.bin/claude: missing",
    ]);
    expect(() => locate({})).toThrow("set pathToClaudeCodeExecutable");
  });
});

describe("a path that is given", () => {
  test("is not checked, and counts from the host's working directory when it is relative", () => {
    expect(locate({}, { path: "/nowhere" }).path).toBe("/nowhere");
    expect(locate({}, { path: "./bin/claude" }).path).toBe("/srv/app/bin/claude");
    expect(locate({ [sdkPackage]: {} }, { path: "" }).path).toBe(sdkPackage);
  });

  test("is looked up on PATH when it is a bare name, and left alone when it is not there", () => {
    expect(locate({ "/bin/claude-beta": {} }, { path: "claude-beta" }).path).toBe("/bin/claude-beta");
    expect(locate({ "/srv/app/claude-beta": {} }, { path: "claude-beta" }).path).toBe("claude-beta");
  });
});

describe("packages", () => {
  test("are searched in all folders above, as a module there would see them", () => {
    expect(locate({ "/node_modules/@anthropic-ai/claude-code-linux-x64/claude": {} }).foundBy).toBe("cli-package");
  });

  test("are found where only the package of the CLI sees them, as with pnpm", () => {
    const store = "/app/node_modules/.pnpm/cli/node_modules/@anthropic-ai";
    const files = {
      "/app/node_modules/@anthropic-ai/claude-code": { kind: "directory", linksTo: `${store}/claude-code` },
      [`${store}/claude-code-linux-x64/claude`]: {},
    } as const;
    expect(locate(files).path).toBe(`${store}/claude-code-linux-x64/claude`);
  });

  test("for the other C library are not taken, but named", () => {
    const files = { "/app/node_modules/@anthropic-ai/claude-code-linux-x64-musl/claude": {} };
    expect(locate(files, { libc: "musl" }).foundBy).toBe("cli-package");
    expect(placesTried(() => locate(files))).toContain("package @anthropic-ai/claude-code-linux-x64-musl: other-libc");
  });

  test("are named by platform and processor", () => {
    const found = (platform: string, arch: string, name: string, file: string, searchFrom = "/app"): string =>
      locate({ [file]: {} }, { platform, arch, searchFrom: [searchFrom], env: {} }).path.includes(name)
        ? "found"
        : "other";
    const mac = "/app/node_modules/@anthropic-ai/claude-code-darwin-arm64/claude";
    expect(found("darwin", "arm64", "darwin-arm64", mac)).toBe("found");
    const android = "/app/node_modules/@anthropic-ai/claude-agent-sdk-linux-arm64-android/claude";
    expect(found("android", "arm64", "android", android)).toBe("found");
    const windows = "C:\\app\\node_modules\\@anthropic-ai\\claude-code-win32-x64\\claude.exe";
    expect(found("win32", "x64", "win32-x64", windows, "C:\\app\\dist")).toBe("found");
  });
});

describe("on PATH", () => {
  test("relative and empty entries are passed over", () => {
    const files = { "/srv/app/claude": {}, "/srv/app/bin/claude": {}, claude: {}, "bin/claude": {} };
    expect(() => locate(files, { env: { PATH: ":bin:.:" } })).toThrow(CliNotFoundError);
  });

  test("what cannot be run is passed over, and named", () => {
    const stub = "#!/bin/sh\necho 'Error: claude native binary not installed'; exit 1\n";
    const files = {
      "/a/claude": { kind: "directory" },
      "/b/claude": { executable: false },
      "/c/claude": { text: stub },
    } as const;
    const env = { PATH: "/a:/b:/c" };
    expect(placesTried(() => locate(files, { env })).filter((place) => place.includes("/claude:"))).toEqual(
      expect.arrayContaining(["/a/claude: not-a-file", "/b/claude: not-executable", "/c/claude: npm-stub"]),
    );
    expect(
      locate({ ...files, "/d/claude": { text: "#!/bin/sh\nexec real-claude\n" } }, { env: { PATH: "/c:/d" } }).path,
    ).toBe("/d/claude");
  });

  test("Windows looks for claude.exe, under any spelling of Path", () => {
    const options = { platform: "win32", env: { Path: "relative;D:\\tools" }, home: "C:\\Users\\u", searchFrom: [] };
    expect(locate({ "D:\\tools\\claude.exe": {} }, options).path).toBe("D:\\tools\\claude.exe");
    expect(() => locate({ "D:\\tools\\claude": {}, "D:\\tools\\claude.cmd": {} }, options)).toThrow(CliNotFoundError);
  });
});

describe("known places", () => {
  test("on Windows are none that have the shape of POSIX paths", () => {
    const options = { platform: "win32", env: {}, home: "C:\\Users\\u", searchFrom: [] };
    expect(placesTried(() => locate({}, options)).filter((place) => !place.startsWith("package"))).toEqual([
      "claude.exe on PATH: missing",
      "C:\\Users\\u\\.local\\bin\\claude.exe: missing",
    ]);
  });

  test("need a home only when they are in it", () => {
    expect(locate({ "/usr/local/bin/claude": {} }, { home: "" }).foundBy).toBe("known-place");
  });
});

test("finds the pinned CLI of this workspace, from the folder of this file", () => {
  const { path, foundBy } = locateClaude({ searchFrom: [import.meta.dirname], env: {} });
  expect(foundBy).toBe("cli-package");
  expect(path).toMatch(/claude-code-[a-z0-9-]+.claude(\.exe)?$/);
});
