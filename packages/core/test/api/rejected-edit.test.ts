import { expect, test } from 'vitest';
import type { TextEditor } from '@fencewright/model/program/front-end.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { editSource } from '../../src/api/edit-source.js';
import { fence } from '../../src/api/fence.js';

const text = `program p
var x, y
thread t { local r; x = 1; r = y; }
thread u { local r; y = 1; r = x; }
`;

const complaint: Diagnostic = {
  code: 'FW5001',
  severity: 'error',
  message: 'expected expression',
  hint: 'correct your file',
  span: { start: { line: 1, column: 2 }, end: { line: 1, column: 3 } },
};

/** Edits the text with editors that put a line before it; the compiler accepts `good` alone. */
async function edited(word: string, plainWord: string | undefined) {
  const program = finiteProgram(parseNative(text).model)!;
  const { verdict } = await fence(program);
  if (verdict.kind !== 'found') return expect.fail(verdict.kind);
  const { repaired } = verdict;
  const editorOf = (first: string): TextEditor => ({
    placesOf: () => [{ line: 0, column: 0 }],
    repair: () => ({ text: `${first}\n${text}`, diagnostics: [] }),
  });
  const tried: string[] = [];
  const editor = {
    ...editorOf(word),
    ...(plainWord !== undefined && { plain: () => editorOf(plainWord) }),
  };
  const answer = await editSource({ format: 'c', source: text }, editor, verdict, {
    happensBefore: 'standard',
    limits: () => ({}),
    read: (changed) => {
      const [first = ''] = changed.split('\n');
      tried.push(first);
      return Promise.resolve(
        first === 'good'
          ? { model: { kind: 'finite', program: repaired }, diagnostics: [] }
          : { diagnostics: [complaint] },
      );
    },
  });
  return { answer, tried };
}

test('an edit that the compiler rejects is tried again in the plain spelling', async () => {
  const { answer, tried } = await edited('bad', 'good');
  expect(tried).toEqual(['bad', 'good']);
  expect(answer).toMatchObject({ kind: 'text', text: `good\n${text}` });
});

test('an edit that the compiler accepts is not tried again', async () => {
  const { tried } = await edited('good', 'bad');
  expect(tried).toEqual(['good']);
});

test.each([[undefined], ['worse']])(
  'a rejected edit is no fault of the user (%s)',
  async (plain) => {
    const { answer } = await edited('bad', plain);
    if (answer.kind !== 'refused' || answer.refusal.kind !== 'rejected')
      return expect.fail(answer.kind);
    const [own, said] = answer.refusal.diagnostics;
    // The places are places of the edited text, in which the first line is the edit.
    const source = { name: 'the text with the fences', text: `bad\n${text}` };
    expect(own).toMatchObject({
      code: 'FW5010',
      span: { start: { line: 0, column: 0 }, end: { line: 0, column: 3 }, source },
    });
    expect(said).toEqual({
      code: 'FW5001',
      severity: 'error',
      message: 'expected expression',
      span: { ...complaint.span, source },
    });
  },
);
