import { describe, expect, test } from "vitest";
import { buildEnvironment, inheritEnv, outerSessionVariables } from "./environment.ts";
import type { LaunchOptions } from "./launch-options.ts";

const ours = {
  CLAUDE_CODE_ENTRYPOINT: "sdk-ts",
  CLAUDE_AGENT_SDK_VERSION: "0.3.328",
  CLAUDE_AGENT_SDK_CLIENT_APP: "reins",
  CLAUDE_CODE_SDK_READS_SESSION_STATE: "1",
};

function build(options: LaunchOptions, host: Record<string, string | undefined> = {}, platform = "linux"): object {
  return buildEnvironment(options, { env: host, platform });
}

describe("the environment of the child", () => {
  test("is that of the host, and what says who started it", () => {
    expect(build({}, { PATH: "/bin", LANG: "C" })).toEqual({ PATH: "/bin", LANG: "C", ...ours });
  });

  test("is the option env in place of the host's", () => {
    expect(build({ env: { A: "1", B: undefined } }, { PATH: "/bin" })).toEqual({ A: "1", ...ours });
    expect(build({ env: {} }, { PATH: "/bin" })).toEqual(ours);
  });

  test("keeps an identity that the caller has set, unless it is empty", () => {
    const env = {
      CLAUDE_CODE_ENTRYPOINT: "sdk-own",
      CLAUDE_AGENT_SDK_VERSION: "",
      CLAUDE_AGENT_SDK_CLIENT_APP: "app/1",
    };
    expect(build({ env })).toEqual({
      ...ours,
      CLAUDE_CODE_ENTRYPOINT: "sdk-own",
      CLAUDE_AGENT_SDK_CLIENT_APP: "app/1",
    });
    expect(build({}, env)).toMatchObject({ CLAUDE_CODE_ENTRYPOINT: "sdk-own" });
  });

  test("leaves session state reports to a caller who has set them, in any letter case", () => {
    const env = { claude_code_sdk_reads_session_state: "0" };
    expect(build({ env })).not.toHaveProperty("CLAUDE_CODE_SDK_READS_SESSION_STATE");
  });

  test("has no variables of an outer session, unless they are given", () => {
    const outer = Object.fromEntries(outerSessionVariables.map((name) => [name, "x"]));
    const host = { PATH: "/bin", ...outer, CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDE_AGENT_SDK_VERSION: "0.1.0" };
    expect(build({}, host)).toEqual({ PATH: "/bin", ...ours });
    expect(build({ env: { CLAUDECODE: "1" } }, host)).toEqual({ CLAUDECODE: "1", ...ours });
  });

  test("has no NODE_OPTIONS and no DEBUG, also when they are given", () => {
    expect(build({}, { NODE_OPTIONS: "--inspect", DEBUG: "*" })).toEqual(ours);
    expect(build({ env: { NODE_OPTIONS: "--inspect", DEBUG: "*" } })).toEqual(ours);
    expect(build({ env: { Node_Options: "x", debug: "*" } }, {}, "win32")).not.toHaveProperty("Node_Options");
  });

  test("has DEBUG for those who look for faults of the SDK", () => {
    expect(build({}, { DEBUG_CLAUDE_AGENT_SDK: "1", DEBUG: "*" })).toMatchObject({ DEBUG: "1" });
  });

  test("does not inherit the switches of a host's own questions, but takes given ones", () => {
    const switches = { CLAUDE_CODE_QUESTION_EXTENDED: "1", claude_code_agent_progress_summaries: "1" };
    expect(build({}, switches)).toEqual(ours);
    expect(build({ env: switches })).toEqual({ ...switches, ...ours });
  });

  test("carries enableFileCheckpointing and toolConfig", () => {
    const variable = "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING";
    expect(build({ enableFileCheckpointing: true })).toHaveProperty(variable, "true");
    expect(build({ enableFileCheckpointing: false })).not.toHaveProperty(variable);
    const preview = "CLAUDE_CODE_QUESTION_PREVIEW_FORMAT";
    expect(build({ toolConfig: { askUserQuestion: { previewFormat: "html" } } })).toHaveProperty(preview, "html");
    expect(build({ toolConfig: {} })).not.toHaveProperty(preview);
  });

  test("keeps Windows from running programs of the working directory", () => {
    expect(build({}, {}, "win32")).toHaveProperty("NoDefaultCurrentDirectoryInExePath", "1");
    expect(build({}, {}, "linux")).not.toHaveProperty("NoDefaultCurrentDirectoryInExePath");
  });

  test("leaves the host's own environment as it is", () => {
    const before = { ...process.env };
    buildEnvironment({ enableFileCheckpointing: true }, { env: process.env, platform: process.platform });
    inheritEnv({ PATH: undefined });
    expect({ ...process.env }).toEqual(before);
  });
});

describe("inheritEnv", () => {
  test("adds to the host's environment, and removes what is undefined", () => {
    expect(inheritEnv({ B: "2", A: undefined }, { A: "1", C: "3" })).toEqual({ B: "2", C: "3" });
  });

  test("leaves out an outer session, except for what is asked for", () => {
    expect(inheritEnv({ CLAUDECODE: "1" }, { CLAUDECODE: "1", CLAUDE_CODE_SSE_PORT: "7" })).toEqual({
      CLAUDECODE: "1",
    });
  });
});
