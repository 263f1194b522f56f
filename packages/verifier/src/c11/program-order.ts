import type { Automata, Expression, Instruction, Order, Thread, Transition } from '../automata.js';
import { insideBlock } from '../control-flow.js';
import { evaluate } from '../evaluate.js';
import { Fault } from '../operators.js';
import { choiceBehindExchange } from './exchange-choice.js';
import { expressionsOf, registersOf } from '../liveness.js';
import { acquires, releases } from './monitor.js';
import { ordersOf } from './thread-steps.js';

type Access = Extract<Instruction, { readonly address: Expression }>;
type Orders = ReturnType<typeof ordersOf>;

/** A location after a load, and the registers whose values depend on the load. */
interface Behind {
  readonly location: number;
  readonly dependent: ReadonlySet<number>;
}

/**
 * Whether orders and dependencies keep every load before all later stores of its thread. If so, no
 * execution has a cycle of program order and reads-from: such a cycle leads, in each thread, from a
 * load to a later store. These stores are kept after a load: all later stores, if the load
 * acquires; stores after a fence; releasing stores; stores to the same cell; stores whose value or
 * address depends on the load; and stores after a condition or an address that depends on the
 * load. Conditions beside faults and after assertions do not count, and neither do conditions that
 * only choose values of registers by the result of an exchange: see `choiceBehindExchange`.
 */
export function keepsLoadsFirst(automata: Automata): boolean {
  return automata.threads.every((thread) => {
    const sections = ordersOfSections(thread);
    return thread.transitions.every((load) => !mayBeOvertaken(automata, thread, sections, load));
  });
}

/** Returns the memory orders of sections under the bus lock, by the locations inside. */
function ordersOfSections(thread: Thread): ReadonlyMap<number, Orders> {
  const found = new Map<number, Orders>();
  for (const { to, instruction } of thread.transitions) {
    if (instruction.kind !== 'lock') continue;
    for (const place of insideBlock(thread, to)) {
      const isShared = found.has(place);
      found.set(place, ordersOf(isShared ? { kind: 'lock', order: 'relaxed' } : instruction));
    }
  }
  return found;
}

function mayBeOvertaken(
  automata: Automata,
  thread: Thread,
  sections: ReadonlyMap<number, Orders>,
  load: Transition,
): boolean {
  const { instruction } = load;
  if (instruction.kind !== 'load' && instruction.kind !== 'rmw') return false;
  if (instruction.kind === 'rmw' && instruction.isStore) return false;
  // A lock section counts as one read-modify-write, whatever memory orders its accesses have.
  const { order, failureOrder } = sections.get(load.from) ?? ordersOf(instruction);
  if (acquires(order) && acquires(failureOrder)) return false;
  const cell = fixedAddress(automata, thread, instruction);
  const dependent = new Set(instruction.into === undefined ? [] : [instruction.into]);
  const work: Behind[] = [{ location: load.to, dependent }];
  const seen = new Set<string>();
  for (let place = work.pop(); place; place = work.pop()) {
    const name = `${place.location} ${[...place.dependent].sort((a, b) => a - b).join()}`;
    if (seen.has(name)) continue;
    seen.add(name);
    const choice = choiceBehindExchange(thread, place.location, place.dependent);
    if (choice) {
      const sets = new Set([...place.dependent, ...choice.sets]);
      work.push({ location: choice.join, dependent: sets });
      continue;
    }
    for (const { from, to, instruction: next } of thread.transitions) {
      if (from !== place.location) continue;
      const overtakes = (order: Order, store: Access): boolean =>
        !releases(order) &&
        !dependsOn(next, place.dependent) &&
        (cell === undefined || fixedAddress(automata, thread, store) !== cell);
      if (next.kind === 'store' || next.kind === 'rmw')
        if (overtakes((sections.get(from) ?? ordersOf(next)).order, next)) return true;
      const isFence = isOrdering(next) && !sections.has(from);
      const isGuard = next.kind === 'assume' && (next.cutsOff ?? isBesideFaults(thread, from, to));
      const left = isFence
        ? undefined
        : isGuard
          ? place.dependent
          : dependentBehind(next, place.dependent);
      if (left) work.push({ location: to, dependent: left });
    }
  }
  return false;
}

