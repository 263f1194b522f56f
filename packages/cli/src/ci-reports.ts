import { junitReport, markdownSummary, sarifLog } from '@fencewright/core';
import { adviceInWords } from './advice-in-words.js';
import type { CiFindings } from './ci-findings.js';
import type { ConfiguredBy } from './run-settings.js';
import type { FinalOutput } from './verb.js';
import { version } from './version.js';
import { writeWhole } from './write-whole.js';

/**
 * Writes the reports for continuous integration to their files. A report with the file name `-` is
 * returned, for standard output.
 */
export async function writeCiReports(
  {
    sarif,
    junit,
    markdown,
  }: Partial<Readonly<Record<'sarif' | 'junit' | 'markdown', string | undefined>>>,
  findings: readonly CiFindings[],
  configured?: ConfiguredBy,
): Promise<FinalOutput> {
  const notes = [
    ...(configured ? [`${configured.file} sets ${configured.settings.join(', ')}`] : []),
    ...findings.flatMap(({ junit: { file }, sarif: { assumptions = [] } }) =>
      assumptions.map(({ text }) => `${file} assumes: ${text}`),
    ),
  ];
  const files: (readonly [file: string | undefined, text: () => string])[] = [
    [
      sarif,
      () =>
        `${JSON.stringify(
          sarifLog(
            version,
            findings.map((one) => one.sarif),
            adviceInWords,
          ),
          null,
          2,
        )}\n`,
    ],
    [junit, () => junitReport(findings.map((one) => one.junit))],
    [
      markdown,
      () =>
        markdownSummary(
          findings.map((one) => one.junit),
          notes,
        ),
    ],
  ];
  const failed: string[] = [];
  let stdout = '';
  for (const [file, text] of files) {
    if (file === undefined) continue;
    if (file === '-') {
      stdout += text();
      continue;
    }
    const failure = await writeWhole(file, text());
    if (failure !== undefined) failed.push(failure);
  }
  return { stdout, failed };
}
