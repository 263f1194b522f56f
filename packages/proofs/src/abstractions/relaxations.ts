import {
  forEachPart,
  forEachRegister,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { RegisterId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import { cellConstants } from './cell-constants.js';
import type { LoadRelaxation } from './abstract-load.js';

/**
 * Returns the relaxations to try for a load, most precise first. For a load in a waiting loop: a
 * value that keeps the thread waiting. Then the cell's value or one of a few constants, taken from
 * tests after the load and from the program's writes to the cell. Last, any smaller or any larger
 * value.
 */
export function relaxationsOf(
  program: Program,
  thread: Thread,
  load: TransitionId,
): readonly LoadRelaxation[] {
  const transition = thread.transitions[load];
  if (transition?.instruction.kind !== 'load') return [];
  const { into, address } = transition.instruction;
  const tests = thread.transitions.filter(
    ({ from, instruction }) =>
      from === transition.to &&
      instruction.kind === 'assume' &&
      isAbout(instruction.condition, into),
  );
  const spins = tests.flatMap(({ to, instruction }): LoadRelaxation[] =>
    to === transition.from && instruction.kind === 'assume'
      ? [{ kind: 'spin', condition: instruction.condition }]
      : [],
  );
  const tested = tests.flatMap(({ instruction }) =>
    instruction.kind === 'assume' ? constantsIn(instruction.condition) : [],
  );
  const constants = new Set([0, ...tested, ...cellConstants(program, address)]);
  return [
    ...spins,
    ...[...constants].map((value): LoadRelaxation => ({ kind: 'or', value })),
    { kind: 'at-most' },
    { kind: 'at-least' },
  ];
}

/** Whether the condition reads this register and no further register. */
function isAbout(condition: Expression, register: RegisterId): boolean {
  let own = 0;
  let others = 0;
  forEachRegister(condition, (each) => {
    if (each === register) own++;
    else others++;
  });
  return own > 0 && others === 0;
}

function constantsIn(expression: Expression): readonly number[] {
  const found: number[] = [];
  forEachPart(expression, (part) => {
    if (part.kind === 'constant') found.push(part.value);
  });
  return found;
}
