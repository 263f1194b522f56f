import type { EventInstruction } from '@fencewright/model/program/event-program.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Thread } from '@fencewright/model/program/program.js';
import { heavyRate, type CostModel } from './repair-problem.js';

/**
 * The part of a program whose text may give costs of fences (`@cost`): the threads or, for a
 * program of events, the bodies.
 */
export interface PricedText {
  readonly threads: readonly Thread<EventInstruction>[];
}

/**
 * Returns the `@cost(n)` of a location: the maximum over its instructions; `undefined` if there is
 * none.
 */
function annotatedCost(
  program: PricedText,
  thread: ThreadId,
  location: LocationId,
): number | undefined {
  const costs = (program.threads[thread]?.transitions ?? []).flatMap(({ from, cost }) =>
    from === location && cost !== undefined ? [cost] : [],
  );
  return costs.length > 0 ? Math.max(...costs) : undefined;
}

/**
 * Returns the cost model with the costs in the text (`@cost`), by default 1: the cheapest set is
 * then the smallest one ([BDM13] Sect. 7, program size).
 */
export function sizeCosts(program: PricedText): CostModel {
  return {
    name: 'size',
    fence: (thread, location) => annotatedCost(program, thread, location) ?? 1,
    xchg: (thread, store) => program.threads[thread]?.transitions[store]?.cost ?? 1,
  };
}

/**
 * Returns the cost model with given costs by label, `label` or `thread:label`; for exchanges only
 * `xchg:label` or `xchg:thread:label`, and for heavy fences only `heavy:label` or
 * `heavy:thread:label`. By default the costs of `otherwise`; a heavy fence without a cost costs
 * many fences.
 */
export function labelCosts(
  program: PricedText,
  costs: ReadonlyMap<string, number>,
  otherwise: CostModel,
): CostModel {
  const stated = (
    prefix: '' | 'xchg:' | 'heavy:',
    thread: ThreadId,
    location: LocationId | undefined,
  ): number | undefined => {
    const own = program.threads[thread];
    const label = location === undefined ? undefined : own?.locations[location]?.name;
    if (!own || label === undefined) return undefined;
    const name = own.copy?.template ?? own.name;
    return costs.get(`${prefix}${name}:${label}`) ?? costs.get(`${prefix}${label}`);
  };
  const source = (thread: ThreadId, store: TransitionId): LocationId | undefined =>
    program.threads[thread]?.transitions[store]?.from;
  const heavy: CostModel['heavy'] = (thread, location) =>
    stated('heavy:', thread, location) ??
    otherwise.heavy?.(thread, location) ??
    heavyRate * model.fence(thread, location);
  const model: CostModel = {
    name: 'file',
    heavy,
    fence: (thread, location) => stated('', thread, location) ?? otherwise.fence(thread, location),
    xchg: (thread, store) =>
      stated('xchg:', thread, source(thread, store)) ??
      stated('', thread, source(thread, store)) ??
      otherwise.xchg(thread, store),
  };
  return model;
}
