import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileOfNumber, numberOfFile } from "./capture-files.ts";
import { CaptureFileError, CaptureFolderError, messageOf } from "./errors.ts";
import type { CapturedExchange, Exchange } from "./exchange.ts";

/**
 * Reads a capture: its exchanges in the order of arrival. Other files in the folder are left alone.
 *
 * @throws {@link CaptureFileError} for a numbered file that holds something else, {@link CaptureFolderError} for a folder that cannot be read.
 */
export async function readCapture(dir: string): Promise<CapturedExchange[]> {
  const names = await readdir(dir).catch((error: unknown) => {
    throw new CaptureFolderError(dir, "read", error);
  });
  const numbers = names.map(numberOfFile).filter((number) => number !== undefined);
  numbers.sort((left, right) => left - right);
  const exchanges: CapturedExchange[] = [];
  for (const number of numbers) exchanges.push({ ...(await readExchange(join(dir, fileOfNumber(number)))), number });
  return exchanges;
}

async function readExchange(path: string): Promise<Exchange> {
  const text = await readFile(path, "utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CaptureFileError(path, messageOf(error), error);
  }
  if (!isExchange(value)) throw new CaptureFileError(path, "it has no request, no end or no timings");
  return value;
}

function isExchange(value: unknown): value is Exchange {
  if (!isObject(value)) return false;
  const { request, response, timings, end, startedAt } = value;
  return (
    typeof startedAt === "string" &&
    typeof end === "string" &&
    isObject(timings) &&
    isObject(request) &&
    typeof request["method"] === "string" &&
    typeof request["path"] === "string" &&
    isObject(request["headers"]) &&
    typeof request["bytes"] === "number" &&
    (response === undefined || isResponse(response))
  );
}

function isResponse(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { status, headers, events } = value;
  const areEvents = events === undefined || (Array.isArray(events) && events.every(isObject));
  return typeof status === "number" && isObject(headers) && areEvents;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
