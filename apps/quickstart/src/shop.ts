import { createToolServer, type ToolServer, tool } from "@reins/sdk";
import { z } from "zod";

/** A shop whose stock lives in this process. The tools are all that the model gets of it. */
export function createShop(): ToolServer {
  const stock = new Map([
    ["apples", 12],
    ["pears", 5],
  ]);
  const count = tool(
    "stock",
    "Says how many pieces of an item are in stock.",
    { item: z.string() },
    async ({ item }) => {
      return `${stock.get(item) ?? 0} ${item} in stock`;
    },
  );
  const sell = tool(
    "sell",
    "Sells pieces of an item and says how many are left.",
    { item: z.string(), pieces: z.number().int().positive() },
    async ({ item, pieces }) => {
      const left = (stock.get(item) ?? 0) - pieces;
      if (left < 0) throw new Error(`There are not ${pieces} ${item} in stock.`);
      stock.set(item, left);
      return `sold ${pieces} ${item}, ${left} left`;
    },
  );
  return createToolServer({ name: "shop", tools: [count, sell] });
}
