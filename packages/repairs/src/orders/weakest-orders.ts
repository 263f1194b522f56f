import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import type { HittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import {
  isAtMost,
  joinedLevel,
  type OrderLevel,
  strengthOf,
} from '@fencewright/model/program/order-level.js';
import type { OrderTarget } from '@fencewright/model/program/order-target.js';
import type { Assumption } from '@fencewright/model/program/assumption.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { C11Refusal } from '@fencewright/model/verdict/c11-result.js';
import type { OrderChange } from '@fencewright/model/program/order-change.js';
import type {
  LeftOutOrder,
  OpenOrders,
  OrdersGoal,
  OrdersResult,
  OrdersVerdict,
  OrderViolation,
} from '@fencewright/model/verdict/orders-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/unknown-reason.js';
import { findAloneSteps } from '@fencewright/engines/c11/alone-steps.js';
import { compileC11 } from '@fencewright/engines/c11/c11-steps.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import { type CheapestAnswer, type Clause, findCheapest } from '../fences/cheapest-hitting.js';
import { placeRanks } from '../fences/place-ranks.js';
import { applyOrders, type OrderAssignment } from './apply-orders.js';
import { checkOrders, type OrderAnswer } from './check-orders.js';
import { findOrderSites, haveSameOrders, type OrderSite, type SiteOptions } from './order-sites.js';
import { raised, strongestTooWeak } from './strongest-too-weak.js';
import { levelCost } from './target-costs.js';

export interface WeakestOrdersOptions extends SiteOptions {
  readonly model: C11Model;
  readonly goal: OrdersGoal;
  readonly target: OrderTarget;
  readonly solver: HittingSetSolver;
  readonly budget: Budget;
}

/**
 * A memory order of a site that is stronger than the site's weakest one, as an item of a hitting
 * set.
 */
interface Item {
  readonly site: number;
  readonly level: OrderLevel;
  readonly cost: number;
  readonly rank: number;
}

/**
 * A clause about memory orders: all assignments that are at most as strong as `tooWeak` are too
 * weak.
 */
interface OrderClause extends Clause {
  readonly tooWeak: OrderAssignment;
  readonly found: OrderViolation;
  /**
   * Whether the clause is in doubt: some of the assignments that are at most as strong as `tooWeak`
   * may be strong enough.
   */
  readonly isDoubtful: boolean;
}

/** The factor for multiplying costs before rounding to integers; sums of integers are exact. */
const unit = 1000;

/**
 * The smallest rank of a fence that is inserted: changes of memory orders have smaller ranks, and
 * are preferred.
 */
const fenceRank = 8;

class WeakestOrders {
  readonly #code;
  readonly #options: WeakestOrdersOptions;
  readonly #sites: readonly OrderSite[];
  readonly #items: readonly Item[];
  readonly #clauses: OrderClause[] = [];
  /** The memory orders of the text that the search does not change. */
  readonly leftOut: readonly LeftOutOrder[];
  /** The limit that ended the search. */
  #refusal: C11Refusal = {};
  /**
   * The lower bound of the cost that the clauses without doubt have proved so far; `undefined`
   * until a bound is known.
   */
  #bound: number | undefined;
  #isAloneOpen = false;
  checks = 0;
  states = 0;

  constructor(program: Program, options: WeakestOrdersOptions) {
    this.#code = compileC11(program);
    this.#options = options;
    const { sites, leftOut } = findOrderSites(this.#code, options);
    this.#sites = sites;
    this.leftOut = leftOut;
    this.#items = this.#findItems();
  }

  get clauses(): number {
    return this.#clauses.length;
  }

  async run(): Promise<OrdersVerdict> {
    const { change } = this.#options;
    if (change === 'lower') {
      const given = await this.#check(this.#sites.map((site) => site.given));
      if (given.kind === 'doubtful') return this.#undecided(given.fault);
      if (given.kind === 'unknown') return { ...given, kind: 'unknown' };
      if (given.kind === 'too-weak') return { kind: 'impossible', reason: given.fault };
    }
    let assumptions: readonly Assumption[] = [];
    const answer = await this.#cheapest([], async (chosen) => {
      if (this.#clauses.every(({ isDoubtful }) => !isDoubtful))
        this.#bound = this.#costOfItems(chosen);
      const refuted = await this.#clauseFor(this.#levels(chosen));
      if (typeof refuted === 'string' || 'items' in refuted) return refuted;
      assumptions = refuted.assumptions;
      return undefined;
    });
    const proven = await this.#proven(answer);
    if (proven.kind === 'unknown') return this.#unknown(proven.reason);
    if (proven.kind === 'optimal') this.#bound = this.#costOfItems(proven.chosen);
    if (proven.kind === 'impossible') return { kind: 'impossible', reason: proven.clause.found };
    if (answer.kind === 'unknown') return this.#unknown(answer.reason);
    if (answer.kind === 'impossible') return this.#undecided(answer.clause.found);
    const levels = this.#levels(answer.chosen);
    const alone = change === 'lower' ? await this.#alone() : [];
    if (typeof alone === 'string') return this.#unknown(alone);
    const cost = this.#costOf(levels);
    const known = this.#levels(proven.chosen);
    const bound = this.#costOf(known);
    // If `bound` equals `cost`, the doubtful clauses may still have forced changes that cost
    // nothing: then the answer is open as well.
    const areOpen =
      bound < cost || known.some((level, site) => !haveSameOrders(level, at(levels, site)));
    const isOpen = areOpen || this.#isAloneOpen;
    return {
      ...{ kind: 'found', changes: this.#changes(levels), alone, cost, assumptions },
      changed: applyOrders(this.#code, this.#sites, levels),
      reasons: proven.clauses.map(({ found }) => found),
      ...(isOpen && { open: this.#open(areOpen ? bound : undefined) }),
    };
  }

  /**
   * Returns the cheapest choice of items that meets the known clauses, and that `refute` does not
   * refute.
   */
  #cheapest(
    known: readonly OrderClause[],
    refute: (chosen: readonly number[]) => Promise<OrderClause | UnknownReason | undefined>,
  ): Promise<CheapestAnswer<OrderClause>> {
    const { solver, budget } = this.#options;
    return findCheapest<OrderClause>({
      costs: this.#items.map(({ cost }) => cost),
      ranks: this.#items.map(({ rank }) => rank),
      ...{ solver, budget, known, refute },
    });
  }

  /** Returns the answer if only the clauses without doubt count: its cost is a lower bound. */
  async #proven(answer: CheapestAnswer<OrderClause>): Promise<CheapestAnswer<OrderClause>> {
    if (answer.kind === 'unknown' || this.#clauses.every(({ isDoubtful }) => !isDoubtful))
      return answer;
    const known = this.#clauses.filter(({ isDoubtful }) => !isDoubtful);
    return this.#cheapest(known, () => Promise.resolve(undefined));
  }

  #open(bound: number | undefined): OpenOrders {
    const doubts = this.#clauses.filter(({ isDoubtful }) => isDoubtful);
    return {
      ...(bound !== undefined && { bound }),
      isAloneOpen: this.#isAloneOpen,
      doubts: doubts.map(({ found }) => found),
    };
  }

  /**
   * Returns the verdict after a search that ended early, with the bound and reasons proved so far.
   */
  #unknown(reason: UnknownReason): OrdersVerdict {
    const { limit, at: place, address } = this.#refusal;
    const known = this.#clauses.filter(({ isDoubtful }) => !isDoubtful);
    const bound = this.#bound;
    const reasons = known.map(({ found }) => found);
    return {
      ...{ kind: 'unknown', reason },
      ...(limit && { limit }),
      ...(place && { at: place }),
      ...(address !== undefined && { address }),
      ...(reasons.length > 0 && { soFar: { ...(bound !== undefined && { bound }), reasons } }),
    };
  }

  /** Returns the verdict if even the strongest possible orders are not certainly enough. */
  #undecided(found: OrderViolation): OrdersVerdict {
    if (found.kind !== 'doubt') return this.#unknown('undecided');
    this.#refusal = found.doubt;
    return this.#unknown('unsupported');
  }

  /** Returns, for each site, all memory orders above the weakest, with costs and ranks. */
  #findItems(): readonly Item[] {
    const sites = this.#sites;
    const inserted = [...sites.keys()].filter((index) => at(sites, index).fences.length > 0);
    const places = inserted.map((index) => at(at(sites, index).fences, 0));
    const { rankOf } = this.#options;
    const ranks = rankOf
      ? places.map(({ thread, location }) => rankOf(thread, location))
      : placeRanks(
          this.#code.program,
          places.map((place) => ({ kind: 'fence', ...place })),
        );
    return sites.flatMap((site, index) => {
      const place = inserted.indexOf(index);
      return site.levels.slice(1).map((level): Item => ({
        ...{ site: index, level },
        cost: this.#costBetween(site, site.floor, level),
        rank:
          (place < 0 ? 0 : fenceRank + at(ranks, place)) +
          strengthOf(level) -
          strengthOf(site.floor),
      }));
    });
  }

  /**
   * Returns the cost of a memory order at a site minus the cost of another memory order there, in
   * thousandths.
   */
  #costBetween({ kind, weight }: OrderSite, from: OrderLevel, to: OrderLevel): number {
    const { target } = this.#options;
    return (
      Math.round(weight * unit) * (levelCost(target, kind, to) - levelCost(target, kind, from))
    );
  }

  #levels(chosen: readonly number[]): OrderAssignment {
    return this.#sites.map(({ floor }, site) =>
      chosen
        .map((index) => at(this.#items, index))
        .filter((item) => item.site === site)
        .reduce((level, item) => joinedLevel(level, item.level), floor),
    );
  }

  #changes(levels: OrderAssignment): readonly OrderChange[] {
    return this.#sites.flatMap((_, site) => this.#change(site, at(levels, site)));
  }

  #costOf(levels: OrderAssignment): number {
    return this.#changes(levels).reduce((sum, { cost }) => sum + cost * unit, 0) / unit;
  }

  #costOfItems(chosen: readonly number[]): number {
    return this.#costOf(this.#levels(chosen));
  }

  /**
   * Returns the change that gives a site the memory order `to`; no change if the text already has
   * this order.
   */
  #change(index: number, to: OrderLevel): OrderChange[] {
    const site = at(this.#sites, index);
    const { kind, steps, fences, given: from } = site;
    if (haveSameOrders(from, to)) return [];
    return [{ kind, steps, fences, from, to, cost: this.#costBetween(site, from, to) / unit }];
  }

  /** Checks the program with these memory orders. */
  async #check(levels: OrderAssignment): Promise<OrderAnswer> {
    const program = applyOrders(this.#code, this.#sites, levels);
    const { answer, states } = await checkOrders(program, this.#options, this.#options.budget);
    this.checks += 1;
    this.states += states;
    return answer;
  }

  /**
   * Returns a clause if the memory orders are too weak, the reason if the orders are undecided, and
   * the check's answer if the orders are enough.
   */
  async #clauseFor(
    levels: OrderAssignment,
  ): Promise<OrderClause | UnknownReason | Extract<OrderAnswer, { readonly kind: 'enough' }>> {
    const answer = await this.#check(levels);
    if (answer.kind === 'unknown') {
      this.#refusal = answer;
      return answer.reason;
    }
    if (answer.kind === 'enough') return answer;
    const { fault: found } = answer;
    const tooWeak = await this.#strongestTooWeak(levels, found);
    const items = [...this.#items.keys()].filter((index) => {
      const { site, level } = at(this.#items, index);
      return !isAtMost(level, at(tooWeak, site));
    });
    const clause = { items, tooWeak, found, isDoubtful: answer.kind === 'doubtful' };
    this.#clauses.push(clause);
    return clause;
  }

  /**
   * Returns memory orders at least as strong as `levels` with which the program still has the
   * violation, or the doubt.
   */
  #strongestTooWeak(levels: OrderAssignment, found: OrderViolation): Promise<OrderAssignment> {
    const { model, budget } = this.#options;
    const sites = this.#sites;
    if (found.kind !== 'doubt')
      return strongestTooWeak(this.#code, model, sites, levels, found, budget);
    return raised(sites, levels, [...sites.keys()], async (stronger) => {
      const answer = await this.#check(stronger);
      return answer.kind === 'doubtful' && answer.fault.kind === 'doubt';
    });
  }

  /**
   * Whether the program is correct with these memory orders beyond doubt. Counterexamples and
   * doubts found earlier answer most questions without a search.
   */
  async #areEnough(levels: OrderAssignment): Promise<boolean | UnknownReason> {
    const isWeak = ({ tooWeak }: OrderClause): boolean =>
      levels.every((level, site) => isAtMost(level, at(tooWeak, site)));
    const known = this.#clauses.filter(isWeak);
    const clause =
      known.find(({ isDoubtful }) => !isDoubtful) ?? known[0] ?? (await this.#clauseFor(levels));
    if (typeof clause === 'string') return clause;
    if (!('items' in clause)) return true;
    if (clause.isDoubtful) this.#isAloneOpen = true;
    return false;
  }

  /**
   * Returns, for each site, the weakest memory orders that are enough while all other sites keep
   * the orders of the text.
   */
  async #alone(): Promise<readonly OrderChange[] | UnknownReason> {
    const given = this.#sites.map((site) => site.given);
    const changes: OrderChange[] = [];
    for (const [index, { levels }] of this.#sites.entries()) {
      const enough: OrderLevel[] = [];
      for (const level of levels) {
        if (enough.some((weaker) => isAtMost(weaker, level))) continue;
        const answer = await this.#areEnough(given.with(index, level));
        if (typeof answer === 'string') return answer;
        if (answer) enough.push(level);
      }
      changes.push(...enough.flatMap((level) => this.#change(index, level)));
    }
    return changes;
  }
}

/**
 * Finds the cheapest memory orders, and with `raise` fences, that make a program free of data races
 * and robust against C11, or with which its assertions hold. The search is an implicit hitting set:
 * each counterexample gives a clause of orders that are too weak. Stronger orders allow fewer
 * executions, so the last check proves the orders sufficient, and the clauses prove that no cheaper
 * orders are sufficient. Doubts about hardware give clauses in doubt, and so do some executions if
 * the goal is assertions. If there are clauses in doubt, the other clauses prove a lower bound of
 * the cost.
 */
export async function findWeakestOrders(
  program: Program,
  options: WeakestOrdersOptions,
): Promise<OrdersResult> {
  const { model, goal, change, target, budget } = options;
  // A C program whose `main` has joined all other threads runs alone from then on, so orders of
  // later instructions make no difference.
  const asks = change === 'lower' && isOfC(program);
  const isAlone = asks ? await findAloneSteps(program, model, budget) : undefined;
  const search = new WeakestOrders(program, { ...options, ...(isAlone && { isAlone }) });
  const verdict = await search.run();
  const { checks, states, clauses, leftOut } = search;
  const { milliseconds } = budget;
  return {
    ...{ model, goal, change, target, verdict, diagnostics: [] },
    ...(leftOut.length > 0 && { leftOut }),
    statistics: { checks, clauses, states, milliseconds },
  };
}
