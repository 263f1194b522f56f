import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { findRaceIn } from '@fencewright/model/c11/consistency.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import { preventingOrders } from '@fencewright/model/c11/preventing-orders.js';
import { seenOn } from '@fencewright/model/c11/seen-on.js';
import { type Assumption, noFreedUse, noOtherUse } from '@fencewright/model/program/assumption.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import type { Program } from '@fencewright/model/program/program.js';
import type {
  C11Claim,
  C11Race,
  C11Refusal,
  C11Result,
  C11Verdict,
  C11Violation,
} from '@fencewright/model/verdict/c11-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import { type C11Cells, maxWatched } from './cells.js';
import { type C11Code, type C11Step, compileC11 } from './c11-steps.js';
import { forwardedCells } from './forwarded-cells.js';
import { outcomesByGraphs } from './graph-outcomes.js';
import { hasLoadBufferingBesideOldLoads } from './late-beside-old-loads.js';
import { maxRacingThreads } from './monitor-races.js';
import { type MonitorFindings, searchMonitor } from './monitor-search.js';
import { claimsOfInterleavings, outcomesOfInterleavings } from './interleaving-outcomes.js';
import { ordersAgainstLateLoad } from './late-load-orders.js';
import { limitOf } from './limit-of.js';
import { MonitoredProgram } from './monitor-steps.js';
import { hasAssertions, observe } from './observe.js';
import { searchPostponedLoad } from './postponed-load.js';
import { mayStoresOvertakeLoads } from './stores-behind-loads.js';
import { refusal, unsupportedIn, volatileIn } from './unsupported.js';
import { graphOf, loadBufferingGraph, violationGraph } from './violation-graph.js';

type Findings = Pick<
  C11Result,
  'verdict' | 'race' | 'effect' | 'assertions' | 'claims' | 'assumptions' | 'states'
>;

/** Compilers may remove a dependency that the values do not need. */
const dependenciesKept: Assumption = {
  name: 'dependencies',
  text: 'compilers keep stores that depend on a load behind the load',
};

/**
 * The questions that a check answers: robustness alone, or also the effects of the executions that
 * are not SC.
 */
export type C11Interest = 'robustness' | 'effects';

interface Extent {
  readonly interest: C11Interest;
  /**
   * The program with all variables of the source, including variables that only one thread
   * accesses; see `checkC11`.
   */
  readonly observed: Program;
}

/**
 * Returns the exceeded limit on the number of watched cells or of threads; `undefined` for a
 * program within the limits.
 */
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

/** Returns a data race with its execution, checked by the definition of data races. */
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

/** Whether two compilations of one program agree on the live registers at every location. */
function keepSameRegisters({ live }: C11Code, { live: other }: C11Code): boolean {
  return live.every((locations, thread) =>
    locations.every((registers, location) =>
      registers.every((isLive, register) => isLive === other[thread]![location]![register]),
    ),
  );
}

/**
 * Whether the states in which executions can stay for ever are known to be the same under SC and
 * under C11 without load buffering. The states include all variables of `observed` that reports of
 * final states show. The caller has already found no difference in the variables of `code`.
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
 * Returns the effects of a program that is not robust, and whether the program's assertions hold.
 * `observed` also has the variables accessed by only one thread, as lasting states show these
 * variables.
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
        seenOn: seenOn(program, graph, model),
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
  const searched = await searchAll(monitored, model, budget, extent);
  const findings = await withGraphs(searched, program, model, budget, extent);
  const { verdict, effect, assertions, claims = [] } = findings;
  const isPositive =
    verdict.kind === 'robust' ||
    isKnown(effect) ||
    assertions === 'hold' ||
    claims.some(({ answer, graph }) => answer !== 'unknown' && !graph);
  if (!isPositive) return findings;
  const assumptions = [
    ...(isOfC(program) ? [noOtherUse] : []),
    ...(mayStoresOvertakeLoads(code, cells, 'orders') ? [dependenciesKept] : []),
  ];
  return assumptions.length > 0 ? { ...findings, assumptions } : findings;
}

/** Whether all lasting states of `observed` without load buffering are known to be those of SC. */
async function areEndsShownOfSC(
  observed: Program,
  model: C11Model,
  budget: Budget,
): Promise<boolean> {
  const outcomes = await outcomesByGraphs(observed, model, budget, undefined);
  return outcomes.isExact && outcomes.areEndsOfSC === true;
}

