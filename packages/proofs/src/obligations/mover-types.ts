import { valueAt } from '@fencewright/ground/base/at.js';
import {
  and,
  equation,
  isSameTerm,
  not,
  or,
  truth,
  type Term,
} from '@fencewright/ground/smt/term.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import { isLoad, isStore, type LoadEdge, type StoreEdge } from '../steps/buffer-free-loads.js';
import type { OperationEdge, Step } from '../steps/operation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { roleOf, type Role } from '../steps/roles.js';
import type { SymbolicState } from '../steps/symbolic-state.js';
import { performEdges, type PerformedStep, type SymbolicAccess } from '../steps/symbolic-step.js';
import type { SmtDeclaration } from '../steps/terms.js';
import { distinctSteps } from './movers.js';
import type { ObligationAnswer, Prover } from './obligation.js';
import { excludeSituation, type Impossibility } from './select-needed.js';

/**
 * The directions in which an access may move: after the next step of another thread, or before the
 * previous one.
 */
type Direction = 'right' | 'left';

/**
 * The reasons why an access can change places with every step of other threads, from the simplest
 * to the hardest.
 *
 * - `text`: no other thread accesses the variable, or all only read it.
 * - `apart`: the access and another thread's step are never at one cell at once.
 * - `effects`: both orders end in the same state.
 */
const reasons = ['text', 'apart', 'effects'] as const;
type Reason = (typeof reasons)[number];

/** Whether an access moves in one direction, in all states allowed by the invariants. */
export type Move =
  /** The access moves, in the states in which the `invariants` hold; `reason` says why. */
  | { readonly kind: 'moves'; readonly reason: Reason; readonly invariants: readonly Invariant[] }
  /** In the state of `finding`, the access and the step of another thread do not change places. */
  | {
      readonly kind: 'stuck';
      readonly otherStep: Step;
      readonly finding: Exclude<ObligationAnswer, { kind: 'holds' }>;
    };

/** An access of a thread, with the directions in which the access moves. */
export interface AccessMoves {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  /**
   * Absent for an access that is not checked and counts as no mover: an rmw, which also is a fence,
   * and an access in a lock block, which moves with the block only.
   */
  readonly moves?: Readonly<Record<Direction, Move>>;
}

/**
 * Decides for every load and store of a program, outside of lock blocks, whether the access is a
 * right mover and whether it is a left mover ([BEMT18] Sect. 4): in every state that the invariants
 * allow, the access and a neighbouring step of another thread can happen in the other order, and
 * end in the same state. Steps are those of SC; a lock block is one step.
 */
export async function decideMoves(
  program: ProofProgram,
  invariants: readonly Invariant[],
  prover: Prover,
): Promise<readonly AccessMoves[]> {
  const found: AccessMoves[] = [];
  for (const { thread, edges, isLocked } of program.threads) {
    const accesses = edges.filter(({ operation }) => 'address' in operation);
    // An rmw with a condition has two edges.
    const distinct = new Map(accesses.map((edge) => [edge.transition, edge]));
    for (const [transition, edge] of distinct) {
      if ((!isLoad(edge) && !isStore(edge)) || isLocked[edge.from]) {
        found.push({ thread, transition });
        continue;
      }
      const right = await decideMove(program, invariants, thread, edge, 'right', prover);
      const left = await decideMove(program, invariants, thread, edge, 'left', prover);
      found.push({ thread, transition, moves: { right, left } });
    }
  }
  return found;
}

async function decideMove(
  program: ProofProgram,
  invariants: readonly Invariant[],
  thread: ThreadId,
  edge: LoadEdge | StoreEdge,
  direction: Direction,
  prover: Prover,
): Promise<Move> {
  const needed: Invariant[] = [];
  let reason: Reason = 'text';
  const exclude = (goal: Impossibility) =>
    excludeSituation(program, [], invariants, needed, goal, prover);
  for (const other of program.threads) {
    if (other.thread === thread && !program.unbounded.includes(thread)) continue;
    for (const step of distinctSteps(other.steps)) {
      if (!mayConflict(program, edge, step)) continue;
      const neighbours = { program, thread, edge, step, direction };
      const before = needed.length;
      const apart = await exclude(situation(neighbours, meeting));
      if (apart.kind === 'holds') {
        if (reason === 'text') reason = 'apart';
        continue;
      }
      needed.length = before;
      const finding = await exclude(situation(neighbours, difference));
      if (finding.kind !== 'holds') return { kind: 'stuck', otherStep: step, finding };
      reason = 'effects';
    }
  }
  return { kind: 'moves', reason, invariants: needed };
}

