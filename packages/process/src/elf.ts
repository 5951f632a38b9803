/** What the head of a Linux binary says about where it runs. */
export interface ElfHead {
  /** The loader that it names, such as `/lib64/ld-linux-x86-64.so.2`; `undefined` for a static binary. */
  readonly interpreter: string | undefined;
  /** The processor as Node names it (`x64`, `arm64`), or `undefined` for one that the CLI is not built for. */
  readonly arch: string | undefined;
}

/** How much of a file {@link readElf} wants. Linkers put the name of the loader right behind the program headers. */
export const elfHeadBytes = 4096;

const programHeaderInterp = 3;
const architectures: Record<number, string> = { 62: "x64", 183: "arm64", 3: "ia32", 40: "arm" };

/** Reads the head of an ELF file (64 bit, little endian: all that the CLI is built as). `undefined` for anything else. */
export function readElf(head: Uint8Array): ElfHead | undefined {
  const is64BitLittleEndian = head[4] === 2 && head[5] === 1;
  if (!isElf(head) || !is64BitLittleEndian || head.length < 64) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  return { interpreter: interpreter(head, view), arch: architectures[view.getUint16(18, true)] };
}

function isElf(head: Uint8Array): boolean {
  return head[0] === 0x7f && head[1] === 0x45 && head[2] === 0x4c && head[3] === 0x46;
}

function interpreter(head: Uint8Array, view: DataView): string | undefined {
  const table = Number(view.getBigUint64(32, true));
  const entrySize = view.getUint16(54, true);
  const entries = view.getUint16(56, true);
  for (let i = 0; i < entries; i++) {
    const entry = table + i * entrySize;
    if (entry + 40 > head.length) return undefined;
    if (view.getUint32(entry, true) !== programHeaderInterp) continue;
    const start = Number(view.getBigUint64(entry + 8, true));
    const length = Number(view.getBigUint64(entry + 32, true));
    // The name ends with a NUL.
    return start + length > head.length
      ? undefined
      : new TextDecoder().decode(head.subarray(start, start + length - 1));
  }
  return undefined;
}
