import { fact } from '@fencewright/ground/base/fact.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Expression } from '../program/expression.js';
import type { LocationId, ThreadId, TransitionId } from '../program/ids.js';
import type { Instruction } from '../program/instruction.js';
import type { Program, Thread } from '../program/program.js';
import { rmwMeaning, resultIf, type RmwExpression } from '../program/rmw.js';
import { computeControlFlow } from './control-flow.js';
import { MemoryValues } from './memory-values.js';
import { type RoughSet, widened } from './number-ends.js';
import {
  evaluateRough,
  evaluateSet,
  joinRough,
  rangeSet,
  refineBy,
  refineOnly,
  withValues,
} from './value-set.js';

/** Addresses that an instruction may touch: distinct and ascending; `any` if unknown. */
export type AddressSet = readonly number[] | 'any';

/**
 * The maximum number of visits to a location; at further visits, register values that still change
 * are approximated by `widened`, so that the visits end.
 */
const maxVisits = 500;
/**
 * The maximum number of rounds over all threads; in further rounds, the values of cells that still
 * change are approximated, so that the rounds end.
 */
const maxRounds = 8;

/**
 * Whether an execution continues after the given thread accesses the given address. If not, the
 * address is wrong and the execution ends there.
 */
type RightAddress = (thread: ThreadId, access: TransitionId, address: number) => boolean;

/**
 * The program, its memory values and further data needed to execute an instruction on sets of
 * values.
 */
interface SetContext {
  readonly program: Program;
  readonly memory: MemoryValues;
  readonly isRight?: RightAddress | undefined;
}

/**
 * The values that registers and memory may hold in any SC or TSO execution, computed by a closure
 * over all orders of the threads.
 */
export interface ValueClosure {
  /**
   * The value sets of the registers, indexed by `ThreadId`, by `LocationId`, by `RegisterId`;
   * `undefined` at unreachable locations.
   */
  readonly registers: readonly (readonly (readonly RoughSet[] | undefined)[])[];
  readonly memory: MemoryValues;
}

/**
 * Computes the value closure of a program: supersets of the values that registers and memory cells
 * may hold under any order of the threads' steps.
 */
export const computeValueClosure = fact((program: Program) => closeOverValues(program));

/**
 * Computes the value closure like `computeValueClosure`, but anew, and ends executions at accesses
 * to addresses for which `isRight` does not hold.
 */
export function closeOverValues(program: Program, isRight?: RightAddress): ValueClosure {
  const memory = new MemoryValues(program);
  const context: SetContext = { program, memory, isRight };
  for (let round = 1; ; round++) {
    memory.startRound(round > maxRounds);
    const registers = program.threads.map((thread, id) => computeRegisterSets(context, thread, id));
    if (!memory.hasGrown) return { registers, memory };
  }
}

/**
 * The addresses that each store, load and rmw may touch by a value closure of the program; indexed
 * by `ThreadId`, then by `TransitionId`, `undefined` for other instructions; empty at unreachable
 * instructions. If executions of the closure end at wrong addresses, the sets still contain these.
 */
export function addressSetsIn(
  program: Program,
  { registers }: ValueClosure,
): readonly (readonly (AddressSet | undefined)[])[] {
  return program.threads.map((thread, t) =>
    thread.transitions.map(({ from, instruction }) => {
      const address = addressOf(instruction);
      const before = registers[t]?.[from];
      if (!address) return undefined;
      return before ? evaluateSet(address, before, program.symbols) : [];
    }),
  );
}

/** The addresses that each store, load and rmw may touch in any SC or TSO execution. */
export const computeAddressSets = fact((program: Program) =>
  addressSetsIn(program, computeValueClosure(program)),
);

/** The address of a memory instruction; `undefined` for other instructions. */
export function addressOf(instruction: Instruction): Expression | undefined {
  switch (instruction.kind) {
    case 'store':
    case 'load':
    case 'rmw':
      return instruction.address;
    case 'fence':
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
    case 'assign':
    case 'assume':
    case 'assert':
    case 'skip':
    case 'havoc':
      return undefined;
    default:
      return unreachable(instruction);
  }
}

