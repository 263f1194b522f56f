import type { Expression, Instruction, Operation, Thread } from './automata.js';

/** The names of the members of `T` that are expressions. */
type ExpressionMember<T> = T extends unknown
  ? { [K in keyof T]-?: NonNullable<T[K]> extends Expression ? K : never }[keyof T]
  : never;

/** The members of instructions and operations that are expressions. */
const expressionMembers: Readonly<Record<ExpressionMember<Instruction | Operation>, true>> = {
  ...{ address: true, value: true, expected: true, desired: true },
  ...{ operand: true, condition: true, where: true },
};

/** Returns the expressions that an instruction evaluates. */
export function expressionsOf(instruction: Instruction): readonly Expression[] {
  const operation = instruction.kind === 'rmw' ? instruction.operation : {};
  return Object.entries({ ...instruction, ...operation }).flatMap(([name, member]) =>
    name in expressionMembers ? [member as Expression] : [],
  );
}

/** An expression over registers or over states. The members with its operands have these names. */
type Parts<E> = Partial<Record<'operand' | 'left' | 'right' | 'index', E>>;

/** Returns an expression and all its parts, each as often as it occurs. */
export function subtermsOf<E extends { readonly kind: string }>(expression: E): readonly E[] {
  const { operand, left, right, index } = expression as Parts<E>;
  const operands = [operand, left, right, index].filter((part) => part !== undefined);
  return [expression, ...operands.flatMap(subtermsOf)];
}

/** Returns the registers in an expression, once for each occurrence. */
export function registersOf(expression: Expression): readonly number[] {
  return subtermsOf(expression).flatMap((part) =>
    part.kind === 'register' ? [part.register] : [],
  );
}

/**
 * Whether the value of the instruction depends on the number that the executing copy has among the
 * copies of its thread.
 */
export function readsSelf(instruction: Instruction): boolean {
  return expressionsOf(instruction)
    .flatMap(subtermsOf)
    .some(({ kind }) => kind === 'self');
}

/**
 * Returns, indexed by location, the registers whose value matters at the location: some path reads
 * the register before assigning a new value, or the register is in `everywhere`. All other
 * registers can be set to 0.
 */
export function liveRegisters(
  thread: Thread,
  everywhere: Iterable<number> = [],
): readonly ReadonlySet<number>[] {
  const seen = [...everywhere];
  const live = thread.locations.map(() => new Set(seen));
  for (let hasGrown = true; hasGrown;) {
    hasGrown = false;
    for (const { from, to, instruction } of thread.transitions) {
      const into = 'into' in instruction ? instruction.into : undefined;
      const isHavoc = instruction.kind === 'havoc';
      const read = expressionsOf(instruction).flatMap(registersOf);
      const needed = [
        // The condition of a `havoc` sees the new value.
        ...read.filter((register) => !(isHavoc && register === into)),
        ...[...live[to]!].filter((register) => register !== into),
      ];
      const here = live[from]!;
      for (const register of needed) {
        if (here.has(register)) continue;
        here.add(register);
        hasGrown = true;
      }
    }
  }
  return live;
}
