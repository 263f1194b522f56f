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

/**
 * What the expressions of a read-modify-write are about: besides registers, the value that it
 * reads.
 */
export type RmwLeaf =
  | ThreadLeaf
  | { readonly kind: 'old' }
  /** `condition ? then : otherwise`; only what is chosen is evaluated. */
  | {
      readonly kind: 'conditional';
      readonly condition: RmwExpression;
      readonly then: RmwExpression;
      readonly otherwise: RmwExpression;
    };

export type RmwExpression = Expression<RmwLeaf>;

/** What a read-modify-write does, as expressions over the value that it reads. */
interface RmwMeaning {
  /**
   * It stores iff this is not 0, and is a load otherwise; absent if it always stores. Evaluated
   * first.
   */
  readonly condition?: RmwExpression;
  /** What it stores; evaluated only if it does. */
  readonly written: RmwExpression;
  /** What its register gets. */
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
 * What the operations store that give the old value and compute the new one from it and an operand.
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

/** The name of an operation, as it is written in the native language. */
export type RmwName = 'xchg' | 'cas' | FetchName;

/** An operation that there is by this name. */
interface RmwKind {
  /** What its operands are called in messages. */
  readonly operands: readonly string[];
  readonly means: (operands: readonly Expression[]) => RmwMeaning;
}

const fetchKinds = Object.fromEntries(
  Object.entries(fetched).map(([name, written]): [string, RmwKind] => [
    `fetch_${name}`,
    { operands: ['operand'], means: ([operand]) => ({ written: written(operand!), result: old }) },
  ]),
) as Readonly<Record<FetchName, RmwKind>>;

/** All operations: what they are called, what their operands are, and what they do. */
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

/** Whether there is an operation of this name. */
export function isRmwName(name: string): name is RmwName {
  return Object.hasOwn(rmwKinds, name);
}

/** A read-modify-write: what it is called, and its operands. */
export interface RmwOperation {
  readonly name: RmwName;
  /** As many as `rmwKinds` says, in that order. */
  readonly operands: readonly Expression[];
}

/** What the operation does. */
export function meaningOf({ name, operands }: RmwOperation): RmwMeaning {
  return rmwKinds[name].means(operands);
}

/**
 * What the register gets if the operation stores, or if it does not: whether it does is known then.
 */
export function resultIf(isStored: boolean, { condition, result }: RmwMeaning): RmwExpression {
  return result === condition ? constant(isStored ? 1 : 0) : result;
}

/** Whether the expression is over registers only. */
export function isWithoutOld(expression: RmwExpression): expression is Expression {
  return !hasPart<RmwLeaf>(expression, ({ kind }) => kind === 'old' || kind === 'conditional');
}

/**
 * What the operation gives whenever it leaves the cell as it was; absent where that depends on the
 * cell. A failing `cas` gives 0, and an `xchg` that finds the value that it stores gives this
 * value.
 */
export function resultOfFailure(operation: RmwOperation): Expression | undefined {
  const meaning = meaningOf(operation);
  const result = resultIf(false, meaning);
  if (meaning.condition && isWithoutOld(result)) return result;
  const { written } = meaning;
  return !meaning.condition && result === old && isWithoutOld(written) ? written : undefined;
}

/**
 * Whether operations of this name can leave their cells as they are with a result that does not
 * depend on these.
 */
export function canFail(name: RmwName): boolean {
  const operands = rmwKinds[name].operands.map(() => constant(0));
  return resultOfFailure({ name, operands }) !== undefined;
}

/** One way in which an operation can go; all conditions hold in exactly one of them. */
interface RmwOutcome {
  readonly conditions: readonly Expression[];
  /** Absent if it does not store. */
  readonly written?: Expression;
  readonly result: Expression;
}

/**
 * The ways in which the operation can go, for what has no conditional expressions; `read` stands
 * for the value that it reads.
 */
export function outcomesOf(operation: RmwOperation, read: Expression): readonly RmwOutcome[] {
  const meaning = meaningOf(operation);
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

/** A value, and when an expression has it. */
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
