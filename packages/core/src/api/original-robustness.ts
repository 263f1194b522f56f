import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { openParts } from '@fencewright/model/program/open-parts.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { OriginalRobustness } from '@fencewright/model/verdict/prove-result.js';
import { withoutAbstractions } from '@fencewright/proofs/abstractions/without-abstractions.js';
import { check } from './check.js';
import { checkParameterized } from './check-parameterized.js';

/**
 * The maximum number of states of the search of all instances (`all`), and of the search of one
 * instance (`instance`).
 */
const mostStates = { all: 2_000, instance: 20_000 };

/**
 * The number of copies in the largest instance that is searched, for each thread that may have any
 * number of copies.
 */
const mostCopies = 3;

/**
 * Searches the program without its abstractions (with plain loads instead of read abstractions, and
 * ordinary rmws instead of weak ones) and returns for which instances the search shows robustness.
 * This is column RB of [BEMT18] Table 1. `undefined` if the search shows nothing.
 */
export async function originalRobustness(
  open: Templates,
  limits: Limits,
): Promise<OriginalRobustness | undefined> {
  const original = withoutAbstractions(open);
  const { templates, unbounded } = original;
  const budget = new Budget(limits);
  const isOpen = openParts(original).length > 0;
  if (unbounded.length > 0 && !isOpen) {
    const model = { kind: 'unbounded', templates, unbounded } as const;
    const share = { ...budget.share(1), maxStates: mostStates.all };
    const { result } = await checkParameterized(model, { limits: share });
    if (result.verdict.kind === 'robust') return { kind: 'all' };
  }
  let robustUpTo = 0;
  for (let copies = 1; copies <= (unbounded.length === 0 ? 1 : mostCopies); copies++) {
    const counts = templates.threads.map(() => copies);
    const { program } = instantiate(original, counts, { low: 0, high: copies });
    const share = { ...budget.share(1), maxStates: mostStates.instance };
    const { verdict } = await check(program, { limits: share });
    if (verdict.kind !== 'robust') break;
    robustUpTo = copies;
  }
  if (robustUpTo === 0) return undefined;
  if (unbounded.length === 0 && !isOpen) return { kind: 'all' };
  return { kind: 'copies', copies: robustUpTo };
}
