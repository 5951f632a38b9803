import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createParkingFolder } from "./warm-parking.ts";

function scratch(): string {
  const path = mkdtempSync(join(tmpdir(), `reins-parking-${process.pid}-`));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("a parking folder is private, lies in the config folder of the CLI, and is removed", () => {
  const config = join(scratch(), "config");
  const listeners = process.listenerCount("exit");
  const first = createParkingFolder({ CLAUDE_CONFIG_DIR: config, HOME: "/nowhere" });
  const second = createParkingFolder({ CLAUDE_CONFIG_DIR: config });
  expect(dirname(first.path)).toBe(join(config, "spares"));
  expect(first.path).not.toBe(second.path);
  for (const path of [first.path, dirname(first.path)]) expect(statSync(path).mode & 0o777).toBe(0o700);
  for (const folder of [first, second, first]) folder.release();
  expect(readdirSync(join(config, "spares"))).toEqual([]);
  expect(process.listenerCount("exit")).toBe(listeners);
});

test("without a config folder it lies in that of the home folder", () => {
  const home = scratch();
  const folder = createParkingFolder({ HOME: home });
  expect(dirname(folder.path)).toBe(join(home, ".claude", "spares"));
  folder.release();
  expect(existsSync(folder.path)).toBe(false);
});
