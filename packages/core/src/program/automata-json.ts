import { unreachable } from '../base/unreachable.js';
import { selfRegister, type Expression } from './expression.js';
import type { Instruction, RmwOperation } from './instruction.js';
import { templatesOf, type Model } from './model.js';
import type { Templates } from './templates.js';
import type { InvariantExpression, Program, Thread } from './program.js';

/** What a program does, as plain data for programs that share no code with this one: `docs/automata.md`. */
export interface JsonAutomata {
  readonly format: 'fencewright-automata';
  readonly version: 1;
  readonly name: string;
  readonly symbols: readonly object[];
  readonly domain?: object;
  readonly threads: readonly object[];
  readonly properties: readonly object[];
  readonly invariants: readonly object[];
}

/** An expression, as automata have it. */
export function expressionToJson(expression: Expression): object {
  switch (expression.kind) {
    case 'constant':
    case 'address':
      return expression;
    case 'register':
      return expression.register === selfRegister ? { kind: 'self' } : expression;
    case 'element':
      return { ...expression, index: expressionToJson(expression.index) };
    case 'unary':
      return { ...expression, operand: expressionToJson(expression.operand) };
    case 'binary':
      return {
        ...expression,
        left: expressionToJson(expression.left),
        right: expressionToJson(expression.right),
      };
    default:
      return unreachable(expression);
  }
}

function operationToJson(operation: RmwOperation): object {
  switch (operation.kind) {
    case 'xchg':
      return { ...operation, value: expressionToJson(operation.value) };
    case 'cas':
      return {
        ...operation,
        expected: expressionToJson(operation.expected),
        desired: expressionToJson(operation.desired),
      };
    case 'fetch':
      return { ...operation, operand: expressionToJson(operation.operand) };
    default:
      return unreachable(operation);
  }
}

function instructionToJson(instruction: Instruction): object {
  switch (instruction.kind) {
    case 'store':
      return {
        ...instruction,
        address: expressionToJson(instruction.address),
        value: expressionToJson(instruction.value),
      };
    case 'load':
      return { ...instruction, address: expressionToJson(instruction.address) };
    case 'rmw':
      return {
        ...instruction,
        address: expressionToJson(instruction.address),
        operation: operationToJson(instruction.operation),
      };
    case 'assign':
      return { ...instruction, value: expressionToJson(instruction.value) };
    case 'assume':
    case 'assert':
      return { ...instruction, condition: expressionToJson(instruction.condition) };
    case 'havoc':
      return instruction.where
        ? { ...instruction, where: expressionToJson(instruction.where) }
        : instruction;
    case 'fence':
    case 'lock':
    case 'unlock':
    case 'skip':
      return instruction;
    default:
      return unreachable(instruction);
  }
}

function invariantToJson(condition: InvariantExpression): object {
  switch (condition.kind) {
    case 'constant':
    case 'at':
    case 'ended':
      return condition;
    case 'register':
      return condition.register === selfRegister
        ? { kind: 'self', binder: condition.binder }
        : condition;
    case 'cell':
      return condition.index
        ? { ...condition, index: invariantToJson(condition.index) }
        : condition;
    case 'unary':
      return { ...condition, operand: invariantToJson(condition.operand) };
    case 'binary':
      return {
        ...condition,
        left: invariantToJson(condition.left),
        right: invariantToJson(condition.right),
      };
    default:
      return unreachable(condition);
  }
}

function threadToJson(thread: Thread, isUnbounded: boolean): object {
  const named = ({ name, hidden }: { readonly name: string; readonly hidden: boolean }): object =>
    hidden ? { name, hidden } : { name };
  return {
    name: thread.name,
    ...(thread.copy && { copy: thread.copy }),
    ...(isUnbounded && { unbounded: true }),
    registers: thread.registers.map(named),
    locations: thread.locations.map(named),
    initial: thread.initial,
    transitions: thread.transitions.map(({ from, to, instruction, cost, nofence }) => ({
      from,
      to,
      instruction: instructionToJson(instruction),
      ...(cost !== undefined && { cost }),
      ...(nofence && { nofence }),
    })),
  };
}

/** The automata of any program, with what the source says about costs and places of fences, and without its positions. */
export function automataToJson(about: Program | Templates | Model): JsonAutomata {
  const { templates, unbounded } = templatesOf(about);
  const { name, symbols, domain, threads, properties, invariants = [] } = templates;
  return {
    format: 'fencewright-automata',
    version: 1,
    name,
    symbols: symbols.map(({ isBoundless, ...symbol }) => ({
      ...symbol,
      ...(isBoundless && { boundless: true }),
    })),
    ...(domain && { domain: { low: domain.low, high: domain.high } }),
    threads: threads.map((thread, id) => threadToJson(thread, unbounded.includes(id))),
    properties: properties.map(({ span: _, ...property }) => property),
    invariants: invariants.map(({ span: _, condition, ...invariant }) => ({
      ...invariant,
      condition: invariantToJson(condition),
    })),
  };
}
