import type { Result } from 'sarif';
import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import {
  type EventCheckResult,
  eventVerdict,
} from '@fencewright/model/verdict/event-check-result.js';
import { diagnosticsText } from '../text/diagnostics.js';
import { eventCheckReport } from '../text/event-check.js';
import { plainPalette } from '../text/palette.js';
import { whyEventsUnknown } from '../words/event-criteria.js';
import type { EventSubject } from '../words/event-subject.js';
import { violationSentences, whyNotSerial } from '../words/event-violation-words.js';
import { inputErrorCase, type JunitCase } from './junit.js';
import {
  diagnosticResult,
  withDistinctFingerprints,
  type SarifSubject,
  undecidedResult,
  violationResult,
} from './sarif-results.js';

/**
 * Returns the SARIF results of a check of a program of events: the violation, or that the check is
 * undecided.
 */
export function eventCheckToSarif(
  subject: SarifSubject,
  program: EventProgram,
  result: EventCheckResult,
  diagnostics: readonly Diagnostic[] = [],
): Result[] {
  const messages = [...diagnostics, ...result.diagnostics].map((diagnostic) =>
    diagnosticResult(subject, diagnostic),
  );
  return withDistinctFingerprints([...verdictResults(subject, program, result), ...messages]);
}

function verdictResults(
  subject: SarifSubject,
  program: EventProgram,
  result: EventCheckResult,
): Result[] {
  const verdict = eventVerdict(result);
  switch (verdict.kind) {
    case 'robust':
    case 'error':
      return [];
    case 'not-asked':
      return [undecidedResult(subject, 'the question was not asked')];
    case 'unknown':
      return [undecidedResult(subject, whyEventsUnknown(program, verdict.why))];
    case 'not-robust': {
      const { run, violation } = verdict.witness;
      const edges = violationSentences(program, run, violation);
      const spanOf = (step: number): Span | undefined => {
        const action = at(run.actions, step);
        if (!('site' in action)) return undefined;
        const { body, transition } = action.site;
        return at(at(program.bodies, body).transitions, transition).origin.span;
      };
      const sentence = [
        ...edges.map((edge) => edge.sentence),
        whyNotSerial(program, run, violation),
      ].join('; ');
      return [
        violationResult(
          subject,
          sentence,
          edges.map(({ from }) => spanOf(from)),
        ),
      ];
    }
    default:
      return unreachable(verdict);
  }
}

/**
 * Returns a check of a program of events as a JUnit test case, passed only if the program is
 * robust.
 */
export function eventCheckToJunit(
  subject: EventSubject,
  result: EventCheckResult,
  diagnostics: readonly Diagnostic[] = [],
): JunitCase {
  const { file, source, program } = subject;
  const { milliseconds } = result.statistics;
  const all = [...diagnostics, ...result.diagnostics];
  const text =
    eventCheckReport(subject, result, plainPalette) +
    diagnosticsText(file, source, all, plainPalette);
  const verdict = eventVerdict(result);
  const outcome = (kind: 'failure' | 'error', type: string, message: string): JunitCase => ({
    file,
    milliseconds,
    outcome: { kind, type, message, text },
  });
  switch (verdict.kind) {
    case 'robust':
      return { file, milliseconds, outcome: { kind: 'passed', text } };
    case 'not-robust': {
      const { run, violation } = verdict.witness;
      const sentences = violationSentences(program, run, violation);
      const message = `not robust: ${sentences.map(({ sentence }) => sentence).join('; ')}`;
      return outcome('failure', 'not-robust', message);
    }
    case 'unknown':
      return outcome('error', 'unknown', `undecided: ${whyEventsUnknown(program, verdict.why)}`);
    case 'not-asked':
      return outcome('error', 'unknown', 'undecided: the question was not asked');
    case 'error':
      return { ...inputErrorCase(file, source, all), milliseconds };
    default:
      return unreachable(verdict);
  }
}
