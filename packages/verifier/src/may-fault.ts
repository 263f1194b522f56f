import type { Automata, Expression, Instruction, Thread } from './automata.js';
import { expressionsOf } from './liveness.js';

type Surroundings = Pick<Automata, 'symbols' | 'domain'>;

const faulting: ReadonlySet<string> = new Set([
  ...['+', '-', '*', '/', '%', '<<', '>>'],
  ...['/%', '%%', '<<%', '>>%'],
]);

/** Whether evaluating an expression may fault, judging by the text of the expression. */
function mayFaultIn(around: Surroundings, expression: Expression): boolean {
  switch (expression.kind) {
    case 'constant':
    case 'register':
    case 'self':
    case 'address':
      return false;
    case 'element': {
      const { index, symbol } = expression;
      const { length, boundless } = around.symbols[symbol]!;
      if (boundless || index.kind !== 'constant') return mayFaultIn(around, index) || !boundless;
      return index.value < 0 || index.value >= length;
    }
    case 'unary':
      return expression.operator === '-' || mayFaultIn(around, expression.operand);
    case 'binary':
      return (
        faulting.has(expression.operator) ||
        mayFaultIn(around, expression.left) ||
        mayFaultIn(around, expression.right)
      );
  }
}

/** Whether memory may hold every value that the expression can have. */
function isStorable({ domain }: Surroundings, value: Expression): boolean {
  if (!domain) return true;
  return value.kind === 'constant' && value.value >= domain.low && value.value <= domain.high;
}

function mayFaultAt(around: Surroundings, instruction: Instruction): boolean {
  if (expressionsOf(instruction).some((one) => mayFaultIn(around, one))) return true;
  switch (instruction.kind) {
    case 'store':
      return !isStorable(around, instruction.value);
    case 'rmw': {
      const { operation } = instruction;
      if (operation.kind === 'xchg') return !isStorable(around, operation.value);
      if (operation.kind === 'cas') return !isStorable(around, operation.desired);
      return around.domain !== undefined || ['add', 'sub'].includes(operation.operator);
    }
    default:
      return false;
  }
}

/**
 * Whether an execution of the threads may end in a fault of an instruction that satisfies `asked`,
 * judging by the texts of the instructions.
 */
export function mayFault(
  {
    threads,
    ...around
  }: Surroundings & { readonly threads: readonly Pick<Thread, 'transitions'>[] },
  asked: (instruction: Instruction) => boolean = () => true,
): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => asked(instruction) && mayFaultAt(around, instruction)),
  );
}

/** The assumption of an answer about a program in which some execution ended in a fault. */
export const faultsEnd = 'executions that fault end there';

/**
 * Returns the assumption on faults for an answer found without a search for faults: none, if the
 * texts of the instructions exclude faults.
 */
export function supposedOfFaults(...asked: Parameters<typeof mayFault>): readonly string[] {
  return mayFault(...asked) ? [`${faultsEnd}, if there are any`] : [];
}
