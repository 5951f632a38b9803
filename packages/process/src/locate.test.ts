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

  test("the placeholder of npm stands for the binary of its own package, where that is there", () => {
    const stub = "#!/bin/sh\necho 'Error: claude native binary not installed'; exit 1\n";
    const modules = "/usr/lib/node_modules/@anthropic-ai/claude-code";
    const binary = `${modules}/node_modules/@anthropic-ai/claude-code-linux-x64/claude`;
    const files = { "/usr/bin/claude": { text: stub, linksTo: `${modules}/bin/claude.exe` }, [binary]: {} };
    expect(locate(files)).toMatchObject({ path: binary, foundBy: "path" });
  });

  test("Windows looks for claude.exe, under any spelling of Path", () => {
    const options = { platform: "win32", env: { Path: "relative;D:\\tools" }, home: "C:\\Users\\u", searchFrom: [] };
    expect(locate({ "D:\\tools\\claude.exe": {} }, options).path).toBe("D:\\tools\\claude.exe");
    expect(() => locate({ "D:\\tools\\claude": {} }, options)).toThrow(CliNotFoundError);
  });
});

describe("a shim on Windows stands for what it starts", () => {
  const options = { platform: "win32", env: { Path: "D:\\npm" }, home: "C:\\Users\\u", searchFrom: [] };
  const folder = "D:\\npm\\node_modules\\@anthropic-ai\\claude-code";
  const exe = `${folder}\\bin\\claude.exe`;
  const npmCmd = [
    "@ECHO off",
    "GOTO start",
    ":find_dp0",
    "SET dp0=%~dp0",
    "EXIT /b",
    ":start",
    "SETLOCAL",
    "CALL :find_dp0",
    '"%dp0%\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe"   %*',
  ].join("\r\n");
  const npmScript = [
    'IF EXIST "%dp0%\\node.exe" (',
    '  SET "_prog=%dp0%\\node.exe"',
    ")",
    'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@anthropic-ai\\claude-code\\cli.js" %*',
  ].join("\r\n");
  const npmPowerShell = [
    "#!/usr/bin/env pwsh",
    "$basedir=Split-Path $MyInvocation.MyCommand.Definition -Parent",
    '& "$basedir/node_modules/@anthropic-ai/claude-code/bin/claude.exe"   $args',
  ].join("\n");
  const pnpmCmd = '@SETLOCAL\r\n@"%~dp0\\..\\store\\claude-code\\bin\\claude.exe" %*\r\n';

  test.each<[string, Record<string, FakeFile>, string]>([
    ["an exe that the shim of npm names", { "D:\\npm\\claude.cmd": { text: npmCmd }, [exe]: {} }, exe],
    ["an exe that the shim for PowerShell names", { "D:\\npm\\claude.ps1": { text: npmPowerShell }, [exe]: {} }, exe],
    [
      "a script that the shim names, and not the node beside it",
      { "D:\\npm\\claude.cmd": { text: npmScript }, "D:\\npm\\node.exe": {}, [`${folder}\\cli.js`]: {} },
      `${folder}\\cli.js`,
    ],
    [
      "a path that goes up, as pnpm writes it",
      { "D:\\npm\\claude.cmd": { text: pnpmCmd }, "D:\\store\\claude-code\\bin\\claude.exe": {} },
      "D:\\store\\claude-code\\bin\\claude.exe",
    ],
    [
      "the binary behind the placeholder that it names",
      {
        "D:\\npm\\claude.cmd": { text: npmCmd },
        [exe]: { text: "echo claude native binary not installed" },
        "D:\\npm\\node_modules\\@anthropic-ai\\claude-code-win32-x64\\claude.exe": {},
      },
      "D:\\npm\\node_modules\\@anthropic-ai\\claude-code-win32-x64\\claude.exe",
    ],
  ])("%s", (_, files, expected) => {
    expect(locate(files, options)).toMatchObject({ path: expected, foundBy: "path" });
    const [shim = ""] = Object.keys(files);
    expect(locate(files, { ...options, path: shim })).toMatchObject({ path: expected, foundBy: "option" });
    // Windows does not see dots and spaces at the end.
    expect(locate({ ...files, [`${shim}. `]: files[shim] ?? {} }, { ...options, path: `${shim}. ` }).path).toBe(
      expected,
    );
  });

  test("and so does a name without an ending, beside which there is one", () => {
    const files = { "D:\\npm\\claude": { text: "#!/bin/sh" }, "D:\\npm\\claude.cmd": { text: npmCmd }, [exe]: {} };
    expect(locate(files, { ...options, path: "D:\\npm\\claude" }).path).toBe(exe);
    expect(locate(files, { ...options, path: "claude" }).path).toBe(exe);
    expect(locate({}, { ...options, path: "D:\\npm\\claude" }).path).toBe("D:\\npm\\claude");
  });

  test("the exe beside it comes first", () => {
    const files = { "D:\\npm\\claude.cmd": { text: npmCmd }, "D:\\npm\\claude.exe": {}, [exe]: {} };
    expect(locate(files, { ...options, path: "D:\\npm\\claude.cmd" }).path).toBe("D:\\npm\\claude.exe");
  });

  test("and is refused when it names nothing that is there", () => {
    const files = { "D:\\npm\\claude.cmd": { text: npmCmd }, "D:\\npm\\own.bat": { text: "@claude %*" } };
    for (const path of Object.keys(files)) {
      expect(placesTried(() => locate(files, { ...options, path }))).toEqual([`${path}: shim`]);
    }
    expect(placesTried(() => locate(files, { ...options, path: "D:\\none.cmd" }))).toEqual(["D:\\none.cmd: missing"]);
    expect(() => locate(files, { ...options, path: "D:\\npm\\own.bat" })).toThrow("name the claude.exe");
    expect(placesTried(() => locate(files, options))).toContain("D:\\npm\\claude.cmd: shim");
  });

  test("and is a file as any other elsewhere", () => {
    expect(locate({}, { path: "/opt/claude.cmd" }).path).toBe("/opt/claude.cmd");
  });
});

