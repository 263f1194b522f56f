import { at } from '@fencewright/ground/base/at.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import {
  type Body,
  type BodyId,
  type EventInstruction,
  type EventCall,
  isOfThreads,
} from './event-program.js';
import { constant, type Expression, registerValue } from './expression.js';
import type { LocationId, RegisterId } from './ids.js';
import type { Instruction } from './instruction.js';
import type { Location, Register, Thread, Transition } from './program.js';
import { mapInstruction, substituteRegisters } from './rewrite.js';

/**
 * The place where a location or a transition of an inlined thread was written: in the thread itself
 * or in a procedure.
 */
export interface Written {
  /** The procedure that contains the location or transition; absent for the thread itself. */
  readonly body?: BodyId;
  /** The id of the location or transition in the text: in the procedure, or else in the thread. */
  readonly id: number;
}

/** A thread with all calls inlined, and the origin of its locations and transitions. */
export interface InlinedThread {
  /** The inlined thread; the locations of the original thread keep their ids. */
  readonly thread: Thread;
  /**
   * The written location from which each location comes, indexed by `LocationId`; `undefined` at
   * locations added for passing arguments.
   */
  readonly locations: readonly (Written | undefined)[];
  /**
   * The written transition from which each transition comes, indexed by `TransitionId`: for the
   * first step of a call, the call; `undefined` for further steps that pass arguments.
   */
  readonly transitions: readonly (Written | undefined)[];
}

/**
 * Returns the thread with each call replaced by a copy of the procedure. Registers of the procedure
 * become hidden registers, first set to the arguments or to 0. Calls must not be recursive
 * (`findRecursion`), so all calls of a procedure can share one set of registers.
 */
export function inlineCalls(
  thread: Thread<EventInstruction>,
  bodies: readonly Body[],
): InlinedThread {
  return new Inliner(thread, bodies).run(thread);
}

/** An upper bound on the number of transitions of the thread returned by `inlineCalls`. */
export function inlinedSize(
  { transitions }: Thread<EventInstruction>,
  bodies: readonly Body[],
): number {
  const known = new Map<BodyId, number>();
  const sizeOf = (steps: Body['transitions']): number =>
    steps.reduce((sum, { instruction }) => {
      if (instruction.kind !== 'call') return sum + 1;
      const { transitions: inner, registers } = at(bodies, instruction.body);
      const size = known.get(instruction.body) ?? sizeOf(inner) + registers.length + 1;
      known.set(instruction.body, size);
      return sum + size;
    }, 0);
  return sizeOf(transitions);
}

/**
 * Finds recursion: for each group of mutually recursive procedures one cycle of calls, starting at
 * the first procedure of the group.
 */
export function findRecursion(
  bodies: readonly Body[],
): readonly (readonly { readonly caller: BodyId; readonly transition: Transition<EventCall> }[])[] {
  return bodies.flatMap((_, start) => {
    const cameFrom = new Map<BodyId, CallSite>();
    const queue = [start];
    for (const caller of queue)
      for (const transition of callsIn(at(bodies, caller))) {
        const callee = transition.instruction.body;
        if (callee < start || cameFrom.has(callee)) continue;
        cameFrom.set(callee, { caller, transition });
        if (callee === start) return [callsOnCycle(start, cameFrom)];
        queue.push(callee);
      }
    return [];
  });
}

interface CallSite {
  readonly caller: BodyId;
  readonly transition: Transition<EventCall>;
}

function callsOnCycle(start: BodyId, cameFrom: ReadonlyMap<BodyId, CallSite>): readonly CallSite[] {
  const sites: CallSite[] = [];
  for (
    let at = cameFrom.get(start);
    at;
    at = at.caller === start ? undefined : cameFrom.get(at.caller)
  )
    sites.unshift(at);
  return sites;
}

function callsIn({ transitions }: Body): readonly Transition<EventCall>[] {
  return transitions.flatMap(({ instruction, ...rest }) =>
    instruction.kind === 'call' ? [{ ...rest, instruction }] : [],
  );
}

/**
 * The numbers that the locations and registers of a thread or procedure get in the inlined thread.
 */
interface Relocation {
  readonly body?: BodyId;
  readonly location: (id: LocationId) => LocationId;
  /** The number to add to each register of the procedure for its place in the inlined thread. */
  readonly base: RegisterId;
}

class Inliner {
  readonly #bodies: readonly Body[];
  readonly #names: UniqueNames;
  readonly #registers: Register[];
  readonly #locations: Location[];
  readonly #transitions: Transition[] = [];
  readonly #writtenLocations: (Written | undefined)[];
  readonly #writtenTransitions: (Written | undefined)[] = [];
  readonly #bases = new Map<BodyId, RegisterId>();

