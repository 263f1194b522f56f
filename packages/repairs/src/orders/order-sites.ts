import { at } from '@fencewright/ground/base/at.js';
import { exactSum } from '@fencewright/ground/base/exact-sum.js';
import { computeReachableLocations } from '@fencewright/model/analysis/control-flow.js';
import {
  defaultAccessOrder,
  defaultRmwOrder,
  failureOrderOf,
} from '@fencewright/model/c11/default-orders.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import {
  isAtMost,
  type OrderLevel,
  type OrderPlaceKind,
  levelsOf,
} from '@fencewright/model/program/order-level.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import { isPlainInText } from '@fencewright/model/program/plain-in-text.js';
import type { Program, Transition } from '@fencewright/model/program/program.js';
import type { StepPart } from '@fencewright/model/program/repair.js';
import { standsInText } from '@fencewright/model/program/stands-in-text.js';
import type { OrderPlace } from '@fencewright/model/program/order-change.js';
import type { LeftOutOrder } from '@fencewright/model/verdict/orders-result.js';
import { addressesOf, findCells } from '@fencewright/engines/c11/cells.js';
import { behindSkips, type C11Code, type C11Step } from '@fencewright/engines/c11/c11-steps.js';
import type { CostModel } from '../fences/repair-problem.js';
import { textThread } from '../fences/text-thread.js';

/**
 * A place of the text with a memory order: the accesses and fences compiled from one piece of text,
 * or a place for a new fence.
 */
export interface OrderSite extends OrderPlace {
  /** The memory orders possible at this site, from the weakest on. */
  readonly levels: readonly OrderLevel[];
  /** The weakest memory order of `levels`. */
  readonly floor: OrderLevel;
  /** The memory order of this site in the program's text. */
  readonly given: OrderLevel;
  /**
   * The weight of this site in the cost model: a factor of the costs of memory orders on the target
   * processor.
   */
  readonly weight: number;
}

/**
 * The options that select the places of a program whose memory orders may change, and the kind of
 * change.
 */
export interface SiteOptions {
  /** `raise`: orders become stronger, and fences are inserted; `lower`: orders become weaker. */
  readonly change: 'raise' | 'lower';
  readonly costs: CostModel;
  /**
   * Returns the name of the place in the text for a fence at a location; `undefined` if no fence
   * can be written there. Absent: each location is a place.
   */
  readonly placeOf?: (thread: ThreadId, location: LocationId) => string | undefined;
  /**
   * Returns a rank for a fence at a location: fences with smaller ranks are easier to read. Absent:
   * the rank follows from the place in the program.
   */
  readonly rankOf?: (thread: ThreadId, location: LocationId) => number;
  /**
   * Returns whether a memory order can be written at a place of the text; if absent, every order
   * can be written everywhere.
   */
  readonly canWrite?: (place: OrderPlace, to: OrderLevel) => boolean;
  /** Returns whether a thread executes the instruction at a location only while it runs alone. */
  readonly isAlone?: (thread: ThreadId, location: LocationId) => boolean;
}

/** Whether two levels of a site have equal memory orders. */
export function haveSameOrders(one: OrderLevel, other: OrderLevel): boolean {
  return isAtMost(one, other) && isAtMost(other, one);
}

/**
 * Returns the kind of an instruction with its memory order; `undefined` for instructions without an
 * order.
 */
export function levelOf(
  instruction: Instruction,
): { readonly kind: OrderPlaceKind; readonly given: OrderLevel } | undefined {
  switch (instruction.kind) {
    case 'load':
    case 'store':
      return {
        kind: instruction.kind,
        given: { order: instruction.order ?? defaultAccessOrder },
      };
    case 'lock': {
      const { order, failureOrder: failure } = instruction;
      if (!order) return undefined;
      return failure
        ? { kind: 'cas', given: { order, failure } }
        : { kind: 'rmw', given: { order } };
    }
    case 'rmw': {
      const order = instruction.order ?? defaultRmwOrder;
      if (instruction.isStore) return { kind: 'store', given: { order } };
      if (instruction.operation.name !== 'cas') return { kind: 'rmw', given: { order } };
      const failure = instruction.failureOrder ?? failureOrderOf(order);
      return { kind: 'cas', given: { order, failure } };
    }
    case 'fence':
      return { kind: 'fence', given: { order: 'seq_cst' } };
    case 'skip':
      return instruction.fence && { kind: 'fence', given: { order: instruction.fence } };
    default:
      return undefined;
  }
}

