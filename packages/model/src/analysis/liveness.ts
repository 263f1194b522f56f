import { forEachRegister } from '../program/expression.js';
import { operandsOf } from '../program/rewrite.js';
import type { LocationId, RegisterId } from '../program/ids.js';
import type { Instruction } from '../program/instruction.js';
import type { Thread } from '../program/program.js';
import { computeControlFlow } from './control-flow.js';

/**
 * Functions that return which registers an instruction reads and writes, for an instruction type
 * `I`.
 */
export interface RegisterAccess<I> {
  /**
   * Calls `visit` for every register whose value before the instruction is used by it, possibly
   * repeatedly.
   */
  readonly forEachUse: (instruction: I, visit: (register: RegisterId) => void) => void;
  /** Whether the instruction assigns the register a new value, independent of the old value. */
  readonly defines: (instruction: I, register: RegisterId) => boolean;
}

/**
 * Calls `visit` for every register that the instruction reads, possibly repeatedly. The `where` of
 * a `havoc` is evaluated with the new value of the chosen register, so this register does not count
 * as read.
 */
export function forEachUse(instruction: Instruction, visit: (register: RegisterId) => void): void {
  const isOwn = (register: RegisterId): boolean =>
    instruction.kind === 'havoc' && register === instruction.into;
  for (const operand of operandsOf(instruction))
    forEachRegister(operand, (register) => {
      if (!isOwn(register)) visit(register);
    });
}

/**
 * The register to which the instruction assigns a new value; `undefined` for most instructions, and
 * for an `rmw` whose result is dropped.
 */
export function definedRegister(instruction: Instruction): RegisterId | undefined {
  return 'into' in instruction ? instruction.into : undefined;
}

/** The registers that ordinary instructions read and write. */
export const instructionAccess: RegisterAccess<Instruction> = {
  forEachUse,
  defines: (instruction, register) => definedRegister(instruction) === register,
};

/**
 * Computes whether each register is live: on some path from the location its value is read before
 * being overwritten. Indexed by `LocationId`, then by `RegisterId`. Registers in `observed` are
 * read by a property and are live everywhere; registers in `atEnds` are live at locations without
 * outgoing transitions (in final states).
 */
export function computeLiveRegisters<I>(
  thread: Thread<I>,
  access: RegisterAccess<I>,
  observed: Iterable<RegisterId> = [],
  atEnds: Iterable<RegisterId> = [],
): readonly (readonly boolean[])[] {
  const nothing = thread.registers.map(() => false);
  for (const register of observed) nothing[register] = true;
  return listLiveRegisters(thread, access, atEnds).map((registers) => {
    const live = [...nothing];
    for (const register of registers) live[register] = true;
    return live;
  });
}

/**
 * The live registers at each location, in ascending order; indexed by `LocationId`. The cost is
 * linear in the number of pairs of a location and a live register. If `isListed` is given, other
 * locations get no list.
 */
export function listLiveRegisters<I>(
  thread: Thread<I>,
  access: RegisterAccess<I>,
  atEnds: Iterable<RegisterId> = [],
  isListed?: readonly boolean[],
): readonly (readonly RegisterId[])[] {
  const { transitions } = thread;
  const { incoming, outgoing } = computeControlFlow(thread);
  const readAt: LocationId[][] = thread.registers.map(() => []);
  for (const { from, instruction } of transitions)
    access.forEachUse(instruction, (register) => readAt[register]?.push(from));
  for (const register of atEnds)
    outgoing.forEach((leaving, location) => {
      if (leaving.length === 0) readAt[register]?.push(location);
    });
  const live: RegisterId[][] = thread.locations.map(() => []);
  const lastLive = new Int32Array(thread.locations.length).fill(-1);
  readAt.forEach((pending, register) => {
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (lastLive[at] === register) continue;
      lastLive[at] = register;
      if (!isListed || isListed[at]) live[at]!.push(register);
      for (const id of incoming[at]!) {
        const { from, instruction } = transitions[id]!;
        if (lastLive[from] !== register && !access.defines(instruction, register))
          pending.push(from);
      }
    }
  });
  return live;
}
