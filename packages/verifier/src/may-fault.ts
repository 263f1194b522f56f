import type { Automata, Expression, Instruction, Thread } from './automata.js';
import { uses } from './control-flow.js';
import { expressionsOf, subtermsOf } from './liveness.js';

type Surroundings = Pick<Automata, 'symbols' | 'domain'>;

const faulting: ReadonlySet<string> = new Set([
  ...['+', '-', '*', '/', '%', '<<', '>>'],
  ...['/%', '%%', '<<%', '>>%'],
]);

/** Whether evaluating an expression may fault, judging by the text of the expression. */
function mayFaultIn({ symbols }: Surroundings, expression: Expression): boolean {
  return subtermsOf(expression).some((part) => {
    if (part.kind === 'unary') return part.operator === '-';
    if (part.kind === 'binary') return faulting.has(part.operator);
    if (part.kind !== 'element') return false;
    const { length, boundless } = symbols[part.symbol]!;
    const isInside =
      part.index.kind === 'constant' && part.index.value >= 0 && part.index.value < length;
    return !boundless && !isInside;
  });
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
  return uses({ threads }, (one) => asked(one) && mayFaultAt(around, one));
}

/** An assumption of answers about programs in which some execution ended in a fault. */
export const faultsEnd = 'executions that fault end there';

/**
 * Returns the assumption about faults of an answer found without a search for faults: none, if the
 * texts of the instructions exclude faults.
 */
export function supposedOfFaults(...asked: Parameters<typeof mayFault>): readonly string[] {
  return mayFault(...asked) ? [`${faultsEnd}, if there are any`] : [];
}
