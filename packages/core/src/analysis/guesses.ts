import type { RegisterId, TransitionId } from '../program/ids.js';
import type { Program, Thread } from '../program/program.js';
import { computeControlFlow } from './control-flow.js';
import { computeLiveRegisters, forEachUse, instructionAccess } from './liveness.js';
import { instructionMayFault, whyFaultFree } from './possible-faults.js';

/** A read abstraction as front ends lower it: a load that nobody but the `havoc` behind it looks at. */
export interface Guess {
  readonly load: TransitionId;
  readonly havoc: TransitionId;
  /** The hidden register between them. */
  readonly held: RegisterId;
}

/**
 * The read abstractions of a thread, `havoc r with e` where `e` names a shared variable, by their loads. A pair of a load and a `havoc` that the user
 * wrote apart is none, since what the load gives can be seen.
 */
export function guessesOf(thread: Thread): ReadonlyMap<TransitionId, Guess> {
  const guesses = new Map<TransitionId, Guess>();
  if (!thread.transitions.some(({ instruction }) => instruction.kind === 'havoc')) return guesses;
  const flow = computeControlFlow(thread);
  const live = computeLiveRegisters(thread, instructionAccess);
  thread.transitions.forEach(({ to, instruction: load }, id) => {
    if (load.kind !== 'load' || to === thread.initial) return;
    const isHidden = thread.registers[load.into]?.hidden && thread.locations[to]?.hidden;
    const [havoc, ...others] = flow.outgoing[to] ?? [];
    if (!isHidden || havoc === undefined || others.length > 0) return;
    if ((flow.incoming[to] ?? []).length !== 1) return;
    const next = thread.transitions[havoc];
    if (next?.instruction.kind !== 'havoc' || next.instruction.into === load.into) return;
    let isUsed = false;
    forEachUse(next.instruction, (register) => (isUsed ||= register === load.into));
    if (!isUsed || live[next.to]?.[load.into] !== false) return;
    guesses.set(id, { load: id, havoc, held: load.into });
  });
  return guesses;
}

/** Whether some thread has a read abstraction. */
export function hasGuesses({ threads }: Pick<Program, 'threads'>): boolean {
  return threads.some((thread) => guessesOf(thread).size > 0);
}

/** More values than this are not listed. */
const mostAdmitted = 256;

/**
 * Whether value happens-before is known for the program: the values that conditions of read abstractions admit can be listed, and no such
 * condition can fault, whatever is read. docs/value-happens-before.md says why that matters.
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
