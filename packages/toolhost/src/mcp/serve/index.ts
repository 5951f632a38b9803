// The public surface of @reins/toolhost/serve, by name. Needs Node.js and @modelcontextprotocol/sdk.
export type { JsonRpcId, JsonRpcMessage } from "../../json-rpc.ts";
export type { ToolConnection } from "../../tool-connection.ts";
export { ServeError } from "./errors.ts";
export { type HttpServing, type ServeHttpOptions, serveHttp } from "./serve-http.ts";
export { type ServeStdioOptions, type StdioServing, serveStdio } from "./serve-stdio.ts";
export type { ServedServer } from "./serve-transport.ts";
