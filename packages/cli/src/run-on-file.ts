import { type CostChoice, decide } from '@fencewright/core';
import { environment } from './environment.js';
import type { Finding } from './finding.js';
import { toFailure } from './internal-error.js';
import { loadProgram } from './load-program.js';
import { questionOf } from './question-of.js';
import { readSource, type SourceText } from './read-source.js';
import type { Hooks, Settings } from './settings.js';
import { isTooDeep } from './too-deep.js';
import type { FileVerb } from './file-verb.js';

function copiesOf({ copies }: Settings): ReadonlyMap<string, number> | undefined {
  return copies && new Map(Object.entries(copies));
}

/** What has been done about a file before. */
export interface Begun {
  /** When that began, in milliseconds since 1970. */
  readonly begun?: number;
  /** What the file says. */
  readonly given?: SourceText;
}

/** The limits with what is left of the time, of which reading the file has taken so many milliseconds. */
function afterReading({ limits }: Settings, spent: number): Settings['limits'] {
  if (limits.timeout === undefined) return limits;
  return { ...limits, timeout: Math.max(0, limits.timeout - spent) };
}

/** The costs that were asked for, those of a file as its text; or the file that cannot be read. */
async function readCosts({
  fence,
}: Settings): Promise<CostChoice | Extract<Finding, { kind: 'unread-costs' }> | undefined> {
  if (fence?.costs.kind !== 'file') return fence?.costs;
  const { file } = fence.costs;
  const source = await readSource(file);
  if (source.kind === 'text') return { kind: 'text', text: source.text };
  return { kind: 'unread-costs', loaded: { file, diagnostics: [source.diagnostic] } };
}

/** Asks what `verb` asks about one file. Never throws: a fault of ours is a finding too, so that the other files get theirs. */
export async function runOnFile(
  verb: FileVerb,
  file: string,
  settings: Settings,
  hooks: Hooks,
  { begun = Date.now(), given }: Begun = {},
): Promise<Finding> {
  try {
    const loaded = await loadProgram(file, settings.from, copiesOf(settings), given);
    const limits = { ...afterReading(settings, Date.now() - begun), ...hooks };
    const { model, source = '', format = 'native' } = loaded;
    if (!model) return { kind: 'unread', loaded };
    const costs = verb === 'fence' ? await readCosts(settings) : undefined;
    if (costs?.kind === 'unread-costs') return costs;
    const question = questionOf(verb, settings, { format, source }, costs);
    const result = await decide(model, question, limits, environment);
    return { kind: 'answer', read: { ...loaded, model, source, format }, result };
  } catch (error) {
    return isTooDeep(error) ? { kind: 'too-deep' } : { kind: 'failed', failure: toFailure(error) };
  }
}
