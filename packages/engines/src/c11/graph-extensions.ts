import { at } from '@fencewright/ground/base/at.js';
import type { EventOrder, GraphEvent } from '@fencewright/model/c11/execution-graph.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import { isWord } from '@fencewright/model/program/wide-values.js';
import { addressOfStep, type C11Code, type C11Step, type ThreadPoint } from './c11-steps.js';
import type { C11Cells } from './cells.js';
import { UnknownCell, WideValue } from './monitor-steps.js';
import { effectsOf, type StepEffect } from './step-effects.js';
import type { Draft } from './violation-graph.js';

/**
 * An event that can be added to a graph. All indices in `event` refer to the graph without the
 * event.
 */
export interface AddedEvent {
  readonly event: GraphEvent;
  /**
   * The position of the new store in the modification order of its cell; absent if the event does
   * not store.
   */
  readonly place?: number | undefined;
  readonly cell?: number | undefined;
}

/** One way to add a step of a thread to an execution. */
export interface Extension extends AddedEvent {
  readonly effect: Pick<StepEffect, 'registers' | 'targets'>;
}

/**
 * Returns the cell that the step accesses, by position in `C11Cells.addresses`. Throws
 * `UnknownCell`, also for a read-modify-write of a plain cell.
 */
export function cellOfStep(cells: C11Cells, step: C11Step, { registers }: ThreadPoint): number {
  const cell = cells.indexOf.get(addressOfStep(step, registers));
  if (cell === undefined) throw new UnknownCell();
  if (at(cells.isPlain, cell) && step.kind === 'rmw') throw new UnknownCell(true);
  return cell;
}

/**
 * Returns all ways to add a step of a thread to an execution: the step reads from any store to its
 * cell, and its own store comes anywhere after the initial store in modification order. Consistency
 * is not examined. Throws the exceptions of steps.
 */
export function extensionsOf(
  code: C11Code,
  cells: C11Cells,
  { events, modification }: Draft,
  {
    thread,
    step,
    place,
  }: { readonly thread: ThreadId; readonly step: C11Step; readonly place: ThreadPoint },
): readonly Extension[] {
  const { registers } = place;
  const transition = step.code.id;
  if (step.kind === 'fence') {
    const event = { kind: 'fence', thread, transition, order: step.order } as const;
    return [{ event, effect: { registers, targets: [step.code.transition.to] } }];
  }
  const cell = cellOfStep(cells, step, place);
  const isPlain = at(cells.isPlain, cell);
  const address = at(cells.addresses, cell);
  return at(modification, cell).flatMap((from, i) => {
    const read = at(events, from).written!;
    return effectsOf(code, step, registers, read).map((effect): Extension => {
      const { kind, written } = effect;
      if (written !== undefined && !isWord(written)) throw new WideValue();
      const isFailed = kind === 'read' && step.kind === 'rmw';
      const order: EventOrder = isPlain ? 'plain' : isFailed ? step.failureOrder : step.order;
      const event: GraphEvent = {
        ...{ kind, thread, transition, order, address },
        ...(kind !== 'write' && { read, from }),
        ...(written !== undefined && { written }),
      };
      return { event, cell, effect, ...(kind !== 'read' && { place: i + 1 }) };
    });
  });
}

/**
 * Returns the graph with one more event at the position `index` of its list of events. The list has
 * the events of each thread in program order.
 */
export function withEventAt(
  { events, modification }: Draft,
  index: number,
  { event, cell, place }: AddedEvent,
): Draft {
  const shifted = (other: number): number => (other < index ? other : other + 1);
  const moved = ({ from, ...others }: GraphEvent): GraphEvent =>
    from === undefined ? others : { ...others, from: shifted(from) };
  const order = modification.map((stores) => stores.map(shifted));
  return {
    events: events.map(moved).toSpliced(index, 0, moved(event)),
    modification:
      place === undefined ? order : order.with(cell!, order[cell!]!.toSpliced(place, 0, index)),
  };
}
