import { at } from '@fencewright/ground/base/at.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import { forEachPart, forEachRegister } from '@fencewright/model/program/expression.js';
import type { RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { addedCells } from '@fencewright/model/program/thread-cells.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { Replay } from '@fencewright/model/verdict/replay.js';
import { lineOf, otherFileOf, placeCell, threadName } from './action-words.js';
import type { ShownExecution } from './shown-execution.js';
import { isWithoutBuffers, toldSteps } from './told-steps.js';
import { accessedValue, cellValueText, registerValueText } from './pointer-values.js';

/** A state of the machine, as the page shows it. */
interface PageState {
  /**
   * By thread, in the order of `PageData.threads`, the stores in its buffer, oldest first, as
   * `x = 1`.
   */
  readonly buffers: readonly (readonly string[])[];
  /** The values of the memory cells, in the order of `PageData.cells`. */
  readonly memory: readonly string[];
  /** By thread, the values of its registers, in the order of `PageData.registers`. */
  readonly registers: readonly (readonly string[])[];
}

interface PageStep {
  /** The number of the step among the steps told by reports, from 1. */
  readonly number: number;
  /** The thread that takes the step, as an index into `PageData.threads`. */
  readonly thread: number;
  /** The step as a sentence: `t1 issues x = 1`. */
  readonly sentence: string;
  /** The line of the step's instruction, from 1; absent if unknown, or in another file. */
  readonly line?: number;
  /** The place of the step's instruction for a column of lines; empty if unknown. */
  readonly place: string;
  /**
   * The key by which the page's script finds the places of the step's instruction in the program
   * text: thread and transition.
   */
  readonly key: string;
}

/** The data of an execution that the page's script needs. */
export interface PageData {
  readonly threads: readonly string[];
  readonly cells: readonly string[];
  /** By thread, the names of the registers changed in the execution or read by claims. */
  readonly registers: readonly (readonly string[])[];
  /**
   * The registers that a property or the last instruction of the execution reads: the index of the
   * thread, and the index in its `registers`.
   */
  readonly read: readonly (readonly [thread: number, register: number])[];
  readonly steps: readonly PageStep[];
  /** The states of the machine at the start and after each step: one more than steps. */
  readonly frames: readonly PageState[];
}

/** Returns the key that a page uses for a transition of a thread. */
export function transitionKey(thread: ThreadId, transition: number): string {
  return `${thread}:${transition}`;
}

/** Returns the threads that take part in an execution, ascending. */
export function threadsOf({
  computation,
}: Pick<ShownExecution, 'computation'>): readonly ThreadId[] {
  return [...new Set(computation.map(({ thread }) => thread))].sort((a, b) => a - b);
}

/** Returns the registers of a thread changed in an execution, and the registers in `read`. */
function shownRegisters(
  program: Program,
  states: readonly MachineState[],
  thread: ThreadId,
  read: ReadonlySet<RegisterId>,
): RegisterId[] {
  const [first] = states;
  const registers = program.threads[thread]?.registers ?? [];
  return registers.flatMap(({ hidden }, id) => {
    const start = first?.registers[thread]?.[id];
    const changes = states.some((state) => state.registers[thread]?.[id] !== start);
    return !hidden && (changes || read.has(id)) ? [id] : [];
  });
}

/**
 * Returns the data of an execution and its replay, for tables and for the page's script: the steps
 * that reports tell, and the cells that users know.
 */
export function pageData(
  program: Program,
  { computation }: Pick<ShownExecution, 'computation'>,
  replay: Replay,
): PageData {
  const told = toldSteps(program, computation);
  const own = addedCells(program);
  // Stores to the cells that users do not know are in no buffer of the table.
  const states = replay.states.map((state) => ({
    ...state,
    buffers: state.buffers.map((stores) => stores.filter(({ address }) => !own.has(address))),
  }));
  const all = allData(program, { computation }, { states });
  const shown = addressesIn(computation).flatMap((address, c) => (own.has(address) ? [] : [c]));
  const frames = [0, ...told.map(({ index }) => index + 1)].map((i) => at(all.frames, i));
  const areAtOnce = isWithoutBuffers(computation);
  return {
    ...all,
    cells: shown.map((c) => at(all.cells, c)),
    steps: told.map(({ index, sentence }, i) => {
      return { ...at(all.steps, index), number: i + 1, sentence };
    }),
    frames: frames.map((frame) => ({
      ...frame,
      ...(areAtOnce && { buffers: frame.buffers.map(() => []) }),
      memory: shown.map((c) => at(frame.memory, c)),
    })),
  };
}

/**
 * Returns the registers of a thread that decide the outcome of an execution: the registers read by
 * properties, and the registers in the condition of the last instruction.
 */
function readRegisters(
  program: Program,
  computation: Computation,
  thread: ThreadId,
): ReadonlySet<RegisterId> {
  const found = new Set<RegisterId>();
  for (const { condition } of program.properties)
    forEachPart(condition, (part) => {
      if (part.kind === 'register' && part.thread === thread) found.add(part.register);
    });
  const last = computation.at(-1);
  if (last?.thread !== thread) return found;
  const instruction = program.threads[thread]?.transitions[last.transition]?.instruction;
  if (instruction?.kind === 'assert' || instruction?.kind === 'assume')
    forEachRegister(instruction.condition, (register) => found.add(register));
  return found;
}

/** Returns the addresses that a computation accesses, ascending. */
function addressesIn(computation: Computation): readonly number[] {
  const addresses = computation.flatMap((action) => ('address' in action ? [action.address] : []));
  return [...new Set(addresses)].sort((a, b) => a - b);
}

/** Returns the data of all actions of an execution, with all cells. */
function allData(
  program: Program,
  execution: Pick<ShownExecution, 'computation'>,
  { states }: Replay,
): PageData {
  const { computation } = execution;
  const threads = threadsOf(execution);
  const cells = addressesIn(computation);
  const wanted = threads.map((thread) => readRegisters(program, computation, thread));
  const registers = threads.map((thread, t) =>
    shownRegisters(program, states, thread, at(wanted, t)),
  );
  return {
    threads: threads.map((thread) => threadName(program, thread)),
    cells: cells.map((address) => formatAddress(program, address)),
    read: threads.flatMap((_, t) =>
      (registers[t] ?? []).flatMap((id, r) => (at(wanted, t).has(id) ? [[t, r] as const] : [])),
    ),
    registers: threads.map((thread, t) =>
      (registers[t] ?? []).map((id) => at(at(program.threads, thread).registers, id).name),
    ),
    steps: computation.map((action, i): PageStep => {
      const { thread, transition } = action;
      const isHere = otherFileOf(program, thread, transition) === undefined;
      const line = isHere ? lineOf(program, thread, transition) : undefined;
      return {
        number: i + 1,
        thread: threads.indexOf(thread),
        sentence: '',
        ...(line !== undefined && { line }),
        place: placeCell(program, thread, transition),
        key: transitionKey(thread, transition),
      };
    }),
    frames: states.map((state) => ({
      buffers: threads.map((thread) =>
        (state.buffers[thread] ?? []).map(
          (store) => `${formatAddress(program, store.address)} = ${accessedValue(program, store)}`,
        ),
      ),
      memory: cells.map((address) =>
        cellValueText(program, address, state.memory.get(address) ?? 0),
      ),
      registers: threads.map((thread, t) =>
        (registers[t] ?? []).map((id) =>
          registerValueText(program, thread, id, at(at(state.registers, thread), id)),
        ),
      ),
    })),
  };
}
