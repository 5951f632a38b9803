import { cpus } from "node:os";
import { frameCount, frames } from "./frames.ts";
import { type Samples, spread } from "./measure.ts";

const rounds = 7;

function table(samples: readonly Samples[]): string {
  const rows = samples.map(({ name, costs }) => ({
    name,
    rate: spread(costs.map(({ wallMs }) => frameCount / wallMs)),
    cpu: spread(costs.map(({ cpuMs }) => cpuMs)),
  }));
  const own = rows[0];
  const lines = rows.map(({ name, rate, cpu }) => {
    const faster = own === undefined ? Number.NaN : own.rate.median / rate.median;
    const lighter = own === undefined ? Number.NaN : own.cpu.median / cpu.median;
    return [
      name.padEnd(14),
      `${rate.median.toFixed(0).padStart(6)}k frames/s (${rate.min.toFixed(0)} to ${rate.max.toFixed(0)})`,
      `${cpu.median.toFixed(0).padStart(6)} ms CPU (${cpu.min.toFixed(0)} to ${cpu.max.toFixed(0)})`,
      `ours is ${faster.toFixed(2)} x as fast and takes ${lighter.toFixed(2)} of its CPU`,
    ].join("  ");
  });
  return lines.join("\n");
}

console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown CPU"}`);
console.log(`${frameCount} small frames through query(), ${rounds} rounds in turn, medians (lowest to highest)`);
console.log(table(await frames(rounds)));
