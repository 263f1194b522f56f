import { needsCompiler, formatByExtension, frontEnds } from '@fencewright/core';
import type { DocumentLink } from 'vscode-languageserver';
import type { Document } from './document.js';

/** A mention of another file, on one line. */
interface Mention {
  readonly line: number;
  readonly character: number;
  readonly name: string;
}

const comments: Readonly<Partial<Record<Document['format'], RegExp>>> = {
  native: /\/\/.*|\/\*[^]*?\*\//g,
  c: /\/\/.*|\/\*[^]*?\*\//g,
  litmus: /\(\*[^]*?\*\)/g,
  trencher: /#.*/g,
  memorax: /\/\/.*|\/\*[^]*?\*\//g,
};

/** Returns the files included by C with a name in quotes, and the programs named in comments. */
function mentionsIn({ format, text }: Document): Mention[] {
  const places: { readonly start: number; readonly name: string }[] = [];
  if (needsCompiler(format))
    for (const { 0: all, 1: name = '', index } of text.matchAll(
      /^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm,
    ))
      places.push({ start: index + all.length - name.length - 1, name });
  for (const { 0: comment, index } of text.matchAll(comments[format] ?? /$^/g))
    for (const { 0: name, index: at } of comment.matchAll(/[\w.+/-]*\w\.\w+\b/g))
      if (formatByExtension(frontEnds, /\.\w+$/.exec(name)![0])) {
        // The slashes that begin the comment are no part of a name.
        const [slashes] = /^\/*/.exec(at === 0 ? name : '')!;
        places.push({ start: index + at + slashes.length, name: name.slice(slashes.length) });
      }
  return places.map(({ start, name }) => {
    const before = text.slice(0, start).split(/\r\n|\n|\r/);
    return { line: before.length - 1, character: before.at(-1)!.length, name };
  });
}

/**
 * Returns the address of a file named in a text; `undefined` if the name leads to another machine,
 * or is none.
 */
function addressOf(name: string, { uri }: Document): string | undefined {
  try {
    const base = new URL(uri);
    const target = new URL(encodeURI(name), base);
    return target.protocol === base.protocol && target.host === base.host ? target.href : undefined;
  } catch {
    return undefined;
  }
}

/** Returns links to the existing files mentioned in a text, relative to the folder of the text. */
export async function linksIn(
  document: Document,
  isThere: (uri: string) => Promise<boolean>,
): Promise<DocumentLink[]> {
  if (!document.uri.startsWith('file:')) return [];
  const links = mentionsIn(document).map(async ({ line, character, name }) => {
    const target = addressOf(name, document);
    if (target === undefined) return [];
    const end = { line, character: character + name.length };
    const link: DocumentLink = { range: { start: { line, character }, end }, target };
    return (await isThere(target)) ? [link] : [];
  });
  return (await Promise.all(links)).flat();
}
