import {
  computeControlFlow,
  computeReachableLocations,
} from '@fencewright/model/analysis/control-flow.js';
import { addressOf } from '@fencewright/model/analysis/address-sets.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import { formatCell, formatInstruction } from '@fencewright/model/program/format.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { type Instruction, isAccess } from '@fencewright/model/program/instruction.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import type { SequentialLook } from '@fencewright/engines/robustness/decision.js';
import { neverEnds, neverRuns, type Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { VacuityFindings, Verdict } from '@fencewright/model/verdict/verdict.js';

/**
 * Finds the dead code of a robust program. Returns `not-looked-for` if SC was not explored
 * completely, or if the program is not robust.
 */
export function findVacuity(
  program: Program,
  verdict: Verdict,
  look: SequentialLook | undefined,
): VacuityFindings {
  if (verdict.kind !== 'robust' || !look?.isComplete) return { kind: 'not-looked-for' };
  return {
    kind: 'looked-for',
    neverRun: neverRun(program, look),
    neverEnd: program.threads.flatMap((_, thread) =>
      neverReachesEnd(program, thread, look) ? [thread] : [],
    ),
  };
}

/**
 * Returns, for each place of the text whose accesses never run, the first of these accesses. Equal
 * instructions in all copies of a thread share a place; in C, where calls are inlined, instructions
 * of all calls and threads with a common position in the text share a place.
 */
function neverRun(
  program: Program,
  look: SequentialLook,
): Extract<VacuityFindings, { kind: 'looked-for' }>['neverRun'] {
  const isC = isOfC(program);
  const known = new Set((program.alsoRun ?? []).map(placeOfSpan));
  const dead = new Map<string, { readonly thread: ThreadId; readonly transition: TransitionId }>();
  program.threads.forEach(({ transitions, copy }, thread) => {
    transitions.forEach(({ instruction, origin }, transition) => {
      if (!addressOf(instruction) || origin.access === 'allocation') return;
      // Instructions without a position in the text, such as those of headers, are left out.
      if (isC && !origin.span) return;
      const place =
        isC && origin.span
          ? placeOfSpan(origin.span)
          : JSON.stringify([copy?.template ?? thread, transition]);
      if (look.runs(thread, transition)) known.add(place);
      else if (!dead.has(place)) dead.set(place, { thread, transition });
    });
  });
  return [...dead].flatMap(([place, access]) => (known.has(place) ? [] : [access]));
}

function placeOfSpan({ source, start }: Span): string {
  return JSON.stringify([source?.name, start]);
}

/** Whether the control flow of thread `t` has an end that no execution reaches. */
function neverReachesEnd(program: Program, t: ThreadId, look: SequentialLook): boolean {
  const thread = program.threads[t];
  if (!thread) return false;
  const flow = computeControlFlow(thread);
  const isReachable = computeReachableLocations(thread);
  const ends = thread.locations.flatMap((_, at) =>
    isReachable[at] && flow.outgoing[at]?.length === 0 ? [at] : [],
  );
  if (ends.length === 0 || ends.includes(thread.initial)) return false;
  return !ends.some((end) => flow.incoming[end]?.some((entry) => look.runs(t, entry)));
}

/**
 * Returns the text of an access: of a program in C a noun, `load of x`, since the registers of the
 * compiled program have no names in the text.
 */
function accessText(program: Program, thread: Thread, instruction: Instruction): string {
  if (!isOfC(program) || !isAccess(instruction))
    return formatInstruction(program, thread, instruction);
  const { address } = instruction;
  const noun = { load: 'load', store: 'store', rmw: 'update' }[instruction.kind];
  const isNamed = address.kind === 'address' || address.kind === 'constant';
  return isNamed ? `${noun} of ${formatCell(program, thread, address)}` : noun;
}

/**
 * Returns a warning for each thread with accesses that never run, at the first such access, and for
 * each thread that never ends, at the last instruction.
 */
export function vacuityDiagnostics(program: Program, vacuity: VacuityFindings): Diagnostic[] {
  if (vacuity.kind === 'not-looked-for') return [];
  const { neverRun, neverEnd } = vacuity;
  return program.threads.flatMap((thread, t) => {
    const [first, ...others] = neverRun.filter((access) => access.thread === t);
    const transition = first && thread.transitions[first.transition];
    const found: Diagnostic[] = [];
    if (transition) {
      const access = accessText(program, thread, transition.instruction);
      const name = thread.copy?.template ?? thread.name;
      found.push(neverRuns(transition.origin.span, name, access, others.length));
    }
    if (neverEnd.includes(t))
      found.push(neverEnds(thread.transitions.at(-1)?.origin.span, thread.name));
    return found;
  });
}
