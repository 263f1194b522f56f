import { keyOf } from '@fencewright/model/program/expression.js';
import type { InvariantExpression } from '@fencewright/model/program/program.js';

/** Operators that compare two integers. */
export type Comparator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** A sum of terms with integer factors: each term is an expression other than a sum. */
interface LinearForm {
  readonly constant: number;
  /** The terms of the sum, each with its factor, by the text of the term's expression. */
  readonly parts: ReadonlyMap<
    string,
    { readonly factor: number; readonly of: InvariantExpression }
  >;
}

/**
 * Returns `difference operator 0` without subtraction: the terms with negative factors, negated,
 * are on the right of the comparison. The constant of the sum is on the right, too, or on the left
 * if it would be a negative number beside other terms on the right. Returns `true` or `false` if
 * the comparison is between numbers only.
 */
export function comparison(
  operator: Comparator,
  difference: InvariantExpression,
): InvariantExpression | boolean {
  const { constant, parts } = linearForm(difference);
  const all = [...parts.values()].filter(({ factor }) => factor !== 0);
  if (all.length === 0) return decide(operator, constant);
  const isMirrored = all.every(({ factor }) => factor < 0);
  const sign = isMirrored ? -1 : 1;
  const terms = all.map(({ factor, of }) => ({ factor: sign * factor, of }));
  const left = terms.filter(({ factor }) => factor > 0);
  const right = terms.filter(({ factor }) => factor < 0);
  const rest = -sign * constant;
  const [more, less] = rest < 0 && right.length > 0 ? [-rest, 0] : [0, rest];
  return {
    kind: 'binary',
    operator: isMirrored ? mirrored[operator] : operator,
    left: sum(left, more),
    right: sum(
      right.map(({ factor, of }) => ({ factor: -factor, of })),
      less,
    ),
  };
}

const mirrored: Readonly<Record<Comparator, Comparator>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function decide(operator: Comparator, value: number): boolean {
  switch (operator) {
    case '==':
      return value === 0;
    case '!=':
      return value !== 0;
    case '<':
      return value < 0;
    case '<=':
      return value <= 0;
    case '>':
      return value > 0;
    case '>=':
      return value >= 0;
  }
}

function sum(
  parts: readonly { readonly factor: number; readonly of: InvariantExpression }[],
  rest: number,
): InvariantExpression {
  const terms = parts.map(({ factor, of }): InvariantExpression =>
    factor === 1
      ? of
      : { kind: 'binary', operator: '*', left: { kind: 'constant', value: factor }, right: of },
  );
  if (rest !== 0 || terms.length === 0) terms.push({ kind: 'constant', value: rest });
  return terms.reduce((left, right): InvariantExpression =>
    right.kind === 'constant' && right.value < 0
      ? { kind: 'binary', operator: '-', left, right: { kind: 'constant', value: -right.value } }
      : { kind: 'binary', operator: '+', left, right },
  );
}

function linearForm(expression: InvariantExpression): LinearForm {
  switch (expression.kind) {
    case 'constant':
      return { constant: expression.value, parts: new Map() };
    case 'unary':
      return expression.operator === '-'
        ? scaled(linearForm(expression.operand), -1)
        : single(expression);
    case 'binary': {
      const { operator } = expression;
      if (operator !== '+' && operator !== '-' && operator !== '*') return single(expression);
      const left = linearForm(expression.left);
      const right = linearForm(expression.right);
      if (operator === '+') return added(left, right);
      if (operator === '-') return added(left, scaled(right, -1));
      if (left.parts.size === 0) return scaled(right, left.constant);
      return right.parts.size === 0 ? scaled(left, right.constant) : single(expression);
    }
    default:
      return single(expression);
  }
}

function single(of: InvariantExpression): LinearForm {
  return { constant: 0, parts: new Map([[keyOf(of), { factor: 1, of }]]) };
}

function scaled({ constant, parts }: LinearForm, by: number): LinearForm {
  const scale = ({ factor, of }: { factor: number; of: InvariantExpression }) => ({
    factor: factor * by,
    of,
  });
  return {
    constant: constant * by,
    parts: new Map([...parts].map(([key, part]) => [key, scale(part)])),
  };
}

function added(a: LinearForm, b: LinearForm): LinearForm {
  const parts = new Map(a.parts);
  for (const [key, { factor, of }] of b.parts)
    parts.set(key, { factor: (parts.get(key)?.factor ?? 0) + factor, of });
  return { constant: a.constant + b.constant, parts };
}
