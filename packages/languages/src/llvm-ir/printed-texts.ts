import type { Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { StepGraph } from './step.js';
import { Unsupported } from './unsupported.js';
import type { Round } from './world.js';

/*
 * Printing a text reads memory. The model leaves this access out, which is correct as long as no
 * thread stores to the text. All other texts are refused.
 */

/** The maximum size of a cell, in bytes. */
const largestCell = 16;

function notKnown(message: string): Unsupported {
  return new Unsupported(
    message,
    'print the characters one by one, with putchar, or leave the call out',
  );
}

/**
 * Whether the thread stores to the text at an address, and no other thread accesses it: to print it
 * is no access to shared memory, but what is printed is unknown.
 */
export function isOwnText(round: Round, thread: number, address: number): boolean {
  const { facts, image } = round.world;
  const object = image.memory.objectAt(address, 1);
  if (!object || object.isConstant === true || facts.storesAnywhere) return false;
  const end = object.address + object.size;
  const cells = [...facts.cells.values()].filter(
    (cell) => cell.address + Math.max(...cell.sizes) > address && cell.address < end,
  );
  const isStored = cells.some((cell) => cell.isStored);
  return isStored && cells.every((cell) => facts.kindOf(thread, cell.address) === 'own');
}

/** Refuses the text at an address if some thread may store to the text. Throws `Unsupported`. */
export function requireConstantText(round: Round, address: number): void {
  // C libraries print "(null)" for a null pointer.
  if (address === 0) return;
  const { facts, image } = round.world;
  const object = image.memory.objectAt(address, 1);
  if (object?.isConstant) return;
  const end = object ? object.address + object.size : address;
  const isStored = (at: number): boolean => {
    if (facts.storesAnywhere) return true;
    for (let start = at - largestCell + 1; start <= at; start++) {
      const cell = facts.cells.get(start);
      if (cell?.isStored && start + Math.max(...cell.sizes) > at) return true;
    }
    return false;
  };
  for (let at = address; at < end && !isStored(at); at++) {
    const byte = round.initialValue(at, 1);
    if (byte === 0n) return;
    if (byte === undefined) break;
  }
  throw notKnown('threads store to the printed text: a changing text has no model');
}

/**
 * Refuses a text with a computed address unless all candidates pass `requireConstantText`. Throws
 * `Unsupported`.
 */
export function checkComputedText(round: Round, graph: StepGraph, address: Expression): void {
  const visited = new Set<RegisterId>();
  const visit = (expression: Expression): void => {
    if (expression.kind === 'constant') {
      requireConstantText(round, expression.value);
      return;
    }
    if (expression.kind !== 'register') throw notKnown('the text printed here is unknown');
    const { register } = expression;
    if (visited.has(register)) return;
    visited.add(register);
    for (const { step } of graph.edges)
      if (step.kind === 'assign' && step.into === register) visit(step.value);
      else if (isSetBy(step, register)) throw notKnown('the text printed here is unknown');
  };
  visit(address);
}

function isSetBy(step: StepGraph['edges'][number]['step'], register: RegisterId): boolean {
  return (
    ('into' in step && step.into === register) ||
    (step.kind === 'exchange-if' && (step.old === register || step.success === register))
  );
}
