import { unreachable } from '@fencewright/ground/base/unreachable.js';
import {
  type Body,
  type EventInstruction,
  type EventProgram,
  isInvocation,
} from './event-program.js';
import { mapLeaves, selfRegister, type Expression } from './expression.js';
import type { Instruction } from './instruction.js';
import { templatesOf, type ThreadModel } from './model.js';
import { isPlainInText } from './plain-in-text.js';
import type { Templates } from './templates.js';
import type { InvariantExpression, Origin, Program, Thread } from './program.js';
import { mapInstruction } from './rewrite.js';
import type { RmwOperation } from './rmw.js';

/**
 * The automata of a program, as plain data for programs without code in common with Fencewright:
 * `docs/automata.md`.
 */
export interface JsonAutomata {
  readonly format: 'fencewright-automata';
  readonly version: 1;
  readonly name: string;
  readonly symbols: readonly object[];
  readonly domain?: object;
  readonly threads: readonly object[];
  readonly properties: readonly object[];
  readonly invariants: readonly object[];
  /** The facts that the front end assumes about the program; absent if none. */
  readonly assumptions?: readonly string[];
  readonly assumptionsOfC11?: readonly string[];
}

/** The JSON form of an expression in automata. */
export function expressionToJson(expression: Expression): Expression<JsonLeaf> {
  return mapLeaves(expression, (leaf): JsonLeaf => {
    switch (leaf.kind) {
      case 'address':
        return leaf;
      case 'register':
        return leaf.register === selfRegister ? { kind: 'self' } : leaf;
      case 'element':
        return { ...leaf, index: expressionToJson(leaf.index) };
      default:
        return unreachable(leaf);
    }
  });
}

interface JsonLeaf {
  readonly kind: string;
  readonly [member: string]: unknown;
}

/**
 * The JSON form of a read-modify-write, with named operands; fetch operations also name their
 * operator.
 */
function operationToJson({ name, operands }: RmwOperation): object {
  const [first, second] = operands.map(expressionToJson);
  switch (name) {
    case 'xchg':
      return { kind: 'xchg', value: first };
    case 'cas':
      return { kind: 'cas', expected: first, desired: second };
    default:
      return { kind: 'fetch', operator: name.slice('fetch_'.length), operand: first };
  }
}

/** Returns the instruction without memory orders: TSO ignores memory orders. */
function withoutOrders(instruction: Instruction): Instruction {
  const ofC11: ReadonlySet<string> = new Set([
    ...['order', 'failureOrder', 'mayFail', 'isStore', 'fence'],
  ]);
  const members = Object.entries(instruction).filter(([member]) => !ofC11.has(member));
  return Object.fromEntries(members) as unknown as Instruction;
}

/** Whether automata include the memory orders of C11. */
type Orders = 'kept' | 'left-out';

function instructionToJson(instruction: Instruction, orders: Orders): object {
  const mapped = mapInstruction(
    orders === 'kept' ? instruction : withoutOrders(instruction),
    (expression) => expressionToJson(expression) as Expression,
  );
  return mapped.kind === 'rmw' && instruction.kind === 'rmw'
    ? { ...mapped, operation: operationToJson(instruction.operation) }
    : mapped;
}

function invariantToJson(condition: InvariantExpression): Expression<JsonLeaf> {
  return mapLeaves(condition, (leaf): JsonLeaf => {
    switch (leaf.kind) {
      case 'at':
      case 'ended':
        return leaf;
      case 'register':
        return leaf.register === selfRegister ? { kind: 'self', binder: leaf.binder } : leaf;
      case 'cell':
        return leaf.index ? { ...leaf, index: invariantToJson(leaf.index) } : leaf;
      case 'every-index':
        return leaf;
      default:
        return unreachable(leaf);
    }
  });
}

/**
 * Returns the instruction, with the order `plain` if the source makes the access without an atomic
 * type.
 */
function withPlain(instruction: object, origin: Origin): object {
  const isOrdered = !isPlainInText(origin) || 'order' in instruction;
  return isOrdered ? instruction : { ...instruction, order: 'plain' };
}

function eventInstructionToJson(instruction: EventInstruction, orders: Orders): object {
  if (instruction.kind === 'pass') return instruction;
  if (!isInvocation(instruction)) return instructionToJson(instruction, orders);
  return { ...instruction, arguments: instruction.arguments.map(expressionToJson) };
}

