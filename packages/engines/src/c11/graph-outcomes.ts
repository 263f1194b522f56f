import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { findRaceIn, isSequentiallyConsistent } from '@fencewright/model/c11/consistency.js';
import type { C11Model, ExecutionGraph } from '@fencewright/model/c11/execution-graph.js';
import { preventingOrders } from '@fencewright/model/c11/preventing-orders.js';
import { seenOn } from '@fencewright/model/c11/seen-on.js';
import type { Program } from '@fencewright/model/program/program.js';
import { evaluateStateExpression } from '@fencewright/model/semantics/state-expression.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type {
  C11Claim,
  C11Race,
  C11Violation,
  EndlessWait,
  FailingAssertion,
} from '@fencewright/model/verdict/c11-result.js';
import { type C11Code, compileC11 } from './c11-steps.js';
import type { C11Cells } from './cells.js';
import { forwardedCells } from './forwarded-cells.js';
import { type AllGraphs, type EndedGraph, searchGraphs } from './graph-search.js';
import { finalState } from './interleaving-outcomes.js';
import { executionsFrom } from './late-executions.js';
import { firstLateLoad, ordersAgainstLateLoad } from './late-load-orders.js';
import { neededInGraph, withoutNeedless } from './needed-events.js';
import { hasAssertions } from './observe.js';
import { searchPostponedLoad } from './postponed-load.js';
import { mayStoresOvertakeLoads } from './stores-behind-loads.js';
import { loadBufferingGraph } from './violation-graph.js';

/** The maximum number of execution graphs built for one program. */
const mostGraphs = 5000;

/** The maximum number of instances of load buffering from which graphs are built. */
const mostBuffering = 200;

/** The maximum number of states of the search for load buffering from which graphs are built. */
const mostPostponed = 20_000;

/** The results of the search for executions in which stores overtake loads. */
interface LateFindings {
  readonly claims: readonly C11Claim[];
  readonly failure?: FailingAssertion;
  /** A data race in an execution in which a store overtakes a load; absent if none was found. */
  readonly race?: C11Race;
}

/** The effects of a program under C11, as shown by the execution graphs that were built. */
export interface GraphOutcomes {
  /** A failing assertion or an endless wait that SC does not have; absent if none was found. */
  readonly effect?: FailingAssertion | EndlessWait;
  /** Whether the graphs are exactly the executions of hardware: none is missing. */
  readonly isExact: boolean;
  /** Whether every failing assertion that was found also fails in an execution of SC. */
  readonly areFailuresOfSC: boolean;
  /** Whether an assertion fails in some execution of SC that was found. */
  readonly failsUnderSC: boolean;
  /**
   * Whether every state at the end of a graph is also a state at the end of an SC execution that
   * was found; `undefined` if the end of some execution is unknown.
   */
  readonly areEndsOfSC: boolean | undefined;
  readonly race?: C11Race;
  readonly claims: readonly C11Claim[];
}

/**
 * Returns, as indices, the events that read an old store, and the stores that the search placed in
 * modification order before a store that was already in the graph.
 */
function oldEvents({ events, modification }: ExecutionGraph): readonly number[] {
  return [...events.keys()].filter((index) => {
    const { kind, from } = events[index]!;
    const seen = kind === 'read' ? from : kind === 'fence' ? undefined : index;
    const order = modification.find((stores) => seen !== undefined && stores.includes(seen));
    // `events` is in the order in which the search added the events.
    return order?.slice(order.indexOf(seen!) + 1).some((store) => store < index) ?? false;
  });
}

/**
 * Returns the execution as reports show it: the graph, and the first event at which the execution
 * stops being an interleaving.
 */
function toldExecution(
  program: Program,
  { cells }: AllGraphs,
  graph: ExecutionGraph,
  model: C11Model,
): Pick<EndlessWait, 'execution' | 'oldReads'> {
  const late = firstLateLoad(graph);
  if (late >= 0) {
    const preventedBy = ordersAgainstLateLoad(compileC11(program, 'shown'), cells, graph, late);
    return {
      execution: {
        ...{ kind: 'load-buffering', graph, event: late },
        ...(preventedBy && { preventedBy }),
      },
      oldReads: [late],
    };
  }
  const first = graph.events.findIndex((_, last) => {
    const kept = new Set([...graph.events.keys()].filter((index) => index <= last));
    return !isSequentiallyConsistent(neededInGraph(graph, kept));
  });
  const preventedBy = preventingOrders(graph, model);
  const execution: C11Violation = {
    ...{ kind: 'old-store', graph, event: first },
    ...(preventedBy && { preventedBy }),
    seenOn: seenOn(program, graph, model),
  };
  return { execution, oldReads: oldEvents(graph) };
}

/**
 * Returns a text that identifies the state at the end of an execution: memory, the locations of the
 * threads, all registers of ended threads, and the live registers of waiting threads.
 */
