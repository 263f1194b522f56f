import type { ThreadId } from '../program/ids.js';
import type { Templates } from '../program/templates.js';
import { claimsExistence } from '../program/property.js';
import type {
  Invariant,
  InvariantBinder,
  InvariantExpression,
  Program,
  Property,
  StateExpression,
} from '../program/program.js';

/**
 * What a `never` property claims, as an invariant, or a `finally` property: that it holds where all threads have ended. Absent for `exists` and `stuck`, for
 * `finally` where there are any number of copies of a thread, since an invariant speaks of a few of them, for cells without a name, and for store
 * buffers: a proof is about states in which all are empty.
 */
export function propertyInvariant(open: Templates, property: Property): Invariant | undefined {
  const { templates: program, unbounded } = open;
  if (claimsExistence(property) || (property.kind === 'finally' && unbounded.length > 0))
    return undefined;
  const binders: InvariantBinder[] = [];
  const bind = (thread: ThreadId): number => {
    const known = binders.findIndex((binder) => binder.thread === thread);
    if (known >= 0) return known;
    return binders.push({ name: program.threads[thread]?.name ?? '', thread }) - 1;
  };
  const convert = (expression: StateExpression): InvariantExpression | undefined => {
    switch (expression.kind) {
      case 'constant':
        return expression;
      case 'at':
        return { kind: 'at', binder: bind(expression.thread), location: expression.location };
      case 'drained':
        return undefined;
      case 'ended':
        return { kind: 'ended', binder: bind(expression.thread) };
      case 'register':
        return { kind: 'register', binder: bind(expression.thread), register: expression.register };
      case 'memory':
        return cellAt(program, expression.address);
      case 'unary': {
        const operand = convert(expression.operand);
        return operand && { ...expression, operand };
      }
      case 'binary': {
        const left = convert(expression.left);
        const right = convert(expression.right);
        return left && right && { ...expression, left, right };
      }
    }
  };
  const claim = convert(property.condition);
  if (!claim) return undefined;
  const not = (operand: InvariantExpression): InvariantExpression => ({
    kind: 'unary',
    operator: '!',
    operand,
  });
  const condition =
    property.kind === 'never'
      ? not(claim)
      : program.threads.reduceRight<InvariantExpression>(
          (right, _, thread) => ({
            kind: 'binary',
            operator: '||',
            left: not({ kind: 'ended', binder: bind(thread) }),
            right,
          }),
          claim,
        );
  return { name: property.name, binders, condition, isEverywhere: true };
}

/** Why there is no invariant for what was asked for. */
export function whyNoInvariant({ templates }: Templates, name: string): string {
  const property = templates.properties.find((each) => each.name === name);
  switch (property?.kind) {
    case undefined:
      return 'the program has no invariant and no property of this name';
    case 'exists':
    case 'stuck':
      return "a proof shows what holds of all states: ask 'reach' whether there is such a state";
    case 'finally':
      return 'that any number of copies have ended cannot be said of a few of them: give numbers, or write an invariant for who has passed a label';
    case 'never':
      return "it speaks of a memory cell without a name, or of store buffers, which are empty in all states that a proof is about: ask 'reach'";
  }
}

function cellAt({ symbols }: Program, address: number): InvariantExpression | undefined {
  const symbol = symbols.findIndex(
    ({ base, length }) => address >= base && address < base + length,
  );
  const found = symbols[symbol];
  if (!found) return undefined;
  if (!found.isArray) return { kind: 'cell', symbol };
  return { kind: 'cell', symbol, index: { kind: 'constant', value: address - found.base } };
}