/**
 * Returns the answer about a property that execution graphs gave. If the graphs gave none, returns
 * the answer of `ofInterleavings` about the same property.
 */
function mergedClaim(claim: C11Claim, ofInterleavings: readonly C11Claim[]): C11Claim {
  const other = ofInterleavings.find(({ property }) => property === claim.property);
  const underSC = claim.underSC ?? other?.underSC;
  const known = claim.answer === 'unknown' ? other : claim;
  return { ...claim, ...known, ...(underSC !== undefined && { underSC }) };
}

/**
 * Whether the search was complete and the answer is still open, because the search does not know
 * whether hardware allows some execution.
 */
export function isDoubt({ limit }: C11Refusal): boolean {
  return limit === 'rmws-behind-loads' || limit === 'forwarded-to-seq-cst';
}

/**
 * Decides the findings that are still open (effects, assertions, claims) by execution graphs, if
 * the number of graphs is small enough, and returns all findings. Returns the findings unchanged if
 * none is open or a step throws.
 */
async function withGraphs(
  findings: Findings,
  program: Program,
  model: C11Model,
  budget: Budget,
  { interest, observed }: Extent,
): Promise<Findings> {
  const { verdict, race, effect, assertions } = findings;
  const isOvertaken = verdict.kind === 'not-robust' && verdict.violation.kind === 'load-buffering';
  const isOpen =
    effect?.kind === 'unknown' ||
    effect?.kind === 'no-assertion' ||
    (isOvertaken && assertions === 'unknown' && hasAssertions(program));
  const hasClaims = program.properties.some(({ kind }) => kind === 'exists' || kind === 'finally');
  const isSearched = verdict.kind !== 'unknown' || isDoubt(verdict);
  const isAsked = interest === 'effects' && isSearched && typeof race !== 'object';
  if (!isAsked || !(isOpen || hasClaims)) return findings;
  const before = budget.finishedStates;
  try {
    const underSC = await outcomesOfInterleavings(program, model, budget);
    const areFinalsOfSC = verdict.kind === 'robust' || effect?.kind === 'none';
    const claims = claimsOfInterleavings(program, underSC, areFinalsOfSC);
    if (!isOpen && claims.every(({ answer }) => answer !== 'unknown')) {
      return { ...findings, claims, states: findings.states + budget.finishedStates - before };
    }
    const failsUnderSC = assertions === 'fail' && effect?.kind !== 'assertion-fails';
    const outcomes = await outcomesByGraphs(program, model, budget, failsUnderSC || underSC.fails);
    const { isExact, areFailuresOfSC, areEndsOfSC } = outcomes;
    const isSame =
      isExact &&
      areFailuresOfSC &&
      areEndsOfSC === true &&
      (observed === program || (await areEndsShownOfSC(observed, model, budget)));
    const otherwise = hasAssertions(program) ? 'no-assertion' : 'unknown';
    const kind = isSame ? 'none' : areEndsOfSC === false ? 'states-differ' : otherwise;
    const shown = outcomes.effect ?? (isExact && areFailuresOfSC ? { kind } : effect);
    const fails = shown?.kind === 'assertion-fails' || outcomes.failsUnderSC;
    const holds = isExact && areFailuresOfSC && !failsUnderSC;
    const known = fails ? 'fail' : holds ? 'hold' : assertions;
    const merged = outcomes.race
      ? outcomes.claims
      : outcomes.claims.map((claim) => mergedClaim(claim, claims));
    return {
      ...findings,
      ...(isOpen && shown && { effect: shown, assertions: known }),
      ...(hasClaims && { claims: merged }),
      ...(outcomes.race && { race: outcomes.race }),
      ...(isOpen && isExact && { race: 'none' }),
      states: findings.states + budget.finishedStates - before,
    };
  } catch (error) {
    limitOf(error);
    return findings;
  }
}

