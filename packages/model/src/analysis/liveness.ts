import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { forEachRegister } from '../program/expression.js';
import { operandsOf } from '../program/read-before-written.js';
import type { LocationId, RegisterId } from '../program/ids.js';
import type { Instruction } from '../program/instruction.js';
import type { Thread } from '../program/program.js';
import { computeControlFlow } from './control-flow.js';

/** Functions that say which registers an instruction of an instruction set reads and writes. */
export interface RegisterAccess<I> {
  /**
   * Calls `visit` for every register whose value before the instruction matters, possibly
   * repeatedly.
   */
  readonly forEachUse: (instruction: I, visit: (register: RegisterId) => void) => void;
  /** Whether the instruction gives the register a new value, independent of the old value. */
  readonly defines: (instruction: I, register: RegisterId) => boolean;
}

/**
 * Calls `visit` for every register that the instruction reads, possibly repeatedly. The `where` of
 * a `havoc` sees the new value of the chosen register, so this register does not count as read.
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
 * The register to which the instruction gives a new value; `undefined` for most instructions, and
 * for an `rmw` whose result is dropped.
 */
export function definedRegister(instruction: Instruction): RegisterId | undefined {
  switch (instruction.kind) {
    case 'load':
    case 'rmw':
    case 'assign':
    case 'havoc':
      return instruction.into;
    case 'store':
    case 'fence':
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
    case 'assume':
    case 'assert':
    case 'skip':
      return undefined;
    default:
      return unreachable(instruction);
  }
}

/** The registers that ordinary instructions read and write. */
export const instructionAccess: RegisterAccess<Instruction> = {
  forEachUse,
  defines: (instruction, register) => definedRegister(instruction) === register,
};

/**
 * Computes whether a register is live: on some path from the location its value is read before
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
  const flow = computeControlFlow(thread);
  const nothing = thread.registers.map(() => false);
  for (const register of observed) nothing[register] = true;
  const live = thread.locations.map(() => [...nothing]);
  live.forEach((here, location) => {
    if ((flow.outgoing[location] ?? []).length === 0)
      for (const register of atEnds) here[register] = true;
  });
  // Last first: a thread mostly runs through its locations in order, and liveness flows backwards.
  const pending: LocationId[] = thread.locations.map((_, location) => location);
  const isPending = thread.locations.map(() => true);
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    isPending[at] = false;
    if (!addLiveBefore(thread, flow.outgoing[at] ?? [], live, at, access)) continue;
    for (const id of flow.incoming[at] ?? []) {
      const from = thread.transitions[id]?.from;
      if (from === undefined || isPending[from]) continue;
      isPending[from] = true;
      pending.push(from);
    }
  }
  return live;
}

/**
 * Adds the registers live before the transitions `outgoing` to the set of location `at`; returns
 * whether the set grew.
 */
function addLiveBefore<I>(
  thread: Thread<I>,
  outgoing: readonly number[],
  live: readonly boolean[][],
  at: LocationId,
  access: RegisterAccess<I>,
): boolean {
  const here = live[at] ?? [];
  let grown = false;
  const add = (register: RegisterId): void => {
    if (here[register]) return;
    here[register] = true;
    grown = true;
  };
  for (const id of outgoing) {
    const transition = thread.transitions[id];
    if (!transition) continue;
    const { instruction, to } = transition;
    live[to]?.forEach((isLive, register) => {
      if (isLive && !access.defines(instruction, register)) add(register);
    });
    access.forEachUse(instruction, add);
  }
  return grown;
}
