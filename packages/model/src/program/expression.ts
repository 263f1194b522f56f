import { canonicalJson } from '@fencewright/ground/base/canonical-json.js';
import type { RegisterId, SymbolId } from './ids.js';

/** The pseudo-register `self`, the number of a thread's copy, in code shared by copies. */
export const selfRegister: RegisterId = -2;

/** C's integer types of less than 64 bits: their width, and whether the first bit is a sign. */
export const conversions = {
  i8: { bits: 8, isSigned: true },
  u8: { bits: 8, isSigned: false },
  i16: { bits: 16, isSigned: true },
  u16: { bits: 16, isSigned: false },
  i32: { bits: 32, isSigned: true },
  u32: { bits: 32, isSigned: false },
} as const;

/**
 * A conversion to an integer type: the result is the number of the type that equals the operand
 * modulo the type's power of two. Results of `u32` may need 64 bits.
 */
export type Conversion = keyof typeof conversions;

/** C's unary operators: minus, logical not, bitwise complement; and conversions. */
export type UnaryOperator = '-' | '!' | '~' | Conversion;

/**
 * Operators modulo 2^32. The operands and the result are unsigned numbers, represented by the
 * signed numbers with equal 32 bits; no operator overflows (docs/adr/0017-wrapping-operators.md).
 */
export type WrappingOperator =
  '+%' | '-%' | '*%' | '/%' | '%%' | '<<%' | '>>%' | '<%' | '<=%' | '>%' | '>=%';

/**
 * Operators on 64 bits: operators without `%` fault on overflow; operators with `%` compute modulo
 * 2^64 and read operands as unsigned numbers with equal bits (docs/adr/0020-numbers-of-64-bits.md).
 */
export type WideOperator =
  | '+:'
  | '-:'
  | '*:'
  | '/:'
  | '>>:'
  | '+:%'
  | '-:%'
  | '*:%'
  | '/:%'
  | '%:%'
  | '<<:%'
  | '>>:%'
  | '<:%'
  | '<=:%'
  | '>:%'
  | '>=:%';

/**
 * C's binary operators. Comparisons, `&&` and `||` evaluate to 0 or 1; `&&` and `||` evaluate the
 * right side only when needed.
 */
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '&'
  | '|'
  | '^'
  | '<<'
  | '>>'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '&&'
  | '||'
  | WrappingOperator
  | WideOperator;

export interface Constant {
  readonly kind: 'constant';
  readonly value: number;
}

export interface Unary<Leaf> {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression<Leaf>;
}

export interface Binary<Leaf> {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression<Leaf>;
  readonly right: Expression<Leaf>;
}

/**
 * An expression of constants, C's operators, and leaves, which depend on the kind of expression. A
 * leaf may contain expressions of its own kind, as members `index`, or `condition`, `then` and
 * `otherwise`.
 */
export type Expression<Leaf = ThreadLeaf> = Constant | Leaf | Unary<Leaf> | Binary<Leaf>;

/**
 * The leaves of a thread's expressions: registers, never memory. `address` is the address of a
 * shared variable (the first cell of an array), `element` the address of `symbol[index]`; `element`
 * faults if the index is outside the array.
 */
export type ThreadLeaf =
  | { readonly kind: 'register'; readonly register: RegisterId }
  | { readonly kind: 'address'; readonly symbol: SymbolId }
  | {
      readonly kind: 'element';
      readonly symbol: SymbolId;
      readonly index: Expression;
    };

/** The constant expression for `value`. */
export function constant(value: number): Constant {
  return { kind: 'constant', value };
}

export function registerValue(register: RegisterId): Expression {
  return { kind: 'register', register };
}

/** The expression `left operator right`. */
export function binary<Leaf = ThreadLeaf>(
  operator: BinaryOperator,
  left: Expression<Leaf>,
  right: Expression<Leaf>,
): Binary<Leaf> {
  return { kind: 'binary', operator, left, right };
}

