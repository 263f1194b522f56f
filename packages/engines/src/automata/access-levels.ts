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
  /** The id of the value that the cell holds before the access. */
  readonly held: number;
  /** The id of the value written by the access; absent for loads and for a failing cas. */
  readonly written: number | undefined;
  /**
   * For the load of a read abstraction (a `havoc` that stands for a load): the values that the load
   * may have read, including the cell's value; ascending. Only the notion `value` reads this field.
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
  /** Whether this notion of happens-before depends on the values read and written by accesses. */
  readonly countsValues: boolean;
  /** The mark of the attack's last load on the loaded cell, if the load is no read abstraction. */
  readonly afterLoad: Mark;
  /**
   * The mark of the target if the first delayed store writes the value with id `value`. The target
   * is the cell of this store.
   */
  readonly target: (value: number) => Mark;
  /**
   * Whether an access by a helper off the happens-before path happens after an access on the path,
   * as the mark of the accessed cell shows; the helper then joins the path.
   */
  readonly joins: (cellMark: Mark, access: MarkedAccess) => boolean;
  /**
   * Whether an access on the happens-before path happens before the first delayed store, which
   * completes the path.
   */
  readonly meetsTarget: (cellMark: Mark, access: MarkedAccess) => boolean;
  /** Returns the cell's mark after an access; `onPath` says whether the access is on the path. */
  readonly after: (cellMark: Mark, access: MarkedAccess, onPath: boolean) => Mark;
  /** Returns the meaning of a mark, for certificates and witnesses. */
  readonly describe: (cellMark: Mark) => DescribedMark;
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

/**
 * The names of the access levels of a cell under the notion of happens-before `value`, indexed by
 * the number of the level.
 */
const levelNames = ['none', 'load', 'store', 'mixed'] as const;

/**
 * The rules of the standard notion, [BDM13] Eqs. (8), (9), (11) to (13). The target has no level:
 * the first access on the path to the target ends the search.
 */
const standardLevels: AccessLevels = {
  countsValues: false,
  afterLoad: mark.load,
  target: () => mark.target,
  joins: (cellMark, { written }) =>
    cellMark === mark.store || (cellMark === mark.load && written !== undefined),
  meetsTarget: (cellMark) => cellMark === mark.target,
  after: (cellMark, { written }, onPath) => {
    if (!onPath || cellMark === mark.target || cellMark === mark.store) return cellMark;
    return written === undefined ? mark.load : mark.store;
  },
  describe: (cellMark) =>
    cellMark === mark.target ? { level: 'none', target: {} } : { level: levelNames[cellMark]! },
};

/**
 * The level of a cell under the value notion, which depends on the values read and written by the
 * accesses on the happens-before path. `none`: the path has no access of the cell. `load` and
 * `store`: all accesses on the path read or wrote the cell's present value; the last store of the
 * cell is off the path for `load`, on the path for `store`. `mixed`: the accesses on the path read
 * or wrote at least two values, and the last store is on the path.
 */
const level = { none: 0, load: 1, store: 2, mixed: 3 } as const;
const levels = 4;

function levelOf(cellMark: Mark): number {
  return cellMark % levels;
}

/**
 * Returns the id of the value of the first delayed store, as encoded in the mark of its cell; -1 if
 * the marked cell is not the target, the cell of that store.
 */
function targetValue(cellMark: Mark): number {
  return Math.floor(cellMark / levels) - 1;
}

function valueLevelAfter(cellLevel: number, { reads, held, written }: MarkedAccess): number {
  if (written === undefined) return cellLevel === level.none ? level.load : cellLevel;
  if (cellLevel === level.mixed) return level.mixed;
  const addsValue = written !== held && (reads || cellLevel !== level.none);
  return addsValue ? level.mixed : level.store;
}

/** The rules of the notion of happens-before `value`: docs/value-happens-before.md. */
const valueLevels: AccessLevels = {
  countsValues: true,
  afterLoad: level.load,
  target: (value) => (value + 1) * levels,
  joins: (cellMark, { reads, held, written }) => {
    switch (levelOf(cellMark)) {
      case level.load:
        return written !== undefined && written !== held;
      case level.store:
        return reads || written !== held;
      default:
        return levelOf(cellMark) === level.mixed;
    }
  },
  meetsTarget: (cellMark, { reads, held, written }) => {
    const value = targetValue(cellMark);
    if (value < 0) return false;
    return (reads && held !== value) || (written !== undefined && written !== value);
  },
  after: (cellMark, access, onPath) => {
    const cellLevel = levelOf(cellMark);
    if (onPath) return cellMark - cellLevel + valueLevelAfter(cellLevel, access);
    // A store of the cell's present value inside a lock block is not on the path, and later loads
    // read from it.
    return access.written !== undefined && cellLevel === level.store
      ? cellMark - cellLevel + level.load
      : cellMark;
  },
  describe: (cellMark) => {
    const value = targetValue(cellMark);
    const described = { level: levelNames[levelOf(cellMark)]! };
    return value < 0 ? described : { ...described, target: { value } };
  },
};

/**
 * A mark for a cell that holds one of the values in `spared`, if every load of the cell on the
 * happens-before path admits all values in `spared`, and the cell's last store is off the path.
 */
interface SparingMark {
  readonly spared: readonly number[];
  /**
   * The id of the value of the first delayed store if the marked cell is the target, the cell of
   * that store; otherwise -1.
   */
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
  const at = (cellMark: Mark): SparingMark | undefined =>
    cellMark % 2 === 0 ? undefined : sparing[(cellMark - 1) / 2];
  const plain = (target: number, cellLevel: number): Mark =>
    2 * ((target + 1) * levels + cellLevel);
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
    joins: (cellMark, access) => {
      const mark = at(cellMark);
      if (!mark) return valueLevels.joins(cellMark / 2, access);
      return access.written !== undefined && !mark.spared.includes(access.written);
    },
    meetsTarget: (cellMark, access) => {
      const value = at(cellMark)?.target ?? targetValue(cellMark / 2);
      if (value < 0) return false;
      if (access.admits) return !access.admits.includes(value);
      return valueLevels.meetsTarget(valueLevels.target(value), access);
    },
    after: (cellMark, access, onPath) => {
      const mark = at(cellMark);
      if (mark) return onPath ? afterSparing(mark, access) : cellMark;
      const isFirst = levelOf(cellMark / 2) === level.none;
      if (onPath && isFirst && access.admits)
        return markOf(access.admits, access.held, targetValue(cellMark / 2));
      return 2 * valueLevels.after(cellMark / 2, access, onPath);
    },
    describe: (cellMark) => {
      const mark = at(cellMark);
      if (!mark) return valueLevels.describe(cellMark / 2);
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
