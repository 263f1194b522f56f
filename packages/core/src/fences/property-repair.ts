import type { Budget, Exhaustion } from '../base/budget.js';
import { InternalError } from '../base/unreachable.js';
import type { Program, Property } from '../program/program.js';
import { exploreMachine } from '../reach/explore-machine.js';
import { isFinal, type FaultyStep, type MemoryModel } from '../semantics/machine.js';
import { decidesProperty } from '../semantics/property.js';
import { compileProgram } from '../semantics/thread-code.js';
import type { HittingSetSolver } from '../solvers/hitting-set.js';
import type { Computation } from '../trace/computation.js';
import type { UnknownReason } from '../verdict/verdict.js';
import { itemName } from './repair-item.js';
import type { RepairProblem } from './repair-problem.js';
import { textThread } from './text-thread.js';

/** A TSO computation that violates a property, and the items each of which makes it impossible. */
export interface PropertyClause {
  readonly items: readonly number[];
  readonly computation: Computation;
}

/** The answer to "which repairs make these properties hold under TSO?". */
export type PropertyRepairAnswer =
  | {
      readonly kind: 'optimal';
      readonly chosen: readonly number[];
      readonly cost: number;
      readonly clauses: readonly PropertyClause[];
    }
  /** The computation violates a property and needs no delayed store, or only such that no allowed item prevents. */
  | { readonly kind: 'impossible'; readonly property: string; readonly computation: Computation }
  | {
      readonly kind: 'unknown';
      readonly reason: UnknownReason;
      /** No cheaper set will do; whether this one does was not found out. */
      readonly chosen: readonly number[];
      readonly clauses: readonly PropertyClause[];
    };

interface Violation {
  readonly property: string;
  readonly computation: Computation;
}

interface ViolationSearch {
  readonly violation: Violation | undefined;
  readonly incomplete: Exhaustion | undefined;
  readonly faults: readonly FaultyStep[];
}

/** A shortest computation under `model` that violates one of the properties. */
async function findViolation(
  model: MemoryModel,
  program: Program,
  properties: readonly Property[],
  budget: Budget,
): Promise<ViolationSearch> {
  const code = compileProgram(program);
  let violation: Violation | undefined;
  const { incomplete, faults } = await exploreMachine(model, program, budget, {
    onState({ state, computation }) {
      if (violation) return;
      const final = isFinal(code, state);
      const violated = properties.find((property) =>
        decidesProperty(program, property, state, final),
      );
      if (violated) violation = { property: violated.name, computation: computation() };
    },
    onFailedAssertion: () => undefined,
    isDone: () => violation !== undefined,
  });
  return { violation, incomplete, faults };
}

/**
 * The items that make a computation of the program impossible: a fence where a thread with a non-empty buffer executed an
 * instruction, an exchange for a store that was issued before an instruction with a non-empty buffer, or behind a delayed one.
 */
function itemsThatPrevent(
  { program, items }: RepairProblem,
  computation: Computation,
): readonly number[] {
  const buffered = program.threads.map((): number[] => []);
  const names = new Set<string>();
  for (const action of computation) {
    const { thread, transition } = action;
    const text = textThread(program, thread);
    const own = buffered[thread] ?? [];
    if (action.kind === 'store') {
      own.shift();
      continue;
    }
    const location = program.threads[thread]?.transitions[transition]?.from ?? -1;
    if (own.length > 0) {
      names.add(itemName({ kind: 'fence', thread: text, location }));
      for (const delayed of [...own, transition])
        for (const kind of ['xchg', 'keep'] as const)
          names.add(itemName({ kind, thread: text, transition: delayed }));
    }
    if (action.kind === 'issue') own.push(transition);
  }
  return items.flatMap(({ item }, index) => (names.has(itemName(item)) ? [index] : []));
}

/**
 * A cheapest set of items with which the properties hold under TSO, by the same loop as for robustness over TSO counterexamples.
 * Exact where the TSO state space is finite; `unknown` where the budget ran out first. `repaired` makes the program with some of the
 * problem's items.
 */
export async function findPropertyRepair(
  problem: RepairProblem,
  properties: readonly Property[],
  repaired: (chosen: readonly number[]) => Program,
  solver: HittingSetSolver,
  budget: Budget,
): Promise<PropertyRepairAnswer> {
  const { program, items } = problem;
  const clauses: PropertyClause[] = [];
  for (;;) {
    const chosen = await solver.solve({
      costs: items.map(({ cost }) => cost),
      clauses: clauses.map((clause) => clause.items),
    });
    const { violation, incomplete, faults } = await findViolation(
      'TSO',
      repaired(chosen),
      properties,
      budget,
    );
    if (!violation) {
      const reason = incomplete ?? (faults.length > 0 ? 'unsupported' : undefined);
      if (reason) return { kind: 'unknown', reason, chosen, clauses };
      const cost = chosen.reduce((sum, index) => sum + (items[index]?.cost ?? 0), 0);
      return { kind: 'optimal', chosen, cost, clauses };
    }
    // Without the inserted fences, and with exchanges as stores, the computation is one of the program.
    const computation = withoutRepairs(program, violation.computation);
    const preventing = itemsThatPrevent(problem, computation);
    if (preventing.length === 0)
      return { kind: 'impossible', property: violation.property, computation };
    if (preventing.some((index) => chosen.includes(index)))
      throw new InternalError('a repair did not prevent the computation that it should prevent');
    clauses.push({ items: preventing, computation });
  }
}

/** The computation of the original program behind one of the repaired: transition ids stay, inserted fences are left out. */
function withoutRepairs(program: Program, computation: Computation): Computation {
  return computation.flatMap((action) => {
    const instruction = program.threads[action.thread]?.transitions[action.transition]?.instruction;
    if (!instruction) return [];
    if (action.kind !== 'rmw' || instruction.kind !== 'store') return [action];
    const { thread, transition, address, written = 0 } = action;
    const issue = { thread, transition, address, value: written };
    return [
      { ...issue, kind: 'issue' as const },
      { ...issue, kind: 'store' as const },
    ];
  });
}
