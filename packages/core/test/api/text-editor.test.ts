import { expect, test } from 'vitest';
import { editorOf } from '../../src/api/text-editor.js';
import { parseText } from '../../src/api/parse-text.js';
import { programOf } from '../robustness/native-program.js';

const program = programOf('var x thread t { x = 1; }');

test('a language without an editor has no place for a fence, and refuses every repair', async () => {
  const editor = await editorOf({}, '', program);
  expect(editor.placesOf(0, 0)).toEqual([]);
  const { text, diagnostics } = editor.repair(
    [{ kind: 'fence', thread: 0, location: 0 }],
    () => undefined,
  );
  expect(text).toBeUndefined();
  expect(diagnostics.map(({ code }) => code)).toEqual(['FW1012']);
});

test.each(['trencher', 'litmus', 'memorax'] as const)(
  'numbers of copies are refused where the language has no copies: %s',
  async (format) => {
    const { model, diagnostics } = await parseText(format, '', new Map([['t', 2]]));
    expect(model).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['FW1012']);
  },
);