/** Whether the thread, at the location, always divides by zero or fails an assertion. */
function faultsAt({ transitions }: Thread, location: number): boolean {
  const leaving = transitions.filter(({ from }) => from === location);
  return (
    leaving.length > 0 &&
    leaving.every(({ instruction }) => {
      if (instruction.kind === 'assert') return isZero(instruction.condition);
      if (instruction.kind !== 'assign' || instruction.value.kind !== 'binary') return false;
      const { operator, right } = instruction.value;
      if (operator !== '/' || right.kind !== 'binary' || right.operator !== '!=') return false;
      return JSON.stringify(right.left) === JSON.stringify(right.right);
    })
  );
}

function isZero(expression: Expression): boolean {
  return expression.kind === 'constant' && expression.value === 0;
}

/**
 * Whether all other transitions from `from` lead at once to a fault or a failing assertion. Front
 * ends add such conditions, and release builds have no assertions: compiled code has no branch
 * there, so later stores do not wait for the condition.
 */
function isBesideFaults(thread: Thread, from: number, to: number): boolean {
  const others = thread.transitions.filter((one) => one.from === from && one.to !== to);
  return others.length > 0 && others.every((one) => faultsAt(thread, one.to));
}

/** Returns the address of an access if it is the same in all executions; otherwise `undefined`. */
function fixedAddress(
  { symbols }: Automata,
  { copy }: Thread,
  { address }: Access,
): number | undefined {
  if (registersOf(address).length > 0) return undefined;
  try {
    return evaluate(address, [], symbols, copy?.index);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/**
 * Whether every evaluation of the expression reads one of the registers: `&&` and `||` may leave
 * out the right side.
 */
function alwaysReads(expression: Expression, registers: ReadonlySet<number>): boolean {
  if (expression.kind === 'unary') return alwaysReads(expression.operand, registers);
  if (expression.kind !== 'binary')
    return registersOf(expression).some((register) => registers.has(register));
  const { operator, left, right } = expression;
  const isLazy = operator === '&&' || operator === '||';
  return alwaysReads(left, registers) || (!isLazy && alwaysReads(right, registers));
}

function dependsOn(instruction: Instruction, registers: ReadonlySet<number>): boolean {
  return expressionsOf(instruction).some((one) => alwaysReads(one, registers));
}

/** Whether the instruction is a fence that orders earlier loads before later stores. */
function isOrdering(instruction: Instruction): boolean {
  if (instruction.kind !== 'skip') return instruction.kind === 'fence';
  const { fence = 'relaxed' } = instruction;
  return acquires(fence) || releases(fence);
}

/**
 * Returns the dependent registers after an instruction; `undefined` if all later stores are ordered
 * after the load.
 */
function dependentBehind(
  instruction: Instruction,
  dependent: ReadonlySet<number>,
): ReadonlySet<number> | undefined {
  switch (instruction.kind) {
    case 'assume':
      return alwaysReads(instruction.condition, dependent) ? undefined : dependent;
    case 'assign':
    case 'havoc': {
      const next = new Set(dependent);
      const depends = instruction.kind === 'assign' && alwaysReads(instruction.value, dependent);
      if (depends) next.add(instruction.into);
      else next.delete(instruction.into);
      return next;
    }
    case 'load':
    case 'rmw': {
      if (alwaysReads(instruction.address, dependent)) return undefined;
      // The result of a load or rmw counts as independent, even if a compare-and-swap compares with
      // a dependent value.
      if (instruction.into === undefined) return dependent;
      const next = new Set(dependent);
      next.delete(instruction.into);
      return next;
    }
    case 'store':
      return alwaysReads(instruction.address, dependent) ? undefined : dependent;
    default:
      return dependent;
  }
}
