import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import type { AccessAhead } from '../exploration/machine-automaton.js';
import { observationOf } from '../exploration/observation.js';
import { PackedExploration, type PackedEnd } from '../exploration/packed-exploration.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { DataRace, RaceFindings } from '@fencewright/model/verdict/data-race.js';
import { findPossibleRaces, pairOf, type PossibleRaces } from './possible-races.js';

/**
 * Returns the data races of a program in C, one for each pair of places in the text. A data race is
 * a pair of accesses of two threads to one cell; in one state under SC, the two accesses are next
 * steps. At least one access is a store, and at least one is plain. Accesses under the bus lock are
 * atomic.
 *
 * If all atomic accesses are sequentially consistent, a program without data races of this kind has
 * no race by happens-before either. Source: [BA08] Sect. 4, data races of type 2; volatile accesses
 * and lock blocks are ours.
 */
export async function findDataRaces(
  program: Program,
  budget: Budget,
): Promise<Pick<RaceFindings, 'races' | 'incomplete'>> {
  const possible = findPossibleRaces(program);
  if (possible.pairs.size === 0) return { races: [] };
  const exploration = new PackedExploration(program, {
    model: 'SC',
    observation: { ...observationOf(program, []), blocks: possible.isInBlocks },
  });
  const found = new Map<string, DataRace>();
  const look = new RaceLook(program, exploration, possible, found);
  let next = 0;
  const end = await exploration.explore(budget, (states) => {
    for (; next < states; next++) look.at(next);
    return found.size < possible.pairs.size;
  });
  const races = [...found.values()].sort((a, b) => byPlace(program, a, b));
  const isAll = found.size === possible.pairs.size;
  const incomplete = isAll ? undefined : whyIncomplete(end, exploration);
  return { races, ...(incomplete && { incomplete }) };
}

/**
 * Returns the reason why a search did not see all states; `undefined` if the search saw all states,
 * or stopped because the answer was known.
 */
export function whyIncomplete(
  end: PackedEnd,
  { faults }: PackedExploration,
): RaceFindings['incomplete'] {
  if (end === 'endless' || faults.length > 0) return 'unsupported';
  return end === 'complete' || end === 'done' ? undefined : end;
}

function byPlace(program: Program, one: DataRace, other: DataRace): number {
  const [a, b] = [one, other].map(({ accesses }) =>
    accesses.flatMap(({ thread, transition }) => {
      const { span } = at(at(program.threads, thread).transitions, transition).origin;
      return [span?.start.line ?? -1, span?.start.column ?? -1];
    }),
  ) as [number[], number[]];
  for (const [i, value] of a.entries()) if (value !== b[i]) return value - at(b, i);
  return 0;
}

/** An access that a thread can execute next and that may be part of a data race. */
interface NextAccess extends AccessAhead {
  readonly thread: ThreadId;
  readonly isPlain: boolean;
}

/** Looks for data races in the states of an exploration. */
class RaceLook {
  /**
   * The accesses that a thread can execute next and that may be part of data races; indexed by
   * thread, then by node of the thread's automaton.
   */
  readonly #known: NextAccess[][][];
  readonly #pairs = new Map<string, string>();

  constructor(
    readonly program: Program,
    readonly exploration: PackedExploration,
    readonly possible: PossibleRaces,
    /** The data races found so far, by pair of places in the text; the search adds to them. */
    readonly found: Map<string, DataRace>,
  ) {
    this.#known = program.threads.map(() => []);
  }

  /** Adds the data races in the state with number `state` to the races found. */
  at(state: number): void {
    const { search } = this.exploration;
    const next = this.#known.map((known, thread) => {
      const node = search.node(state, thread);
      return (known[node] ??= this.#accesses(thread, node));
    });
    for (const [i, own] of next.entries())
      for (const one of own)
        for (const others of next.slice(i + 1))
          for (const other of others)
            if (one.address === other.address) this.#judge(state, one, other);
  }

  #accesses(thread: ThreadId, node: number): NextAccess[] {
    const automaton = at(this.exploration.automata, thread);
    const isFree = !automaton.node(node).state.holdsLock;
    const { transitions } = at(this.program.threads, thread);
    return automaton
      .accesses(node)
      .filter(({ transition }) => this.possible.isPart(thread, transition))
      .map((access) => {
        const isPlain = isFree && at(transitions, access.transition).origin.access === 'plain';
        return { ...access, thread, isPlain };
      });
  }

  #judge(state: number, one: NextAccess, other: NextAccess): void {
    if (!one.isPlain && !other.isPlain) return;
    const pair = this.#pairOf(one, other);
    if (this.found.has(pair)) return;
    const value = this.exploration.valueAt(state, one.address);
    if (!one.writes(value) && !other.writes(value)) return;
    const isFirst = rank(one) >= rank(other);
    const accesses = isFirst ? ([one, other] as const) : ([other, one] as const);
    const [first, second] = accesses.map(({ thread, transition }) => ({ thread, transition }));
    this.found.set(pair, { address: one.address, accesses: [first!, second!] });
  }

  #pairOf(one: NextAccess, other: NextAccess): string {
    const key = `${one.thread}.${one.transition} ${other.thread}.${other.transition}`;
    let pair = this.#pairs.get(key);
    if (pair === undefined) this.#pairs.set(key, (pair = pairOf(this.program, one, other)));
    return pair;
  }
}

/** Ranks accesses for reports: plain accesses come first, and among plain accesses stores. */
function rank({ isPlain, kind }: NextAccess): number {
  return (isPlain ? 2 : 0) + (kind === 'load' ? 0 : 1);
}
