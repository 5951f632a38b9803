/** The server refused, or cannot be reached. */
export class ApiError extends Error {
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
  override get name(): string {
    return "ApiError";
  }
}

/**
 * The token comes behind the `#` of the first address and is taken out of it at once. It is kept for this tab, so that a reload works.
 */
export function takeToken(): void {
  const given = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (given === undefined) return;
  sessionStorage.setItem("token", given);
  history.replaceState(null, "", `${location.pathname}#/`);
}

function headers(): Record<string, string> {
  return { authorization: `Bearer ${sessionStorage.getItem("token") ?? ""}` };
}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(`/api${path}`, { ...init, headers: { ...headers(), ...init.headers } });
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  const said = typeof body === "object" && body !== null && "error" in body ? String(body.error) : response.statusText;
  throw new ApiError(said, response.status);
}

/** Asks for JSON. The server is our own, so what it gives is what the protocol says. */
export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await request(path, signal === undefined ? {} : { signal });
  return (await response.json()) as T;
}

export async function postJson<T>(path: string, body: object = {}): Promise<T> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return (await (await request(path, init)).json()) as T;
}

/** Reads server-sent events. `EventSource` cannot send a header, and so has no token. */
export async function* readEvents(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<{ readonly event: string; readonly data: unknown }> {
  const { body } = await request(path, { signal });
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = /^event: ?(.*)$/m.exec(block)?.[1];
        const data = /^data: ?(.*)$/m.exec(block)?.[1];
        if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Keeps a stream open: when it breaks, it is opened again, a little later each time. Ends when `open` says so, or with the signal. */
export async function keepOpen(signal: AbortSignal, open: () => Promise<"again" | "done">): Promise<void> {
  for (let pauseMs = 500; !signal.aborted; pauseMs = Math.min(pauseMs * 2, 10_000)) {
    try {
      if ((await open()) === "done") return;
      pauseMs = 500;
    } catch (error) {
      // A refusal stays one.
      if (signal.aborted || error instanceof ApiError) throw error;
    }
    await pause(pauseMs, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
