import type {
  EditInput,
  EditOutput,
  GitDiff,
  NotebookEditInput,
  NotebookEditOutput,
  PatchHunk,
  ReadImageOutput,
  ReadInput,
  ReadNotebookOutput,
  ReadOutput,
  ReadPartsOutput,
  ReadPdfOutput,
  ReadTextOutput,
  WriteInput,
  WriteOutput,
} from "@reins/messages";
import * as z from "zod";
import { openKinds } from "../kinds.ts";
import { open } from "../open.ts";
import { loose, pinned } from "../pinned.ts";

/** Schema of {@link ReadInput}. */
export const readInputSchema: z.ZodType<ReadInput> = loose({
  file_path: z.string(),
  offset: z.number().exactOptional(),
  limit: z.number().exactOptional(),
  pages: z.string().exactOptional(),
  allow_large: z.boolean().exactOptional(),
});

/** Schema of {@link ReadTextOutput}. */
export const readTextOutputSchema: z.ZodType<ReadTextOutput> = loose({
  type: z.literal("text"),
  file: z.looseObject({
    filePath: z.string(),
    content: z.string(),
    numLines: z.number(),
    startLine: z.number(),
    totalLines: z.number(),
    truncatedByTokenCap: z.boolean().exactOptional(),
  }),
  artifactRead: z.looseObject({ slug: z.string(), ver: z.string() }).exactOptional(),
});

/** Schema of {@link ReadImageOutput}. */
export const readImageOutputSchema: z.ZodType<ReadImageOutput> = loose({
  type: z.literal("image"),
  file: z.looseObject({
    base64: z.string(),
    type: z.string(),
    originalSize: z.number(),
    dimensions: z
      .looseObject({
        originalWidth: z.number().exactOptional(),
        originalHeight: z.number().exactOptional(),
        displayWidth: z.number().exactOptional(),
        displayHeight: z.number().exactOptional(),
      })
      .exactOptional(),
  }),
});

/** Schema of {@link ReadNotebookOutput}. */
export const readNotebookOutputSchema: z.ZodType<ReadNotebookOutput> = loose({
  type: z.literal("notebook"),
  file: z.looseObject({ filePath: z.string(), cells: z.array(z.unknown()) }),
});

/** Schema of {@link ReadPdfOutput}. */
export const readPdfOutputSchema: z.ZodType<ReadPdfOutput> = loose({
  type: z.literal("pdf"),
  file: z.looseObject({ filePath: z.string(), base64: z.string(), originalSize: z.number() }),
});

/** Schema of {@link ReadPartsOutput}. */
export const readPartsOutputSchema: z.ZodType<ReadPartsOutput> = loose({
  type: z.literal("parts"),
  file: z.looseObject({ filePath: z.string(), originalSize: z.number(), count: z.number(), outputDir: z.string() }),
  firstPage: z.number().exactOptional(),
  pages: z
    .array(z.looseObject({ base64: z.string(), mediaType: z.string(), error: z.string().exactOptional() }))
    .exactOptional(),
});

/** Schema of {@link ReadOutput}. */
export const readOutputSchema: z.ZodType<ReadOutput> = pinned(
  openKinds("type", [
    readTextOutputSchema,
    readImageOutputSchema,
    readNotebookOutputSchema,
    readPdfOutputSchema,
    readPartsOutputSchema,
  ]),
);

/** Schema of {@link EditInput}. */
export const editInputSchema: z.ZodType<EditInput> = loose({
  file_path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().exactOptional(),
});

/** Schema of {@link PatchHunk}. */
export const patchHunkSchema: z.ZodType<PatchHunk> = loose({
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
  lines: z.array(z.string()),
});

/** Schema of {@link GitDiff}. */
export const gitDiffSchema: z.ZodType<GitDiff> = loose({
  filename: z.string(),
  status: open("modified", "added"),
  additions: z.number(),
  deletions: z.number(),
  changes: z.number(),
  patch: z.string(),
  repository: z.string().nullable().exactOptional(),
});

/** Schema of {@link EditOutput}. */
export const editOutputSchema: z.ZodType<EditOutput> = loose({
  filePath: z.string(),
  oldString: z.string(),
  newString: z.string(),
  originalFile: z.string().nullable(),
  structuredPatch: z.array(patchHunkSchema),
  userModified: z.boolean(),
  replaceAll: z.boolean(),
  gitDiff: gitDiffSchema.exactOptional(),
  staged: z.boolean().exactOptional(),
});

/** Schema of {@link WriteInput}. */
export const writeInputSchema: z.ZodType<WriteInput> = loose({ file_path: z.string(), content: z.string() });

/** Schema of {@link WriteOutput}. */
export const writeOutputSchema: z.ZodType<WriteOutput> = loose({
  type: open("create", "update"),
  filePath: z.string(),
  content: z.string(),
  structuredPatch: z.array(patchHunkSchema),
  originalFile: z.string().nullable(),
  userModified: z.boolean().exactOptional(),
  gitDiff: gitDiffSchema.exactOptional(),
  staged: z.boolean().exactOptional(),
});

/** Schema of {@link NotebookEditInput}. */
export const notebookEditInputSchema: z.ZodType<NotebookEditInput> = loose({
  notebook_path: z.string(),
  cell_id: z.string().exactOptional(),
  new_source: z.string(),
  cell_type: open("code", "markdown").exactOptional(),
  edit_mode: open("replace", "insert", "delete").exactOptional(),
});

/** Schema of {@link NotebookEditOutput}. */
export const notebookEditOutputSchema: z.ZodType<NotebookEditOutput> = loose({
  new_source: z.string(),
  old_source: z.string().exactOptional(),
  cell_id: z.string().exactOptional(),
  cell_type: open("code", "markdown"),
  language: z.string(),
  edit_mode: z.string(),
  error: z.string().exactOptional(),
  notebook_path: z.string(),
  original_file: z.string(),
  updated_file: z.string(),
});
