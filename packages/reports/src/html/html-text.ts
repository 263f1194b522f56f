import { xmlText } from '../words/xml-text.js';

/** A text in HTML, with special characters already escaped. */
export interface Html {
  readonly html: string;
}

type HtmlPart = string | number | Html | readonly Html[] | undefined | false;

/**
 * Matches characters that change the direction of text, and so can make a program look different
 * from the text that a parser reads.
 */
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns a text for a page, with direction marks replaced by their numbers, such as `[U+202E]`.
 */
function visible(text: string): string {
  const number = (mark: string): string => mark.charCodeAt(0).toString(16).padStart(4, '0');
  return text.replace(direction, (mark) => `[U+${number(mark).toUpperCase()}]`);
}

function textOf(part: HtmlPart): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return xmlText(visible(String(part)));
  return 'html' in part ? part.html : part.map(({ html: text }) => text).join('');
}

/**
 * Returns HTML made from a template. Inserted parts are escaped unless they are HTML; `undefined`
 * and `false` insert nothing. The indentation of the template itself is removed.
 */
export function html(template: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return {
    html: template.map((text, i) => text.replace(/\n\s+/g, '\n') + textOf(parts[i])).join(''),
  };
}

/** Returns a text as HTML without escaping, for trusted texts such as pictures. */
export function trusted(text: string): Html {
  return { html: text };
}

/**
 * Returns a value as the content of a script element of type `application/json`: no text in the
 * value can end the element.
 */
export function embeddedJson(value: unknown): Html {
  const escapes: Readonly<Record<string, string>> = {
    '<': '\\u003c',
    '>': '\\u003e',
    '&': '\\u0026',
    '\u2028': '\\u2028',
    '\u2029': '\\u2029',
  };
  return trusted(JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (c) => escapes[c] ?? c));
}
