import type { HappensBefore } from '@fencewright/model/trace/trace.js';

/**
 * The knowledge about a cell after the attack's last load, as a number that only `AccessLevels`
 * interprets; 0 for "nothing".
 */
export type Mark = number;

/** An access in the last phase. Values are ids of the cell's values. */
export interface MarkedAccess {
  readonly reads: boolean;
  /** The cell's value before the access. */
  readonly held: number;
  /** Absent for loads and failing cas. */
  readonly written: number | undefined;
  /**
   * For the load of a read abstraction: the admitted values, including the cell's value; ascending.
   * Only the notion `value` reads this field.
   */
  readonly admits?: readonly number[];
}

/**
 * The tracking of happens-before in the last phase: the accesses behind the attack's last load,
 * found by the marks that earlier accesses left on the cells ([BDM13] Sect. 5.2: access levels). A
 * cell may also be the target, the address of the first delayed store.
 */
export interface AccessLevels {
  /** Whether happens-before looks at the values of accesses. */
  readonly countsValues: boolean;
  /** The mark of the cell of the attack's last load, if that is no read abstraction. */
  readonly afterLoad: Mark;
  /** The mark of the target, if the delayed store writes `value`. */
  readonly target: (value: number) => Mark;
  /** Whether an access of a thread off the path is behind an access on the path. */
  readonly joins: (itsMark: Mark, access: MarkedAccess) => boolean;
  /** Whether an access on the path happens before the first delayed store. */
  readonly meetsTarget: (itsMark: Mark, access: MarkedAccess) => boolean;
  /** The cell's mark after an access. */
  readonly after: (itsMark: Mark, access: MarkedAccess, onPath: boolean) => Mark;
  /** The meaning of a mark, for certificates and witnesses. */
  readonly describe: (itsMark: Mark) => DescribedMark;
}

/**
 * The effect of accesses behind the last load on a cell, and whether the cell is the target;
 * `value` is the id of the delayed store's value, for notions that count values.
 */
interface DescribedMark {
  readonly level: 'none' | 'load' | 'store' | 'mixed';
  readonly target?: { readonly value?: number };
}

/**
 * The marks: never accessed on the path; only loaded; stored to; and the target. Under the value
 * notion the target has levels.
 */
export const mark = { none: 0, load: 1, store: 2, target: 3 } as const;

/** The names of cells' levels, by number. */
const levelNames = ['none', 'load', 'store', 'mixed'] as const;

/**
 * [BDM13] Eqs. (8), (9), (11) to (13). The target has no level: its first access on the path ends
 * the search.
 */
const standardLevels: AccessLevels = {
  countsValues: false,
  afterLoad: mark.load,
  target: () => mark.target,
  joins: (itsMark, { written }) =>
    itsMark === mark.store || (itsMark === mark.load && written !== undefined),
  meetsTarget: (itsMark) => itsMark === mark.target,
  after: (itsMark, { written }, onPath) => {
    if (!onPath || itsMark === mark.target || itsMark === mark.store) return itsMark;
    return written === undefined ? mark.load : mark.store;
  },
  describe: (itsMark) =>
    itsMark === mark.target ? { level: 'none', target: {} } : { level: levelNames[itsMark]! },
};

/**
 * The level of a cell under the value notion, by the values that path accesses read and wrote.
 * `none`: no path access. `load` and `store`: all path accesses had the cell's present value, and
 * the last store is off the path or on the path, respectively. `mixed`: two values or more, with
 * the last store on the path.
 */
const level = { none: 0, load: 1, store: 2, mixed: 3 } as const;
const levels = 4;

function levelOf(itsMark: Mark): number {
  return itsMark % levels;
}

/** The id of the delayed store's value, or -1 if the cell is not the target. */
function targetValue(itsMark: Mark): number {
  return Math.floor(itsMark / levels) - 1;
}

function valueLevelAfter(its: number, { reads, held, written }: MarkedAccess): number {
  if (written === undefined) return its === level.none ? level.load : its;
  if (its === level.mixed) return level.mixed;
  const addsValue = written !== held && (reads || its !== level.none);
  return addsValue ? level.mixed : level.store;
}

