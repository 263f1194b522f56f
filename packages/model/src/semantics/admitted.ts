import { at } from '@fencewright/ground/base/at.js';
import { guessesOf, type ReadAbstraction } from '../analysis/guesses.js';
import { ExecutionFault } from '../program/evaluate.js';
import type { TransitionId } from '../program/ids.js';
import type { Domain, Program } from '../program/program.js';
import type { Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import type { Admitted } from '../trace/trace.js';
import { executeTransition, flush, initialState, type Successor } from './machine.js';
import { compileProgram, leavingTransitions, type CodeTransition } from './thread-code.js';

/**
 * Returns the values of the domain, ascending, that the load of a read abstraction could have
 * returned such that the following `havoc` could still make the same choice. `registers` are the
 * values of registers after the `havoc`, including the choice; `held` is the register written by
 * the load.
 */
export function admittedValues(
  { low, high }: Domain,
  havoc: CodeTransition,
  held: number,
  registers: readonly number[],
): readonly number[] {
  const admitted: number[] = [];
  for (let value = low; value <= high; value++) {
    try {
      if (havoc.value(registers.with(held, value), 0) !== 0) admitted.push(value);
    } catch (error) {
      if (!(error instanceof ExecutionFault)) throw error;
    }
  }
  return admitted;
}

/**
 * The read abstractions of a thread (pairs of a load and a `havoc`): by the transition of the load,
 * and by the transition of the `havoc`.
 */
interface Tracked {
  readonly byLoad: ReadonlyMap<TransitionId, ReadAbstraction>;
  readonly byHavoc: ReadonlyMap<TransitionId, ReadAbstraction>;
}

function tracked(program: Program): readonly Tracked[] {
  return program.threads.map((thread) => {
    const byLoad = guessesOf(thread);
    return { byLoad, byHavoc: new Map([...byLoad.values()].map((g) => [g.havoc, g])) };
  });
}

const nothing: ReadonlyMap<number, Admitted> = new Map();

/**
 * Returns a function that finds the values that each load of a read abstraction (a load and a
 * `havoc` on its value) in a computation could have read instead ([BEMT18] Sect. 5), by position of
 * the load. Before the choice, a load could have read any value. Without a domain the result is
 * empty, and the loads count as plain.
 */
export function admittedBy(
  program: Program,
): (computation: Computation) => ReadonlyMap<number, Admitted> {
  const guesses = tracked(program);
  const { domain } = program;
  if (!domain || guesses.every(({ byLoad }) => byLoad.size === 0)) return () => nothing;
  const code = compileProgram(program);
  const initial = initialState(program);
  return (computation) => {
    const admitted = new Map<number, Admitted>();
    const open = new Map<number, number>();
    let state: MachineState = initial;
    computation.forEach((action, place) => {
      const { thread, transition } = action;
      const location = at(state.locations, thread);
      const step = leavingTransitions(code, thread, location).find(({ id }) => id === transition);
      const results: (Successor | undefined)[] =
        action.kind === 'store'
          ? [flush(state, thread)]
          : step
            ? executeTransition('TSO', code, state, thread, step)
            : [];
      const choice = action.kind === 'local' ? action.choice : undefined;
      const next = results.find((result) => {
        const [first] = result?.actions ?? [];
        return choice === undefined || (first?.kind === 'local' && first.choice === choice);
      });
      if (next) ({ state } = next);
      if (action.kind === 'load' && guesses[thread]?.byLoad.has(transition)) {
        admitted.set(place, 'any');
        open.set(thread, place);
      }
      const guess = action.kind === 'local' ? guesses[thread]?.byHavoc.get(transition) : undefined;
      const load = open.get(thread);
      if (!guess || !step || load === undefined) return;
      const registers = state.registers[thread] ?? [];
      admitted.set(load, admittedValues(domain, step, guess.held, registers));
    });
    return admitted;
  };
}
