import { at } from '@fencewright/ground/base/at.js';
import type { Program } from '@fencewright/model/program/program.js';
import { successors } from '@fencewright/model/semantics/machine.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import { hasCycle } from '@fencewright/model/trace/cycle.js';
import { buildTrace } from '@fencewright/model/trace/trace.js';
import {
  computationOf,
  extendTracedState,
  initialTracedState,
  type TracedState,
  tracedStateKey,
} from './traced-state.js';

/**
 * Returns the least number of delays of all computations with a cyclic happens-before, however many
 * threads delay stores ([BDM13x] App. B); `none` if there is no such computation, `unknown` after
 * `maxTracedStates` partial traces or a fault. Traces are visited in the order of their delays:
 * traces with equal keys have equal continuations, so the first visit is enough.
 */
export function fewestDelaysByDefinition(
  program: Program,
  maxTracedStates: number,
): number | 'none' | 'unknown' {
  const code = compileProgram(program);
  const seen = new Set<string>();
  const byDelays: TracedState[][] = [[initialTracedState(program)]];
  for (let delays = 0; delays < byDelays.length; delays++) {
    const bucket = (byDelays[delays] ??= []);
    for (const reached of bucket) {
      const key = tracedStateKey(reached);
      if (seen.has(key)) continue;
      if (seen.size >= maxTracedStates) return 'unknown';
      seen.add(key);
      if (reached.pending.every((stores) => stores.length === 0)) {
        if (hasCycle(buildTrace(computationOf(reached)), 'standard')) return delays;
      }
      const { steps, faults } = successors('TSO', code, reached.state);
      if (faults.length > 0) return 'unknown';
      for (const step of steps) {
        const next = extendTracedState(reached, step);
        // Every step consists of one action.
        const { kind, thread } = next.history!.action;
        const others = at(reached.pending, thread).length - (kind === 'store' ? 1 : 0);
        (byDelays[delays + others] ??= []).push(next);
      }
    }
  }
  return 'none';
}
