import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram, MilestoneId } from '@fencewright/model/program/event-program.js';
import type { EventAction, EventRun, Task } from '@fencewright/model/trace/event-run.js';
import type { MemoryStep } from './perform.js';
import type { SerialAction, SerialRun, SerialTask } from './unfold.js';

/** The machine on which the scheduled run has to be possible. */
interface ScheduleOptions {
  readonly program: EventProgram;
  readonly isTso: boolean;
  readonly postingFenced: boolean;
  /** The initial value of each cell of memory, indexed by cell. */
  readonly initialMemory: readonly number[];
}

type Template = EventAction extends infer A
  ? A extends { readonly task: number }
    ? Omit<A, 'fromBuffer'>
    : never
  : never;

/** A moment of the run, at which one action is done, or all actions of a lock block. */
interface Moment {
  readonly task: number;
  readonly actions: readonly Template[];
  /**
   * The priority of the moment. Among the moments that can come next, the one with the least number
   * comes first.
   */
  readonly priority: number;
  readonly after: number[];
  /** Groups of moments: of each group, at least one moment has to come before this moment. */
  readonly afterOne: (readonly number[])[];
}

/** A memory access at some moment, used to keep conflicting accesses in order. */
interface Visible {
  readonly moment: number;
  readonly cell: number;
  readonly isStore: boolean;
  readonly isLoadOnly: boolean;
  readonly thread: number;
}

/**
 * Returns a run of the multi-thread machine with the conflicts of a run of a sequential search, in
 * the same order, except that buffered stores reach memory last. `undefined` if no run of this kind
 * exists, because main cannot take the main tasks in a suitable order.
 */
export function schedule(run: SerialRun, options: ScheduleOptions): EventRun | undefined {
  const scheduling = new Scheduling(run, options);
  const order = scheduling.order();
  return order && numbered(run, order, options);
}

class Scheduling {
  readonly #tasks: readonly SerialTask[];
  readonly #run: SerialRun;
  readonly #options: ScheduleOptions;
  readonly #moments: Moment[] = [];
  readonly #begins: number[] = [];
  /** The moments at which a milestone is passed, in the order of the sequential run. */
  readonly #passes = new Map<MilestoneId, number[]>();
  /**
   * The moments of each task, indexed by task: its actions and, last, its return. The moments at
   * which stores reach memory are left out.
   */
  readonly #ofTask: number[][];
  /** The memory accesses of the run, in the order in which conflicting accesses must occur. */
  readonly #visible: Visible[] = [];
  /**
   * By the moment at which a buffered store is issued, the moment at which the store reaches
   * memory.
   */
  readonly #commits = new Map<number, number>();
  #priority = 0;

  constructor(run: SerialRun, options: ScheduleOptions) {
    this.#run = run;
    this.#options = options;
    this.#tasks = run.tasks;
    this.#ofTask = run.tasks.map(() => []);
  }

  order(): readonly Template[] | undefined {
    const main = this.#mainOrder();
    if (!main) return undefined;
    this.#make();
    this.#chain(main);
    this.#orderConflicts();
    return this.#sorted();
  }

