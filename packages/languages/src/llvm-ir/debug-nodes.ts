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
  return text === undefined ? undefined : new RegExp(`\\b${field}: "([^"]*)"`).exec(text)?.[1];
}

/** The names of the nodes in a list node, in order. */
export function listAt(metadata: Metadata, node: string | undefined): readonly string[] {
  const text = node === undefined ? undefined : metadata.get(node);
  return text?.startsWith('!{') === true ? (text.match(/![0-9]+(?:@[0-9]+)?/g) ?? []) : [];
}
