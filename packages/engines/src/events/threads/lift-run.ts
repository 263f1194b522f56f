import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import type { EventAction, EventRun, Task, TaskId } from '@fencewright/model/trace/event-run.js';
import { eventAction } from '@fencewright/model/events/event-action.js';
import type { LoweredProgram, TaskNode } from './lowered-program.js';

/** Writes the run of an event program, action by action, from a computation of threads. */
class RunWriter {
  readonly tasks: Task[] = [];
  readonly actions: EventAction[] = [];
  readonly #lowered: LoweredProgram;
  readonly #ids = new Map<TaskNode, TaskId>();
  /**
   * By task and index of the argument, the arguments passed through mailboxes (cells for posting
   * tasks).
   */
  readonly #handed = new Map<string, number>();
  #events = 0;
  #threads = 1;

  constructor(lowered: LoweredProgram) {
    this.#lowered = lowered;
  }

  /**
   * Appends to the run the event action that corresponds to an action of the threads. Appends
   * nothing if there is no such event action.
   */
  write(action: Action): void {
    const meaning = at(at(this.#lowered.meanings, action.thread), action.transition);
    switch (meaning.kind) {
      case 'inside':
        return;
      case 'argument':
        if (meaning.side === 'post' && action.kind === 'rmw')
          this.#handed.set(`${meaning.task}.${meaning.index}`, action.written ?? 0);
        return;
      case 'start': {
        const task = this.#start(meaning.task);
        this.actions.push({ kind: 'start', task }, { kind: 'begin', task });
        return;
      }
      case 'begin':
      case 'return':
        this.actions.push({ kind: meaning.kind, task: this.#id(meaning.task) });
        return;
      case 'post': {
        const { site } = meaning;
        const task = this.#id(meaning.task);
        const posted = this.#post(meaning.posted, task);
        this.actions.push({ kind: 'post', task, site, posted });
        return;
      }
      case 'step':
        this.actions.push(eventAction(action, this.#id(meaning.task), meaning.site));
    }
  }

  #start(node: TaskNode): TaskId {
    const { body, instances, arguments: known } = at(this.#lowered.tasks, node);
    const event = this.#events++;
    const given = known.map((value) => (value === 'handed' ? 0 : value));
    return this.#add(node, { body, arguments: given, event, instances, thread: 0 });
  }

  #post(node: TaskNode, parent: TaskId): TaskId {
    const { body, thread, arguments: known } = at(this.#lowered.tasks, node);
    const { event, instances } = at(this.tasks, parent);
    const given = known.map((value, i) =>
      value === 'handed' ? (this.#handed.get(`${node}.${i}`) ?? 0) : value,
    );
    const itsThread = thread === 0 ? 0 : this.#threads++;
    return this.#add(node, {
      body,
      arguments: given,
      event,
      instances,
      parent,
      thread: itsThread,
    });
  }

  #id(node: TaskNode): TaskId {
    const id = this.#ids.get(node);
    if (id === undefined) throw new InternalError('a task that acts before it is made');
    return id;
  }

  #add(node: TaskNode, task: Task): TaskId {
    const id = this.tasks.push(task) - 1;
    this.#ids.set(node, id);
    return id;
  }
}

/** Converts a computation of the threads into a run of the event program. */
export function liftThreadRun(lowered: LoweredProgram, computation: Computation): EventRun {
  const writer = new RunWriter(lowered);
  for (const action of computation) writer.write(action);
  return { tasks: writer.tasks, actions: writer.actions };
}
