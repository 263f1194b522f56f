import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { withoutAbstractions } from '../abstractions/without-abstractions.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { InstanceViolation } from '@fencewright/model/verdict/prove-result.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';

/** A search that decides the robustness of one program. */
export type RobustnessSearch = (
  program: Program,
  options: { readonly happensBefore: HappensBefore; readonly limits: Limits },
) => Promise<Pick<CheckResult, 'verdict' | 'statistics'>>;

/**
 * Limits on the search for a violation: states of each instance, and the maximal number of copies
 * of a thread.
 */
interface ViolationSearchLimits {
  readonly maxStates: number;
  readonly maxCopies: number;
  readonly limits: Limits;
  /**
   * The notions of happens-before, tried in order. `value` finds fewer violations; each is a
   * violation for `standard`, too.
   */
  readonly happensBefores: readonly HappensBefore[];
}

/**
 * Returns a violation of robustness in small instances of a program, with plain loads in place of
 * read abstractions; `undefined` if none is found, which proves nothing.
 */
export async function findViolationInInstances(
  open: Templates,
  { maxStates, maxCopies, limits, happensBefores }: ViolationSearchLimits,
  search: RobustnessSearch,
): Promise<InstanceViolation | undefined> {
  const original = withoutAbstractions(open);
  const most = open.unbounded.length === 0 ? 1 : maxCopies;
  const budget = new Budget(limits);
  for (const happensBefore of happensBefores)
    for (let copies = 1; copies <= most; copies++) {
      const counts = original.templates.threads.map(() => copies);
      const choices = { low: 0, high: copies };
      const { program } = instantiate(original, counts, choices);
      const { verdict } = await search(program, {
        happensBefore,
        limits: { ...budget.share(1), maxStates },
      });
      if (verdict.kind === 'not-robust')
        return { happensBefore, instance: program, witness: verdict.witness };
      if (limits.signal?.aborted) return undefined;
    }
  return undefined;
}