function keyOfEnd(
  { places, memory, waiting }: EndedGraph,
  live: readonly (readonly (readonly boolean[])[])[],
): string {
  const kept = places.map((place, thread) => {
    if (!place || !waiting.some((one) => one.thread === thread)) return place;
    const isLive = at(at(live, thread), place.location);
    return { ...place, registers: place.registers.map((one, i) => (isLive[i] ? one : 0)) };
  });
  return JSON.stringify([kept, memory]);
}

/**
 * Whether every state at the end of an execution is a state at the end of an SC execution.
 * `undefined` if unknown: the location of a stuck thread is unknown, or a thread may repeat loads
 * for ever in an execution without an end.
 */
function areEndsOfSC(program: Program, { ends, hasTurns }: AllGraphs): boolean | undefined {
  const { live } = compileC11(program);
  const known = new Set(ends.filter(({ isOfSC }) => isOfSC).map((end) => keyOfEnd(end, live)));
  const others = ends.filter(({ isOfSC }) => !isOfSC);
  const isWhole = ({ places }: EndedGraph): boolean => places.every((place) => place);
  if (others.some((end) => isWhole(end) && !known.has(keyOfEnd(end, live)))) return false;
  return !hasTurns && others.every(isWhole) ? true : undefined;
}

/**
 * Returns the machine state at the end of an execution; `undefined` if some thread is stuck or
 * waits.
 */
function stateAtEnd(
  program: Program,
  { cells }: AllGraphs,
  { places, memory, waiting }: EndedGraph,
): MachineState | undefined {
  const ended = places.filter((place) => place !== undefined);
  if (waiting.length > 0 || ended.length < places.length) return undefined;
  return finalState(program, cells, ended, memory);
}

/**
 * Returns an answer for each property `exists` and `finally`, judged by the final states of the
 * executions. `isExact`: no execution is missing, so properties that no execution decides are
 * decided as well.
 */
function claimsIn(program: Program, all: AllGraphs, isExact: boolean): readonly C11Claim[] {
  const finals = all.ends.flatMap((end) => {
    const state = stateAtEnd(program, all, end);
    return state ? [{ ...end, state }] : [];
  });
  return program.properties.flatMap(({ kind, condition }, property): readonly C11Claim[] => {
    if (kind !== 'exists' && kind !== 'finally') return [];
    const wanted = kind === 'exists';
    const met = finals.filter(
      ({ state }) => (evaluateStateExpression(program, condition, state) !== 0) === wanted,
    );
    const ofSC = met.find(({ isOfSC }) => isOfSC);
    const found = ofSC ?? met[0];
    const [ifFound, ifNot] = wanted ? (['holds', 'fails'] as const) : (['fails', 'holds'] as const);
    const isMetUnderSC = ofSC !== undefined;
    return [
      {
        property,
        answer: found ? ifFound : isExact ? ifNot : 'unknown',
        // After a complete search, the graphs include all final states of SC.
        ...((isMetUnderSC || !all.incomplete) && { underSC: isMetUnderSC === wanted }),
        ...(found && { graph: withoutNeedless(found.graph, { isOfSC: found.isOfSC }) }),
      },
    ];
  });
}

/**
 * Returns a thread that waits for ever at a step in some execution, but in no execution of SC;
 * `undefined` if no such thread exists, or the search was incomplete.
 */
function waitIn(program: Program, all: AllGraphs, model: C11Model): EndlessWait | undefined {
  if (all.incomplete || all.hasTurns) return undefined;
  const waits = all.ends.flatMap((end) => end.waiting.map((one) => ({ ...one, end })));
  const ofSC = waits.filter(({ end }) => end.isOfSC);
  const other = waits.find(
    ({ thread, step }) => !ofSC.some((one) => one.thread === thread && one.step === step),
  );
  if (!other) return undefined;
  const graph = withoutNeedless(other.end.graph, { isOfSC: false });
  const { thread, step } = other;
  const told = toldExecution(program, all, graph, model);
  return { kind: 'waits', thread, transition: step.code.id, ...told };
}

/**
 * Returns a failing assertion, if no assertion fails under SC; otherwise, or if this is unknown,
 * `undefined`.
 */
function failureIn(
  program: Program,
  all: AllGraphs,
  model: C11Model,
  failsUnderSC: boolean | undefined,
): FailingAssertion | undefined {
  const { failures, incomplete } = all;
  const [failure] = failures;
  const mayBeOfSC = incomplete ? failsUnderSC !== false : failures.some(({ isOfSC }) => isOfSC);
  if (!failure || mayBeOfSC) return undefined;
  const { thread, assertion } = failure;
  const graph = withoutNeedless(failure.graph, { isOfSC: false, thread });
  return {
    kind: 'assertion-fails',
    thread,
    assertion,
    ...toldExecution(program, all, graph, model),
  };
}

