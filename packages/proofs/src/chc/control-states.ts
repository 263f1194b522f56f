import { at, valueAt } from '@fencewright/ground/base/at.js';
import {
  computeControlFlow,
  computeCycleClosers,
} from '@fencewright/model/analysis/control-flow.js';
import { isIdle, isLocal } from '@fencewright/model/program/instruction.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type {
  InstrumentedInstruction,
  InstrumentedProgram,
} from '@fencewright/model/instrumented/instrumented.js';
import type { Thread } from '@fencewright/model/program/program.js';
import { accessOf, computeAddressCandidates, instructionSteps } from './address-candidates.js';
import {
  executeSymbolically,
  type SymbolicExecution,
  type ExecutionContext,
} from './execute-symbolically.js';
import type {
  Atom,
  HornClause,
  HornSystem,
  Predicate,
} from '@fencewright/ground/smt/horn-system.js';
import {
  cellKey,
  computeRelevantData,
  type RelevantData,
  type SpaceCell,
} from './relevant-data.js';
import { under, withRegister, type SymbolicPath, type ChcState } from './symbolic-state.js';
import { choiceOf } from '@fencewright/ground/smt/arithmetic.js';
import {
  forEachVariable,
  integer,
  isSameTerm,
  not,
  variable,
  type Term,
} from '@fencewright/ground/smt/term.js';

/**
 * The query to be encoded: can a thread reach one of its goals, or can a run end in a mistake of
 * the program (such as an index outside of an array)?
 */
interface EncodingQuery {
  readonly program: InstrumentedProgram;
  readonly goals: readonly { readonly thread: ThreadId; readonly location: LocationId }[];
}

export interface EncodingOptions {
  /**
   * The maximum number of known values of a register or cell in the encoding; a register or cell
   * with more values becomes an argument of the predicates. 4 by default.
   */
  readonly maxValues?: number;
  /** The maximum number of predicates; a query that needs more has no encoding. 5000 by default. */
  readonly maxPredicates?: number;
}

/** The constrained Horn clauses of a reachability query, or the reason why there are none. */
type Encoding =
  | { readonly kind: 'system'; readonly system: HornSystem; readonly isExact: boolean }
  | { readonly kind: 'unsupported'; readonly why: WhyNotEncoded };

/** The reason why a query has no encoding as Horn clauses. */
type WhyNotEncoded =
  /** An address used by the program is unknown. */
  | { readonly kind: 'addresses' }
  /** The encoding needs more than `most` predicates. */
  | { readonly kind: 'predicates'; readonly most: number };

/** The key that identifies a register or memory cell in a symbolic state. */
type DataKey = string;

function registerKey(thread: ThreadId, register: number): DataKey {
  return `register ${thread} ${register}`;
}

/** A register or cell with a known value in a state. */
interface KnownDatum {
  readonly key: DataKey;
  readonly value: number;
}

/**
 * Whether the cell was added by the instrumentation. Such cells take few values, all known from the
 * start.
 */
function isMark({ space }: SpaceCell): boolean {
  return space !== 'program' && space !== 'buffer';
}

function needsBus(instruction: InstrumentedInstruction): boolean {
  return instructionSteps(instruction).some((step) => accessOf(step)?.space === 'program');
}

function isLocalStep({ instruction }: { readonly instruction: InstrumentedInstruction }): boolean {
  if (instruction.kind === 'block') return false;
  return isIdle(instruction) || isLocal(instruction);
}

/**
 * Returns, for each location, whether the thread can move there and may do so without interleaving
 * with other threads: see `compile-moves.ts` in `packages/reference/src/explicit`.
 */
function locationsAlone(thread: Thread<InstrumentedInstruction>): readonly boolean[] {
  const flow = computeControlFlow(thread);
  const closers = computeCycleClosers(thread, isLocalStep);
  return thread.locations.map((_, location) => {
    const leaving = (flow.outgoing[location] ?? []).map((id) => thread.transitions[id]);
    return (
      leaving.length > 0 &&
      closers[location] !== true &&
      leaving.every((step) => step !== undefined && isLocalStep(step))
    );
  });
}

/**
 * Whether one of the moves is certainly possible: a move without a condition, or one of two moves
 * with opposite conditions.
 */
