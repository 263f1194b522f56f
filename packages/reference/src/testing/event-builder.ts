import type {
  Body,
  BodyId,
  EventInstruction,
  EventProgram,
} from '@fencewright/model/program/event-program.js';
import {
  binary,
  constant,
  negate,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { Location, Transition } from '@fencewright/model/program/program.js';
import type { RmwName } from '@fencewright/model/program/rmw.js';

/** The statements from which tests build events and procedures. */
export type EventStatement =
  | EventInstruction
  | {
      readonly kind: 'if';
      readonly condition: Expression;
      readonly then: readonly EventStatement[];
      readonly otherwise: readonly EventStatement[];
    }
  | { readonly kind: 'choose'; readonly branches: readonly (readonly EventStatement[])[] }
  | {
      readonly kind: 'while';
      readonly condition: Expression;
      readonly inside: readonly EventStatement[];
    }
  /** Statements between `lock` and `unlock`. */
  | { readonly kind: 'atomic'; readonly inside: readonly EventStatement[] }
  | { readonly kind: 'return' };

/** A number, or a register by its name: `r0`, `r1`, ... */
export type Operand = number | `r${number}`;

function operand(value: Operand | Expression): Expression {
  if (typeof value === 'number') return constant(value);
  return typeof value === 'string' ? registerValue(register(value)) : value;
}

function register(name: `r${number}`): number {
  return Number(name.slice(1));
}

/**
 * Functions that make instructions, in the words of the language; cells are given by their
 * addresses.
 */
export const instructions = {
  store: (cell: number, value: Operand | Expression): EventInstruction => ({
    kind: 'store',
    address: constant(cell),
    value: operand(value),
  }),
  load: (into: `r${number}`, cell: number): EventInstruction => ({
    kind: 'load',
    into: register(into),
    address: constant(cell),
  }),
  rmw: (
    name: RmwName,
    cell: number,
    operands: readonly Operand[],
    into?: `r${number}`,
  ): EventInstruction => ({
    kind: 'rmw',
    ...(into !== undefined && { into: register(into) }),
    address: constant(cell),
    operation: { name, operands: operands.map(operand) },
  }),
  fence: { kind: 'fence' } as EventInstruction,
  assign: (into: `r${number}`, value: Operand | Expression): EventInstruction => ({
    kind: 'assign',
    into: register(into),
    value: operand(value),
  }),
  assume: (condition: Expression | number): EventInstruction => ({
    kind: 'assume',
    condition: operand(condition),
  }),
  assert: (condition: Expression): EventInstruction => ({ kind: 'assert', condition }),
  havoc: (into: `r${number}`, low: number, high: number): EventInstruction => ({
    kind: 'havoc',
    into: register(into),
    range: { low, high },
  }),
  call: (body: BodyId, ...given: readonly Operand[]): EventInstruction => ({
    kind: 'call',
    body,
    arguments: given.map(operand),
  }),
  post: (to: 'main' | 'any', body: BodyId, ...given: readonly Operand[]): EventInstruction => ({
    kind: 'post',
    to,
    body,
    arguments: given.map(operand),
  }),
  when: (
    condition: Expression,
    then: readonly EventStatement[],
    otherwise: readonly EventStatement[] = [],
  ): EventStatement => ({ kind: 'if', condition, then, otherwise }),
  choose: (...branches: readonly (readonly EventStatement[])[]): EventStatement => ({
    kind: 'choose',
    branches,
  }),
  repeat: (condition: Expression | number, inside: readonly EventStatement[]): EventStatement => ({
    kind: 'while',
    condition: operand(condition),
    inside,
  }),
  atomic: (...inside: readonly EventStatement[]): EventStatement => ({ kind: 'atomic', inside }),
  back: { kind: 'return' } as EventStatement,
};

/** Returns the condition that a register is equal to an operand. */
export function equals(name: `r${number}`, value: Operand): Expression {
  return binary('==', operand(name), operand(value));
}

class BodyLayout {
  readonly transitions: Transition<EventInstruction>[] = [];
  #locations = 1;

  constructor(readonly end: number) {}

  /** Adds the statements from a location on; returns the location after the statements. */
  sequence(from: number, statements: readonly EventStatement[], to?: number): number {
    let here = from;
    statements.forEach((statement, place) => {
      const isLast = place === statements.length - 1;
      here = this.#statement(here, statement, isLast && to !== undefined ? to : this.fresh());
    });
    if (to === undefined || here === to) return here;
    return this.#step(here, { kind: 'skip' }, to);
  }

  fresh(): number {
    return ++this.#locations;
  }

  get locations(): number {
    return this.#locations + 1;
  }

  #step(from: number, instruction: EventInstruction, to: number): number {
    this.transitions.push({ from, to, instruction, origin: {} });
    return to;
  }

  #branch(
    from: number,
    condition: Expression,
    statements: readonly EventStatement[],
    to: number,
  ): void {
    if (statements.length === 0) this.#step(from, { kind: 'assume', condition }, to);
    else
      this.sequence(this.#step(from, { kind: 'assume', condition }, this.fresh()), statements, to);
  }

  #statement(from: number, statement: EventStatement, to: number): number {
    switch (statement.kind) {
      case 'if':
        this.#branch(from, statement.condition, statement.then, to);
        this.#branch(from, negate(statement.condition), statement.otherwise, to);
        return to;
      case 'choose':
        for (const branch of statement.branches) this.#branch(from, constant(1), branch, to);
        return to;
      case 'while':
        this.#branch(from, statement.condition, statement.inside, from);
        return this.#step(from, { kind: 'assume', condition: negate(statement.condition) }, to);
      case 'atomic': {
        const inside = this.#step(from, { kind: 'lock' }, this.fresh());
        return this.#step(this.sequence(inside, statement.inside), { kind: 'unlock' }, to);
      }
      case 'return':
        this.#step(from, { kind: 'skip' }, this.end);
        return to;
      default:
        return this.#step(from, statement, to);
    }
  }
}

