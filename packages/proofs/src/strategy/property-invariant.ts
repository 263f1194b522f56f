import type { WhyProperty } from '@fencewright/model/verdict/prove-result.js';
import { at } from '@fencewright/ground/base/at.js';
import { binary, constant, mapLeaves, negation } from '@fencewright/model/program/expression.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { claimsExistence } from '@fencewright/model/program/property.js';
import type {
  Invariant,
  InvariantBinder,
  InvariantExpression,
  InvariantLeaf,
  Program,
  Property,
  StateLeaf,
} from '@fencewright/model/program/program.js';

/**
 * Returns the condition of a `never` property as an invariant. For a `finally` property, returns
 * the invariant that the condition holds after the end of all threads. `undefined` for:
 *
 * - `exists`, `stuck` and `progress` properties;
 * - `finally` properties of programs with unbounded threads, since an invariant covers a few copies
 *   only;
 * - conditions about cells without a name;
 * - conditions about store buffers, since a proof is about states with empty buffers.
 */
export function propertyInvariant(open: Templates, property: Property): Invariant | undefined {
  const { templates: program, unbounded } = open;
  if (property.kind === 'progress') return undefined;
  if (claimsExistence(property) || (property.kind === 'finally' && unbounded.length > 0))
    return undefined;
  const binders: InvariantBinder[] = [];
  const bound: string[] = [];
  const bind = (thread: ThreadId, copy?: number): number => {
    const { name: template } = at(program.threads, thread);
    const name = copy === undefined ? template : `${template}[${copy}]`;
    const key = `${thread} ${name}`;
    if (!bound.includes(key)) {
      bound.push(key);
      binders.push({ name, thread });
    }
    return bound.indexOf(key);
  };
  const convert = (leaf: StateLeaf): InvariantExpression => {
    switch (leaf.kind) {
      case 'at':
        return { kind: 'at', binder: bind(leaf.thread, leaf.copy), location: leaf.location };
      case 'ended':
        return { kind: 'ended', binder: bind(leaf.thread, leaf.copy) };
      case 'register':
        return { kind: 'register', binder: bind(leaf.thread, leaf.copy), register: leaf.register };
      case 'drained':
      case 'memory': {
        const cell = leaf.kind === 'memory' ? cellAt(program, leaf.address) : undefined;
        isSpoken &&= cell !== undefined;
        return cell ?? constant(0);
      }
    }
  };
  let isSpoken = true;
  const claim = mapLeaves(property.condition, convert);
  if (!isSpoken) return undefined;
  const condition =
    property.kind === 'never'
      ? negation(claim)
      : program.threads.reduceRight<InvariantExpression>(
          (right, _, thread) =>
            binary('||', negation<InvariantLeaf>({ kind: 'ended', binder: bind(thread) }), right),
          claim,
        );
  return { name: property.name, binders, condition, isEverywhere: true };
}

/** Returns the reason why a requested claim has no invariant. */
export function whyNoInvariant({ templates }: Templates, name: string): WhyProperty {
  const property = templates.properties.find((each) => each.name === name);
  switch (property?.kind) {
    case undefined:
      return { kind: 'no-such-name' };
    case 'exists':
    case 'stuck':
      return { kind: 'claims-existence' };
    case 'progress':
      return { kind: 'about-executions' };
    case 'finally':
      return { kind: 'ends-of-copies' };
    case 'never':
      return { kind: 'not-about-memory' };
  }
}

function cellAt({ symbols }: Program, address: number): InvariantExpression | undefined {
  const symbol = symbols.findIndex(
    ({ base, length }) => address >= base && address < base + length,
  );
  const found = symbols[symbol];
  if (!found) return undefined;
  if (!found.isArray) return { kind: 'cell', symbol };
  return { kind: 'cell', symbol, index: constant(address - found.base) };
}
