import type { LocationId, ThreadId, TransitionId } from './ids.js';
import type { Instruction } from './instruction.js';
import type { Program } from './program.js';

/**
 * A change of a program that says where its threads must not, or may, delay stores.
 *
 * - `fence`: a fence before every instruction that leaves a location ([BDM13] Sect. 7); at an end,
 *   or where it says `before`, before the thread gets there.
 * - `xchg`: a plain store becomes a locked exchange whose result is dropped.
 * - `keep`: a fence or a locked store that the program has stays there, while others go
 *   (`--minimise`).
 * - `remove`: a fence goes, or an exchange whose result is dropped becomes a plain store.
 *
 * One change of a text can be several of a program, where code of it is put in line, or run by
 * several threads: `also` are the others.
 */
export type Repair<Change extends 'xchg' | 'keep' | 'remove' = 'xchg' | 'keep'> =
  | ({ readonly kind: 'fence'; readonly also?: readonly FencePart[] } & FencePart)
  | ({ readonly kind: Change; readonly also?: readonly StepPart[] } & StepPart);

/** Where a fence is. */
export interface FencePart {
  readonly thread: ThreadId;
  readonly location: LocationId;
  /**
   * The fence is on every way to the location, which is a label that somebody looks at: who is
   * there has passed it.
   */
  readonly before?: true;
}

/** An instruction that is changed, or stays. */
export interface StepPart {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
}

/** The changes of a repair, each by itself. */
export function partsOf(repair: Repair): readonly Repair[] {
  if (!repair.also) return [repair];
  if (repair.kind === 'fence') {
    const { kind, also, ...first } = repair;
    return [first, ...also].map(({ thread, location, before }) => ({
      kind,
      thread,
      location,
      ...(before && { before }),
    }));
  }
  const { kind, also, ...first } = repair;
  return [first, ...also].map(({ thread, transition }) => ({ kind, thread, transition }));
}

/**
 * A repair that a text has a place for; `rank` says how easily it is read there, the smaller the
 * better, from 0 to 7.
 */
export interface TextRepair {
  readonly repair: Repair;
  readonly rank: number;
}

/** A repair that can be chosen, and what it costs; costs are positive. */
export type PricedRepair = Repair & { readonly cost: number };

/** How the repairs came to be chosen from: what may be inserted, or what may be removed. */
export type RepairMode = 'fence' | 'xchg' | 'any' | 'minimise' | 'minimise-locked';

/** A name of the repair, of its first part, unique in its program. */
export function repairName(repair: Repair): string {
  return repair.kind === 'fence'
    ? `fence ${repair.thread} ${repair.location}`
    : `${repair.kind} ${repair.thread} ${repair.transition}`;
}

/** The instruction that is exchanged or kept. */
export function instructionOf(
  program: Program,
  { thread, transition }: Exclude<Repair, { kind: 'fence' }>,
): Instruction {
  return program.threads[thread]!.transitions[transition]!.instruction;
}

/** Where the fence of a repair stands, or where its instruction starts. */
export function placeOf(program: Program, repair: Repair): LocationId {
  return repair.kind === 'fence'
    ? repair.location
    : program.threads[repair.thread]!.transitions[repair.transition]!.from;
}
