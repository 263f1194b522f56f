import { expect, test } from 'vitest';
import { editorOf } from '../../src/api/text-editor.js';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

const program = programOf('var x thread t { x = 1; }');

test('a language without an editor can be asked for fences, and refuses to write them', async () => {
  const editor = await editorOf({}, '', program);
  const { origin } = program.threads[0]!.transitions[0]!;
  expect(editor.placesOf(0, 0)).toEqual([origin.span!.start]);
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
