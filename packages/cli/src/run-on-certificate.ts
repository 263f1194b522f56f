import {
  automataToJson,
  type CostChoice,
  type Diagnostic,
  eventAutomataToJson,
  eventModel,
  type Limits,
  reasonInWords,
  threadModel,
  unreadableFile,
} from '@fencewright/core';
import { certifiedRepairs, type TextEditor } from '@fencewright/core/edit';
import {
  type Expectation,
  JsonTooLarge,
  readJson,
  type Report,
  verifyCertificate,
} from '@fencewright/verifier';
import { inOptions } from './advice-in-words.js';
import { needsCompiler, type InputFormat, netFormatOf } from './formats.js';
import { type LoadedFile, loadProgram } from './load-program.js';
import { checkSpelling, readSource } from './read-source.js';
import { refusalInWords } from './refusal-in-words.js';
import { refusalOf } from './run-on-file.js';
import type { CopyNumbers, Counted, CWishes } from './run-settings.js';

/** A question about a certificate; plain data, so that a thread can receive the question. */
export interface CertificateRequest {
  readonly certificate: string;
  /** The name of the file of the program or net that the certificate is about. */
  readonly program?: string;
  /** The format of the program's file; the format of the file name if absent. */
  readonly from?: InputFormat;
  /** The numbers of copies that the certificate is about; the numbers in the file if absent. */
  readonly copies?: CopyNumbers;
  /** The options for compiling a program in C. */
  readonly c?: CWishes;
  /** The objects that `copies` counts: threads or instances of events; threads if absent. */
  readonly counted?: Counted;
  /** The cost model for the repairs; the certificate's own cost model if absent. */
  readonly costs?: CostChoice;
  /** The name of the file with the costs of repairs. */
  readonly costsFile?: string;
  /** The commands of the solvers that are to check proofs. */
  readonly solvers?: readonly string[];
  /** The statements that the user expects of the certificate. */
  readonly expect?: readonly Expectation[];
  readonly limits: Pick<Limits, 'maxStates' | 'effort' | 'maxMemory' | 'timeout'>;
}

/** The report of the verifier, or the reason why the verifier was not run. */
export type CertificateFinding =
  | { readonly kind: 'report'; readonly report: Report }
  /** The certificate needs a file with costs, but the request names no such file. */
  | { readonly kind: 'costs-needed' }
  | {
      readonly kind: 'failure';
      readonly file: string;
      readonly source?: string;
      readonly diagnostics: readonly Diagnostic[];
    };

type Failure = Extract<CertificateFinding, { kind: 'failure' }>;

/**
 * Returns the message about a file that is no certificate. The hint says which commands write
 * certificates, unless the message already has a hint about the file name.
 */
function withOrigin(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.hint !== checkSpelling) return diagnostic;
  const hint =
    'a certificate is written by --certificate FILE of check, fence, reach or prove, if there is a proof';
  return { ...diagnostic, hint };
}

/**
 * Reads a certificate. Returns a report if the certificate is too large to be read within the
 * limits.
 */
async function readCertificate(
  file: string,
  { maxMemory }: CertificateRequest['limits'],
): Promise<{ readonly kind: 'value'; readonly value: unknown } | CertificateFinding> {
  const source = await readSource(file);
  if (source.kind === 'failure')
    return { kind: 'failure', file, diagnostics: [withOrigin(source.diagnostic)] };
  try {
    return { kind: 'value', value: readJson(source.text, maxMemory) };
  } catch (error) {
    if (error instanceof JsonTooLarge)
      return { kind: 'report', report: { kind: 'unknown', reason: error.message } };
    const message = `this is not JSON: ${(error as Error).message}`;
    const hint = 'the certificate comes first, then the program';
    return { kind: 'failure', file, diagnostics: [unreadableFile(message, hint)] };
  }
}

/** A program or a net in the form that the verifier reads, or the errors in its file. */
type Given =
  | {
      readonly kind: 'model';
      readonly model: unknown;
      readonly loaded?: LoadedFile;
      /**
       * The object that writes fences into the program's text; present only for formats that a
       * compiler has to read.
       */
      readonly editor?: TextEditor;
    }
  /** The reading of the file ended early: a limit was reached, or the user stopped the run. */
  | { readonly kind: 'stopped'; readonly reason: NonNullable<LoadedFile['stopped']> }
  | Failure;

