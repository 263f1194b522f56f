import { at } from '../../base/at.js';
import type { EventRun, TaskId } from '../../trace/event-run.js';

interface Access {
  readonly task: TaskId;
  readonly cell: number;
  readonly isStore: boolean;
}

/** A store in a buffer, and who has read it there. */
interface Buffered {
  readonly address: number;
  readonly readers: TaskId[];
}

/**
 * The accesses of memory in the order of conflicts: a load that a buffer answered stands behind the
 * store that it read, once that has reached memory.
 */
function accessesOf({ tasks, actions }: EventRun): readonly Access[] {
  const accesses: Access[] = [];
  const buffers = new Map<number, Buffered[]>();
  const add = (task: TaskId, cell: number, isStore: boolean): void => {
    accesses.push({ task, cell, isStore });
  };
  for (const action of actions) {
    const { task } = action;
    const { thread } = at(tasks, task);
    const buffer = buffers.get(thread) ?? [];
    buffers.set(thread, buffer);
    switch (action.kind) {
      case 'load':
        if (action.fromBuffer)
          buffer.findLast(({ address }) => address === action.address)?.readers.push(task);
        else add(task, action.address, false);
        break;
      case 'issue':
        buffer.push({ address: action.address, readers: [] });
        break;
      case 'store':
        add(task, action.address, true);
        for (const reader of buffer.shift()?.readers ?? []) add(reader, action.address, false);
        break;
      case 'rmw':
        add(task, action.address, action.written !== undefined);
        break;
      default:
        break;
    }
  }
  return accesses;
}

/** Whether (D) and (S) hold of the run. */
export function isSerialisableRun(run: EventRun): boolean {
  const { tasks } = run;
  const children = tasks.map(() => 0);
  const paths = tasks.map((): readonly number[] => []);
  tasks.forEach(({ parent }, id) => {
    if (parent === undefined) return;
    const nth = (children[parent] = at(children, parent) + 1);
    paths[id] = [...at(paths, parent), nth];
  });
  const isBefore = (a: readonly number[], b: readonly number[]): boolean => {
    const i = a.findIndex((child, level) => child !== b[level]);
    return i < 0 || (i < b.length && at(a, i) < at(b, i));
  };
  const accesses = accessesOf(run);
  const events = new Set(tasks.map(({ event }) => event));
  const edges = new Map([...events].map((event) => [event, new Set<number>()]));
  for (const [i, second] of accesses.entries())
    for (const first of accesses.slice(0, i)) {
      if (first.cell !== second.cell || first.task === second.task) continue;
      if (!first.isStore && !second.isStore) continue;
      const [u, v] = [at(tasks, first.task), at(tasks, second.task)];
      if (u.event !== v.event) edges.get(u.event)?.add(v.event);
      else if (!isBefore(at(paths, first.task), at(paths, second.task))) return false;
    }
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const [event, to] of edges)
      if ([...to].every((other) => !edges.has(other))) isSmaller = edges.delete(event);
  }
  return edges.size === 0;
}
