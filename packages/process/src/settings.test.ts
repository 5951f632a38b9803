import { describe, expect, test } from "vitest";
import { settingsText } from "./settings.ts";

function merged(settings: string | object | undefined, sandbox: object): unknown {
  return JSON.parse(settingsText(settings, sandbox) ?? "").sandbox;
}

describe("settings without a sandbox", () => {
  test("are handed on as they are", () => {
    expect(settingsText("/s.json", undefined)).toBe("/s.json");
    expect(settingsText(' {"a": 1}', undefined)).toBe(' {"a": 1}');
    expect(settingsText({ a: undefined }, undefined)).toBe("{}");
    expect(settingsText(undefined, undefined)).toBeUndefined();
  });
});

describe("the sandbox option", () => {
  test("wins over the settings, member by member, and leaves the others alone", () => {
    const settings = { model: "m", sandbox: { enabled: false, filesystem: { allowWrite: ["/a"], other: 1 } } };
    expect(JSON.parse(settingsText(settings, { enabled: false, filesystem: { allowWrite: ["/b"] } }) ?? "")).toEqual({
      model: "m",
      sandbox: { enabled: false, filesystem: { allowWrite: ["/b"], other: 1 } },
    });
  });

  test("adds to the lists of what is closed", () => {
    const settings = { sandbox: { filesystem: { denyRead: ["/a", "/b"] }, credentials: { files: [{ path: "/k" }] } } };
    const sandbox = {
      filesystem: { denyRead: ["/b", "/c"] },
      credentials: { files: [{ path: "/k" }, { path: "/l" }] },
    };
    expect(merged(settings, sandbox)).toEqual({
      filesystem: { denyRead: ["/a", "/b", "/c"] },
      credentials: { files: [{ path: "/k" }, { path: "/l" }] },
    });
  });

  test("replaces what makes sense only as a whole", () => {
    const settings = { sandbox: { ripgrep: { command: "rg", args: ["x"] }, network: { tlsTerminate: { a: 1 } } } };
    expect(merged(settings, { ripgrep: { command: "rg2" }, network: { tlsTerminate: { b: 1 } } })).toEqual({
      ripgrep: { command: "rg2" },
      network: { tlsTerminate: { b: 1 } },
    });
  });

  test("asks to fail when there is no sandbox to be had, unless somebody says otherwise", () => {
    expect(merged(undefined, { enabled: true })).toEqual({ enabled: true, failIfUnavailable: true });
    expect(merged({ sandbox: { failIfUnavailable: false } }, { enabled: true })).toHaveProperty(
      "failIfUnavailable",
      false,
    );
    expect(merged({ sandbox: { enabled: true } }, {})).not.toHaveProperty("failIfUnavailable");
  });

  test("undoes a switch of the settings that would undo it", () => {
    const open = { sandbox: { filesystem: { disabled: true }, network: { httpProxyPort: 1, socksProxyPort: 2 } } };
    expect(merged(open, { filesystem: { denyRead: ["/a"] } })).toMatchObject({ filesystem: { denyRead: ["/a"] } });
    expect(merged(open, { filesystem: { denyRead: ["/a"] } })).not.toHaveProperty("filesystem.disabled");
    expect(merged(open, { credentials: { files: [{ path: "/k", mode: "deny" }] } })).toHaveProperty("filesystem", {});
    expect(merged(open, { credentials: { files: [{ path: "/k", mode: "mask" }] } })).toHaveProperty(
      "filesystem.disabled",
    );
    expect(merged(open, { filesystem: { disabled: true } })).toHaveProperty("filesystem.disabled", true);
    expect(merged(open, { network: { allowedDomains: [], socksProxyPort: 9 } })).toHaveProperty("network", {
      allowedDomains: [],
      socksProxyPort: 9,
    });
    expect(merged(open, { network: { deniedDomains: [] } })).toHaveProperty("network.httpProxyPort", 1);
    expect(merged(open, { network: { strictAllowlist: true } })).not.toHaveProperty("network.httpProxyPort");
  });

  test("cannot reach the prototype", () => {
    const text = settingsText({}, JSON.parse('{"__proto__":{"polluted":1},"constructor":{"x":1},"enabled":false}'));
    expect(text).toBe('{"sandbox":{"enabled":false}}');
  });
});
