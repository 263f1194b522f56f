import type { LocationId, ThreadId, TransitionId } from './ids.js';
import type { Instruction } from './instruction.js';
import type { Program } from './program.js';

/**
 * A change of a program that prevents, or allows, delays of stores.
 *
 * - `fence`: a fence before every outgoing instruction of a location ([BDM13] Sect. 7); at an end,
 *   or with `before`, in front of the location.
 * - `xchg`: a plain store becomes a locked exchange with dropped result.
 * - `keep`: an existing fence or locked store stays, while others are removed (`--minimise`).
 * - `remove`: a fence is removed, or an exchange with dropped result becomes a plain store.
 *
 * One change of the text may be several changes of the program, if the code is inlined or run by
 * several threads: `also` lists the further changes.
 */
export type Repair<Change extends 'xchg' | 'keep' | 'remove' = 'xchg' | 'keep'> =
  | ({ readonly kind: 'fence'; readonly also?: readonly FencePart[] } & FencePart)
  | ({ readonly kind: Change; readonly also?: readonly StepPart[] } & StepPart);

/** The place of a fence that a repair inserts, keeps or removes. */
export interface FencePart {
  readonly thread: ThreadId;
  readonly location: LocationId;
  /**
   * Present if the fence is in front of the location, a label observed by a property: every path to
   * the label passes the fence.
   */
  readonly before?: true;
  /**
   * Present if the fence is heavy: its number, from 1, in the sequence of heavy fences at the
   * location.
   */
  readonly heavy?: number;
  /**
   * Present if the fence is light: a fence for the compiler only, no instruction. Only in changes
   * of the text.
   */
  readonly light?: true;
}

/** An instruction that a repair changes or keeps. */
export interface StepPart {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
}

/** The single changes of a repair: the first change, and the further ones in `also`. */
export function singleRepairs(repair: Repair): readonly Repair[] {
  if (!repair.also) return [repair];
  if (repair.kind === 'fence') {
    const { kind, also, ...first } = repair;
    const { heavy } = first;
    return [first, ...also].map(({ thread, location, before }) => ({
      kind,
      thread,
      location,
      ...(before && { before }),
      ...(heavy !== undefined && { heavy }),
    }));
  }
  const { kind, also, ...first } = repair;
  return [first, ...also].map(({ thread, transition }) => ({ kind, thread, transition }));
}

/**
 * A repair with its places in the text. Among sets of repairs of equal cost, a set with the
 * smallest sum of ranks is chosen; ranks are integers from 0 on.
 */
export interface TextRepair {
  readonly repair: Repair;
  readonly rank: number;
}

/** A possible repair, with its positive cost. */
export type PricedRepair = Repair & { readonly cost: number };

/** The set of candidate repairs: possible insertions, or possible removals. */
export type RepairMode = 'fence' | 'xchg' | 'asymmetric' | 'any' | 'minimise' | 'minimise-locked';

function heavinessOf({ heavy }: FencePart): string {
  return heavy === undefined ? '' : `heavy ${heavy} `;
}

/** Returns a name for the first change of the repair, unique in its program. */
export function repairName(repair: Repair): string {
  return repair.kind === 'fence'
    ? `${heavinessOf(repair)}fence ${repair.thread} ${repair.location}`
    : `${repair.kind} ${repair.thread} ${repair.transition}`;
}

/** Whether the repair inserts a heavy fence. */
export function isHeavyFence(repair: Repair): boolean {
  return repair.kind === 'fence' && repair.heavy !== undefined;
}

/** The instruction that a repair changes or keeps, in the given program. */
export function instructionOf(
  program: Program,
  { thread, transition }: Exclude<Repair, { kind: 'fence' }>,
): Instruction {
  return program.threads[thread]!.transitions[transition]!.instruction;
}

/**
 * Returns the location of a repair: the location of its fence, or the location that its instruction
 * leaves.
 */
export function repairLocation(program: Program, repair: Repair): LocationId {
  return repair.kind === 'fence'
    ? repair.location
    : program.threads[repair.thread]!.transitions[repair.transition]!.from;
}