/** Returns the data race of an execution with a race. */
function raceIn(graph: ExecutionGraph): C11Race {
  const [first, second] = findRaceIn(graph)!;
  const late = firstLateLoad(graph);
  return { graph, first, second, ...(late >= 0 && { late }) };
}

/**
 * Builds the execution graphs of a program under C11, at most 5000, and returns their effects. A
 * program with loops may have executions without end; then some graphs are missing, and the graphs
 * built show what C11 allows but exclude nothing. `failsUnderSC` says whether some assertion fails
 * under SC; `undefined` if unknown. Throws the exceptions of steps.
 */
export async function outcomesByGraphs(
  program: Program,
  model: C11Model,
  budget: Budget,
  failsUnderSC: boolean | undefined,
): Promise<GraphOutcomes> {
  const code = compileC11(program, 'shown');
  const all = await searchGraphs(code, model, budget, { most: mostGraphs });
  const { cells, incomplete, racing, failures } = all;
  if (racing) {
    // With a race, C11 allows any behaviour.
    const claims = claimsIn(program, { ...all, ends: [], incomplete: 'states' }, false);
    const no = { isExact: false, areFailuresOfSC: false, areEndsOfSC: false };
    return { ...no, failsUnderSC: false, race: raceIn(racing), claims };
  }
  const mayForward = model === 'c11' && forwardedCells(code, cells).some((some) => some.size > 0);
  const isWhole = !incomplete && !all.hasPlainTurns;
  const isExact = isWhole && !mayForward && !mayStoresOvertakeLoads(code, cells);
  const claims = claimsIn(program, all, isExact);
  const late = await withLateLoads(program, model, budget, failsUnderSC, { all, claims });
  const effect =
    failureIn(program, all, model, failsUnderSC) ?? late.failure ?? waitIn(program, all, model);
  return {
    ...(effect && { effect }),
    ...{ isExact, areFailuresOfSC: failures.every(({ isOfSC }) => isOfSC) },
    failsUnderSC: failures.some(({ isOfSC }) => isOfSC),
    ...{ areEndsOfSC: areEndsOfSC(program, all), claims: late.claims },
    ...(late.race && { race: late.race }),
  };
}

/**
 * Decides open claims, and looks for a failing assertion, with further graphs: executions in which
 * a store overtakes an earlier load of the same thread. Not all executions of this kind are built,
 * so the graphs can confirm but exclude nothing. Returns all claims, and the failing assertion or
 * the data race found, if any. A race ends the search: with a race, C11 allows any behaviour.
 */
async function withLateLoads(
  program: Program,
  model: C11Model,
  budget: Budget,
  failsUnderSC: boolean | undefined,
  { all, claims }: { readonly all: AllGraphs; readonly claims: readonly C11Claim[] },
): Promise<LateFindings> {
  const code = compileC11(program, 'shown');
  const isOpen = (known: LateFindings): boolean =>
    known.claims.some(({ answer }) => answer === 'unknown') ||
    (hasAssertions(program) &&
      failsUnderSC === false &&
      all.failures.length === 0 &&
      !known.failure);
  if (!isOpen({ claims }) || !mayStoresOvertakeLoads(code, all.cells)) return { claims };
  const searches = [
    () => searchGraphs(code, model, budget, { most: mostGraphs, hasLateLoads: true }),
    () => searchFromLoadBuffering(code, all.cells, model, budget),
  ];
  let known: LateFindings = { claims };
  for (const search of searches) {
    if (!isOpen(known)) break;
    const late = { ...(await search()), incomplete: 'states' as const };
    if (late.racing) return { ...known, race: raceIn(late.racing) };
    const found = claimsIn(program, late, false);
    const failing = failsUnderSC === false ? failureIn(program, late, model, false) : undefined;
    const failure = known.failure ?? failing;
    known = {
      ...(failure && { failure }),
      claims: known.claims.map((claim, index) => {
        const { answer, graph } = at(found, index);
        if (claim.answer !== 'unknown') return claim;
        return { ...claim, answer, ...(graph && { graph }) };
      }),
    };
  }
  return known;
}

/**
 * Builds execution graphs that begin with the load buffering found by the search for a postponed
 * load.
 */
async function searchFromLoadBuffering(
  code: C11Code,
  cells: C11Cells,
  model: C11Model,
  budget: Budget,
): Promise<AllGraphs> {
  const part = budget.part(mostPostponed);
  const { found } = await searchPostponedLoad(code, cells, model, part, { most: mostBuffering });
  budget.finishPart(part);
  const starts = found.flatMap((one) =>
    executionsFrom(code, cells, model, loadBufferingGraph(code, cells, model, one)),
  );
  return searchGraphs(code, model, budget, { most: mostGraphs, starts });
}
