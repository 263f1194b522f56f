import { Budget } from '../../base/budget.js';
import type { EventProgram } from '../../program/event-program.js';
import type { EventRun } from '../../trace/event-run.js';
import { LateAction } from './late-action.js';
import { LateCommit } from './late-commit.js';
import { allReductions, type SerialMachine, type SerialReductions } from './serial-machine.js';
import { searchSerially, type SearchEnd } from './serial-search.js';
import type { SerialUnknown, SerialVerdict } from './serial-verdict.js';
import { concurrencyWitness, serialisabilityWitness } from './witness.js';

/** The most tasks that may wait, and invocations that a task may consist of, unless told. */
export const defaultDepth = 64;

export interface SerialOptions {
  /** What the search may use; unlimited where absent. */
  readonly budget?: Budget;
  /** `defaultDepth` where absent. */
  readonly depth?: number;
  readonly reductions?: SerialReductions;
}

export interface SerialisableOptions extends SerialOptions {
  /** Postings wait for the store buffer. */
  readonly postingFenced?: boolean;
}

/**
 * Decides robustness against concurrency, [BEMR18] Definition 1 on invocations: in each SC trace
 * conflicts inside an event follow DFS order, and those between events make no cycle. For any
 * number of instances, by the search "late action". `not-robust` comes with an SC run.
 */
export async function checkConcurrency(
  program: EventProgram,
  { budget = new Budget(), depth = defaultDepth, reductions = allReductions }: SerialOptions = {},
): Promise<SerialVerdict> {
  const machine = new LateAction(program, { depth }, reductions);
  const end = await searchSerially(machine, budget, (items) =>
    concurrencyWitness(program, machine, items),
  );
  return verdictOf(machine, end, depth);
}

/**
 * Decides whether each TSO trace can be explained by events one after the other with their tasks in
 * DFS order, by the search "late commit". Means nothing for a program that is not robust against
 * concurrency. `not-robust` comes with a TSO run.
 */
export async function checkSerialisable(
  program: EventProgram,
  {
    budget = new Budget(),
    depth = defaultDepth,
    reductions = allReductions,
    postingFenced = false,
  }: SerialisableOptions = {},
): Promise<SerialVerdict> {
  const machine = new LateCommit(program, { depth, postingFenced }, reductions);
  const end = await searchSerially(machine, budget, (items) =>
    serialisabilityWitness(program, machine, items, postingFenced),
  );
  return verdictOf(machine, end, depth);
}

/** Both answers; the second only where the first is `robust`, else it would mean nothing. */
export interface SerialAnswers {
  readonly concurrency: SerialVerdict;
  readonly serialisable: SerialVerdict | undefined;
}

/** `checkConcurrency`, and where that is `robust`, `checkSerialisable`. */
export async function decideSerial(
  program: EventProgram,
  options: SerialisableOptions = {},
): Promise<SerialAnswers> {
  const concurrency = await checkConcurrency(program, options);
  const isRobust = concurrency.verdict === 'robust';
  return {
    concurrency,
    serialisable: isRobust ? await checkSerialisable(program, options) : undefined,
  };
}

function verdictOf(
  machine: SerialMachine,
  { found, unconfirmed, exhausted, states }: SearchEnd<EventRun>,
  depth: number,
): SerialVerdict {
  const figures = { states, unconfirmed };
  if (found) return { verdict: 'not-robust', witness: found, figures };
  const unknown = (reason: SerialUnknown): SerialVerdict => ({
    verdict: 'unknown',
    reason,
    figures,
  });
  const { locals } = machine;
  if (exhausted) return unknown({ kind: 'budget', exhausted });
  if (unconfirmed > 0) return unknown({ kind: 'candidate' });
  if (locals.fault) return unknown({ ...locals.fault, kind: 'fault', fault: locals.fault.kind });
  if (machine.isUnbounded || locals.isUnbounded) return unknown({ kind: 'unbounded-data' });
  if (machine.isCut || locals.isCut) return unknown({ kind: 'depth', depth });
  return { verdict: 'robust', figures };
}
