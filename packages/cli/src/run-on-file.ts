import {
  type CompiledText,
  configuredBy,
  decide,
  type Known,
  type Model,
  type Question,
  type Refusal,
} from '@fencewright/core';
import { environment } from './environment.js';
import { needsCompiler, frontEndOf, formatOf } from './formats.js';
import type { FileFinding } from './finding.js';
import { toFailure } from './internal-error.js';
import { type CReading, type LoadedFile, loadProgram } from './load-program.js';
import { readSource, type SourceText } from './read-source.js';
import type { FileHooks } from './known-answer.js';
import { instanceOfC, type Request, wishesFor } from './run-settings.js';
import { isTooDeep } from './too-deep.js';

/** The start of the work on a file, and the text if it was read before `runOnFile` is called. */
export interface Begun {
  /**
   * The time at which work on the file began, in milliseconds since 1970; the time of the call if
   * absent.
   */
  readonly begun?: number;
  /** The text of the file, if it was read already. */
  readonly given?: SourceText;
}

/**
 * Returns the limits for the work after reading: the time limit is shortened by `spent`
 * milliseconds.
 */
function afterReading({ limits }: Request, spent: number): Request['limits'] {
  if (limits.timeout === undefined) return limits;
  return { ...limits, timeout: Math.max(0, limits.timeout - spent) };
}

type Unread = Extract<FileFinding, { kind: 'unread' | 'unread-costs' }>;

/** Adds the program's text and the costs to the question, if the question needs them. */
async function complete(
  { question, costsFile, copies }: Request,
  { source = '', format = 'native' }: LoadedFile,
): Promise<Question | Unread> {
  if (question.kind === 'c11') return { ...question, format };
  const text = { format, source, ...(copies && { copies }) };
  if (question.kind === 'orders') return withCosts({ ...question, text }, costsFile);
  // IR cannot be edited; reports describe the places of fences by the next accesses.
  if (!frontEndOf(format).edit) return withCosts(question, costsFile);
  if (question.kind === 'explain' && question.listsFences) return { ...question, text };
  if (question.kind !== 'fence') return question;
  return withCosts({ ...question, text }, costsFile);
}

/** Adds the costs in a file to the question; returns the errors if the file cannot be read. */
async function withCosts(question: Question, costsFile?: string): Promise<Question | Unread> {
  if (question.kind !== 'fence' && question.kind !== 'orders') return question;
  if (costsFile === undefined) return question;
  const read = await readSource(costsFile);
  return read.kind === 'text'
    ? { ...question, costs: { kind: 'text', text: read.text } }
    : { kind: 'unread-costs', loaded: { file: costsFile, diagnostics: [read.diagnostic] } };
}

/**
 * Reads a text in C together with the places for fences, if the question is about repairs;
 * otherwise returns `undefined`.
 */
async function compiledFor(
  question: Question,
  { file, source = '', format }: LoadedFile,
  { wishes, limits }: CReading,
): Promise<CompiledText | undefined> {
  const isAsked =
    question.kind === 'fence' ||
    question.kind === 'orders' ||
    (question.kind === 'explain' && question.listsFences);
  if (!needsCompiler(format) || !isAsked) return undefined;
  const { openForRepairs } = await import('./open-for-repairs.js');
  return openForRepairs(file, source, wishes, limits);
}

/**
 * Repairs a program whose repairs cannot be written between the statements of the main file: tries
 * the header or linked file of the project to which all repairs belong, then the macros of the main
 * file and of headers. Returns `undefined` if none of these is enough, and if a certificate is
 * wanted, since certificates name statements of the main file only.
 */
