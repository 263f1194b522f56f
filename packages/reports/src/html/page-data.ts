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

/** A state of the machine, as the page shows it. */
interface PageState {
  /** The stores in each buffer, oldest first, as `x = 1`; in the order of `PageData.threads`. */
  readonly buffers: readonly (readonly string[])[];
  /** The values of the memory cells, in the order of `PageData.cells`. */
  readonly memory: readonly string[];
  /** The values of each thread's registers, in the order of `PageData.registers`. */
  readonly registers: readonly (readonly string[])[];
}

interface PageStep {
  /** The thread, as an index into `PageData.threads`. */
  readonly thread: number;
  /** The step as a sentence: `t1 issues x = 1`. */
  readonly sentence: string;
  /** The line of the step's instruction, from 1; absent if unknown. */
  readonly line?: number;
  /** The key by which the script finds the step's marks in the program: thread and transition. */
  readonly key: string;
}

/** The data of an execution that the page's script needs. */
export interface PageData {
  readonly threads: readonly string[];
  readonly cells: readonly string[];
  /** The names of each thread's registers that change in the execution. */
  readonly registers: readonly (readonly string[])[];
  readonly steps: readonly PageStep[];
  /** The state at the start, then the state after each step: one more frame than steps. */
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

/** Returns the data of an execution and its replay for the page's script. */
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
