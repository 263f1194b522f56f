import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { MonitoredProgram, MonitorEvent, RacingStep, StaleStep } from './monitor-steps.js';
import { ThreadSymmetry } from './symmetry.js';
import { RowTable } from '@fencewright/ground/base/row-table.js';

/** The number of states that are visited between two checks of the limits. */
const checkEvery = 1024;

/**
 * The results of a search of all states of a program, each with what the threads know about stores.
 */
export interface MonitorFindings {
  readonly states: number;
  /**
   * The states found. Without `isWhole`, one state represents all states that differ by exchanges
   * of threads with equal code.
   */
  readonly table: RowTable;
  /**
   * The first access found that may read an old store, or be placed after one in modification
   * order; with the SC execution before the access. Absent if none was found.
   */
  readonly stale?: { readonly run: readonly MonitorEvent[]; readonly step: StaleStep };
  /** The first data race, with the SC execution before the access; absent if none was found. */
  readonly race?: { readonly run: readonly MonitorEvent[]; readonly step: RacingStep };
  /** An assertion that fails in an SC execution; absent if none was found. */
  readonly failure?: { readonly thread: ThreadId; readonly assertion: TransitionId };
  /** The limit that ended the search; absent after a complete search. */
  readonly incomplete?: Exhaustion;
}

function ignore(): void {
  // The search itself has already recorded the step.
}

/**
 * The events of a path to a state. The threads with equal code are sorted in each state, so
 * `standing` tells for each thread of the state which thread of the execution it represents.
 */
interface Path {
  readonly run: readonly MonitorEvent[];
  readonly standing: readonly ThreadId[];
}

/** Returns the shortest path to a state. */
function pathTo(
  program: MonitoredProgram,
  symmetry: ThreadSymmetry | undefined,
  table: RowTable,
  parents: readonly number[],
  last: number,
): Path {
  const way: number[] = [];
  for (let state = last; state >= 0; state = parents[state]!) way.push(state);
  way.reverse();
  let standing: readonly ThreadId[] = program.code.program.threads.map((_, thread) => thread);
  const run = way.slice(1).map((to, i) => {
    const wanted = table.get(to);
    let found: { readonly event: MonitorEvent; readonly standing: readonly ThreadId[] } | undefined;
    program.visitSteps(table.get(way[i]!), {
      onState: (state, event) => {
        if (found) return;
        const moved = symmetry?.sort(state);
        if (!state.every((word, at) => word === wanted[at])) return;
        const behind = moved ? moved.map((thread) => standing[thread]!) : standing;
        found = { event: symmetry?.renamed(event, standing) ?? event, standing: behind };
      },
      onStale: ignore,
      onRace: ignore,
      onFailure: ignore,
    });
    if (!found) throw new InternalError('a state has no step from the state before it');
    ({ standing } = found);
    return found.event;
  });
  return { run, standing };
}

/**
 * Searches all states of a program, each with what the threads know about stores, until an access
 * may read an old store or be placed after one in modification order. One state represents all
 * states that differ by exchanges of threads with equal code, unless the search is `isWhole`.
 * Throws the exceptions of steps.
 */
export async function searchMonitor(
  program: MonitoredProgram,
  budget: Budget,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): Promise<MonitorFindings> {
  const symmetry = new ThreadSymmetry(program.code, program.layout);
  const isReduced = !isWhole && !symmetry.isTrivial;
  const table = new RowTable(program.layout.length);
  const parents: number[] = [];
  let stale: { readonly at: number; readonly step: StaleStep } | undefined;
  let race: { readonly at: number; readonly step: RacingStep } | undefined;
  let failure: MonitorFindings['failure'];
  const add = (state: Int32Array, from: number): void => {
    if (isReduced) symmetry.sort(state);
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
    else if (budget.isDue()) incomplete = await budget.checkTime(table.size, table.bytes);
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
  const pathOf = (state: number): Path =>
    pathTo(program, isReduced ? symmetry : undefined, table, parents, state);
  const staleAt = (found: NonNullable<typeof stale>): NonNullable<MonitorFindings['stale']> => {
    const { run, standing } = pathOf(found.at);
    const { step, thread } = found.step;
    const own = at(standing, thread);
    return { run, step: { ...found.step, thread: own, step: symmetry.stepOf(step, thread, own) } };
  };
  const raceAt = (found: NonNullable<typeof race>): NonNullable<MonitorFindings['race']> => {
    const { run, standing } = pathOf(found.at);
    const { event, other } = found.step;
    return { run, step: { event: symmetry.renamed(event, standing), other: at(standing, other) } };
  };
  return {
    ...{ states: table.size, table },
    ...(stale && { stale: staleAt(stale) }),
    ...(race && { race: raceAt(race) }),
    ...(failure && { failure }),
    ...(incomplete && { incomplete }),
  };
}
