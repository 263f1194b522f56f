import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { withoutAbstractions } from '../abstractions/without-abstractions.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { InstanceViolation } from '@fencewright/model/verdict/prove-result.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';

/** A function that decides the robustness of one program by searching. */
export type RobustnessSearch = (
  program: Program,
  options: { readonly happensBefore: HappensBefore; readonly limits: Limits },
) => Promise<Pick<CheckResult, 'verdict' | 'statistics'>>;

/**
 * Limits on the search for a violation: the number of states of each instance, and the maximum
 * number of copies of a thread.
 */
interface ViolationSearchLimits {
  readonly maxStates: number;
  readonly maxCopies: number;
  readonly limits: Limits;
  /**
   * The notions of happens-before, in the order of trying. `value` finds fewer violations; each of
   * them is a violation for `standard`, too.
   */
  readonly happensBefores: readonly HappensBefore[];
}

/**
 * Searches small instances of a program for a violation of robustness, and returns the first one.
 * The search replaces every read abstraction (a `havoc` that stands for a load) by the load.
 * `undefined` if no violation is found, which proves nothing.
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
