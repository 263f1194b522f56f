import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { TransitionOfRun } from '@fencewright/model/reach/engine.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import type { Instrumented } from './instrument.js';
import {
  type ScheduledStep,
  witnessOfSchedule,
} from '@fencewright/engines/robustness/lift-witness.js';

function toSchedule(instrumented: Instrumented, run: readonly TransitionOfRun[]): ScheduledStep[] {
  return run.flatMap((step) => {
    const origin = instrumented.origins[step.thread]?.[step.transition];
    if (!origin) throw new InternalError('a step of an instrumented program without an origin');
    return origin.role === 'goal'
      ? []
      : [{ ...step, transition: origin.from, delayed: origin.role === 'delay' }];
  });
}

/**
 * Returns the TSO computation of the user's program for a run of the instrumented program ([BDM13x]
 * App. C): the attacker's delayed stores are issued when the run delays them, and reach memory at
 * the end. The computation is replayed in the TSO semantics, and its happens-before relation must
 * have a cycle: a failure of either check is an internal error, never a verdict.
 */
export function liftInstrumentedRun(
  program: Program,
  instrumented: Instrumented,
  attack: Attack,
  run: readonly TransitionOfRun[],
): Witness {
  return witnessOfSchedule(program, attack, toSchedule(instrumented, run), 'standard');
}