/** The expression `operator operand`. */
export function unary<Leaf = ThreadLeaf>(
  operator: UnaryOperator,
  operand: Expression<Leaf>,
): Unary<Leaf> {
  return { kind: 'unary', operator, operand };
}

/** An expression that is a constant or an operator with operands, and no leaf. */
export type Inner<Leaf> = Constant | Unary<Leaf> | Binary<Leaf>;

/**
 * Returns the expression, if it is a constant or an operator with operands; `undefined` for leaves.
 */
export function innerOf<Leaf>(expression: Expression<Leaf>): Inner<Leaf> | undefined {
  const inner = expression as Inner<Leaf>;
  return inner.kind === 'constant' || inner.kind === 'unary' || inner.kind === 'binary'
    ? inner
    : undefined;
}

/** The names of the members of a leaf that are expressions. */
const insideLeaves = ['condition', 'then', 'otherwise', 'index'] as const;
type LeafParts<Leaf> = Partial<Record<(typeof insideLeaves)[number], Expression<Leaf>>>;

/** Calls `visit` for the expression and all its subexpressions, from left to right. */
export function forEachPart<Leaf>(
  expression: Expression<Leaf>,
  visit: (part: Expression<Leaf>) => void,
): void {
  visit(expression);
  const inner = innerOf(expression);
  switch (inner?.kind) {
    case 'constant':
      return;
    case 'unary':
      forEachPart(inner.operand, visit);
      return;
    case 'binary':
      forEachPart(inner.left, visit);
      forEachPart(inner.right, visit);
      return;
    case undefined:
      for (const name of insideLeaves) {
        const part = (expression as LeafParts<Leaf>)[name];
        if (part !== undefined) forEachPart(part, visit);
      }
  }
}

/**
 * The expression with `map` applied to its operands and to the expressions directly inside of a
 * leaf.
 */
export function mapParts<Leaf>(
  expression: Expression<Leaf>,
  map: (part: Expression<Leaf>) => Expression<Leaf>,
): Expression<Leaf> {
  const inner = innerOf(expression);
  switch (inner?.kind) {
    case 'constant':
      return expression;
    case 'unary':
      return { ...inner, operand: map(inner.operand) };
    case 'binary':
      return { ...inner, left: map(inner.left), right: map(inner.right) };
    case undefined: {
      let leaf = expression as Leaf & LeafParts<Leaf>;
      for (const name of insideLeaves) {
        const part = leaf[name];
        if (part !== undefined) leaf = { ...leaf, [name]: map(part) };
      }
      return leaf;
    }
  }
}

/** The expression with each leaf replaced by the result of `map`. */
export function mapLeaves<Leaf, Other>(
  expression: Expression<Leaf>,
  map: (leaf: Leaf) => Expression<Other>,
): Expression<Other> {
  const inner = innerOf(expression);
  switch (inner?.kind) {
    case 'constant':
      return inner;
    case 'unary':
      return unary(inner.operator, mapLeaves(inner.operand, map));
    case 'binary':
      return binary(inner.operator, mapLeaves(inner.left, map), mapLeaves(inner.right, map));
    case undefined:
      return map(expression as Leaf);
  }
}

/** Whether the expression or a subexpression satisfies the predicate. */
export function hasPart<Leaf>(
  expression: Expression<Leaf>,
  isWanted: (part: Expression<Leaf>) => boolean,
): boolean {
  let found = false;
  forEachPart(expression, (part) => {
    found ||= isWanted(part);
  });
  return found;
}

/**
 * Calls `visit` for every register that occurs in the expression, from left to right, repetitions
 * included.
 */
export function forEachRegister(
  expression: Expression,
  visit: (register: RegisterId) => void,
): void {
  forEachPart(expression, (part) => {
    if (part.kind === 'register') visit(part.register);
  });
}

