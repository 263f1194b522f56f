import {
  type Diagnostic,
  diagnosticsText,
  diagnosticToJson,
  type JsonCoverResult,
  jsonFormatVersion,
  quoteName,
} from '@fencewright/core';
import {
  type CoverAnswer,
  coverCertificateToJson,
  coverReport,
  type CoverResult,
  runToJson,
  writeProgramOfNet,
} from '@fencewright/core/cover';
import { inOptions } from '../advice-in-words.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { netInputFormats } from '../formats.js';
import {
  colourOptions,
  coloursOf,
  json,
  limitOptions,
  limitsOf,
  quiet,
} from '../options/common.js';
import { choice, choiceOr, text, underHeading, type ValuesOf } from '../options/declare.js';
import { terminalPalette } from '../palette.js';
import { runWatched } from '../run-watched.js';
import { verb } from '../verb.js';
import { version } from '../version.js';
import { noCertificate } from '../certificate-report.js';
import { writeWhole } from '../write-whole.js';

const options = {
  ...colourOptions,
  ...limitOptions,
  from: underHeading(
    'Input and output:',
    choice(
      '--from <format>',
      'format of the input, if the file name does not tell it',
      netInputFormats,
    ),
  ),
  initial: text(
    '--initial <S|L/L>',
    'for .tts: the shared state, the local states with one thread each, and behind / the local states with any number of threads',
  ),
  target: text(
    '--target <S|L,L>',
    'for .tts: the target to cover (default: the target in the file or in FILE.prop)',
  ),
  engine: choiceOr(
    '--engine <name>',
    'direction of the search; both alternates',
    ['both', 'forward', 'backward'],
    'both',
  ),
  program: text(
    '--program <file>',
    'file for a program that is robust if and only if no target can be covered ([BDM13x] Theorem 11); - is stdout',
  ),
  certificate: text('--certificate <file>', 'file for the proof that no target can be covered'),
  json,
  quiet,
};

type CoverValues = ValuesOf<typeof options>;
type Covered = Extract<CoverResult, { readonly kind: 'cover' }>;

const exitCodeOf: Readonly<Record<CoverAnswer['verdict']['kind'], ExitCode>> = {
  'not-coverable': exitCodes.robust,
  coverable: exitCodes.notRobust,
  unknown: exitCodes.unknown,
};

function resultOf(file: string, { net, answer, milliseconds }: Covered): JsonCoverResult {
  const { verdict, engine, states } = answer;
  return {
    file,
    verdict: verdict.kind,
    ...(verdict.kind === 'unknown' && { reason: verdict.reason }),
    statistics: {
      places: net.places.length,
      controls: net.controls.length,
      rules: net.rules.length,
      engine,
      ...states,
      milliseconds,
    },
    ...(verdict.kind === 'coverable' && verdict.run && { run: runToJson(net, verdict.run) }),
    ...(verdict.kind === 'not-coverable' && {
      certificate: coverCertificateToJson(net, verdict.certificate),
    }),
    diagnostics: [],
  };
}

function print(result: JsonCoverResult): void {
  const head = { tool: 'fencewright', version, formatVersion: jsonFormatVersion, command: 'cover' };
  process.stdout.write(`${JSON.stringify({ ...head, results: [result] }, null, 2)}\n`);
}

function refuse(
  file: string,
  source: string | undefined,
  diagnostics: readonly Diagnostic[],
  values: CoverValues,
): ExitCode {
  const palette = terminalPalette(coloursOf(values).stderr);
  if (values.json) {
    const cause = 'program';
    print({ file, verdict: 'error', cause, diagnostics: diagnostics.map(diagnosticToJson) });
  } else process.stderr.write(diagnosticsText(file, source, diagnostics, palette));
  return exitCodes.input;
}

/** Prints that a limit ended the reading of the net's file; returns the exit status. */
function unread(file: string, reason: 'memory' | 'work' | 'time', values: CoverValues): ExitCode {
  if (values.json) print({ file, verdict: 'unknown', reason, diagnostics: [] });
  else if (!values.quiet)
    process.stdout.write(`${file}: unknown\nthe limit on ${reason} was reached while reading it\n`);
  return exitCodes.unknown;
}

function show(file: string, found: Covered, values: CoverValues): void {
  if (values.json) {
    print(resultOf(file, found));
    return;
  }
  if (values.quiet) return;
  const { good, bad, doubtful, strong } = terminalPalette(coloursOf(values).stdout);
  const paints = { coverable: bad, 'not-coverable': good, unknown: doubtful };
  const name = strong(quoteName(file));
  const { net, answer, milliseconds } = found;
  process.stdout.write(
    coverReport(name, net, answer, milliseconds, (said, kind) => paints[kind](said)),
  );
}

/** The verb `cover`: decides whether a net can cover a target. */
export const coverVerb = verb(
  {
    name: 'cover',
    options,
  },
  async (values, [file = '']) => {
    const { from, initial, target, engine, certificate: output } = values;
    const tts = {
      ...(initial !== undefined && { initial }),
      ...(target !== undefined && { target }),
    };
    const question = { tts, engine, certify: output !== undefined };
    const request = { file, ...(from && { from }), question, limits: limitsOf(values) };
    const ended = await runWatched('net', request, [file], true);
    if (ended.kind === 'overrun') return ended.exitCode;
    const { source, result } = ended.value;
    if (result.kind === 'unread')
      return refuse(file, source, inOptions(result.diagnostics), values);
    if (result.kind === 'unread-within') return unread(file, result.reason, values);
    if (values.program === '-') {
      process.stdout.write(writeProgramOfNet(result.net));
      return exitCodeOf[result.answer.verdict.kind];
    }
    show(file, result, values);
    const unwritten =
      values.program !== undefined &&
      (await writeWhole(values.program, writeProgramOfNet(result.net)));
    if (typeof unwritten === 'string') {
      process.stderr.write(unwritten);
      return exitCodes.usage;
    }
    const code = exitCodeOf[result.answer.verdict.kind];
    if (output === undefined) return code;
    if (!result.certificate) {
      const why = "only the answer 'not coverable' has a proof";
      process.stderr.write(noCertificate(output, why));
      return code;
    }
    const failure = await writeWhole(output, `${JSON.stringify(result.certificate, null, 1)}\n`);
    if (failure === undefined) return code;
    process.stderr.write(failure);
    return exitCodes.usage;
  },
);
