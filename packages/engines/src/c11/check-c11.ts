import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { findRaceIn } from '@fencewright/model/c11/consistency.js';
import type { C11Model, EventOrder } from '@fencewright/model/c11/execution-graph.js';
import { preventingOrders } from '@fencewright/model/c11/preventing-orders.js';
import { type Assumption, noOtherUse } from '@fencewright/model/program/assumption.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import type { Program } from '@fencewright/model/program/program.js';
import type {
  C11Race,
  C11Result,
  C11Verdict,
  C11Violation,
} from '@fencewright/model/verdict/c11-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import { type C11Cells, maxWatched } from './cells.js';
import { type C11Code, compileC11 } from './c11-steps.js';
import { forwardedCells } from './forwarded-cells.js';
import { maxRacingThreads } from './monitor-races.js';
import { type MonitorFindings, searchMonitor } from './monitor-search.js';
import { limitOf } from './limit-of.js';
import { MonitoredProgram } from './monitor-steps.js';
import { hasAssertions, observe } from './observe.js';
import { hasLoadBufferingBesideOldLoads, searchPostponedLoad } from './postponed-load.js';
import { mayStoresOvertakeLoads } from './stores-behind-loads.js';
import { type C11Refusal, unsupportedIn, volatileIn } from './unsupported.js';
import { graphOf, loadBufferingGraph, violationGraph } from './violation-graph.js';

type Findings = Pick<
  C11Result,
  'verdict' | 'race' | 'effect' | 'assertions' | 'assumptions' | 'states'
>;

/** Compilers may remove a dependency that the values do not need. */
const dependenciesKept: Assumption = {
  name: 'dependencies',
  text: 'compilers keep stores that depend on a load behind the load',
};

/**
 * The extent of a check: robustness alone, or also the effects of the executions that are not SC.
 */
export type C11Interest = 'robustness' | 'effects';

interface Extent {
  readonly interest: C11Interest;
  /** The program with all variables of the source: see `checkC11`. */
  readonly observed: Program;
}

/** Returns the limit of the monitor that the program exceeds; `undefined` if there is none. */
function tooLarge(program: Program, cells: C11Cells): C11Refusal | undefined {
  if (cells.watched.length > maxWatched || program.threads.length > maxWatched)
    return { limit: 'cells' };
  const isRacing = cells.watched.some((cell) => cells.isRacy[cell]);
  return isRacing && program.threads.length > maxRacingThreads ? { limit: 'threads' } : undefined;
}

function undecided(reason: UnknownReason, states = 0, refusal?: C11Refusal): Findings {
  const verdict: C11Verdict = { kind: 'unknown', reason, ...refusal };
  return { verdict, race: 'not-looked-for', assertions: 'unknown', states };
}

