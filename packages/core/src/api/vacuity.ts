import { computeControlFlow, computeReachableLocations } from '../analysis/control-flow.js';
import { addressOf } from '../analysis/address-sets.js';
import { formatInstruction } from '../program/format.js';
import type { ThreadId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import type { SequentialLook } from '../robustness/decision.js';
import { neverEnds, neverRuns, type Diagnostic } from '../source/diagnostic.js';
import type { VacuityFindings, Verdict } from '../verdict/verdict.js';

/**
 * What a robust program says and never does. Nothing is said where not all of SC was looked at, or
 * where TSO does more than SC.
 */
export function findVacuity(
  program: Program,
  verdict: Verdict,
  look: SequentialLook | undefined,
): VacuityFindings {
  if (verdict.kind !== 'robust' || !look?.isComplete) return { kind: 'not-looked-for' };
  const { threads } = program;
  const copiesOf = (thread: ThreadId): ThreadId[] => {
    const template = threads[thread]?.copy?.template;
    if (template === undefined) return [thread];
    return threads.flatMap(({ copy }, other) => (copy?.template === template ? [other] : []));
  };
  return {
    kind: 'looked-for',
    neverRun: threads.flatMap(({ copy, transitions }, thread) => {
      if (copy && copy.index > 0) return [];
      const copies = copiesOf(thread);
      return transitions.flatMap(({ instruction, origin }, transition) =>
        addressOf(instruction) &&
        origin.access !== 'allocation' &&
        !copies.some((one) => look.runs(one, transition))
          ? [{ thread, transition }]
          : [],
      );
    }),
    neverEnd: threads.flatMap((_, thread) =>
      neverReachesEnd(program, thread, look) ? [thread] : [],
    ),
  };
}

/** Whether the control flow has an end that no execution gets to. */
function neverReachesEnd(program: Program, t: ThreadId, look: SequentialLook): boolean {
  const thread = program.threads[t];
  if (!thread) return false;
  const flow = computeControlFlow(thread);
  const isReachable = computeReachableLocations(thread, flow);
  const ends = thread.locations.flatMap((_, at) =>
    isReachable[at] && flow.outgoing[at]?.length === 0 ? [at] : [],
  );
  if (ends.length === 0 || ends.includes(thread.initial)) return false;
  return !ends.some((end) => flow.incoming[end]?.some((entry) => look.runs(t, entry)));
}

/**
 * A warning for each thread whose accesses never run, at the first of them, and for each that never
 * ends, at its last instruction.
 */
export function vacuityDiagnostics(program: Program, vacuity: VacuityFindings): Diagnostic[] {
  if (vacuity.kind === 'not-looked-for') return [];
  const { neverRun, neverEnd } = vacuity;
  return program.threads.flatMap((thread, t) => {
    const [first, ...others] = neverRun.filter((access) => access.thread === t);
    const transition = first && thread.transitions[first.transition];
    const name = thread.copy?.template ?? thread.name;
    return [
      ...(transition
        ? [
            neverRuns(
              transition.origin.span,
              name,
              formatInstruction(program, thread, transition.instruction),
              others.length,
            ),
          ]
        : []),
      ...(neverEnd.includes(t)
        ? [neverEnds(thread.transitions.at(-1)?.origin.span, thread.name)]
        : []),
    ];
  });
}
