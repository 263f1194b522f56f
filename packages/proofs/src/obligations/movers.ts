import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import { isStore, type LoadEdge, type StoreEdge } from '../steps/buffer-free-loads.js';
import { assumeInvariants, singleRoles } from './invariant-terms.js';
import {
  ask,
  questionState,
  type ObligationAnswer,
  type Prover,
  type SolverQuestion,
} from './obligation.js';
import type { OperationEdge, Step } from '../steps/operation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { roleOf, type Role } from '../steps/roles.js';
import { basicFacts, type SymbolicState } from '../steps/symbolic-state.js';
import { performEdges, type SymbolicAccess, type PerformedStep } from '../steps/symbolic-step.js';
import { symbol, type SmtDeclaration } from '../steps/terms.js';
import { and, equation, falsity, not, or, truth, type Term } from '@fencewright/ground/smt/term.js';

/**
 * Reasons why two neighbouring steps may change places, strongest first; each guarantees more than
 * the next.
 *
 * - `apart`: the two steps never access one cell at once, or only read the cell.
 * - `same-values`: the two steps may access one cell, and find and leave equal values in either
 * order.
 * - `same-outcomes`: the values found may differ, but only where a guess or a failing cas cannot
 * tell.
 */
export const agreements = ['apart', 'same-values', 'same-outcomes'] as const;
export type Agreement = (typeof agreements)[number];

/** Returns the weaker of two agreements (degrees in which two steps may change places). */
export function weaker(a: Agreement, b: Agreement): Agreement {
  return agreements.indexOf(a) > agreements.indexOf(b) ? a : b;
}

/**
 * Two steps that cannot change places in a state allowed by the invariants; `finding` contains the
 * state, if the solver returned a state.
 */
export interface Conflict {
  readonly mover: 'load' | 'store';
  /** The thread of the load or store that should change places with the second step. */
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  /** The thread of the second step, whose access prevents the exchange. */
  readonly otherThread: ThreadId;
  readonly otherStep: Step;
  readonly finding: Exclude<ObligationAnswer, { kind: 'holds' }>;
}

/**
 * The answer about a load or store: it moves, or a conflict with a step of another thread prevents
 * the move.
 */
type MoverAnswer =
  | { readonly kind: 'moves'; readonly agreement: Agreement }
  | { readonly kind: 'stuck'; readonly conflict: Conflict };

/**
 * Decides whether loads are right movers and stores left movers, under given invariants; answers
 * are cached.
 */
export class MoverChecks {
  readonly #program: ProofProgram;
  readonly #invariants: readonly Invariant[];
  readonly #prover: Prover;
  readonly #answers = new Map<OperationEdge, Promise<MoverAnswer>>();

  constructor(program: ProofProgram, invariants: readonly Invariant[], prover: Prover) {
    this.#program = program;
    this.#invariants = invariants;
    this.#prover = prover;
  }

  /**
   * Returns whether the load is a right mover: may change places with any following step of every
   * other thread.
   */
  rightMover(thread: ThreadId, load: LoadEdge): Promise<MoverAnswer> {
    return this.#remember(load, () => this.#againstAll(thread, load, 'load'));
  }

  /**
   * Returns whether the store is a left mover: may change places with any preceding step of every
   * other thread.
   */
  leftMover(thread: ThreadId, store: StoreEdge): Promise<MoverAnswer> {
    return this.#remember(store, () => this.#againstAll(thread, store, 'store'));
  }

