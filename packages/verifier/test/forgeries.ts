import { canonicalJson, certificateDigest } from '../src/canonical-json.js';
import { Machine, type State } from '../src/machine.js';
import { readAutomata } from '../src/read-automata.js';

/** A source of random numbers: a number below `n`. */
export type Chance = (n: number) => number;

interface Action {
  thread: number;
  kind: string;
  transition: number;
  address?: number;
  value?: number;
}
interface Clause {
  items: number[];
  computation: Action[];
}
interface Item {
  item: { kind: string; thread: number; location?: number; transition?: number };
  cost: number;
}
export interface Draft {
  automata: {
    threads: { transitions: { from: number; instruction: Record<string, unknown> }[] }[];
  } & Record<string, unknown>;
  mode: string;
  costModel: string;
  happensBefore: string;
  items: Item[];
  chosen: number[];
  cost: number;
  clauses: Clause[];
  digest: string;
}

/** Changes a draft in place; `false` if nothing in the draft can be changed. */
export type Forgery<D = Draft> = (draft: D, chance: Chance) => boolean;

/**
 * Moves a store of a run to another place; `false` if no store is at `at`, or the run has no such
 * place.
 */
export function moveStore<A extends { readonly kind: string }>(
  run: A[],
  at: number,
  to: number,
): boolean {
  if (run[at]!.kind !== 'store' || to < 0) return false;
  const [store] = run.splice(at, 1);
  run.splice(Math.min(to, run.length), 0, store!);
  return true;
}

export function pick<T>(list: readonly T[], chance: Chance): T | undefined {
  return list.length === 0 ? undefined : list[chance(list.length)];
}

/** Returns the forgery that applies a change to a clause, if the draft has a clause. */
const inClause =
  (change: (clause: Clause, draft: Draft, chance: Chance) => boolean): Forgery =>
  (draft, chance) => {
    const clause = pick(draft.clauses, chance);
    return clause !== undefined && change(clause, draft, chance);
  };

/**
 * Returns the forgery that applies a change to a clause's action: the action at index `at` of the
 * clause's computation.
 */
const inComputation = (
  change: (computation: Action[], at: number, draft: Draft, chance: Chance) => boolean,
): Forgery =>
  inClause(
    ({ computation }, draft, chance) =>
      computation.length > 0 && change(computation, chance(computation.length), draft, chance),
  );

function ascending(list: number[]): void {
  list.sort((a, b) => a - b);
}

/** Adds an unneeded item to the choice, and the item's cost to the total cost. */
function choose(draft: Draft, item: number): void {
  draft.chosen.push(item);
  ascending(draft.chosen);
  draft.cost += draft.items[item]!.cost;
}

function replayed(draft: Draft, computation: readonly Action[]): { machine: Machine; end: State } {
  const machine = new Machine(readAutomata(draft.automata, 'automata'));
  let state = machine.initial;
  for (const { thread, kind, transition } of computation) {
    const next =
      kind === 'store'
        ? machine.flush(state, thread)
        : machine.steps(state, thread, false).steps.find(({ id }) => id === transition)?.state;
    if (!next) break;
    state = next;
  }
  return { machine, end: state };
}

const kindOf: Record<string, string> = {
  store: 'issue',
  load: 'load',
  rmw: 'rmw',
  fence: 'fence',
  lock: 'lock',
  unlock: 'unlock',
};

/**
 * Continues a computation under TSO at random, and flushes all stores at the end. Returns the items
 * that would make the new part of the computation impossible.
 */
function goOn(draft: Draft, computation: Action[], steps: number, chance: Chance): Set<number> {
  const { machine, end } = replayed(draft, computation);
  const touched = new Set<number>();
  let state = end;
  const flush = (thread: number): void => {
    const next = machine.flush(state, thread);
    if (!next) return;
    computation.push({ thread, kind: 'store', transition: state.buffers[thread]![0]!.id });
    state = next;
  };
  for (let i = 0; i < steps; i++) {
    const thread = chance(state.locations.length);
    if (chance(5) === 0) flush(thread);
    const step = pick(machine.steps(state, thread, false).steps, chance);
    if (!step || step.choice !== undefined) continue;
    if (state.buffers[thread]!.length > 0)
      draft.items.forEach(({ item }, index) => {
        const isThere =
          item.kind === 'fence'
            ? item.location === state.locations[thread]
            : item.transition === step.id ||
              state.buffers[thread]!.some(({ id }) => id === item.transition);
        if (item.thread === thread && isThere) touched.add(index);
      });
    computation.push({ thread, kind: kindOf[step.kind] ?? 'local', transition: step.id });
    ({ state } = step);
  }
  for (const thread of state.locations.keys()) while (machine.flush(state, thread)) flush(thread);
  return touched;
}

