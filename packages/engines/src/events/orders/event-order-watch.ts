import { at } from '@fencewright/ground/base/at.js';
import type { EventWatch } from '@fencewright/model/events/explore-events.js';
import type { EventStep } from '@fencewright/model/events/machine.js';
import type { EventProgram, MilestoneId } from '@fencewright/model/program/event-program.js';
import type { EventAction } from '@fencewright/model/trace/event-run.js';
import { CallTreeNames, noTrees, type CallTrees } from './call-trees.js';
import { scAccessOf, type ScAccess } from './sc-accesses.js';

/** The facts recorded about an event that may still be on a cycle of the order of events. */
interface EventRecord {
  /** The cells accessed by the event, each with whether the event has stored to the cell. */
  readonly cells: ReadonlyMap<number, boolean>;
  /** The events ordered before this event by conflicts, directly or through further events. */
  readonly before: ReadonlySet<string>;
  /**
   * For each awaited milestone (a condition that events can wait for), the events that had passed
   * the milestone when this event began. A milestone with `first` in `OrderMemory.passed` has no
   * entry.
   */
  readonly causes: readonly ReadonlySet<string>[];
}

interface OrderMemory {
  readonly trees: CallTrees;
  readonly records: ReadonlyMap<string, EventRecord>;
  /**
   * The events that have passed each milestone (a condition that events can wait for). `first`: the
   * milestone was passed by an event that has no record any more, and that may come before all
   * recorded events in a serial order.
   */
  readonly passed: ReadonlyMap<MilestoneId, ReadonlySet<string> | 'first'>;
}

const nothing: EventRecord = { cells: new Map(), before: new Set(), causes: [] };

/**
 * Returns the records after a conflict that puts the events `sources` before the event `target`:
 * all events before one of `sources` come before `target` as well.
 */
function withOrder(
  records: OrderMemory['records'],
  sources: readonly string[],
  target: string,
): OrderMemory['records'] {
  const beforeOf = (event: string): ReadonlySet<string> => records.get(event)?.before ?? new Set();
  const earlier = new Set([
    ...beforeOf(target),
    ...sources.flatMap((source) => [source, ...beforeOf(source)]),
  ]);
  return new Map(
    [...records].map(([event, record]) =>
      event === target || record.before.has(target)
        ? [event, { ...record, before: new Set([...record.before, ...earlier]) }]
        : [event, record],
    ),
  );
}

function afterAccess(memory: OrderMemory, { task, cell, isStore }: ScAccess): OrderMemory {
  const { event } = at(memory.trees.places, task);
  const record = memory.records.get(event) ?? nothing;
  const cells = new Map(record.cells).set(cell, isStore || record.cells.get(cell) === true);
  const records = new Map(memory.records).set(event, { ...record, cells });
  const sources = [...records].flatMap(([other, { cells: accessed }]) => {
    const isStored = accessed.get(cell);
    return other !== event && isStored !== undefined && (isStore || isStored) ? [other] : [];
  });
  const isNew = sources.some((source) => !record.before.has(source));
  return { ...memory, records: isNew ? withOrder(records, sources, event) : records };
}

/**
 * Whether no serial order of the events exists. An event can be next in the order if all events of
 * `before` are already in the order, and each element of `causes` contains an event already in the
 * order.
 */
function isStuck(records: OrderMemory['records']): boolean {
  const left = new Map(records);
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const [event, { before, causes }] of left) {
      if ([...before].some((one) => left.has(one))) continue;
      if (causes.some((passing) => [...passing].every((one) => left.has(one)))) continue;
      left.delete(event);
      isGrowing = true;
    }
  }
  return left.size > 0;
}

/**
 * Drops the records of ended events with no event before them and no cause. An event without
 * predecessors that makes no further access is on no cycle.
 */