  #remember(edge: OperationEdge, decide: () => Promise<MoverAnswer>): Promise<MoverAnswer> {
    const answer = this.#answers.get(edge) ?? decide();
    this.#answers.set(edge, answer);
    return answer;
  }

  async #againstAll(
    thread: ThreadId,
    edge: LoadEdge | StoreEdge,
    mover: Conflict['mover'],
  ): Promise<MoverAnswer> {
    let agreement: Agreement = 'apart';
    for (const other of this.#program.threads) {
      if (other.thread === thread && !this.#program.unbounded.includes(thread)) continue;
      for (const step of distinctSteps(other.steps)) {
        const found = await this.#against(thread, edge, mover, step);
        if (typeof found !== 'string')
          return {
            kind: 'stuck',
            conflict: {
              mover,
              thread,
              transition: edge.transition,
              otherThread: other.thread,
              otherStep: step,
              finding: found,
            },
          };
        agreement = weaker(agreement, found);
      }
    }
    return { kind: 'moves', agreement };
  }

  /**
   * Returns the strongest agreement (degree in which two steps may change places) of a load or
   * store with a step of another thread. If the steps cannot change places at all, returns the
   * solver's finding against the last degree tried.
   */
  async #against(
    thread: ThreadId,
    edge: LoadEdge | StoreEdge,
    mover: Conflict['mover'],
    step: Step,
  ): Promise<Agreement | Conflict['finding']> {
    let finding: ObligationAnswer = { kind: 'holds' };
    // To pose a question takes time, too.
    if (this.#prover.isStopped) return { kind: 'unknown', reason: 'time' };
    for (const agreement of agreements) {
      const question = this.#question(thread, edge, mover, step, agreement);
      if (!question) return agreement;
      finding = await this.#prover.prove(question);
      if (finding.kind === 'holds') return agreement;
    }
    return finding as Conflict['finding'];
  }

  /**
   * Returns the question whether the two steps can break the agreement; `undefined` if the
   * program's text shows that they cannot.
   */
  #question(
    thread: ThreadId,
    edge: LoadEdge | StoreEdge,
    mover: Conflict['mover'],
    step: Step,
    agreement: Agreement,
  ): SolverQuestion | undefined {
    const program = this.#program;
    const singles = singleRoles(program, this.#invariants);
    const mine = roleOf(program, thread, 1);
    const theirs = roleOf(program, step.thread, 2);
    const roles = [
      ...singles.filter(({ name }) => name !== mine.name && name !== theirs.name),
      mine,
      theirs,
    ];
    const state = questionState(program, roles);
    const meeting = meet(program, { mover, edge, step }, agreement, mine, theirs, state);
    if (!meeting) return undefined;
    const { own, other, access, clashes } = meeting;
    const claim = claimText(program, thread, edge, step, mover, agreement);
    return ask(
      program,
      roles,
      claim,
      [
        basicFacts(program, roles, state),
        assumeInvariants(program, this.#invariants, roles, state),
        own.guard,
        other.guard,
        or(...clashes),
      ],
      [...own.declarations, ...other.declarations],
      watched(access, other.accesses, mover),
    );
  }
}

/** A load or store that should move, and the step of a second thread to change places with. */
interface NeighbouringSteps {
  readonly mover: Conflict['mover'];
  readonly edge: LoadEdge | StoreEdge;
  readonly step: Step;
}

/**
 * A load or store and a neighbouring step, executed from one state in the original order. The two
 * may change places to the degree `agreement` iff none of the conditions `clashes` holds.
 */
export interface Meeting {
  readonly own: PerformedStep;
  readonly other: PerformedStep;
  readonly access: SymbolicAccess;
  readonly clashes: readonly Term[];
}

/**
 * Returns the load or store and the neighbouring step, executed from a state in the original order,
 * with the roles `mine` and `theirs`. `undefined` if the program's text shows that they may change
 * places.
 */
export function meet(
  program: ProofProgram,
  { mover, edge, step }: NeighbouringSteps,
  agreement: Agreement,
  mine: Role,
  theirs: Role,
  state: SymbolicState,
): Meeting | undefined {
  const { first, second } = inOrder(program, edge, step, mover, mine, theirs, state);
  const [own, other] = mover === 'load' ? [first, second] : [second, first];
  const access = own.accesses[0];
  if (!access) return undefined;
  const clashes = other.accesses.flatMap((each) => clash(access, each, mover, agreement) ?? []);
  return clashes.length === 0 ? undefined : { own, other, access, clashes };
}

/**
 * Returns the steps cut off after their last access, each once; steps without an access are left
 * out.
 */
export function distinctSteps(steps: readonly Step[]): readonly Step[] {
  const cores = new Map<string, Step>();
  for (const step of steps) {
    const last = step.edges.findLastIndex(({ operation }) => 'address' in operation);
    if (last < 0) continue;
    const edges = step.edges.slice(0, last + 1);
    const key = edges
      .map(
        ({ transition, operation }) =>
          `${transition}${operation.kind === 'rmw' ? operation.stores : ''}`,
      )
      .join();
    if (!cores.has(key)) cores.set(key, { ...step, edges, to: edges.at(-1)!.to });
  }
  return [...cores.values()];
}

/**
 * Executes the mover and the second step. For a load: the load, then the second step; loads change
 * nothing visible to other threads, so both start from `state`, except that the second step may
 * miss stores which the load's thread delays. For a store: the second step from `state`, then the
 * store; the store's address and value depend only on its own thread, and are equal before and
 * after.
 */
function inOrder(
  program: ProofProgram,
  edge: OperationEdge,
  step: Step,
  mover: Conflict['mover'],
  mine: Role,
  theirs: Role,
  state: SymbolicState,
): { readonly first: PerformedStep; readonly second: PerformedStep } {
  const single = { edges: [edge], from: edge.from, to: edge.to };
  const own = performEdges(program, single, mine, state);
  if (mover === 'store') return { first: performEdges(program, step, theirs, state), second: own };
  const { memory, declarations } = withoutDelayedStores(program, mine, step, state);
  const other = performEdges(program, step, theirs, { ...state, memory });
  return {
    first: own,
    second: { ...other, declarations: [...declarations, ...other.declarations] },
  };
}

/**
 * Returns memory as another thread's step may find it while the stores before a load are
 * delayed: arbitrary in each variable that the load's thread stores to. In `state` these stores
 * have reached memory. A step with one access accesses the load's cell, to which no store is
 * delayed. Only a lock block can look at a second cell, and its value may decide whether the block
 * stores to the load's cell.
 */
function withoutDelayedStores(
  program: ProofProgram,
  mine: Role,
  step: Step,
  { memory }: SymbolicState,
): { readonly memory: readonly Term[]; readonly declarations: readonly SmtDeclaration[] } {
  const accesses = step.edges.filter(({ operation }) => 'address' in operation);
  if (accesses.length < 2) return { memory, declarations: [] };
  const { edges, isLocked } = at(program.threads, mine.thread);
  const stored = new Set(
    edges
      .filter(isStore)
      .filter(({ from }) => !isLocked[from])
      .map(({ operation }) => program.memory.cellAt(operation.address).variable),
  );
  const declarations: SmtDeclaration[] = [];
  const early = memory.map((held, id) => {
    if (!stored.has(id)) return held;
    const term = symbol(`early${id}_${mine.name}`);
    const isArray = at(program.memory.variables, id).isMap;
    declarations.push({ term, sort: isArray ? '(Array Int Int)' : 'Int' });
    return term;
  });
  return { memory: early, declarations };
}

/**
 * Returns the condition under which an access of another thread and the mover's access do not
 * commute in the sense of `agreement`; `undefined` if the two accesses always commute.
 */
function clash(
  own: SymbolicAccess,
  other: SymbolicAccess,
  mover: Conflict['mover'],
  agreement: Agreement,
): Term | undefined {
  if (own.variable !== other.variable) return undefined;
  if (mover === 'load' && other.written === undefined) return undefined;
  const meet =
    own.index !== undefined && other.index !== undefined ? equation(own.index, other.index) : truth;
  if (agreement === 'apart') return meet;
  return and(
    meet,
    mover === 'load' ? loadNotices(own, other, agreement) : storeShows(own, other, agreement),
  );
}

/**
 * Returns the condition that the load would find a different value after the second thread's store;
 * for a guess with the agreement `same-outcomes`, a value that the guess's condition excludes.
 */
function loadNotices(
  { read, allows }: SymbolicAccess,
  other: SymbolicAccess,
  agreement: Agreement,
): Term {
  const { written } = other;
  if (!read || !written) throw new InternalError('a load reads, and notices what is written');
  if (agreement === 'same-outcomes' && allows) return not(allows(written));
  return not(equation(read, written));
}

/**
 * Returns the condition that the second thread's access would find another value after the store,
 * or would leave a value other than the store's.
 */
function storeShows(
  { written }: SymbolicAccess,
  other: SymbolicAccess,
  agreement: Agreement,
): Term {
  if (!written) throw new InternalError('a store writes');
  const finds =
    other.read === undefined
      ? falsity
      : agreement === 'same-outcomes' && other.allows
        ? not(other.allows(written))
        : not(equation(other.read, written));
  const leaves = other.written === undefined ? falsity : not(equation(other.written, written));
  return or(finds, leaves);
}

function watched(
  own: SymbolicAccess,
  others: readonly SymbolicAccess[],
  mover: Conflict['mover'],
): Record<string, Term> {
  const met = others.filter(({ variable }) => variable === own.variable);
  const terms: readonly (readonly [string, Term | undefined])[] = [
    ['own_index', own.index],
    ['own_value', mover === 'load' ? own.read : own.written],
    ...met.flatMap(
      ({ index, read, written }, i) =>
        [
          [`other_index_${i}`, index],
          [`other_read_${i}`, read],
          [`other_written_${i}`, written],
        ] as const,
    ),
  ];
  return Object.fromEntries(
    terms.flatMap(([name, term]) => (term === undefined ? [] : [[name, term] as const])),
  );
}

function nameOf({ templates }: ProofProgram, thread: ThreadId): string {
  return at(templates.threads, thread).name;
}

function claimText(
  program: ProofProgram,
  thread: ThreadId,
  edge: OperationEdge,
  step: Step,
  mover: Conflict['mover'],
  agreement: Agreement,
): string {
  const direction = mover === 'load' ? 'right' : 'left';
  const place = (
    id: ThreadId,
    { from, transition }: { from: number; transition: number },
  ): string =>
    `${nameOf(program, id)}@${program.templates.threads[id]?.locations[from]?.name ?? from} (instruction ${transition})`;
  const other = step.edges[0];
  return `${mover} ${place(thread, edge)} moves ${direction} of ${other ? place(step.thread, other) : '?'}: ${agreement}`;
}
