import { type Automata, draining } from '../automata.js';
import type { Budget } from '../budget.js';
import type { CertificateBody, VerifyOptions } from '../check.js';
import { claimOf } from '../claim.js';
import { insideBlock } from '../control-flow.js';
import { explore } from '../explore.js';
import { Machine, type Moment, replay, type State, stateKey, type Step } from '../machine.js';
import { faultsEnd } from '../may-fault.js';
import {
  checkRepairs,
  clauseMembers,
  outsideOf,
  type Problem,
  type RepairGoal,
  repairMembers,
} from '../optimum.js';
import { itemsByThread } from '../repair.js';
import { type Findings, Flaw, type KindReport, wrongly } from '../report.js';
import { anyIndex, list, record } from '../shape.js';
import { writes } from '../static-path.js';
import { withChosen } from '../words.js';

const readClaim = record({
  ...repairMembers,
  clauses: list(
    record({
      ...clauseMembers,
      race: record({ earlierStore: anyIndex, load: anyIndex, other: anyIndex }),
    }),
  ),
});

type Race = ReturnType<typeof readClaim>['clauses'][number]['race'];

/**
 * Whether the lock block that a thread is in may write, judging by control flow from the location
 * `start` on.
 */
function mayWrite({ threads }: Automata, thread: number, start: number): boolean {
  const inside = insideBlock(threads[thread]!, start);
  return threads[thread]!.transitions.some(
    ({ from, instruction }) => inside.has(from) && writes(instruction),
  );
}

/**
 * Describes an error in a claimed triangular race ([Owe10]); `undefined` if there is none. In an SC
 * computation a thread stores to one cell and then loads from another cell, without an instruction
 * between that waits for an empty buffer. A write of another thread to the loaded cell directly
 * follows the load. A lock block is one step: if the write is in a lock block, the block directly
 * follows the load, and the write may come after further accesses of the block. In a block that may
 * write, a read of the cell stored to takes the place of the write.
 */
function refuteRace(
  { automata }: Machine,
  moments: readonly Moment[],
  { earlierStore, load, other }: Race,
): string | undefined {
  const [store, loaded, last] = [moments[earlierStore], moments[load], moments[other]];
  if (!store || !loaded || !last || earlierStore >= load || other !== moments.length - 1)
    return 'the clause names no race at the end of its computation';
  const { thread } = loaded.action;
  if (
    loaded.action.kind !== 'load' ||
    store.action.kind !== 'issue' ||
    store.action.thread !== thread
  )
    return 'no store and load of one thread are named';
  const { address } = loaded.access!;
  if (store.access!.address === address) return 'the store is to the cell that is loaded';
  const between = moments.slice(earlierStore, load).map(({ action }) => action);
  if (between.some((action) => action.thread === thread && draining.has(action.kind)))
    return 'the buffer is empty between store and load';
  const behind = moments.slice(load + 1);
  const racing = last.action.thread;
  if (racing === thread || behind.some(({ action }) => action.thread !== racing))
    return 'the access does not directly follow the load';
  // One step, which may include the issue of a store; or a lock block from its start.
  const isBlock = behind[0]!.action.kind === 'lock';
  const isOne = behind.length === 1 || (behind.length === 2 && behind[0]!.action.kind === 'issue');
  if (!isOne && !isBlock) return 'the access does not directly follow the load';
  if (behind.some(({ action }) => action.kind === 'unlock'))
    return 'the lock block of the load has ended';
  const access = last.action.kind === 'store' ? behind.at(-2)?.access : last.access;
  if (access?.written !== undefined && access.address === address) return undefined;
  const first = behind[0]!;
  const start = automata.threads[racing]!.transitions[first.action.transition]!.to;
  const readsStored = access?.read !== undefined && access.address === store.access!.address;
  if (isBlock && readsStored && mayWrite(automata, racing, start)) return undefined;
  return 'the access does not race with the load';
}

/**
 * Describes an error in a clause; `undefined` if there is none. A race does not survive fences
 * before instructions that the loading thread executes after the store, up to the load.
 */
function checkClause(
  problem: Problem,
  machine: Machine,
  clause: ReturnType<typeof readClaim>['clauses'][number],
): string | undefined {
  const { computation, items, race } = clause;
  // Under SC a store is in memory at once.
  const isSc = computation.every(
    ({ kind, thread, transition }, at) =>
      kind !== 'issue' ||
      (computation[at + 1]?.kind === 'store' &&
        computation[at + 1]!.thread === thread &&
        computation[at + 1]!.transition === transition),
  );
  if (!isSc) return 'the computation is not possible under SC';
  const { moments } = replay(machine, computation);
  const flaw = refuteRace(machine, moments, race);
  if (flaw !== undefined) return flaw;
  const outside = outsideOf(problem.claim.items, items);
  const { thread } = moments[race.load]!.action;
  const { fences } = itemsByThread(machine.automata, outside)[thread]!;
  const isStopped = moments
    .slice(race.earlierStore + 1, race.load + 1)
    .some(
      ({ action, before }) =>
        action.thread === thread &&
        action.kind !== 'store' &&
        fences.has(before.locations[thread]!),
    );
  return isStopped ? 'fences outside the clause stop its race, too' : undefined;
}

