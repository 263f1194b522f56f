import { at } from '@fencewright/ground/base/at.js';
import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { maxHavocChoices } from '@fencewright/model/semantics/thread-code.js';
import type { C11Code, ThreadPoint } from './c11-steps.js';

/**
 * The results of the local instructions that a thread executes from a location on, up to its next
 * accesses or fences.
 */
interface Settled {
  readonly states: readonly ThreadPoint[];
  /** The assertions that fail among the local instructions. */
  readonly failed: readonly TransitionId[];
}

/**
 * Returns the places (location and registers) that a thread reaches from a location by local
 * instructions: before its next accesses and fences, or at its end. No place for a thread that
 * waits for ever. Throws `ExecutionFault`.
 */
export function settleThread(
  { code, steps, live, program: { domain } }: C11Code,
  thread: ThreadId,
  from: LocationId,
  registers: readonly number[],
): Settled {
  const states: ThreadPoint[] = [];
  const failed = new Set<TransitionId>();
  const seen = new Set<string>();
  const work: ThreadPoint[] = [{ location: from, registers }];
  while (work.length > 0) {
    const { location, registers: given } = work.pop()!;
    const isLive = at(at(live, thread), location);
    const values = given.map((value, register) => (isLive[register] ? value : 0));
    const key = `${location} ${values.join()}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const leaving = at(at(code.threads, thread), location);
    if (leaving.length === 0 || at(at(steps, thread), location).length > 0)
      states.push({ location, registers: values });
    for (const { id, transition, value } of leaving) {
      const { instruction, to } = transition;
      switch (instruction.kind) {
        case 'assign':
          work.push({ location: to, registers: values.with(instruction.into, value(values, 0)) });
          break;
        case 'assume':
          if (value(values, 0) !== 0) work.push({ location: to, registers: values });
          break;
        case 'assert':
          if (value(values, 0) === 0) failed.add(id);
          work.push({ location: to, registers: values });
          break;
        case 'skip':
          if (!instruction.fence) work.push({ location: to, registers: values });
          break;
        case 'havoc': {
          const { low, high } = instruction.range ??
            domain ?? { low: 0, high: Number.POSITIVE_INFINITY };
          if (high - low >= maxHavocChoices) throw new ExecutionFault('unbounded-choice');
          for (let choice = low; choice <= high; choice++) {
            const chosen = values.with(instruction.into, choice);
            if (value(chosen, 0) !== 0) work.push({ location: to, registers: chosen });
          }
          break;
        }
        default:
      }
    }
  }
  return { states, failed: [...failed] };
}
