import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { RowTable } from '@fencewright/ground/base/row-table.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { C11Code } from './c11-steps.js';
import { type Edge, lastingStates } from './lasting.js';
import { MonitoredProgram, type MonitorEvent } from './monitor-steps.js';
import type { ObservedGraph } from './observed-graph.js';

const checkEvery = 1024;

/** An assertion that fails in an execution of C11. */
export interface ObservedFailure {
  readonly thread: ThreadId;
  readonly assertion: TransitionId;
  /** The execution graph of the failing execution; absent if the execution is an interleaving. */
  readonly observed?: ObservedGraph;
}

/** Whether `failures` contains the given assertion of the thread. */
export function isAmong(
  failures: readonly ObservedFailure[],
  thread: ThreadId,
  assertion: TransitionId,
): boolean {
  return failures.some((one) => one.thread === thread && one.assertion === assertion);
}

/**
 * Returns the states of all interleavings. The states do not record what threads know about each
 * other's stores. Throws the exceptions of steps.
 */
export async function searchInterleavings(
  code: C11Code,
  model: C11Model,
  budget: Budget,
): Promise<{
  readonly program: MonitoredProgram;
  /**
   * The states found. Each consists of the words that describe a state of SC: locations, registers,
   * memory.
   */
  readonly table: RowTable;
  /** The assertions that fail in some interleaving. */
  readonly failures: readonly ObservedFailure[];
  /**
   * Returns the numbers of the lasting states. An execution can stay in a lasting state for ever.
   */
  readonly lasting: () => ReadonlySet<number>;
  readonly incomplete?: Exhaustion;
}> {
  const program = new MonitoredProgram(code, model, { purpose: 'interleavings' });
  const { sequential } = program.layout;
  const [table, whole] = [new RowTable(sequential), new RowTable(program.layout.length)];
  const failures: ObservedFailure[] = [];
  let incomplete: Exhaustion | undefined;
  const onState = (state: Int32Array): void => {
    if (table.add(state.subarray(0, sequential)).isNew) whole.add(state);
  };
  const onFailure = (thread: ThreadId, assertion: TransitionId): void => {
    if (!isAmong(failures, thread, assertion)) failures.push({ thread, assertion });
  };
  const visitor = { onState, onFailure, onStale: () => undefined, onRace: () => undefined };
  program.initial(onState, onFailure);
  for (let index = 0; index < whole.size; index++) {
    if (index % checkEvery === 0)
      incomplete = await budget.checkpoint(whole.size, table.bytes + whole.bytes);
    else if (budget.isDue())
      incomplete = await budget.checkTime(whole.size, table.bytes + whole.bytes);
    if (incomplete) break;
    program.visitSteps(whole.get(index), visitor);
  }
  budget.finishSearch(whole.size, table.bytes);
  const lasting = (): ReadonlySet<number> => {
    const edges = new Map<number, readonly Edge[]>();
    for (let index = 0; index < whole.size; index++) {
      const own: Edge[] = [];
      const add = (next: Int32Array, { thread }: MonitorEvent): void => {
        own.push({ to: table.add(next.subarray(0, sequential)).index, thread });
      };
      program.visitSteps(whole.get(index), { ...visitor, onState: add });
      edges.set(index, own);
    }
    return lastingStates(edges, program.layout.threads);
  };
  return { program, table, failures, lasting, ...(incomplete && { incomplete }) };
}
