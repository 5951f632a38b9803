import { createToolServer, tool } from "@reins/toolhost";
import { serveHttp, serveStdio } from "@reins/toolhost/serve";
import { z } from "zod";

const add = tool("add", "Adds two numbers.", { a: z.number(), b: z.number() }, ({ a, b }) => String(a + b));
const calc = createToolServer({ name: "calc", tools: [add] });

if (process.argv[2] === "--http") {
  const { url } = await serveHttp(calc);
  console.log(url);
} else {
  serveStdio(calc);
}
