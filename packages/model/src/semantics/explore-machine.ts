import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { computeLiveRegisters, instructionAccess } from '../analysis/liveness.js';
import type { Program } from '../program/program.js';
import { initialState, successors, type FaultyStep, type Successor } from './machine.js';
import { memoryModels, type MemoryModel } from '../trace/memory-model.js';
import { compileProgram } from './thread-code.js';
import type { Action, Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';

/** A reachable state of the machine, and a shortest computation leading to it. */
export interface ReachedState {
  readonly state: MachineState;
  readonly computation: () => Computation;
}

/** The callbacks of an exploration; each state is visited once. */
export interface MachineVisitor {
  readonly onState: (reached: ReachedState) => void;
  /** Called for each step that failed an `assert`; the step is the last of `computation`. */
  readonly onFailedAssertion: (action: Action, computation: () => Computation) => void;
  /** Asked regularly: when the function returns true, the exploration stops, incomplete. */
  readonly isDone?: () => boolean;
}

export interface MachineExploration {
  readonly states: number;
  readonly faults: readonly FaultyStep[];
  /** The limit for which not all states were visited; absent if all were. */
  readonly incomplete?: Exhaustion;
  /**
   * Whether some stores had to wait because a buffer was full: larger buffers allow further
   * executions.
   */
  readonly isBounded: boolean;
}

/** Restrictions of an exploration. */
export interface ExplorationBounds {
  /** The maximum number of stores in each store buffer; unlimited if absent. */
  readonly buffer?: number;
  /**
   * Whether states that differ only in dead registers count as one state; dead registers are then
   * set to 0.
   */
  readonly forgetsDeadRegisters?: boolean;
}

/** A state found by a search, with the step that led to the state. */
export interface SearchNode {
  readonly state: MachineState;
  readonly before: SearchNode | undefined;
  readonly step: Successor | undefined;
}

/** Returns the computation to a node of a search. */
export function computationTo(node: SearchNode): Computation {
  const steps: Successor[] = [];
  for (let at: SearchNode | undefined = node; at?.step; at = at.before) steps.push(at.step);
  return steps.reverse().flatMap(({ actions }) => actions);
}

/** A string key, equal for two states iff the states are equal. */
export function machineStateKey(state: MachineState): string {
  const addresses = [...state.memory.keys()].sort((a, b) => a - b);
  const memory = addresses.map((address) => `${address},${state.memory.get(address)}`);
  const buffers = state.buffers.map((buffer) =>
    buffer.map(({ address, value }) => `${address}=${value}`).join(' '),
  );
  const parts = [state.locations, state.registers.join('/'), memory.join(' '), buffers.join('/')];
  const asked = state.asked ? `|${state.asked.join('/')}` : '';
  return `${parts.join('|')}|${state.lockHolder ?? ''}${asked}`;
}

/** The estimated size in bytes of a stored state, including its key. */
function sizeOf(key: string, state: MachineState): number {
  const numbers = state.locations.length + state.registers.flat().length + state.memory.size;
  return 500 + 3 * key.length + 32 * numbers;
}

/** Returns a function that sets dead registers of a state to 0. */
function forgetDeadRegisters({ threads }: Program): (state: MachineState) => MachineState {
  const live = threads.map((thread) => computeLiveRegisters(thread, instructionAccess));
  return (state) => ({
    ...state,
    registers: state.registers.map((values, thread) => {
      const alive = live[thread]?.[at(state.locations, thread)] ?? [];
      return values.map((value, register) => (alive[register] === false ? 0 : value));
    }),
  });
}

/**
 * Visits every reachable state of the machine, breadth first. Under TSO there may be infinitely
 * many: then `bounds` or the budget end the exploration. Bounds that made no difference are not
 * reported.
 */
export async function exploreMachine(
  model: MemoryModel,
  program: Program,
  budget: Budget,
  visitor: MachineVisitor,
  bounds: ExplorationBounds = {},
): Promise<MachineExploration> {
  const code = compileProgram(program);
  const seen = new Set<string>();
  const faults = new Map<string, FaultyStep>();
  let bytes = 0;
  let isBounded = false;
  let frontier: SearchNode[] = [];
  let next: SearchNode[] = [];
  const forget = bounds.forgetsDeadRegisters === true ? forgetDeadRegisters(program) : undefined;
  const visit = (found: SearchNode): void => {
    const node = forget ? { ...found, state: forget(found.state) } : found;
    const key = machineStateKey(node.state);
    if (seen.has(key)) return;
    seen.add(key);
    bytes += sizeOf(key, node.state);
    next.push(node);
    visitor.onState({ state: node.state, computation: () => computationTo(node) });
  };
  const expand = (node: SearchNode): void => {
    const {
      steps,
      faults: faulty,
      isCut,
    } = successors(
      model,
      code,
      node.state,
      memoryModels[model].hasBuffers ? bounds.buffer : undefined,
    );
    isBounded ||= isCut;
    for (const fault of faulty)
      faults.set(`${fault.thread}.${fault.transition}.${fault.fault}`, fault);
    for (const step of steps) {
      const reached = { state: step.state, before: node, step };
      const [action] = step.actions;
      if (step.assertionFailed && action)
        visitor.onFailedAssertion(action, () => computationTo(reached));
      visit(reached);
    }
  };
  visit({ state: initialState(program), before: undefined, step: undefined });
  let incomplete: Exhaustion | undefined;
  while (next.length > 0 && !incomplete) {
    frontier = next;
    next = [];
    if (visitor.isDone?.() === true) break;
    for (let i = 0; i < frontier.length && !incomplete; i++) {
      incomplete =
        i % 64 === 0
          ? await budget.checkpoint(seen.size, bytes)
          : budget.exceededBy(seen.size, bytes);
      const node = frontier[i];
      if (node && !incomplete) expand(node);
    }
  }
  budget.finishSearch(seen.size, bytes);
  return {
    states: seen.size,
    faults: [...faults.values()],
    isBounded,
    ...(incomplete && { incomplete }),
  };
}
