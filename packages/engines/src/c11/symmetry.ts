import { at } from '@fencewright/ground/base/at.js';
import { isSame } from '@fencewright/model/program/expression.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import type { C11Code, C11Step } from './c11-steps.js';
import type { MonitorLayout } from './monitor-layout.js';
import type { MonitorEvent } from './monitor-steps.js';

/**
 * Returns the code of a thread without names, as an object. The objects of threads with equal code
 * are equal. A copy's own number stands in the code as a constant.
 */
function codeOf({ initial, registers, locations, transitions }: Thread): object {
  return {
    ...{ initial, registers: registers.length, locations: locations.length },
    transitions: transitions.map(({ from, to, instruction, origin: { access } }) => {
      return { from, to, instruction, ...(access && { access }) };
    }),
  };
}

/** Returns the groups of threads with equal code, of at least two threads. */
function groupsOf({ threads }: Program): readonly (readonly ThreadId[])[] {
  const groups: { readonly code: object; readonly members: ThreadId[] }[] = [];
  for (const [thread, one] of threads.entries()) {
    const code = codeOf(one);
    const known = groups.find((group) => isSame(group.code, code));
    if (known) known.members.push(thread);
    else groups.push({ code, members: [thread] });
  }
  return groups.map(({ members }) => members).filter(({ length }) => length > 1);
}

/** A range of words of a state, as offset and length. */
type Block = readonly [number, number];

/**
 * Returns the words of a state about the thread alone: location, registers and knowledge of the
 * thread.
 */
function blocksOf(program: Program, layout: MonitorLayout, thread: ThreadId): readonly Block[] {
  const views = [layout.current, layout.acquired, layout.released];
  const { races } = layout;
  const sets = races ? [races.current, races.acquired, races.released] : [];
  const { observed } = layout;
  return [
    [at(layout.location, thread), 1],
    [at(layout.registers, thread), program.threads[thread]!.registers.length],
    [layout.knows + thread, 1],
    ...views.flatMap((parts) => at(parts, thread).map((view): Block => [view, layout.view])),
    ...sets.map((set): Block => [at(set, thread), races!.length]),
    ...(observed ? [[at(observed.threads, thread), layout.cells] as const] : []),
  ];
}

/**
 * The symmetry of a program: exchanging two threads with equal code changes no behaviour. So one
 * state represents all states that differ only by exchanges of threads with equal code.
 */
export class ThreadSymmetry {
  readonly #code: C11Code;
  readonly #layout: MonitorLayout;
  readonly #groups: readonly (readonly ThreadId[])[];
  readonly #blocks: readonly (readonly Block[])[];

  constructor(code: C11Code, layout: MonitorLayout) {
    const { program } = code;
    this.#code = code;
    this.#layout = layout;
    this.#groups = groupsOf(program);
    this.#blocks = program.threads.map((_, thread) => blocksOf(program, layout, thread));
  }

  /** Whether no two threads are interchangeable. */
  get isTrivial(): boolean {
    return this.#groups.length === 0;
  }

  /** Whether exchanging the two threads changes no behaviour. */
  areAlike(one: ThreadId, other: ThreadId): boolean {
    return one === other || this.#groups.some((all) => all.includes(one) && all.includes(other));
  }

  /**
   * Sorts the threads with equal code in a state, first by `rankOf`, and then by the words of the
   * state that describe the thread. The rank of a thread stands for facts about the thread that the
   * state does not contain. Returns, for each thread, the thread to which its words belonged
   * before; `undefined` if the state was sorted already. In a state of `observe`, the set of
   * threads that may have noticed an old read has to be empty.
   */
  sort(
    state: Int32Array,
    rankOf: (thread: ThreadId) => number = () => 0,
  ): readonly ThreadId[] | undefined {
    let moved: ThreadId[] | undefined;
    for (const group of this.#groups) {
      const sorted = group.toSorted(
        (one, other) => rankOf(one) - rankOf(other) || this.#compare(state, one, other),
      );
      if (sorted.every((thread, place) => thread === group[place])) continue;
      moved ??= this.#blocks.map((_, thread) => thread);
      for (const [place, thread] of sorted.entries()) moved[at(group, place)] = thread;
    }
    if (moved) this.#move(state, moved);
    return moved;
  }

  #compare(state: Int32Array, one: ThreadId, other: ThreadId): number {
    const others = at(this.#blocks, other);
    for (const [i, [offset, length]] of at(this.#blocks, one).entries()) {
      const [second] = at(others, i);
      for (let word = 0; word < length; word++) {
        const difference = state[offset + word]! - state[second + word]!;
        if (difference !== 0) return difference;
      }
    }
    return one - other;
  }

  #move(state: Int32Array, moved: readonly ThreadId[]): void {
    const before = state.slice();
    for (const [place, thread] of moved.entries())
      for (const [i, [offset, length]] of at(this.#blocks, place).entries()) {
        const [from] = at(at(this.#blocks, thread), i);
        state.set(before.subarray(from, from + length), offset);
      }
    const { races, threads } = this.#layout;
    if (!races) return;
    // A set of unknown accesses has two bits for each thread: its loads and its stores.
    for (let word = races.start; word < races.end; word++) {
      const old = state[word]!;
      let set = old;
      for (const [place, thread] of moved.entries())
        for (const half of [0, threads]) {
          set &= ~(1 << (half + place));
          set |= ((old >> (half + thread)) & 1) << (half + place);
        }
      state[word] = set;
    }
  }

  /** Returns the step of `thread` that corresponds to a step of `of`, a thread with equal code. */
  stepOf(step: C11Step, of: ThreadId, thread: ThreadId): C11Step {
    const steps = at(this.#code.steps, of);
    const location = steps.findIndex((list) => list.includes(step));
    return at(at(at(this.#code.steps, thread), location), at(steps, location).indexOf(step));
  }

  /**
   * Returns the event of a sorted state as an event of the execution. `standing` gives, for each
   * thread of the sorted state, the thread of the execution that it represents.
   */
  renamed<E extends MonitorEvent>(event: E, standing: readonly ThreadId[]): E {
    const thread = at(standing, event.thread);
    return { ...event, thread, step: this.stepOf(event.step, event.thread, thread) };
  }
}
