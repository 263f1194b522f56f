import { decide, type Question } from '@fencewright/core';
import { environment } from './environment.js';
import type { Finding } from './finding.js';
import { toFailure } from './internal-error.js';
import { type LoadedFile, loadProgram } from './load-program.js';
import { readSource, type SourceText } from './read-source.js';
import type { Hooks, Request } from './run-settings.js';
import { isTooDeep } from './too-deep.js';

/** What has been done about a file before. */
export interface Begun {
  /** When that began, in milliseconds since 1970. */
  readonly begun?: number;
  /** What the file says. */
  readonly given?: SourceText;
}

/**
 * The limits with what is left of the time, of which reading the file has taken so many
 * milliseconds.
 */
function afterReading({ limits }: Request, spent: number): Request['limits'] {
  if (limits.timeout === undefined) return limits;
  return { ...limits, timeout: Math.max(0, limits.timeout - spent) };
}

type Unread = Extract<Finding, { kind: 'unread' | 'unread-costs' }>;

/** The question with what it wants of files: the text of the program, and costs. */
async function complete(
  { question, costsFile, copies }: Request,
  { source = '', format = 'native' }: LoadedFile,
): Promise<Question | Unread> {
  const text = { format, source, ...(copies && { copies }) };
  if (question.kind === 'explain' && question.listsFences) return { ...question, text };
  if (question.kind !== 'fence') return question;
  if (costsFile === undefined) return { ...question, text };
  const read = await readSource(costsFile);
  return read.kind === 'text'
    ? { ...question, text, costs: { kind: 'text', text: read.text } }
    : { kind: 'unread-costs', loaded: { file: costsFile, diagnostics: [read.diagnostic] } };
}

/**
 * Asks about one file. Never throws: a fault of ours is a finding too, so that the other files get
 * theirs.
 */
export async function runOnFile(
  file: string,
  request: Request,
  hooks: Hooks,
  { begun = Date.now(), given }: Begun = {},
): Promise<Finding> {
  try {
    const { from, copies } = request;
    const counts = copies && new Map(Object.entries(copies));
    const loaded = await loadProgram(file, from, counts, given);
    const limits = { ...afterReading(request, Date.now() - begun), ...hooks };
    const { model, source = '', format = 'native' } = loaded;
    if (!model) return { kind: 'unread', loaded };
    const question = await complete(request, loaded);
    if (question.kind === 'unread' || question.kind === 'unread-costs') return question;
    const result = await decide(model, question, limits, environment);
    return { kind: 'answer', read: { ...loaded, model, source, format }, result };
  } catch (error) {
    return isTooDeep(error) ? { kind: 'too-deep' } : { kind: 'failed', failure: toFailure(error) };
  }
}