/** docs/value-happens-before.md. */
const valueLevels: AccessLevels = {
  countsValues: true,
  afterLoad: level.load,
  target: (value) => (value + 1) * levels,
  joins: (itsMark, { reads, held, written }) => {
    switch (levelOf(itsMark)) {
      case level.load:
        return written !== undefined && written !== held;
      case level.store:
        return reads || written !== held;
      default:
        return levelOf(itsMark) === level.mixed;
    }
  },
  meetsTarget: (itsMark, { reads, held, written }) => {
    const value = targetValue(itsMark);
    if (value < 0) return false;
    return (reads && held !== value) || (written !== undefined && written !== value);
  },
  after: (itsMark, access, onPath) => {
    const its = levelOf(itsMark);
    if (onPath) return itsMark - its + valueLevelAfter(its, access);
    // A store of the value that is there, inside a lock block: later loads read from it, and it is
    // not on the path.
    return access.written !== undefined && its === level.store
      ? itsMark - its + level.load
      : itsMark;
  },
  describe: (itsMark) => {
    const value = targetValue(itsMark);
    const its = { level: levelNames[levelOf(itsMark)]! };
    return value < 0 ? its : { ...its, target: { value } };
  },
};

/**
 * A cell that holds one of `spared`, the values that all loads of the cell on the path admit; the
 * last store is off the path.
 */
interface SparingMark {
  readonly spared: readonly number[];
  /** The id of the delayed store's value, or -1 if the cell is not the target. */
  readonly target: number;
}

/**
 * The value notion with read abstractions: a store joins unless all path accesses admit its value.
 * Even marks are twice the marks of `valueLevels`, for admitted sets that are empty, full, or only
 * the cell's value; odd marks stand for further sets.
 */
function guessingLevels(): AccessLevels {
  const sparing: SparingMark[] = [];
  const numbers = new Map<string, Mark>();
  const at = (itsMark: Mark): SparingMark | undefined =>
    itsMark % 2 === 0 ? undefined : sparing[(itsMark - 1) / 2];
  const plain = (target: number, its: number): Mark => 2 * ((target + 1) * levels + its);
  const markOf = (spared: readonly number[], held: number, target: number): Mark => {
    if (spared.length === 1 && spared[0] === held) return plain(target, level.load);
    const name = `${target}:${spared.join(',')}`;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    const fresh = 2 * (sparing.push({ spared, target }) - 1) + 1;
    numbers.set(name, fresh);
    return fresh;
  };
  const afterSparing = (
    { spared, target }: SparingMark,
    { reads, held, written, admits = [held] }: MarkedAccess,
  ): Mark => {
    const both = spared.filter((value) => admits.includes(value));
    if (written === undefined) return markOf(both, held, target);
    const isSpared = spared.includes(written) && (!reads || written === held);
    return plain(target, isSpared ? level.store : level.mixed);
  };
  return {
    countsValues: true,
    afterLoad: 2 * valueLevels.afterLoad,
    target: (value) => 2 * valueLevels.target(value),
    joins: (itsMark, access) => {
      const mark = at(itsMark);
      if (!mark) return valueLevels.joins(itsMark / 2, access);
      return access.written !== undefined && !mark.spared.includes(access.written);
    },
    meetsTarget: (itsMark, access) => {
      const value = at(itsMark)?.target ?? targetValue(itsMark / 2);
      if (value < 0) return false;
      if (access.admits) return !access.admits.includes(value);
      return valueLevels.meetsTarget(valueLevels.target(value), access);
    },
    after: (itsMark, access, onPath) => {
      const mark = at(itsMark);
      if (mark) return onPath ? afterSparing(mark, access) : itsMark;
      const isFirst = levelOf(itsMark / 2) === level.none;
      if (onPath && isFirst && access.admits)
        return markOf(access.admits, access.held, targetValue(itsMark / 2));
      return 2 * valueLevels.after(itsMark / 2, access, onPath);
    },
    describe: (itsMark) => {
      const mark = at(itsMark);
      if (!mark) return valueLevels.describe(itsMark / 2);
      return mark.target < 0
        ? { level: 'load' }
        : { level: 'load', target: { value: mark.target } };
    },
  };
}

/**
 * How the last phase follows a notion of happens-before, in a program with read abstractions or
 * without.
 */
export function accessLevels(happensBefore: HappensBefore, hasGuesses: boolean): AccessLevels {
  if (happensBefore === 'standard') return standardLevels;
  return hasGuesses ? guessingLevels() : valueLevels;
}
