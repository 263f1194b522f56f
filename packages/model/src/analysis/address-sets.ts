import { at } from '@fencewright/ground/base/at.js';
import { fact } from '@fencewright/ground/base/fact.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Expression } from '../program/expression.js';
import type { LocationId, RegisterId, ThreadId, TransitionId } from '../program/ids.js';
import {
  isAccess,
  isWithoutValues,
  readsCell,
  writesCell,
  type Instruction,
} from '../program/instruction.js';
import type { Program, Thread } from '../program/program.js';
import { rmwMeaning, resultIf, type RmwExpression } from '../program/rmw.js';
import {
  computeControlFlow,
  computeForwardOrder,
  computeReachableAvoiding,
} from './control-flow.js';
import { instructionAccess, listLiveRegisters } from './liveness.js';
import { type AccessSite, MemoryValues, type StoreOrder } from './memory-values.js';
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
 * The maximum number of visits to a location in the computation of value sets; at further visits,
 * the function `widened` approximates register values that still change, so that the visits end.
 */
const maxVisits = 500;
/**
 * The maximum number of rounds over all threads in the computation of value sets; in further
 * rounds, the values of cells that still change are approximated, so that the rounds end.
 */
const maxRounds = 8;

/**
 * Whether an execution continues after the given thread accesses the given address. If not, the
 * execution ends there, because the address is wrong.
 */
type RightAddress = (thread: ThreadId, access: TransitionId, address: number) => boolean;

/**
 * Returns the values, among the possible values `old` of the cell, with which an execution
 * continues after the read-modify-write of the given thread.
 */
type RightOld = (thread: ThreadId, access: TransitionId, old: RoughSet) => RoughSet;

/**
 * The data needed to execute an instruction on sets of values: the program, and the values that
 * memory may hold.
 */
interface SetContext {
  readonly program: Program;
  readonly memory: MemoryValues;
  readonly isRight?: RightAddress | undefined;
  readonly rightOld?: RightOld | undefined;
}

/**
 * The values that registers and memory may hold in any SC or TSO execution, computed by a closure
 * over all orders of the threads.
 */
export interface ValueClosure {
  /**
   * The sets of possible values of the registers, indexed by `ThreadId`, by `LocationId`, by
   * `RegisterId`; `undefined` at unreachable locations. The sets of dead registers are arbitrary.
   */
  readonly registers: readonly (readonly (readonly RoughSet[] | undefined)[])[];
  readonly memory: MemoryValues;
}

/**
 * Computes supersets of the values that registers and memory cells of a program may hold under any
 * order of the threads' steps.
 */
export const computeValueClosure = fact((program: Program) => closeOverValues(program));

/**
 * Options for computing value sets: facts about the executions of a program that are known
 * beforehand.
 */
interface ClosureOptions {
  /**
   * Executions end at each access for which this function returns false; if absent, they end at no
   * access.
   */
  readonly isRight?: RightAddress;
  /**
   * Executions end at each read-modify-write that reads a value which this function does not
   * return; if absent, they end at no read-modify-write.
   */
  readonly rightOld?: RightOld;
  /**
   * Whether each thread of the program runs once, as a single copy. Then a load does not return
   * values that its own thread stores only after the load.
   */
  readonly isOneCopy?: boolean;
}

/**
 * Computes the same supersets of register and memory values as `computeValueClosure`, using further
 * facts about the program's executions. The result is not cached.
 */
export function closeOverValues(
  program: Program,
  { isRight, rightOld, isOneCopy = false }: ClosureOptions = {},
): ValueClosure {
  const isOrdered = isOneCopy && orderingCost(program) <= mostOrderingCost;
  const memory = new MemoryValues(program, isOrdered ? storeOrderOf(program) : undefined);
  const context: SetContext = { program, memory, isRight, rightOld };
  const threads = program.threads.map((thread, id) => new RegisterValues(context, thread, id));
  for (let round = 1; ; round++) {
    memory.startRound(round > maxRounds);
    for (const thread of threads) thread.visit();
    if (!memory.hasGrown) return { registers: threads.map(({ before }) => before), memory };
    for (const thread of threads) thread.visitLoads();
  }
}

