import type { Automata } from './automata.js';
import type { Budget } from './budget.js';
import type { VerifyOptions } from './check.js';
import { aboutRepairs, type Claim } from './claim.js';
import { toDecimals } from './decimal.js';
import { hasCheaperSet } from './hitting-set.js';
import { type Action, readComputation } from './machine.js';
import {
  allItems,
  type AtLocation,
  copiesAgree,
  describeItem,
  inserted,
  type Item,
  itemName,
  partsOf,
  type Mode,
  readItem,
  sizeCost,
  without,
} from './repair.js';
import {
  type Findings,
  Flaw,
  type KindReport,
  nothingFound,
  rejected,
  reportOf,
} from './report.js';
import {
  anyIndex,
  distinct,
  list,
  positive,
  type Read,
  type Reader,
  record,
  text,
} from './shape.js';
import { countOf } from './words.js';

/**
 * Returns the readers of the members that all certificates of cheapest repairs have, given the
 * reader of an item.
 */
export function repairMembersOf<I>(item: Reader<I>) {
  return {
    costModel: text,
    items: list(record({ item, cost: positive })),
    chosen: distinct(anyIndex),
    cost: (value: unknown, path: string) => (value === 0 ? 0 : positive(value, path)),
  };
}

/** The readers of the members that certificates of cheapest repairs of threads have in common. */
export const repairMembers = repairMembersOf(readItem);

/** The readers of the members of a clause: items and computation. */
export const clauseMembers = { items: distinct(anyIndex), computation: readComputation };

export interface Clause {
  readonly items: readonly number[];
  readonly computation: readonly Action[];
}

export type RepairClaim = {
  readonly [K in keyof typeof repairMembers]: Read<(typeof repairMembers)[K]>;
} & { readonly mode: Mode; readonly clauses: readonly Clause[] };

/** A claim about repairs of a program, with the programs without and with the repairs. */
export interface Problem {
  readonly automata: Automata;
  /**
   * The program without the removable repairs: the computations of clauses are computations of this
   * program.
   */
  readonly bare: Automata;
  readonly claim: RepairClaim;
  readonly items: readonly Item[];
  /** The program with the repairs that the claim has chosen. */
  readonly repaired: Automata;
}

/** Returns findings that consist of errors only. */
export function wrongly(...wrong: readonly string[]): Findings {
  return { ...nothingFound, wrong };
}

function togetherOf(all: readonly Findings[]): Findings {
  return {
    wrong: all.flatMap(({ wrong }) => wrong),
    proved: all.flatMap(({ proved }) => proved),
    open: all.flatMap(({ open }) => open),
    assumes: all.flatMap(({ assumes }) => assumes),
  };
}

/** Returns the problem posed by a claim, whose items have to be valid (see `checkItems`). */
export function problemOf(automata: Automata, claim: RepairClaim): Problem {
  const items = claim.items.map(({ item }) => item);
  const bare = isMinimising(claim.mode) ? without(automata, items) : automata;
  const chosen = claim.chosen.map((i) => items[i]!);
  const kept = items.filter((_, i) => !claim.chosen.includes(i));
  const repaired = isMinimising(claim.mode) ? without(automata, kept) : inserted(automata, chosen);
  return { automata, bare, claim, items, repaired };
}

export function isMinimising(mode: Mode): boolean {
  return mode === 'minimise' || mode === 'minimise-locked';
}

/** A claim that the chosen items are a cheapest choice; items may be repairs of any kind. */
export interface Choice<I> {
  readonly mode: Mode;
  readonly costModel: string;
  readonly items: readonly { readonly item: I; readonly cost: number }[];
  readonly chosen: readonly number[];
  readonly cost: number;
  readonly clauses: readonly { readonly items: readonly number[] }[];
}

/** The functions and the list that define the items of a program, independent of a claim. */
export interface ItemRules<I> {
  readonly read: Reader<I>;
  /** All items that are possible in the program. */
  readonly allowed: readonly I[];
  /** Returns the name of an item, unique in the program. */
  readonly name: (item: I) => string;
  readonly describe: (item: I) => string;
  /** Returns the allowed items that a given item consists of. */
  readonly partsOf: (item: I) => readonly I[];
  /** Returns the cost of an item in the cost model `size`. */
  readonly sizeCost: (item: I) => number;
}

/**
 * Checks that a claim lists all items and the correct costs; `given` are the items that can be
 * written into the program's text, if known to the caller. A fence at a label in `seen` is placed
 * before the label, or after the label if it cannot be written before. `atEnds`: whether fences at
 * ends of threads are items, too.
 */
export function checkItems(
  automata: Automata,
  claim: RepairClaim,
  atEnds: boolean,
  given: VerifyOptions['repairs'],
  seen: readonly AtLocation[] = [],
): Findings {
  if (!copiesAgree(automata))
    return wrongly('copies of a thread differ: repairs of the thread have no meaning');
  const before = allItems(automata, claim.mode, atEnds, seen);
  const listed = new Set(claim.items.flatMap(({ item }) => partsOf(item)).map(itemName));
  const isBefore = new Set(before.map(itemName));
  const behind = allItems(automata, claim.mode, atEnds).filter((item) => {
    const name = itemName(item);
    return listed.has(name) && !isBefore.has(name) && !listed.has(`${name} before`);
  });
  const rules: ItemRules<Item> = {
    read: readItem,
    allowed: [...before, ...behind],
    name: itemName,
    describe: (item) => describeItem(automata, item),
    partsOf,
    sizeCost: (item) => sizeCost(automata, item),
  };
  return checkItemsBy(rules, claim, given);
}

