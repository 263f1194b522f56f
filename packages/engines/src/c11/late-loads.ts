import { at } from '@fencewright/ground/base/at.js';
import { instructionAccess } from '@fencewright/model/analysis/liveness.js';
import type { EventOrder, GraphEvent } from '@fencewright/model/c11/execution-graph.js';
import type { LocationId, RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { C11Code, C11Step } from './c11-steps.js';
import { isReleasing } from './futures.js';
import { withEventAt } from './graph-extensions.js';
import type { Draft } from './violation-graph.js';

/**
 * A load skipped by the thread. Processors may execute the load after later steps of the thread
 * that do not depend on the loaded value. The graph gets the event of the load only when the load
 * is executed.
 */
export interface LateLoad {
  readonly step: C11Step;
  readonly cell: number;
  readonly into: RegisterId;
  /** The number of events of the thread before the load. */
  readonly before: number;
  /**
   * Whether the thread needs the loaded value now: the next local instructions mention the
   * register, so the thread's next step has to be the load.
   */
  readonly isNeeded: boolean;
}

function mentions(instruction: Instruction, register: RegisterId): boolean {
  let uses = instructionAccess.defines(instruction, register);
  instructionAccess.forEachUse(instruction, (one) => (uses ||= one === register));
  return uses;
}

/** Whether no local instruction from the location up to the next steps mentions the register. */
export function isUntouched(
  { code, steps }: C11Code,
  thread: ThreadId,
  from: LocationId,
  register: RegisterId,
): boolean {
  const reached = new Set([from]);
  for (const location of reached) {
    const own = new Set(at(at(steps, thread), location).map((step) => step.code.transition));
    for (const { transition } of at(at(code.threads, thread), location)) {
      if (own.has(transition)) continue;
      if (mentions(transition.instruction, register)) return false;
      reached.add(transition.to);
    }
  }
  return true;
}

/**
 * Returns the step as a late load, with `before` events of the thread before the load. `undefined`
 * if the step is no relaxed load, or the thread needs the loaded value before the next step.
 */
export function asLateLoad(
  code: C11Code,
  thread: ThreadId,
  step: C11Step,
  { cell, before }: Pick<LateLoad, 'cell' | 'before'>,
): LateLoad | undefined {
  const { kind, order, into, exits } = step;
  if (kind !== 'load' || order !== 'relaxed' || into === undefined || exits) return undefined;
  if (mentions({ ...step.code.transition.instruction, into: -1 } as Instruction, into))
    return undefined;
  return isUntouched(code, thread, step.code.transition.to, into)
    ? { step, cell, into, before, isNeeded: false }
    : undefined;
}

/**
 * Whether the thread may execute `step` before the late load. True for a load of another cell, and
 * for a store to another cell that does not release, if the step does not use the loaded value.
 * (Coherence keeps the order of accesses of one cell.) False for every read-modify-write and fence,
 * although hardware may execute some of these early: the search lacks executions of this kind.
 */
export function mayPass(
  { into, cell, isNeeded }: LateLoad,
  step: C11Step,
  cellOfStep: number,
): boolean {
  if (isNeeded || (step.kind !== 'load' && step.kind !== 'store')) return false;
  if (step.block || cellOfStep === cell) return false;
  if (step.kind === 'store' && isReleasing(step.order)) return false;
  const { transition } = step.code;
  const all = [transition, ...(step.exits ?? []).map((exit) => exit.transition)];
  return !all.some(({ instruction }) => mentions(instruction, into));
}

/**
 * Returns the graph with the late load at its place in program order, reading from the store with
 * the index `from`.
 */
export function withLateLoad(
  { events, modification }: Draft,
  thread: ThreadId,
  { step, before }: LateLoad,
  from: number,
): Draft {
  const own = [...events.keys()].filter((index) => events[index]!.thread === thread);
  const place = own[before] ?? events.length;
  const { address, written } = events[from]!;
  const event: GraphEvent = {
    ...{ kind: 'read', thread, transition: step.code.id, order: step.order, from },
    ...(address !== undefined && { address }),
    ...(written !== undefined && { read: written }),
  };
  return withEventAt({ events, modification }, place, { event });
}

/** Returns the weakest memory order that orders as much as `order` and acquires. */
export function acquiringOrder(order: EventOrder): MemoryOrder {
  return order === 'release' ? 'acq_rel' : 'acquire';
}
