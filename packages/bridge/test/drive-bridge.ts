import { PassThrough } from "node:stream";
import type { Options } from "@reins/sdk";
import { decodeFrames, encodeFrame } from "@reins/streamjson";
import {
  createSandbox,
  findTestBinary,
  type ModelScript,
  type Sandbox,
  type ScriptedModel,
  startLeakCheck,
  startScriptedModel,
} from "@reins/testkit";
import { type BridgeEnd, type BridgeMessage, type HostMessage, runBridge } from "../src/index.ts";

/** A message of the bridge of one type. */
type OfType<Type extends BridgeMessage["type"]> = Extract<BridgeMessage, { type: Type }>;

/** A bridge in this process, and the host's side of it. */
export interface DrivenBridge extends AsyncDisposable {
  /** Writes a message, also one that is none. */
  send(message: HostMessage | object): void;
  /** Writes bytes as they are. */
  write(text: string): void;
  /** Reads up to the next message of a type, and gives it. */
  until<Type extends BridgeMessage["type"]>(type: Type): Promise<OfType<Type>>;
  /** All that was read so far. */
  readonly seen: readonly BridgeMessage[];
  /** Ends the input, and settles when the bridge is over. */
  end(): Promise<BridgeEnd>;
  /** How it ended. */
  readonly done: Promise<BridgeEnd>;
}

/** Starts a bridge with the options of a session. */
export function driveBridge(options: Options, signal?: AbortSignal): DrivenBridge {
  const input = new PassThrough();
  const output = new PassThrough();
  const done = runBridge({ input, output, options, signal });
  void done.then(() => output.end());
  const lines = decodeFrames(output)[Symbol.asyncIterator]();
  const seen: BridgeMessage[] = [];
  const end = (): Promise<BridgeEnd> => {
    input.end();
    return done;
  };
  return {
    seen,
    done,
    end,
    send: (message) => void input.write(encodeFrame(message as never)),
    write: (text) => void input.write(text),
    async until(type) {
      for (;;) {
        const { done, value } = await lines.next();
        if (done) throw new Error(`The bridge ended before ${type}. It said: ${JSON.stringify(seen.slice(-5))}`);
        // The schemas of the bridge's messages are tested on their own.
        const message = value.value as unknown as BridgeMessage;
        seen.push(message);
        if (message.type === type) return message as OfType<typeof type>;
        if (message.type === "error" || message.type === "closed")
          throw new Error(`Waited for ${type}: ${JSON.stringify(message)}`);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await end();
      // The host reads to the end, so that nothing waits for it.
      output.resume();
    },
  };
}

/** A bridge behind which the real CLI runs, offline. */
export interface RealBridge extends DrivenBridge {
  readonly model: ScriptedModel;
  readonly sandbox: Sandbox;
}

/** Starts a bridge over the real CLI, and says hello. */
export async function driveRealBridge(script: ModelScript, options: Options = {}): Promise<RealBridge> {
  const leaks = startLeakCheck();
  const model = await startScriptedModel(script);
  const sandbox = await createSandbox({ model });
  const bridge = driveBridge({
    pathToClaudeCodeExecutable: findTestBinary(),
    cwd: sandbox.cwd,
    env: sandbox.env,
    ...options,
  });
  bridge.send({ type: "hello", protocols: [1] });
  await bridge.until("hello");
  return {
    ...bridge,
    model,
    sandbox,
    [Symbol.asyncDispose]: async () => {
      await bridge[Symbol.asyncDispose]();
      await model.close();
      await sandbox.close();
      await leaks.assertClean();
    },
  };
}
