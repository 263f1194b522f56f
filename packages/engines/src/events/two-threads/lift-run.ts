import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { isSame } from '@fencewright/model/program/expression.js';
import type { BodyId, EventProgram } from '@fencewright/model/program/event-program.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type {
  EventAction,
  EventRun,
  Site,
  Task,
  TaskId,
} from '@fencewright/model/trace/event-run.js';
import { initialConfiguration } from '@fencewright/model/events/configuration.js';
import { compileEventProgram } from '@fencewright/model/events/event-code.js';
import {
  eventSuccessors,
  type EventMachine,
  type EventMachineOptions,
} from '@fencewright/model/events/machine.js';
import type { TwoThreads } from './construct.js';

/**
 * Returns the TSO run of P that matches a run of 2-threads(P). A task that 2-threads(P) calls in
 * place of a posting, or posts to main, becomes a separate task: the task begins and returns with
 * the call. `undefined` if P has no such run, for example if a task reads a value that another task
 * left in main's buffer.
 */
export function liftTwoThreadRun(
  program: EventProgram,
  two: TwoThreads,
  { tasks, actions }: EventRun,
  options: EventMachineOptions,
): EventRun | undefined {
  const guided = new GuidedRun(program, options);
  const lift = new Lift(program, two, tasks, guided);
  return actions.every((action) => lift.add(action)) ? guided.run : undefined;
}

/** A run of P to which actions are added. */
class GuidedRun {
  readonly #tasks: Task[] = [];
  readonly #actions: EventAction[] = [];
  readonly #machine: EventMachine;
  #configuration;

  constructor(program: EventProgram, options: EventMachineOptions) {
    this.#machine = { code: compileEventProgram(program), semantics: 'multi-tso', options };
    this.#configuration = initialConfiguration(program);
  }

  get run(): EventRun {
    return { tasks: this.#tasks, actions: this.#actions };
  }

  /** The id that the next task of the run will have. */
  get nextTask(): TaskId {
    return this.#tasks.length;
  }

  /**
   * Lets the run of P execute the action. Returns false if P cannot execute it. `instances` is
   * given for the start of an event.
   */
  do(action: EventAction, instances?: number): boolean {
    const step = eventSuccessors(this.#machine, this.#configuration).steps.find(
      ({ actions: [done], made: [task] }) =>
        isSame(done, action) && (instances === undefined || task?.instances === instances),
    );
    if (!step) return false;
    this.#tasks.push(...step.made);
    this.#actions.push(...step.actions);
    this.#configuration = step.configuration;
    return true;
  }
}

/** An invocation in a run of the program 2-threads(P). */
interface ConstructionFrame {
  readonly body: BodyId;
  location: LocationId;
  /** The task of P that executes the actions of this invocation in the run of P. */
  readonly task: TaskId;
}

type SiteAction = Extract<EventAction, { readonly site: Site }>;

class Lift {
  readonly #program: EventProgram;
  readonly #two: TwoThreads;
  /** The tasks of the run of 2-threads(P), indexed by task. */
  readonly #tasks: readonly Task[];
  readonly #guided: GuidedRun;
  /** The task of P that corresponds to each task of the run of 2-threads(P), indexed by task. */
  readonly #own: TaskId[] = [];
  /** For each task of the run of 2-threads(P), its active invocations, innermost last. */
  readonly #frames = new Map<TaskId, ConstructionFrame[]>();
  /**
   * For each thread, the tasks of P that issued the stores in the thread's buffer, oldest store
   * first.
   */
  readonly #issuers = new Map<number, TaskId[]>();

  constructor(program: EventProgram, two: TwoThreads, tasks: readonly Task[], guided: GuidedRun) {
    this.#program = program;
    this.#two = two;
    this.#tasks = tasks;
    this.#guided = guided;
  }

