import type { Budget } from '@fencewright/ground/base/budget.js';
import { exactSum } from '@fencewright/ground/base/exact-sum.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import { singleRepairs } from '@fencewright/model/program/repair.js';
import type { BlockedSteps } from '@fencewright/engines/automata/attacker-automaton.js';
import { hasOpenAttack } from '@fencewright/engines/search/open-attacks.js';
import type { HittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import type { UnknownReason, Witness } from '@fencewright/model/verdict/verdict.js';
import { type CheapestAnswer, type Clause, findCheapest } from './cheapest-hitting.js';
import { callNearness } from './call-nearness.js';
import { placeRanks } from './place-ranks.js';
import { itemsThatStop, toBlockedSteps, type RepairProblem } from './repair-problem.js';
import { textThread, threadsOfText } from './text-thread.js';

/**
 * A clause met by every program that a repair makes robust: each of the items stops the witness,
 * and no other item does.
 */
export interface RepairClause extends Clause {
  readonly witness: Witness;
}

/** The answer to a repair problem: the cheapest items, or why there are none. */
export type RepairAnswer = CheapestAnswer<RepairClause>;

/**
 * Finds a witness of a feasible attack of a thread that has to drain its buffer at the steps in
 * `blocked`. Returns `undefined` if there is no such attack, or the reason why the result is
 * unknown. Control flow must allow at least one attack.
 */
type AttackFinder = (
  thread: ThreadId,
  blocked: BlockedSteps,
) => Promise<Witness | UnknownReason | undefined>;

/** The solver of hitting sets for repair problems, and its limits. */
interface HittingOptions {
  readonly solver: HittingSetSolver;
  readonly budget: Budget;
}

/**
 * Groups threads: two threads are in one group if the threads have equal texts, or if some item is
 * about both threads.
 */
function textsTogether({ program, items }: RepairProblem): readonly (readonly ThreadId[])[] {
  const texts = [...program.threads.keys()].filter((t) => textThread(program, t) === t);
  let groups = texts.map((text) => [text]);
  for (const item of items) {
    const own = singleRepairs(item).map(({ thread }) => thread);
    const [joined, others] = [true, false].map((isOwn) =>
      groups.filter((group) => group.some((text) => own.includes(text)) === isOwn),
    );
    if (joined!.length > 1) groups = [joined!.flat(), ...others!];
  }
  return groups
    .map((group) => group.toSorted((a, b) => a - b))
    .toSorted(([a], [b]) => a! - b!)
    .map((group) => group.flatMap((text) => threadsOfText(program, text)));
}

class AttackHitting {
  readonly #problem: RepairProblem;
  readonly #options: HittingOptions;
  readonly #find: AttackFinder;

  constructor(problem: RepairProblem, options: HittingOptions, find: AttackFinder) {
    this.#problem = problem;
    this.#options = options;
    this.#find = find;
  }

  async solve(): Promise<RepairAnswer> {
    const chosen: number[] = [];
    const clauses: RepairClause[] = [];
    const costs: number[] = [];
    for (const threads of textsTogether(this.#problem)) {
      const answer = await this.#solveTexts(threads);
      if (answer.kind === 'impossible') return answer;
      clauses.push(...answer.clauses);
      if (answer.kind === 'unknown')
        return { ...answer, clauses, bound: exactSum([...costs, answer.bound]) };
      chosen.push(...answer.chosen);
      costs.push(answer.cost);
    }
    chosen.sort((a, b) => a - b);
    return { kind: 'optimal', chosen, cost: exactSum(costs), clauses };
  }

  /**
   * Finds the cheapest items for one group of threads. Fences and locked stores affect only threads
   * that execute them as attackers, so groups without common items are independent problems.
   */
  #solveTexts(threads: readonly ThreadId[]): Promise<RepairAnswer> {
    const { program, items, ranks, kinds } = this.#problem;
    const refined = (clauses: readonly RepairClause[]): readonly number[] => {
      const attacks = clauses.map(({ items: stopping, witness: { attack } }) => {
        return { items: stopping, attack };
      });
      // Only items that stop some attack are ever chosen, so only they need ranks.
      const own = [...new Set(attacks.flatMap(({ items: stopping }) => stopping))];
      const near = callNearness(program, items, attacks);
      const found = placeRanks(
        program,
        own.map((item) => items[item]!),
        kinds && own.map((item) => kinds[item]!),
        new Map(
          own.flatMap((item, index) => {
            const calls = near.get(item);
            return calls === undefined ? [] : [[index, calls]];
          }),
        ),
      );
      const all = [...(ranks ?? [])];
      own.forEach((item, index) => (all[item] = found[index]!));
      return all;
    };
    return findCheapest<RepairClause>({
      ...this.#options,
      costs: items.map(({ cost }) => cost),
      ...(ranks && { ranks }),
      // Ranks compare places of fences; exchanges have none.
      ...(ranks && items.every(({ kind }) => kind === 'fence') && { refine: refined }),
      refute: async (chosen) => {
        const witness = await this.#findAttack(threads, chosen);
        if (typeof witness !== 'object') return witness;
        return { items: itemsThatStop(this.#problem, witness), witness };
      },
    });
  }

  /**
   * Finds a feasible attack of the threads not stopped by the chosen items. Returns the attack's
   * witness; `undefined` if no attack is feasible; or the reason why feasibility is unknown.
   */
  async #findAttack(
    threads: readonly ThreadId[],
    chosen: readonly number[],
  ): Promise<Witness | UnknownReason | undefined> {
    const { program, items } = this.#problem;
    const repairs = chosen.map((index) => items[index]!);
    for (const thread of threads) {
      const blocked = toBlockedSteps(program, repairs, thread);
      if (!hasOpenAttack(program, thread, blocked)) continue;
      const found = await this.#find(thread, blocked);
      if (found) return found;
    }
    return undefined;
  }
}

/**
 * Finds the cheapest items leaving no attack, with a proof of optimality. The witnesses of `find`
 * must be of threads of the problem's program.
 */
export function hitAttacks(
  problem: RepairProblem,
  options: HittingOptions,
  find: AttackFinder,
): Promise<RepairAnswer> {
  return new AttackHitting(problem, options, find).solve();
}
