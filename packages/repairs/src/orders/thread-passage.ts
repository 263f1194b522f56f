import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { GraphEvent } from '@fencewright/model/c11/execution-graph.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { C11Code } from '@fencewright/engines/c11/c11-steps.js';
import type { CodeTransition } from '@fencewright/model/semantics/thread-code.js';
import { effectsOf } from '@fencewright/engines/c11/step-effects.js';
import { leadsBack } from './apply-orders.js';

/** An element on the path of a thread: an access, a fence of the text, or a location. */
export type Passage =
  /**
   * An access by a transition whose instruction has the memory order; for a lock block, the
   * transition of its `lock`.
   */
  | { readonly kind: 'event'; readonly event: number; readonly transition: TransitionId }
  | { readonly kind: 'fence'; readonly transition: TransitionId }
  | { readonly kind: 'location'; readonly location: LocationId };

interface Way {
  readonly location: LocationId;
  readonly registers: readonly number[];
  /** The number of the thread's accesses on this path so far. */
  readonly events: number;
  readonly before?: Way;
  readonly passed: readonly Passage[];
}

/** The maximum number of values of a `havoc` that are tried. */
const mostChoices = 4096;

/**
 * Returns the elements on a path of a thread through its code with the given accesses; `indices`
 * has the indices of the accesses in the graph. The path ends with the last access.
 */
export function passageOf(
  code: C11Code,
  thread: ThreadId,
  events: readonly GraphEvent[],
  indices: readonly number[],
): readonly Passage[] {
  const { initial, registers } = at(code.program.threads, thread);
  const work: Way[] = [
    {
      ...{ location: initial, registers: registers.map(() => 0), events: 0 },
      passed: [{ kind: 'location', location: initial }],
    },
  ];
  const seen = new Set<string>();
  while (work.length > 0) {
    const way = work.pop()!;
    if (way.events === events.length) return passagesTo(way);
    const key = `${way.location} ${way.events} ${way.registers.join()}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const step of at(at(code.code.threads, thread), way.location))
      work.push(...waysOn(code, thread, way, step, at(events, way.events), indices));
  }
  throw new InternalError('no way of a thread has the accesses of its execution');
}

function passagesTo(last: Way): readonly Passage[] {
  const parts: (readonly Passage[])[] = [];
  for (let way: Way | undefined = last; way; way = way.before) parts.push(way.passed);
  return parts.reverse().flat();
}

/**
 * Returns the paths that continue `before` by the transition `step`. An access or a lock block
 * continues the path only if its access can be `event`; `indices` has the index of each access in
 * the graph. Several paths are returned if a `havoc` has several values or a block has several
 * ends.
 */
function waysOn(
  code: C11Code,
  thread: ThreadId,
  before: Way,
  step: CodeTransition,
  event: GraphEvent,
  indices: readonly number[],
): readonly Way[] {
  const { transition, id, value } = step;
  const { instruction, to } = transition;
  const arrival: readonly Passage[] = leadsBack(code, thread, transition)
    ? []
    : [{ kind: 'location', location: to }];
  const on = (registers: readonly number[], passed: readonly Passage[] = []): Way => ({
    ...{ before, location: to, registers, events: before.events, passed: [...passed, ...arrival] },
  });
  const { registers } = before;
  switch (instruction.kind) {
    case 'load':
    case 'store':
    case 'rmw': {
      const after = event.transition === id && registersAfter(step, registers, event);
      if (!after) return [];
      const passed: Passage = { kind: 'event', event: at(indices, before.events), transition: id };
      return [{ ...on(after, [passed]), events: before.events + 1 }];
    }
    case 'lock': {
      const section = at(at(code.steps, thread), before.location).find(({ block }) => block);
      const { block } = section ?? {};
      if (!section || !block || event.transition !== section.code.id) return [];
      if (block.addressOf(registers) !== event.address) return [];
      const passed: Passage = { kind: 'event', event: at(indices, before.events), transition: id };
      return effectsOf(code, section, registers, event.read!)
        .filter(({ written }) => written === event.written)
        .flatMap((effect) =>
          effect.targets.map((location): Way => ({
            ...{ before, location, registers: effect.registers },
            events: before.events + 1,
            passed: [passed, { kind: 'location', location }],
          })),
        );
    }
    case 'fence':
      return [on(registers, [{ kind: 'fence', transition: id }])];
    case 'skip':
      return [on(registers, instruction.fence ? [{ kind: 'fence', transition: id }] : [])];
    case 'assign':
      return [on(registers.with(instruction.into, value(registers, 0)))];
    case 'assume':
      return value(registers, 0) === 0 ? [] : [on(registers)];
    case 'assert':
      return [on(registers)];
    case 'havoc': {
      const { low, high } = instruction.range ?? code.program.domain ?? { low: 0, high: -1 };
      const choices = Array.from({ length: Math.min(high - low + 1, mostChoices) }, (_, i) =>
        registers.with(instruction.into, low + i),
      );
      return choices.filter((chosen) => value(chosen, 0) !== 0).map((chosen) => on(chosen));
    }
    default:
      return [];
  }
}

/**
 * Returns the registers after the access of a transition; `undefined` if the access differs from
 * the event.
 */
function registersAfter(
  { transition: { instruction }, value, address, rmw }: CodeTransition,
  registers: readonly number[],
  event: GraphEvent,
): readonly number[] | undefined {
  if (address(registers, 0) !== event.address) return undefined;
  switch (instruction.kind) {
    case 'store':
      return value(registers, 0) === event.written ? registers : undefined;
    case 'load':
      return registers.with(instruction.into, event.read!);
    case 'rmw': {
      const { into } = instruction;
      const written = rmw.written(event.read!, registers, 0);
      const hasFailed = instruction.mayFail && event.written === undefined;
      if (!hasFailed && written !== event.written) return undefined;
      if (into === undefined) return registers;
      const isStored = event.written !== undefined;
      return registers.with(into, rmw.result(isStored, event.read!, registers, 0));
    }
    default:
      return undefined;
  }
}
