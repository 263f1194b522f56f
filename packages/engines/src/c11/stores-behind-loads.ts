import { at } from '@fencewright/ground/base/at.js';
import type { EventOrder } from '@fencewright/model/c11/execution-graph.js';
import type { LocationId, RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import { alwaysReads, type Expression } from '@fencewright/model/program/expression.js';
import { operandsOf } from '@fencewright/model/program/rewrite.js';
import type { CodeTransition } from '@fencewright/model/semantics/thread-code.js';
import { addressesOf, type C11Cells } from './cells.js';
import { addressExpression, type C11Code, type C11Step, ordersByTest } from './c11-steps.js';
import { choiceAt } from './choices.js';
import { isAcquiring, isReleasing } from './futures.js';

/**
 * A location that a thread reaches after a load, and the registers whose values depend on the load.
 */
interface Behind {
  readonly location: LocationId;
  readonly dependent: ReadonlySet<RegisterId>;
}

/** For each thread, the possible addresses of the thread's loads and of the thread's stores. */
interface Users {
  readonly loads: readonly ReadonlySet<number>[];
  readonly stores: readonly ReadonlySet<number>[];
}

/**
 * The reasons that keep a load before a later store: memory orders alone, or dependencies as well.
 */
type KeptBy = 'orders' | 'orders and dependencies';

function alwaysReadsOneOf(value: Expression, registers: ReadonlySet<RegisterId>): boolean {
  return [...registers].some((register) => alwaysReads(value, register));
}

/**
 * Looks for loads that no order and no dependency keeps before a later store of the same thread.
 */
export class OrderOfLoads {
  readonly #code: C11Code;
  readonly #cells: C11Cells;
  readonly #users: Users;
  readonly #by: KeptBy;

  constructor(code: C11Code, cells: C11Cells, by: KeptBy = 'orders and dependencies') {
    this.#code = code;
    this.#cells = cells;
    this.#by = by;
    const users = (uses: (step: C11Step) => boolean): ReadonlySet<number>[] =>
      code.steps.map(
        (locations, thread) =>
          new Set(
            locations
              .flat()
              .filter(uses)
              .flatMap((step) => addressesOf(code, thread, step)),
          ),
      );
    this.#users = {
      loads: users(({ kind }) => kind === 'load' || kind === 'rmw'),
      stores: users(({ kind }) => kind === 'store' || kind === 'rmw'),
    };
  }

  /** Whether another thread is among the users of an address that the step may access. */
  #isUsedByOthers(users: readonly ReadonlySet<number>[], thread: ThreadId, step: C11Step): boolean {
    const addresses = addressesOf(this.#code, thread, step);
    return users.some((used, other) => other !== thread && addresses.some((one) => used.has(one)));
  }

  #orderOf(thread: ThreadId, step: C11Step): EventOrder {
    const isPlain = addressesOf(this.#code, thread, step).some(
      (address) => this.#cells.isPlain[this.#cells.indexOf.get(address) ?? -1],
    );
    return isPlain ? 'plain' : step.order;
  }

  /**
   * Whether all later accesses of the thread are executed after the step, also if the step is a
   * `cas` that acquires only on success and fails.
   */
  #isFirst(thread: ThreadId, step: C11Step): boolean {
    return ordersByTest(step) || isAcquiring(this.#orderOf(thread, step));
  }

  /** Whether a later store of the thread may be executed before the load. */
  mayBeOvertaken(thread: ThreadId, load: C11Step): boolean {
    if (load.kind !== 'load' && load.kind !== 'rmw') return false;
    if (this.#isFirst(thread, load)) return false;
    if (!this.#isUsedByOthers(this.#users.stores, thread, load)) return false;
    const { block, into, code } = load;
    const set = block ? block.sets : into === undefined ? [] : [into];
    const dependent = new Set(this.#by === 'orders' ? [] : set);
    const starts = block ? block.targets : [code.transition.to];
    const work: Behind[] = starts.map((location) => ({ location, dependent }));
    const seen = new Set<string>();
    while (work.length > 0) {
      const place = this.#withLiveRegisters(thread, work.pop()!);
      const key = `${place.location} ${[...place.dependent].sort((a, b) => a - b).join()}`;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const step of at(at(this.#code.steps, thread), place.location)) {
        const next = this.#behindStep(thread, load, step, place.dependent);
        if (next === 'overtakes') return true;
        work.push(...next);
      }
      work.push(...this.#behindLocal(thread, place));
    }
    return false;
  }

  /**
   * Returns the location after a load, with the dependent registers restricted to live registers.
   * For example, a register is dead before a lock block that sets the register before reading it.
   */
  #withLiveRegisters(thread: ThreadId, { location, dependent }: Behind): Behind {
    const live = at(at(this.#code.live, thread), location);
    return { location, dependent: new Set([...dependent].filter((one) => live[one])) };
  }

  /**
   * Returns the locations after a step that follows the load; none if hardware executes all later
   * accesses after the load. Returns `overtakes` if the step stores to memory loaded by other
   * threads, and may be executed before the load.
   */
  #behindStep(
    thread: ThreadId,
    load: C11Step,
    step: C11Step,
    dependent: ReadonlySet<RegisterId>,
  ): readonly Behind[] | 'overtakes' {
    const { kind, block, into, code, exits } = step;
    const address = addressExpression(step);
    if (kind === 'fence' || (address && alwaysReadsOneOf(address, dependent))) return [];
    if (kind !== 'load') {
      const depends = block
        ? !block.mayLeaveOut && [...block.uses].some((register) => dependent.has(register))
        : operandsOf(code.transition.instruction).some((one) => alwaysReadsOneOf(one, dependent));
      const isOrdered =
        depends ||
        isReleasing(this.#orderOf(thread, step)) ||
        this.#accessSameCell(thread, load, step);
      if (!isOrdered && this.#isUsedByOthers(this.#users.loads, thread, step)) return 'overtakes';
    }
    const set = block ? block.sets : into === undefined ? [] : [into];
    const left = new Set([...dependent].filter((register) => ![...set].includes(register)));
    const targets = block
      ? block.targets
      : exits
        ? exits.map(({ transition }) => transition.to)
        : [code.transition.to];
    return targets.map((location) => ({ location, dependent: left }));
  }

  #accessSameCell(thread: ThreadId, one: C11Step, other: C11Step): boolean {
    const [[first, ...more], [second, ...others]] = [
      addressesOf(this.#code, thread, one),
      addressesOf(this.#code, thread, other),
    ];
    return first !== undefined && first === second && more.length + others.length === 0;
  }

  /** Returns the locations after the local instructions at a location. */
  #behindLocal(thread: ThreadId, { location, dependent }: Behind): readonly Behind[] {
    const leaving = at(this.#code.code.threads, thread);
    const ways = at(leaving, location);
    const depends = (value: Expression): boolean => alwaysReadsOneOf(value, dependent);
    const isDependent = ({ transition: { instruction } }: CodeTransition): boolean =>
      instruction.kind === 'assume' && depends(instruction.condition);
    const choice = ways.some(isDependent) && choiceAt(leaving, location);
    if (choice)
      return [{ location: choice.join, dependent: new Set([...dependent, ...choice.sets]) }];
    return ways.flatMap(({ transition }) => {
      const { instruction, to } = transition;
      switch (instruction.kind) {
        case 'assign':
        case 'havoc': {
          const next = new Set(dependent);
          if (instruction.kind === 'assign' && depends(instruction.value))
            next.add(instruction.into);
          else next.delete(instruction.into);
          return [{ location: to, dependent: next }];
        }
        case 'assume':
          if (depends(instruction.condition) && !this.#code.guards.has(transition)) return [];
          return [{ location: to, dependent }];
        case 'assert':
          return [{ location: to, dependent }];
        case 'skip':
          return instruction.fence ? [] : [{ location: to, dependent }];
        default:
          return [];
      }
    });
  }
}

/**
 * Whether hardware may execute a store before an earlier load of the same thread, where other
 * threads store to the load's cell and load from the store's cell. `by` selects the reasons that
 * keep the load first. If the answer is false, no execution graph has a cycle of program order and
 * reads-from.
 */
export function mayStoresOvertakeLoads(code: C11Code, cells: C11Cells, by?: KeptBy): boolean {
  const order = new OrderOfLoads(code, cells, by);
  return code.steps.some((locations, thread) =>
    locations.flat().some((load) => order.mayBeOvertaken(thread, load)),
  );
}