function coversAll(guards: readonly (readonly Term[])[]): boolean {
  if (guards.some((guard) => guard.length === 0)) return true;
  const single = guards.flatMap((guard) => (guard.length === 1 ? guard : []));
  return single.some((one, i) => single.slice(i + 1).some((other) => isSameTerm(not(one), other)));
}

/** The program and the data that all passes of an encoding share. */
interface EncodingSubject extends EncodingQuery {
  readonly context: ExecutionContext;
  readonly relevant: RelevantData;
  readonly alone: readonly (readonly boolean[])[];
  readonly outgoing: readonly (readonly (readonly number[])[])[];
  /** Returns the name of a register or cell, for display. */
  readonly nameOf: (key: DataKey) => string;
}

/**
 * One pass over the control states. Some registers and cells are arguments of the predicates; all
 * further relevant registers and cells have known values in every state.
 */
class Pass {
  readonly predicates: Predicate[] = [];
  readonly clauses: HornClause[] = [];
  /** Registers and cells that have too many values, and have to be arguments in the next pass. */
  readonly promoted = new Set<DataKey>();
  readonly #subject: EncodingSubject;
  readonly #arguments: ReadonlySet<DataKey>;
  readonly #maxValues: number;
  readonly #numbers = new Map<string, number>();
  readonly #states: ChcState[] = [];
  readonly #values = new Map<DataKey, Set<number>>();

  constructor(subject: EncodingSubject, args: ReadonlySet<DataKey>, maxValues: number) {
    this.#subject = subject;
    this.#arguments = args;
    this.#maxValues = maxValues;
  }

  /**
   * Visits the initial state, then every control state once. Returns early if a register or a cell
   * turns out to have too many values (`promoted`). Returns false if there are more than
   * `maxPredicates` states.
   */
  run(maxPredicates: number): boolean {
    const { program } = this.#subject;
    const cells = program.symbols.flatMap(({ base, initial }) =>
      initial.map((value, i) => [cellKey('program', base + i), integer(value)] as const),
    );
    const initial: ChcState = {
      locations: program.threads.map((thread) => thread.initial),
      holder: -1,
      registers: program.threads.map((thread) => thread.registers.map(() => integer(0))),
      cells: new Map(cells),
    };
    this.#arrive(undefined, { guard: [], state: initial });
    for (let at = 0; at < this.#states.length; at++) {
      if (this.#states.length > maxPredicates) return false;
      if (this.promoted.size > 0) return true;
      const state = this.#states[at];
      if (state) this.#expand(at, state);
    }
    return true;
  }

  #expand(at: number, state: ChcState): void {
    const path = { guard: [], state };
    state.locations.forEach((_, thread) => {
      for (const execution of this.#moves(path, thread)) this.#finish(at, execution);
    });
  }

  /** Executes each transition of a thread, except transitions that the bus lock forbids. */
  #moves(path: SymbolicPath, thread: ThreadId): SymbolicExecution[] {
    const { context, outgoing } = this.#subject;
    const { locations, holder } = path.state;
    const ids = at(at(outgoing, thread), at(locations, thread));
    return ids.flatMap((id) => {
      const { instruction } = at(at(context.program.threads, thread).transitions, id);
      const isBusFree = holder < 0 || holder === thread;
      if (!isBusFree && needsBus(instruction)) return [];
      return [executeSymbolically(context, path, thread, id)];
    });
  }

