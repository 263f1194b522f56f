import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { RelaxedModel } from '../trace/memory-model.js';
import type { Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import type { RaceFindings } from './data-race.js';
import type { HangFindings } from './hang.js';
import type { StateAnswer } from './state-answer.js';
import type { UnknownReason } from './verdict.js';

/**
 * The evidence that answered a question left open by an exploration. `robustness`: the program is
 * robust, so the SC result holds under TSO; `load-buffers`: a backward search for the claimed state
 * over load buffers of unbounded length.
 */
export type ReachSettler = 'robustness' | 'load-buffers';

/**
 * The verdict on a named property under one memory model, with a computation as evidence, if any.
 */
export interface PropertyVerdict {
  readonly property: string;
  readonly verdict: 'holds' | 'violated' | 'unknown';
  /** Present if a `finally` holds only because no execution ends. */
  readonly isVacuous?: true;
  /** The evidence for the verdict on the property if the exploration did not decide it. */
  readonly settledBy?: ReachSettler;
  /**
   * For a violated `never` or `finally`: a computation to a violating state. For an `exists` or a
   * `stuck` that holds: a computation to a state that satisfies the condition.
   */
  readonly computation?: Computation;
}

/** An `assert` of the program that fails in some reachable state. */
export interface FailedAssertion {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  readonly computation: Computation;
}

/** The reachable states of a program under one memory model. */
export interface ModelReach {
  readonly states: number;
  /**
   * Why the exploration is incomplete; absent if complete. `buffer`: stores had to wait because a
   * buffer was full.
   */
  readonly incomplete?: UnknownReason | 'buffer';
  /**
   * The evidence that all final states and failed assertions are known although the exploration is
   * incomplete.
   */
  readonly settledBy?: ReachSettler;
  /** The evidence that all failed assertions are known, although final states may be missing. */
  readonly assertionsSettledBy?: ReachSettler;
  /** The maximum number of stores in a store buffer; absent if unlimited. */
  readonly buffer?: number;
  /**
   * The states with all threads ended and all buffers empty, in a fixed order; distinct in
   * registers and memory.
   */
  readonly finalStates: readonly MachineState[];
  /** The verdicts on the properties, in the order of `Program.properties`. */
  readonly properties: readonly PropertyVerdict[];
  readonly failedAssertions: readonly FailedAssertion[];
}

/**
 * The reachable states under SC and under a memory model with store buffers, usually TSO, side by
 * side ([Bou12], state robustness): `sameFinalStates` compares registers and memory.
 */
export interface ReachResult {
  readonly sc: ModelReach;
  readonly model: RelaxedModel;
  /** The reachable states under `model`. */
  readonly tso: ModelReach;
  readonly sameFinalStates: 'yes' | 'no' | 'unknown';
  /**
   * The names of the values of the source that final states do not show, as there were too many
   * states with them; absent if all are shown.
   */
  readonly notShown?: readonly string[];
  /**
   * Whether the program is robust against TSO; present only if no difference in final states was
   * seen.
   */
  readonly robustness?: 'robust' | 'not-robust' | 'unknown';
  /** The threads that wait for ever, under `model` only and under SC. */
  readonly hangs: HangFindings;
  /** The effect of `model` on the claims and states of the program. */
  readonly answer: StateAnswer;
  /** The data races; only of programs in C. */
  readonly races?: RaceFindings;
  readonly milliseconds: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether all assertions that fail under the model are known. */
export function knowsAssertions(model: ModelReach): boolean {
  return knowsEnds(model) || model.assertionsSettledBy !== undefined;
}

/** Whether all final states and failed assertions of the model are known. */
export function knowsEnds({ incomplete, settledBy }: ModelReach): boolean {
  return incomplete === undefined || settledBy !== undefined;
}

/** Whether an assertion holds under one memory model. */
export type AssertionVerdict = 'holds' | 'fails' | 'unknown';

export interface ComparedAssertion {
  readonly thread: number;
  readonly transition: number;
  readonly sc: AssertionVerdict;
  readonly tso: AssertionVerdict;
}

function assertionVerdict(model: ModelReach, thread: number, transition: number): AssertionVerdict {
  const fails = model.failedAssertions.some(
    (failed) => failed.thread === thread && failed.transition === transition,
  );
  if (fails) return 'fails';
  return knowsAssertions(model) ? 'holds' : 'unknown';
}

/** The assertions that fail under at least one model, in the order of the program. */
export function compareAssertions({
  sc,
  tso,
}: Pick<ReachResult, 'sc' | 'tso'>): ComparedAssertion[] {
  const found = new Map<string, { thread: number; transition: number }>();
  for (const { thread, transition } of [...sc.failedAssertions, ...tso.failedAssertions])
    found.set(`${thread} ${transition}`, { thread, transition });
  return [...found.values()]
    .sort((a, b) => a.thread - b.thread || a.transition - b.transition)
    .map(({ thread, transition }) => ({
      thread,
      transition,
      sc: assertionVerdict(sc, thread, transition),
      tso: assertionVerdict(tso, thread, transition),
    }));
}

/** Whether all questions about the reachable states under one memory model are answered. */
export function isSettled(model: ModelReach): boolean {
  return knowsEnds(model) && model.properties.every(({ verdict }) => verdict !== 'unknown');
}
