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
  describePart,
  heavyItems,
  inserted,
  isHeavy,
  type Mode,
  type Part,
  partName,
  readItem,
  sizeCost,
  without,
} from './repair.js';
import { type Findings, Flaw, type KindReport, rejected, reportOf, wrongly } from './report.js';
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
 * reader of an item (a list of parts).
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

/**
 * A claim about repairs of a program, with two versions of the program: without any of the repairs,
 * and with the chosen repairs.
 */
export interface Problem {
  readonly automata: Automata;
  /**
   * The program without the repairs that can be removed. The computations of clauses are
   * computations of this program.
   */
  readonly bare: Automata;
  readonly claim: RepairClaim;
  /** The program with the repairs that the claim has chosen. */
  readonly repaired: Automata;
}

function togetherOf(all: readonly Findings[]): Findings {
  return {
    wrong: all.flatMap(({ wrong = [] }) => wrong),
    proved: all.flatMap(({ proved = [] }) => proved),
    open: all.flatMap(({ open = [] }) => open),
    assumes: all.flatMap(({ assumes = [] }) => assumes),
  };
}

/** Returns the problem posed by a claim, whose items have to be valid (see `checkItems`). */
export function problemOf(automata: Automata, claim: RepairClaim): Problem {
  const items = claim.items.map(({ item }) => item);
  const bare = isMinimising(claim.mode) ? without(automata, items) : automata;
  const chosen = claim.chosen.map((i) => items[i]!);
  const kept = items.filter((_, i) => !claim.chosen.includes(i));
  const repaired = isMinimising(claim.mode) ? without(automata, kept) : inserted(automata, chosen);
  return { automata, bare, claim, repaired };
}

function isMinimising(mode: Mode): boolean {
  return mode === 'minimise' || mode === 'minimise-locked';
}

/**
 * Returns the items of a claim that do not belong to a clause; `clause` has the indices of its
 * items.
 */
export function outsideOf<I>(
  items: readonly { readonly item: I }[],
  clause: readonly number[],
): readonly I[] {
  return items.flatMap(({ item }, i) => (clause.includes(i) ? [] : [item]));
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

/**
 * The functions and the list that define the items of a program, independent of a claim. An item is
 * a list of parts of type `P`.
 */
export interface ItemRules<P> {
  readonly read: Reader<readonly P[]>;
  /** All parts that are possible in the program. */
  readonly allowed: readonly P[];
  /** Returns the name of a part, unique in the program. */
  readonly name: (part: P) => string;
  readonly describe: (part: P) => string;
  /**
   * Returns the cost of a part in the cost model `size`. An item costs as much as its most
   * expensive part.
   */
  readonly sizeCost: (part: P) => number;
  /**
   * Whether a claim may leave out a part that costs at least as much as all chosen items together:
   * no cheaper choice contains such a part.
   */
  readonly mayBeLeftOut?: (part: P) => boolean;
}

/**
 * Checks that a claim lists all items with the correct costs. `given`: the items that can be
 * written into the program's text, if known to the caller. A fence at a label in `seen` is placed
 * before the label, or after the label if no fence can be written before it. `atEnds`: whether
 * fences at ends of threads are items, too. `withHeavy`: whether heavy fences are items, too, in
 * modes that allow heavy fences.
 */
function checkItems(
  automata: Automata,
  claim: RepairClaim,
  given: VerifyOptions['repairs'],
  { atEnds = false, seen = [], withHeavy = false }: Partial<RepairGoal>,
): Findings {
  if (!copiesAgree(automata))
    return wrongly('copies of a thread differ: repairs of the thread have no meaning');
  const before = allItems(automata, claim.mode, atEnds, seen);
  const listed = new Set(claim.items.flatMap(({ item }) => item).map(partName));
  const isBefore = new Set(before.map(partName));
  const behind = allItems(automata, claim.mode, atEnds).filter((part) => {
    const name = partName(part);
    return listed.has(name) && !isBefore.has(name) && !listed.has(`${name} before`);
  });
  const rules: ItemRules<Part> = {
    read: readItem,
    allowed: [...before, ...behind, ...(withHeavy ? heavyItems(automata, claim.mode) : [])],
    mayBeLeftOut: isHeavy,
    name: partName,
    describe: (part) => describePart(automata, part),
    sizeCost: (part) => sizeCost(automata, part),
  };
  return checkItemsBy(rules, claim, given);
}

/** Checks items of any kind; `checkItems` does so for repairs of threads. */
export function checkItemsBy<P>(
  rules: ItemRules<P>,
  { costModel, items, chosen, clauses, cost: chosenCost }: Choice<readonly P[]>,
  given: VerifyOptions['repairs'],
): Findings {
  const { mayBeLeftOut = () => false } = rules;
  const name = (item: readonly P[]): string => item.map(rules.name).join(', ');
  const describe = (item: readonly P[]): string => item.map(rules.describe).join(' and ');
  const names = new Set(items.map(({ item }) => name(item)));
  const parts = items.flatMap(({ item }) => item).map(rules.name);
  const listed = new Set(parts);
  const allowed = new Map(rules.allowed.map((part) => [rules.name(part), part]));
  if (listed.size < parts.length) return wrongly('an item is listed twice');
  if (parts.some((one) => !allowed.has(one)))
    return wrongly('an item is not one that the automata and the mode allow');
  // Costs in a model other than `size` are unknown here, and stay open as a whole.
  const isTooDear = (part: P): boolean =>
    mayBeLeftOut(part) && (costModel !== 'size' || rules.sizeCost(part) >= chosenCost);
  const leftOut = [...allowed].flatMap(([one, part]) =>
    listed.has(one) || isTooDear(part) ? [] : [part],
  );
  const indices = [...chosen, ...clauses.flatMap((clause) => clause.items)];
  if (indices.some((i) => i >= items.length)) return wrongly('an index points at no item');
  const wrong: string[] = [];
  const open: string[] = [];
  if (given) {
    const priced = list(record({ item: rules.read, cost: positive }))(given.items, 'repairs');
    const stated = new Map(priced.map((one) => [name(one.item), one.cost]));
    for (const { item, cost } of items)
      if (stated.get(name(item)) !== cost)
        wrong.push(
          `${describe(item)} costs ${stated.get(name(item)) ?? 'nothing, as there is no place for it'}, not ${cost}`,
        );
    for (const { item, cost } of priced)
      if (!names.has(name(item)) && !(item.every(mayBeLeftOut) && cost >= chosenCost))
        wrong.push(`${describe(item)} is left out, although there is a place for it`);
    if (given.costModel !== costModel)
      wrong.push(
        `the costs of the certificate are by '${costModel}', and the given costs by '${given.costModel}'`,
      );
  } else if (costModel !== 'size') open.push(`the costs, which are by '${costModel}'`);
  else
    for (const { item, cost } of items) {
      const size = Math.max(...item.map(rules.sizeCost));
      if (size !== cost) wrong.push(`${describe(item)} costs ${size}, not ${cost}`);
    }
  if (!given && parts.length > items.length)
    open.push('that repairs at several places of the program are one place of its text');
  if (!given && leftOut.length > 0)
    open.push(
      `that the text has no place for what is left out: ${[...new Set(leftOut.map(rules.describe))].join(', ')}`,
    );
  return { wrong, open };
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
      return { proved: [wanted, aboutRepairs({ mode, cost, costModel })] };
    case undefined:
      return { open: [wanted] };
  }
}

