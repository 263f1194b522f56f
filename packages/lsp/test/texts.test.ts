import { expect, test } from 'vitest';
import { Texts } from '../src/texts.js';

const uri = 'file:///p.fw';
const textOf = (value: number): string => `program P\nvar x\nthread t { x = ${value}; }\n`;

test('what is asked while a text is being read is answered for the last version', async () => {
  const texts = new Texts();
  void texts.open(uri, 'fencewright', 1, textOf(1));
  const asked = texts.get(uri);
  void texts.change(uri, 2, [{ text: textOf(2) }]);
  expect(await asked).toMatchObject({ version: 2, text: textOf(2) });
});

test('the last version is known as such, and no text that is closed', async () => {
  const texts = new Texts();
  const first = (await texts.open(uri, 'fencewright', 1, textOf(1)))!;
  expect(texts.isLast(first)).toBe(true);
  const range = { start: { line: 2, character: 15 }, end: { line: 2, character: 16 } };
  const second = (await texts.change(uri, 2, [{ range, text: '7' }]))!;
  expect(second.text).toBe(textOf(7));
  expect([first, second].map((one) => texts.isLast(one))).toEqual([false, true]);
  texts.close(uri);
  expect(texts.isLast(second)).toBe(false);
  expect(await texts.get(uri)).toBeUndefined();
});
