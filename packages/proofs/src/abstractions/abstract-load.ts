import { at } from '@fencewright/ground/base/at.js';
import {
  binary,
  constant,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Thread } from '@fencewright/model/program/program.js';

/** The further values, besides the value of the cell, that a relaxed load may return. */
export type LoadRelaxation =
  /** The load returns the value of the cell, or `value`. */
  | { readonly kind: 'or'; readonly value: number }
  /**
   * Any value smaller, or any value larger, than the value of the cell: for cells that only grow,
   * or only shrink.
   */
  | { readonly kind: 'at-most' | 'at-least' }
  /**
   * Any value that makes a thread, waiting in a loop for the cell, repeat the loop without any
   * other change.
   */
  | { readonly kind: 'spin'; readonly condition: Expression };

/**
 * A read abstraction (a load that may return further values) that was inferred and is not in the
 * program's text.
 */
interface InferredReadAbstraction {
  readonly thread: ThreadId;
  /** The load's transition; the abstraction that replaces the load gets the same id. */
  readonly transition: TransitionId;
  readonly relaxation: LoadRelaxation;
}

/**
 * Replaces a load by a guess, which may return any value that its condition allows: a load into a
 * new register, then a `havoc`. Returns the changed program.
 */
export function abstractLoad(
  open: Templates,
  { thread: id, transition: loadId, relaxation }: InferredReadAbstraction,
): Templates {
  const thread = open.templates.threads[id];
  const load = thread?.transitions[loadId];
  if (!thread || load?.instruction.kind !== 'load') return open;
  const { into } = load.instruction;
  const through = thread.registers.length;
  const middle = thread.locations.length;
  const where = conditionOf(relaxation, into, through);
  const changed: Thread = {
    ...thread,
    registers: [...thread.registers, { name: unusedName(thread), hidden: true }],
    locations: [
      ...thread.locations,
      { name: `${at(thread.locations, load.from).name}'${middle}`, hidden: true },
    ],
    transitions: [
      ...thread.transitions.with(loadId, {
        ...load,
        to: middle,
        instruction: { ...load.instruction, into: through },
      }),
      {
        from: middle,
        to: load.to,
        instruction: { kind: 'havoc', into, where },
        origin: load.origin,
      },
    ],
  };
  const threads = open.templates.threads.with(id, changed);
  return { ...open, templates: { ...open.templates, threads } };
}

function conditionOf(relaxation: LoadRelaxation, into: number, through: number): Expression {
  const value = registerValue(into);
  const held = registerValue(through);
  const same = binary('==', value, held);
  switch (relaxation.kind) {
    case 'or':
      return binary('||', same, binary('==', value, constant(relaxation.value)));
    case 'at-most':
      return binary('<=', value, held);
    case 'at-least':
      return binary('>=', value, held);
    case 'spin':
      return binary('||', same, relaxation.condition);
  }
}

function unusedName({ registers }: Thread): string {
  let number = registers.length;
  while (registers.some(({ name }) => name === `g${number}`)) number++;
  return `g${number}`;
}