/**
 * Returns the verdict `unknown` if a search ended early (`reason`), or could not decide whether
 * hardware allows load buffering at the step `doubt`; otherwise `undefined`.
 */
function openVerdict(
  reason: UnknownReason | undefined,
  doubt: C11Step | undefined,
): C11Verdict | undefined {
  if (reason) return { kind: 'unknown', reason };
  if (!doubt) return undefined;
  const limit = refusal('rmws-behind-loads', doubt.code.transition);
  return { kind: 'unknown', reason: 'unsupported', ...limit };
}

/**
 * Searches for accesses that read a store already overwritten, or are placed directly after one in
 * modification order. Then searches for load buffering.
 */
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
        violation: {
          ...{ kind: 'old-store', ...violation, ...(preventedBy && { preventedBy }) },
          seenOn: seenOn(code.program, violation.graph, model),
        },
      },
      assertions: failure ? 'fail' : more.assertions,
      states: found.states + more.states,
      // `observe` counts every race as a difference, so a program with a known effect has no race.
      ...(!race && isKnown(more.effect) && { race: 'none' }),
    };
  }
  const buffering = await searchPostponedLoad(code, cells, model, budget);
  const states = found.states + buffering.states;
  const [first] = buffering.found;
  if (first) {
    const violation = loadBufferingGraph(code, cells, model, first);
    const { graph, event } = violation;
    const preventedBy = ordersAgainstLateLoad(code, cells, graph, event);
    return {
      ...known(states),
      verdict: {
        kind: 'not-robust',
        violation: {
          kind: 'load-buffering',
          ...violation,
          ...(preventedBy && { preventedBy }),
        },
      },
      race: race ?? 'not-looked-for',
      assertions: failure ? 'fail' : 'unknown',
    };
  }
  const open = openVerdict(found.incomplete ?? buffering.incomplete, buffering.doubt);
  if (open)
    return {
      verdict: open,
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
 * Searches for executions that the text of C++20 forbids but processors allow, because a processor
 * forwards a store to a `seq_cst` load of the same thread. Returns the verdict `unknown` if such
 * executions may exist, otherwise `undefined`; and the number of states.
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
  if (!stale) return [undefined, states];
  const limit = refusal('forwarded-to-seq-cst', stale.step.step.code.transition);
  return [{ kind: 'unknown', reason: 'unsupported', ...limit }, states];
}

/**
 * Returns the effect. For a program that frees memory, the result never states that the executions
 * have no effect: the search does not look for uses of freed memory in executions of C11, and the
 * behaviour after such a use is undefined.
 */
function withoutFreedStates(
  { freedBlocks = [] }: Program,
  effect: C11Result['effect'],
): C11Result['effect'] {
  return freedBlocks.length > 0 && effect?.kind === 'none' ? { kind: 'no-assertion' } : effect;
}

/**
 * Decides whether a program is robust against C11: whether every execution that C11 allows, load
 * buffering included, is an SC execution. Also searches for data races. `budget` limits the states,
 * the memory and the time; a search that ends early answers `unknown`.
 *
 * With the interest `effects`, a program that is not robust is compared with SC: by failing
 * assertions, and by the lasting states of `observed`. `observed` is the same program with all
 * variables of the source, including variables that only one thread accesses.
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
    findings = undecided('unsupported', budget.finishedStates, limitOf(error));
  }
  const effect = withoutFreedStates(program, findings.effect);
  const { assumptions = [] } = findings;
  const isAssumed = (program.freedBlocks ?? []).length > 0 && findings.verdict.kind !== 'unknown';
  return {
    model,
    ...findings,
    ...(effect && { effect }),
    ...(isAssumed && { assumptions: [...assumptions, noFreedUse] }),
    assertions: hasAssertions(program) ? findings.assertions : 'none',
    milliseconds: budget.milliseconds,
    diagnostics: [],
  };
}