/**
 * The maximum cost of relating loads to the order of stores; the cost is the number of pairs of a
 * store and a location. For a program with a larger cost, such as one with a loop that is copied
 * for each known number, the order is ignored, so the value sets are larger.
 */
const mostOrderingCost = 4_000_000;

/** Returns the number of pairs of a store and a location of the same thread, over all threads. */
function orderingCost({ threads }: Program): number {
  const costs = threads.map(
    ({ transitions, locations }) =>
      transitions.filter(({ instruction }) => writesCell(instruction)).length * locations.length,
  );
  return costs.reduce((sum, cost) => sum + cost, 0);
}

/**
 * Returns whether a store of a thread may be executed before a load of the same thread, by control
 * flow.
 */
function storeOrderOf({ threads }: Program): StoreOrder {
  const behind = threads.map(() => new Map<LocationId, readonly boolean[]>());
  return (id, store, load) => {
    const thread = at(threads, id);
    const { to } = at(thread.transitions, store);
    let reached = at(behind, id).get(to);
    if (!reached)
      at(behind, id).set(to, (reached = computeReachableAvoiding(thread, to, () => false)));
    return at(reached, at(thread.transitions, load).from);
  };
}

/**
 * For each store, load and rmw, the addresses that it may access if registers have the values of
 * the closure (the computed supersets of their values); indexed by `ThreadId`, then by
 * `TransitionId`, `undefined` for other instructions; empty at unreachable instructions. The sets
 * also contain the wrong addresses at which executions of the closure end.
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

/**
 * For each store, load and rmw, the addresses that it may access in any SC or TSO execution;
 * indexed by `ThreadId`, then by `TransitionId`.
 */
export const computeAddressSets = fact((program: Program) =>
  addressSetsIn(program, computeValueClosure(program)),
);

/** The address of a memory instruction; `undefined` for other instructions. */
export function addressOf(instruction: Instruction): Expression | undefined {
  return isAccess(instruction) ? instruction.address : undefined;
}

/**
 * The possible values of a thread's registers at each location, computed by a forward dataflow from
 * the memory values known so far. Sets only grow, so each round starts with the sets of the
 * previous round.
 */
class RegisterValues {
  /**
   * The sets of possible values of the registers at each location; `undefined` at unreachable
   * locations. Dead registers are `any` where paths join.
   */
  readonly before: (readonly RoughSet[] | undefined)[];
  readonly #context: SetContext;
  readonly #thread: Thread;
  readonly #id: ThreadId;
  /** By location, whether the number of incoming transitions differs from one. */
  readonly #isJoint: readonly boolean[];
  /**
   * The live registers of each location to which no transition or several transitions lead; indexed
   * by `LocationId`.
   */
  readonly #live: readonly (readonly RegisterId[])[];
  readonly #isPending: boolean[];

