import { at } from '@fencewright/ground/base/at.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { Replay } from '@fencewright/model/verdict/replay.js';
import { lineOf, otherFileOf, placeCell, stepSentence, threadName } from '../words/action-words.js';
import { instructionTexts } from '../words/instruction-texts.js';
import type { ShownExecution } from '../words/shown-execution.js';
import { accessedValue, cellValueText, registerValueText } from '../words/pointer-values.js';

/** A state of the machine as shown on the page. */
export interface Frame {
  /**
   * By thread, in the order of `PageData.threads`: the stores on their way, oldest first, as
   * `x = 1`.
   */
  readonly buffers: readonly (readonly string[])[];
  /** In the order of `PageData.cells`. */
  readonly memory: readonly string[];
  /** By thread, in the order of `PageData.registers`. */
  readonly registers: readonly (readonly string[])[];
}

interface PageStep {
  /** Place in `PageData.threads`. */
  readonly thread: number;
  /** `t1 issues x = 1`. */
  readonly sentence: string;
  /** From 1. */
  readonly line?: number;
  /** The key for finding the marks in the program: thread and transition. */
  readonly key: string;
}

/** The data for the script of the page. */
export interface PageData {
  readonly threads: readonly string[];
  readonly cells: readonly string[];
  /** For each thread: the registers that change. */
  readonly registers: readonly (readonly string[])[];
  readonly steps: readonly PageStep[];
  /** The initial state, then the state after each step: one more entry than steps. */
  readonly frames: readonly Frame[];
}

/** The page's key for a transition of a thread. */
export function keyOf(thread: ThreadId, transition: number): string {
  return `${thread}:${transition}`;
}

/** The threads that take part in an execution, ascending. */
export function threadsOf({
  computation,
}: Pick<ShownExecution, 'computation'>): readonly ThreadId[] {
  return [...new Set(computation.map(({ thread }) => thread))].sort((a, b) => a - b);
}

function changingRegisters(
  program: Program,
  states: readonly MachineState[],
  thread: ThreadId,
): RegisterId[] {
  const [first] = states;
  const registers = program.threads[thread]?.registers ?? [];
  return registers.flatMap(({ hidden }, id) => {
    const start = first?.registers[thread]?.[id];
    const changes = states.some((state) => state.registers[thread]?.[id] !== start);
    return !hidden && changes ? [id] : [];
  });
}

/** An execution and its replay as data for the page. */
export function pageData(
  program: Program,
  execution: Pick<ShownExecution, 'computation'>,
  { states }: Replay,
): PageData {
  const { computation } = execution;
  const threads = threadsOf(execution);
  const addresses = computation.flatMap((action) => ('address' in action ? [action.address] : []));
  const cells = [...new Set(addresses)].sort((a, b) => a - b);
  const registers = threads.map((thread) => changingRegisters(program, states, thread));
  const texts = instructionTexts(program, computation);
  return {
    threads: threads.map((thread) => threadName(program, thread)),
    cells: cells.map((address) => formatAddress(program, address)),
    registers: threads.map((thread, t) =>
      (registers[t] ?? []).map((id) => at(at(program.threads, thread).registers, id).name),
    ),
    steps: computation.map((action, i): PageStep => {
      const { thread, transition } = action;
      const isHere = otherFileOf(program, thread, transition) === undefined;
      const line = isHere ? lineOf(program, thread, transition) : undefined;
      const elsewhere = isHere ? '' : ` (${placeCell(program, thread, transition)})`;
      return {
        thread: threads.indexOf(thread),
        sentence: stepSentence(program, action, at(texts, i)) + elsewhere,
        ...(line !== undefined && { line }),
        key: keyOf(thread, transition),
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
