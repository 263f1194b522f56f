import { finiteProgram } from '@fencewright/model/program/model.js';
import { expect, test } from 'vitest';
import { printLitmus } from '../../src/litmus/print-litmus.js';
import { parseNative } from '../../src/native/parse-native.js';
import { printNative } from '../../src/native/print-native.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

const text = `var x thread a[2] { x = 1; }
  property waits: stuck (!drained(a[0]) || x == 1)`;

test('are read, and read again after printing', () => {
  const { properties } = programOf(text);
  expect(properties[0]?.kind).toBe('stuck');
  expect(properties[0]?.condition).toMatchObject({
    left: { operand: { kind: 'drained', thread: 0 } },
  });
  const printed = printNative(programOf(text));
  const again = finiteProgram(parseNative(printed).model);
  expect(again?.properties[0]?.kind).toBe('stuck');
  expect(again?.properties[0]?.condition).toEqual(properties[0]?.condition);
});

test.each([
  ['property p: stuk (true)', "did you mean 'stuck'?"],
  ['property p: never (draind(a[0]))', "did you mean 'drained'?"],
  ['property p: never (drained(x))', 'write a thread'],
])('%s is refused', (property, hint) => {
  const { model, diagnostics } = parseNative(`program P\n${text}\n${property}\n`);
  const program = finiteProgram(model);
  expect(program).toBeUndefined();
  expect(diagnostics).toHaveLength(1);
  if (hint.startsWith('did')) expect(diagnostics[0]?.hint).toBe(hint);
});

test('a litmus test cannot ask for them: it says so', () => {
  const { text: printed, diagnostics } = printLitmus(
    programOf('var x thread a { x = 1; } property p: stuck (x == 1)'),
  );
  expect(printed).not.toMatch(/forall|x\]?=1/);
  expect(diagnostics.map(({ code }) => code)).toContain('FW2006');
});
