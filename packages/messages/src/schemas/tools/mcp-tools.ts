import type {
  ListMcpResourcesInput,
  ListMcpResourcesOutput,
  McpContent,
  McpStructuredOutput,
  McpToolOutput,
  ReadMcpResourceDirInput,
  ReadMcpResourceDirOutput,
  ReadMcpResourceInput,
  ReadMcpResourceOutput,
  RefreshMcpToolsInput,
  RefreshMcpToolsOutput,
} from "@reins/messages";
import * as z from "zod";
import { mcpResourceLinkSchema } from "../mcp.ts";
import { jsonObject, open } from "../open.ts";
import { loose, pinned } from "../pinned.ts";

/** Schema of {@link ListMcpResourcesInput}. */
export const listMcpResourcesInputSchema: z.ZodType<ListMcpResourcesInput> = loose({
  server: z.string().exactOptional(),
});

/** Schema of {@link ListMcpResourcesOutput}. */
export const listMcpResourcesOutputSchema: z.ZodType<ListMcpResourcesOutput> = pinned(
  z.array(
    z.looseObject({
      uri: z.string(),
      name: z.string(),
      mimeType: z.string().exactOptional(),
      description: z.string().exactOptional(),
      server: z.string(),
    }),
  ),
);

/** Schema of {@link RefreshMcpToolsInput}. */
export const refreshMcpToolsInputSchema: z.ZodType<RefreshMcpToolsInput> = loose({
  server: z.string().exactOptional(),
});

/** Schema of {@link RefreshMcpToolsOutput}. */
export const refreshMcpToolsOutputSchema: z.ZodType<RefreshMcpToolsOutput> = pinned(
  z.array(
    z.looseObject({
      server: z.string(),
      status: open("refreshed", "error", "not_connected"),
      toolCount: z.number().exactOptional(),
      added: z.array(z.string()).exactOptional(),
      removed: z.array(z.string()).exactOptional(),
      error: z.string().exactOptional(),
    }),
  ),
);

/** Schema of {@link ReadMcpResourceInput}. */
export const readMcpResourceInputSchema: z.ZodType<ReadMcpResourceInput> = loose({
  server: z.string(),
  uri: z.string(),
});

/** Schema of {@link ReadMcpResourceOutput}. */
export const readMcpResourceOutputSchema: z.ZodType<ReadMcpResourceOutput> = loose({
  contents: z.array(
    z.looseObject({
      uri: z.string(),
      mimeType: z.string().exactOptional(),
      text: z.string().exactOptional(),
      blobSavedTo: z.string().exactOptional(),
    }),
  ),
  error: z.string().exactOptional(),
});

/** Schema of {@link ReadMcpResourceDirInput}. */
export const readMcpResourceDirInputSchema: z.ZodType<ReadMcpResourceDirInput> = loose({
  server: z.string(),
  uri: z.string(),
});

/** Schema of {@link ReadMcpResourceDirOutput}. */
export const readMcpResourceDirOutputSchema: z.ZodType<ReadMcpResourceDirOutput> = loose({
  resources: z.array(z.looseObject({ uri: z.string(), name: z.string(), mimeType: z.string().exactOptional() })),
  error: z.string().exactOptional(),
});

/** Schema of {@link McpContent}. */
export const mcpContentSchema: z.ZodType<McpContent> = loose({
  type: z.string(),
});

/** Schema of {@link McpStructuredOutput}. */
export const mcpStructuredOutputSchema: z.ZodType<McpStructuredOutput> = loose({
  content: z.unknown().exactOptional(),
  structuredContent: z.unknown().exactOptional(),
  _meta: jsonObject.exactOptional(),
  resourceLinks: z.array(mcpResourceLinkSchema).exactOptional(),
});

/** Schema of {@link McpToolOutput}. */
export const mcpToolOutputSchema: z.ZodType<McpToolOutput> = pinned(
  z.union([z.string(), z.array(mcpContentSchema), mcpStructuredOutputSchema]),
);
