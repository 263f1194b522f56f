import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  commentText,
  printableLine,
  quoteArgument,
  quoteName,
} from '../../src/source/quote-name.js';

const names = [
  'plain.fw',
  'Übung_1+2.fw',
  'two words.fw',
  "it's.fw",
  '"quoted".fw',
  '$(reboot).fw',
  '`reboot`.fw',
  'a\nb.fw',
  'a\u001b[31mred.fw',
  'a\u202egnp.fw',
  'zero\u200bwidth.fw',
  'line\u2028end.fw',
  'back\\slash\u0007.fw',
  'back\\name\u0007.fw',
  '~.fw',
  '#.fw',
  '*.fw',
  '-x',
  'tag\u{e0041}.fw',
];

test('a shell reads all of them back', () => {
  const script = `LC_ALL=C.UTF-8; printf '%s\\0' ${names.map(quoteName).join(' ')}`;
  const read = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  expect(read.split('\0').slice(0, -1)).toEqual(names);
});

test.each(names)('%j does nothing to a terminal', (name) => {
  for (const shown of [quoteName(name), printableLine(name), commentText(name)])
    expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

test('names that are plain stay as they are', () => {
  expect(['a.fw', '../x/y-z.txt', '-', 'größe.fw'].map(quoteName)).toEqual([
    'a.fw',
    '../x/y-z.txt',
    '-',
    'größe.fw',
  ]);
});

test('a file is no option, and a comment ends where it should', () => {
  expect(quoteArgument('-x.fw')).toBe('./-x.fw');
  expect(quoteArgument('-')).toBe('-');
  expect(commentText('a */ b\n/* c')).toBe('a * / b\\n/ * c');
});
