import { expect, test } from 'vitest';
import { readRepositoryFile } from '../corpus/load-corpus.js';
import { pages } from './pages.js';
import { proseWidth } from './wrap.js';

/** The lines of prose that are too long: not those of code, of tables, or of one word. */
function tooLong(text: string): readonly string[] {
  let isCode = false;
  return text.split('\n').filter((line) => {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    if (isCode || /^\s*\||^ {4}/.test(line)) return false;
    const [, words = ''] = /^\s*(?:[-*#>]+\s|\d+\.\s)?(.*)$/.exec(line) ?? [];
    return line.length > proseWidth && words.replaceAll(/`[^`]*`|\[[^\]]*\]/g, 'x').includes(' ');
  });
}

test.each(pages)('%s has no long lines of prose', (page) => {
  expect(tooLong(readRepositoryFile(page))).toEqual([]);
});