  #finish(at: number | undefined, { paths, faults }: SymbolicExecution): void {
    for (const fault of faults) this.#ask(at, fault);
    for (const path of paths) this.#arrive(at, path);
  }

  #ask(at: number | undefined, constraint: readonly Term[]): void {
    this.#addClause(at, { constraint });
  }

  #addClause(from: number | undefined, clause: Pick<HornClause, 'constraint' | 'head'>): void {
    const known = from === undefined ? [] : at(this.predicates, from).parameters;
    const variables = new Set(known);
    for (const term of [...clause.constraint, ...(clause.head?.arguments ?? [])])
      forEachVariable(term, (name) => variables.add(name));
    const body: Atom[] =
      from === undefined
        ? []
        : [{ predicate: from, arguments: known.map((name) => variable(name)) }];
    this.clauses.push({ ...clause, body, variables: [...variables] });
  }

  /**
   * Follows the steps of threads from the end of `path` as long as some thread may take its steps
   * without interleaving, then adds a clause for the state reached. The path begins at state number
   * `at`, or at the initial state if `at` is absent.
   */
  #arrive(at: number | undefined, path: SymbolicPath): void {
    const { goals, alone } = this.#subject;
    const { locations } = path.state;
    if (goals.some(({ thread, location }) => locations[thread] === location)) {
      this.#ask(at, path.guard);
      return;
    }
    for (const [thread, location] of locations.entries()) {
      if (alone[thread]?.[location] !== true) continue;
      const moves = this.#moves(path, thread);
      const added = moves.flatMap(({ paths, faults }) =>
        [...paths.map(({ guard }) => guard), ...faults].map((g) => g.slice(path.guard.length)),
      );
      if (!coversAll(added)) continue;
      for (const move of moves) this.#finish(at, move);
      return;
    }
    this.#settle(at, path);
  }

  /**
   * Adds the clause from state number `from` (from the initial state if absent) to the state at a
   * path's end. In this state, live registers and cells are arguments or have known values. If a
   * register or cell is neither, the path is split first.
   */
  #settle(from: number | undefined, path: SymbolicPath): void {
    const { relevant } = this.#subject;
    const { locations, registers, cells } = path.state;
    const args: { key: DataKey; value: Term }[] = [];
    const known: KnownDatum[] = [];
    const kept = new Map<string, Term>();
    let split: { key: DataKey; value: Term; put: (value: Term) => ChcState } | undefined;
    const settle = (key: DataKey, value: Term, put: (v: Term) => ChcState): Term => {
      if (this.#arguments.has(key)) {
        args.push({ key, value });
        return variable(this.#subject.nameOf(key));
      }
      if (value.kind !== 'integer') split ??= { key, value, put };
      else known.push({ key, value: value.value });
      return value;
    };
    const settledRegisters = registers.map((own, t) =>
      own.map((value, r) =>
        relevant.isRegisterLive(t, at(locations, t), r)
          ? settle(registerKey(t, r), value, (v) => withRegister(path.state, t, r, v))
          : integer(0),
      ),
    );
    for (const key of [...relevant.cellsReadAfter(locations)].sort()) {
      const value = cells.get(key) ?? integer(0);
      const put = (v: Term): ChcState => ({
        ...path.state,
        cells: new Map(cells).set(key, v),
      });
      kept.set(key, settle(key, value, put));
    }
    if (split) {
      this.#split(from, path, split);
      return;
    }
    const state = { ...path.state, registers: settledRegisters, cells: kept };
    const predicate = this.#number(state, args, known);
    const head = { predicate, arguments: args.map(({ value }) => value) };
    this.#addClause(from, { constraint: path.guard, head });
  }

  /**
   * Splits a path's end in two if a register or cell has one of two values, each chosen by a
   * condition; a register or cell with any other term becomes an argument in the next pass.
   */
  #split(
    at: number | undefined,
    path: SymbolicPath,
    { key, value, put }: { key: DataKey; value: Term; put: (value: Term) => ChcState },
  ): void {
    const choice = choiceOf(value);
    if (!choice) {
      this.promoted.add(key);
      return;
    }
    for (const [condition, number] of [
      [choice.condition, choice.then],
      [not(choice.condition), choice.otherwise],
    ] as const) {
      const part = under(path, condition);
      if (part) this.#settle(at, { ...part, state: put(integer(number)) });
    }
  }

  #number(
    state: ChcState,
    args: readonly { readonly key: DataKey }[],
    known: readonly KnownDatum[],
  ): number {
    const facts = known.map(({ key, value }) => `${key}=${value}`).join(' ');
    const id = `${state.locations.join(' ')}|${state.holder}|${facts}`;
    const before = this.#numbers.get(id);
    if (before !== undefined) return before;
    for (const datum of known) this.#noteValue(datum);
    const number = this.#states.length;
    this.#numbers.set(id, number);
    this.#states.push(state);
    this.predicates.push({
      name: `at${number}`,
      parameters: args.map(({ key }) => this.#subject.nameOf(key)),
      comment: this.#describe(state, known),
    });
    return number;
  }

  #noteValue({ key, value }: KnownDatum): void {
    const cell = this.#subject.relevant.cells.get(key);
    if (cell && isMark(cell)) return;
    const seen = this.#values.get(key) ?? new Set();
    this.#values.set(key, seen.add(value));
    if (seen.size > this.#maxValues) this.promoted.add(key);
  }

  #describe({ locations, holder }: ChcState, known: readonly KnownDatum[]): string {
    const { program, nameOf } = this.#subject;
    const places = locations.map((location, t) => {
      const thread = at(program.threads, t);
      return `${thread.name} at ${at(thread.locations, location).name}`;
    });
    const facts = known.map(({ key, value }) => `${nameOf(key)} = ${value}`);
    const lock = holder < 0 ? [] : [`${at(program.threads, holder).name} has the bus lock`];
    return [...places, ...lock, ...facts].join(', ');
  }
}

