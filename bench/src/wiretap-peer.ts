// An API and a client of it in one process, which is not that of the wiretap: as with the CLI, both sides are elsewhere.
// Prints the address of the API, reads the address to ask at, prints what it measured.
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

const requests = Number(process.env["BENCH_REQUESTS"]);
const events = Number(process.env["BENCH_EVENTS"]);

const server = createServer((incoming, response) => {
  incoming.resume();
  incoming.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    let left = events;
    const next = (): void => {
      const at = performance.now();
      response.write(`event: content_block_delta\ndata: {"type":"content_block_delta","at":${at}}\n\n`);
      if (--left > 0) setTimeout(next, 2);
      else response.end();
    };
    // No model begins at once.
    setTimeout(next, 20);
  });
});
// What the CLI sends in the course of a session.
const text = "The model is told what to do, in so many words as it takes. ".repeat(170);
const messages = Array.from({ length: 10 }, () => ({ role: "user", content: text }));
const body = JSON.stringify({ model: "m", messages });

interface Measured {
  readonly firstByte: number;
  readonly chunkAges: readonly number[];
}

function ask(url: string): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const chunkAges: number[] = [];
    let firstByte = Number.NaN;
    const start = performance.now();
    const asked = request(`${url}/v1/messages`, { method: "POST" }, (response) => {
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        const now = performance.now();
        if (Number.isNaN(firstByte)) firstByte = now - start;
        for (const [, at] of chunk.matchAll(/"at":([\d.]+)/g)) chunkAges.push(now - Number(at));
      });
      response.on("end", () => resolve({ firstByte, chunkAges }));
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

server.listen(0, "127.0.0.1", () => {
  // A server on TCP has an address of this form.
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

process.stdin.setEncoding("utf8").once("data", async (url: string) => {
  const firstBytes: number[] = [];
  const chunkAges: number[] = [];
  // The first ones warm up.
  for (let i = -5; i < requests; i++) {
    const measured = await ask(url.trim());
    if (i < 0) continue;
    firstBytes.push(measured.firstByte);
    chunkAges.push(...measured.chunkAges.slice(1));
  }
  console.log(JSON.stringify({ firstBytes, chunkAges }));
  process.exit();
});
