import { diagnosticsText } from '@fencewright/core';
import { exitCodeOf, type Report, reportText } from '@fencewright/verifier';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { formatOf, type FormatsByExtension } from '../formats.js';
import {
  coloursOf,
  copiesOf,
  inputOptions,
  limitOptions,
  limitsOf,
  quiet,
  searchOptions,
} from '../options/common.js';
import { cWishes } from '../options/c-files.js';
import { costOptions, costsOf } from '../options/costs.js';
import { text, type ValuesOf } from '../options/declare.js';
import { eventOptions } from '../options/events.js';
import { terminalPalette } from '../palette.js';
import { runWatched } from '../run-watched.js';
import { verb } from '../verb.js';

const options = {
  ...inputOptions,
  quiet,
  threads: searchOptions.threads,
  instances: eventOptions.instances,
  ...limitOptions,
  ...costOptions('the costs, as for fence; needed only if they came from a file'),
  solvers: text(
    '--solvers <names>',
    'for proofs: the SMT solvers to ask, between commas; all of them have to agree (z3,cvc5)',
  ),
};

type Values = ValuesOf<typeof options>;

const countsOf = ({ threads, instances }: Values) => copiesOf(threads ?? instances);

function complaint(values: Values, [, program]: readonly string[]): string | undefined {
  const counts = countsOf(values);
  if (!counts) return undefined;
  const option = values.threads ? '--threads' : '--instances';
  if (program === undefined) return `${option} is about the program, and none is given`;
  return counts.length > 1 ? `${option} takes one number each: a certificate has one` : undefined;
}

function tell(
  certificate: string,
  program: string | undefined,
  report: Report,
  { isColoured, isQuiet }: { readonly isColoured: boolean; readonly isQuiet: boolean },
): ExitCode {
  const palette = terminalPalette(isColoured);
  const paint = { 0: palette.good, 5: palette.doubtful, 10: palette.bad, 65: palette.bad };
  const code = exitCodeOf(report);
  const said = reportText(certificate, report, {
    ...(program !== undefined && { program }),
    strong: palette.strong,
    verdict: paint[code],
  });
  if (code === exitCodes.input) process.stderr.write(`fencewright: ${said}`);
  else if (!isQuiet) process.stdout.write(said);
  return code;
}

/**
 * `verify-certificate`: what the verifier says of a certificate, and of the program if one is
 * given.
 */
export const verifyCertificate = verb(
  {
    name: 'verify-certificate',
    options,
    complaint,
  },
  async (values, [certificate = '', program]) => {
    const { solvers, instances } = values;
    // As a configuration says.
    const { formats } = values as { readonly formats?: FormatsByExtension };
    const isKnown = formats !== undefined && program !== undefined;
    const from = values.from ?? (isKnown ? formatOf(program, formats) : undefined);
    const [copies] = countsOf(values) ?? [];
    const request = {
      certificate,
      ...(program !== undefined && { program }),
      ...(from && { from }),
      ...(copies && ({ copies, counted: instances ? 'instances' : 'threads' } as const)),
      ...costsOf(values),
      c: cWishes(values),
      ...(solvers !== undefined && { solvers: solvers.split(',') }),
      limits: limitsOf(values),
    };
    const files = [certificate, ...(program === undefined ? [] : [program])];
    const ended = await runWatched('certificate', request, files, false);
    if (ended.kind === 'overrun') return ended.exitCode;
    const finding = ended.value;
    const { stdout, stderr } = coloursOf(values);
    switch (finding.kind) {
      case 'report':
        return tell(certificate, program, finding.report, {
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
