import { type Declared, report } from './declare.js';

/** The formats of reports for continuous integration, and what a report of each format holds. */
const contents = {
  sarif: 'the findings as SARIF 2.1.0, for code scanning',
  junit: 'the verdicts as a JUnit report, one case a file',
  markdown: 'a summary of the run, for a pull request',
} as const;

export type CiFormat = keyof typeof contents;

export const ciFormats = Object.keys(contents) as readonly CiFormat[];

/** The files that take reports for continuous integration; `-` is standard output. */
export type CiFiles = Readonly<Partial<Record<CiFormat, string | undefined>>>;

/** The options that name the files for reports to continuous integration. */
export const ciReportOptions = Object.fromEntries(
  Object.entries(contents).map(([format, held]) => [format, report(format, held)]),
) as Readonly<Record<CiFormat, Declared<string | undefined>>>;

/** Returns the formats of the requested reports, each with the file. */
export function askedReports(files: CiFiles): readonly (readonly [CiFormat, string])[] {
  return ciFormats.flatMap((format) => {
    const file = files[format];
    return file === undefined ? [] : [[format, file] as const];
  });
}
