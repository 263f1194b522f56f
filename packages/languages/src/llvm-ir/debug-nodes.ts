import type { Metadata } from './syntax.js';

/**
 * Returns a function that reads a field from a node's text: the first group of the field's pattern;
 * `undefined` if there is none.
 */
function readerOf(
  patternOf: (field: string) => string,
): (text: string | undefined, field: string) => string | undefined {
  const known = new Map<string, RegExp>();
  return (text, field) => {
    if (text === undefined) return undefined;
    let pattern = known.get(field);
    if (!pattern) known.set(field, (pattern = new RegExp(patternOf(field))));
    return pattern.exec(text)?.[1];
  };
}

/** Returns the name of the node in a field of a node's text; `undefined` if there is none. */
export const nodeIn = readerOf((field) => `\\b${field}: (![0-9]+(?:@[0-9]+)?)`);

const digitsIn = readerOf((field) => `\\b${field}: ([0-9]+)`);
const quotedIn = readerOf((field) => `\\b${field}: "([^"]*)"`);

/** Returns the number in a field of a node's text; `undefined` if there is none. */
export function numberIn(text: string | undefined, field: string): number | undefined {
  const found = digitsIn(text, field);
  return found === undefined ? undefined : Number(found);
}

/** Returns the quoted text in a field of a node's text; `undefined` if there is none. */
export function stringIn(text: string | undefined, field: string): string | undefined {
  const quoted = quotedIn(text, field);
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
