import { type Expression, type Instruction, isIdle, type Thread } from './automata.js';
import { unreachable } from './unreachable.js';

/** Returns the expressions that an instruction evaluates. */
export function expressionsOf(instruction: Instruction): readonly Expression[] {
  if (isIdle(instruction)) return [];
  switch (instruction.kind) {
    case 'store':
      return [instruction.address, instruction.value];
    case 'load':
      return [instruction.address];
    case 'rmw': {
      const { address, operation } = instruction;
      switch (operation.kind) {
        case 'xchg':
          return [address, operation.value];
        case 'cas':
          return [address, operation.expected, operation.desired];
        case 'fetch':
          return [address, operation.operand];
        default:
          return unreachable(operation);
      }
    }
    case 'assign':
      return [instruction.value];
    case 'assume':
    case 'assert':
      return [instruction.condition];
    case 'havoc':
      return instruction.where ? [instruction.where] : [];
    case 'fence':
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
      return [];
    default:
      return unreachable(instruction);
  }
}

/** Returns the registers in an expression, once for each occurrence. */
export function registersOf(expression: Expression): readonly number[] {
  switch (expression.kind) {
    case 'constant':
    case 'self':
    case 'address':
      return [];
    case 'register':
      return [expression.register];
    case 'element':
      return registersOf(expression.index);
    case 'unary':
      return registersOf(expression.operand);
    case 'binary':
      return [...registersOf(expression.left), ...registersOf(expression.right)];
    default:
      return unreachable(expression);
  }
}

/** Whether the value of the instruction depends on the number of the executing copy of a thread. */
export function readsSelf(instruction: Instruction): boolean {
  const within = (expression: Expression): boolean => {
    switch (expression.kind) {
      case 'self':
        return true;
      case 'element':
        return within(expression.index);
      case 'unary':
        return within(expression.operand);
      case 'binary':
        return within(expression.left) || within(expression.right);
      default:
        return false;
    }
  };
  return expressionsOf(instruction).some(within);
}

/**
 * Returns, indexed by location, the registers whose value matters at the location: some path reads
 * the register before assigning a new value, or the register is in `everywhere`. All other
 * registers can be taken for 0.
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