  constructor(context: SetContext, thread: Thread, id: ThreadId) {
    this.#context = context;
    this.#thread = thread;
    this.#id = id;
    const { incoming } = computeControlFlow(thread);
    this.#isJoint = incoming.map(
      ({ length }, location) => length !== 1 || location === thread.initial,
    );
    this.#live = listLiveRegisters(thread, instructionAccess, [], this.#isJoint);
    this.#isPending = thread.locations.map(() => false);
    this.before = thread.locations.map(() => undefined);
    this.before[thread.initial] = this.#masked(
      thread.initial,
      thread.registers.map(() => [0]),
    );
    this.#isPending[thread.initial] = true;
  }

  /** Begins a round: all loads are to be executed again. */
  visitLoads(): void {
    for (const { from, instruction } of this.#thread.transitions)
      if (readsCell(instruction)) this.#isPending[from] = true;
  }

  /**
   * Executes the instructions at pending locations until no set grows, and adds the stored values
   * to the memory values.
   */
  visit(): void {
    const { before } = this;
    const { outgoing } = computeControlFlow(this.#thread);
    const order = computeForwardOrder(this.#thread);
    const visits = before.map(() => 0);
    for (let isAny = true; isAny;) {
      isAny = false;
      for (const location of order) {
        const registers = before[location];
        if (!this.#isPending[location] || !registers) continue;
        this.#isPending[location] = false;
        isAny = true;
        for (const id of outgoing[location] ?? []) this.#follow(id, registers, visits);
      }
    }
  }

  #follow(id: TransitionId, registers: readonly RoughSet[], visits: number[]): void {
    const { program, isRight } = this.#context;
    const { instruction, to } = at(this.#thread.transitions, id);
    const address = isRight && addressOf(instruction);
    const going = address
      ? refineOnly(address, (value) => isRight(this.#id, id, value), registers, program.symbols)
      : registers;
    const site = { thread: this.#id, transition: id };
    const after = going && execute(this.#context, instruction, going, site);
    if (!after) return;
    const known = this.before[to];
    const count = visits[to] ?? 0;
    const joined = known
      ? this.#joined(to, known, after, count > maxVisits)
      : this.#masked(to, after);
    if (joined === known) return;
    this.before[to] = joined;
    visits[to] = count + 1;
    this.#isPending[to] = true;
  }

  #masked(location: LocationId, registers: readonly RoughSet[]): readonly RoughSet[] {
    if (!this.#isJoint[location]) return registers;
    const masked: RoughSet[] = registers.map(() => 'any');
    for (const register of this.#live[location] ?? []) masked[register] = registers[register]!;
    return masked;
  }

  /**
   * Returns the union of two tables of register values, register by register. With `widens`, sets
   * that grow are approximated. Returns `known` itself if `added` has no new values.
   */
  #joined(
    location: LocationId,
    known: readonly RoughSet[],
    added: readonly RoughSet[],
    widens: boolean,
  ): readonly RoughSet[] {
    let joined: RoughSet[] | undefined;
    const join = (register: RegisterId): void => {
      const [values, more] = [known[register]!, added[register]!];
      const union = values === more ? values : joinRough(values, more);
      if (union === values) return;
      joined ??= [...known];
      joined[register] = widens ? widened(values, union) : union;
    };
    if (this.#isJoint[location]) this.#live[location]!.forEach(join);
    else known.forEach((_, register) => join(register));
    return joined ?? known;
  }
}

/**
 * Executes an instruction on sets of values: returns the sets of the registers after the
 * instruction, `undefined` if the instruction cannot be executed. Stored values are added to the
 * memory values.
 */
function execute(
  context: SetContext,
  instruction: Instruction,
  registers: readonly RoughSet[],
  site: AccessSite,
): readonly RoughSet[] | undefined {
  const { program, memory } = context;
  const { symbols } = program;
  if (isWithoutValues(instruction)) return registers;
  switch (instruction.kind) {
    case 'store':
      memory.write(
        evaluateSet(instruction.address, registers, symbols),
        evaluateRough(instruction.value, registers, symbols),
        site,
      );
      return registers;
    case 'load': {
      const addresses = evaluateSet(instruction.address, registers, symbols);
      return withValues(registers, instruction.into, memory.read(addresses, site));
    }
    case 'rmw': {
      const addresses = evaluateSet(instruction.address, registers, symbols);
      const read = memory.read(addresses, site);
      const old = context.rightOld?.(site.thread, site.transition, read) ?? read;
      const { into, operation } = instruction;
      const meaning = rmwMeaning(operation);
      const valuesOf = (expression: RmwExpression): RoughSet =>
        evaluateRough(expression, registers, symbols, old);
      memory.write(addresses, valuesOf(meaning.written), site);
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
      return registers;
    default:
      return unreachable(instruction);
  }
}
