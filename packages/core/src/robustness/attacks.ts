import { computeControlFlow, computeReachableAvoiding } from '../analysis/control-flow.js';
import { drainsBuffer } from '../program/instruction.js';
import type { Program } from '../program/program.js';
import type { Attack } from '../verdict/attack.js';

/** Every attack: each pair of a store and a load of one thread, in the order of the program ([BDM13] Def. 1). Rmws are neither. */
export function enumerateAttacks(program: Program): Attack[] {
  return program.threads.flatMap((thread, t) =>
    thread.transitions.flatMap((s, store) =>
      s.instruction.kind !== 'store'
        ? []
        : thread.transitions.flatMap((l, load) =>
            l.instruction.kind === 'load' ? [{ thread: t, store, load }] : [],
          ),
    ),
  );
}

/** Whether every control-flow path from the store to the load drains the store buffer: such an attack is infeasible, no search is needed. */
export function isInfeasibleByControlFlow(program: Program, attack: Attack): boolean {
  const thread = program.threads[attack.thread];
  const store = thread?.transitions[attack.store];
  const load = thread?.transitions[attack.load];
  if (!thread || !store || !load) return true;
  const undrained = computeReachableAvoiding(
    thread,
    computeControlFlow(thread),
    store.to,
    ({ instruction }) => drainsBuffer(instruction),
  );
  return undrained[load.from] !== true;
}
