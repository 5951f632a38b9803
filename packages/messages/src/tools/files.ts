import type { OpenString, UnknownValue } from "../open.ts";

/** Reads a file. */
export interface ReadInput {
  readonly file_path: string;
  /** First line, counted from 1. */
  readonly offset?: number;
  /** Number of lines. */
  readonly limit?: number;
  /** Pages of a PDF, such as `1-5`. */
  readonly pages?: string;
  readonly allow_large?: boolean;
}

/** What was read, by kind of file. */
export type ReadOutput =
  | ReadTextOutput
  | ReadImageOutput
  | ReadNotebookOutput
  | ReadPdfOutput
  | ReadPartsOutput
  | { readonly type: UnknownValue };

/** Text. */
export interface ReadTextOutput {
  readonly type: "text";
  readonly file: {
    readonly filePath: string;
    readonly content: string;
    readonly numLines: number;
    readonly startLine: number;
    readonly totalLines: number;
    readonly truncatedByTokenCap?: boolean;
  };
  readonly artifactRead?: { readonly slug: string; readonly ver: string };
}

/** An image. */
export interface ReadImageOutput {
  readonly type: "image";
  readonly file: {
    readonly base64: string;
    /** MIME type. */
    readonly type: string;
    /** Bytes. */
    readonly originalSize: number;
    readonly dimensions?: {
      readonly originalWidth?: number;
      readonly originalHeight?: number;
      readonly displayWidth?: number;
      readonly displayHeight?: number;
    };
  };
}

/** A notebook. */
export interface ReadNotebookOutput {
  readonly type: "notebook";
  readonly file: { readonly filePath: string; readonly cells: unknown[] };
}

/** A PDF. */
export interface ReadPdfOutput {
  readonly type: "pdf";
  readonly file: { readonly filePath: string; readonly base64: string; readonly originalSize: number };
}

/** Pages of a PDF, as images. */
export interface ReadPartsOutput {
  readonly type: "parts";
  readonly file: {
    readonly filePath: string;
    readonly originalSize: number;
    readonly count: number;
    readonly outputDir: string;
  };
  readonly firstPage?: number;
  readonly pages?: { readonly base64: string; readonly mediaType: string; readonly error?: string }[];
}

/** Replaces text in a file. */
export interface EditInput {
  readonly file_path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

/** What an edit did. */
export interface EditOutput {
  readonly filePath: string;
  readonly oldString: string;
  readonly newString: string;
  /** Null for very large files. */
  readonly originalFile: string | null;
  readonly structuredPatch: PatchHunk[];
  readonly userModified: boolean;
  readonly replaceAll: boolean;
  readonly gitDiff?: GitDiff;
  readonly staged?: boolean;
}

/** Writes a file. */
export interface WriteInput {
  readonly file_path: string;
  readonly content: string;
}

/** What a write did. */
export interface WriteOutput {
  readonly type: OpenString<"create" | "update">;
  readonly filePath: string;
  readonly content: string;
  /** Empty for a new file. */
  readonly structuredPatch: PatchHunk[];
  /** Null for new or very large files. */
  readonly originalFile: string | null;
  readonly userModified?: boolean;
  readonly gitDiff?: GitDiff;
  readonly staged?: boolean;
}

/** A part of a file that changed. */
export interface PatchHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each begins with a space, `+` or `-`. */
  readonly lines: string[];
}

/** What git says of the change. */
export interface GitDiff {
  readonly filename: string;
  readonly status: OpenString<"modified" | "added">;
  readonly additions: number;
  readonly deletions: number;
  readonly changes: number;
  readonly patch: string;
  readonly repository?: string | null;
}

/** Changes a cell of a notebook. */
export interface NotebookEditInput {
  readonly notebook_path: string;
  readonly cell_id?: string;
  readonly new_source: string;
  readonly cell_type?: OpenString<"code" | "markdown">;
  readonly edit_mode?: OpenString<"replace" | "insert" | "delete">;
}

/** What became of the cell. */
export interface NotebookEditOutput {
  readonly new_source: string;
  readonly old_source?: string;
  readonly cell_id?: string;
  readonly cell_type: OpenString<"code" | "markdown">;
  readonly language: string;
  readonly edit_mode: string;
  readonly error?: string;
  readonly notebook_path: string;
  readonly original_file: string;
  readonly updated_file: string;
}
