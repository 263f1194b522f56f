import { at } from '@fencewright/ground/base/at.js';
import type { EventStep } from '@fencewright/model/events/machine.js';
import type { Task, TaskId } from '@fencewright/model/trace/event-run.js';

/**
 * A task, named by its event and by its position in the event's call tree. The name of an event
 * does not depend on the order in which events of different declarations start.
 */
interface TaskPlace {
  readonly event: string;
  /**
   * The path from the event's handler to the task: at each level, the index of the next task among
   * the tasks that the same task has posted. Empty for the handler.
   */
  readonly path: readonly number[];
}

/** The call trees of all events that have started. */
export interface CallTrees {
  /** The position of each task in the call tree of the task's event, indexed by `TaskId`. */
  readonly places: readonly TaskPlace[];
  /** For each unfinished task, the number of tasks posted so far by the task. */
  readonly children: ReadonlyMap<TaskId, number>;
  /** The number of unfinished tasks of each event; events that have ended are absent. */
  readonly open: ReadonlyMap<string, number>;
}

export const noTrees: CallTrees = { places: [], children: new Map(), open: new Map() };

function textOf({ event, path }: TaskPlace): string {
  return `${event}.${path.join('.')}`;
}

/** Computes the call trees of events along the runs of one exploration. */
export class CallTreeNames {
  readonly #names = new WeakMap<Task, string>();

  nameOf(task: Task): string {
    return ` ${this.#names.get(task) ?? ''}`;
  }

  after(trees: CallTrees, { actions, made, configuration }: EventStep): CallTrees {
    const places = [...trees.places];
    const children = new Map(trees.children);
    const open = new Map(trees.open);
    let next = 0;
    const create = (place: TaskPlace): void => {
      this.#names.set(at(made, next++), textOf(place));
      children.set(places.length, 0);
      places.push(place);
      open.set(place.event, (open.get(place.event) ?? 0) + 1);
    };
    let hasChanged = false;
    for (const action of actions) {
      const { kind, task } = action;
      if (kind === 'start') {
        const { instances } = at(made, next);
        create({ event: `${instances}#${at(configuration.started, instances)}`, path: [] });
      } else if (kind === 'post') {
        const { event, path } = at(places, task);
        const child = children.get(task) ?? 0;
        children.set(task, child + 1);
        create({ event, path: [...path, child] });
      } else if (kind === 'return') {
        const { event } = at(places, task);
        const left = (open.get(event) ?? 0) - 1;
        children.delete(task);
        if (left > 0) open.set(event, left);
        else open.delete(event);
      } else continue;
      hasChanged = true;
    }
    return hasChanged ? { places, children, open } : trees;
  }

  /**
   * Returns a text of the call trees. If two states have equal texts, all later steps extend their
   * call trees in the same way.
   */
  keyOf({ places, children }: CallTrees): string {
    return [...children]
      .map(([task, count]) => `${textOf(at(places, task))}:${count}`)
      .sort()
      .join(' ');
  }
}
