import { selfRegister } from '../../program/expression.js';
import type { LocationId, RegisterId } from '../../program/ids.js';
import type { ProofProgram } from './proof-program.js';
import type { Role } from './roles.js';
import {
  conjunction,
  disjunction,
  equality,
  negation,
  numeral,
  symbol,
  type Declaration,
} from './terms.js';

/** The own state of a thread, as terms. */
export interface LocalState {
  readonly place: string;
  readonly self: string;
  /** Indexed by `RegisterId`. */
  readonly registers: readonly string[];
}

/** A state as terms: memory, indexed like `MemoryLayout.variables`, and some threads. */
export interface SymbolicState {
  readonly memory: readonly string[];
  /** By the names of the roles. */
  readonly threads: ReadonlyMap<string, LocalState>;
}

/** The term of a register; `self` is one, too. */
export function readRegister(local: LocalState, register: RegisterId): string {
  return register === selfRegister ? local.self : (local.registers[register] ?? '0');
}

/** The names of a role's constants. */
export function localNames({ templates }: ProofProgram, role: Role): LocalState {
  const { name = '', registers = [] } = templates.threads[role.thread] ?? {};
  return {
    place: symbol(`at_${role.name}`, name),
    self: symbol(`self_${role.name}`, name),
    registers: registers.map((register, id) =>
      symbol(`r${id}_${role.name}`, `${name}.${register.name}`),
    ),
  };
}

/** The names of memory's constants, indexed like `MemoryLayout.variables`. */
export function memoryNames({ memory }: ProofProgram): readonly string[] {
  return memory.variables.map(({ name }, id) => symbol(`m${id}`, name));
}

/** A state in which everything has a name, with the declarations of these names. */
export function arbitraryState(
  program: ProofProgram,
  roles: readonly Role[],
): { readonly state: SymbolicState; readonly declarations: readonly Declaration[] } {
  const locals = roles.map((role) => [role.name, localNames(program, role)] as const);
  const { variables } = program.memory;
  const memory = memoryNames(program);
  const declarations = [
    ...memory.map((term, id): Declaration => ({
      term,
      sort: variables[id]?.isMap === true ? '(Array Int Int)' : 'Int',
    })),
    ...locals.flatMap(([, { place, self, registers }]) =>
      [place, self, ...registers].map((term): Declaration => ({ term, sort: 'Int' })),
    ),
  ];
  const threads = new Map(locals);
  return { state: { memory, threads }, declarations };
}

/** The state at the start. The numbers of copies are arbitrary. */
export function initialState(program: ProofProgram, roles: readonly Role[]): SymbolicState {
  const memory = program.memory.variables.map(({ isMap, initial }) => {
    if (!isMap) return numeral(initial.get(0) ?? 0);
    return [...initial].reduce(
      (map, [index, value]) => `(store ${map} ${numeral(index)} ${numeral(value)})`,
      '((as const (Array Int Int)) 0)',
    );
  });
  const threads = new Map(
    roles.map((role) => {
      const { initial = 0, registers = [] } = program.templates.threads[role.thread] ?? {};
      const { self } = localNames(program, role);
      return [role.name, { place: numeral(initial), self, registers: registers.map(() => '0') }];
    }),
  );
  return { memory, threads };
}

/** The thread stands at the location. */
export function standsAt(local: LocalState, location: LocationId): string {
  return equality(local.place, numeral(location));
}

/** What is known of all states without invariants: threads stand at resting places, and copies have distinct numbers from 0 on. */
export function basicFacts(
  program: ProofProgram,
  roles: readonly Role[],
  { threads }: SymbolicState,
): string {
  const facts = roles.flatMap((role, i) => {
    const local = threads.get(role.name);
    const steps = program.threads[role.thread];
    if (!local || !steps) return [];
    const place = disjunction(steps.places.map((location) => standsAt(local, location)));
    if (!program.unbounded.includes(role.thread)) return [place];
    const twins = roles.slice(0, i).filter(({ thread }) => thread === role.thread);
    const distinct = twins.map(({ name }) =>
      negation(equality(local.self, threads.get(name)?.self ?? '0')),
    );
    return [place, `(>= ${local.self} 0)`, ...distinct];
  });
  return conjunction(facts);
}
