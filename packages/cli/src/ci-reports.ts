import { junitReport, markdownSummary, sarifLog } from '@fencewright/core';
import { adviceInWords } from './advice-in-words.js';
import type { CiFindings } from './ci-findings.js';
import { askedReports, type CiFiles, type CiFormat } from './options/ci-formats.js';
import type { ConfiguredBy } from './run-settings.js';
import type { FinalOutput } from './verb.js';
import { version } from './version.js';
import { writeWhole } from './write-whole.js';

type Print = (findings: readonly CiFindings[], notes: readonly string[]) => string;

const printers: Readonly<Record<CiFormat, Print>> = {
  sarif(findings) {
    const runs = findings.map((one) => one.sarif);
    return `${JSON.stringify(sarifLog(version, runs, adviceInWords), null, 2)}\n`;
  },
  junit: (findings) => junitReport(findings.map((one) => one.junit)),
  markdown(findings, notes) {
    const cases = findings.map((one) => one.junit);
    return markdownSummary(cases, notes);
  },
};

/**
 * Writes the reports for continuous integration to their files. A report with the file name `-` is
 * returned, for standard output.
 */
export async function writeCiReports(
  files: CiFiles,
  findings: readonly CiFindings[],
  configured?: ConfiguredBy,
): Promise<FinalOutput> {
  const notes = [
    ...(configured ? [`${configured.file} sets ${configured.settings.join(', ')}`] : []),
    ...findings.flatMap(({ junit: { file }, sarif: { assumptions = [] } }) =>
      assumptions.map(({ text }) => `${file} assumes: ${text}`),
    ),
  ];
  const failed: string[] = [];
  let stdout = '';
  for (const [format, file] of askedReports(files)) {
    const text = printers[format](findings, notes);
    if (file === '-') {
      stdout += text;
      continue;
    }
    const failure = await writeWhole(file, text);
    if (failure !== undefined) failed.push(failure);
  }
  return { stdout, failed };
}