interface RaceSearchState {
  readonly state: State;
  /**
   * For each thread, the addresses of the cells stored to since its last instruction that needs an
   * empty buffer.
   */
  readonly stored: readonly (readonly number[])[];
}

function afterStep(stored: readonly number[], { kind, access }: Step): readonly number[] {
  if (kind === 'store') return [...new Set([...stored, access!.address])].sort((a, b) => a - b);
  return draining.has(kind) ? [] : stored;
}

class RaceSearch {
  readonly #machine: Machine;
  readonly #budget: Budget;
  faults = false;

  constructor(automata: Automata, budget: Budget) {
    this.#machine = new Machine(automata);
    this.#budget = budget;
  }

  #steps(state: State, thread: number): readonly Step[] {
    const { steps, faults } = this.#machine.steps(state, thread, true);
    this.faults ||= faults.length > 0;
    return steps;
  }

  /**
   * Whether the next step of `thread`, or an access in the lock block begun by this step, races
   * with a load from `address` that another thread executes after storing to the cells `others`.
   */
  #races(state: State, thread: number, address: number, others: readonly number[]): boolean {
    const { automata } = this.#machine;
    const writes = ({ access }: Step): boolean =>
      access?.written !== undefined && access.address === address;
    const reads = ({ access }: Step): boolean =>
      access?.read !== undefined && others.includes(access.address);
    return this.#steps(state, thread).some((first) => {
      if (writes(first)) return true;
      if (first.kind !== 'lock') return false;
      if (!mayWrite(automata, thread, first.state.locations[thread]!)) return false;
      const inside = explore(
        [first.state],
        stateKey,
        (here) => {
          if (here.holder !== thread) return [];
          const steps = this.#steps(here, thread);
          return steps.some((step) => writes(step) || reads(step))
            ? 'goal'
            : steps.map(({ state: after }) => after);
        },
        this.#budget,
      );
      return inside === 'goal';
    });
  }

  run(): ReturnType<typeof explore> {
    const { initial } = this.#machine;
    return explore<RaceSearchState>(
      [{ state: initial, stored: initial.locations.map(() => []) }],
      ({ state, stored }) => `${stateKey(state)} ${JSON.stringify(stored)}`,
      ({ state, stored }) => {
        const after: RaceSearchState[] = [];
        for (const thread of state.locations.keys())
          for (const step of this.#steps(state, thread)) {
            const { address } = step.access ?? {};
            const others = stored[thread]!.filter((cell) => cell !== address);
            const isRace =
              step.kind === 'load' &&
              others.length > 0 &&
              state.locations.some(
                (_, other) => other !== thread && this.#races(step.state, other, address!, others),
              );
            if (isRace) return 'goal';
            const cells = stored.map((own, t) => (t === thread ? afterStep(own, step) : own));
            after.push({ state: step.state, stored: cells });
          }
        return after;
      },
      this.#budget,
    );
  }
}

function checkSufficiency({ repaired, claim }: Problem, budget: Budget): Findings {
  const search = new RaceSearch(repaired, budget);
  const found = search.run();
  if (found === 'goal') return wrongly('the program with the chosen fences has a triangular race');
  const says = `${withChosen(claim, 'fence')} there is no triangular race`;
  const exhausted = budget.spend();
  if (found !== 'done') return { open: [`${says} (${found.exhausted})`] };
  if (exhausted !== undefined) return { open: [`${says} (${exhausted})`] };
  return { proved: [says], assumes: search.faults ? [faultsEnd] : [] };
}

/** Checks certificates that a set of fences is a cheapest set that leaves no triangular race. */
export function checkRaceFences(
  automata: Automata,
  body: CertificateBody,
  budget: Budget,
  options: VerifyOptions,
): KindReport {
  const claim = { ...readClaim(body, 'certificate'), mode: 'fence' as const };
  const goal: RepairGoal = {
    claimed: claimOf('no-triangular-race', { repairs: claim }),
    clause: (problem, at) => {
      const flaw = checkClause(problem, new Machine(automata), claim.clauses[at]!);
      if (flaw !== undefined) throw new Flaw(flaw);
      return undefined;
    },
    sufficiency: (problem) => checkSufficiency(problem, budget),
  };
  return checkRepairs(automata, claim, goal, budget, options);
}
