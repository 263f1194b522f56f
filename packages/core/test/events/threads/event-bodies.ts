import type {
  Body,
  EventInstances,
  EventInstruction,
  EventProgram,
  PostedTo,
} from '../../../src/program/event-program.js';
import { constant, registerValue, type Expression } from '../../../src/program/expression.js';
import type { Transition } from '../../../src/program/program.js';

/** Statements of bodies that tests write by hand; cells and bodies are given by name. */
export type Statement =
  | { readonly do: 'store'; readonly cell: string; readonly value: Expression }
  | { readonly do: 'load'; readonly cell: string; readonly into: number }
  | { readonly do: 'fence' }
  | { readonly do: 'exchange'; readonly cell: string; readonly value: number }
  | { readonly do: 'assume'; readonly condition: Expression }
  | { readonly do: 'assign'; readonly into: number; readonly value: Expression }
  | {
      readonly do: 'post' | 'call';
      readonly body: string;
      readonly to: PostedTo;
      readonly arguments: readonly Expression[];
    }
  | { readonly do: 'choose'; readonly branches: readonly (readonly Statement[])[] }
  | { readonly do: 'loop'; readonly body: readonly Statement[] };

function valueOf(value: number | Expression): Expression {
  return typeof value === 'number' ? constant(value) : value;
}

export const reg = registerValue;
export const store = (cell: string, value: number | Expression): Statement => ({
  do: 'store',
  cell,
  value: valueOf(value),
});
export const load = (into: number, cell: string): Statement => ({ do: 'load', cell, into });
export const fence: Statement = { do: 'fence' };
export const exchange = (cell: string, value: number): Statement => ({
  do: 'exchange',
  cell,
  value,
});
export const assume = (condition: Expression): Statement => ({ do: 'assume', condition });
export const postAny = (body: string, ...given: (number | Expression)[]): Statement => ({
  do: 'post',
  body,
  to: 'any',
  arguments: given.map(valueOf),
});
export const postMain = (body: string, ...given: (number | Expression)[]): Statement => ({
  do: 'post',
  body,
  to: 'main',
  arguments: given.map(valueOf),
});
export const call = (body: string, ...given: (number | Expression)[]): Statement => ({
  do: 'call',
  body,
  to: 'main',
  arguments: given.map(valueOf),
});
export const choose = (...branches: (readonly Statement[])[]): Statement => ({
  do: 'choose',
  branches,
});
/** Any number of times. */
export const loop = (...body: Statement[]): Statement => ({ do: 'loop', body });

export interface NamedBody {
  readonly name: string;
  readonly role: 'event' | 'procedure';
  readonly parameters: number;
  readonly statements: readonly Statement[];
}

export function event(name: string, ...statements: Statement[]): NamedBody {
  return { name, role: 'event', parameters: 0, statements };
}

export function procedure(name: string, ...statements: Statement[]): NamedBody {
  return { name, role: 'procedure', parameters: 0, statements };
}

export function withParameters(parameters: number, body: NamedBody): NamedBody {
  return { ...body, parameters };
}

const registers = 4;

/** An event program of named bodies; every event is started once unless `counts` says more. */
export function eventProgram(
  bodies: readonly NamedBody[],
  counts: Readonly<Record<string, number | 'any'>> = {},
): EventProgram {
  const cells = new Set<string>();
  const noteCells = (statements: readonly Statement[]): void => {
    for (const statement of statements) {
      if ('cell' in statement) cells.add(statement.cell);
      if (statement.do === 'choose') for (const branch of statement.branches) noteCells(branch);
      if (statement.do === 'loop') noteCells(statement.body);
    }
  };
  for (const { statements } of bodies) noteCells(statements);
  const names = [...cells];
  const bodyOf = (name: string): number => bodies.findIndex((body) => body.name === name);
  const addressOf = (name: string): Expression => ({
    kind: 'address',
    symbol: names.indexOf(name),
  });
  const write = ({ name, role, parameters, statements }: NamedBody): Body => {
    const transitions: Transition<EventInstruction>[] = [];
    let locations = 1;
    const step = (from: number, instruction: EventInstruction, to = locations++): number => {
      transitions.push({ from, to, instruction, origin: {} });
      return to;
    };
    const sequence = (from: number, list: readonly Statement[]): number =>
      list.reduce((at, statement) => one(at, statement), from);
    const one = (from: number, statement: Statement): number => {
      switch (statement.do) {
        case 'store':
          return step(from, {
            kind: 'store',
            address: addressOf(statement.cell),
            value: statement.value,
          });
        case 'load':
          return step(from, {
            kind: 'load',
            address: addressOf(statement.cell),
            into: statement.into,
          });
        case 'fence':
          return step(from, { kind: 'fence' });
        case 'exchange':
          return step(from, {
            kind: 'rmw',
            address: addressOf(statement.cell),
            operation: { name: 'xchg', operands: [constant(statement.value)] },
          });
        case 'assume':
          return step(from, { kind: 'assume', condition: statement.condition });
        case 'assign':
          return step(from, { kind: 'assign', into: statement.into, value: statement.value });
        case 'post':
          return step(from, {
            kind: 'post',
            body: bodyOf(statement.body),
            to: statement.to,
            arguments: statement.arguments,
          });
        case 'call':
          return step(from, {
            kind: 'call',
            body: bodyOf(statement.body),
            arguments: statement.arguments,
          });
        case 'choose': {
          const end = locations++;
          for (const branch of statement.branches)
            step(sequence(step(from, { kind: 'skip' }), branch), { kind: 'skip' }, end);
          return end;
        }
        case 'loop': {
          const head = step(from, { kind: 'skip' });
          step(sequence(step(head, { kind: 'skip' }), statement.body), { kind: 'skip' }, head);
          return step(head, { kind: 'skip' });
        }
      }
    };
    sequence(0, statements);
    return {
      name,
      role,
      parameters,
      registers: Array.from({ length: registers }, (_, r) => ({ name: `r${r}`, hidden: false })),
      locations: Array.from({ length: locations }, (_, l) => ({ name: `l${l}`, hidden: true })),
      initial: 0,
      transitions,
    };
  };
  return {
    name: 'test',
    symbols: names.map((name, base) => ({
      name,
      base,
      length: 1,
      isArray: false,
      initial: [0],
    })),
    bodies: bodies.map(write),
    instances: bodies.flatMap((body, id): EventInstances[] =>
      body.role === 'event' && counts[body.name] !== 0
        ? [{ event: id, arguments: [], count: counts[body.name] ?? 1 }]
        : [],
    ),
    properties: [],
  };
}
