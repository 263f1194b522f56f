import type { HappensBefore } from '@fencewright/model/trace/trace.js';

/**
 * The known facts about the accesses of a cell after the attack's last load, as a number that only
 * `AccessLevels` interprets; 0 for no facts.
 */
export type Mark = number;

/**
 * An access after the attack's last load. Values are given by their ids among the values of the
 * cell.
 */
export interface MarkedAccess {
  readonly reads: boolean;
  /** The cell's value before the access. */
  readonly held: number;
  /** The value written; absent for loads and failing cas. */
  readonly written: number | undefined;
  /**
   * For the load of a read abstraction: the admitted values, including the cell's value; ascending.
   * Only the notion `value` reads this field.
   */
  readonly admits?: readonly number[];
}

/**
 * Rules by which a search follows happens-before after the attack's last load: a path from the load
 * to the first delayed store, found by marks that accesses on the path leave on cells ([BDM13]
 * Sect. 5.2: access levels). A cell may also be marked as the target, the cell of the first delayed
 * store.
 */
export interface AccessLevels {
  /** Whether happens-before looks at the values of accesses. */
  readonly countsValues: boolean;
  /**
   * The mark that the attack's last load leaves on its cell, if the load is no read abstraction.
   */
  readonly afterLoad: Mark;
  /**
   * The mark of the target, the cell of the first delayed store, if this store writes the value
   * with id `value`.
   */
  readonly target: (value: number) => Mark;
  /**
   * Whether an access of a thread off the happens-before path is behind an access on the path, so
   * that the thread joins the path.
   */
  readonly joins: (itsMark: Mark, access: MarkedAccess) => boolean;
  /**
   * Whether an access on the happens-before path happens before the first delayed store, which
   * completes the path.
   */
  readonly meetsTarget: (itsMark: Mark, access: MarkedAccess) => boolean;
  /** Returns the cell's mark after an access. */
  readonly after: (itsMark: Mark, access: MarkedAccess, onPath: boolean) => Mark;
  /** Explains a mark, for certificates and witnesses. */
  readonly describe: (itsMark: Mark) => DescribedMark;
}

/**
 * The meaning of a mark: the access level of the cell (see `level` for the value notion), and
 * whether the cell is the target; `value` is the id of the delayed store's value, under the value
 * notion.
 */
interface DescribedMark {
  readonly level: 'none' | 'load' | 'store' | 'mixed';
  readonly target?: { readonly value?: number };
}

/**
 * The marks of the standard notion: cell not accessed on the happens-before path; only loaded;
 * stored to; and the target. Under the notion `value` the target has levels.
 */
export const mark = { none: 0, load: 1, store: 2, target: 3 } as const;

/** The names of the levels of a cell under the notion `value`, by number. */
const levelNames = ['none', 'load', 'store', 'mixed'] as const;

/**
 * The rules of the standard notion, [BDM13] Eqs. (8), (9), (11) to (13). The target has no level:
 * its first access on the path ends the search.
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

/** The rules of the notion `value`: docs/value-happens-before.md. */
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
    // A store of the cell's present value inside a lock block is not on the path, and later loads
    // read from it.
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
 * A mark for a cell that holds one of the values in `spared`: all loads of the cell on the path
 * admit these values; the last store is off the path.
 */
interface SparingMark {
  readonly spared: readonly number[];
  /** The id of the delayed store's value, or -1 if the cell is not the target. */
  readonly target: number;
}

/**
 * The rules of the notion `value` with read abstractions: a store joins the path unless all
 * accesses on the path admit its value. Even marks are twice the marks of `valueLevels`, for sets
 * of admitted values that are empty, full, or only the cell's value; odd marks stand for further
 * sets.
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
 * Returns the rules for a notion of happens-before, in a program with read abstractions or without.
 */
export function accessLevels(happensBefore: HappensBefore, hasGuesses: boolean): AccessLevels {
  if (happensBefore === 'standard') return standardLevels;
  return hasGuesses ? guessingLevels() : valueLevels;
}
