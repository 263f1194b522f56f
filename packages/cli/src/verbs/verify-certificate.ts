import { InvalidArgumentError } from 'commander';
import { diagnosticsText } from '@fencewright/core';
import {
  complaintAboutSolvers,
  exitCodeOf,
  type Expectation,
  expectationForms,
  readExpectation,
  type Report,
  reportText,
} from '@fencewright/verifier';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { formatOf, type FormatsByExtension } from '../formats.js';
import {
  coloursOf,
  copiesOf,
  countedBy,
  countOptions,
  inputOptions,
  limitOptions,
  limitsOf,
  quiet,
} from '../options/common.js';
import { costOptions, costsOf } from '../options/costs.js';
import { parsed, text, type ValuesOf } from '../options/declare.js';
import { terminalPalette } from '../palette.js';
import { type CopyNumbers, wishesFor } from '../run-settings.js';
import { runWatched } from '../run-watched.js';
import { cSettingsOf } from '../settings.js';
import { verb } from '../verb.js';

function expectations(said: string, before: readonly Expectation[] = []): readonly Expectation[] {
  const read = readExpectation(said);
  if (!read) throw new InvalidArgumentError(`It takes one of ${expectationForms.join(', ')}.`);
  return [...before, read];
}

const options = {
  expect: parsed<readonly Expectation[]>(
    '--expect <name=value>',
    `claims that the certificate must make; may be repeated: ${expectationForms.join(', ').replaceAll('|', ' | ')}`,
    expectations,
  ),
  ...inputOptions,
  quiet,
  ...countOptions,
  ...limitOptions,
  ...costOptions('the costs, as for fence; needed only if they came from a file'),
  solvers: text(
    '--solvers <names>',
    'for proofs: the SMT solvers, separated by commas; all must agree (default: z3,cvc5)',
  ),
};

type VerifyValues = ValuesOf<typeof options>;

function complaint(values: VerifyValues, [, program]: readonly string[]): string | undefined {
  const wrong = complaintAboutSolvers(values.solvers?.split(',') ?? []);
  if (wrong !== undefined) return `--solvers: ${wrong}`;
  const counts = copiesOf(values);
  if (!counts) return undefined;
  const option = values.threads ? '--threads' : '--copies';
  if (program === undefined) return `${option} needs a program`;
  return counts.length > 1
    ? `${option} takes one number each: a certificate is for one number of copies`
    : undefined;
}

/** Returns the numbers of copies that the user named, in words. */
function inNumbers(copies: CopyNumbers | undefined): string {
  const numbers = Object.entries(copies ?? {}).map(([name, count]) => `${name}=${count}`);
  return numbers.length === 0 ? '' : ` with ${numbers.join(', ')}`;
}

function tell(
  certificate: string,
  about: string | undefined,
  report: Report,
  { isColoured, isQuiet }: { readonly isColoured: boolean; readonly isQuiet: boolean },
): ExitCode {
  const palette = terminalPalette(isColoured);
  const paint = { 0: palette.good, 5: palette.doubtful, 10: palette.bad, 65: palette.bad };
  const code = exitCodeOf(report);
  const said = reportText(certificate, report, {
    ...(about !== undefined && { program: about }),
    strong: palette.strong,
    verdict: paint[code],
  });
  if (code === exitCodes.input) process.stderr.write(`fencewright: ${said}`);
  else if (!isQuiet) process.stdout.write(said);
  return code;
}

/**
 * The verb `verify-certificate`: prints the verifier's report on a certificate, and on the program,
 * if given.
 */
export const verifyCertificateVerb = verb(
  {
    name: 'verify-certificate',
    options,
    examples: [
      [
        'fencewright verify-certificate lock.cert.json lock.fw',
        'checks that the proof is about this program, and right',
      ],
      ['fencewright verify-certificate lock.cert.json', 'checks the proof by itself'],
    ],
    complaint,
  },
  async (values, [certificate = '', program]) => {
    const { solvers, expect } = values;
    // The configuration may name the format of files with other extensions.
    const { formats } = values as { readonly formats?: FormatsByExtension };
    const isKnown = formats !== undefined && program !== undefined;
    const from = values.from ?? (isKnown ? formatOf(program, formats) : undefined);
    const [copies] = copiesOf(values) ?? [];
    const request = {
      certificate,
      ...(program !== undefined && { program }),
      ...(from && { from }),
      ...(copies && { copies, ...countedBy(values) }),
      ...costsOf(values),
      c: wishesFor(program ?? '', cSettingsOf(values)).wishes,
      ...(solvers !== undefined && { solvers: solvers.split(',') }),
      ...(expect && { expect }),
      limits: limitsOf(values),
    };
    const files = [certificate, ...(program === undefined ? [] : [program])];
    const ended = await runWatched('certificate', request, files, false);
    if (ended.kind === 'overrun') return ended.exitCode;
    const finding = ended.value;
    const { stdout, stderr } = coloursOf(values);
    switch (finding.kind) {
      case 'report':
        return tell(certificate, program && `${program}${inNumbers(copies)}`, finding.report, {
          isColoured: stdout,
          isQuiet: values.quiet ?? false,
        });
      case 'costs-needed':
        process.stderr.write(
          'fencewright: the costs of this certificate come from a file: give it with --cost FILE\n',
        );
        return exitCodes.usage;
      case 'failure': {
        const { file, source, diagnostics } = finding;
        const palette = terminalPalette(stderr);
        process.stderr.write(diagnosticsText(file, source, diagnostics, palette));
        return exitCodes.input;
      }
    }
  },
);