async function readGiven(
  file: string,
  request: Pick<CertificateRequest, 'from' | 'copies' | 'counted' | 'c' | 'limits'>,
  isAboutRepairs: boolean,
): Promise<Given> {
  if (netFormatOf(file) !== undefined) {
    const { loadNet } = await import('./run-on-net.js');
    const { net, diagnostics, ...text } = await loadNet(file);
    if (!net) return { kind: 'failure', file, ...text, diagnostics: inOptions(diagnostics) };
    const { netToJson } = await import('@fencewright/core/cover');
    return { kind: 'model', model: netToJson(net) };
  }
  const { from, copies, c: wishes = {}, limits } = request;
  const counts = copies && new Map(Object.entries(copies));
  const loaded = await loadProgram(file, from, counts, undefined, { wishes, limits });
  if (loaded.stopped) return { kind: 'stopped', reason: loaded.stopped };
  const refusal = loaded.model && refusalOf(loaded.model, request);
  if (refusal)
    return { kind: 'failure', file, diagnostics: refusalInWords(refusal, 'this verb', {}) };
  const { format, source: text = '' } = loaded;
  if (loaded.model && needsCompiler(format) && isAboutRepairs) {
    const { openForRepairs } = await import('./open-for-repairs.js');
    const compiled = await openForRepairs(file, text, wishes, limits);
    if (compiled) {
      const { editor, program } = compiled;
      const marked = { kind: 'finite', program } as const;
      const about = { ...loaded, model: marked };
      return { kind: 'model', model: automataToJson(marked, 'kept'), loaded: about, editor };
    }
  }
  const model = threadModel(loaded.model);
  if (model) return { kind: 'model', model: automataToJson(model, 'kept'), loaded };
  const events = eventModel(loaded.model);
  if (events) return { kind: 'model', model: eventAutomataToJson(events.program), loaded };
  const { source, diagnostics } = loaded;
  return { kind: 'failure', file, ...(source !== undefined && { source }), diagnostics };
}

/** Returns the repairs that can be written into the program's text, each with its cost. */
async function repairsIn(
  certificate: unknown,
  { model, format = 'native', source = '' }: LoadedFile,
  { costs, costsFile: file, limits }: CertificateRequest,
  editor: TextEditor | undefined,
): Promise<Awaited<ReturnType<typeof certifiedRepairs>> | Failure> {
  if (!model) return { kind: 'none' };
  const text = { format, source };
  const ask = (given: CostChoice | undefined) =>
    certifiedRepairs(certificate, model, text, given, limits, editor);
  if (file === undefined) return ask(costs);
  // A certificate without costs needs no file with costs.
  if (!needsCosts(certificate)) return { kind: 'none' };
  const read = await readSource(file);
  if (read.kind === 'failure') return { kind: 'failure', file, diagnostics: [read.diagnostic] };
  return ask({ kind: 'text', text: read.text });
}

const needsCosts = (certificate: unknown): boolean =>
  (Object(certificate) as { readonly costModel?: unknown }).costModel !== undefined;

/**
 * Gives a certificate to the verifier, together with the program if the request names a program;
 * returns the verifier's report.
 */
export async function runOnCertificate(request: CertificateRequest): Promise<CertificateFinding> {
  const { certificate, program, solvers, expect, limits, costsFile } = request;
  const read = await readCertificate(certificate, limits);
  if (read.kind !== 'value') return read;
  const given =
    program === undefined ? undefined : await readGiven(program, request, needsCosts(read.value));
  if (given?.kind === 'failure') return given;
  if (given?.kind === 'stopped') {
    const { reason } = given;
    return { kind: 'report', report: { kind: 'unknown', reason: reasonInWords[reason] } };
  }
  const repairs =
    given?.loaded && (await repairsIn(read.value, given.loaded, request, given.editor));
  switch (repairs?.kind) {
    case 'failure': {
      if ('file' in repairs) return repairs;
      const { text: source, diagnostics } = repairs;
      return { kind: 'failure', file: costsFile ?? '', source, diagnostics };
    }
    case 'costs-needed':
      return repairs;
    case 'unknown':
      return { kind: 'report', report: repairs };
    case 'none':
    case 'repairs':
    case undefined:
  }
  const report = await verifyCertificate(read.value, given?.model, {
    ...limits,
    ...(solvers && { solvers }),
    ...(repairs?.kind === 'repairs' && { repairs }),
    ...(expect && { expect }),
  });
  return { kind: 'report', report };
}
