import type { Invariant, InvariantExpression } from '../automata.js';
import { condition, integer } from './expressions.js';
import type { SmtMemory } from './memory.js';
import {
  anyState,
  basics,
  type TermLocal,
  type Model,
  type Role,
  type TermState,
} from './symbolic-state.js';
import type { Question } from './question.js';
import { and, type Bool, forAll, int, type Int, or, same, truth } from './terms.js';

/** Returns the term for the value of a memory cell in a state. */
export function valueAt(memory: TermState['memory'], cell: ReturnType<SmtMemory['cellOf']>): Int {
  const held = memory[cell.slot]!;
  return cell.index ? { text: `(select ${held.text} ${cell.index.text})` } : held;
}

/** Returns the condition that the thread is at a location without leaving transitions. */
export function hasEnded({ threads }: Model, role: Role, { place }: TermLocal): Bool {
  const { thread, places } = threads[role.thread]!;
  const isEnd = (location: number): boolean =>
    thread.transitions.every(({ from }) => from !== location);
  return or([...places].filter(isEnd).map((end) => same(place, int(end))));
}

/**
 * The variable for "any integer" in invariants; the space in the name prevents a clash with other
 * names.
 */
const everyIndex: Int = { text: '|every index|' };

type Leaf = Exclude<InvariantExpression, { readonly kind: 'constant' | 'unary' | 'binary' }>;

/**
 * Returns the invariant as a condition on a state, with `roles` as the threads that the invariant
 * names. Threads in `between` are at none of the locations that an invariant can name.
 */
export function invariantIn(
  model: Model,
  { condition: claim }: Pick<Invariant, 'condition'>,
  roles: readonly Role[],
  { memory, locals }: TermState,
  between: ReadonlySet<Role> = new Set(),
): Bool {
  let isForAll = false;
  const leaf = (each: Leaf): Int => {
    if (each.kind === 'every-index') {
      isForAll = true;
      return everyIndex;
    }
    if (each.kind === 'cell') {
      const index = each.index ? integer(each.index, leaf) : int(0);
      return valueAt(memory, model.memory.cellOf(each.symbol, index));
    }
    const role = roles[each.binder]!;
    const local = locals.get(role)!;
    switch (each.kind) {
      case 'at':
        return between.has(role) ? int(0) : truth(same(local.place, int(each.location)));
      case 'ended':
        return between.has(role) ? int(0) : truth(hasEnded(model, role, local));
      case 'register':
        return local.registers[each.register]!;
      case 'self':
        return local.self;
    }
  };
  const held = condition(claim, leaf);
  return isForAll ? forAll(everyIndex, held) : held;
}

/**
 * Returns all ways to assign different threads to the binders (the thread variables) of an
 * invariant.
 */
export function bindings(
  { binders }: Invariant,
  roles: readonly Role[],
): readonly (readonly Role[])[] {
  let chosen: readonly (readonly Role[])[] = [[]];
  for (const { thread } of binders)
    chosen = chosen.flatMap((before) =>
      roles
        .filter((role) => role.thread === thread && !before.includes(role))
        .map((role) => [...before, role]),
    );
  return chosen;
}

/**
 * The invariants that may be assumed, and the single threads named in the invariants: both are part
 * of every question.
 */
export class Premises {
  readonly invariants: readonly Invariant[];
  readonly #model: Model;
  readonly #singles: readonly Role[];

  constructor(model: Model, invariants: readonly Invariant[]) {
    this.#model = model;
    // A single thread cannot be bound twice.
    this.invariants = invariants.filter(({ binders }) =>
      binders.every(
        ({ thread }, i) =>
          this.isMany(thread) || binders.findIndex((other) => other.thread === thread) === i,
      ),
    );
    const bound = new Set(this.invariants.flatMap(({ binders }) => binders.map((b) => b.thread)));
    this.#singles = [...bound].filter((id) => !this.isMany(id)).map((thread) => ({ thread }));
  }

  /** Whether the program may have any number of copies of the thread. */
  isMany(thread: number): boolean {
    return this.#model.threads[thread]!.thread.unbounded === true;
  }

  /**
   * Returns a role (a thread named in a question): always the same role for a single thread named
   * in invariants, otherwise a new role.
   */
  role(thread: number): Role {
    return this.#singles.find((single) => single.thread === thread) ?? { thread };
  }

  /**
   * Returns a state with the given roles and the single threads, in which the invariants are
   * assumed.
   */
  state(roles: readonly Role[], question: Question): TermState {
    const all = [...new Set([...roles, ...this.#singles])];
    const state = anyState(this.#model, all, question);
    question.assert(basics(this.#model, state));
    question.assert(this.hold(state));
    return state;
  }

  hold(state: TermState): Bool {
    const roles = [...state.locals.keys()];
    return and(
      this.invariants.flatMap((invariant) =>
        bindings(invariant, roles).map((bound) =>
          invariantIn(this.#model, invariant, bound, state),
        ),
      ),
    );
  }
}