  constructor({ registers, locations }: Thread<EventInstruction>, bodies: readonly Body[]) {
    this.#bodies = bodies;
    this.#registers = [...registers];
    this.#locations = [...locations];
    this.#writtenLocations = locations.map((_, id) => ({ id }));
    const names = locations.map(({ name }) => name);
    this.#names = new UniqueNames(names, { suffix: (n) => `'${n}` });
  }

  run(thread: Thread<EventInstruction>): InlinedThread {
    const frame: Relocation = { location: (id) => id, base: 0 };
    thread.transitions.forEach((transition, id) => this.#copy(transition, id, frame));
    return {
      thread: {
        ...thread,
        registers: this.#registers,
        locations: this.#locations,
        transitions: this.#transitions,
      },
      locations: this.#writtenLocations,
      transitions: this.#writtenTransitions,
    };
  }

  #copy(
    { instruction, from, to, ...rest }: Transition<EventInstruction>,
    id: number,
    frame: Relocation,
  ): void {
    const ends = { from: frame.location(from), to: frame.location(to) };
    const written: Written = { ...(frame.body !== undefined && { body: frame.body }), id };
    if (isOfThreads(instruction))
      this.#emit({ ...rest, ...ends, instruction: shifted(instruction, frame.base) }, written);
    else if (instruction.kind === 'call')
      this.#call({ ...rest, ...ends, instruction }, written, frame.base);
  }

  #call(
    { instruction, from, to, origin, ...marks }: Transition<EventCall>,
    written: Written,
    base: RegisterId,
  ): void {
    const id = instruction.body;
    const body = at(this.#bodies, id);
    const own = this.#registersOf(id, body);
    const left = new Set(body.transitions.map((transition) => transition.from));
    const ids = body.locations.map((location, local) =>
      left.has(local) ? this.#enter(location, body, { body: id, id: local }) : to,
    );
    const values = instruction.arguments.map((value) => shiftedValue(value, base));
    const given = body.registers.flatMap(({ hidden }, register): Instruction[] =>
      hidden
        ? []
        : [{ kind: 'assign', into: own + register, value: values[register] ?? constant(0) }],
    );
    const steps: readonly Instruction[] = given.length > 0 ? given : [{ kind: 'skip' }];
    let here = from;
    steps.forEach((step, i) => {
      const next = i === steps.length - 1 ? at(ids, body.initial) : this.#between(origin);
      const first = i === 0;
      this.#emit(
        { from: here, to: next, instruction: step, origin, ...(first && marks) },
        first ? written : undefined,
      );
      here = next;
    });
    const frame: Relocation = { body: id, location: (local) => at(ids, local), base: own };
    body.transitions.forEach((transition, local) => this.#copy(transition, local, frame));
  }

  #emit(transition: Transition, written: Written | undefined): void {
    this.#transitions.push(transition);
    this.#writtenTransitions.push(written);
  }

  #enter({ name, hidden, span }: Location, body: Body, written: Written): LocationId {
    const wanted = hidden ? name : `${body.name}.${name}`;
    return this.#location({ name: wanted, hidden: true, ...(span && { span }) }, written);
  }

  /** Returns a new location between two steps that pass arguments. */
  #between({ span }: Transition['origin']): LocationId {
    const name = `L${(span?.start.line ?? 0) + 1}`;
    return this.#location({ name, hidden: true, ...(span && { span }) }, undefined);
  }

  #location(location: Location, written: Written | undefined): LocationId {
    this.#writtenLocations.push(written);
    return this.#locations.push({ ...location, name: this.#names.fresh(location.name) }) - 1;
  }

  #registersOf(id: BodyId, { name: owner, registers }: Body): RegisterId {
    const known = this.#bases.get(id);
    if (known !== undefined) return known;
    const base = this.#registers.length;
    this.#bases.set(id, base);
    this.#registers.push(
      ...registers.map(({ name }) => ({ name: `${owner}.${name}`, hidden: true })),
    );
    return base;
  }
}

function shifted(instruction: Instruction, base: RegisterId): Instruction {
  if (base === 0) return instruction;
  const moved = mapInstruction(instruction, (value) => shiftedValue(value, base));
  return 'into' in moved && moved.into !== undefined
    ? { ...moved, into: moved.into + base }
    : moved;
}

/**
 * Returns the expression with `base` added to the registers of a procedure. Registers of the thread
 * itself, and `self`, do not change.
 */
function shiftedValue(value: Expression, base: RegisterId): Expression {
  return base === 0
    ? value
    : substituteRegisters(value, (register) => registerValue(register + base));
}
