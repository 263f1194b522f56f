import type { Automata } from '../automata.js';
import type { SmtMemory } from './memory.js';
import type { IntArray, Question } from './question.js';
import type { Stepper } from './steps.js';
import { and, type Bool, int, type Int, less, not, or, same } from './terms.js';

/** The program to be proved, with memory and threads prepared for questions to SMT solvers. */
export interface Model {
  readonly automata: Automata;
  readonly memory: SmtMemory;
  /** For each thread of the program to be proved, its steps; indexed by thread. */
  readonly threads: readonly Stepper[];
}

/**
 * A thread that a question to a solver names: a single thread, or one copy of an unbounded thread.
 * Different roles are different threads.
 */
export interface Role {
  readonly thread: number;
}

export interface TermLocal {
  readonly place: Int;
  readonly self: Int;
  readonly registers: readonly Int[];
}

export interface TermState {
  /** By variable of memory (`Slot`), a term for the contained number or array. */
  readonly memory: readonly (Int | IntArray)[];
  readonly locals: ReadonlyMap<Role, TermLocal>;
}

/** Returns a state of new SMT constants, about which nothing is assumed. */
export function anyState(
  { memory, threads }: Model,
  roles: readonly Role[],
  question: Question,
): TermState {
  return {
    memory: memory.slots.map(({ isArray }) => (isArray ? question.array() : question.integer())),
    locals: new Map(
      roles.map((role) => {
        const { thread } = threads[role.thread]!;
        const self = thread.unbounded ? question.integer() : int(thread.copy?.index ?? 0);
        const registers = thread.registers.map(() => question.integer());
        return [role, { place: question.integer(), self, registers }];
      }),
    ),
  };
}

/** Returns the condition that the state is initial. */
export function isInitial({ memory, threads }: Model, { memory: cells, locals }: TermState): Bool {
  const slots = memory.slots.map(({ isArray, initial }, i): Bool => {
    if (!isArray) return same(cells[i]!, int(initial.get(0) ?? 0));
    const start = [...initial].reduce(
      (array, [index, value]) => `(store ${array} ${int(index).text} ${int(value).text})`,
      '((as const (Array Int Int)) 0)',
    );
    return { text: `(= ${cells[i]!.text} ${start})` };
  });
  const own = [...locals].flatMap(([role, { place, registers }]) => [
    same(place, int(threads[role.thread]!.thread.initial)),
    ...registers.map((register) => same(register, int(0))),
  ]);
  return and([...slots, ...own]);
}

/**
 * Returns the facts known without invariants: threads are at places (locations at which invariants
 * hold), and copies have different numbers from 0 on.
 */
export function basics({ threads }: Model, { locals }: TermState): Bool {
  const all = [...locals];
  return and(
    all.flatMap(([role, { place, self }], i) => {
      const { places, thread } = threads[role.thread]!;
      const somewhere = or([...places].map((each) => same(place, int(each))));
      if (!thread.unbounded) return [somewhere];
      const twins = all.slice(0, i).filter(([other]) => other.thread === role.thread);
      const others = twins.map(([, twin]) => not(same(self, twin.self)));
      return [somewhere, not(less(self, int(0))), ...others];
    }),
  );
}
