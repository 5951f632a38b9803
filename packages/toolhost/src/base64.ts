/** Writes bytes as base64, in any runtime. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // A call takes a limited number of arguments; this many are safe in all engines.
  for (let start = 0; start < bytes.length; start += 0x2000)
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + 0x2000)));
  return btoa(pieces.join(""));
}

/** Whether a text is base64 as the CLI takes it: with padding, without line breaks. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** The type of an image that models can see, by the first bytes of its base64; `undefined` for everything else. */
export function imageTypeOf(base64: string): string | undefined {
  const start = atob(base64.slice(0, 16));
  if (start.startsWith("\x89PNG")) return "image/png";
  if (start.startsWith("\xFF\xD8\xFF")) return "image/jpeg";
  if (start.startsWith("GIF8")) return "image/gif";
  if (start.startsWith("RIFF") && start.endsWith("WEBP")) return "image/webp";
  return undefined;
}
