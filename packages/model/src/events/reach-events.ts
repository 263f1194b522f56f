import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { ExecutionFault, evaluateExpression } from '../program/evaluate.js';
import type { EventProgram } from '../program/event-program.js';
import type { Property } from '../program/program.js';
import { claimsExistence } from '../program/property.js';
import type { EventRun, Site } from '../trace/event-run.js';
import type {
  EventFinalState,
  EventPropertyVerdict,
  EventReachResult,
  EventSemanticsReach,
} from '../verdict/event-reach-result.js';
import { exploreEvents, type EventExplorationOptions } from './explore-events.js';
import type { EventSemantics } from './machine.js';

export interface EventReachOptions {
  /**
   * The limits of all explorations together: a third for the single thread, then half of the rest
   * for SC.
   */
  readonly limits?: Limits;
  /** Whether the posting of a task waits until the store buffer of the posting thread is empty. */
  readonly postingFenced?: boolean;
  /**
   * The maximum number of starts of each instance declared with `any` count, default 2. A single
   * thread is first explored without this bound; the bound applies only if that exploration does
   * not end.
   */
  readonly instances?: number;
  /**
   * The maximum number of frames of a task, and of posted tasks that have not returned; default 16.
   */
  readonly depth?: number;
  /** The maximum number of stores in each store buffer; unlimited if absent. */
  readonly buffer?: number;
  /** The semantics of event programs to explore; all three if absent. */
  readonly semantics?: readonly EventSemantics[];
  /**
   * Whether equivalent configurations (states) and orders of steps are explored only once; default
   * true. No answer depends on this option.
   */
  readonly isReduced?: boolean;
}

type Memory = ReadonlyMap<number, number>;
type Kind = 'final' | 'blocked' | 'other';

function memoryKey(memory: Memory): string {
  const cells = [...memory].filter(([, value]) => value !== 0).sort(([a], [b]) => a - b);
  return cells.map(([address, value]) => `${address}=${value}`).join(' ');
}

/**
 * Whether the property's condition holds of a memory; `undefined` if the evaluation of the
 * condition faults.
 */
function holds({ condition }: Property, memory: Memory): boolean | undefined {
  try {
    const value = evaluateExpression(condition, (leaf) => {
      if (leaf.kind !== 'memory') throw new InternalError('a property speaks of tasks');
      return memory.get(leaf.address) ?? 0;
    });
    return value !== 0;
  } catch (error) {
    if (error instanceof ExecutionFault) return undefined;
    throw error;
  }
}

/**
 * Whether the verdict on the property depends on configurations (states) of the given kind:
 * reachable, final or blocked ones.
 */
function isAbout({ kind: property }: Property, kind: Kind): boolean {
  switch (property) {
    case 'never':
      return true;
    case 'finally':
    case 'exists':
      return kind === 'final';
    case 'stuck':
      return kind === 'blocked';
    case 'progress':
      return false;
  }
}

/**
 * Checks a property in every configuration (state) of an exploration, and keeps the first that
 * decides the property.
 */
class PropertyWatch {
  #run: EventRun | undefined;
  #isUndefined = false;

  constructor(readonly property: Property) {}

