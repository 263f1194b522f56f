import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { attackSentence } from '../text/attack-in-words.js';
import { checkReport } from '../text/check.js';
import { headlineText } from '../words/headline.js';
import { openingOf } from '../words/opening.js';
import { underHappensBefore } from '../words/verdict-meaning.js';
import { diagnosticsText } from '../text/diagnostics.js';
import { whyUndecided } from '../words/why-undecided.js';
import { countOf } from '@fencewright/ground/base/number-words.js';
import { plainPalette } from '../text/palette.js';
import type { Subject } from '../words/subject.js';
import { xmlAttribute, xmlText } from '../words/xml-text.js';

/** The result for a file, as a test case of a JUnit report. */
export interface JunitCase {
  readonly file: string;
  readonly milliseconds: number;
  readonly outcome:
    /**
     * A passed case. `remark` is the first sentence of the report; present only if it is no good
     * news.
     */
    | { readonly kind: 'passed'; readonly text: string; readonly remark?: string }
    /**
     * A case that did not pass. `failure`: not robust; `error`: no verdict. (JUnit would count a
     * skipped test as passed.)
     */
    | {
        readonly kind: 'failure' | 'error';
        readonly type: string;
        readonly message: string;
        readonly text: string;
      };
}

/** Returns the test case of a file that has errors, and so no verdict. */
export function inputErrorCase(
  file: string,
  source: string | undefined,
  diagnostics: readonly Diagnostic[],
): JunitCase {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const message =
    errors.length === 1 && first
      ? first.message
      : `the input has ${countOf(errors.length, 'error')}`;
  const text = diagnosticsText(file, source, diagnostics, plainPalette);
  return { file, milliseconds: 0, outcome: { kind: 'error', type: 'input', message, text } };
}

/**
 * Returns a check as a JUnit test case, passed only if the program is robust. `diagnostics` come
 * from reading the file.
 */
export function checkToJunit(
  subject: Subject,
  result: CheckResult,
  diagnostics: readonly Diagnostic[] = [],
): JunitCase {
  const { file, source, program } = subject;
  const { verdict, statistics, happensBefore } = result;
  const { milliseconds } = statistics;
  const { headline } = openingOf(program, result);
  const all = [...diagnostics, ...result.diagnostics];
  const text =
    checkReport(subject, result, { palette: plainPalette }) +
    diagnosticsText(file, source, all, plainPalette);
  switch (verdict.kind) {
    case 'robust': {
      const remark = headline.tone === 'good' ? undefined : headlineText(headline);
      const outcome = { kind: 'passed', text, ...(remark !== undefined && { remark }) } as const;
      return { file, milliseconds, outcome };
    }
    case 'not-robust': {
      const first = headline.words === 'not robust' ? '' : `${headlineText(headline)}; `;
      const message = `${first}not robust${underHappensBefore(happensBefore)}: ${attackSentence(program, verdict.witness)}`;
      return {
        file,
        milliseconds,
        outcome: { kind: 'failure', type: 'not-robust', message, text },
      };
    }
    case 'unknown': {
      const message = `undecided${underHappensBefore(happensBefore)}: ${whyUndecided(verdict)}`;
      return { file, milliseconds, outcome: { kind: 'error', type: 'unknown', message, text } };
    }
    case 'error':
      return { ...inputErrorCase(file, source, all), milliseconds };
    default:
      return unreachable(verdict);
  }
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

function caseLines({ file, milliseconds, outcome }: JunitCase): string[] {
  const head = `    <testcase classname="fencewright.check" name="${xmlAttribute(file)}" time="${seconds(milliseconds)}">`;
  const body =
    outcome.kind === 'passed'
      ? `      <system-out>${xmlText(outcome.text)}</system-out>`
      : `      <${outcome.kind} type="${xmlAttribute(outcome.type)}" message="${xmlAttribute(outcome.message)}">` +
        `${xmlText(outcome.text)}</${outcome.kind}>`;
  return [head, body, '    </testcase>'];
}

/**
 * Returns the JUnit report of a run over some files: one suite, one test case for each file, in the
 * order given.
 */
export function junitReport(cases: readonly JunitCase[]): string {
  const count = (kind: JunitCase['outcome']['kind']): number =>
    cases.filter(({ outcome }) => outcome.kind === kind).length;
  const time = seconds(cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="fencewright" ${counts} time="${time}">`,
    `  <testsuite name="fencewright check" ${counts} skipped="0" time="${time}">`,
    ...cases.flatMap(caseLines),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
