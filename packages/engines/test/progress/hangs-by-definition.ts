import { constantValue } from '@fencewright/model/program/evaluate.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import { initialState, successors } from '@fencewright/model/semantics/machine.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';

/**
 * The threads that wait for ever, by the definition: on explicit state graphs of the machine, in
 * which a lock block is one step, possible only if the whole block can be executed.
 */
export interface JudgedHangs {
  /** For each thread, whether the thread waits for ever in some execution under SC. */
  readonly sc: readonly boolean[];
  readonly tso: readonly boolean[];
  /**
   * For each bottom component (a set of states that no step leaves), a text that tells which
   * threads end, wait, or go on. `scVectors` is about the states that SC reaches, `tsoVectors`
   * about the states with empty buffers that TSO reaches.
   */
  readonly scVectors: ReadonlySet<string>;
  readonly tsoVectors: ReadonlySet<string>;
  /**
   * The bottom components (sets of states that no step leaves) under SC, each with the threads that
   * change memory for ever.
   */
  readonly scBottoms: readonly { readonly vector: string; readonly working: readonly number[] }[];
  /**
   * The visible part of each state in a bottom component (a set of states that no step leaves) in
   * which memory never changes: memory, the registers of ended threads, and the threads that have
   * not ended.
   */
  readonly scRests: ReadonlySet<string>;
  readonly tsoRests: ReadonlySet<string>;
  /** Whether the reachable states with empty buffers differ between SC and TSO. */
  readonly differs: boolean;
  readonly states: number;
  /** The number of steps that depend on chance, and on which progress must not rely. */
  readonly luck: number;
  /** The number of TSO states in which the process, but not every thread, has ended. */
  readonly early: number;
}

interface Edge {
  readonly thread: number;
  readonly to: number;
  readonly changes: boolean;
  /** Whether the step to the next state changes memory. */
  readonly works: boolean;
}

/**
 * A step of a thread in the graph of states. `byLuck` tells whether the step is by chance. A step
 * by chance is ignored if another step leads to the same state.
 */
interface Taken {
  readonly thread: number;
  readonly after: MachineState;
  readonly byLuck: boolean;
}

interface Graph {
  readonly states: readonly MachineState[];
  /**
   * The edges of the graph, without the steps by chance. Steps by chance only make further states
   * reachable.
   */
  readonly edges: readonly (readonly Edge[])[];
  readonly luck: number;
}

/** Thrown if executions need larger buffers, or reach more states, than allowed. */
class TooLarge extends Error {}

function keyOf({ locations, registers, memory, buffers }: MachineState): string {
  const cells = [...memory].filter(([, value]) => value !== 0).sort(([a], [b]) => a - b);
  const waiting = buffers.map((buffer) => buffer.map(({ address, value }) => [address, value]));
  return JSON.stringify([locations, registers, cells, waiting]);
}

function memoryKey({ memory }: MachineState): string {
  return JSON.stringify([...memory].filter(([, value]) => value !== 0).sort(([a], [b]) => a - b));
}

/**
 * Returns the address of an access, a constant in the judged programs; `undefined` for other
 * instructions.
 */
function addressOf({ symbols }: Program, instruction: Instruction): number | undefined {
  if (!('address' in instruction)) return undefined;
  const address = constantValue(instruction.address, symbols);
  if (address === undefined) throw new Error('the judge takes programs with known addresses only');
  return address;
}

class Judge {
  readonly #program: Program;
  readonly #code;
  readonly #room: number;
  readonly #mostStates: number;
  /** For each thread, the cells whose changes count as its progress. */
  readonly #counted: readonly ReadonlySet<number>[];

