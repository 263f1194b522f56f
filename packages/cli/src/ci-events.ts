import type { EventCheckResult, EventSubject } from '@fencewright/core';
import { eventCheckToJunit, eventCheckToSarif } from '@fencewright/core/events';
import { type CiFindings, uriOf } from './ci-findings.js';
import type { LoadedFile } from './load-program.js';

/** Returns the findings of checking a program of events, for continuous integration. */
export function findingsOfEventCheck(
  subject: EventSubject & Pick<LoadedFile, 'diagnostics'>,
  result: EventCheckResult,
): CiFindings {
  const { file, source, program, diagnostics } = subject;
  const uri = uriOf(file);
  return {
    sarif: { uri, results: eventCheckToSarif({ uri, source }, program, result, diagnostics) },
    junit: eventCheckToJunit(subject, result, diagnostics),
  };
}
