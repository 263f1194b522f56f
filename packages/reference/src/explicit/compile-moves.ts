import { at } from '@fencewright/ground/base/at.js';
import {
  computeControlFlow,
  computeCycleClosers,
} from '@fencewright/model/analysis/control-flow.js';
import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import type {
  LocationId,
  RegisterId,
  ThreadId,
  TransitionId,
} from '@fencewright/model/program/ids.js';
import {
  isAccess,
  isIdle,
  isLocal,
  type Instruction,
} from '@fencewright/model/program/instruction.js';
import type {
  InstrumentedInstruction,
  InstrumentedProgram,
} from '@fencewright/model/instrumented/instrumented.js';
import type { Thread } from '@fencewright/model/program/program.js';
import { maxHavocChoices } from '@fencewright/model/semantics/thread-code.js';
import { compileStep, type ExecuteStep } from './compile-steps.js';
import type { StateLayout } from '@fencewright/model/reach/state-layout.js';

/** A transition of an instrumented program, ready to run on state vectors. */
export interface Move {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  readonly to: LocationId;
  /** Whether the move has to wait while another thread holds the bus lock. */
  readonly needsBus: boolean;
  readonly execute: ExecuteStep;
  /**
   * For a `havoc`, the slot of its register in the state vector and the range of values to try;
   * `undefined` for other instructions.
   */
  readonly choices?: { readonly slot: number; readonly low: number; readonly high: number };
  /** The slots in the state vector of the registers that are dead at `to`. */
  readonly deadSlots: readonly number[];
}

/** The moves that leave one location. */
export interface LocationMoves {
  readonly moves: readonly Move[];
  /**
   * Whether all moves from this location are local, and no cycle of local moves closes here. A
   * thread at this location may then move without interleaving, since its moves neither enable,
   * disable nor change steps of other threads.
   */
  readonly runsAlone: boolean;
}

export interface MoveOptions {
  /**
   * Whether a thread moves without interleaving at locations where `LocationMoves.runsAlone` is
   * true.
   */
  readonly localFirst: boolean;
  /** Whether dead registers are set to 0 in stored states. */
  readonly maskDeadRegisters: boolean;
}

function needsBus(instruction: InstrumentedInstruction): boolean {
  return instruction.kind === 'block' ? instruction.steps.some(isAccess) : isAccess(instruction);
}

/** Whether the instruction is local under SC, where fences are local, too. */
function isSequentiallyLocal(instruction: InstrumentedInstruction): boolean {
  if (instruction.kind === 'block') return false;
  return isIdle(instruction) || isLocal(instruction);
}

function choicesOf(
  program: InstrumentedProgram,
  registerBase: number,
  instruction: Instruction,
): Move['choices'] {
  if (instruction.kind !== 'havoc') return undefined;
  const range = instruction.range ?? program.domain ?? { low: 0, high: maxHavocChoices };
  return { slot: registerBase + instruction.into, low: range.low, high: range.high };
}

/**
 * Returns a step that faults if a `havoc` has too many values to choose from; `undefined` for fewer
 * values.
 */
function refuseUnboundedChoice(choices: NonNullable<Move['choices']>): ExecuteStep | undefined {
  return choices.high - choices.low < maxHavocChoices
    ? undefined
    : () => {
        throw new ExecutionFault('unbounded-choice');
      };
}

function compileMove(
  program: InstrumentedProgram,
  layout: StateLayout,
  thread: ThreadId,
  id: TransitionId,
  deadSlots: readonly number[],
): Move | undefined {
  const transition = program.threads[thread]?.transitions[id];
  if (!transition) return undefined;
  const { instruction, to } = transition;
  const context = { program, layout, thread };
  const steps = instruction.kind === 'block' ? instruction.steps : [instruction];
  const compiled = steps.map((step) => compileStep(context, step));
  const [only] = compiled;
  const execute: ExecuteStep =
    compiled.length === 1 && only
      ? only
      : (scratch) => {
          for (const step of compiled) if (!step(scratch)) return false;
          return true;
        };
  const base = at(layout.registerBase, thread);
  const choices = instruction.kind === 'block' ? undefined : choicesOf(program, base, instruction);
  const refused = choices && refuseUnboundedChoice(choices);
  return {
    thread,
    transition: id,
    to,
    needsBus: needsBus(instruction),
    execute: refused ?? execute,
    ...(choices && { choices: refused ? { ...choices, high: choices.low } : choices }),
    deadSlots,
  };
}

/** Whether each register is live at each location: `live[location][register]`. */
export type LiveRegisters = readonly (readonly boolean[])[];

function deadSlotsAt(
  layout: StateLayout,
  thread: ThreadId,
  registers: number,
  live: LiveRegisters | undefined,
  location: LocationId,
): number[] {
  const isLive = live?.[location];
  if (!isLive) return [];
  const base = at(layout.registerBase, thread);
  const dead: number[] = [];
  for (let register: RegisterId = 0; register < registers; register++)
    if (!isLive[register]) dead.push(base + register);
  return dead;
}

function runsAlone(
  thread: Thread<InstrumentedInstruction>,
  goals: ReadonlySet<LocationId>,
): readonly boolean[] {
  const flow = computeControlFlow(thread);
  const isLocalStep = ({ instruction }: { readonly instruction: InstrumentedInstruction }) =>
    isSequentiallyLocal(instruction);
  const closers = computeCycleClosers(thread, isLocalStep);
  return thread.locations.map((_, location) => {
    const leaving = (flow.outgoing[location] ?? []).map((id) => thread.transitions[id]);
    return (
      leaving.length > 0 &&
      closers[location] !== true &&
      leaving.every((step) => step && isLocalStep(step) && !goals.has(step.to))
    );
  });
}

/**
 * Returns the moves of the program, indexed by thread, then by location. `live` is indexed by
 * thread.
 */
export function compileMoves(
  program: InstrumentedProgram,
  layout: StateLayout,
  goals: readonly { readonly thread: ThreadId; readonly location: LocationId }[],
  options: MoveOptions,
  live: readonly LiveRegisters[],
): LocationMoves[][] {
  return program.threads.map((thread, t) => {
    const own = new Set(goals.filter((goal) => goal.thread === t).map((goal) => goal.location));
    const alone = runsAlone(thread, own);
    const moves: Move[][] = thread.locations.map(() => []);
    thread.transitions.forEach((transition, id) => {
      const dead = options.maskDeadRegisters
        ? deadSlotsAt(layout, t, thread.registers.length, live[t], transition.to)
        : [];
      const move = compileMove(program, layout, t, id, dead);
      if (move) moves[transition.from]?.push(move);
    });
    return moves.map((leaving, location) => ({
      moves: leaving,
      runsAlone: options.localFirst && alone[location] === true,
    }));
  });
}
