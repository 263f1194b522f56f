import { junitReport, sarifLog } from '@fencewright/core';
import type { CiFindings } from './ci-findings.js';
import type { CiSettings } from './settings.js';
import { version } from './version.js';
import { writeWhole } from './write-whole.js';

/** Writes the reports that continuous integration reads, to standard output where the file is `-`; gives the lines that say what failed. */
export async function writeCiReports(
  { sarif, junit }: CiSettings,
  findings: readonly CiFindings[],
): Promise<string[]> {
  const files: (readonly [file: string | undefined, text: () => string])[] = [
    [
      sarif,
      () =>
        `${JSON.stringify(
          sarifLog(
            version,
            findings.map((one) => one.sarif),
          ),
          null,
          2,
        )}\n`,
    ],
    [junit, () => junitReport(findings.map((one) => one.junit))],
  ];
  const failed: string[] = [];
  for (const [file, text] of files) {
    if (file === undefined) continue;
    if (file === '-') {
      process.stdout.write(text());
      continue;
    }
    const failure = await writeWhole(file, text());
    if (failure !== undefined) failed.push(failure);
  }
  return failed;
}
