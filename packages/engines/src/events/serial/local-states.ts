import { at } from '@fencewright/ground/base/at.js';
import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import type { BodyId, EventProgram } from '@fencewright/model/program/event-program.js';
import type { TransitionId } from '@fencewright/model/program/ids.js';
import type { Site } from '@fencewright/model/trace/event-run.js';
import type { FaultySite } from '@fencewright/model/events/look-for-faults.js';
import { compileBodies, type CompiledBody, type CompiledTransition } from './compiled-bodies.js';
import { Interner } from './interner.js';

/** A local state of a task, by its number in `LocalStates`. */
export type LocalId = number;

/**
 * A posted task: twice the number of the task's first local state, plus one if the task is for
 * main.
 */
export type Spawn = number;

/**
 * A step of a task without memory access, between two points at which the task waits for memory.
 */
export interface SilentStep {
  readonly site: Site;
  /**
   * The posted task and its arguments, if the step posts a task. `arguments` has all arguments; the
   * local state in `spawn` has only those that some instruction reads.
   */
  readonly posted?: { readonly spawn: Spawn; readonly arguments: readonly number[] };
}

/**
 * The end of a sequence of silent steps. `access`: at a load, store, rmw, `lock` or milestone;
 * `fence`: at a fence; `end`: at the end of the task; `stuck`: the task is blocked, or runs
 * silently for ever.
 */
interface Arrival {
  readonly at: LocalId;
  readonly kind: 'access' | 'fence' | 'end' | 'stuck';
  readonly posts: readonly Spawn[];
  readonly trail: readonly SilentStep[];
}

/**
 * The invocation that a task executes in a local state: its body, and the index in the list of
 * frames at which the invocation starts.
 */
interface TopFrame {
  readonly start: number;
  readonly body: CompiledBody;
  readonly id: BodyId;
}

// A frame is `[body, place, registers...]`; the oldest frame comes first. The place of a frame is a
// location (0 or greater); `before(t)`: before the transition `t`, which is not silent; or
// `behindFence(t)`: between the fence before the posting `t` and the posting.
const before = (transition: TransitionId): number => -1 - 2 * transition;
const behindFence = (transition: TransitionId): number => -2 - 2 * transition;
const transitionAt = (place: number): TransitionId => (-1 - place) >> 1;

/**
 * The maximum number of states that a task may pass between two accesses; a task with more counts
 * as running for ever.
 */
const maxSilentStates = 20_000;

/**
 * The options on which the local states depend: at which instructions sequences of silent steps
 * end, and the limit on invocations and postings.
 */
export interface LocalOptions {
  /** Whether sequences of silent steps end at fences; otherwise a fence is a silent step. */
  readonly fences: boolean;
  /**
   * Whether a task waits for an empty store buffer before posting another task, as if a fence
   * preceded the posting.
   */
  readonly postingFenced: boolean;
  /** The maximum number of invocations in a task, and of tasks posted between two accesses. */
  readonly depth: number;
}

/** The local states of tasks and the silent steps between accesses, computed on demand. */
export class LocalStates {
  readonly bodies: readonly CompiledBody[];
  /** Whether a local state was left out because it exceeds the depth limit. */
  isCut = false;
  /** Whether a task has more states between two accesses than the limit allows. */
  isUnbounded = false;
  /**
   * The first fault found in a run that is possible (`certain`), and the first fault found in a run
   * that may be impossible (`possible`).
   */
  readonly faults: { certain?: FaultySite; possible?: FaultySite } = {};
  /**
   * Whether the local states that callers now ask for belong to a run that is possible; otherwise
   * the run may be impossible.
   */
  isCertain = true;
  readonly #interner = new Interner();
  readonly #arrivals = new Map<LocalId, Arrivals>();
  readonly #options: LocalOptions;

  constructor(program: EventProgram, options: LocalOptions) {
    this.bodies = compileBodies(program);
    this.#options = options;
  }

  get bytes(): number {
    return this.#interner.bytes + 200 * this.#arrivals.size;
  }

  /** Returns the local state of an invocation that has not begun. */
  initial(body: BodyId, values: readonly number[]): LocalId {
    return this.#interner.id(this.#newFrame(body, values));
  }