function withoutFirst({ trees, ...memory }: OrderMemory): OrderMemory {
  let { records, passed } = memory;
  for (;;) {
    const first = [...records].find(
      ([event, { before, causes }]) =>
        !trees.open.has(event) && before.size === 0 && causes.length === 0,
    )?.[0];
    if (first === undefined) return { trees, records, passed };
    records = new Map(
      [...records]
        .filter(([event]) => event !== first)
        .map(([event, { cells, before, causes }]) => [
          event,
          {
            cells,
            before: new Set([...before].filter((one) => one !== first)),
            causes: causes.filter((passing) => !passing.has(first)),
          },
        ]),
    );
    passed = new Map(
      [...passed].map(([milestone, by]) => [
        milestone,
        by !== 'first' && by.has(first) ? 'first' : by,
      ]),
    );
  }
}

/** Records the order of events on the runs of one exploration. */
class OrderSteps {
  readonly #program: EventProgram;

  constructor(program: EventProgram) {
    this.#program = program;
  }

  after(memory: OrderMemory, action: EventAction): OrderMemory {
    const access = scAccessOf(action);
    if (access) return afterAccess(memory, access);
    const { event, path } = at(memory.trees.places, action.task);
    if (action.kind === 'begin' && path.length === 0) return this.#begun(memory, event);
    const milestone = action.kind === 'silent' ? this.#milestoneAt(action) : undefined;
    const by = milestone === undefined ? undefined : (memory.passed.get(milestone) ?? new Set());
    if (milestone === undefined || by === undefined || by === 'first') return memory;
    const records = new Map(memory.records).set(event, memory.records.get(event) ?? nothing);
    return {
      ...memory,
      records,
      passed: new Map(memory.passed).set(milestone, new Set([...by, event])),
    };
  }

  #milestoneAt({ site: { body, transition } }: EventAction & { kind: 'silent' }) {
    const { instruction } = at(at(this.#program.bodies, body).transitions, transition);
    return instruction.kind === 'pass' ? instruction.milestone : undefined;
  }

  /**
   * Returns the memory with the `causes` of an event: the events that have passed the awaited
   * milestones. Called when the event begins.
   */
  #begun(memory: OrderMemory, event: string): OrderMemory {
    const { after = [] } = at(this.#program.instances, Number(event.split('#')[0]));
    const causes = after.flatMap((milestone) => {
      const by = memory.passed.get(milestone);
      return by === undefined || by === 'first' ? [] : [by];
    });
    const record = { ...(memory.records.get(event) ?? nothing), causes };
    return { ...memory, records: new Map(memory.records).set(event, record) };
  }
}

/**
 * Returns a watch of SC runs that ends with the first action that violates (S), event
 * serialisability: conflicts between events and awaited milestones leave no serial order ([BEMR18]
 * Def. 1).
 */
export function eventOrderWatch(program: EventProgram): EventWatch<OrderMemory> {
  const names = new CallTreeNames();
  const steps = new OrderSteps(program);
  return {
    initial: { trees: noTrees, records: new Map(), passed: new Map() },
    after: (memory: OrderMemory, step: EventStep) => {
      let next: OrderMemory = { ...memory, trees: names.after(memory.trees, step) };
      for (const action of step.actions) next = steps.after(next, action);
      return isStuck(next.records) ? undefined : withoutFirst(next);
    },
    keyOf: ({ trees, records, passed }) => {
      const events = [...records].map(([event, { cells, before, causes }]) => {
        const accesses = [...cells].map(([cell, isStored]) => `${cell}${isStored ? '!' : ''}`);
        const groups = causes.map((passing) => [...passing].sort().join('+')).sort();
        return `${event}:${accesses.sort().join()}:${[...before].sort().join()}:${groups.join()}`;
      });
      const by = [...passed].map(
        ([milestone, events]) =>
          `${milestone}=${events === 'first' ? events : [...events].sort().join('+')}`,
      );
      return `|${names.keyOf(trees)}|${events.sort().join('&')}|${by.sort().join('&')}`;
    },
    nameOf: (task) => names.nameOf(task),
  };
}