/**
 * An event or procedure in short form; registers are `r0`, `r1`, ..., starting with the parameters.
 */
export interface BodySketch {
  readonly name: string;
  readonly parameters?: number;
  readonly does: readonly EventStatement[];
}

const registersOfABody = 4;

function bodyOf(role: Body['role'], { name, parameters = 0, does }: BodySketch): Body {
  const layout = new BodyLayout(1);
  layout.sequence(0, does, layout.end);
  const locations = Array.from({ length: layout.locations }, (_, location): Location => ({
    name: `l${location}`,
    hidden: true,
  }));
  return {
    role,
    name,
    parameters,
    registers: Array.from({ length: registersOfABody }, (_, r) => ({
      name: `r${r}`,
      hidden: false,
    })),
    locations,
    initial: does.length === 0 ? layout.end : 0,
    transitions: layout.transitions,
  };
}

/**
 * A program of events in short form. Procedures and events are numbered: procedures first, then
 * events.
 */
export interface EventSketch {
  readonly name?: string;
  /** The names of the cells with the addresses 0, 1, ... */
  readonly cells: readonly string[];
  readonly procedures?: readonly BodySketch[];
  readonly events: readonly BodySketch[];
  /**
   * The instances that the environment starts, as in `EventProgram.instances`; `event` is an index
   * among the events of the sketch.
   */
  readonly instances: readonly {
    readonly event: number;
    readonly arguments?: readonly number[];
    readonly count?: number | 'any';
  }[];
  readonly properties?: EventProgram['properties'];
}

/** Returns the program that a sketch describes; all registers but parameters are locals. */
export function eventProgramOf(sketch: EventSketch): EventProgram {
  const { name = 'p', cells, procedures = [], events, instances, properties = [] } = sketch;
  return {
    name,
    symbols: cells.map((cell, base) => ({
      name: cell,
      base,
      length: 1,
      isArray: false,
      initial: [0],
    })),
    bodies: [
      ...procedures.map((body) => bodyOf('procedure', body)),
      ...events.map((body) => bodyOf('event', body)),
    ],
    instances: instances.map(({ event, arguments: given = [], count = 1 }) => ({
      event: procedures.length + event,
      arguments: given,
      count,
    })),
    properties,
  };
}