  #newFrame(id: BodyId, values: readonly number[]): number[] {
    const body = at(this.bodies, id);
    const frame = [id, body.initial];
    for (let r = 0; r < body.registers; r++) frame.push(values[r] ?? 0);
    this.#mask(frame, 0);
    return frame;
  }

  /** Returns the body that a task executes, given the task's first local state. */
  bodyOf(state: LocalId): BodyId {
    return at(this.#interner.list(state), 0);
  }

  /** Returns the bodies of all invocations that are running in a local state. */
  bodiesIn(state: LocalId): readonly BodyId[] {
    const frames = this.#interner.list(state);
    const found: BodyId[] = [];
    for (let start = 0; start < frames.length;) {
      const id = at(frames, start);
      found.push(id);
      start += 2 + at(this.bodies, id).registers;
    }
    return found;
  }

  #mask(frames: number[], start: number): void {
    const body = at(this.bodies, at(frames, start));
    const place = at(frames, start + 1);
    if (place < 0) return;
    const live = at(body.live, place);
    for (let r = 0; r < body.registers; r++) if (!live[r]) frames[start + 2 + r] = 0;
  }

  #top(frames: readonly number[]): TopFrame {
    let start = 0;
    for (;;) {
      const id = at(frames, start);
      const body = at(this.bodies, id);
      const next = start + 2 + body.registers;
      if (next >= frames.length) return { start, body, id };
      start = next;
    }
  }

  /**
   * Moves the topmost invocation, which starts at index `start`, to a location. If the location is
   * an end, returns from the call, and so on for the callers. Changes and returns `frames`.
   */
  #goTo(frames: number[], start: number, location: number): number[] {
    frames[start + 1] = location;
    this.#mask(frames, start);
    let top = this.#top(frames);
    while (top.start > 0 && at(top.body.outgoing, at(frames, top.start + 1)).length === 0) {
      frames.length = top.start;
      top = this.#top(frames);
    }
    return frames;
  }

  #instructionAt(frames: readonly number[], { start, body, id }: TopFrame) {
    const transition = transitionAt(at(frames, start + 1));
    return { ...at(body.transitions, transition), site: { body: id, transition }, start };
  }

  /**
   * Returns the transition of the access or fence at which a task waits, and its place in the text.
   * Also returns the index in `frames` at which the topmost invocation starts.
   */
  waitingFor(state: LocalId): CompiledTransition & { readonly site: Site; readonly start: number } {
    const frames = this.#interner.list(state);
    return this.#instructionAt(frames, this.#top(frames));
  }

  /**
   * Returns the call stack of a task as one list, the outermost invocation first. Each invocation
   * has its body, its location, and its registers. Compiled expressions read registers from this
   * list.
   */
  frames(state: LocalId): readonly number[] {
    return this.#interner.list(state);
  }

  /**
   * Returns the state after the access or fence at which `state` waits; if given, `register` has
   * the value `value`.
   */
  behind(state: LocalId, register?: number, value = 0): LocalId {
    const frames = [...this.#interner.list(state)];
    const { start, to, instruction, site } = this.waitingFor(state);
    if (instruction.kind === 'post') frames[start + 1] = behindFence(site.transition);
    else {
      if (register !== undefined) frames[start + 2 + register] = value;
      this.#goTo(frames, start, to);
    }
    return this.#interner.id(frames);
  }

  /** Records a fault, at which the execution ends. */
  noteFault(error: unknown, site: Site): void {
    this.#note(faultAt(error, site));
  }

  #note(fault: FaultySite): void {
    this.faults[this.isCertain ? 'certain' : 'possible'] ??= fault;
  }

  /** Returns the ends of all sequences of silent steps from a local state. */
  arrivals(state: LocalId): readonly Arrival[] {
    let known = this.#arrivals.get(state);
    if (!known) {
      known = this.#explore(state);
      this.#arrivals.set(state, known);
    }
    if (known.fault) this.#note(known.fault);
    return known.arrivals;
  }

  #explore(from: LocalId): Arrivals {
    let fault: FaultySite | undefined;
    const found = new Map<string, Arrival>();
    const seen = new Map<string, number>();
    const pending: Silent[] = [];
    /**
     * For each state reached by silent steps, the numbers of the states from which one silent step
     * leads to it.
     */
    const sources: number[][] = [];
    /**
     * For each state reached by silent steps, whether silent steps lead from it to an end of the
     * sequence (an `Arrival`).
     */
    const arrives: boolean[] = [];
    const reached: Silent[] = [];
    const add = (silent: Silent, source: number): void => {
      const key = `${silent.state};${silent.posts.join()}`;
      const known = seen.get(key);
      if (known !== undefined) {
        at(sources, known).push(source);
        return;
      }
      seen.set(key, reached.length);
      sources.push(source < 0 ? [] : [source]);
      arrives.push(false);
      reached.push(silent);
      pending.push(silent);
    };
    const arrive = (at: LocalId, kind: Arrival['kind'], { posts, trail }: Silent): void => {
      // The place of a stuck task makes no difference.
      const key = `${kind === 'stuck' ? '' : at};${kind};${posts.join()}`;
      if (!found.has(key)) found.set(key, { at, kind, posts, trail: stepsOf(trail) });
    };
    add({ state: from, posts: [], trail: undefined }, -1);
    for (let next = 0; next < reached.length; next++) {
      if (next >= maxSilentStates) {
        this.isUnbounded = true;
        break;
      }
      const silent = at(reached, next);
      const outcomes = this.#silentSteps(silent);
      fault ??= outcomes.fault;
      arrives[next] = outcomes.arrivals.length > 0;
      for (const { at: where, kind } of outcomes.arrivals) arrive(where, kind, silent);
      for (const step of outcomes.steps) add(step, next);
      // A state whose next states were left out counts as leading to an arrival.
      if (outcomes.isCut) arrives[next] = true;
    }
    const stack = reached.flatMap((_, i) => (arrives[i] ? [i] : []));
    for (let i = stack.pop(); i !== undefined; i = stack.pop())
      for (const source of at(sources, i))
        if (!arrives[source]) {
          arrives[source] = true;
          stack.push(source);
        }
    reached.forEach((silent, i) => {
      if (!arrives[i] && i < maxSilentStates) arrive(silent.state, 'stuck', silent);
    });
    return { arrivals: [...found.values()], ...(fault && { fault }) };
  }

  /**
   * Returns the states after one silent step from a state. If a sequence of silent steps may end at
   * the state itself, also returns this end.
   */
  #silentSteps({ state, posts, trail }: Silent): SilentOutcomes {
    const frames = this.#interner.list(state);
    const top = this.#top(frames);
    const place = at(frames, top.start + 1);
    const outcomes: SilentOutcomes = { arrivals: [], steps: [], isCut: false };
    const leaving = place >= 0 ? at(top.body.outgoing, place) : [transitionAt(place)];
    if (place >= 0 && leaving.length === 0) outcomes.arrivals.push({ at: state, kind: 'end' });
    for (const transition of leaving) {
      const site = { body: top.id, transition };
      try {
        for (const next of this.#stepBy(frames, top, transition)) {
          if (next.kind === 'cut') outcomes.isCut = this.isCut = true;
          else if (next.kind !== 'silent') outcomes.arrivals.push(next);
          else if (posts.length >= this.#options.depth && next.posted !== undefined)
            outcomes.isCut = this.isCut = true;
          else
            outcomes.steps.push({
              state: next.at,
              posts: next.posted === undefined ? posts : [...posts, next.posted.spawn],
              trail: {
                step: { site, ...(next.posted !== undefined && { posted: next.posted }) },
                earlier: trail,
              },
            });
        }
      } catch (error) {
        outcomes.fault ??= faultAt(error, site);
      }
    }
    if (outcomes.steps.length === 0 && outcomes.arrivals.length === 0 && !outcomes.isCut)
      outcomes.arrivals.push({ at: state, kind: 'stuck' });
    return outcomes;
  }

  #stepBy(frames: readonly number[], top: TopFrame, id: TransitionId): readonly FollowingStep[] {
    const { start, body } = top;
    const { to, instruction } = at(body.transitions, id);
    const place = at(frames, start + 1);
    const registers = start + 2;
    const silent = (next: number[], posted?: SilentStep['posted']): FollowingStep => ({
      kind: 'silent',
      at: this.#interner.id(this.#goTo(next, start, to)),
      ...(posted !== undefined && { posted }),
    });
    const arrived = (kind: 'access' | 'fence'): FollowingStep => {
      const next = [...frames];
      // The values of registers dead at the location are already masked.
      next[start + 1] = before(id);
      return { kind, at: this.#interner.id(next) };
    };
    switch (instruction.kind) {
      case 'load':
      case 'store':
      case 'rmw':
      case 'lock':
      case 'unlock':
      case 'pass':
        return [arrived('access')];
      case 'fence':
        return this.#options.fences ? [arrived('fence')] : [silent([...frames])];
      case 'skip':
        return [silent([...frames])];
      case 'assume':
        return instruction.condition(frames, registers) === 0 ? [] : [silent([...frames])];
      case 'assign': {
        const next = [...frames];
        next[registers + instruction.into] = instruction.value(frames, registers);
        return [silent(next)];
      }
      case 'havoc':
        return this.#havoc(frames, registers, instruction).map((next) => silent(next));
      case 'post': {
        const { fences, postingFenced } = this.#options;
        if (fences && postingFenced && place !== behindFence(id)) return [arrived('fence')];
        const values = instruction.arguments.map((value) => value(frames, registers));
        const task = this.initial(instruction.body, values);
        const spawn = 2 * task + (instruction.isMain ? 1 : 0);
        return [silent([...frames], { spawn, arguments: values })];
      }
      case 'call': {
        const values = instruction.arguments.map((value) => value(frames, registers));
        return [this.#call([...frames], start, to, this.#newFrame(instruction.body, values))];
      }
    }
  }

  #call(frames: number[], start: number, to: number, callee: number[]): FollowingStep {
    frames[start + 1] = to;
    this.#mask(frames, start);
    // After a call in last position, the callee's frame replaces the caller's frame.
    if (at(at(this.bodies, at(frames, start)).outgoing, to).length === 0) frames.length = start;
    frames.push(...callee);
    const top = this.#top(frames);
    const next = this.#goTo(frames, top.start, at(frames, top.start + 1));
    if (this.#invocations(next) > this.#options.depth) return { kind: 'cut' };
    return { kind: 'silent', at: this.#interner.id(next) };
  }

  #invocations(frames: readonly number[]): number {
    let count = 0;
    for (let start = 0; start < frames.length; count++)
      start += 2 + at(this.bodies, at(frames, start)).registers;
    return count;
  }

  #havoc(
    frames: readonly number[],
    registers: number,
    { into, range, where }: CompiledTransition['instruction'] & { readonly kind: 'havoc' },
  ): number[][] {
    if (!range) throw new ExecutionFault('unbounded-choice');
    const found: number[][] = [];
    if (range.high - range.low >= maxSilentStates) {
      this.isUnbounded = true;
      return found;
    }
    for (let value = range.low; value <= range.high; value++) {
      const next = [...frames];
      next[registers + into] = value;
      if (!where || where(next, registers) !== 0) found.push(next);
    }
    return found;
  }
}

