import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { findRaceIn } from '@fencewright/model/c11/consistency.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import { preventingOrders } from '@fencewright/model/c11/preventing-orders.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { Program } from '@fencewright/model/program/program.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import { findWeakRmws } from '@fencewright/model/program/weak-rmw.js';
import type {
  C11Limit,
  C11Race,
  C11Result,
  C11Verdict,
} from '@fencewright/model/verdict/c11-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import { type C11Cells, maxWatched } from './cells.js';
import { compileC11 } from './c11-steps.js';
import { maxRacingThreads } from './monitor-races.js';
import { type MonitorFindings, searchMonitor } from './monitor-search.js';
import { MonitoredProgram, UnknownCell } from './monitor-steps.js';
import { searchPostponedLoad } from './postponed-load.js';
import { TooManyValues } from './value-classes.js';
import { graphOf, loadBufferingGraph, violationGraph } from './violation-graph.js';

type Findings = Pick<C11Result, 'verdict' | 'race' | 'assertions' | 'states'>;

/** Returns what the program has that the check does not support; `undefined` if nothing. */
function unsupportedIn(program: Program): C11Limit | undefined {
  const instructions = program.threads.flatMap(({ transitions }) =>
    transitions.map(({ instruction }) => instruction),
  );
  if (instructions.some(({ kind }) => kind === 'lock' || kind === 'unlock')) return 'lock-blocks';
  if (hasHeavyFences(program)) return 'heavy-fences';
  if (program.threads.some((thread) => findWeakRmws(thread).length > 0)) return 'weak-rmws';
  if (instructions.some((one) => one.kind === 'assume' && one.cutsOff))
    return 'excluded-executions';
  return usesWideValues(program) ? 'wide-values' : undefined;
}

/** Returns what the monitor has no room for; `undefined` if the program fits. */
function tooLarge(program: Program, cells: C11Cells): C11Limit | undefined {
  if (cells.watched.length > maxWatched || program.threads.length > maxWatched) return 'cells';
  const isRacing = cells.watched.some((cell) => cells.isPlain[cell]);
  return isRacing && program.threads.length > maxRacingThreads ? 'threads' : undefined;
}

function limitOf(error: unknown): C11Limit {
  if (error instanceof ExecutionFault) return 'faults';
  if (error instanceof TooManyValues) return 'values';
  if (error instanceof UnknownCell) return error.isPlain ? 'rmws-on-plain' : 'addresses';
  throw error;
}

function undecided(reason: UnknownReason, states = 0, limit?: C11Limit): Findings {
  const verdict: C11Verdict = { kind: 'unknown', reason, ...(limit && { limit }) };
  return { verdict, race: 'not-looked-for', assertions: 'unknown', states };
}

/** Returns the order that acquires besides. */
function acquiringOrder(order: MemoryOrder): MemoryOrder {
  return order === 'release' ? 'acq_rel' : 'acquire';
}

/** Returns the race with its execution, checked by the definition. */
function raceOf(
  program: MonitoredProgram,
  { run, step: { event, other } }: NonNullable<MonitorFindings['race']>,
): C11Race {
  const graph = graphOf(program.cells, [...run, event]);
  const second = graph.events.length - 1;
  const { address } = at(graph.events, second);
  const first = graph.events.findLastIndex(
    (one, index) =>
      one.thread === other &&
      one.address === address &&
      findRaceIn(graph, [index, second]) !== undefined,
  );
  if (first < 0) throw new InternalError('the accesses of a race are ordered');
  return { graph, first, second };
}

async function search(program: Program, model: C11Model, budget: Budget): Promise<Findings> {
  const code = compileC11(program);
  const monitored = new MonitoredProgram(code, model);
  const { cells } = monitored;
  const large = tooLarge(program, cells);
  if (large) return undecided('unsupported', 0, large);
  const found = await searchMonitor(monitored, budget);
  const { stale, failure } = found;
  const race = found.race && raceOf(monitored, found.race);
  const isComplete = !found.incomplete && !stale;
  const assertions: Findings['assertions'] = failure ? 'fail' : isComplete ? 'hold' : 'unknown';
  const known = (states: number) => ({
    race: race ?? (isComplete ? ('none' as const) : ('not-looked-for' as const)),
    assertions,
    states,
  });
  if (stale) {
    const violation = violationGraph(monitored, model, stale.run, stale.step);
    const preventedBy = preventingOrders(violation.graph, model);
    return {
      ...known(found.states),
      verdict: {
        kind: 'not-robust',
        violation: { kind: 'old-store', ...violation, ...(preventedBy && { preventedBy }) },
      },
      assertions: failure ? 'fail' : 'unknown',
    };
  }
  const buffering = await searchPostponedLoad(code, cells, budget);
  const states = found.states + buffering.states;
  if (buffering.found) {
    const violation = loadBufferingGraph(cells, model, buffering.found);
    // Nothing behind a load that acquires is executed before it.
    const isAtomic = violation.graph.events[violation.event]!.order !== 'plain';
    const { order } = buffering.found.step;
    const acquiring = { event: violation.event, order: acquiringOrder(order) };
    return {
      ...known(states),
      verdict: {
        kind: 'not-robust',
        violation: {
          kind: 'load-buffering',
          ...violation,
          ...(isAtomic && { preventedBy: [acquiring] }),
        },
      },
      race: race ?? 'not-looked-for',
      assertions: failure ? 'fail' : 'unknown',
    };
  }
  const reason = found.incomplete ?? buffering.incomplete;
  if (reason) return { ...known(states), verdict: { kind: 'unknown', reason } };
  return { ...known(states), verdict: { kind: 'robust' } };
}

/**
 * Decides whether a program is robust against C11: whether every execution that C11 allows, load
 * buffering included, is one of SC; and looks for data races. `budget` limits the states, the
 * memory and the time; a search that ends early is `unknown`.
 */
export async function checkC11(
  program: Program,
  model: C11Model,
  budget: Budget,
): Promise<C11Result> {
  const hasAssertions = program.threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => instruction.kind === 'assert'),
  );
  const unsupported = unsupportedIn(program);
  let findings: Findings;
  try {
    findings = unsupported
      ? undecided('unsupported', 0, unsupported)
      : await search(program, model, budget);
  } catch (error) {
    findings = undecided('unsupported', budget.finishedStates, limitOf(error));
  }
  return {
    model,
    ...findings,
    assertions: hasAssertions ? findings.assertions : 'none',
    milliseconds: budget.milliseconds,
    diagnostics: [],
  };
}
