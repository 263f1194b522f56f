import { readFile } from 'node:fs/promises';
import { countOf, quoteName } from '@fencewright/core';
import { exitCodes } from './exit-codes.js';
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

/**
 * Returns the report on a file, as a success if every error and every warning is among the findings
 * of `baseline`, a SARIF log of an earlier run. A baseline that cannot be read is wrong usage.
 */
export async function againstBaseline(report: FileReport, baseline: string): Promise<FileReport> {
  const known = findingsIn(await readFile(baseline, 'utf8').catch(() => ''));
  if (!known) {
    const why = `fencewright: ${quoteName(baseline)} is not a readable SARIF log\n`;
    return { ...report, exitCode: exitCodes.usage, stderr: report.stderr + why };
  }
  const fails = report.exitCode === exitCodes.notRobust || report.exitCode === exitCodes.unknown;
  if (!fails || !report.ci) return report;
  const results: readonly Finding[] = report.ci.sarif.results;
  const findings = results.filter(({ level }) => level !== 'note');
  const count = findings.filter((one) => !known.has(keyOf(one))).length;
  const where = quoteName(baseline);
  if (count === 0) {
    const said = `\nall findings are known: they are in ${where}\n`;
    return { ...report, exitCode: exitCodes.robust, stdout: report.stdout + said };
  }
  const [are, they] = count === 1 ? ['is', 'it is'] : ['are', 'they are'];
  const said = `\n${countOf(count, 'finding')} ${are} new: ${they} not in ${where}`;
  // A run without --all-attacks logs one attack of a file.
  const way = count < findings.length ? '; a log of all comes from --all-attacks' : '';
  return { ...report, stdout: `${report.stdout}${said}${way}\n` };
}
