import { expect, test } from 'vitest';
import { plainPalette, type Palette } from '../src/text/palette.js';
import { printText } from '../src/text/print-text.js';
import { wrappedLines } from '../src/text/wrap-words.js';
import { advice, numbered, say } from '../src/words/blocks.js';

const inTerminal = (width: number): Palette => ({ ...plainPalette, width });
const sentence = "t0's load of y at line 9 read 0 before t1's store of y = 1 took effect";

test('outside of a terminal a sentence is one line', () => {
  expect(wrappedLines(sentence, plainPalette, '  ')).toEqual([`  ${sentence}`]);
});

test('in a terminal lines end between words, and no word is lost or cut', () => {
  for (let width = 40; width < 90; width++) {
    const lines = wrappedLines(sentence, inTerminal(width), '  ', 4);
    expect(lines.every((line) => line.length <= width)).toBe(true);
    expect(lines.map((line) => line.trim()).join(' ')).toBe(sentence);
    expect(lines.slice(1).every((line) => line.startsWith('    t') || /^ {4}\S/.test(line))).toBe(
      true,
    );
  }
  expect(wrappedLines(sentence, inTerminal(90), '  ')).toHaveLength(1);
});

test('a name that is wider than the terminal stays whole', () => {
  const name = `./${'a'.repeat(60)}.hpp`;
  expect(wrappedLines(`see ${name} there`, inTerminal(40), '', 2)).toEqual([
    'see',
    `  ${name}`,
    '  there',
  ]);
});

test('a command in a hint is never broken, so that it can be pasted', () => {
  const [explain, fence] = [
    "fencewright explain --link 'a b.c' --args 2 lock_test.c",
    'fencewright fence --for progress lock_test.c -- -Iinclude',
  ];
  const words = `${explain} shows how it fails; ${fence} finds the cheapest fences against it`;
  for (let width = 40; width < 160; width++) {
    const lines = printText(advice(words), inTerminal(width)).split('\n');
    for (const command of [explain, fence])
      expect(lines.filter((line) => line.includes(command))).toHaveLength(1);
    expect(lines[0]).toMatch(/^ {2}hint: /);
    expect(lines.slice(1, -1).every((line) => /^ {8}\S/.test(line))).toBe(true);
  }
});

test('colours stay with their words on every line', () => {
  const palette: Palette = { ...inTerminal(40), bad: (text) => `<${text}>` };
  const words = [
    'before ',
    { text: 'a coloured part of many words', tone: 'bad' },
    ', and after',
  ] as const;
  expect(wrappedLines(words, palette, '', 2)).toEqual([
    'before <a coloured part of many words>,',
    '  and after',
  ]);
  expect(wrappedLines(['x'.repeat(30), ' ', words[1]], palette, '', 2)).toEqual([
    `${'x'.repeat(30)} <a>`,
    '  <coloured part of many words>',
  ]);
});

test('numbers of lists hang before their sentences, and notes belong to them', () => {
  const blocks = [...numbered([{ words: sentence, note: 'cf, step 2 to step 4' }]), say('end')];
  expect(printText(blocks, inTerminal(60)).split('\n')).toEqual([
    "  1. t0's load of y at line 9 read 0 before t1's store of y",
    '     = 1 took effect (cf, step 2 to step 4)',
    '  end',
    '',
  ]);
});
