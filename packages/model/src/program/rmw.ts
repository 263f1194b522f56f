import {
  binary,
  constant,
  hasPart,
  negate,
  unary,
  type BinaryOperator,
  type Expression,
  type ThreadLeaf,
} from './expression.js';

/** The leaves of expressions of a read-modify-write: registers, and the value read. */
export type RmwLeaf =
  | ThreadLeaf
  | { readonly kind: 'old' }
  /** `condition ? then : otherwise`; only the chosen branch is evaluated. */
  | {
      readonly kind: 'conditional';
      readonly condition: RmwExpression;
      readonly then: RmwExpression;
      readonly otherwise: RmwExpression;
    };

export type RmwExpression = Expression<RmwLeaf>;

/** The stored value and the result of a read-modify-write, as expressions over the value read. */
interface RmwMeaning {
  /**
   * The condition under which the rmw stores (not 0); otherwise it is only a load. Absent if the
   * rmw always stores. Evaluated first.
   */
  readonly condition?: RmwExpression;
  /** The value that the rmw stores; evaluated only if the rmw stores. */
  readonly written: RmwExpression;
  /** The new value of the register into which the rmw reads. */
  readonly result: RmwExpression;
}

const old: RmwExpression = { kind: 'old' };

function by(operator: BinaryOperator) {
  return (operand: Expression): RmwExpression => binary(operator, old, operand);
}

function conditional(
  condition: RmwExpression,
  then: RmwExpression,
  otherwise: RmwExpression,
): RmwExpression {
  return { kind: 'conditional', condition, then, otherwise };
}

/**
 * By name of a fetch operation (which returns the old value), the stored value, computed from the
 * old value and an operand.
 */
const fetched = {
  add: by('+'),
  sub: by('-'),
  add32: by('+%'),
  sub32: by('-%'),
  add64: by('+:%'),
  sub64: by('-:%'),
  and: by('&'),
  or: by('|'),
  xor: by('^'),
  max: (operand) => conditional(binary<RmwLeaf>('<', old, operand), operand, old),
  min: (operand) => conditional(binary<RmwLeaf>('<', operand, old), operand, old),
} as const satisfies Readonly<Record<string, (operand: Expression) => RmwExpression>>;

type FetchName = `fetch_${keyof typeof fetched}`;

/** The name of a read-modify-write operation in the native language. */
export type RmwName = 'xchg' | 'cas' | FetchName;

/** A kind of read-modify-write operation. */
interface RmwKind {
  /** The names of the operation's operands, for messages. */
  readonly operands: readonly string[];
  readonly means: (operands: readonly Expression[]) => RmwMeaning;
}

const fetchKinds = Object.fromEntries(
  Object.entries(fetched).map(([name, written]): [string, RmwKind] => [
    `fetch_${name}`,
    { operands: ['operand'], means: ([operand]) => ({ written: written(operand!), result: old }) },
  ]),
) as Readonly<Record<FetchName, RmwKind>>;

/** All read-modify-write operations of the native language: their names, operands and meanings. */
export const rmwKinds: Readonly<Record<RmwName, RmwKind>> = {
  xchg: { operands: ['value'], means: ([value]) => ({ written: value!, result: old }) },
  cas: {
    operands: ['old', 'new'],
    means: ([expected, desired]) => {
      const condition = binary<RmwLeaf>('==', old, expected!);
      return { condition, written: desired!, result: condition };
    },
  },
  ...fetchKinds,
};

/** Whether the name is that of a read-modify-write operation. */
export function isRmwName(name: string): name is RmwName {
  return Object.hasOwn(rmwKinds, name);
}

/** A read-modify-write operation applied to operands. */
export interface RmwOperation {
  readonly name: RmwName;
  /** The operands of the operation, as many and in the order as in `rmwKinds`. */
  readonly operands: readonly Expression[];
}

/** Returns the stored value and the result of the operation, as expressions over the value read. */
export function rmwMeaning({ name, operands }: RmwOperation): RmwMeaning {
  return rmwKinds[name].means(operands);
}