  /** Returns the order of the tasks on main; `undefined` if several main tasks never return. */
  #mainOrder(): readonly number[] | undefined {
    const done = this.#run.actions.map(({ task }) => task);
    const isIdle = (id: number): boolean => !done.includes(id) && this.#run.postponed?.task !== id;
    const served = this.#tasks.flatMap(({ isMain, hasBegun, hasEnded }, id) =>
      isMain && hasBegun && (hasEnded || !isIdle(id)) ? [id] : [],
    );
    for (const [id, task] of this.#tasks.entries())
      if (task.isMain && task.hasBegun && !served.includes(id)) task.hasBegun = false;
    const rankOf = (id: number): number => {
      const { role, hasEnded } = at(this.#tasks, id);
      if (!hasEnded) return 3;
      return role === 'delaying' ? 1 : role === 'behind' ? 2 : 0;
    };
    const stuck = served.filter((id) => rankOf(id) === 3);
    return stuck.length > 1 ? undefined : served.sort((a, b) => rankOf(a) - rankOf(b));
  }

  #add(task: number, actions: readonly Template[], priority = ++this.#priority): number {
    return this.#moments.push({ task, actions, priority, after: [], afterOne: [] }) - 1;
  }

  #after(later: number, earlier: number | undefined): void {
    if (earlier !== undefined) at(this.#moments, later).after.push(earlier);
  }

  #make(): void {
    const { actions, postponed } = this.#run;
    const held: { readonly issue: number; readonly step: MemoryStep & { kind: 'store' } }[] = [];
    const begin = (task: number): void => {
      if (this.#begins[task] !== undefined) return;
      if (at(this.#tasks, task).parent === undefined) {
        const start = this.#add(task, [{ kind: 'start', task }]);
        this.#begins[task] = this.#add(task, [{ kind: 'begin', task }]);
        this.#after(this.#begins[task], start);
        const { instances } = at(this.#tasks, task);
        for (const milestone of at(this.#options.program.instances, instances).after ?? [])
          at(this.#moments, start).afterOne.push([...(this.#passes.get(milestone) ?? [])]);
      } else this.#begins[task] = this.#add(task, [{ kind: 'begin', task }]);
      this.#ofTask[task]?.push(this.#begins[task]);
    };
    const finish = (task: number): void => {
      if (this.#tasks[task]?.hasEnded)
        this.#ofTask[task]?.push(this.#add(task, [{ kind: 'return', task }]));
    };
    let running: number | undefined;
    for (const action of [...actions]) {
      if (action.task !== running) {
        if (running !== undefined && running !== postponed?.task) finish(running);
        running = action.task;
      }
      begin(action.task);
      const step = action.kind === 'perform' ? action.steps[0] : undefined;
      const moment = this.#momentOf(action);
      this.#ofTask[action.task]?.push(moment);
      if (action.kind === 'perform' && action.isBuffered && step?.kind === 'store')
        held.push({ issue: moment, step });
    }
    if (running !== undefined && running !== postponed?.task) finish(running);
    // Tasks without actions have no moments yet. They begin and end here, in the order of their
    // numbers.
    this.#tasks.forEach(({ hasBegun }, task) => {
      if (!hasBegun || this.#begins[task] !== undefined) return;
      begin(task);
      finish(task);
    });
    for (const { issue, step } of held) {
      const { task } = at(this.#moments, issue);
      this.#commit(task, issue, step);
    }
  }

  #commit(task: number, issue: number, step: MemoryStep & { kind: 'store' }): void {
    const commit = this.#add(task, [{ task, ...step }]);
    this.#after(commit, issue);
    this.#commits.set(issue, commit);
    this.#see(commit, task, step.address, true, false);
  }

  #see(moment: number, task: number, cell: number, isStore: boolean, isLoadOnly: boolean): void {
    const thread = at(this.#tasks, task).isMain ? -1 : task;
    this.#visible.push({ moment, cell, isStore, isLoadOnly, thread });
  }

  /**
   * Adds the moment of an action. If the action is a store that the search did not buffer, also
   * adds the moment at which the store reaches memory. For buffered stores, these moments are added
   * after all actions.
   */
  #momentOf(action: SerialAction): number {
    const { task } = action;
    if (action.kind === 'post')
      return this.#add(task, [{ task, kind: 'post', site: action.site, posted: action.posted }]);
    const { isTso } = this.#options;
    const [first] = action.steps;
    if (isTso && first?.kind === 'store') {
      const issue = this.#add(task, [{ task, ...first, kind: 'issue' }]);
      if (!action.isBuffered) this.#commit(task, issue, first);
      return issue;
    }
    const moment = this.#add(
      task,
      action.steps.flatMap((step): Template[] =>
        isTso && step.kind === 'store'
          ? [
              { task, ...step, kind: 'issue' },
              { task, ...step },
            ]
          : [{ task, ...step }],
      ),
    );
    this.#notePassed(moment, first);
    if (action.isBuffered) return moment;
    for (const step of action.steps)
      if (step.kind === 'load') this.#see(moment, task, step.address, false, true);
      else if (step.kind === 'store') this.#see(moment, task, step.address, true, false);
      else if (step.kind === 'rmw')
        this.#see(moment, task, step.address, step.written !== undefined, false);
    return moment;
  }

  #notePassed(moment: number, step: MemoryStep | undefined): void {
    if (step?.kind !== 'silent') return;
    const { body, transition } = step.site;
    const { instruction } = at(at(this.#options.program.bodies, body).transitions, transition);
    if (instruction.kind !== 'pass') return;
    const { milestone } = instruction;
    this.#passes.set(milestone, [...(this.#passes.get(milestone) ?? []), moment]);
  }

  /**
   * Puts the moments of each thread in order: the actions, the arrivals of stores in memory, and
   * fences after the arrivals of earlier stores.
   */
  #chain(main: readonly number[]): void {
    const threads = [
      main,
      ...this.#tasks.flatMap(({ isMain, hasBegun }, id) => (!isMain && hasBegun ? [[id]] : [])),
    ];
    for (const thread of threads) {
      let last: number | undefined;
      let committed: number | undefined;
      for (const moment of thread.flatMap((task) => at(this.#ofTask, task))) {
        this.#after(moment, last);
        last = moment;
        if (this.#drains(moment)) this.#after(moment, committed);
        const commit = this.#commits.get(moment);
        if (commit === undefined) continue;
        this.#after(commit, committed);
        committed = commit;
      }
    }
    for (const [moment, { actions }] of this.#moments.entries())
      for (const action of actions)
        if (action.kind === 'post' && this.#begins[action.posted] !== undefined)
          this.#after(at(this.#begins, action.posted), moment);
  }

  #drains(moment: number): boolean {
    const kind = at(this.#moments, moment).actions[0]?.kind;
    if (kind === 'post') return this.#options.postingFenced;
    return kind === 'fence' || kind === 'rmw' || kind === 'lock';
  }

  #orderConflicts(): void {
    this.#visible.forEach((later, i) => {
      for (const earlier of this.#visible.slice(0, i)) {
        if (earlier.cell !== later.cell || earlier.moment === later.moment) continue;
        if (!earlier.isStore && !later.isStore) continue;
        // A thread can read its own store from its buffer.
        if (earlier.thread === later.thread && later.isLoadOnly) continue;
        this.#after(later.moment, earlier.moment);
      }
    });
  }

  #sorted(): readonly Template[] | undefined {
    const order: Template[] = [];
    const isDone = this.#moments.map(() => false);
    for (let count = 0; count < this.#moments.length; count++) {
      let next = -1;
      this.#moments.forEach(({ after, afterOne, priority }, moment) => {
        if (isDone[moment] || !after.every((earlier) => isDone[earlier])) return;
        if (!afterOne.every((group) => group.some((earlier) => isDone[earlier]))) return;
        if (next < 0 || priority < at(this.#moments, next).priority) next = moment;
      });
      if (next < 0) return undefined;
      isDone[next] = true;
      order.push(...at(this.#moments, next).actions);
    }
    return order;
  }
}

/**
 * Gives numbers to the tasks, events and threads of actions in the given order, and finds the loads
 * that read from the buffer. `undefined` if a task acts before the task starts, or an access reads
 * another value than in the run of the search.
 */
function numbered(
  { tasks }: SerialRun,
  order: readonly Template[],
  { initialMemory }: ScheduleOptions,
): EventRun | undefined {
  const numbers = new Map<number, number>();
  const events = new Map<number, number>();
  const made: Task[] = [];
  let threads = 1;
  const make = (serial: number): number => {
    const task = at(tasks, serial);
    const event = events.get(task.event) ?? events.size;
    events.set(task.event, event);
    const parent = task.parent === undefined ? undefined : numbers.get(task.parent);
    const number = made.length;
    numbers.set(serial, number);
    made.push({
      body: task.body,
      arguments: task.arguments,
      event,
      instances: task.instances,
      ...(parent !== undefined && { parent }),
      thread: task.isMain ? 0 : threads++,
    });
    return number;
  };
  const memory = [...initialMemory];
  const buffers = new Map<number, { readonly address: number; readonly value: number }[]>();
  const actions: EventAction[] = [];
  for (const template of order) {
    const task = template.kind === 'start' ? make(template.task) : numbers.get(template.task);
    if (task === undefined) return undefined;
    const { thread } = at(made, task);
    const buffer = buffers.get(thread) ?? [];
    buffers.set(thread, buffer);
    switch (template.kind) {
      case 'load': {
        const own = buffer.findLast(({ address }) => address === template.address);
        if ((own?.value ?? memory[template.address]) !== template.value) return undefined;
        actions.push({ ...template, task, fromBuffer: own !== undefined });
        continue;
      }
      case 'rmw':
        if (memory[template.address] !== template.read) return undefined;
        if (template.written !== undefined) memory[template.address] = template.written;
        break;
      case 'issue':
        buffer.push(template);
        break;
      case 'store':
        buffer.shift();
        memory[template.address] = template.value;
        break;
      case 'post':
        actions.push({ ...template, task, posted: make(template.posted) });
        continue;
      default:
        break;
    }
    actions.push({ ...template, task });
  }
  return { tasks: made, actions };
}
