import { computeLiveRegisters, instructionAccess } from '@fencewright/model/analysis/liveness.js';
import { registerWrittenBy } from '@fencewright/model/analysis/scratch-registers.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type {
  InstrumentedInstruction,
  InstrumentedProgram,
} from '@fencewright/model/instrumented/instrumented.js';
import type { Program, Thread, Transition } from '@fencewright/model/program/program.js';

/**
 * Whether no other thread can notice when the instruction is executed. An `unlock` counts too, as
 * no thread gains from a later release of the bus lock.
 */
function isLocal({ kind }: Instruction): boolean {
  return (
    kind === 'assign' ||
    kind === 'assume' ||
    kind === 'skip' ||
    kind === 'fence' ||
    kind === 'unlock'
  );
}

/** Whether a path of `transitions` leads from `start` back to `start`. */
function isOnCycle(transitions: readonly Transition[], start: LocationId): boolean {
  const seen = new Set<LocationId>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const { from, to } of transitions) {
      if (from !== at || seen.has(to)) continue;
      if (to === start) return true;
      seen.add(to);
      open.push(to);
    }
  return false;
}

/**
 * Returns the locations where a thread can be between two steps: before an access or a choice, at
 * its end, and on cycles of local computation.
 */
function waitingLocations(thread: Thread): ReadonlySet<LocationId> {
  const local = thread.transitions.filter(({ instruction }) => isLocal(instruction));
  const waiting = new Set<LocationId>();
  thread.locations.forEach((_, location) => {
    const leaving = thread.transitions.filter(({ from }) => from === location);
    const isPassed = leaving.length > 0 && leaving.every(({ instruction }) => isLocal(instruction));
    if (!isPassed || isOnCycle(local, location)) waiting.add(location);
  });
  for (const { instruction, to } of thread.transitions)
    if (instruction.kind === 'havoc') waiting.add(to);
  return waiting;
}

function merged(thread: Thread): Thread<InstrumentedInstruction> {
  const waiting = waitingLocations(thread);
  const live = computeLiveRegisters(thread, instructionAccess);
  /**
   * Returns the steps of all paths from a transition on to the next location where the thread
   * waits.
   */
  const paths = (
    first: Transition,
  ): { readonly steps: readonly Instruction[]; readonly to: LocationId }[] =>
    waiting.has(first.to)
      ? [{ steps: [first.instruction], to: first.to }]
      : thread.transitions
          .filter(({ from }) => from === first.to)
          .flatMap(paths)
          .map(({ steps, to }) => ({ steps: [first.instruction, ...steps], to }));
  return {
    ...thread,
    transitions: thread.transitions
      .filter(({ from }) => waiting.has(from) || from === thread.initial)
      .flatMap((first) =>
        paths(first).map(({ steps, to }): Transition<InstrumentedInstruction> => {
          if (first.instruction.kind === 'havoc') return { ...first, to };
          const cleared = thread.registers.flatMap((_, into): Instruction[] => {
            const holds =
              live[first.from]?.[into] === true ||
              steps.some((step) => registerWrittenBy(step) === into);
            const isDead = live[to]?.[into] === false;
            return holds && isDead
              ? [{ kind: 'assign', into, value: { kind: 'constant', value: 0 } }]
              : [];
          });
          return { ...first, to, instruction: { kind: 'block', steps: [...steps, ...cleared] } };
        }),
      ),
  };
}

/**
 * Returns the program with every local computation of a thread merged into the access before it,
 * one alternative for each path of the computation. An author who knows that each step costs states
 * writes such models by hand. Registers that no later instruction reads are 0.
 */
export function mergeLocalSteps(program: Program): InstrumentedProgram {
  return { ...program, threads: program.threads.map(merged) };
}
