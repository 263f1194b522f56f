import { Budget } from '@fencewright/ground/base/budget.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import { type FaultLook, lookForEventFaults } from '@fencewright/model/events/look-for-faults.js';
import { LateAction } from './late-action.js';
import { LateCommit } from './late-commit.js';
import { allReductions, type SerialMachine, type SerialReductions } from './serial-machine.js';
import { searchSerially, type SearchEnd } from './serial-search.js';
import type { SerialUnknown, SerialVerdict } from './serial-verdict.js';
import { concurrencyWitness, serialisabilityWitness } from './witness.js';

/** The default for the maximum number of waiting tasks, and of invocations in a task. */
const defaultDepth = 64;

interface SerialOptions {
  /** The limits of the search; none by default. */
  readonly budget?: Budget;
  /**
   * The maximum number of waiting tasks, and of invocations in a task; `defaultDepth` by default.
   */
  readonly depth?: number;
  readonly reductions?: SerialReductions;
}

interface SerialisableOptions extends SerialOptions {
  /** Whether a task waits until the thread's store buffer is empty before posting another task. */
  readonly postingFenced?: boolean;
}

/**
 * Decides robustness against concurrency, [BEMR18] Definition 1 on invocations: in each SC trace
 * conflicts inside an event follow DFS order, and conflicts between events make no cycle. Decides
 * for any number of instances, by the search "late action". `not-robust` comes with an SC run.
 */
export async function checkConcurrency(
  program: EventProgram,
  { budget = new Budget(), depth = defaultDepth, reductions = allReductions }: SerialOptions = {},
): Promise<SerialVerdict> {
  const machine = new LateAction(program, { depth }, reductions);
  const end = await searchSerially(machine, budget, (items) =>
    concurrencyWitness(program, machine, items),
  );
  return verdictOf(machine, end, depth, () => lookForEventFaults(program, budget));
}

/**
 * Decides whether each TSO trace can be explained by running events one after the other with tasks
 * in DFS order, by the search "late commit". The answer is meaningless for a program that is not
 * robust against concurrency. `not-robust` comes with a TSO run.
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
  return verdictOf(machine, end, depth, () =>
    lookForEventFaults(program, budget, 'multi-tso', postingFenced),
  );
}

async function verdictOf(
  machine: SerialMachine,
  { found, unconfirmed, exhausted, states: searched }: SearchEnd<EventRun>,
  depth: number,
  lookForFaults: () => Promise<FaultLook>,
): Promise<SerialVerdict> {
  const { faults } = machine.locals;
  const isOpen = !found && !exhausted && unconfirmed === 0;
  const look = isOpen && !faults.certain && faults.possible ? await lookForFaults() : undefined;
  const figures = { states: searched + (look?.states ?? 0), unconfirmed };
  if (found) return { verdict: 'not-robust', witness: found, figures };
  const reason = exhausted
    ? ({ kind: 'budget', exhausted } as const)
    : unconfirmed > 0
      ? ({ kind: 'candidate' } as const)
      : whyUndecided(machine, depth, look);
  return reason ? { verdict: 'unknown', reason, figures } : { verdict: 'robust', figures };
}

/**
 * Returns why the answer is unknown although the search found no violation; `undefined` if the
 * program is robust. `look` is the result of looking for a fault in actual runs, since a fault that
 * the search met may occur only in hypothetical runs.
 */
function whyUndecided(
  { locals, isUnbounded, isCut }: SerialMachine,
  depth: number,
  look: FaultLook | undefined,
): SerialUnknown | undefined {
  const { certain } = locals.faults;
  if (certain) return { kind: 'faults', faults: [certain] };
  if (look?.findings.kind === 'found') return { kind: 'faults', faults: look.faults };
  if (isUnbounded || locals.isUnbounded) return { kind: 'unbounded-data' };
  if (isCut || locals.isCut) return { kind: 'depth', depth };
  return look?.findings.kind === 'not-looked-for' ? { kind: 'candidate' } : undefined;
}
