import type { TextQuestion, WebFormat } from './messages.js';

declare const FENCEWRIGHT_FIRST: string;

/** A text with its file and format. */
type OpenedText = Pick<TextQuestion, 'file' | 'format' | 'text'>;

/** By format, the ending of file names. */
export const endings: Readonly<Record<WebFormat, string>> = {
  native: '.fw',
  litmus: '.litmus',
  trencher: '.trencher',
  memorax: '.rmm',
};

/** The number of milliseconds allowed for each question by default. */
export const usualTimeout = 3000;

/** The first program shown to new visitors. */
const firstExample: OpenedText = {
  file: 'peterson.fw',
  format: 'native',
  text: FENCEWRIGHT_FIRST,
};

/** Returns the draft of this tab, or of an earlier visit; `undefined` if there is none. */
function draft(): OpenedText | undefined {
  try {
    const kept = sessionStorage.getItem('draft') ?? localStorage.getItem('draft');
    const found = kept === null ? undefined : (JSON.parse(kept) as Record<string, unknown>);
    const { file: name, format, text } = found ?? {};
    if (typeof name !== 'string' || typeof text !== 'string') return undefined;
    return typeof format === 'string' && format in endings
      ? { file: name, format: format as WebFormat, text }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the text with which a page without a link begins: the draft, or an example. A page
 * embedded by another site has no draft.
 */
export function firstText(isEmbed: boolean): OpenedText {
  return (isEmbed ? undefined : draft()) ?? firstExample;
}
