import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Attempt } from './attempt.js';
import type { LoadEdge, StoreEdge } from '../steps/buffer-free-loads.js';
import { distinctSteps, meet, type Agreement, type Conflict } from '../obligations/movers.js';
import type { Step } from '../steps/operation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import type { Impossibility } from '../obligations/select-needed.js';
import { roleOf } from '../steps/roles.js';
import { and, or } from '@fencewright/ground/smt/term.js';
import { overallAgreement } from '../obligations/write-atomicity.js';

/**
 * Returns the situations that a successful attempt (with an argument for each store) has shown to
 * be impossible: those in which a mover and a step of another thread cannot change places.
 */
export function goalsOf({ program, stores }: Attempt): readonly Impossibility[] {
  const agreement = overallAgreement(stores);
  if (agreement === undefined) return [];
  const moved = new Map<LoadEdge | StoreEdge, { thread: ThreadId; mover: Conflict['mover'] }>();
  for (const { thread, store, loads, argument } of stores) {
    if (argument.kind === 'left-mover') moved.set(store, { thread, mover: 'store' });
    if (argument.kind === 'right-movers')
      for (const load of loads) moved.set(load, { thread, mover: 'load' });
  }
  return [...moved].flatMap(([edge, { thread, mover }]) =>
    program.threads
      .filter((other) => other.thread !== thread || program.unbounded.includes(thread))
      .flatMap(({ steps }) =>
        distinctSteps(steps).map((step) =>
          goalOf(program, { thread, edge, mover }, step, agreement),
        ),
      ),
  );
}

/**
 * Returns the situation that a mover (a load or store) and another thread's step cannot change
 * places.
 */
function goalOf(
  program: ProofProgram,
  {
    thread,
    edge,
    mover,
  }: { thread: ThreadId; edge: LoadEdge | StoreEdge; mover: Conflict['mover'] },
  step: Step,
  agreement: Agreement,
): Impossibility {
  const [mine, theirs] = [roleOf(program, thread, 1), roleOf(program, step.thread, 2)];
  return {
    roles: [mine, theirs],
    happens(state) {
      const meeting = meet(program, { mover, edge, step }, agreement, mine, theirs, state);
      if (!meeting) return undefined;
      const { own, other, clashes } = meeting;
      return {
        condition: and(own.guard, other.guard, or(...clashes)),
        declarations: [...own.declarations, ...other.declarations],
      };
    },
  };
}
