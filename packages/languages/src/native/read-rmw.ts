import type { Expression } from '@fencewright/model/program/expression.js';
import { constantValue } from '@fencewright/model/program/evaluate.js';
import { canFail, isRmwName, rmwKinds, type RmwName } from '@fencewright/model/program/rmw.js';
import {
  cannotBeWeak,
  type Diagnostic,
  unknownWord,
  wrongOperand,
} from '@fencewright/ground/source/diagnostic.js';
import type { RmwInstruction } from '@fencewright/model/program/instruction.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import { accessOperands, isAccessName, refusePlain } from './read-access.js';
import { readOrder } from './read-order.js';
import type { ProblemList } from './problem-list.js';
import { type SharedScope, checkDomain } from './scope.js';
import type { CallTerm, CellTerm, NativeTerm } from './term.js';

/** A read-modify-write as written, with operands that are not lowered yet. */
interface RmwCall {
  readonly cell: CellTerm;
  readonly operands: readonly NativeTerm[];
  /** Whether the last operand of the operation is the value to be stored. */
  readonly storesLast: boolean;
  /** Whether the read-modify-write may fail at any time, without effect. */
  readonly isWeak: boolean;
  readonly name: RmwName;
  readonly order?: MemoryOrder;
  /** The memory order of the load if the operation stores nothing. */
  readonly failureOrder?: MemoryOrder;
}

/** The prefix of operations that may fail at any time, without effect. */
const weak = 'weak_';

/** Operations of C, C++ and the Linux kernel, with hints for this language. */
const habits: readonly (readonly [RegExp, string])[] = [
  [
    /fence|^(smp_)?mb$|sync_synchronize/,
    "a full fence is the statement 'fence;', a weaker one fence(acquire); or fence(release);",
  ],
  [
    /^smp_(rmb|wmb|load_acquire|store_release)|barrier/,
    'write load(x, acquire), store(x, e, release), fence(acquire) or fence(release)',
  ],
  [/exchange_(weak|strong)|cmpxchg|compare/, 'write cas(x, old, new)'],
  [/exchange|swap|test_and_set|smp_store_mb/, 'write xchg(x, value)'],
  [/^await/i, 'write the statement await (x == 1);'],
  [/^always/i, 'write property p: never (...) outside of the threads, or assert here'],
  [/inc|add/, 'write fetch_add(x, 1)'],
  [/dec|sub/, 'write fetch_sub(x, 1)'],
  [/^(atomic_)?(load|read)|read_once/i, 'a load is written r = x, or r = load(x, acquire)'],
  [/^(atomic_)?(store|write)|write_once/i, 'a store is written x = e, or store(x, e, release)'],
];

/**
 * The number of operands before the memory orders of the operation called `name`; `undefined` if
 * there is no such operation.
 */
export function operandCount(name: string): number | undefined {
  if (isAccessName(name)) return accessOperands[name];
  if (name === 'await') return 1;
  const rmw = name.startsWith(weak) ? name.slice(weak.length) : name;
  return isRmwName(rmw) ? rmwKinds[rmw].operands.length + 1 : undefined;
}

function unknownOperation({ span, name }: CallTerm): Diagnostic {
  const hint = habits.find(([pattern]) => pattern.test(name))?.[1];
  return unknownWord(span, 'operation', name, Object.keys(rmwKinds), hint);
}

function noOperation(call: CallTerm, { bodies }: SharedScope): Diagnostic {
  const role = bodies.get(call.name)?.role;
  if (!role) return unknownOperation(call);
  const hint = `call a procedure by a statement: call ${call.name}(...)`;
  return wrongOperand(call.span, `'${call.name}' is ${article[role]}, and has no result`, hint);
}

const article = { event: 'an event', procedure: 'a procedure' } as const;

/** Returns the read-modify-write that a call means; `undefined` after a reported error. */
export function readRmw(
  call: CallTerm,
  shared: SharedScope,
  problems: ProblemList,
): RmwCall | undefined {
  const isWeak = call.name.startsWith(weak);
  const name = isWeak ? call.name.slice(weak.length) : call.name;
  if (!isRmwName(name)) {
    problems.add(noOperation(call, shared));
    return undefined;
  }
  const { operands: operandNames } = rmwKinds[name];
  const storesLast = canFail(name);
  if (isWeak && !storesLast) {
    problems.add(cannotBeWeak(call.span, name));
    return undefined;
  }
  const usage = `write ${call.name}(x, ${operandNames.join(', ')})`;
  const [cell, ...rest] = call.arguments;
  const wanted = operandNames.length;
  const operands = rest.slice(0, wanted);
  const orders = rest.slice(wanted);
  if (!cell || operands.length !== wanted || orders.length > (name === 'cas' ? 2 : 1)) {
    const message = `${call.name} takes ${wanted + 1} operands, not ${call.arguments.length}`;
    problems.add(wrongOperand(call.span, message, usage));
    return undefined;
  }
  if (cell.kind !== 'name' && cell.kind !== 'memory') {
    const message = `the first operand of ${call.name} is a shared variable`;
    problems.add(wrongOperand(cell.span, message, usage));
    return undefined;
  }
  refusePlain(cell, call.name, shared, problems);
  const [order, failureOrder] = orders.map((term, i) =>
    readOrder(term, i === 0 ? 'rmw' : 'failure', problems),
  );
  return {
    ...{ cell, operands, storesLast, isWeak, name },
    ...(order && { order }),
    ...(failureOrder && { failureOrder }),
  };
}

/** Returns the orders that the operation names, as members of its instruction. */
export function ordersOf({
  order,
  failureOrder,
}: RmwCall): Pick<RmwInstruction, 'order' | 'failureOrder'> {
  return { ...(order && { order }), ...(failureOrder && { failureOrder }) };
}

/** Reports a constant operand that may be stored although it lies outside the domain. */
export function checkStoredValue(
  { operands: terms, storesLast }: RmwCall,
  operands: readonly Expression[],
  shared: SharedScope,
  problems: ProblemList,
): void {
  const stored = operands.at(-1);
  const term = terms.at(-1);
  if (storesLast && stored && term)
    checkDomain(shared, constantValue(stored, shared.symbols), term.span, problems);
}