/** Whether the step has an access to the variable of the edge, and one of the two writes. */
function mayConflict({ memory }: ProofProgram, edge: LoadEdge | StoreEdge, step: Step): boolean {
  const own = memory.cellAt(edge.operation.address).variable;
  return step.edges.some(
    ({ operation }) =>
      'address' in operation &&
      memory.cellAt(operation.address).variable === own &&
      (isStore(edge) || writes(operation)),
  );
}

function writes(operation: OperationEdge['operation']): boolean {
  return operation.kind === 'store' || (operation.kind === 'rmw' && operation.stores);
}

interface Neighbours {
  readonly program: ProofProgram;
  readonly thread: ThreadId;
  readonly edge: LoadEdge | StoreEdge;
  readonly step: Step;
  readonly direction: Direction;
}

/**
 * An access and a step of another thread, executed one after the other from a state, in the
 * original or in the exchanged order.
 */
interface Order {
  readonly guard: Term;
  readonly after: SymbolicState;
  readonly own: PerformedStep;
  readonly other: PerformedStep;
}

/**
 * Returns the condition that the access and the neighbouring step happen in the original order, and
 * that `condition` holds.
 */
function situation(
  { program, thread, edge, step, direction }: Neighbours,
  condition: (happened: Order, exchanged: Order, mine: Role, theirs: Role) => Term,
): Impossibility {
  const mine = roleOf(program, thread, 1);
  const theirs = roleOf(program, step.thread, 2);
  const single = { edges: [edge], from: edge.from, to: edge.to };
  const perform = (first: Direction, state: SymbolicState): Order => {
    // An access that should move right comes before the step of the other thread.
    if (first === 'right') {
      const own = performEdges(program, single, mine, state);
      const other = performEdges(program, step, theirs, own.after);
      return { guard: and(own.guard, other.guard), after: other.after, own, other };
    }
    const other = performEdges(program, step, theirs, state);
    const own = performEdges(program, single, mine, other.after);
    return { guard: and(own.guard, other.guard), after: own.after, own, other };
  };
  return {
    roles: [mine, theirs],
    happens(state) {
      const happened = perform(direction, state);
      const exchanged = perform(direction === 'right' ? 'left' : 'right', state);
      // Values that a step chooses have the same names in both orders, and are chosen once.
      const declarations: readonly SmtDeclaration[] = [
        ...happened.own.declarations,
        ...happened.other.declarations,
      ];
      return {
        condition: and(happened.guard, condition(happened, exchanged, mine, theirs)),
        declarations,
      };
    },
  };
}

/** Returns the condition that two steps access the same cell, at least one step by a write. */
function meeting({ own, other }: Order): Term {
  return or(...own.accesses.flatMap((a) => other.accesses.flatMap((b) => sameCell(a, b) ?? [])));
}

function sameCell(a: SymbolicAccess, b: SymbolicAccess): Term | undefined {
  if (a.variable !== b.variable) return undefined;
  if (a.written === undefined && b.written === undefined) return undefined;
  return a.index !== undefined && b.index !== undefined ? equation(a.index, b.index) : truth;
}

/**
 * Returns the condition that the two steps are impossible in the exchanged order, or end in another
 * state.
 */
function difference(happened: Order, exchanged: Order, mine: Role, theirs: Role): Term {
  const pairs = [
    ...happened.after.memory.map((term, id) => [term, exchanged.after.memory[id]] as const),
    ...[mine, theirs].flatMap(({ name }) => {
      const registers = valueAt(exchanged.after.threads, name).registers;
      return valueAt(happened.after.threads, name).registers.map(
        (term, id) => [term, registers[id]] as const,
      );
    }),
  ];
  const same = pairs.flatMap(([a, b]) => (!b || isSameTerm(a, b) ? [] : [equation(a, b)]));
  return not(and(exchanged.guard, ...same));
}
