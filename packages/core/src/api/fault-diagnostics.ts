import { isModelLimitName } from '@fencewright/ground/source/model-limits.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { FaultKind } from '@fencewright/model/program/evaluate.js';
import type { Origin, Program } from '@fencewright/model/program/program.js';
import type { ConditionFault } from '@fencewright/model/semantics/condition-fault.js';
import type { FaultyStep } from '@fencewright/model/semantics/machine.js';
import {
  beyondModel,
  farAddress,
  leavesArray,
  leavesDomain,
  overflow,
  runtimeDivisionByZero,
  unboundedChoice,
  undefinedInC,
  type Diagnostic,
} from '@fencewright/ground/source/diagnostic.js';

/** Whether the fault is a mistake in the program, and not a limit of the search engines. */
export function isProgramError(fault: FaultKind): boolean {
  return fault === 'division-by-zero' || fault === 'domain' || fault === 'index';
}

/**
 * Returns the diagnostic for a fault of an instruction, which a front end may have put into the
 * program on purpose; `when` is a clause that names the executing thread.
 */
export function faultDiagnostic(
  fault: FaultKind,
  { span, said, advice, fault: meaning }: Pick<Origin, 'span' | 'said' | 'advice' | 'fault'>,
  when: string,
): Diagnostic {
  if (meaning)
    return isModelLimitName(meaning)
      ? beyondModel(meaning, span, when, said, advice)
      : undefinedInC(meaning, span, when, said);
  switch (fault) {
    case 'overflow':
      return overflow(span, 'a value leaves the 32-bit range', when);
    case 'wide-overflow':
      return overflow(span, 'a value leaves the 64-bit range', when);
    case 'no-code':
      return overflow(
        span,
        'a value is one of the few 64-bit numbers that cannot be represented',
        when,
      );
    case 'division-by-zero':
      return runtimeDivisionByZero(span, when);
    case 'domain':
      return leavesDomain(span, when);
    case 'index':
      return leavesArray(span, when);
    case 'unbounded-choice':
      return unboundedChoice(span);
    case 'address':
      return farAddress(span, when);
    default:
      return unreachable(fault);
  }
}

/** Returns the diagnostic for a condition of a property that has no value in a reachable state. */
export function conditionDiagnostic({ kind, property }: ConditionFault): Diagnostic {
  const { name, span } = property;
  const where = `in the condition of '${name}', in a state that the program reaches`;
  const found = faultDiagnostic(kind, span ? { span } : {}, where);
  const hint = 'put a comparison before the sum, as in x < 9 && x + x == 8';
  return { ...found, hint };
}

/**
 * Returns a diagnostic for each fault, at the instruction; several faults at one place give one
 * diagnostic.
 */
export function faultDiagnostics(program: Program, faults: readonly FaultyStep[]): Diagnostic[] {
  const found = faults.map(({ thread: t, transition, fault }) => {
    const thread = program.threads[t];
    const origin = thread?.transitions[transition]?.origin ?? {};
    return faultDiagnostic(fault, origin, `when thread '${thread?.name ?? t}' executes it`);
  });
  const keyOf = ({ code, message, span }: Diagnostic): string =>
    JSON.stringify([code, message, span?.source?.name, span?.start]);
  return [...new Map(found.map((each) => [keyOf(each), each])).values()];
}