/**
 * Forges a clause whose item forbids a delay that has nothing to do with the cycle of the clause.
 */
const harmlessDelay: Forgery = (draft, chance) => {
  const clause = pick(draft.clauses, chance);
  if (!clause) return false;
  const computation = [...clause.computation];
  const touched = goOn(draft, computation, 8, chance);
  const extra = [...touched].filter((item) => !draft.chosen.includes(item));
  const item = pick(extra, chance);
  if (item === undefined) return false;
  draft.clauses.push({ items: [...touched].sort((a, b) => a - b), computation });
  choose(draft, item);
  return true;
};

/**
 * Removes the item at index `gone` from `draft.items`, and adjusts the cost and all indices of
 * items.
 */
function dropItem(draft: Draft, gone: number): void {
  const rest = (list: number[]): number[] =>
    list.filter((i) => i !== gone).map((i) => (i > gone ? i - 1 : i));
  if (draft.chosen.includes(gone)) draft.cost -= draft.items[gone]!.cost;
  draft.items.splice(gone, 1);
  draft.chosen = rest(draft.chosen);
  for (const clause of draft.clauses) clause.items = rest(clause.items);
}

export const forgeries: Readonly<Record<string, Forgery>> = {
  'raise the cost': (draft) => ((draft.cost += 1), true),
  'lower the cost': (draft) => ((draft.cost -= 1), true),
  'leave out a clause': (draft, chance) =>
    draft.clauses.splice(chance(draft.clauses.length), 1).length > 0,
  'repeat a clause': inClause((clause, draft) => draft.clauses.push(clause) > 0),
  'leave out an item of a clause': inClause(
    ({ items }, _, chance) => items.splice(chance(items.length), 1).length > 0,
  ),
  'add an item to a clause': inClause(({ items }, draft, chance) => {
    const item = chance(draft.items.length);
    return !items.includes(item) && items.push(item) > 0;
  }),
  'exchange an item of a clause': inClause(({ items }, draft, chance) => {
    items[chance(items.length)] = chance(draft.items.length);
    return true;
  }),
  'empty a clause': inClause((clause) => ((clause.items = []), true)),
  'let a clause name all items': inClause((clause, draft) => {
    clause.items = [...draft.items.keys()];
    return true;
  }),
  'leave out a chosen item, with its cost': (draft, chance) => {
    const [gone] = draft.chosen.splice(chance(draft.chosen.length), 1);
    if (gone === undefined) return false;
    draft.cost -= draft.items[gone]!.cost;
    return true;
  },
  'leave out a chosen item and the clauses that it meets': (draft, chance) => {
    const [gone] = draft.chosen.splice(chance(draft.chosen.length), 1);
    if (gone === undefined) return false;
    draft.cost -= draft.items[gone]!.cost;
    draft.clauses = draft.clauses.filter(({ items }) => !items.includes(gone));
    return true;
  },
  'choose one more item': (draft, chance) => {
    const item = chance(draft.items.length);
    if (draft.chosen.includes(item)) return false;
    choose(draft, item);
    return true;
  },
  'choose another item': (draft, chance) => {
    const at = chance(draft.chosen.length);
    const item = chance(draft.items.length);
    if (draft.chosen.length === 0 || draft.chosen.includes(item)) return false;
    draft.cost += draft.items[item]!.cost - draft.items[draft.chosen[at]!]!.cost;
    draft.chosen[at] = item;
    ascending(draft.chosen);
    return true;
  },
  'choose an item twice': (draft) => {
    const [first] = draft.chosen;
    if (first === undefined) return false;
    choose(draft, first);
    return true;
  },
  'choose one more item, with a clause that wants it': (draft, chance) => {
    const item = chance(draft.items.length);
    const clause = pick(draft.clauses, chance);
    if (draft.chosen.includes(item) || !clause) return false;
    choose(draft, item);
    draft.clauses.push({ ...clause, items: [item] });
    return true;
  },
  'leave out an item of the list': (draft, chance) => (
    dropItem(draft, chance(draft.items.length)),
    true
  ),
  'list an item twice': (draft, chance) =>
    draft.items.push(draft.items[chance(draft.items.length)]!) > 0,
  'raise the cost of an item': (draft, chance) => {
    const index = chance(draft.items.length);
    draft.items[index]!.cost += 1;
    if (draft.chosen.includes(index)) draft.cost += 1;
    return true;
  },
  'halve the cost of an item': (draft, chance) => {
    const index = chance(draft.items.length);
    const half = draft.items[index]!.cost / 2;
    draft.items[index]!.cost = half;
    if (draft.chosen.includes(index)) draft.cost -= half;
    return true;
  },
  'list the items in another order': (draft) => {
    const last = draft.items.length - 1;
    const turned = (list: number[]): number[] => list.map((i) => last - i);
    draft.items.reverse();
    draft.chosen = turned(draft.chosen);
    for (const clause of draft.clauses) clause.items = turned(clause.items);
    return true;
  },
  'name another cost model': (draft) => ((draft.costModel = 'profile (seed 1, runs 100)'), true),
  'name another mode': (draft, chance) => {
    draft.mode = ['fence', 'xchg', 'any', 'minimise', 'minimise-locked'][chance(5)]!;
    return true;
  },
  'name the other notion of happens-before': (draft) => {
    draft.happensBefore = draft.happensBefore === 'value' ? 'standard' : 'value';
    return true;
  },
  'leave out an action': inComputation((computation, at) => computation.splice(at, 1).length > 0),
  'repeat an action': inComputation((computation, at) => {
    computation.splice(at, 0, computation[at]!);
    return true;
  }),
  'exchange two actions': inComputation((computation, at) => {
    const [a, b] = [computation[at], computation[at + 1]];
    if (!a || !b) return false;
    computation.splice(at, 2, b, a);
    return true;
  }),
  'give an action to another thread': inComputation((computation, at, draft, chance) => {
    computation[at] = { ...computation[at]!, thread: chance(draft.automata.threads.length) };
    return true;
  }),
  'execute another instruction': inComputation((computation, at, draft, chance) => {
    const { thread } = computation[at]!;
    const { transitions } = draft.automata.threads[thread]!;
    computation[at] = { ...computation[at]!, transition: chance(transitions.length) };
    return true;
  }),
  'call an action by another name': inComputation((computation, at, _, chance) => {
    const kind = ['issue', 'store', 'load', 'rmw', 'local', 'fence', 'lock'][chance(7)]!;
    computation[at] = { ...computation[at]!, kind };
    return true;
  }),
  'tell another value': inComputation((computation, at) => {
    const { value = 0 } = computation[at]!;
    computation[at] = { ...computation[at]!, value: value + 1 };
    return true;
  }),
  'end a computation early': inComputation((computation, at) => {
    computation.length = at;
    return true;
  }),
  'go on after the end of a computation': inClause(({ computation }, draft, chance) => {
    const before = computation.length;
    goOn(draft, computation, 5, chance);
    return computation.length > before;
  }),
  'delay a store': inComputation((computation, at) => moveStore(computation, at, at + 2)),
  'let a store reach memory earlier': inComputation((computation, at) =>
    moveStore(computation, at, at - 2),
  ),
  'give a clause the computation of another': (draft, chance) => {
    const [a, b] = [pick(draft.clauses, chance), pick(draft.clauses, chance)];
    if (!a || !b || a === b) return false;
    a.computation = b.computation;
    return true;
  },
  'write a clause about a run of chance, and choose for it': (draft, chance) => {
    const computation: Action[] = [];
    const touched = [...goOn(draft, computation, 20, chance)];
    const item = pick(
      touched.filter((one) => !draft.chosen.includes(one)),
      chance,
    );
    if (item === undefined) return false;
    draft.clauses.push({ items: touched.sort((a, b) => a - b), computation });
    choose(draft, item);
    return true;
  },
  'append a harmless delay to a witness, and choose for it': harmlessDelay,
  'change an instruction of the automata': (draft, chance) => {
    const transition = pick(pick(draft.automata.threads, chance)!.transitions, chance);
    if (!transition) return false;
    transition.instruction = { kind: 'skip' };
    return true;
  },
};

/**
 * Returns the certificate after a forgery, with a matching digest; `undefined` if the forgery found
 * nothing to change.
 */
export function forge<D extends { readonly digest: string } = Draft>(
  certificate: object,
  forgery: Forgery<D>,
  chance: Chance,
): D | undefined {
  const draft = structuredClone(certificate) as D;
  if (!forgery(draft, chance) || canonicalJson(draft) === canonicalJson(certificate))
    return undefined;
  return { ...draft, digest: certificateDigest(draft) };
}
