// The thread of the language: hover texts and completions, while the engines work on another
// thread.
import { completionsAt, hoverAt, openDocument } from '@fencewright/lsp/reading';
import type { LanguageAnswer, LanguageAsked, Offer } from './language-messages.js';

/** The last text read, as most questions are about an unchanged text. */
let last: { readonly key: string; readonly document: ReturnType<typeof openDocument> } | undefined;

function documentOf({ format, text }: LanguageAsked): ReturnType<typeof openDocument> {
  const key = `${format} ${text}`;
  if (last?.key !== key) last = { key, document: openDocument('text', 0, format, text) };
  return last.document;
}

/** Returns an offset as a place of editors: lines and UTF-16 units from 0. */
function placeIn(text: string, offset: number): { line: number; character: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)!.length };
}

/**
 * Returns a snippet without the names of placeholders; the cursor goes to the final position, `$0`.
 */
function offerOf({
  label,
  detail = '',
  insertText = label,
}: ReturnType<typeof completionsAt>[0]): Offer {
  const plain = insertText.replace(/\$\{(\d+):?([^}]*)\}/g, (_, number: string, name: string) =>
    number === '0' ? '\0' : name,
  );
  const [before = '', after = ''] = plain.split('\0');
  return { label, detail, before, after };
}

async function answer(asked: LanguageAsked): Promise<Omit<LanguageAnswer, 'id'>> {
  const document = await documentOf(asked);
  if (asked.kind === 'complete')
    return { offers: completionsAt(document, asked.offset).map(offerOf) };
  const found = hoverAt(document, undefined, placeIn(asked.text, asked.offset));
  const contents = Object(found?.contents) as { readonly value?: string };
  return { offers: [], ...(contents.value !== undefined && { hover: contents.value }) };
}

globalThis.addEventListener('message', ({ data }: MessageEvent<LanguageAsked>) => {
  void answer(data)
    .catch(() => ({ offers: [] }))
    .then((found) => postMessage({ id: data.id, ...found } satisfies LanguageAnswer));
});
