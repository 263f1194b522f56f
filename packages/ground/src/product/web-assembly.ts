// The few parts of WebAssembly that are used; not every platform has it, and the types of the
// language do not know it.

export interface LinearMemory {
  readonly buffer: ArrayBuffer;
  /** Makes the memory larger; throws a `RangeError` if no memory is left. */
  readonly grow: (pages: number) => number;
}

interface WebAssemblyNamespace {
  readonly Memory: new (size: { readonly initial: number }) => LinearMemory;
  readonly Module: new (binary: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: LinearMemory } },
  ) => { readonly exports: unknown };
}

/** The number of 32-bit integers in a page of WebAssembly memory. */
export const pageLength = 65536 / 4;

/** The namespace of WebAssembly; `undefined` if not available. */
export function webAssembly(): WebAssemblyNamespace | undefined {
  return (globalThis as unknown as { readonly WebAssembly?: WebAssemblyNamespace }).WebAssembly;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes base64 without white space. */
export function decodeBase64(text: string): Uint8Array {
  const characters = text.replace(/=+$/, '');
  const bytes = new Uint8Array((characters.length * 3) >>> 2);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const character of characters) {
    bits = (bits << 6) | digits.indexOf(character);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[at++] = bits >>> held;
    bits &= (1 << held) - 1;
  }
  return bytes;
}