/**
 * The arrivals of a task by silent steps (steps without memory access), and the first fault among
 * these steps.
 */
interface Arrivals {
  readonly arrivals: readonly Arrival[];
  readonly fault?: FaultySite;
}

/** Converts a fault of an execution to a faulty site; rethrows every other error. */
function faultAt(error: unknown, site: Site): FaultySite {
  if (!(error instanceof ExecutionFault)) throw error;
  return { fault: error.kind, site };
}

interface Silent {
  readonly state: LocalId;
  readonly posts: readonly Spawn[];
  readonly trail: Trail | undefined;
}

/**
 * Silent steps as a linked list, the last step first. Loops make many steps, and most lists are
 * never read, so the steps are not copied.
 */
interface Trail {
  readonly step: SilentStep;
  readonly earlier: Trail | undefined;
}

function stepsOf(trail: Trail | undefined): readonly SilentStep[] {
  const steps: SilentStep[] = [];
  for (let last = trail; last; last = last.earlier) steps.push(last.step);
  return steps.reverse();
}

interface SilentOutcomes {
  readonly arrivals: { readonly at: LocalId; readonly kind: Arrival['kind'] }[];
  readonly steps: Silent[];
  isCut: boolean;
  fault?: FaultySite;
}

type FollowingStep =
  | { readonly kind: 'silent'; readonly at: LocalId; readonly posted?: SilentStep['posted'] }
  | { readonly kind: 'access' | 'fence'; readonly at: LocalId }
  | { readonly kind: 'cut' };
