import { at, valueAt } from '@fencewright/ground/base/at.js';
import { computeLiveRegisters, instructionAccess } from '@fencewright/model/analysis/liveness.js';
import { mapLeaves, selfRegister } from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import { assumeInvariants } from '../obligations/invariant-terms.js';
import { Projection, type Forgotten } from './projection.js';
import type { ProofProgram } from '../steps/proof-program.js';
import type { Role } from '../steps/roles.js';
import {
  arbitraryState,
  basicFacts,
  initialSymbolicState,
  readRegister,
  type SymbolicState,
} from '../steps/symbolic-state.js';
import { performEdges, type PerformedStep } from '../steps/symbolic-step.js';
import type {
  Atom,
  HornClause,
  HornSystem,
  Predicate,
} from '@fencewright/ground/smt/horn-system.js';
import {
  and,
  integer,
  isFalse,
  isSameTerm,
  isTrue,
  truth,
  type Term,
} from '@fencewright/ground/smt/term.js';
import { declare, type SmtDeclaration } from '../steps/terms.js';

/** One thread of a pair of threads, with the thread's location. */
export interface PairEnd {
  readonly thread: ThreadId;
  readonly place: LocationId;
}

/**
 * An argument of a predicate about two threads: a variable of `MemoryLayout.variables`, or a
 * register of the first or second thread.
 */
export type PairParameter =
  | { readonly kind: 'variable'; readonly variable: number }
  | { readonly kind: 'register'; readonly end: 0 | 1; readonly register: RegisterId };

/**
 * A predicate about two threads at two locations: relates numbers in memory and the threads' live
 * registers.
 */
export interface PairPredicate {
  readonly name: string;
  /**
   * The two threads with their locations, ascending; equal threads are two copies of a template.
   */
  readonly ends: readonly [PairEnd, PairEnd];
  readonly parameters: readonly PairParameter[];
}

/** Constrained Horn clauses over pairs of threads. */
export interface PairClauses {
  /** The predicates of `system`, each with its threads, locations and parameters. */
  readonly predicates: readonly PairPredicate[];
  readonly system: HornSystem;
  /** The features of the program that the clauses replace by unknown values. */
  readonly forgotten: ReadonlySet<Forgotten>;
  /**
   * Returns the query as a clause; `undefined` if the query's condition is false by its form alone.
   */
  readonly query: (query: PairQuery) => HornClause | undefined;
}

/**
 * A situation that an invariant must exclude: two threads are at their locations, and a condition
 * holds. `clash` returns the condition, given the roles of the two threads.
 */
export interface PairQuery {
  readonly ends: readonly [PairEnd, PairEnd];
  readonly clash: (
    roles: readonly [Role, Role],
    state: SymbolicState,
  ) => { readonly condition: Term; readonly declarations: readonly SmtDeclaration[] } | undefined;
}

/** The maximum number of clauses; larger systems are not solved. */
const mostClauses = 3000;

interface Placed extends PairEnd {
  readonly role: Role;
}

/**
 * The premise of a clause, as terms over the names of a symbolic state, and the head of the clause.
 */
interface Premise {
  /**
   * Two or three threads at their locations. Each pair of threads satisfies the pair's predicate,
   * unless the clause is about the initial state (`isStart`).
   */
  readonly placed: readonly Placed[];
  readonly state: SymbolicState;
  readonly isStart?: boolean;
  readonly condition?: Term;
  readonly declarations?: readonly SmtDeclaration[];
  readonly head?: Atom;
}

/**
 * Returns the Horn clauses of a program about pairs of threads: a pair at the start, two copies at
 * one place exchanged, steps of one of the two, and steps of a third thread whose pairs with both
 * satisfy the predicates. Of memory, only scalar variables are represented; values read from arrays
 * are arbitrary. `assumed` has to be inductive. The registers that `claim` reads are represented
 * everywhere, also where the program overwrites them next. `undefined` if there are too many
 * clauses, or no time is left.
 */
export function pairClauses(
  program: ProofProgram,
  assumed: readonly Invariant[],
  isStopped: () => boolean = () => false,
  claim?: Invariant,
): PairClauses | undefined {
  const system = new PairSystem(program, assumed, claim);
  return system.build(isStopped);
}

class PairSystem {
  readonly #program: ProofProgram;
  readonly #assumed: readonly Invariant[];
  readonly #numbers: readonly number[];
  /** The live registers of each thread at each location, indexed by `ThreadId` and `LocationId`. */
  readonly #live: readonly (readonly (readonly RegisterId[])[])[];
  readonly #pairs: readonly (readonly [PairEnd, PairEnd])[];
  /** By name of a pair's predicate, the index of the pair in the list of pairs. */
  readonly #numberOf: ReadonlyMap<string, number>;
  readonly #clauses: HornClause[] = [];
  readonly #forgotten = new Set<Forgotten>();

