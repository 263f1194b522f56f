import { mapParts, type Expression } from './expression.js';
import type { RegisterId } from './ids.js';
import type { Instruction } from './instruction.js';

/**
 * Returns the expression with registers replaced; registers for which `replacement` returns nothing
 * do not change.
 */
export function substituteRegisters(
  expression: Expression,
  replacement: (register: RegisterId) => Expression | undefined,
): Expression {
  return expression.kind === 'register'
    ? (replacement(expression.register) ?? expression)
    : mapParts(expression, (part) => substituteRegisters(part, replacement));
}

/** The members of instructions that are expressions. */
type ExpressionMember = {
  [K in Instruction['kind']]: MembersOf<Extract<Instruction, { readonly kind: K }>>;
}[Instruction['kind']];

type MembersOf<I> = { [M in keyof I]-?: Expression extends I[M] ? M : never }[keyof I];

/** An instruction of any kind, with its members of type `Expression`. */
type WithExpressions = Pick<Instruction, 'kind'> & Partial<Record<ExpressionMember, Expression>>;

/**
 * Whether the expression in a member of an instruction is an address or a value, by name of the
 * member. Operands of an rmw are values as well.
 */
const roles: Readonly<Record<ExpressionMember, 'address' | 'value'>> = {
  address: 'address',
  value: 'value',
  condition: 'value',
  where: 'value',
};

const expressionMembers = Object.entries(roles) as [ExpressionMember, 'address' | 'value'][];

/** The expressions evaluated by an instruction. */
export function operandsOf(instruction: Instruction): readonly Expression[] {
  const members: WithExpressions = instruction;
  return [
    ...expressionMembers.flatMap(([member]) => members[member] ?? []),
    ...(instruction.kind === 'rmw' ? instruction.operation.operands : []),
  ];
}

/**
 * Returns the instruction with `value` applied to its expressions for values, and `address` to its
 * expressions for addresses.
 */
export function mapInstruction<I extends Instruction>(
  step: I,
  value: (expression: Expression) => Expression,
  address = value,
): I {
  const members: WithExpressions = step;
  const mapped = { ...step };
  for (const [member, role] of expressionMembers) {
    const expression = members[member];
    if (expression)
      Object.assign(mapped, { [member]: (role === 'address' ? address : value)(expression) });
  }
  if (step.kind !== 'rmw') return mapped;
  const { operation } = step;
  return {
    ...mapped,
    operation: { ...operation, operands: operation.operands.map((operand) => value(operand)) },
  };
}