/** Returns the JSON form of a thread, or of an event or procedure: the members common to both. */
function automatonToJson(thread: Thread<EventInstruction>, orders: Orders = 'left-out'): object {
  const toJson = ({ instruction, origin }: Thread<EventInstruction>['transitions'][number]) => {
    const written = eventInstructionToJson(instruction, orders);
    const isAccess = instruction.kind === 'load' || instruction.kind === 'store';
    return isAccess && orders === 'kept' ? withPlain(written, origin) : written;
  };
  const named = ({ name, hidden }: { readonly name: string; readonly hidden: boolean }): object =>
    hidden ? { name, hidden } : { name };
  return {
    name: thread.name,
    registers: thread.registers.map(named),
    locations: thread.locations.map(named),
    initial: thread.initial,
    transitions: thread.transitions.map((transition) => {
      const { from, to, cost, nofence, luck } = transition;
      return {
        from,
        to,
        instruction: toJson(transition),
        ...(cost !== undefined && { cost }),
        ...(nofence && { nofence }),
        ...(luck && { luck }),
      };
    }),
  };
}

function threadToJson(thread: Thread, isUnbounded: boolean, orders: Orders): object {
  const { name, ...rest } = automatonToJson(thread, orders) as { readonly name: string };
  return {
    name,
    ...(thread.copy && { copy: thread.copy }),
    ...(isUnbounded && { unbounded: true }),
    ...rest,
  };
}

function bodyToJson(body: Body): object {
  const { role, parameters } = body;
  return { role, parameters, ...automatonToJson(body) };
}

function symbolsToJson(symbols: EventProgram['symbols'], orders: Orders): readonly object[] {
  return symbols.map(({ name, base, length, isArray, initial, isBoundless, isPlain }) => ({
    ...{ name, base, length, isArray, initial },
    ...(isBoundless && { boundless: true }),
    ...(isPlain && orders === 'kept' && { plain: true }),
  }));
}

/**
 * Converts a program of threads into automata. They include the costs of fences (`@cost`) and the
 * places without fences (`@nofence`), but no positions in the source. `orders` says whether the
 * memory orders of C11 are included; TSO ignores them.
 */
export function automataToJson(
  about: Program | Templates | ThreadModel,
  orders: Orders = 'left-out',
): JsonAutomata {
  const { templates, unbounded } = templatesOf(about);
  const { name, symbols, domain, threads, properties, invariants = [], assumptions } = templates;
  const ofC11 = orders === 'kept' ? templates.assumptionsOfC11 : undefined;
  return {
    format: 'fencewright-automata',
    version: 1,
    name,
    symbols: symbolsToJson(symbols, orders),
    ...(domain && { domain: { low: domain.low, high: domain.high } }),
    threads: threads.map((thread, id) => threadToJson(thread, unbounded.includes(id), orders)),
    properties: properties.map(({ span: _, ...property }) => property),
    invariants: invariants.map((invariant) => ({
      name: invariant.name,
      binders: invariant.binders,
      condition: invariantToJson(invariant.condition),
    })),
    ...(assumptions && { assumptions: assumptions.map(({ text }) => text) }),
    ...(ofC11 && { assumptionsOfC11: ofC11.map(({ text }) => text) }),
  };
}

/** The automata of a program of events, as plain data. */
export interface JsonEventAutomata extends Pick<
  JsonAutomata,
  'version' | 'name' | 'symbols' | 'domain' | 'properties'
> {
  readonly format: 'fencewright-event-automata';
  readonly bodies: readonly object[];
  readonly instances: readonly object[];
  readonly milestones?: readonly object[];
}

/**
 * Converts an event program into the automata of its events and procedures, and the instances
 * started by the environment.
 */
export function eventAutomataToJson(program: EventProgram): JsonEventAutomata {
  const { name, symbols, domain, bodies, instances, milestones, properties } = program;
  return {
    format: 'fencewright-event-automata',
    version: 1,
    name,
    symbols: symbolsToJson(symbols, 'left-out'),
    ...(domain && { domain: { low: domain.low, high: domain.high } }),
    bodies: bodies.map(bodyToJson),
    instances: instances.map(({ event, arguments: given, count, after }) => ({
      event,
      arguments: given,
      count,
      ...(after && { after }),
    })),
    ...(milestones && { milestones }),
    properties: properties.map(({ span: _, ...property }) => property),
  };
}