/**
 * The checks in which kinds of certificates of cheapest repairs differ; `P` holds the programs that
 * the checks are about.
 */
interface CheapestChecks<P> {
  /** The claim that the certificate proves. */
  readonly claimed: Claim;
  /**
   * Checks that every choice which meets the goal has an item of the claim's clause number `at`.
   * Returns `undefined` if this is shown, and the reason if the question stays open. Throws `Flaw`
   * if the clause does not show it.
   */
  readonly clause: (problem: P, at: number) => string | undefined;
  /** Returns the findings about whether the program with the chosen repairs meets the goal. */
  readonly sufficiency: (problem: P) => Findings;
}

/**
 * Checks that the chosen repairs are sufficient, and that no cheaper choice is sufficient, as every
 * sufficient choice has an item of every clause. `items`: the findings about the items that the
 * claim lists. `problemFor` is called only if these findings contain no error. Sufficiency, which
 * takes longest, is checked last.
 */
export function checkCheapest<P>(
  choice: Choice<unknown>,
  items: Findings,
  problemFor: () => P,
  { claimed, clause, sufficiency }: CheapestChecks<P>,
  budget: Budget,
): KindReport {
  if (items.wrong?.length) return rejected(...items.wrong);
  const problem = problemFor();
  const clauses = choice.clauses.map((_, at): Findings => {
    const name = `clause ${at + 1}`;
    try {
      const why = clause(problem, at);
      return why === undefined ? {} : { open: [`${name} (${why})`] };
    } catch (error) {
      if (error instanceof Flaw) return wrongly(`${name}: ${error.message}`);
      throw error;
    }
  });
  const sofar = togetherOf([items, ...clauses, checkLowerBound(choice, budget)]);
  if (sofar.wrong?.length) return rejected(...sofar.wrong);
  return reportOf(claimed, togetherOf([sufficiency(problem), sofar]));
}

/** A goal of repairs of threads. */
export interface RepairGoal extends CheapestChecks<Problem> {
  /** Whether fences at the ends of threads are among the possible repairs. */
  readonly atEnds?: boolean;
  /** The labels that occur in the goal. */
  readonly seen?: readonly AtLocation[];
  /** Whether heavy fences are among the possible repairs, in modes that have heavy fences. */
  readonly withHeavy?: boolean;
  /**
   * Findings after which the check ends, right after the items are found valid; absent if there are
   * none.
   */
  readonly ends?: Findings;
}

/** Checks that repairs of threads are a cheapest choice after which the program meets a goal. */
export function checkRepairs(
  automata: Automata,
  claim: RepairClaim,
  { ends, ...goal }: RepairGoal,
  budget: Budget,
  { repairs }: VerifyOptions,
): KindReport {
  const items = checkItems(automata, claim, repairs, goal);
  if (ends && !items.wrong?.length) return reportOf(goal.claimed, ends);
  return checkCheapest(claim, items, () => problemOf(automata, claim), goal, budget);
}