/**
 * Returns the locations of the loop that repeats an access until a test holds; none if the step is
 * no such loop.
 */
export function locationsOfWait(
  { code }: C11Code,
  thread: ThreadId,
  location: LocationId,
  { exits, code: { transition } }: C11Step,
): readonly LocationId[] {
  if (!exits) return [];
  const leaving = at(code.threads, thread);
  const tests = behindSkips(leaving, transition.to);
  const back = at(leaving, tests.to).flatMap((test) => {
    const way = behindSkips(leaving, test.transition.to);
    return way.to === location ? way.passed : [];
  });
  return [...tests.passed, tests.to, ...back];
}

/**
 * Returns the locations inside waiting loops: a fence there would be executed in each iteration.
 */
export function locationsInWaits(code: C11Code, thread: ThreadId): ReadonlySet<LocationId> {
  return new Set(
    at(code.steps, thread).flatMap((steps, location) =>
      steps.flatMap((step) => locationsOfWait(code, thread, location, step)),
    ),
  );
}

/** Whether all accesses by the transition are of plain variables, which have no order. */
function isPlainAccess(code: C11Code): (thread: ThreadId, transition: number) => boolean {
  const cells = findCells(code);
  const plain = new Set(cells.addresses.filter((_, cell) => cells.isPlain[cell]));
  const byId = code.steps.map(
    (locations) => new Map(locations.flat().map((step) => [step.code.id, step])),
  );
  return (thread, transition) => {
    const step = byId[thread]?.get(transition);
    if (!step || step.kind === 'fence') return false;
    const addresses = addressesOf(code, thread, step);
    return addresses.length > 0 && addresses.every((address) => plain.has(address));
  };
}

/** Returns a key of the piece of text from which a transition was compiled. */
function textOf(program: Program, { thread, transition }: StepPart, { origin }: Transition) {
  const { span } = origin;
  if (!span) return `${textThread(program, thread)} ${transition}`;
  return [span.start.line, span.start.column, span.end.line, span.end.column].join();
}

function grouped<T>(parts: readonly T[], nameOf: (part: T) => string | undefined): readonly T[][] {
  const groups = new Map<string, T[]>();
  for (const part of parts) {
    const name = nameOf(part);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(part);
    else groups.set(name, [part]);
  }
  return [...groups.values()];
}

/** Whether all instructions of the site are executed only while their thread runs alone. */
function isSiteAlone({ threads }: Program, { steps }: OrderPlace, isAlone: SiteOptions['isAlone']) {
  const isStepAlone = ({ thread, transition }: StepPart): boolean =>
    isAlone?.(thread, threads[thread]!.transitions[transition]!.from) === true;
  return steps.length > 0 && steps.every(isStepAlone);
}

/** Returns the accesses and fences of the text with their orders. */
function writtenSites(
  code: C11Code,
  { change, costs, canWrite }: SiteOptions,
): readonly OrderSite[] {
  const { program } = code;
  const isPlain = isPlainAccess(code);
  const parts = program.threads.flatMap(({ transitions }, thread) =>
    transitions.flatMap((step, transition) => {
      const level = levelOf(step.instruction);
      // An access of C that is not atomic has no order.
      if (!level || isPlainInText(step.origin) || isPlain(thread, transition)) return [];
      return [{ ...level, thread, transition, step }];
    }),
  );
  const groups = grouped(
    parts,
    (part) => `${part.kind} ${JSON.stringify(part.given)} ${textOf(program, part, part.step)}`,
  );
  return groups.map((group): OrderSite => {
    const { kind, given } = group[0]!;
    const steps = group.map(({ thread, transition }) => ({ thread, transition }));
    const weights = group
      .filter(({ thread }) => textThread(program, thread) === thread)
      .map(({ thread, transition, step }) =>
        kind === 'fence' ? costs.fence(thread, step.from) : costs.xchg(thread, transition),
      );
    const isGiven = (level: OrderLevel): boolean => haveSameOrders(given, level);
    const isMeant = (level: OrderLevel): boolean =>
      (change === 'raise' ? isAtMost(given, level) : isAtMost(level, given)) &&
      (!canWrite || isGiven(level) || canWrite({ kind, steps, fences: [] }, level));
    const levels = levelsOf(kind).filter(isMeant);
    const weight = costs.addsUp ? exactSum(weights) : Math.max(...weights);
    return { kind, steps, fences: [], given, levels, floor: levels[0]!, weight };
  });
}