/** The register's new value, given whether the operation stores. */
export function resultIf(isStored: boolean, { condition, result }: RmwMeaning): RmwExpression {
  return result === condition ? constant(isStored ? 1 : 0) : result;
}

/** Whether the expression reads only registers, and not the value read by the rmw. */
export function isWithoutOld(expression: RmwExpression): expression is Expression {
  return !hasPart<RmwLeaf>(expression, ({ kind }) => kind === 'old' || kind === 'conditional');
}

/**
 * The operation's result whenever the cell is left unchanged; `undefined` if the result then
 * depends on the cell's value. A failing `cas` returns 0, and an `xchg` that finds its own value in
 * the cell returns this value.
 */
export function resultOfFailure(operation: RmwOperation): Expression | undefined {
  const meaning = rmwMeaning(operation);
  const result = resultIf(false, meaning);
  if (meaning.condition && isWithoutOld(result)) return result;
  const { written } = meaning;
  return !meaning.condition && result === old && isWithoutOld(written) ? written : undefined;
}

/**
 * Whether an operation of this name can leave its cell unchanged and then has a result that does
 * not depend on the cell.
 */
export function canFail(name: RmwName): boolean {
  const operands = rmwKinds[name].operands.map(() => constant(0));
  return resultOfFailure({ name, operands }) !== undefined;
}

/**
 * One outcome of a read-modify-write operation, with its conditions; every state satisfies the
 * conditions of exactly one outcome.
 */
interface RmwOutcome {
  readonly conditions: readonly Expression[];
  /** The value that is stored in this outcome; absent if the operation does not store. */
  readonly written?: Expression;
  readonly result: Expression;
}

/**
 * Returns the possible outcomes of the operation, for code without conditional expressions; `read`
 * is the expression for the value read.
 */
export function outcomesOf(operation: RmwOperation, read: Expression): readonly RmwOutcome[] {
  const meaning = rmwMeaning(operation);
  const stored = ofBoth(meaning.written, resultIf(true, meaning), read);
  const { condition } = meaning;
  if (!condition) return stored;
  return casesOf(condition, read).flatMap(({ conditions, value }): RmwOutcome[] => [
    ...stored.map((outcome) => ({
      ...outcome,
      conditions: [...conditions, value, ...outcome.conditions],
    })),
    ...casesOf(resultIf(false, meaning), read).map((result) => ({
      conditions: [...conditions, negate(value), ...result.conditions],
      result: result.value,
    })),
  ]);
}

function ofBoth(
  written: RmwExpression,
  result: RmwExpression,
  read: Expression,
): readonly (RmwOutcome & { readonly written: Expression })[] {
  return casesOf(written, read).flatMap((first) =>
    casesOf(result, read).map((second) => ({
      conditions: [...first.conditions, ...second.conditions],
      written: first.value,
      result: second.value,
    })),
  );
}

/** A possible value of an expression, with the conditions under which the expression has it. */
interface Case {
  readonly conditions: readonly Expression[];
  readonly value: Expression;
}

function casesOf(expression: RmwExpression, read: Expression): readonly Case[] {
  switch (expression.kind) {
    case 'old':
      return [{ conditions: [], value: read }];
    case 'constant':
    case 'register':
    case 'address':
    case 'element':
      return [{ conditions: [], value: expression }];
    case 'unary':
      return casesOf(expression.operand, read).map(({ conditions, value }) => ({
        conditions,
        value: unary(expression.operator, value),
      }));
    case 'binary':
      return casesOf(expression.left, read).flatMap((left) =>
        casesOf(expression.right, read).map((right) => ({
          conditions: [...left.conditions, ...right.conditions],
          value: binary(expression.operator, left.value, right.value),
        })),
      );
    case 'conditional':
      return casesOf(expression.condition, read).flatMap((test) => [
        ...under([...test.conditions, test.value], casesOf(expression.then, read)),
        ...under([...test.conditions, negate(test.value)], casesOf(expression.otherwise, read)),
      ]);
  }
}

function under(conditions: readonly Expression[], cases: readonly Case[]): readonly Case[] {
  return cases.map((each) => ({ ...each, conditions: [...conditions, ...each.conditions] }));
}
