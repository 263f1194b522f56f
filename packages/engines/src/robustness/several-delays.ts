import { fact } from '@fencewright/ground/base/fact.js';
import { computeAddressSets, type AddressSet } from '@fencewright/model/analysis/address-sets.js';
import { computeReachableAvoiding } from '@fencewright/model/analysis/control-flow.js';
import { computeLockBlocks } from '@fencewright/model/analysis/lock-blocks.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import { drainsBuffer, type Instruction } from '@fencewright/model/program/instruction.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';

/** The maximum number of threads of a program in which `maySeveralDelay` looks for cycles. */
const maxThreads = 20;
/**
 * The maximum number of steps of `maySeveralDelay`. So many steps take a fraction of a second, so
 * the search need not check limits on time.
 */
const maxSteps = 200_000;

/**
 * A class of accesses that the search treats alike: all accesses of one thread with equal kind and
 * addresses.
 */
interface AccessClass {
  readonly thread: number;
  readonly addresses: AddressSet;
  readonly reads: boolean;
  readonly writes: boolean;
}

/**
 * The part of a happens-before cycle in one thread, from one access to a later access, or of a
 * single access. `heavy` is the number of heavy fences between the two. `delays` is true if the
 * accesses are a store and a load, and the load is executed before the store reaches memory.
 */
interface Segment {
  readonly to: number;
  readonly delays: boolean;
  readonly heavy: number;
}

function isHeavy({ instruction }: { readonly instruction: Instruction }): boolean {
  return instruction.kind === 'heavy-fence';
}

/**
 * Returns, for each location, the least number of heavy fences on those paths from `start` that
 * pass a heavy fence; infinite if no such path leads to the location.
 */
function heavyFencesTo(thread: Thread, start: LocationId): readonly number[] {
  const least = thread.locations.map(() => Number.POSITIVE_INFINITY);
  let reached = computeReachableAvoiding(thread, start, isHeavy);
  for (let count = 1, isNew = true; isNew; count++) {
    isNew = false;
    const next = thread.locations.map(() => false);
    for (const step of thread.transitions) {
      if (!isHeavy(step) || !reached[step.from]) continue;
      computeReachableAvoiding(thread, step.to, isHeavy).forEach((isReached, location) => {
        if (!isReached || least[location]! <= count) return;
        least[location] = count;
        next[location] = true;
        isNew = true;
      });
    }
    reached = next;
  }
  return least;
}

/**
 * The accesses of a program by class, and the segments (parts of cycles in one thread) from each
 * class.
 */
interface Segments {
  readonly classes: readonly AccessClass[];
  readonly from: readonly (readonly Segment[])[];
}

/** Returns a name of an access; accesses that the search treats alike have equal names. */
function nameOf(thread: number, kind: Instruction['kind'], addresses: AddressSet): string {
  return `${thread} ${kind} ${addresses === 'any' ? addresses : addresses.join()}`;
}

function segmentsOf(program: Program): Segments {
  const sets = computeAddressSets(program);
  const classes: AccessClass[] = [];
  const numbers = new Map<string, number>();
  const accesses = program.threads.map(({ transitions }, t) =>
    transitions.flatMap(({ from, to, instruction: { kind } }, id) => {
      const addresses = sets[t]?.[id];
      if (addresses === undefined) return [];
      const name = nameOf(t, kind, addresses);
      let number = numbers.get(name);
      if (number === undefined) {
        number =
          classes.push({
            ...{ thread: t, addresses },
            reads: kind !== 'store',
            writes: kind !== 'load',
          }) - 1;
        numbers.set(name, number);
      }
      return [{ number, from, to, kind }];
    }),
  );
  const from: Map<string, Segment>[] = classes.map(() => new Map<string, Segment>());
  program.threads.forEach((thread, t) => {
    const blockBefore = computeLockBlocks(thread);
    for (const first of accesses[t]!) {
      const add = (segment: Segment): void => {
        const { to, delays } = segment;
        const name = `${to} ${delays} ${segment.heavy > 0}`;
        const known = from[first.number]!.get(name);
        if (!known || segment.heavy < known.heavy) from[first.number]!.set(name, segment);
      };
      add({ to: first.number, delays: false, heavy: 0 });
      // The accesses of a lock block are one node.
      for (const start of [...blockBefore(first.from), first.to]) {
        const undrained = computeReachableAvoiding(thread, start, ({ instruction }) =>
          drainsBuffer(instruction),
        );
        const light = computeReachableAvoiding(thread, start, isHeavy);
        const heavy = heavyFencesTo(thread, start);
        for (const last of accesses[t]!) {
          const to = last.number;
          const isPair = first.kind === 'store' && last.kind === 'load';
          if (isPair && undrained[last.from]) add({ to, delays: true, heavy: 0 });
          if (light[last.from]) add({ to, delays: false, heavy: 0 });
          const least = heavy[last.from]!;
          if (least < Number.POSITIVE_INFINITY) add({ to, delays: false, heavy: least });
        }
      }
    }
  });
  return { classes, from: from.map((own) => [...own.values()]) };
}

