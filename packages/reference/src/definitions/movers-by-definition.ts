import { at } from '@fencewright/ground/base/at.js';
import type { SeededRandom } from '@fencewright/ground/base/random.js';
import { findReadAbstractions } from '@fencewright/model/analysis/guesses.js';
import { computeLockBlocks } from '@fencewright/model/analysis/lock-blocks.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { rmwMeaning } from '@fencewright/model/program/rmw.js';
import { findWeakRmws } from '@fencewright/model/program/weak-rmw.js';
import { machineStateKey } from '@fencewright/model/semantics/explore-machine.js';
import { initialState, successors } from '@fencewright/model/semantics/machine.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';

/**
 * Whether a load or store commutes with the steps next to it, found by exchanging it with every
 * such step in SC executions.
 */
interface MoversByDefinition {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  /** Whether every exchange with a step directly after the access leads to the same state. */
  readonly right: boolean;
  /** Whether every exchange with a step directly before the access leads to the same state. */
  readonly left: boolean;
  /** The number of pairs of neighbouring steps that were exchanged. */
  readonly pairs: number;
}

/** A step of a thread that accesses memory, from a state. */
interface Step {
  readonly thread: ThreadId;
  /** The transition of the access; of a lock block, its lock. */
  readonly transition: TransitionId;
  /**
   * The key of a step: two steps have equal keys iff they execute equal transitions with equal
   * choices.
   */
  readonly label: string;
  readonly after: MachineState;
}

/** Returns a function that returns the steps of a thread that are possible in a state under SC. */
function accessSteps(program: Program): (state: MachineState, thread: ThreadId) => readonly Step[] {
  const code = compileProgram(program);
  const guesses = program.threads.map(
    (thread) => new Map(findReadAbstractions(thread).map(({ load, held }) => [load, held])),
  );
  const weak = program.threads.map((thread) => new Set(findWeakRmws(thread).map(({ rmw }) => rmw)));
  const next = (state: MachineState, thread: ThreadId) =>
    successors('SC', code, state).steps.filter(({ actions }) => actions[0]?.thread === thread);

  const stepsOf = (state: MachineState, thread: ThreadId): readonly Step[] =>
    next(state, thread).flatMap(({ actions, state: after }) => {
      const first = at(actions, 0);
      if (!isAccess(first)) return [];
      if (first.kind === 'rmw' && isLikeFailure(thread, first)) return [];
      const step = { thread, transition: first.transition, label: labelOf(first), after };
      const held = guesses[thread]?.get(first.transition);
      if (first.kind === 'load' && held !== undefined)
        return onwards(step, 1).map((one) => ({ ...one, after: forget(one.after, thread, held) }));
      return first.kind === 'lock' ? onwards(step, Number.POSITIVE_INFINITY) : [step];
    });

  /**
   * Whether the action is a weak rmw that succeeds with the effect of a failing one; such a step is
   * left out.
   */
  const isLikeFailure = (thread: ThreadId, action: Action & { readonly kind: 'rmw' }): boolean => {
    if (!weak[thread]?.has(action.transition)) return false;
    if (action.written === undefined) return true;
    const { instruction } = at(at(program.threads, thread).transitions, action.transition);
    const isUnconditional =
      instruction.kind === 'rmw' && !rmwMeaning(instruction.operation).condition;
    return isUnconditional && action.written === action.value;
  };

  /**
   * Returns the steps extended by the thread's next `most` actions, or by all actions up to the end
   * of the lock block.
   */
  const onwards = (step: Step, most: number): readonly Step[] => {
    if (most === 0 || (most > 1 && step.after.lockHolder !== step.thread)) return [step];
    return next(step.after, step.thread).flatMap(({ actions, state: after }) =>
      onwards({ ...step, after, label: `${step.label} ${labelOf(at(actions, 0))}` }, most - 1),
    );
  };

  return stepsOf;
}

/** Returns the loads and stores outside of lock blocks, each as the text `thread transition`. */
function judgedAccesses(program: Program): readonly string[] {
  return program.threads.flatMap((own, thread) => {
    const block = computeLockBlocks(own);
    return own.transitions.flatMap(({ from, instruction: { kind } }, id) =>
      (kind === 'load' || kind === 'store') && block(from).length === 0 ? [`${thread} ${id}`] : [],
    );
  });
}

