import type { Expression } from '../program/expression.js';
import type { RegisterId } from '../program/ids.js';
import type { Instruction } from '../program/instruction.js';
import type { Program } from '../program/program.js';

/**
 * Auxiliary memories of instrumented programs ([BDM13] Sect. 5). Each has a cell for every address
 * of the program, so that no choice of fresh addresses can collide with one that the program
 * computes.
 *
 * - `pending`, `buffer`: the auxiliary address (a, d) of the attacker: whether a delayed store to
 *   `a` exists, and its newest value.
 * - `level`: the auxiliary address (a, hb), an access level (see `accessLevel`).
 * - `control`: single cells, see `controlCell`.
 */
export type AuxiliarySpace = 'pending' | 'buffer' | 'level' | 'control';

/**
 * The access levels of an address in instrumented programs, in ascending order: no access, load,
 * store on the happens-before path ([BDM13] Sect. 5.2). Larger levels are for accesses in lock
 * blocks not yet on the path: odd levels for loads, even levels for stores.
 */
export const accessLevel = { none: 0, load: 1, store: 2 } as const;

/** The addresses of the single cells in the `control` space. */
export const controlCell = {
  /**
   * The address of the control cell with the address of the first delayed store, a_stA in [BDM13].
   */
  attackedAddress: 0,
  /**
   * The address of the control cell with the flag hb: 1 if the attacker has performed its last
   * load.
   */
  happensBefore: 1,
  /**
   * The address of the control cell that is 1 if some thread has become the attacker; used only if
   * one query covers all attacks.
   */
  attackerChosen: 2,
  /**
   * The address of the control cell with the thread of the attack, as `ThreadId`; the next two have
   * its store and its load, as `TransitionId`. Used only if one query covers all attacks.
   */
  attackThread: 3,
  attackStore: 4,
  attackLoad: 5,
} as const;

/**
 * One step of a block of an instrumented program: an instruction, or an access to auxiliary memory.
 */
export type InstrumentedStep =
  | Instruction
  | {
      readonly kind: 'auxiliary-store';
      readonly space: AuxiliarySpace;
      readonly address: Expression;
      readonly value: Expression;
    }
  | {
      readonly kind: 'auxiliary-load';
      readonly space: AuxiliarySpace;
      readonly into: RegisterId;
      readonly address: Expression;
    };

/**
 * Steps of a thread that are executed atomically. A block can be executed only if none of its steps
 * blocks; if the block accesses program memory, the bus lock must be free or held by the block's
 * own thread. [BDM13] uses intermediate labels instead, as its language has no instruction with two
 * accesses; atomic blocks lose no behaviour and save states.
 */
export interface InstrumentedBlock {
  readonly kind: 'block';
  readonly steps: readonly InstrumentedStep[];
}

export type InstrumentedInstruction = Instruction | InstrumentedBlock;

/** An instrumented program, which runs under SC only. */
export type InstrumentedProgram = Program<InstrumentedInstruction>;
