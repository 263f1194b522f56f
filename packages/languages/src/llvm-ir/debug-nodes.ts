import type { IrModule } from './syntax.js';

/** The nodes of debug information, by name (`!12`). */
export type Metadata = IrModule['metadata'];

/** The number in a field of a node's text; `undefined` if there is none. */
export function numberIn(text: string | undefined, field: string): number | undefined {
  const found =
    text === undefined ? undefined : new RegExp(`\\b${field}: ([0-9]+)`).exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The name of the node in a field of a node's text; `undefined` if there is none. */
export function nodeIn(text: string | undefined, field: string): string | undefined {
  return text === undefined
    ? undefined
    : new RegExp(`\\b${field}: (![0-9]+(?:@[0-9]+)?)`).exec(text)?.[1];
}

/** The quoted text in a field of a node's text; `undefined` if there is none. */
export function stringIn(text: string | undefined, field: string): string | undefined {
  const quoted =
    text === undefined ? undefined : new RegExp(`\\b${field}: "([^"]*)"`).exec(text)?.[1];
  return quoted?.includes('\\') ? unescaped(quoted) : quoted;
}

/**
 * Returns a text of LLVM IR without its escapes: the bytes of UTF-8 that are not printable in ASCII
 * stand there as `\C3\BC`, and a backslash is doubled.
 */
function unescaped(quoted: string): string {
  const bytes = quoted
    .split(/(\\[0-9A-Fa-f]{2}|\\\\)/)
    .flatMap((part, i) =>
      i % 2 === 0
        ? [...new TextEncoder().encode(part)]
        : [part === '\\\\' ? 0x5c : Number.parseInt(part.slice(1), 16)],
    );
  return new TextDecoder().decode(new Uint8Array(bytes));
}

/** The names of the nodes in a list node, in order. */
export function listAt(metadata: Metadata, node: string | undefined): readonly string[] {
  const text = node === undefined ? undefined : metadata.get(node);
  return text?.startsWith('!{') === true ? (text.match(/![0-9]+(?:@[0-9]+)?/g) ?? []) : [];
}
