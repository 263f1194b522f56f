import { finiteProgram } from '../../src/program/model.js';
import { expect, test } from 'vitest';
import { parseTrencher } from '@fencewright/languages/trencher/parse-trencher.js';
import type { Program } from '../../src/program/program.js';
import { sameAutomata } from '../../src/program/same-automata.js';

function parse(...lines: readonly string[]): Program {
  const { model } = parseTrencher(['thread t', 'initial a', ...lines, 'end'].join('\n'));
  const program = finiteProgram(model);
  return program ?? expect.fail('does not parse');
}

const program = parse('transition a b write 1 0', 'transition b c read r 1', 'transition b a noop');

test('names of locations and registers make no difference', () => {
  const renamed = parse(
    'transition a second write 1 0',
    'transition second end1 read s 1',
    'transition second a noop',
  );
  expect(sameAutomata(program, renamed)).toBe(true);
});

test.each([
  [
    'an instruction',
    parse('transition a b write 2 0', 'transition b c read r 1', 'transition b a noop'),
  ],
  ['a target', parse('transition a b write 1 0', 'transition b c read r 1', 'transition b b noop')],
  ['a missing instruction', parse('transition a b write 1 0', 'transition b c read r 1')],
  [
    'one location for two',
    parse('transition a b write 1 0', 'transition b a read r 1', 'transition b a noop'),
  ],
  [
    'two locations for one',
    parse(
      'transition a b write 1 0',
      'transition b c read r 1',
      'transition b d noop',
      'transition d b write 1 0',
    ),
  ],
])('%s does', (_, other) => {
  expect(sameAutomata(program, other)).toBe(false);
  expect(sameAutomata(other, program)).toBe(false);
});