/** Random executions under SC, each from the start. */
interface RandomWalks {
  readonly random: SeededRandom;
  readonly count: number;
  /** The maximum number of steps of a random execution. */
  readonly length: number;
}

/**
 * Judges the loads and stores of a finite program, outside of lock blocks, by [BEMT18] Sect. 4:
 * goes through the SC states, executes an access and a step of another thread in either order, and
 * compares the ends. Steps are accesses; a lock block is one step, and so are a load and the
 * `havoc` of a read abstraction. `isComplete` says whether all SC states were visited. If there are
 * more than `maxStates`, the states of `walks` are visited as well, which lie deeper.
 */
export function moversByDefinition(
  program: Program,
  maxStates: number,
  walks?: RandomWalks,
): { readonly movers: readonly MoversByDefinition[]; readonly isComplete: boolean } {
  const stepsOf = accessSteps(program);

  /**
   * Whether in `state` the step `first` can be taken and then the step `second`, so that the
   * resulting state has the key `end`.
   */
  const ends = (state: MachineState, first: Step, second: Step, end: string): boolean =>
    stepsOf(state, first.thread).some(
      (one) =>
        one.label === first.label &&
        stepsOf(one.after, second.thread).some(
          (two) => two.label === second.label && machineStateKey(two.after) === end,
        ),
    );

  const judged = new Map(
    judgedAccesses(program).map((name) => [name, { right: true, left: true, pairs: 0 }]),
  );
  const exchange = (state: MachineState, first: Step): void => {
    for (const other of program.threads.keys()) {
      if (other === first.thread) continue;
      for (const second of stepsOf(first.after, other)) {
        const right = judged.get(`${first.thread} ${first.transition}`);
        const left = judged.get(`${other} ${second.transition}`);
        if (right) right.pairs++;
        if (left) left.pairs++;
        // An access that has failed an exchange in both directions needs no further check.
        if (right?.right !== true && left?.left !== true) continue;
        const isSame = ends(state, second, first, machineStateKey(second.after));
        if (right) right.right &&= isSame;
        if (left) left.left &&= isSame;
      }
    }
  };

  const visit = (state: MachineState): readonly MachineState[] => {
    for (const thread of program.threads.keys())
      for (const step of stepsOf(state, thread)) exchange(state, step);
    return successors('SC', code, state).steps.map(({ state: after }) => after);
  };

  const code = compileProgram(program);
  const start = initialState(program);
  const seen = new Set([machineStateKey(start)]);
  const pending = [start];
  // States are appended while the list is gone through.
  for (const state of pending) {
    if (seen.size > maxStates) break;
    for (const after of visit(state)) {
      const key = machineStateKey(after);
      if (seen.has(key)) continue;
      seen.add(key);
      pending.push(after);
    }
  }
  const isComplete = seen.size <= maxStates;
  const isOpen = () => [...judged.values()].some(({ right, left }) => right || left);
  if (walks && !isComplete)
    for (let walk = 0; walk < walks.count && isOpen(); walk++) {
      let state: MachineState | undefined = start;
      for (let step = 0; step < walks.length && state; step++) {
        const after: readonly MachineState[] = visit(state);
        state = after[walks.random.below(after.length)];
      }
    }
  return {
    movers: [...judged].map(([name, found]) => {
      const [thread = 0, transition = 0] = name.split(' ').map(Number);
      return { thread, transition, ...found };
    }),
    isComplete,
  };
}

/** Returns the state with a register that is not read any more set to 0. */
function forget(state: MachineState, thread: ThreadId, register: number): MachineState {
  const registers = at(state.registers, thread).with(register, 0);
  return { ...state, registers: state.registers.with(thread, registers) };
}

function isAccess({ kind }: Action): boolean {
  return kind === 'issue' || kind === 'load' || kind === 'rmw' || kind === 'lock';
}

function labelOf(action: Action): string {
  const { kind, transition } = action;
  if (kind === 'local' && action.choice !== undefined) return `${transition}:${action.choice}`;
  return kind === 'rmw'
    ? `${transition}${action.written === undefined ? '-' : '+'}`
    : `${transition}`;
}
