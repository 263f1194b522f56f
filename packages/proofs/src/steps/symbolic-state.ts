import { at, valueAt } from '@fencewright/ground/base/at.js';
import { selfRegister } from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId } from '@fencewright/model/program/ids.js';
import type { ProofProgram } from './proof-program.js';
import type { Role } from './roles.js';
import {
  and,
  apply,
  equation,
  integer,
  not,
  or,
  zeroMap,
  type Term,
  type Variable,
} from '@fencewright/ground/smt/term.js';
import { symbol, type SmtDeclaration } from './terms.js';

/**
 * The local state of a thread, as terms: location, thread number (`self`) and registers.
 */
export interface SymbolicLocalState {
  readonly place: Term;
  readonly self: Term;
  /** The terms of the thread's registers, indexed by `RegisterId`. */
  readonly registers: readonly Term[];
}

/** A state as terms: memory, indexed like `MemoryLayout.variables`, and some threads. */
export interface SymbolicState {
  readonly memory: readonly Term[];
  /** By name of a thread's role, the thread's own state. */
  readonly threads: ReadonlyMap<string, SymbolicLocalState>;
}

/**
 * Returns the term for a register's value; for the register `self`, the term for the thread's
 * number.
 */
export function readRegister(local: SymbolicLocalState, register: RegisterId): Term {
  return register === selfRegister ? local.self : at(local.registers, register);
}

/** The own state of a thread in a question, as variables of the solver. */
interface LocalNames extends SymbolicLocalState {
  readonly place: Variable;
  readonly self: Variable;
  readonly registers: readonly Variable[];
}

/**
 * Returns the solver's variables for the own state of a thread in a proof: its place, `self` and
 * its registers.
 */
export function localNames({ templates }: ProofProgram, role: Role): LocalNames {
  const { name, registers } = at(templates.threads, role.thread);
  return {
    place: symbol(`at_${role.name}`, name),
    self: symbol(`self_${role.name}`, name),
    registers: registers.map((register, id) =>
      symbol(`r${id}_${role.name}`, `${name}.${register.name}`),
    ),
  };
}

/**
 * Returns the solver's variables for the memory of a program, indexed like
 * `MemoryLayout.variables`.
 */
export function memoryNames({ memory }: ProofProgram): readonly Variable[] {
  return memory.variables.map(({ name }, id) => symbol(`m${id}`, name));
}

/**
 * Returns a state with a solver's variable for every part, and the declarations of these variables.
 */
export function arbitraryState(
  program: ProofProgram,
  roles: readonly Role[],
): { readonly state: SymbolicState; readonly declarations: readonly SmtDeclaration[] } {
  const locals = roles.map((role) => [role.name, localNames(program, role)] as const);
  const { variables } = program.memory;
  const memory = memoryNames(program);
  const declarations = [
    ...memory.map((term, id): SmtDeclaration => ({
      term,
      sort: at(variables, id).isMap ? '(Array Int Int)' : 'Int',
    })),
    ...locals.flatMap(([, { place, self, registers }]) =>
      [place, self, ...registers].map((term): SmtDeclaration => ({ term, sort: 'Int' })),
    ),
  ];
  const threads = new Map(locals);
  return { state: { memory, threads }, declarations };
}

/** Returns the initial state, with arbitrary numbers of the copies. */
export function initialSymbolicState(program: ProofProgram, roles: readonly Role[]): SymbolicState {
  const memory = program.memory.variables.map(({ isMap, initial }) => {
    if (!isMap) return integer(initial.get(0) ?? 0);
    return [...initial].reduce(
      (map, [index, value]) => apply('store', map, integer(index), integer(value)),
      zeroMap,
    );
  });
  const threads = new Map(
    roles.map((role) => {
      const { initial, registers } = at(program.templates.threads, role.thread);
      const { self } = localNames(program, role);
      return [
        role.name,
        { place: integer(initial), self, registers: registers.map(() => integer(0)) },
      ];
    }),
  );
  return { memory, threads };
}

/** Returns the condition that the thread is at the location. */
export function standsAt(local: SymbolicLocalState, location: LocationId): Term {
  return equation(local.place, integer(location));
}

/**
 * Returns the facts about all states that hold without invariants: threads are at resting places,
 * and copies have distinct numbers from 0.
 */
export function basicFacts(
  program: ProofProgram,
  roles: readonly Role[],
  { threads }: SymbolicState,
): Term {
  const facts = roles.flatMap((role, i) => {
    const local = valueAt(threads, role.name);
    const { places } = at(program.threads, role.thread);
    const place = or(...places.map((location) => standsAt(local, location)));
    if (!program.unbounded.includes(role.thread)) return [place];
    const twins = roles.slice(0, i).filter(({ thread }) => thread === role.thread);
    const distinct = twins.map(({ name }) =>
      not(equation(local.self, valueAt(threads, name).self)),
    );
    return [place, apply('>=', local.self, integer(0)), ...distinct];
  });
  return and(...facts);
}
