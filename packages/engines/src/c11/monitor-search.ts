import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { MonitoredProgram, MonitorEvent, RacingStep, StaleStep } from './monitor-steps.js';
import { RowTable } from '@fencewright/ground/base/row-table.js';

/** The number of states between two looks at the limits. */
const checkEvery = 1024;

/** The results of a search of all states of a program with the monitor. */
export interface MonitorFindings {
  readonly states: number;
  /** All states found. */
  readonly table: RowTable;
  /** The first access that may take an old store, and the SC execution before the access. */
  readonly stale?: { readonly run: readonly MonitorEvent[]; readonly step: StaleStep };
  /** The first data race, with the SC execution before the access. */
  readonly race?: { readonly run: readonly MonitorEvent[]; readonly step: RacingStep };
  /** An assertion that fails in an SC execution. */
  readonly failure?: { readonly thread: ThreadId; readonly assertion: TransitionId };
  /** The limit that ended the search. */
  readonly incomplete?: Exhaustion;
}

function ignore(): void {
  // The search has noted it.
}

/** Returns the events of the shortest path to a state. */
function runTo(
  program: MonitoredProgram,
  table: RowTable,
  parents: readonly number[],
  last: number,
): readonly MonitorEvent[] {
  const way: number[] = [];
  for (let state = last; state >= 0; state = parents[state]!) way.push(state);
  way.reverse();
  return way.slice(1).map((to, i) => {
    const wanted = table.get(to);
    let found: MonitorEvent | undefined;
    program.visitSteps(table.get(way[i]!), {
      onState: (state, event) => {
        if (!found && state.every((word, at) => word === wanted[at])) found = event;
      },
      onStale: ignore,
      onRace: ignore,
      onFailure: ignore,
    });
    if (!found) throw new InternalError('a state has no step from the state before it');
    return found;
  });
}

/**
 * Searches all states of a program with the monitor, until an access may take an old store. Throws
 * the exceptions of steps.
 */
export async function searchMonitor(
  program: MonitoredProgram,
  budget: Budget,
): Promise<MonitorFindings> {
  const table = new RowTable(program.layout.length);
  const parents: number[] = [];
  let stale: { readonly at: number; readonly step: StaleStep } | undefined;
  let race: { readonly at: number; readonly step: RacingStep } | undefined;
  let failure: MonitorFindings['failure'];
  const add = (state: Int32Array, from: number): void => {
    const { isNew } = table.add(state);
    if (isNew) parents.push(from);
  };
  const onFailure = (thread: ThreadId, assertion: TransitionId): void => {
    failure ??= { thread, assertion };
  };
  program.initial((state) => {
    add(state, -1);
  }, onFailure);
  let incomplete: Exhaustion | undefined;
  for (let index = 0; index < table.size && !stale; index++) {
    if (index % checkEvery === 0) incomplete = await budget.checkpoint(table.size, table.bytes);
    else if (budget.isDue()) incomplete = await budget.breathe(table.size, table.bytes);
    if (incomplete) break;
    program.visitSteps(table.get(index), {
      onState: (state) => {
        add(state, index);
      },
      onStale: (step) => (stale ??= { at: index, step }),
      onRace: (step) => (race ??= { at: index, step }),
      onFailure,
    });
  }
  budget.finishSearch(table.size, table.bytes);
  const withRun = <S>(found: { readonly at: number; readonly step: S }) => ({
    run: runTo(program, table, parents, found.at),
    step: found.step,
  });
  return {
    ...{ states: table.size, table },
    ...(stale && { stale: withRun(stale) }),
    ...(race && { race: withRun(race) }),
    ...(failure && { failure }),
    ...(incomplete && { incomplete }),
  };
}