function conflict(a: AccessClass, b: AccessClass): boolean {
  if (a.thread === b.thread || !(a.writes || b.writes)) return false;
  if (a.addresses === 'any' || b.addresses === 'any') return true;
  const others = b.addresses;
  return a.addresses.some((address) => others.includes(address));
}

/**
 * Whether, judged by control flow and addresses alone, there may be a cycle of happens-before that
 * passes a heavy fence and has more delays than heavy fences. If not, and if no attack with a
 * single delaying thread is feasible, then a program with heavy fences is robust: in each cycle of
 * a computation the delays outnumber the heavy fences, and a cycle without heavy fences needs one
 * delaying thread only (docs/asymmetric.md). A shortest cycle visits each thread once. The search
 * follows a cycle from a segment that passes a heavy fence.
 */
export const maySeveralDelay = fact((program: Program): boolean => {
  if (program.threads.length > maxThreads) return true;
  const { classes, from } = segmentsOf(program);
  const after = classes.map((own) => classes.flatMap((one, n) => (conflict(own, one) ? [n] : [])));
  const delaying = classes.filter((_, n) => from[n]!.some(({ delays }) => delays));
  const delayers = [...new Set(delaying.map(({ thread }) => thread))];
  let steps = 0;
  for (const start of classes.keys()) {
    // By the threads visited and the last access: by how many the delays outnumber the heavy fences
    // at most.
    const best = new Map<number, number>();
    const pending: number[] = [];
    const pass = (before: number, at: number, balance: number, segments = from[at]!): void => {
      const visited = before | (1 << classes[at]!.thread);
      const left = delayers.filter((thread) => (visited & (1 << thread)) === 0).length;
      for (const { to, delays, heavy } of segments) {
        const most = balance + (delays ? 1 : 0) - heavy;
        const key = visited * classes.length + to;
        // Even if all remaining threads delay, the delays would not outnumber the heavy fences.
        if (most + left <= 0 || most <= (best.get(key) ?? Number.NEGATIVE_INFINITY)) continue;
        best.set(key, most);
        pending.push(key);
      }
    };
    const passing = from[start]!.filter(({ heavy }) => heavy > 0);
    pass(0, start, 0, passing);
    for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
      if (++steps > maxSteps) return true;
      const balance = best.get(key)!;
      const visited = Math.floor(key / classes.length);
      for (const next of after[key % classes.length]!) {
        if (next === start && balance > 0) return true;
        if ((visited & (1 << classes[next]!.thread)) === 0) pass(visited, next, balance);
      }
    }
  }
  return false;
});

/** The maximum number of classes of accesses for which all walks are compared. */
const maxClasses = 200;

/**
 * Answers `maySeveralDelay` for all instances at once; `pairs` is the instance with two copies of
 * each template. A cycle of any instance is a closed walk through classes of accesses. The walk may
 * pass a template several times, each time in another copy. Such a walk is possible if there is a
 * closed walk on which delays outnumber heavy fences, and the walk is connected, in both
 * directions, with a class from which a segment passes a heavy fence: the walk can be repeated
 * often enough.
 */
export const maySeveralDelayInAll = fact((pairs: Program): boolean => {
  const { classes, from } = segmentsOf(pairs);
  if (classes.length > maxClasses) return true;
  // For each pair of classes: by how many, at most, the delays outnumber the heavy fences on a walk
  // from the one to the other.
  const best = classes.map((_, a) =>
    classes.map((next) =>
      from[a]!.reduce(
        (most, { to, delays, heavy }) =>
          conflict(classes[to]!, next) ? Math.max(most, (delays ? 1 : 0) - heavy) : most,
        Number.NEGATIVE_INFINITY,
      ),
    ),
  );
  for (const k of classes.keys())
    for (const row of best)
      for (const [b, through] of best[k]!.entries())
        row[b] = Math.min(classes.length, Math.max(row[b]!, row[k]! + through));
  const isReached = (a: number, b: number): boolean => best[a]![b]! > Number.NEGATIVE_INFINITY;
  const outnumbers = [...classes.keys()].filter((a) => best[a]![a]! > 0);
  return from.some((own, a) =>
    own.some(
      ({ to, heavy }) =>
        heavy > 0 &&
        outnumbers.some(
          (b) =>
            isReached(b, a) &&
            classes.some((next, c) => conflict(classes[to]!, next) && (c === b || isReached(c, b))),
        ),
    ),
  );
});