/**
 * Returns a function that returns distinct display names which fit between the bars of SMT-LIB 2.
 * All names contain a space, so no name equals a predicate's or operator's, whatever names the
 * program has.
 */
function createNames(
  program: InstrumentedProgram,
  { cells }: RelevantData,
): (key: DataKey) => string {
  const names = new Map<DataKey, string>();
  const taken = new Set<string>();
  const registers = new Map(
    program.threads.flatMap(({ name, registers: own }, thread) =>
      own.map(
        (register, id) => [registerKey(thread, id), `register ${name}.${register.name}`] as const,
      ),
    ),
  );
  const describe = (key: DataKey): string =>
    registers.get(key) ?? describeCell(program, valueAt(cells, key));
  return (key) => {
    const known = names.get(key);
    if (known !== undefined) return known;
    const wish = describe(key).replaceAll(/[|\\]/g, '_');
    let name = wish;
    for (let i = 2; taken.has(name); i++) name = `${wish} ${i}`;
    taken.add(name);
    names.set(key, name);
    return name;
  };
}

function describeCell(program: InstrumentedProgram, { space, address }: SpaceCell): string {
  if (space === 'control') return `${space} ${address}`;
  const symbol = program.symbols.find(
    ({ base, length }) => address >= base && address < base + length,
  );
  const index = symbol?.isArray === true ? `[${address - symbol.base}]` : '';
  const cell = symbol ? `${symbol.name}${index}` : `mem[${address}]`;
  return space === 'program' ? `cell ${cell}` : `${space} ${cell}`;
}

/**
 * Encodes the query as constrained Horn clauses over ideal integers: satisfiable iff neither a goal
 * nor a mistake of the program is reachable. Each reachable combination of the threads' locations,
 * the bus lock and the data with few values has a predicate; its arguments are the remaining data,
 * as far as live and relevant. Steps noticeable to one thread only are merged into the step before.
 *
 * Runs of the program on 32-bit integers are prefixes of runs of the clauses: overflow faults end
 * the former but not the latter. Clauses may have more runs if `isExact` is false.
 */
export function encodeReachability(
  query: EncodingQuery,
  { maxValues = 4, maxPredicates = 5000 }: EncodingOptions = {},
): Encoding {
  const { program } = query;
  const candidates = computeAddressCandidates(program);
  if (candidates.flat(2).includes('any'))
    return { kind: 'unsupported', why: { kind: 'addresses' } };
  let variables = 0;
  const anyInteger = (): Term => variable(`any ${variables++}`);
  const context = { program, candidates, anyInteger };
  const relevant = computeRelevantData(program, candidates);
  const subject: EncodingSubject = {
    ...query,
    context,
    relevant,
    alone: program.threads.map(locationsAlone),
    outgoing: program.threads.map((thread) => computeControlFlow(thread).outgoing),
    nameOf: createNames(program, relevant),
  };
  const args = new Set<DataKey>();
  for (;;) {
    const pass = new Pass(subject, args, maxValues);
    if (!pass.run(maxPredicates))
      return { kind: 'unsupported', why: { kind: 'predicates', most: maxPredicates } };
    if (pass.promoted.size === 0) {
      const { predicates, clauses } = pass;
      return { kind: 'system', system: { predicates, clauses }, isExact: variables === 0 };
    }
    for (const key of pass.promoted) args.add(key);
  }
}
