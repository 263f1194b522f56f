import { hasKind } from '../program/has-kind.js';
import { fact } from '@fencewright/ground/base/fact.js';
import { readsRegister } from '../program/expression.js';
import type { LocationId, RegisterId, TransitionId } from '../program/ids.js';
import type { Instruction } from '../program/instruction.js';
import type { Program, Thread } from '../program/program.js';
import { computeControlFlow } from './control-flow.js';
import { computeLiveRegisters, instructionAccess, type RegisterAccess } from './liveness.js';
import { instructionMayFault, whyFaultFree } from './possible-faults.js';

/**
 * A load and the `havoc` directly after the load, which together choose any value that a condition
 * on the loaded value allows.
 */
export interface ReadAbstraction {
  readonly load: TransitionId;
  readonly havoc: TransitionId;
  /** The register that passes the loaded value from the load to the `havoc`. */
  readonly held: RegisterId;
}

/**
 * The registers read and written by instructions of a thread, except `self`, which is no register
 * and cannot be live.
 */
const ownAccess: RegisterAccess<Instruction> = {
  ...instructionAccess,
  forEachUse: (instruction, visit) =>
    instructionAccess.forEachUse(instruction, (register) => {
      if (register >= 0) visit(register);
    }),
};

/**
 * Finds the read abstractions of a thread: loads whose value is used only by the condition of the
 * next instruction, a `havoc`. The native language translates `havoc r with e` to such a pair if
 * `e` names a shared variable. If a property observes the location in between, load and `havoc`
 * remain separate.
 */
export function findReadAbstractions(
  thread: Thread,
  observed: ReadonlySet<LocationId> = new Set(),
): readonly ReadAbstraction[] {
  if (!hasKind([thread], 'havoc')) return [];
  const flow = computeControlFlow(thread);
  const live = computeLiveRegisters(thread, ownAccess);
  return thread.transitions.flatMap(({ instruction: load, to }, id) => {
    if (load.kind !== 'load' || to === thread.initial || flow.incoming[to]?.length !== 1) return [];
    if (observed.has(to)) return [];
    const [havoc, ...others] = flow.outgoing[to] ?? [];
    const following = havoc === undefined ? undefined : thread.transitions[havoc];
    if (havoc === undefined || others.length > 0 || following?.instruction.kind !== 'havoc')
      return [];
    const { into, where } = following.instruction;
    const held = load.into;
    const isPrivate = held !== into && live[following.to]?.[held] === false;
    return isPrivate && where && readsRegister(where, held) ? [{ load: id, havoc, held }] : [];
  });
}

/**
 * Returns the read abstractions that represent one `havoc ... with` of the source, by the
 * `TransitionId` of their loads. Leaves out pairs of a load and a `havoc` that the user wrote
 * separately, as the loaded value is visible.
 */
export const guessesOf = fact((thread: Thread): ReadonlyMap<TransitionId, ReadAbstraction> => {
  const hidden = findReadAbstractions(thread).filter(({ load, held }) => {
    const middle = thread.transitions[load]?.to;
    const isUnseen = middle !== undefined && thread.locations[middle]?.hidden === true;
    return isUnseen && thread.registers[held]?.hidden === true;
  });
  return new Map(hidden.map((each) => [each.load, each]));
});

/**
 * Whether some thread has a read abstraction (a `havoc ... with` whose condition depends on
 * memory).
 */
export function hasGuesses({ threads }: Pick<Program, 'threads'>): boolean {
  return threads.some((thread) => guessesOf(thread).size > 0);
}

/**
 * The maximum size of a domain for which all its values are listed as possible results of a load.
 */
const mostAdmitted = 256;

/**
 * Whether the value-based happens-before relation can be computed for the program: the values
 * allowed by the conditions of its read abstractions (`havoc ... with` a condition on memory) can
 * be listed, and no such condition can fault, whatever value is read. docs/value-happens-before.md
 * says why this matters.
 */
export function areGuessesListable(program: Program): boolean {
  const { domain } = program;
  if (!hasGuesses(program)) return true;
  if (!domain || domain.high - domain.low >= mostAdmitted) return false;
  const isSafe = program.threads.every((thread) =>
    [...guessesOf(thread).values()].every(({ havoc }) => {
      const taken = thread.transitions[havoc];
      return taken !== undefined && !instructionMayFault(program, taken.instruction);
    }),
  );
  return isSafe || whyFaultFree(program) !== undefined;
}