/** Returns the places where further fences may be inserted. */
function insertedSites(code: C11Code, { costs, placeOf }: SiteOptions): readonly OrderSite[] {
  const { program } = code;
  const parts = program.threads.flatMap((thread, t) => {
    const reachable = computeReachableLocations(thread);
    const inWaits = locationsInWaits(code, t);
    const inner = new Set(thread.transitions.map(({ from }) => from));
    const isForbidden = (location: LocationId): boolean =>
      thread.transitions.some(({ from, nofence }) => from === location && nofence === true);
    return thread.locations.flatMap((_, location) =>
      reachable[location] === true &&
      inner.has(location) &&
      !inWaits.has(location) &&
      !isForbidden(location)
        ? [{ thread: t, location }]
        : [],
    );
  });
  const own = ({ thread, location }: { thread: ThreadId; location: LocationId }): string =>
    `${textThread(program, thread)} ${location}`;
  const groups = grouped(parts, (part) =>
    placeOf ? placeOf(textThread(program, part.thread), part.location) : own(part),
  );
  const given: OrderLevel = { order: 'relaxed' };
  return groups.map((fences): OrderSite => {
    const weights = fences
      .filter(({ thread }) => textThread(program, thread) === thread)
      .map(({ thread, location }) => costs.fence(thread, location));
    const weight = costs.addsUp ? exactSum(weights) : Math.max(...weights);
    const levels = levelsOf('fence');
    return { kind: 'fence', steps: [], fences, given, levels, floor: given, weight };
  });
}

/** The places of a program with changeable memory orders, and the memory orders left unchanged. */
interface OrderSites {
  readonly sites: readonly OrderSite[];
  readonly leftOut: readonly LeftOutOrder[];
}

/**
 * Returns the places of a program with changeable memory orders, and the memory orders left
 * unchanged.
 */
export function findOrderSites(code: C11Code, options: SiteOptions): OrderSites {
  const { program } = code;
  const { change, isAlone } = options;
  const all = writtenSites(code, options);
  const isC = isOfC(program);
  const placed = (sites: readonly OrderSite[], why: LeftOutOrder['why']): LeftOutOrder[] =>
    sites.flatMap(({ kind, steps: [first] }) => {
      const { origin } = at(at(program.threads, first!.thread).transitions, first!.transition);
      const isOfText = kind === 'fence' || !isC || origin.access === 'atomic';
      const { span } = origin;
      return span && isOfText && standsInText(origin) ? [{ span, why }] : [];
    });
  const [weakest, strongest] = [0, -1].map(
    (end) => (kind: OrderPlaceKind) => levelsOf(kind).at(end)!,
  );
  const limit = change === 'lower' ? weakest! : strongest!;
  const unwritten = all.filter(
    ({ kind, levels, given }) => levels.length === 1 && !haveSameOrders(given, limit(kind)),
  );
  if (change === 'raise')
    return {
      sites: [...all, ...insertedSites(code, options)],
      leftOut: placed(unwritten, 'not-written'),
    };
  const alone = all.filter((site) => isSiteAlone(program, site, isAlone));
  const others = unwritten.filter((site) => !alone.includes(site));
  return {
    sites: all.filter((site) => !alone.includes(site)),
    leftOut: [
      ...placed(others, 'not-written'),
      ...placed(alone, 'alone'),
      ...(program.ordersAside ?? []),
    ],
  };
}