  look(memory: Memory, kind: Kind, run: () => EventRun): void {
    if (this.#run || !isAbout(this.property, kind)) return;
    const holding = holds(this.property, memory);
    if (holding === undefined) this.#isUndefined = true;
    else if (holding !== (this.property.kind === 'finally')) this.#run = run();
  }

  conclude(isComplete: boolean, ends: boolean): EventPropertyVerdict {
    const { name, kind } = this.property;
    const [found, absent] = claimsExistence(this.property)
      ? (['holds', 'violated'] as const)
      : (['violated', 'holds'] as const);
    const isKnown = isComplete && !this.#isUndefined;
    return {
      property: name,
      verdict: this.#run ? found : isKnown ? absent : 'unknown',
      ...(isComplete && kind === 'finally' && !ends && { isVacuous: true as const }),
      ...(this.#run && { run: this.#run }),
    };
  }
}

/** Keeps one finding for each instruction (`site`) and further key: the first that is added. */
class BySite<T extends { readonly site: Site }> {
  readonly #found = new Map<string, T>();

  add({ body, transition }: Site, what: string, make: () => T): void {
    const key = `${body}.${transition}.${what}`;
    if (!this.#found.has(key)) this.#found.set(key, make());
  }

  get all(): readonly T[] {
    return [...this.#found.values()];
  }
}

/**
 * Computes the reachable states under one semantics. `known` has final states of the single thread,
 * by key; these are listed without a run.
 */
async function reachUnder(
  program: EventProgram,
  semantics: EventSemantics,
  budget: Budget,
  options: EventExplorationOptions,
  known: ReadonlySet<string>,
): Promise<EventSemanticsReach> {
  const finals = new Map<string, EventFinalState>();
  const failed = new BySite<EventSemanticsReach['failedAssertions'][number]>();
  const faults = new BySite<EventSemanticsReach['faults'][number]>();
  const watches = program.properties.map((property) => new PropertyWatch(property));
  let blocked: EventSemanticsReach['blocked'] = { states: 0 };
  const explored = await exploreEvents(
    program,
    semantics,
    budget,
    {
      onConfiguration({ configuration: { memory }, run }, kind) {
        for (const watch of watches) watch.look(memory, kind, run);
        if (kind === 'blocked') blocked = { states: blocked.states + 1, run: blocked.run ?? run() };
        if (kind !== 'final') return;
        const key = memoryKey(memory);
        const needsRun = semantics !== 'single' && !known.has(key);
        if (!finals.has(key)) finals.set(key, { memory, ...(needsRun && { run: run() }) });
      },
      onFailedAssertion(run) {
        const { actions, tasks } = run();
        const action = actions.at(-1);
        if (action && 'site' in action)
          failed.add(action.site, '', () => ({ site: action.site, run: { tasks, actions } }));
      },
      onFault({ site, fault }, run) {
        faults.add(site, fault, () => ({ site, fault, run: run() }));
      },
    },
    options,
  );
  const { states, bounds } = explored;
  const incomplete = explored.incomplete ?? (faults.all.length > 0 ? 'unsupported' : undefined);
  const isComplete = incomplete === undefined && bounds.length === 0;
  const sorted = [...finals].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    states,
    ...(incomplete && { incomplete }),
    bounds,
    finalStates: sorted.map(([, state]) => state),
    properties: watches.map((watch) => watch.conclude(isComplete, finals.size > 0)),
    failedAssertions: failed.all,
    faults: faults.all,
    blocked,
  };
}

function isComplete({ incomplete, bounds }: EventSemanticsReach): boolean {
  return incomplete === undefined && bounds.length === 0;
}

function compare(
  single: EventSemanticsReach,
  multi: EventSemanticsReach,
): 'yes' | 'no' | 'unknown' {
  const isWithin = multi.finalStates.every(({ run }) => run === undefined);
  if (!isWithin) return isComplete(single) ? 'no' : 'unknown';
  return isComplete(multi) ? 'yes' : 'unknown';
}

const allSemantics: readonly EventSemantics[] = ['single', 'multi-sc', 'multi-tso'];

/** The result for a semantics that the caller did not ask for. */
function notAsked({ properties }: EventProgram): EventSemanticsReach {
  return {
    states: 0,
    incomplete: 'not-asked',
    bounds: [],
    finalStates: [],
    properties: properties.map(({ name }) => ({ property: name, verdict: 'unknown' })),
    failedAssertions: [],
    faults: [],
    blocked: { states: 0 },
  };
}

/**
 * The maximum number of states explored on the single thread before the number of instances is
 * bounded.
 */
const mostOfAnyNumber = 200_000;

/**
 * Computes the reachable and final states of an event program on a single thread, and on many
 * threads under SC and TSO, and judges its properties. A result that is `incomplete` or met bounds
 * is still sound: the final states and runs found exist, and the verdict on everything else is
 * `unknown`.
 */
export async function reachEvents(
  program: EventProgram,
  options: EventReachOptions = {},
): Promise<EventReachResult> {
  const { limits, instances = 2, depth = 16, buffer, isReduced, postingFenced } = options;
  const { semantics = allSemantics } = options;
  const budget = new Budget(limits);
  const common: EventExplorationOptions = {
    depth,
    ...(postingFenced !== undefined && { postingFenced }),
    ...(isReduced !== undefined && { isReduced }),
  };
  const within = async (
    part: Budget,
    which: EventSemantics,
    more: EventExplorationOptions,
    known: ReadonlySet<string> = new Set(),
  ): Promise<EventSemanticsReach> => {
    if (!semantics.includes(which)) return notAsked(program);
    const found = await reachUnder(program, which, part, { ...common, ...more }, known);
    if (part !== budget) budget.finishPart(part);
    return found;
  };
  const hasAny = program.instances.some(({ count }) => count === 'any');
  const share = hasAny ? 1 / 6 : 1 / 3;
  const part = budget.slice(share);
  let single = await within(hasAny ? part.part(mostOfAnyNumber) : part, 'single', {});
  if (hasAny && ['states', 'memory', 'time'].includes(single.incomplete ?? ''))
    single = await within(budget.slice(1 / 5), 'single', { instances });
  const known = new Set(single.finalStates.map(({ memory }) => memoryKey(memory)));
  const sc = await within(budget.slice(1 / 2), 'multi-sc', { instances }, known);
  const buffered = { instances, ...(buffer !== undefined && { buffer }) };
  const tso = await within(budget, 'multi-tso', buffered, known);
  return {
    single,
    sc,
    tso,
    isWithinSingle: { sc: compare(single, sc), tso: compare(single, tso) },
    allowed: { instances, depth, ...(buffer !== undefined && { buffer }) },
    milliseconds: budget.milliseconds,
  };
}
