import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { LocalStep } from '../automata/local-closure.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  executeTransition,
  flush,
  initialState,
  type Successor,
} from '@fencewright/model/semantics/machine.js';
import { compileProgram, leavingTransitions } from '@fencewright/model/semantics/thread-code.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { BufferStep } from './pre-images.js';
import { letterCell, isBelow, isOwn, letter, valueOf, type Letter } from './words.js';

/** A letter in a load buffer, and the step at which the letter entered the buffer. */
interface BufferedLetter {
  readonly letter: Letter;
  readonly since: number;
}

/**
 * A step of the machine with store buffers. The time tells when the step is executed, in steps of
 * the run of the machine with load buffers.
 */
interface Moment {
  readonly time: number;
  readonly thread: ThreadId;
  readonly step: LocalStep | 'flush';
}

/**
 * Executes the steps that a backward search found on the machine with load buffers. If a load needs
 * a letter, the letters before it in the buffer are not needed, and are deleted.
 */
class LoadBuffers {
  readonly moments: Moment[] = [];
  readonly #memory: number[] = [];
  readonly #words: BufferedLetter[][];
  /** For each thread, the time of its last step on the machine with store buffers. */
  readonly #latest: number[];
  #isFrozen = false;

  constructor(threads: number) {
    this.#words = Array.from({ length: threads }, () => []);
    this.#latest = Array.from({ length: threads }, () => 0);
  }

  perform(step: BufferStep, time: number): void {
    if (step.kind === 'freeze') this.#isFrozen = true;
    else if (step.kind === 'propagate') this.#propagate(step.thread, step.cell, time);
    else this.#execute(step, time);
  }

  #propagate(thread: ThreadId, cell: number, time: number): void {
    const word = at(this.#words, thread);
    const fresh = letter(cell, this.#memory[cell] ?? 0, false);
    const newest = word.at(-1);
    if (!newest || !isBelow(fresh, newest.letter)) word.push({ letter: fresh, since: time });
  }

  #execute({ thread, edge }: Extract<BufferStep, { kind: 'execute' }>, time: number): void {
    const { effect, path } = edge;
    let executed = at(this.#latest, thread);
    switch (effect.kind) {
      case 'local':
        break;
      case 'load':
        executed = Math.max(executed, this.#load(thread, effect.cell, effect.value));
        break;
      case 'store': {
        const { cell, value } = effect;
        const kept = at(this.#words, thread).filter((one) => letterCell(one.letter) !== cell);
        kept.push({ letter: letter(cell, value, true), since: time });
        this.#words[thread] = kept;
        if (!this.#isFrozen) this.#memory[cell] = value;
        break;
      }
      case 'rmw':
        this.#memory[effect.cell] = effect.written;
        this.#words[thread] = [];
        executed = time;
        break;
      case 'fence':
      case 'lock':
      case 'unlock':
        this.#words[thread] = [];
        executed = time;
    }
    this.#latest[thread] = executed;
    for (const step of path) this.moments.push({ time: executed, thread, step });
    if (effect.kind === 'store' && !this.#isFrozen)
      this.moments.push({ time, thread, step: 'flush' });
  }

  /**
   * Returns the time at which the loaded value was in memory; 0 if the thread itself had stored the
   * value.
   */
  #load(thread: ThreadId, cell: number, value: number): number {
    const word = at(this.#words, thread);
    const own = word.find((one) => isOwn(one.letter) && letterCell(one.letter) === cell);
    if (own && valueOf(own.letter) === value) return 0;
    const found = word.findIndex(
      (one) =>
        letterCell(one.letter) === cell && !isOwn(one.letter) && valueOf(one.letter) === value,
    );
    const oldest = word[found];
    if (!oldest) throw new InternalError('a load that finds nothing in its buffer');
    word.splice(0, found);
    return oldest.since;
  }
}

/** A step on the machine with store buffers, and the thread of the step. */
export type OrderedStep = Pick<Moment, 'thread' | 'step'>;

/** A computation under TSO, its last state, and whether its last step failed an assertion. */
export interface LiftedSteps {
  readonly computation: Computation;
  readonly state: MachineState;
  readonly failsAssertion: boolean;
}

/**
 * Translates steps of the machine with load buffers into a computation of the machine with store
 * buffers. A store is issued directly after the previous instruction of the thread, and leaves the
 * buffer when the machine with load buffers executes the store. A load that finds a letter is
 * executed when the letter was propagated from memory. `last` is a step after all steps. Throws
 * `InternalError` on failure.
 */
export function liftSteps(
  program: Program,
  steps: readonly BufferStep[],
  last?: LocalStep & { readonly thread: ThreadId },
): LiftedSteps {
  const buffers = new LoadBuffers(program.threads.length);
  steps.forEach((step, i) => buffers.perform(step, i + 1));
  const order: OrderedStep[] = buffers.moments
    .map((moment, number) => ({ ...moment, number }))
    .sort((a, b) => a.time - b.time || a.number - b.number)
    .map(({ thread, step }) => ({ thread, step }));
  if (last) order.push({ thread: last.thread, step: last });
  return performSteps(program, order);
}

/**
 * Executes steps on the machine with store buffers. Throws `InternalError` if a step is impossible.
 */
export function performSteps(program: Program, order: readonly OrderedStep[]): LiftedSteps {
  const code = compileProgram(program);
  let state = initialState(program);
  const computation: Action[] = [];
  let failsAssertion = false;
  for (const { thread, step } of order) {
    let taken: Successor | undefined;
    if (step === 'flush') taken = flush(state, thread);
    else {
      const leaving = leavingTransitions(code, thread, at(state.locations, thread));
      const transition = leaving.find(({ id }) => id === step.transition);
      const results = transition ? executeTransition('TSO', code, state, thread, transition) : [];
      taken = results.find(({ actions: [action] }) =>
        step.choice === undefined
          ? true
          : action?.kind === 'local' && action.choice === step.choice,
      );
    }
    if (!taken) throw new InternalError('a step that the machine with store buffers does not have');
    computation.push(...taken.actions);
    failsAssertion = taken.assertionFailed === true;
    ({ state } = taken);
  }
  return { computation, state, failsAssertion };
}
