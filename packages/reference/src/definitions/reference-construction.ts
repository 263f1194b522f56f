import { at } from '@fencewright/ground/base/at.js';
import { computeReachableAvoiding } from '@fencewright/model/analysis/control-flow.js';
import { drainsBuffer } from '@fencewright/model/program/instruction.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { AttackRound } from '@fencewright/engines/search/attack-round.js';
import { hasOpenAttack } from '@fencewright/engines/search/open-attacks.js';
import { SearchSession } from '@fencewright/engines/search/search-session.js';
import { enumerateAttacks } from '@fencewright/engines/robustness/attacks.js';
import { selectFenceSets } from './fence-selection.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { type RepairProblem, toBlockedSteps } from '@fencewright/repairs/fences/repair-problem.js';
import { singleRepairs, type Repair } from '@fencewright/model/program/repair.js';
import { textThread } from '@fencewright/repairs/fences/text-thread.js';

/**
 * Returns the items involved in an attack: fences at labels on a control-flow path from the store
 * to the load ([BDM13] Sect. 7.1).
 */
function involvedItems({ program, items }: RepairProblem, attack: Attack): number[] {
  const thread = program.threads[attack.thread];
  const store = thread?.transitions[attack.store];
  const load = thread?.transitions[attack.load];
  if (!thread || !store || !load) return [];
  const drains = ({ instruction }: { readonly instruction: Parameters<typeof drainsBuffer>[0] }) =>
    drainsBuffer(instruction);
  const after = computeReachableAvoiding(thread, store.to, drains);
  const isInvolved = (part: Repair): boolean => {
    if (part.kind !== 'fence' || part.thread !== textThread(program, attack.thread)) return false;
    if (after[part.location] !== true) return false;
    const onward = computeReachableAvoiding(thread, part.location, drains);
    return onward[load.from] === true;
  };
  return items.flatMap((item, index) => (singleRepairs(item).some(isInvolved) ? [index] : []));
}

/** Yields all subsets of `items`, smaller subsets first. */
function* subsets(items: readonly number[]): Generator<readonly number[]> {
  for (let size = 0; size <= items.length; size++) yield* subsetsOfSize(items, size, 0);
}

function* subsetsOfSize(
  items: readonly number[],
  size: number,
  from: number,
): Generator<readonly number[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let i = from; i <= items.length - size; i++)
    for (const rest of subsetsOfSize(items, size - 1, i + 1)) yield [at(items, i), ...rest];
}

/**
 * Returns the names of a thread's feasible attacks that the chosen fences (indices of `items`) do
 * not prevent.
 */
async function feasibleAttacks(
  session: SearchSession,
  { program, items }: RepairProblem,
  attacker: ThreadId,
  chosen: readonly number[],
): Promise<ReadonlySet<string>> {
  const repairs = chosen.map((index) => items[index]!);
  const blocked = toBlockedSteps(program, repairs, attacker);
  const thread = session.representative(attacker);
  if (!hasOpenAttack(program, thread, blocked)) return new Set();
  const round = new AttackRound(session, [{ thread, blocked }], { stopAtFirst: false });
  await round.run(new Budget());
  return new Set(round.found.map(nameOf));
}

function nameOf({ store, load }: Attack): string {
  return `${store} ${load}`;
}

/**
 * Returns a function that tells whether an attack is feasible after a choice of items. For each
 * choice, a thread's attacks are searched for once.
 */
function feasibility(session: SearchSession, problem: RepairProblem) {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  return async (attack: Attack, chosen: readonly number[]): Promise<boolean> => {
    const key = `${attack.thread}: ${chosen.join(' ')}`;
    const found = known.get(key) ?? feasibleAttacks(session, problem, attack.thread, chosen);
    known.set(key, found);
    return (await found).has(nameOf(attack));
  };
}

/**
 * Returns the irreducible sets of items that eliminate a feasible attack; `undefined` if the attack
 * is infeasible. Exponential in the number of items involved.
 */
async function irreducibleSets(
  isFeasible: ReturnType<typeof feasibility>,
  problem: RepairProblem,
  attack: Attack,
): Promise<(readonly number[])[] | undefined> {
  const found: (readonly number[])[] = [];
  if (!(await isFeasible(attack, []))) return undefined;
  for (const set of subsets(involvedItems(problem, attack))) {
    if (found.some((smaller) => smaller.every((item) => set.includes(item)))) continue;
    if (!(await isFeasible(attack, set))) found.push(set);
  }
  return found;
}

/**
 * Returns an optimal set of fences by the paper's construction: all irreducible eliminating sets of
 * every feasible attack, and ILP (14) over these sets. For comparison, on small programs with
 * finitely many states. `undefined` if some attack cannot be eliminated. Source: [BDM13] Sect. 7.
 */
export async function optimalFencesByPaper(
  problem: RepairProblem,
): Promise<{ readonly chosen: readonly number[]; readonly cost: number } | undefined> {
  const program: Program = problem.program;
  const options = { staticPath: false, fewThreads: false };
  const isFeasible = feasibility(new SearchSession(program, options), problem);
  const families: (readonly (readonly number[])[])[] = [];
  for (const attack of enumerateAttacks(program)) {
    const sets = await irreducibleSets(isFeasible, problem, attack);
    if (!sets) continue;
    if (sets.length === 0) return undefined;
    families.push(sets);
  }
  const costs = problem.items.map(({ cost }) => cost);
  const chosen = await selectFenceSets({ costs, families });
  return { chosen, cost: chosen.reduce((sum, index) => sum + at(costs, index), 0) };
}
