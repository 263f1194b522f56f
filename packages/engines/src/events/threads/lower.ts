import { at } from '@fencewright/ground/base/at.js';
import { constantValue } from '@fencewright/model/program/evaluate.js';
import type {
  BodyId,
  EventProgram,
  MilestoneId,
  PostedTo,
} from '@fencewright/model/program/event-program.js';
import { constant, type Expression } from '@fencewright/model/program/expression.js';
import type { LocationId, SymbolId, ThreadId } from '@fencewright/model/program/ids.js';
import type { BoundHit, CallTreeBounds } from './bounds.js';
import type { Cut, LoweredProgram, LoweredTask, TaskNode } from './lowered-program.js';
import { beginTask, Mailboxes, post, takeArgument } from './mailboxes.js';
import { ThreadWriter } from './thread-writer.js';
import {
  writeBody,
  type TaskArgument,
  type InlinedInvocation,
  type PassingPlace,
  type Posting,
  type Target,
} from './write-body.js';

/** A task of a call tree for which no thread's code has been written yet. */
interface Unwritten extends Posting {
  readonly frame: InlinedInvocation;
}

/**
 * A handler that main starts once all awaited milestones have been passed, by a step between two
 * locations of main.
 */
interface WaitingHandler {
  readonly after: readonly MilestoneId[];
  readonly from: LocationId;
  readonly to: LocationId;
}

/**
 * The start location of each thread: main waits here between two tasks, and a thread of a posted
 * task waits here for the posting.
 */
const start: LocationId = 0;

/**
 * Converts an event program into a program of threads that execute its tasks, as many tasks as the
 * bounds allow; with `isFenced` a fence precedes every posting. Calls are inlined. The result lists
 * the transitions after which the bounds leave out behaviour.
 */
export function lowerEvents(
  program: EventProgram,
  bounds: CallTreeBounds,
  isFenced: boolean,
): LoweredProgram {
  return new Lowering(program, bounds, isFenced).lower();
}

class Lowering {
  readonly #program: EventProgram;
  readonly #bounds: CallTreeBounds;
  readonly #isFenced: boolean;
  readonly #tasks: LoweredTask[] = [];
  /** For each thread, the code written so far, indexed by thread. */
  readonly #writers: ThreadWriter[] = [];
  readonly #mailboxes: Mailboxes;
  readonly #cuts: Cut[] = [];
  readonly #leftOut: BoundHit[] = [];
  readonly #unwritten: Unwritten[] = [];
  readonly #passing: (PassingPlace & { readonly thread: ThreadId; readonly of: MilestoneId })[] =
    [];
  readonly #handlers: WaitingHandler[] = [];

  constructor(program: EventProgram, bounds: CallTreeBounds, isFenced: boolean) {
    this.#program = program;
    this.#bounds = bounds;
    this.#isFenced = isFenced;
    this.#mailboxes = new Mailboxes(program.symbols.length);
    this.#addThread('main');
  }

  lower(): LoweredProgram {
    const { name, symbols, domain, instances } = this.#program;
    for (const number of instances.keys()) this.#writeHandlers(number);
    for (const { task, mailbox, arguments: given, frame } of this.#unwritten) {
      const writer = this.#writerOf(task);
      const place = writer.then(start, beginTask(mailbox), { kind: 'begin', task });
      this.#writeTask(frame, given, place);
    }
    this.#writeMilestones();
    return {
      program: {
        name,
        symbols: [...symbols, ...this.#mailboxes.symbols],
        ...(domain && { domain }),
        threads: this.#writers.map((writer) => writer.thread()),
        properties: [],
      },
      tasks: this.#tasks,
      meanings: this.#writers.map(({ meanings }) => meanings),
      cuts: this.#cuts,
      leftOut: this.#leftOut,
    };
  }

  #addThread(name: string): ThreadId {
    const writer = new ThreadWriter(name);
    writer.location();
    return this.#writers.push(writer) - 1;
  }

  #writerOf(task: TaskNode): ThreadWriter {
    return at(this.#writers, at(this.#tasks, task).thread);
  }

