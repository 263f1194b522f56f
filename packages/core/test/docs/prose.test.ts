import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readRepositoryFile } from '../corpus/load-corpus.js';
import { pages } from './pages.js';
import { proseWidth } from './wrap.js';

/** Returns the lines of prose that are too long; code, tables and lines of one word are ignored. */
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

/**
 * Returns the comment lines of a source that are too long, without addresses and directives for the
 * linter.
 */
function longComments(source: string): readonly string[] {
  return source
    .split('\n')
    .filter(
      (line) =>
        line.length > proseWidth &&
        /^\s*(\/\/|\/\*|\*\s)/.test(line) &&
        !/https?:|eslint-/.test(line),
    );
}

test('no source has long lines of comments, and no file exports all of another', () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const listed = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' });
  const files = listed.trimEnd().split('\n');
  expect(files.length).toBeGreaterThan(1000);
  const sources = files.map((file) => ({ file, source: readRepositoryFile(file) }));
  const long = sources.flatMap(({ file, source }) =>
    longComments(source).map((line) => `${file}: ${line}`),
  );
  expect(long).toEqual([]);
  const exporting = sources.filter(({ source }) => /^export \* from/m.test(source));
  expect(exporting.map(({ file }) => file)).toEqual([]);
});