async function repairElsewhere(
  { read, result }: Extract<FileFinding, { kind: 'answer' }>,
  question: Question,
  { wishes, limits }: CReading,
): Promise<FileFinding | undefined> {
  if (question.kind !== 'fence' && question.kind !== 'orders') return undefined;
  if (question.kind === 'fence' && question.certify) return undefined;
  const { hasText, otherPlacesFor, seenFrom } = await import('./fences-elsewhere.js');
  const { file, source } = read;
  const { text } = question;
  if (!text) return undefined;
  const { openForRepairs } = await import('./open-for-repairs.js');
  for (const { other, inMacros } of await otherPlacesFor(result, read, wishes.link ?? [])) {
    const compiled = await openForRepairs(file, source, wishes, limits, other, inMacros);
    if (!compiled) continue;
    const again = await decide(
      { kind: 'finite', program: compiled.program },
      { ...question, text: { ...text, source: other?.text ?? source } },
      limits,
      { ...environment, compiled },
    );
    if (!hasText(again)) continue;
    if (!other) return { kind: 'answer', read, result: again };
    return { kind: 'answer', read: { ...read, other }, result: seenFrom(file, other, again) };
  }
  return undefined;
}

/**
 * Returns the refusal of numbers of copies that do not fit the kind of program; `undefined` if they
 * fit.
 */
export function refusalOf(
  { kind }: Model,
  { copies, counted }: Pick<Request, 'copies' | 'counted'>,
): Refusal | undefined {
  if (!copies) return undefined;
  if (kind === 'events')
    return counted === 'threads' ? { kind: 'not-of-events', wishes: ['threads'] } : undefined;
  return counted === 'instances' ? { kind: 'only-events', wishes: ['instances'] } : undefined;
}

/** Adds a note that settings of a configuration influenced the result. */
function withNote(loaded: LoadedFile, { configured }: Request, own?: string): LoadedFile {
  const settings = [...(configured?.settings ?? []), ...(own === undefined ? [] : [own])];
  if (!configured || settings.length === 0) return loaded;
  const note = configuredBy(configured.file, settings);
  return { ...loaded, diagnostics: [...loaded.diagnostics, note] };
}

/**
 * Answers the question about one file. Never throws: an internal error becomes the finding, so that
 * the remaining files are still worked on.
 */
export async function runOnFile(
  file: string,
  request: Request,
  { onKnown, ...hooks }: FileHooks,
  { begun = Date.now(), given }: Begun = {},
): Promise<FileFinding> {
  try {
    const { copies } = request;
    const from = request.from ?? formatOf(file, request.formats);
    const counts = copies && new Map(Object.entries(copies));
    const text = given ?? (await readSource(file));
    const { wishes, text: own } = wishesFor(file, request.c);
    const reading = {
      wishes: instanceOfC(wishes, counts),
      limits: { ...afterReading(request, Date.now() - begun), ...hooks },
    };
    const loaded = withNote(await loadProgram(file, from, counts, text, reading), request, own);
    if (loaded.stopped) return { kind: 'overrun', reason: loaded.stopped };
    const limits = { ...afterReading(request, Date.now() - begun), ...hooks };
    const { model, source = '', format = 'native' } = loaded;
    // A program of events has no threads to name: the kind of program is refused, not the names.
    const plain =
      model || !counts ? loaded : await loadProgram(file, from, undefined, text, reading);
    const refusal = plain.model && refusalOf(plain.model, request);
    if (refusal) {
      const read = { ...plain, model: plain.model, source, format };
      return { kind: 'answer', read, result: { kind: 'refused', refusal } };
    }
    if (!model) return { kind: 'unread', loaded };
    const question = await complete(request, loaded);
    if (question.kind === 'unread' || question.kind === 'unread-costs') return question;
    const compiled = await compiledFor(question, { ...loaded, source, format }, reading);
    const marked: Model | undefined =
      compiled && (question.kind === 'fence' || question.kind === 'orders')
        ? { kind: 'finite', program: compiled.program }
        : undefined;
    const read = { ...loaded, model, source, format };
    const result = await decide(marked ?? model, question, limits, {
      ...environment,
      ...(compiled && { compiled }),
      ...(onKnown && { onKnown: (known: Known) => onKnown({ ...known, read }) }),
    });
    const answer: FileFinding = { kind: 'answer', read, result };
    if (!compiled) return answer;
    const left = { ...afterReading(request, Date.now() - begun), ...hooks };
    return (await repairElsewhere(answer, question, { ...reading, limits: left })) ?? answer;
  } catch (error) {
    return isTooDeep(error) ? { kind: 'too-deep' } : { kind: 'failed', failure: toFailure(error) };
  }
}