/** Returns the weakest memory order that orders as much as `order` and acquires. */
function acquiringOrder(order: EventOrder): MemoryOrder {
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

/** Whether the threads of two codes of one program keep the same registers everywhere. */
function keepSameRegisters({ live }: C11Code, { live: other }: C11Code): boolean {
  return live.every((locations, thread) =>
    locations.every((registers, location) =>
      registers.every((isLive, register) => isLive === other[thread]![location]![register]),
    ),
  );
}

/**
 * Whether the lasting states of C11 without load buffering are known to be those of SC, also by
 * what final states show of `observed`. The comparison for `code` has found no difference before.
 */
async function areShownStatesOfSC(
  code: C11Code,
  observed: Program,
  model: C11Model,
  budget: Budget,
): Promise<boolean> {
  const shown = compileC11(observed, 'shown');
  if (observed === code.program && keepSameRegisters(code, shown)) return true;
  const found = await observe(shown, model, budget);
  return found.areLastingStatesOfSC && !found.incomplete;
}

/**
 * Returns the effects of a program that is not robust, and whether its assertions hold. `observed`
 * has all variables of the source, also those that one thread alone accesses: no load of another
 * thread sees these, but the states that last have them.
 */
async function effectOf(
  { code: { program } }: MonitoredProgram,
  observed: Program,
  model: C11Model,
  budget: Budget,
): Promise<Pick<Findings, 'effect' | 'assertions' | 'states'>> {
  const before = budget.finishedStates;
  try {
    const code = compileC11(program, 'asked');
    const found = await observe(code, model, budget);
    const { failure, incomplete, areLastingStatesOfSC, areAssertionsOfSC } = found;
    if (failure?.observed) {
      const { thread, assertion } = failure;
      const { graph, oldReads } = failure.observed;
      const preventedBy = preventingOrders(graph, model);
      const execution: C11Violation = {
        ...{ kind: 'old-store', graph, event: at(oldReads, oldReads.length - 1) },
        ...(preventedBy && { preventedBy }),
      };
      const effect = { kind: 'assertion-fails', thread, assertion, execution, oldReads } as const;
      return { effect, assertions: 'fail', states: budget.finishedStates - before };
    }
    const areSame =
      areLastingStatesOfSC &&
      !incomplete &&
      (await areShownStatesOfSC(code, observed, model, budget));
    const isOfInterest = areSame || hasAssertions(program);
    const isShown =
      areAssertionsOfSC &&
      isOfInterest &&
      !incomplete &&
      !(await hasLoadBufferingBesideOldLoads(code, model, budget));
    const kind = isShown ? (areSame ? 'none' : 'no-assertion') : 'unknown';
    const assertions = failure ? 'fail' : isShown ? 'hold' : 'unknown';
    return { effect: { kind }, assertions, states: budget.finishedStates - before };
  } catch (error) {
    limitOf(error);
    const states = budget.finishedStates - before;
    return { effect: { kind: 'unknown' }, assertions: 'unknown', states };
  }
}

function isKnown(effect: C11Result['effect']): boolean {
  return effect?.kind === 'none' || effect?.kind === 'no-assertion';
}

async function search(
  program: Program,
  model: C11Model,
  budget: Budget,
  extent: Extent,
): Promise<Findings> {
  const code = compileC11(program);
  const monitored = new MonitoredProgram(code, model);
  const { cells } = monitored;
  const unsupported = volatileIn(code, cells) ?? tooLarge(program, cells);
  if (unsupported) return undecided('unsupported', 0, unsupported);
  const findings = await searchAll(monitored, model, budget, extent);
  const { verdict, effect, assertions } = findings;
  const isPositive = verdict.kind === 'robust' || isKnown(effect) || assertions === 'hold';
  if (!isPositive) return findings;
  const assumptions = [
    ...(isOfC(program) ? [noOtherUse] : []),
    ...(mayStoresOvertakeLoads(code, cells, 'orders') ? [dependenciesKept] : []),
  ];
  return assumptions.length > 0 ? { ...findings, assumptions } : findings;
}

/** Looks for accesses that take old stores, and then for load buffering. */
async function searchAll(
  monitored: MonitoredProgram,
  model: C11Model,
  budget: Budget,
  { interest, observed }: Extent,
): Promise<Findings> {
  const { code, cells } = monitored;
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
    const more =
      interest === 'effects' && !race
        ? await effectOf(monitored, observed, model, budget)
        : { effect: undefined, assertions: 'unknown' as const, states: 0 };
    return {
      ...known(found.states),
      ...(more.effect && { effect: more.effect }),
      verdict: {
        kind: 'not-robust',
        violation: { kind: 'old-store', ...violation, ...(preventedBy && { preventedBy }) },
      },
      assertions: failure ? 'fail' : more.assertions,
      states: found.states + more.states,
      // `observe` counts every race as a difference, so a program with a known effect has no race.
      ...(!race && isKnown(more.effect) && { race: 'none' }),
    };
  }
  const buffering = await searchPostponedLoad(code, cells, model, budget);
  const states = found.states + buffering.states;
  if (buffering.found) {
    const violation = loadBufferingGraph(code, cells, model, buffering.found);
    // With an acquiring load, no later access of the thread is executed before the load.
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
  if (reason || buffering.isDoubtful)
    return {
      verdict: reason
        ? { kind: 'unknown', reason }
        : { kind: 'unknown', reason: 'unsupported', limit: 'rmws-behind-loads' },
      race: race ?? 'not-looked-for',
      assertions: failure ? 'fail' : 'unknown',
      states,
    };
  const [order, more] = await seqCstOrder(monitored, model, budget);
  return {
    ...known(states + more),
    verdict: order ?? { kind: 'robust' },
    ...(order && {
      race: race ?? 'not-looked-for',
      assertions: failure ? ('fail' as const) : ('unknown' as const),
    }),
  };
}

/**
 * Looks for executions that the text of C++20 excludes and processors have, since a store is
 * forwarded to a `seq_cst` load. Returns the verdict, `undefined` if there are certainly none, and
 * the number of states.
 */
async function seqCstOrder(
  { code, cells }: MonitoredProgram,
  model: C11Model,
  budget: Budget,
): Promise<readonly [C11Verdict | undefined, number]> {
  const mayForward = forwardedCells(code, cells).some((some) => some.size > 0);
  if (model !== 'c11' || !mayForward) return [undefined, 0];
  const weaker = new MonitoredProgram(code, model, { forwards: true });
  const { incomplete, stale, states } = await searchMonitor(weaker, budget);
  if (incomplete) return [{ kind: 'unknown', reason: incomplete }, states];
  const limit = 'forwarded-to-seq-cst';
  return [stale && { kind: 'unknown', reason: 'unsupported', limit }, states];
}

/**
 * Decides whether a program is robust against C11: whether every execution that C11 allows, load
 * buffering included, is one of SC; and looks for data races. `budget` limits the states, the
 * memory and the time; a search that ends early is `unknown`. With the interest `effects`, a
 * program that is not robust is compared with SC by assertions and by the states that last, of
 * `observed`: the same program with all variables of the source, also those that one thread alone
 * accesses.
 */
export async function checkC11(
  program: Program,
  model: C11Model,
  budget: Budget,
  interest: C11Interest = 'effects',
  observed: Program = program,
): Promise<C11Result> {
  const unsupported = unsupportedIn(program);
  let findings: Findings;
  try {
    findings = unsupported
      ? undecided('unsupported', 0, unsupported)
      : await search(program, model, budget, { interest, observed });
  } catch (error) {
    findings = undecided('unsupported', budget.finishedStates, { limit: limitOf(error) });
  }
  return {
    model,
    ...findings,
    assertions: hasAssertions(program) ? findings.assertions : 'none',
    milliseconds: budget.milliseconds,
    diagnostics: [],
  };
}
