import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { initialState, successors } from '@fencewright/model/semantics/machine.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';

/**
 * Whether a thread can always reach a label again, by the definition: on explicit state graphs of
 * the machine, in which a lock block is one step, possible only if the whole block can be executed.
 */
export interface JudgedProgress {
  /**
   * By memory model, whether the thread cannot reach the label from some reachable state with empty
   * buffers.
   */
  readonly fails: Readonly<Record<'SC' | 'TSO', boolean>>;
  /** The number of states with empty buffers that TSO reaches. */
  readonly drained: number;
}

/**
 * A path of one thread from a state in which no thread is within a lock block to the next such
 * state.
 */
interface Way {
  readonly thread: ThreadId;
  readonly to: MachineState;
  readonly isLuck: boolean;
  /** Whether the thread of the `progress` property is at the label at some point of the path. */
  readonly isThere: boolean;
}

class TooLarge extends Error {}

function keyOf({ locations, registers, memory, buffers, lockHolder }: MachineState): string {
  const cells = [...memory].filter(([, value]) => value !== 0).sort(([a], [b]) => a - b);
  return JSON.stringify([locations, registers, cells, buffers, lockHolder ?? null]);
}

function isDrained({ buffers }: MachineState): boolean {
  return buffers.every((buffer) => buffer.length === 0);
}

/**
 * Returns whether a thread can always reach a label again; `undefined` at a limit, or if executions
 * fault.
 */
export function progressByDefinition(
  program: Program,
  asked: ThreadId,
  label: LocationId,
  room: number,
  mostStates: number,
): JudgedProgress | undefined {
  const code = compileProgram(program);

  const single = (model: MemoryModel, state: MachineState): readonly Way[] => {
    const { steps, faults, isCut } = successors(model, code, state, room);
    if (faults.length > 0 || (isCut && model === 'TSO')) throw new TooLarge();
    return steps.map(({ actions, state: to }) => ({
      ...{ to, thread: actions[0]!.thread },
      isLuck: actions.some(
        ({ kind, thread, transition }) =>
          kind !== 'store' && program.threads[thread]!.transitions[transition]!.luck === 'chance',
      ),
      isThere: actions.some(
        ({ kind, thread, transition }) =>
          kind !== 'store' &&
          thread === asked &&
          program.threads[thread]!.transitions[transition]!.to === label,
      ),
    }));
  };

  const ways = (model: MemoryModel, state: MachineState): readonly Way[] => {
    const found: Way[] = [];
    const inside = new Map<string, Way>();
    const note = (way: Way): void => {
      if (way.to.lockHolder === undefined) found.push(way);
      else inside.set(`${way.isLuck} ${way.isThere} ${keyOf(way.to)}`, way);
    };
    single(model, state).forEach(note);
    // A lock block is a step of its thread, while all other threads wait.
    for (const { to, ...way } of inside.values()) {
      if (inside.size > mostStates) throw new TooLarge();
      for (const next of single(model, to)) {
        if (next.thread !== to.lockHolder) continue;
        note({
          ...{ to: next.to, thread: next.thread },
          isLuck: way.isLuck || next.isLuck,
          isThere: way.isThere || next.isThere,
        });
      }
    }
    return found;
  };

  const explore = (model: MemoryModel, starts: readonly MachineState[]) => {
    const states = new Map(starts.map((state) => [keyOf(state), state]));
    const leaving = new Map<string, readonly (Omit<Way, 'to'> & { readonly to: string })[]>();
    for (const [key, state] of states) {
      if (states.size > mostStates) throw new TooLarge();
      const own = ways(model, state).map((way) => {
        const to = keyOf(way.to);
        if (!states.has(to)) states.set(to, way.to);
        return { ...way, to };
      });
      leaving.set(key, own);
    }
    return { states, leaving };
  };

  /**
   * Returns the states from which the thread reaches neither the label nor its end by steps that
   * are not marked `chance`.
   */
  const lost = ({ states, leaving }: ReturnType<typeof explore>): ReadonlySet<string> => {
    const good = new Set<string>();
    const hasEnded = ({ locations }: MachineState): boolean =>
      program.threads[asked]!.transitions.every(({ from }) => from !== locations[asked]);
    for (let size = -1; size !== good.size;) {
      ({ size } = good);
      for (const [key, state] of states)
        if (
          hasEnded(state) ||
          leaving.get(key)!.some(({ isLuck, isThere, to }) => !isLuck && (isThere || good.has(to)))
        )
          good.add(key);
    }
    return new Set([...states.keys()].filter((key) => !good.has(key)));
  };

  try {
    const start = initialState(program);
    const sc = explore('SC', [start]);
    const tso = explore('TSO', [start]);
    const drained = [...tso.states.values()].filter(isDrained);
    const lostFromDrained = lost(explore('SC', drained));
    return {
      fails: {
        SC: lost(sc).size > 0,
        TSO: drained.some((state) => lostFromDrained.has(keyOf(state))),
      },
      drained: drained.length,
    };
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}
