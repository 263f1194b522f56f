import { refuseHeavyFence } from '@fencewright/model/program/heavy-fences.js';
import { findReadAbstractions } from '@fencewright/model/analysis/guesses.js';
import {
  binary,
  constant,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId, TransitionId } from '@fencewright/model/program/ids.js';
import {
  isIdle,
  isLocal,
  refuseHandOver,
  type Instruction,
} from '@fencewright/model/program/instruction.js';
import type { Domain, Program, Thread, Transition } from '@fencewright/model/program/program.js';
import { rmwMeaning } from '@fencewright/model/program/rmw.js';
import { findWeakRmws } from '@fencewright/model/program/weak-rmw.js';
import type { OperationEdge, Operation } from './operation.js';

type Havoc = Instruction & { readonly kind: 'havoc' };

/**
 * Returns the edges of a thread, including edges of dead code. The load and the `havoc` of a read
 * abstraction become one edge, unless the location between the two is `observed`.
 */
export function computeEdges(
  thread: Thread,
  { domain }: Program,
  observed: ReadonlySet<LocationId>,
): readonly OperationEdge[] {
  const abstractions = findReadAbstractions(thread, observed);
  const merged = new Set(abstractions.map(({ havoc }) => havoc));
  const weak = new Set(findWeakRmws(thread).map(({ rmw }) => rmw));
  return thread.transitions.flatMap((transition, id) => {
    if (merged.has(id)) return [];
    const abstraction = abstractions.find(({ load }) => load === id);
    const havoc = abstraction && thread.transitions[abstraction.havoc];
    if (transition.instruction.kind === 'load' && havoc?.instruction.kind === 'havoc')
      return [guessEdge(transition, transition.instruction, havoc.to, havoc.instruction, id)];
    const operations = operationsOf(transition.instruction, domain);
    return (weak.has(id) ? operations.flatMap(withEffect) : operations).map((operation) => ({
      from: transition.from,
      to: transition.to,
      operation,
      transition: id,
    }));
  });
}

/**
 * Returns the part of a weak rmw's operation that changes the cell; all other outcomes equal a
 * failure of the rmw. An operation without a store has no such part; of an unconditional store, the
 * part is the case that the value changes.
 */
function withEffect(operation: Operation): readonly Operation[] {
  if (operation.kind !== 'rmw') return [operation];
  if (!operation.stores) return [];
  return [
    rmwMeaning(operation.operation).condition ? operation : { ...operation, mustChange: true },
  ];
}

function guessEdge(
  { from }: Transition,
  load: Instruction & { readonly kind: 'load' },
  to: number,
  havoc: Havoc,
  transition: TransitionId,
): OperationEdge {
  const { into, range, where } = havoc;
  const condition = both(where, range && within(into, range)) ?? constant(1);
  const operation = { kind: 'guess', into, address: load.address, through: load.into, condition };
  return { from, to, operation: operation as Operation, transition };
}

function both(a: Expression | undefined, b: Expression | undefined): Expression | undefined {
  return a && b ? binary('&&', a, b) : (a ?? b);
}

function within(register: RegisterId, { low, high }: Domain): Expression {
  const value = registerValue(register);
  return binary('&&', binary('>=', value, constant(low)), binary('<=', value, constant(high)));
}

function operationsOf(instruction: Instruction, domain: Domain | undefined): readonly Operation[] {
  if (isIdle(instruction) && isLocal(instruction)) return [{ kind: 'skip' }];
  switch (instruction.kind) {
    case 'rmw':
      refuseHandOver(instruction);
      return rmwOperations(instruction);
    case 'havoc': {
      const { into, range = domain, where } = instruction;
      const condition = both(where, range && within(into, range));
      return [{ kind: 'choose', into, ...(condition && { condition }) }];
    }
    // In programs without gates, a thread continues after a failed assertion; whether the assertion
    // holds is a different question.
    case 'assert':
      return [{ kind: 'skip' }];
    case 'heavy-fence':
      return refuseHeavyFence();
    case 'store':
    case 'load':
    case 'assign':
    case 'assume':
    case 'fence':
    case 'lock':
    case 'unlock':
      return [instruction];
  }
}

/** Returns the operations of an rmw: two if the rmw stores under a condition, otherwise one. */
export function rmwOperations({
  into,
  address,
  operation,
}: Instruction & { readonly kind: 'rmw' }): readonly Operation[] {
  const result = into === undefined ? {} : { into };
  const outcomes = rmwMeaning(operation).condition ? [true, false] : [true];
  return outcomes.map((stores) => ({ kind: 'rmw', ...result, address, operation, stores }));
}