  constructor(program: Program, room: number, mostStates: number) {
    this.#program = program;
    this.#code = compileProgram(program);
    this.#room = room;
    this.#mostStates = mostStates;
    const accessed = program.threads.map(
      ({ transitions }) =>
        new Set(transitions.flatMap(({ instruction }) => addressOf(program, instruction) ?? [])),
    );
    const stored = program.threads.map(({ transitions }) => {
      const stores = transitions.filter(({ instruction: { kind } }) => /^(store|rmw)$/.test(kind));
      return new Set(stores.flatMap(({ instruction }) => addressOf(program, instruction) ?? []));
    });
    this.#counted = program.threads.map((_, t) => {
      const isShared = (cell: number): boolean =>
        accessed.some((cells, other) => other !== t && cells.has(cell));
      const shared = [...stored[t]!].filter(isShared);
      return new Set(shared.length > 0 ? shared : stored[t]!);
    });
  }

  judge(): JudgedHangs | undefined {
    try {
      const start = initialState(this.#program);
      const sc = this.#graph('SC', [start]);
      const tso = this.#graph('TSO', [start]);
      const drained = tso.states.filter(({ buffers }) => buffers.every(({ length }) => !length));
      const further = this.#graph('SC', drained);
      const threads = this.#program.threads.map((_, t) => t);
      return {
        sc: threads.map((t) => this.#getsOn(sc, t).includes(false)),
        tso: threads.map((t) => this.#getsOn(further, t).slice(0, drained.length).includes(false)),
        scVectors: this.#vectors(sc),
        scBottoms: this.#bottoms(sc).map((bottom) => ({
          vector: this.#vector(sc.states, sc.edges, bottom),
          working: threads.filter((t) =>
            [...bottom].some((i) => sc.edges[i]!.some((edge) => edge.thread === t && edge.works)),
          ),
        })),
        tsoVectors: this.#vectors(further),
        scRests: this.#rests(sc),
        tsoRests: this.#rests(further),
        differs: drained.length > sc.states.length,
        states: tso.states.length,
        luck: tso.luck,
        early: tso.states.filter((state) => this.#isOver(state) && !this.#areAtEnds(state)).length,
      };
    } catch (error) {
      if (error instanceof TooLarge) return undefined;
      throw error;
    }
  }

  #graph(model: MemoryModel, starts: readonly MachineState[]): Graph {
    const known = new Map<string, number>();
    const states: MachineState[] = [];
    const numberOf = (state: MachineState): number => {
      const key = keyOf(state);
      const old = known.get(key);
      if (old !== undefined) return old;
      if (states.length >= this.#mostStates) throw new TooLarge();
      known.set(key, states.length);
      return states.push(state) - 1;
    };
    starts.forEach(numberOf);
    const edges: Edge[][] = [];
    let luck = 0;
    for (let i = 0; i < states.length; i++) {
      const state = states[i]!;
      edges.push(
        this.#steps(model, state).flatMap(({ thread, after, byLuck }) => {
          const to = numberOf(after);
          if (byLuck) luck++;
          const changes = this.#isChanged(thread, state, after);
          const works = memoryKey(state) !== memoryKey(after);
          return byLuck ? [] : [{ thread, to, changes, works }];
        }),
      );
    }
    return { states, edges, luck };
  }

  #isChanged(thread: number, before: MachineState, after: MachineState): boolean {
    return [...this.#counted[thread]!].some(
      (cell) => (before.memory.get(cell) ?? 0) !== (after.memory.get(cell) ?? 0),
    );
  }

  /**
   * Returns the steps of the machine from a state with no thread within a lock block; a lock block
   * is one step.
   */
  #steps(model: MemoryModel, state: MachineState) {
    const taken: Taken[] = [];
    // A thread that ends the process at once then holds the bus lock.
    if (state.lockHolder !== undefined) return taken;
    const keyWith = ({ after, byLuck }: Taken): string => `${byLuck} ${keyOf(after)}`;
    for (const first of this.#single(model, state)) {
      if (first.after.lockHolder === undefined || this.#isOver(first.after)) {
        taken.push(first);
        continue;
      }
      const inside = new Map([[keyWith(first), first]]);
      for (const one of inside.values())
        for (const next of this.#single(model, one.after)) {
          if (next.thread !== first.thread) continue;
          const step = { ...next, byLuck: one.byLuck || next.byLuck };
          if (next.after.lockHolder === undefined || this.#isOver(next.after)) taken.push(step);
          else if (!inside.has(keyWith(step))) inside.set(keyWith(step), step);
          if (inside.size > this.#mostStates) throw new TooLarge();
        }
    }
    return taken;
  }

  #single(model: MemoryModel, state: MachineState): readonly Taken[] {
    const room = model === 'TSO' ? this.#room : undefined;
    const { steps, faults, isCut } = successors(model, this.#code, state, room);
    if (isCut || faults.length > 0) throw new TooLarge();
    return steps.map(({ actions, state: after }) => {
      const { thread } = actions[0]!;
      const byLuck = actions.some(
        ({ kind, transition }) =>
          kind !== 'store' &&
          this.#program.threads[thread]!.transitions[transition]!.luck === 'chance',
      );
      return { thread, after, byLuck };
    });
  }

  #leaving(t: number, at: number) {
    return this.#program.threads[t]!.transitions.filter(({ from }) => from === at);
  }

  #hasEnded(t: number, { locations }: MachineState): boolean {
    return this.#leaving(t, locations[t]!).length === 0;
  }

  #areAtEnds(state: MachineState): boolean {
    return this.#program.threads.every((_, t) => this.#hasEnded(t, state));
  }

  /** Whether the process has ended in the state. */
  #isOver(state: MachineState): boolean {
    return (this.#program.processEnds ?? []).some(({ at, awaits }) => {
      if (at && state.locations[at.thread] !== at.location) return false;
      return awaits.every(({ thread }) => this.#hasEnded(thread, state));
    });
  }

  #serves(t: number): boolean {
    const places = [this.#program.threads[t]!.initial];
    for (const at of places)
      for (const { to } of this.#leaving(t, at)) if (!places.includes(to)) places.push(to);
    return places.every((at) => this.#leaving(t, at).length > 0);
  }

  /**
   * Returns, for each state, whether the thread can make progress in some execution from the state
   * on.
   */
  #getsOn({ states, edges }: Graph, t: number): readonly boolean[] {
    const serves = this.#serves(t);
    const good = states.map((state, i) =>
      this.#isOver(state)
        ? true
        : serves
          ? edges[i]!.some(({ thread, changes }) => thread === t && changes)
          : this.#hasEnded(t, state),
    );
    const before: number[][] = states.map(() => []);
    edges.forEach((leaving, i) => leaving.forEach(({ to }) => before[to]!.push(i)));
    const open = good.flatMap((is, i) => (is ? [i] : []));
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const earlier of before[at]!)
        if (!good[earlier]) {
          good[earlier] = true;
          open.push(earlier);
        }
    return good;
  }

  /** Returns, for each bottom component, which threads end, wait, or go on. */
  #vectors(graph: Graph): ReadonlySet<string> {
    const { states, edges } = graph;
    return new Set(this.#bottoms(graph).map((bottom) => this.#vector(states, edges, bottom)));
  }

  #rests(graph: Graph): ReadonlySet<string> {
    const { states, edges } = graph;
    const rests = this.#bottoms(graph).filter(
      (bottom) => !this.#vector(states, edges, bottom).includes('endless'),
    );
    return new Set(
      rests.map((bottom) => {
        const seen = [...bottom].map((at) => JSON.stringify(this.#seen(states[at]!)));
        return [...new Set(seen)].sort().join('\n');
      }),
    );
  }

  #seen(state: MachineState): unknown {
    const { registers, memory } = state;
    const cells = [...memory].filter(([, value]) => value !== 0).sort(([a], [b]) => a - b);
    const ends = this.#program.threads.map((thread, t) => {
      if (!this.#hasEnded(t, state)) return 'waits';
      return registers[t]!.filter((_, register) => !thread.registers[register]!.hidden);
    });
    return [cells, ends];
  }

  /**
   * Returns the bottom components (sets of states that no step leaves), by Kosaraju's two passes.
   */
  #bottoms({ states, edges }: Graph): readonly ReadonlySet<number>[] {
    const finished: number[] = [];
    const isSeen = new Set<number>();
    states.forEach((_, root) => {
      const stack: { readonly at: number; taken: number }[] = [];
      const enter = (at: number): void => {
        if (!isSeen.has(at)) stack.push({ at, taken: 0 });
        isSeen.add(at);
      };
      enter(root);
      for (let top = stack.at(-1); top; top = stack.at(-1)) {
        const edge = edges[top.at]![top.taken++];
        if (edge) enter(edge.to);
        else finished.push(stack.pop()!.at);
      }
    });
    const before: number[][] = states.map(() => []);
    edges.forEach((leaving, i) => leaving.forEach(({ to }) => before[to]!.push(i)));
    const componentOf = new Map<number, ReadonlySet<number>>();
    const components: ReadonlySet<number>[] = [];
    for (const root of finished.reverse()) {
      if (componentOf.has(root)) continue;
      const component = new Set([root]);
      for (const at of component)
        for (const earlier of before[at]!) if (!componentOf.has(earlier)) component.add(earlier);
      for (const at of component) componentOf.set(at, component);
      components.push(component);
    }
    return components.filter((component) =>
      [...component].every((at) => edges[at]!.every(({ to }) => component.has(to))),
    );
  }

  #vector(
    states: readonly MachineState[],
    edges: Graph['edges'],
    component: ReadonlySet<number>,
  ): string {
    const members = [...component];
    const way = (t: number): string => {
      if (members.every((i) => this.#isOver(states[i]!) || this.#hasEnded(t, states[i]!)))
        return 'ended';
      const own = members.map((i) => edges[i]!.filter(({ thread }) => thread === t));
      if (own.some((steps) => steps.some(({ changes }) => changes))) return 'endless';
      const places = members.flatMap((i, m) => {
        const at = states[i]!.locations[t]!;
        const kinds = this.#leaving(t, at).map(({ instruction: { kind } }) => kind);
        const accesses = kinds.some((kind) => /^(load|store|rmw|lock)$/.test(kind));
        return accesses || own[m]!.length === 0 ? [at] : [];
      });
      if (places.length === 0) return 'busy';
      return `waits ${[...new Set(places)].sort((a, b) => a - b).join()}`;
    };
    return this.#program.threads.map((_, t) => way(t)).join('; ');
  }
}

/**
 * Returns the threads that wait for ever, with buffers of at most `room` stores; `undefined` if
 * executions need larger buffers, fault, or reach more than `mostStates` states.
 */
export function hangsByDefinition(
  program: Program,
  room: number,
  mostStates: number,
): JudgedHangs | undefined {
  return new Judge(program, room, mostStates).judge();
}

/**
 * Whether the program can come to rest under TSO in a way in which it never does under SC. With
 * `ended`, only ways count in which all threads have ended.
 */
export function hasNewRest({ scRests, tsoRests }: JudgedHangs, ended: boolean): boolean {
  return [...tsoRests].some((rest) => !scRests.has(rest) && !(ended && rest.includes('"waits"')));
}

/** Whether threads wait under TSO in a combination, or at locations, that never occurs under SC. */
export function hasNewVector({ scVectors, tsoVectors }: JudgedHangs): boolean {
  const split = (vector: string): readonly string[] => vector.split('; ');
  return [...tsoVectors].some((vector) => {
    const waits = split(vector).map((way) => (/^(waits|busy)/.test(way) ? way : undefined));
    if (waits.every((way) => way === undefined)) return false;
    return ![...scVectors].some((other) =>
      waits.every((way, t) => way === undefined || split(other)[t] === way),
    );
  });
}
