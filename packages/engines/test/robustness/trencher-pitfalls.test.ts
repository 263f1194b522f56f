import { finiteProgram } from '@fencewright/model/program/model.js';
import { describe, test } from 'vitest';
import { parseTrencher } from '@fencewright/languages/trencher/parse-trencher.js';
import type { Program } from '@fencewright/model/program/program.js';
import { expectAttacksOfProgram } from './expect-attacks.js';

function programOf(text: string): Program {
  const { model, diagnostics } = parseTrencher(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics, null, 2));
  return program;
}

// `left` stores to address 1 and loads address 2; `right` does the reverse.
const left = `thread left
  initial p0
  transition p0 p1 write 1 1
  transition p1 p2 read r 2
end
`;
const leftsAttack = 'left: mem[1] = 1 | r = mem[2]';

describe('two answers that are often wrong', () => {
  test('a lock that ends a thread hides no attack', () =>
    expectAttacksOfProgram(
      programOf(`${left}
thread right
  initial q0
  transition q0 q1 write 1 2
  transition q1 q2 read r 1
  transition q2 q3 lock
end
thread locker
  initial s0
  transition s0 s1 lock
end`),
      [leftsAttack, 'right: mem[2] = 1 | r = mem[1]'],
    ));

  test('an attack may follow a lock block of its own thread', () =>
    expectAttacksOfProgram(
      programOf(`${left}
thread right
  initial q0
  transition q0 q1 lock
  transition q1 q2 unlock
  transition q2 q3 write 1 2
  transition q3 q4 read r 1
  transition q4 q5 lock
end`),
      [leftsAttack, 'right: mem[2] = 1 | r = mem[1]'],
    ));

  test('the address of a load is that before the load', () =>
    expectAttacksOfProgram(
      programOf(`${left}
thread right
  initial q0
  transition q0 q1 local r 1
  transition q1 q2 write 4 2
  transition q2 q3 mfence
  transition q3 q4 read r & r 1
end`),
      [leftsAttack],
    ));
});

describe('dead ends', () => {
  test('a state without a way out ends its thread, whatever stands behind it in the text', () =>
    expectAttacksOfProgram(
      programOf(`${left}
thread right
  initial q0
  transition q0 q1 write 1 2
  transition q1 stuck check 0
  transition stuck q3 read r 1
end`),
      [],
    ));
});