  #tooDeep(chain: readonly BodyId[], body: BodyId): BoundHit | undefined {
    const { depth } = this.#bounds;
    return chain.filter((other) => other === body).length < depth
      ? undefined
      : { kind: 'depth', body, most: depth };
  }

  #addTask(
    { task: poster, chain }: InlinedInvocation,
    body: BodyId,
    to: PostedTo,
    given: readonly Expression[],
  ): Posting | BoundHit {
    const hit = this.#tooDeep(chain, body);
    if (hit) return hit;
    const most = this.#bounds.tasks;
    const task = this.#tasks.length;
    if (task >= most) return { kind: 'tasks', body, most };
    const values = given.map((argument) => constantValue(argument, this.#program.symbols));
    this.#tasks.push({
      body,
      instances: at(this.#tasks, poster).instances,
      thread: to === 'main' ? 0 : this.#addThread(`task${task}`),
      arguments: values.map((value) => value ?? 'handed'),
    });
    const posting: Posting = {
      kind: 'task',
      task,
      mailbox: this.#mailboxes.add(),
      arguments: values.map((value): TaskArgument =>
        value === undefined
          ? { kind: 'handed', mailbox: this.#mailboxes.add() }
          : { kind: 'known', value },
      ),
    };
    this.#unwritten.push({ ...posting, frame: taskFrame(task, body, chain) });
    return posting;
  }

  /**
   * Writes the code between the places that pass milestones and the handlers that wait for
   * milestones. Each pair of a place and a handler has a mailbox of its own. So happens-before
   * leads to a handler only from the place from which the handler takes a message.
   */
  #writeMilestones(): void {
    const main = at(this.#writers, 0);
    const told = this.#passing.map((): SymbolId[] => []);
    for (const { after, from, to } of this.#handlers) {
      let place = from;
      for (const milestone of after) {
        const next = main.location();
        this.#passing.forEach(({ of }, number) => {
          if (of !== milestone) return;
          const mailbox = this.#mailboxes.add();
          at(told, number).push(mailbox);
          main.write(place, next, beginTask(mailbox));
        });
        place = next;
      }
      main.write(place, to, { kind: 'skip' });
    }
    this.#passing.forEach(({ thread, from, to, site }, number) => {
      const writer = at(this.#writers, thread);
      let place = from;
      for (const mailbox of at(told, number))
        place = writer.then(place, post(mailbox), { kind: 'inside', site });
      writer.write(place, to, { kind: 'skip' });
    });
  }

  /** Writes the code that starts equal instances, in the order of the instances' numbers. */
  #writeHandlers(instances: number): void {
    const { event, arguments: given, count, after } = at(this.#program.instances, instances);
    const most = count === 'any' ? this.#bounds.instances : count;
    if (count === 'any') this.#leftOut.push({ kind: 'instances', body: event, most });
    const main = at(this.#writers, 0);
    const started = main.counter();
    for (let number = 0; number < most; number++) {
      const task = this.#tasks.length;
      if (task >= this.#bounds.tasks) {
        this.#leftOut.push({ kind: 'tasks', body: event, most: this.#bounds.tasks });
        return;
      }
      this.#tasks.push({ body: event, instances, thread: 0, arguments: given });
      const counted = main.countUp(start, started, number);
      const entry = after ? main.location() : counted;
      if (after) this.#handlers.push({ after, from: counted, to: entry });
      this.#writeTask(
        taskFrame(task, event, []),
        given.map((value): TaskArgument => ({ kind: 'known', value })),
        main.then(entry, { kind: 'skip' }, { kind: 'start', task }),
      );
    }
  }

  /**
   * Writes the code of a task that has begun: sets the registers to the arguments, then executes
   * the body.
   */
  #writeTask(frame: InlinedInvocation, given: readonly TaskArgument[], entry: LocationId): void {
    const { task, body } = frame;
    const writer = this.#writerOf(task);
    const { thread } = at(this.#tasks, task);
    const taken = (index: number) => ({ kind: 'argument', task, index, side: 'begin' }) as const;
    let place = entry;
    for (const [register, argument] of given.entries())
      place =
        argument.kind === 'known'
          ? writer.assign(place, register, constant(argument.value))
          : writer.then(place, takeArgument(argument.mailbox, register), taken(register));
    place = writer.clear(place, given.length, at(this.#program.bodies, body).registers.length);
    writeBody(this.#targetOf(thread), frame, place, (end) => {
      const to = thread === 0 ? start : writer.location();
      writer.write(end, to, { kind: 'skip' }, { kind: 'return', task });
    });
  }

  #targetOf(thread: ThreadId): Target {
    const writer = at(this.#writers, thread);
    return {
      writer,
      bodies: this.#program.bodies,
      isFenced: this.#isFenced,
      mostPostings: this.#bounds.postings,
      tooDeep: (chain, body) => this.#tooDeep(chain, body),
      addTask: (frame, body, to, given) => this.#addTask(frame, body, to, given),
      addPass: (of, place) => this.#passing.push({ ...place, thread, of }),
      cut: (from, bound) => {
        const transition = writer.write(from, writer.location(), { kind: 'skip' });
        this.#cuts.push({ thread, transition, bound });
      },
    };
  }
}

function taskFrame(task: TaskNode, body: BodyId, chain: readonly BodyId[]): InlinedInvocation {
  return { task, body, base: 0, chain: [...chain, body], isRepeated: false };
}