  constructor(program: ProofProgram, assumed: readonly Invariant[], claim?: Invariant) {
    this.#program = program;
    this.#assumed = assumed;
    this.#numbers = program.memory.variables.flatMap(({ isMap }, id) => (isMap ? [] : [id]));
    this.#live = program.templates.threads.map((thread, id) => {
      const own = program.unbounded.includes(id) ? [selfRegister] : [];
      const access = {
        ...instructionAccess,
        forEachUse: (instruction: Instruction, visit: (register: RegisterId) => void) =>
          instructionAccess.forEachUse(instruction, (register) => {
            if (register >= 0) visit(register);
          }),
      };
      const live = computeLiveRegisters(thread, access, claim && registersRead(claim, id));
      return live.map((registers) => [
        ...own,
        ...registers.flatMap((isLive, register) => (isLive ? [register] : [])),
      ]);
    });
    this.#pairs = pairsOf(program);
    this.#numberOf = new Map(this.#pairs.map((ends, i) => [nameOf(ends), i]));
  }

  build(isStopped: () => boolean): PairClauses | undefined {
    for (const pair of this.#pairs) {
      this.#start(pair);
      this.#addExchanged(pair);
      this.#ownSteps(pair);
      this.#foreignSteps(pair);
      if (this.#clauses.length > mostClauses || isStopped()) return undefined;
    }
    const predicates = this.#pairs.map((ends) => this.#predicate(ends));
    const declared = predicates.map(({ name, parameters }): Predicate => ({
      name,
      parameters: parameters.map((_, i) => `p${i}`),
    }));
    return {
      predicates,
      system: { predicates: declared, clauses: this.#clauses },
      forgotten: this.#forgotten,
      query: (query) => this.#query(query),
    };
  }

  #query({ ends, clash }: PairQuery): HornClause | undefined {
    const [mine, theirs] = this.#placed(ends) as [Placed, Placed];
    const state = this.#stateOf([mine, theirs]);
    const found = clash([mine.role, theirs.role], state);
    return found && this.#clause({ placed: [mine, theirs], state, ...found });
  }

  #predicate(ends: readonly [PairEnd, PairEnd]): PairPredicate {
    const registers = ends.flatMap(({ thread, place }, end) =>
      at(at(this.#live, thread), place).map((register): PairParameter => ({
        kind: 'register',
        end: end === 0 ? 0 : 1,
        register,
      })),
    );
    const variables = this.#numbers.map((variable): PairParameter => ({
      kind: 'variable',
      variable,
    }));
    return { name: nameOf(ends), ends, parameters: [...variables, ...registers] };
  }

  #placed(ends: readonly PairEnd[]): readonly Placed[] {
    return ends.map((end, i) => ({ ...end, role: { name: `${i}`, thread: end.thread } }));
  }

  /** Returns a state about which nothing is known but the locations of the given threads. */
  #stateOf(placed: readonly Placed[]): SymbolicState {
    const { state } = arbitraryState(
      this.#program,
      placed.map(({ role }) => role),
    );
    return standing(state, placed);
  }

  #start(ends: readonly [PairEnd, PairEnd]): void {
    const { templates } = this.#program;
    if (ends.some(({ thread, place }) => at(templates.threads, thread).initial !== place)) return;
    const placed = this.#placed(ends);
    const roles = placed.map(({ role }) => role);
    const state = initialSymbolicState(this.#program, roles);
    this.#add({ placed, state, isStart: true, head: this.#atom(placed, state) });
  }

  /**
   * Adds the clause that the predicate of two copies at one place also holds with the copies
   * exchanged.
   */
  #addExchanged(ends: readonly [PairEnd, PairEnd]): void {
    if (!isTwins(ends)) return;
    const placed = this.#placed(ends);
    const state = this.#stateOf(placed);
    this.#add({ placed, state, head: this.#atom([...placed].reverse(), state) });
  }

  #ownSteps(ends: readonly [PairEnd, PairEnd]): void {
    const placed = this.#placed(ends);
    const state = this.#stateOf(placed);
    for (const mover of isTwins(ends) ? placed.slice(0, 1) : placed)
      for (const step of at(this.#program.threads, mover.thread).steps) {
        if (step.from !== mover.place) continue;
        const done = performEdges(this.#program, step, mover.role, state);
        const then = placed.map((each) => (each === mover ? { ...each, place: step.to } : each));
        this.#stepClause(placed, then, state, done);
      }
  }

  #foreignSteps(ends: readonly [PairEnd, PairEnd]): void {
    const { threads, unbounded } = this.#program;
    for (const { thread, steps } of threads) {
      if (ends.some((end) => end.thread === thread) && !unbounded.includes(thread)) continue;
      for (const step of steps) {
        const placed = this.#placed([...ends, { thread, place: step.from }]);
        const mover = at(placed, 2);
        const state = this.#stateOf(placed);
        const done = performEdges(this.#program, step, mover.role, state);
        this.#stepClause(placed, placed.slice(0, 2), state, done);
      }
    }
  }

  /**
   * Adds the clause whose premise is about all threads of `placed` and whose head is about the pair
   * `then`.
   */
  #stepClause(
    placed: readonly Placed[],
    then: readonly Placed[],
    state: SymbolicState,
    { guard, after, declarations }: PerformedStep,
  ): void {
    const head = this.#atom(then, after);
    const same = this.#atom(placed.slice(0, 2), state);
    if (isSameAtom(head, same)) return;
    this.#add({ placed, state, condition: guard, declarations, head });
  }

  #add(premise: Premise & { readonly head: Atom }): void {
    const clause = this.#clause(premise);
    if (clause !== undefined) this.#clauses.push(clause);
  }

  /**
   * Returns a clause; `undefined` if the premise is false. A clause without a head says that its
   * premise is impossible.
   */
  #clause({
    placed,
    state,
    isStart = false,
    condition = truth,
    declarations = [],
    head,
  }: Premise): HornClause | undefined {
    const roles = placed.map(({ role }) => role);
    const projection = new Projection(this.#names(roles, declarations));
    const rewriteAtom = ({ predicate, arguments: values }: Atom): Atom => ({
      predicate,
      arguments: values.map((value) => projection.rewrite(value)),
    });
    const facts = projection.rewrite(
      and(
        basicFacts(this.#program, roles, state),
        isStart ? truth : assumeInvariants(this.#program, this.#assumed, roles, state),
        condition,
      ),
    );
    if (isFalse(facts)) return undefined;
    const body = isStart
      ? []
      : placed.flatMap((a, i) =>
          placed.slice(i + 1).map((b) => rewriteAtom(this.#atom([a, b], state))),
        );
    const conclusion = head && rewriteAtom(head);
    for (const each of projection.forgotten) this.#forgotten.add(each);
    return {
      body,
      constraint: isTrue(facts) ? [] : [facts],
      ...(conclusion && { head: conclusion }),
      variables: projection.variables,
    };
  }

  #names(roles: readonly Role[], chosen: readonly SmtDeclaration[]): ReadonlySet<string> {
    const { state, declarations } = arbitraryState(this.#program, roles);
    declare([...declarations, ...chosen]);
    const locals = [...state.threads.values()].flatMap(({ self, registers }) => [
      self,
      ...registers,
    ]);
    const numbers = this.#numbers.map((variable) => at(state.memory, variable));
    const terms = [...numbers, ...locals, ...chosen.map(({ term }) => term)];
    return new Set(terms.flatMap((term) => (term.kind === 'variable' ? [term.name] : [])));
  }

  /**
   * Returns the predicate of two threads, applied to their registers and to memory in the state.
   */
  #atom(placed: readonly Placed[], state: SymbolicState): Atom {
    const [a, b] = placed as readonly [Placed, Placed];
    const isOrdered = a.thread < b.thread || (a.thread === b.thread && a.place <= b.place);
    const ends = isOrdered ? ([a, b] as const) : ([b, a] as const);
    const { name, parameters } = this.#predicate(ends);
    const values = parameters.map((parameter) => {
      if (parameter.kind === 'variable') return at(state.memory, parameter.variable);
      const { role } = ends[parameter.end];
      return readRegister(valueAt(state.threads, role.name), parameter.register);
    });
    return { predicate: valueAt(this.#numberOf, name), arguments: values };
  }
}

/** Returns the registers of a thread, or of copies of a thread, that the claim reads. */
function registersRead({ binders, condition }: Invariant, thread: ThreadId): readonly RegisterId[] {
  const read = new Set<RegisterId>();
  mapLeaves(condition, (leaf) => {
    if (leaf.kind !== 'register' || binders[leaf.binder]?.thread !== thread) return leaf;
    if (leaf.register >= 0) read.add(leaf.register);
    return leaf;
  });
  return [...read];
}

/** Returns all pairs of places of two threads that can exist at once. */
function pairsOf({ threads, unbounded }: ProofProgram): readonly (readonly [PairEnd, PairEnd])[] {
  const ends = threads.flatMap(({ thread, places }) =>
    places.map((place): PairEnd => ({ thread, place })),
  );
  return ends.flatMap((a, i) =>
    ends
      .slice(i)
      .filter((b) => b.thread !== a.thread || unbounded.includes(a.thread))
      .map((b): readonly [PairEnd, PairEnd] => [a, b]),
  );
}

function isSameAtom(a: Atom, b: Atom): boolean {
  return (
    a.predicate === b.predicate &&
    a.arguments.every((value, i) => isSameTerm(value, at(b.arguments, i)))
  );
}

function nameOf([a, b]: readonly [PairEnd, PairEnd]): string {
  return `I${a.thread}_${a.place}_${b.thread}_${b.place}`;
}

function isTwins([a, b]: readonly [PairEnd, PairEnd]): boolean {
  return a.thread === b.thread && a.place === b.place;
}

function standing(state: SymbolicState, placed: readonly Placed[]): SymbolicState {
  const threads = new Map(state.threads);
  for (const { role, place } of placed) {
    threads.set(role.name, { ...valueAt(threads, role.name), place: integer(place) });
  }
  return { ...state, threads };
}