describe("a path into an archive of Electron", () => {
  const inside = "/app/resources/app.asar/node_modules/x/claude";
  const unpacked = "/app/resources/app.asar.unpacked/node_modules/x/claude";

  test("stands for the unpacked file", () => {
    expect(locate({ [unpacked]: {} }, { path: inside }).path).toBe(unpacked);
    // What Electron's own file functions say is there cannot be started.
    expect(locate({ [unpacked]: {}, [inside]: {} }, { path: inside }).path).toBe(unpacked);
    expect(locate({ [unpacked]: {} }, { path: unpacked }).path).toBe(unpacked);
    const windows = { platform: "win32", path: "C:\\app.asar\\claude.exe" };
    expect(locate({ "C:\\app.asar.unpacked\\claude.exe": {} }, windows).path).toBe("C:\\app.asar.unpacked\\claude.exe");
  });

  test("is refused when that is not there", () => {
    expect(placesTried(() => locate({ [inside]: {} }, { path: inside }))).toEqual([`${inside}: in-archive`]);
    expect(() => locate({ [inside]: {} }, { path: inside })).toThrow("asarUnpack");
  });

  test("stands for it also where packages are searched", () => {
    const folder = "/app/resources/app.asar.unpacked/node_modules/@anthropic-ai/claude-code-linux-x64";
    const searchFrom = ["/app/resources/app.asar/dist"];
    expect(locate({ [`${folder}/claude`]: {} }, { searchFrom }).path).toBe(`${folder}/claude`);
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

test("finds a CLI that this workspace has installed, from the folder of this file", () => {
  const { path, foundBy } = locateClaude({ searchFrom: [import.meta.dirname], env: {} });
  expect(foundBy).toMatch(/-package$/);
  expect(path).toMatch(/claude-(code|agent-sdk)-[a-z0-9-]+.claude(\.exe)?$/);
});