/** Checks items of any sort as `checkItems` does for repairs of threads. */
export function checkItemsBy<I>(
  { read, allowed: all, name, describe, partsOf: partsOfItem, sizeCost: sizeCostOf }: ItemRules<I>,
  { costModel, items, chosen, clauses }: Choice<I>,
  given: VerifyOptions['repairs'],
): Findings {
  const names = new Set(items.map(({ item }) => name(item)));
  const parts = items.flatMap(({ item }) => partsOfItem(item)).map(name);
  const listed = new Set(parts);
  const allowed = new Map(all.map((item) => [name(item), item]));
  if (listed.size < parts.length) return wrongly('an item is listed twice');
  if (parts.some((one) => !allowed.has(one)))
    return wrongly('an item is not one that the automata and the mode allow');
  const leftOut = [...allowed].flatMap(([one, item]) => (listed.has(one) ? [] : [item]));
  const indices = [...chosen, ...clauses.flatMap((clause) => clause.items)];
  if (indices.some((i) => i >= items.length)) return wrongly('an index points at no item');
  const wrong: string[] = [];
  const open: string[] = [];
  if (given) {
    const priced = list(record({ item: read, cost: positive }))(given.items, 'repairs');
    const stated = new Map(priced.map((one) => [name(one.item), one.cost]));
    for (const { item, cost } of items)
      if (stated.get(name(item)) !== cost)
        wrong.push(
          `${describe(item)} costs ${stated.get(name(item)) ?? 'nothing, as there is no place for it'}, not ${cost}`,
        );
    for (const { item } of priced)
      if (!names.has(name(item)))
        wrong.push(`${describe(item)} is left out, although there is a place for it`);
    if (given.costModel !== costModel)
      wrong.push(
        `the costs of the certificate are by '${costModel}', and the given costs by '${given.costModel}'`,
      );
  } else if (costModel !== 'size') open.push(`the costs, which are by '${costModel}'`);
  else
    for (const { item, cost } of items)
      if (sizeCostOf(item) !== cost)
        wrong.push(`${describe(item)} costs ${sizeCostOf(item)}, not ${cost}`);
  if (!given && parts.length > items.length)
    open.push('that repairs at several places of the program are one place of its text');
  if (!given && leftOut.length > 0)
    open.push(
      `that the text has no place for what is left out: ${leftOut.map(describe).join(', ')}`,
    );
  return { ...nothingFound, wrong, open };
}

/**
 * Checks that the chosen items have the claimed cost and contain an item of every clause, and that
 * no cheaper set does.
 */
function checkLowerBound(
  { items, chosen, clauses, cost, costModel, mode }: Choice<unknown>,
  budget: Budget,
): Findings {
  const { units, toNumber } = toDecimals(items.map((one) => one.cost));
  const spent = chosen.reduce((sum, i) => sum + units[i]!, 0n);
  if (toNumber(spent) !== cost)
    return wrongly(`the chosen repairs cost ${toNumber(spent)}, not ${cost}`);
  const missed = clauses.findIndex((clause) => !clause.items.some((i) => chosen.includes(i)));
  if (missed >= 0) return wrongly(`no chosen repair is in clause ${missed + 1}`);
  const wanted = `no cheaper choice of the ${countOf(items.length, 'allowed repair')} will do`;
  switch (
    hasCheaperSet(
      units,
      clauses.map((clause) => clause.items),
      spent,
      budget,
    )
  ) {
    case true:
      return wrongly('a cheaper choice of repairs meets all clauses');
    case false:
      return { ...nothingFound, proved: [wanted, aboutRepairs({ mode, cost, costModel })] };
    case undefined:
      return { ...nothingFound, open: [wanted] };
  }
}

/**
 * The checks in which kinds of certificates of cheapest repairs differ; `P` holds the programs that
 * the checks are about.
 */
interface CheapestChecks<P> {
  /** The findings of `checkItems` about the items that the claim lists. */
  readonly items: Findings;
  /** Returns the programs that the further checks are about; called if the items are valid. */
  readonly problem: () => P;
  /**
   * Checks that every choice which meets the goal has an item of a clause of the claim, given by
   * number. Returns the reason why this stays open, if it does. Throws `Flaw` if the clause does
   * not show it.
   */
  readonly clause: (problem: P, at: number) => string | undefined;
  /** Returns the findings about whether the program with the chosen repairs meets the goal. */
  readonly sufficiency: (problem: P) => Findings;
}

/**
 * Checks that the chosen repairs are sufficient, and that no cheaper choice is: every sufficient
 * choice has an item of every clause. Sufficiency, which takes longest, is checked last.
 */
export function checkCheapest<P>(
  choice: Choice<unknown>,
  { items, problem: problemFor, clause, sufficiency }: CheapestChecks<P>,
  claimed: Claim,
  budget: Budget,
): KindReport {
  if (items.wrong.length > 0) return rejected(...items.wrong);
  const problem = problemFor();
  const clauses = choice.clauses.map((_, at): Findings => {
    const name = `clause ${at + 1}`;
    try {
      const why = clause(problem, at);
      return why === undefined ? nothingFound : { ...nothingFound, open: [`${name} (${why})`] };
    } catch (error) {
      if (error instanceof Flaw) return wrongly(`${name}: ${error.message}`);
      throw error;
    }
  });
  const sofar = togetherOf([items, ...clauses, checkLowerBound(choice, budget)]);
  if (sofar.wrong.length > 0) return rejected(...sofar.wrong);
  return reportOf(claimed, togetherOf([sufficiency(problem), sofar]));
}
