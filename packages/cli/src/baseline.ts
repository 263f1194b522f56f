import { countOf, quoteName } from '@fencewright/core';
import { textOf } from '@fencewright/core/node';
import type { CiFindings } from './ci-findings.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import type { FileReport } from './file-report.js';

/** The parts of a SARIF result that identify the finding. */
type Finding = Pick<
  NonNullable<FileReport['ci']>['sarif']['results'][number],
  'level' | 'locations' | 'partialFingerprints'
>;

/**
 * Returns the key of a finding. Equal keys mean the same finding in the same file, and conversely.
 */
function keyOf({ locations, partialFingerprints = {} }: Finding): string {
  const uri = locations?.[0]?.physicalLocation?.artifactLocation?.uri;
  const prints = Object.entries(partialFingerprints).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([uri, prints]);
}

/**
 * Returns the keys (`keyOf`) of all findings in a SARIF log; `undefined` if the text is no SARIF
 * log.
 */
function findingsIn(text: string): ReadonlySet<string> | undefined {
  try {
    const { runs } = JSON.parse(text) as { readonly runs: readonly { results?: Finding[] }[] };
    return new Set(runs.flatMap(({ results = [] }) => results.map(keyOf)));
  } catch {
    return undefined;
  }
}

/** Returns the complaint about a file that is no SARIF log; `undefined` for a log. */
export function baselineComplaint(file: string): string | undefined {
  return findingsIn(textOf(file) ?? '')
    ? undefined
    : `${quoteName(file)} is not a readable SARIF log`;
}

/** The number of errors and warnings about a file, and the number of new ones among them. */
interface NewFindings {
  readonly all: number;
  readonly unknown: number;
}

/** Returns a function that counts the errors and warnings that are not in a SARIF log. */
export function countAgainst(baseline: string): (ci: CiFindings) => NewFindings {
  const known = findingsIn(textOf(baseline) ?? '') ?? new Set();
  return ({ sarif }) => {
    const results: readonly Finding[] = sarif.results;
    const findings = results.filter(({ level }) => level !== 'note');
    const unknown = findings.filter((one) => !known.has(keyOf(one))).length;
    return { all: findings.length, unknown };
  };
}

/** Whether a run with this exit code is a success if all findings are known. */
export function isAboutFindings(code: ExitCode): boolean {
  return code === exitCodes.notRobust || code === exitCodes.unknown;
}

/**
 * Returns the report on a file, as a success if every error and every warning is among the findings
 * of `baseline`, a SARIF log of an earlier run.
 */
export function againstBaseline(report: FileReport, baseline: string): FileReport {
  if (!isAboutFindings(report.exitCode) || !report.ci) return report;
  const { all, unknown } = countAgainst(baseline)(report.ci);
  const where = quoteName(baseline);
  if (unknown === 0) {
    const said = `\nall findings are known: they are in ${where}\n`;
    return { ...report, exitCode: exitCodes.robust, stdout: report.stdout + said };
  }
  const [are, they] = unknown === 1 ? ['is', 'it is'] : ['are', 'they are'];
  const said = `\n${countOf(unknown, 'finding')} ${are} new: ${they} not in ${where}`;
  // A run without --all-attacks logs one attack of a file.
  const way = unknown < all ? '; a log of all comes from --all-attacks' : '';
  return { ...report, stdout: `${report.stdout}${said}${way}\n` };
}