/**
 * Computes the values of the registers at each location (`undefined` at unreachable locations) by a
 * forward dataflow against the memory values known so far, and adds the thread's stores to the
 * memory values.
 */
function computeRegisterSets(
  context: SetContext,
  thread: Thread,
  of: ThreadId,
): readonly (readonly RoughSet[] | undefined)[] {
  const { program, isRight } = context;
  const { outgoing } = computeControlFlow(thread);
  const before: (readonly RoughSet[] | undefined)[] = thread.locations.map(() => undefined);
  before[thread.initial] = thread.registers.map(() => [0]);
  const visits = thread.locations.map(() => 0);
  const isPending = thread.locations.map(() => false);
  const pending: LocationId[] = [thread.initial];
  for (let next = 0; next < pending.length; next++) {
    const location = pending[next] ?? thread.initial;
    isPending[location] = false;
    const registers = before[location];
    if (!registers) continue;
    for (const id of outgoing[location] ?? []) {
      const transition = thread.transitions[id];
      if (!transition) continue;
      const { instruction } = transition;
      const address = isRight && addressOf(instruction);
      const going = address
        ? refineOnly(address, (value) => isRight(of, id, value), registers, program.symbols)
        : registers;
      const after = going && execute(context, instruction, going);
      if (!after) continue;
      const { to } = transition;
      const known = before[to];
      const widens = (visits[to] ?? 0) > maxVisits;
      const joined = known ? joinTables(known, after, widens) : after;
      if (joined === known) continue;
      before[to] = joined;
      visits[to] = (visits[to] ?? 0) + 1;
      if (isPending[to]) continue;
      isPending[to] = true;
      pending.push(to);
    }
  }
  return before;
}

/**
 * The union of two tables of register values, register by register, with growing sets approximated
 * if `widens`; returns `known` itself if nothing is new.
 */
function joinTables(
  known: readonly RoughSet[],
  added: readonly RoughSet[],
  widens: boolean,
): readonly RoughSet[] {
  const joined = known.map((values, register) => {
    const union = joinRough(values, added[register] ?? 'any');
    return union === values || !widens ? union : widened(values, union);
  });
  return joined.every((values, register) => values === known[register]) ? known : joined;
}

/**
 * Executes an instruction on sets of values: returns the registers after the instruction,
 * `undefined` if the instruction cannot be executed. Stored values are added to the memory values.
 */
function execute(
  context: SetContext,
  instruction: Instruction,
  registers: readonly RoughSet[],
): readonly RoughSet[] | undefined {
  const { program, memory } = context;
  const { symbols } = program;
  switch (instruction.kind) {
    case 'store':
      memory.write(
        evaluateSet(instruction.address, registers, symbols),
        evaluateRough(instruction.value, registers, symbols),
      );
      return registers;
    case 'load': {
      const addresses = evaluateSet(instruction.address, registers, symbols);
      return withValues(registers, instruction.into, memory.read(addresses));
    }
    case 'rmw': {
      const addresses = evaluateSet(instruction.address, registers, symbols);
      const old = memory.read(addresses);
      const { into, operation } = instruction;
      const meaning = rmwMeaning(operation);
      const valuesOf = (expression: RmwExpression): RoughSet =>
        evaluateRough(expression, registers, symbols, old);
      memory.write(addresses, valuesOf(meaning.written));
      if (into === undefined) return registers;
      const [stored, loaded] = [true, false].map((isStored) =>
        valuesOf(resultIf(isStored, meaning)),
      );
      return withValues(registers, into, joinRough(loaded!, stored!));
    }
    case 'assign':
      return withValues(
        registers,
        instruction.into,
        evaluateRough(instruction.value, registers, symbols),
      );
    case 'assume':
      return refineBy(instruction.condition, true, registers, symbols);
    case 'havoc': {
      const range = instruction.range ?? program.domain;
      const chosen = withValues(
        registers,
        instruction.into,
        range ? rangeSet(range.low, range.high) : 'any',
      );
      if (!chosen || !instruction.where) return chosen;
      return refineBy(instruction.where, true, chosen, symbols);
    }
    case 'assert':
    case 'fence':
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
    case 'skip':
      return registers;
    default:
      return unreachable(instruction);
  }
}
