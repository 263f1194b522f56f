import { at, valueAt } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { BodyId, EventProgram } from '@fencewright/model/program/event-program.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { Site } from '@fencewright/model/trace/event-run.js';
import type { LogItem, TaskRole } from './config.js';
import type { LocalId, SilentStep, Spawn } from './local-states.js';
import type { MemoryStep } from './perform.js';
import type { SerialMachine } from './serial-machine.js';

/** A task in the run of a sequential search. */
export interface SerialTask {
  readonly body: BodyId;
  readonly arguments: readonly number[];
  /** The number of the task's event; events are numbered in the order of their start. */
  readonly event: number;
  /** The index, in `EventProgram.instances`, of the entry to which the task's event belongs. */
  readonly instances: number;
  readonly parent: number | undefined;
  readonly isMain: boolean;
  role: TaskRole;
  hasBegun: boolean;
  hasEnded: boolean;
}

/**
 * One action of a task: a posting, a single step, or a whole lock block. `isBuffered` is as in
 * `LogItem`.
 */
export type SerialAction = { readonly task: number } & (
  | { readonly kind: 'post'; readonly site: Site; readonly posted: number }
  | {
      readonly kind: 'perform';
      readonly steps: readonly MemoryStep[];
      readonly isBuffered: boolean;
    }
);

/** The run of a sequential search: the tasks, and the actions of tasks in the order of the run. */
export interface SerialRun {
  readonly tasks: readonly SerialTask[];
  readonly actions: readonly SerialAction[];
  /**
   * The task that stops before an access, and the task's local state before the access; `undefined`
   * if every task goes on.
   */
  readonly postponed: { readonly task: number; readonly at: LocalId } | undefined;
}

type Posted = NonNullable<SilentStep['posted']>;

interface Invocation {
  readonly body: BodyId;
  location: LocationId;
  readonly calledAt: Site | undefined;
}

/** Converts the log of a search into tasks and actions. */
export function unfold(
  program: EventProgram,
  machine: SerialMachine,
  items: readonly LogItem[],
): SerialRun {
  return new Unfolding(program, machine).run(items);
}

class Unfolding {
  readonly #program: EventProgram;
  readonly #machine: SerialMachine;
  readonly #tasks: SerialTask[] = [];
  readonly #actions: SerialAction[] = [];
  readonly #started: number[];
  #waiting: number[] = [];
  #children: number[] = [];
  #running = 0;
  #stack: Invocation[] = [];
  #events = 0;

  constructor(program: EventProgram, machine: SerialMachine) {
    this.#program = program;
    this.#machine = machine;
    this.#started = program.instances.map(() => 0);
  }

  run(items: readonly LogItem[]): SerialRun {
    let postponed: SerialRun['postponed'];
    for (const item of items) {
      switch (item.kind) {
        case 'start':
          this.#waiting = [this.#start(item.group, item.spawn)];
          break;
        case 'begin': {
          this.#running = this.#waiting.shift() ?? missing();
          const task = at(this.#tasks, this.#running);
          task.hasBegun = true;
          task.role = item.role;
          const { initial } = at(this.#program.bodies, task.body);
          this.#stack = [{ body: task.body, location: initial, calledAt: undefined }];
          this.#addReturns();
          break;
        }
        case 'drop':
          this.#waiting.shift();
          break;
        case 'silent':
          for (const { site, posted } of item.trail) this.#silent(site, posted);
          break;
        case 'perform':
          this.#perform(item.steps, item.isBuffered);
          break;
        case 'postpone':
          postponed = { task: this.#running, at: item.at };
          at(this.#tasks, this.#running).role = 'delaying';
          break;
        case 'end':
        case 'cut':
          at(this.#tasks, this.#running).hasEnded = item.kind === 'end';
          this.#waiting.unshift(...this.#children);
          this.#children = [];
          break;
      }
    }
    return { tasks: this.#tasks, actions: this.#actions, postponed };
  }

  #start(group: number, spawn: Spawn): number {
    const { entries } = at(this.#machine.groups, group);
    const entry = entries.find((instances) => {
      const { count } = at(this.#program.instances, instances);
      return count === 'any' || at(this.#started, instances) < count;
    });
    if (entry === undefined) return missing();
    this.#started[entry] = at(this.#started, entry) + 1;
    const { arguments: given } = at(this.#machine.groups, group);
    return this.#make({ spawn, arguments: given }, this.#events++, entry, undefined);
  }

  #make(
    { spawn, arguments: given }: Posted,
    event: number,
    instances: number,
    parent: number | undefined,
  ): number {
    const { locals } = this.#machine;
    return (
      this.#tasks.push({
        body: locals.bodyOf(spawn >> 1),
        arguments: given,
        event,
        instances,
        parent,
        isMain: (spawn & 1) === 1,
        role: 'ordinary',
        hasBegun: false,
        hasEnded: false,
      }) - 1
    );
  }

  #silent(site: Site, posted: Posted | undefined): void {
    const task = this.#running;
    if (posted === undefined) {
      const { instruction } = at(at(this.#program.bodies, site.body).transitions, site.transition);
      this.#push([{ kind: instruction.kind === 'fence' ? 'fence' : 'silent', site }], false);
    } else {
      const { event, instances } = at(this.#tasks, task);
      const child = this.#make(posted, event, instances, task);
      this.#children.push(child);
      this.#actions.push({ task, kind: 'post', site, posted: child });
    }
    this.#goOn(site);
    this.#addReturns();
  }

  #perform(steps: readonly MemoryStep[], isBuffered: boolean): void {
    if (steps.length > 0) this.#push(steps, isBuffered);
    for (const { site } of steps) this.#goOn(site);
    this.#addReturns();
  }

  #push(steps: readonly MemoryStep[], isBuffered: boolean): void {
    this.#actions.push({ task: this.#running, kind: 'perform', steps, isBuffered });
  }

  #goOn({ body, transition }: Site): void {
    const { to, instruction } = at(at(this.#program.bodies, body).transitions, transition);
    const top = this.#stack.at(-1) ?? missing();
    top.location = to;
    if (instruction.kind === 'call')
      this.#stack.push({
        body: instruction.body,
        location: at(this.#program.bodies, instruction.body).initial,
        calledAt: { body, transition },
      });
  }

  /** Adds, as separate steps, the returns from the calls that have ended. */
  #addReturns(): void {
    for (;;) {
      const top = this.#stack.at(-1);
      const leaving = (b: BodyId): ReadonlySet<LocationId> =>
        new Set(at(this.#program.bodies, b).transitions.map(({ from }) => from));
      if (!top?.calledAt || leaving(top.body).has(top.location)) return;
      this.#push([{ kind: 'silent', site: top.calledAt }], false);
      this.#stack.pop();
    }
  }
}

function missing(): never {
  throw new InternalError('a run of a sequential search that cannot be unfolded');
}

/** Returns the values in memory at the end of a run, by cell, without buffered stores. */
export function finalMemory(
  machine: SerialMachine,
  { actions }: SerialRun,
): ReadonlyMap<number, number> {
  const memory = new Map(machine.initialMemory().entries());
  for (const action of actions) {
    if (action.kind !== 'perform' || action.isBuffered) continue;
    for (const step of action.steps)
      if (step.kind === 'store') memory.set(step.address, step.value);
      else if (step.kind === 'rmw' && step.written !== undefined)
        memory.set(step.address, step.written);
  }
  return memory;
}

/** Returns the value of a cell in a memory that contains all cells. */
export function valueOfCell(memory: ReadonlyMap<number, number>, cell: number): number {
  return valueAt(memory, cell);
}