/** Whether the register occurs in the expression. */
export function readsRegister(expression: Expression, register: RegisterId): boolean {
  return hasPart(expression, (part) => part.kind === 'register' && part.register === register);
}

/** Whether an operator evaluates its right side only when needed: `&&` and `||`. */
export function isLazy(part: Expression): part is Binary<ThreadLeaf> {
  return part.kind === 'binary' && (part.operator === '&&' || part.operator === '||');
}

/** Whether each evaluation of the expression reads the register. */
export function alwaysReads(expression: Expression, register: RegisterId): boolean {
  if (expression.kind === 'unary') return alwaysReads(expression.operand, register);
  if (expression.kind === 'element') return alwaysReads(expression.index, register);
  if (expression.kind !== 'binary') return readsRegister(expression, register);
  const { left, right } = expression;
  return alwaysReads(left, register) || (!isLazy(expression) && alwaysReads(right, register));
}

/**
 * A text for expressions, instructions and plain data in general; two texts are equal if and only
 * if the data are equal.
 */
export const keyOf: (data: unknown) => string = canonicalJson;

/** Whether two expressions, instructions or plain data in general are equal, member by member. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || keyOf(a) === keyOf(b);
}

/** By comparison operator, its negation. */
export const opposites = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  '<%': '>=%',
  '>=%': '<%',
  '>%': '<=%',
  '<=%': '>%',
  '<:%': '>=:%',
  '>=:%': '<:%',
  '>:%': '<=:%',
  '<=:%': '>:%',
} as const;

/** Operators that compare. */
type Comparison = keyof typeof opposites;

/** Whether the operator is a comparison, with results 0 or 1. */
export function isComparison(operator: BinaryOperator): operator is Comparison {
  return operator in opposites;
}

/** Whether the operator is a 64-bit operator. */
export function isWide(operator: BinaryOperator): operator is WideOperator {
  return operator.includes(':');
}

export function isConversion(operator: UnaryOperator): operator is Conversion {
  return operator in conversions;
}

/** The expression `!operand`. */
export function negation<Leaf = ThreadLeaf>(operand: Expression<Leaf>): Unary<Leaf> {
  return unary('!', operand);
}

function isNegation<Leaf>(inner: Inner<Leaf> | undefined): inner is Unary<Leaf> {
  return inner?.kind === 'unary' && inner.operator === '!';
}

/**
 * Returns an expression that is 0 iff `condition` is not 0: for a comparison, the opposite
 * comparison.
 */
export function negate<Leaf = ThreadLeaf>(condition: Expression<Leaf>): Expression<Leaf> {
  const inner = innerOf(condition);
  if (isNegation(inner)) {
    const operand = innerOf(inner.operand);
    return isNegation(operand) ? negate(operand.operand) : inner.operand;
  }
  return inner?.kind === 'binary' && isComparison(inner.operator)
    ? binary(opposites[inner.operator], inner.left, inner.right)
    : negation(condition);
}

/**
 * Whether exactly one of two conditions holds, whatever the values of the leaves, as far as the
 * form of the conditions shows.
 */
export function areOpposite<Leaf>(a: Expression<Leaf>, b: Expression<Leaf>): boolean {
  const [one, other] = [innerOf(a), innerOf(b)];
  if (isNegation(one) && isSame(one.operand, b)) return true;
  if (isNegation(other) && isSame(other.operand, a)) return true;
  if (one?.kind === 'constant' && other?.kind === 'constant')
    return (one.value === 0) !== (other.value === 0);
  if (one?.kind !== 'binary' || other?.kind !== 'binary') return false;
  const operators = `${one.operator} ${other.operator}`;
  if (operators === '&& ||' || operators === '|| &&')
    return areOpposite(one.left, other.left) && areOpposite(one.right, other.right);
  return (
    isComparison(one.operator) &&
    opposites[one.operator] === other.operator &&
    isSame(one.left, other.left) &&
    isSame(one.right, other.right)
  );
}