  /**
   * Adds the actions of P that match an action of the construction; returns false if P cannot
   * execute the actions.
   */
  add(action: EventAction): boolean {
    switch (action.kind) {
      case 'start': {
        const task = this.#make(action.task);
        return this.#guided.do({ kind: 'start', task }, at(this.#tasks, action.task).instances);
      }
      case 'begin': {
        const task = at(this.#own, action.task);
        const { body } = at(this.#tasks, action.task);
        this.#frames.set(action.task, [this.#enter(body, task)]);
        return this.#guided.do({ kind: 'begin', task });
      }
      case 'return':
        return this.#guided.do({ kind: 'return', task: at(this.#own, action.task) });
      case 'store': {
        const task = this.#issuersOf(action).shift();
        if (task === undefined) throw new InternalError('a store that nobody issued');
        return this.#same(action, task);
      }
      default:
        return this.#step(action);
    }
  }

  #step(action: SiteAction): boolean {
    const frames = this.#frames.get(action.task) ?? [];
    const frame = at(frames, frames.length - 1);
    const { to, instruction } = this.#transitionAt(action.site);
    if (instruction.kind === 'call' && this.#isAtEnd(frame)) return this.#comeBack(frames, action);
    frame.location = to;
    if (instruction.kind === 'call') return this.#call(frames, instruction.body, action);
    if (action.kind === 'issue') this.#issuersOf(action).push(frame.task);
    if (action.kind !== 'post') return this.#same(action, frame.task);
    return this.#same({ ...action, posted: this.#make(action.posted) }, frame.task);
  }

  /**
   * Adds the matching action of a task of P, and returns whether P can do it; adds nothing for an
   * action that only the construction has.
   */
  #same(action: SiteAction, task: TaskId): boolean {
    const site = this.#siteOf(action.site);
    return !site || this.#guided.do({ ...action, task, site });
  }

  #call(frames: ConstructionFrame[], body: BodyId, action: SiteAction): boolean {
    const { task } = at(frames, frames.length - 1);
    const site = this.#postingAt(action.site);
    if (!site) {
      frames.push(this.#enter(body, task));
      return this.#same(action, task);
    }
    const posted = this.#guided.nextTask;
    frames.push(this.#enter(body, posted));
    return (
      this.#guided.do({ kind: 'post', task, site, posted }) &&
      this.#guided.do({ kind: 'begin', task: posted })
    );
  }

  #comeBack(frames: ConstructionFrame[], action: SiteAction): boolean {
    const { task } = at(frames, frames.length - 1);
    frames.pop();
    return this.#postingAt(action.site)
      ? this.#guided.do({ kind: 'return', task })
      : this.#same(action, task);
  }

  #make(task: TaskId): TaskId {
    return (this.#own[task] = this.#guided.nextTask);
  }

  #enter(body: BodyId, task: TaskId): ConstructionFrame {
    return { body, location: at(this.#two.program.bodies, body).initial, task };
  }

  #isAtEnd({ body, location }: ConstructionFrame): boolean {
    const { transitions } = at(this.#two.program.bodies, body);
    return !transitions.some(({ from }) => from === location);
  }

  #transitionAt({ body, transition }: Site) {
    return at(at(this.#two.program.bodies, body).transitions, transition);
  }

  #issuersOf({ task }: SiteAction): TaskId[] {
    const { thread } = at(this.#tasks, task);
    const known = this.#issuers.get(thread) ?? [];
    this.#issuers.set(thread, known);
    return known;
  }

  /**
   * Returns the place in P of a step of the construction; `undefined` for a step that only the
   * construction has.
   */
  #siteOf({ body, transition }: Site): Site | undefined {
    const { body: original, transitions } = at(this.#two.versions, body);
    const same = transitions[transition];
    return same === undefined ? undefined : { body: original, transition: same };
  }

  /**
   * Returns the posting in P that the construction replaces by a call; `undefined` for a call of P.
   */
  #postingAt(site: Site): Site | undefined {
    const place = this.#siteOf(site);
    if (!place) return undefined;
    const { transitions } = at(this.#program.bodies, place.body);
    return at(transitions, place.transition).instruction.kind === 'post' ? place : undefined;
  }
}
