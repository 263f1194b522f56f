import { anyNumberRefused, inspectedProgram, onlyProofs, openParts } from '@fencewright/core';
import { complaintsBesideCopies } from './beside-copies.js';
import { copiesInWords } from './copies-in-words.js';
import {
  type FileReport,
  inputErrorReport,
  internalErrorReport,
  tooDeepReport,
} from './file-report.js';
import type { SourceText } from './read-source.js';
import { isTooDeep } from './too-deep.js';
import { exitCodes } from './exit-codes.js';
import { type CheckableFile, loadProgram } from './load-program.js';
import type { Hooks, Settings } from './settings.js';

type Analysis = (subject: CheckableFile, settings: Settings, hooks: Hooks) => Promise<FileReport>;

/** Each loads what it needs when it is needed. */
const analyses = {
  check: async (...task) => (await import('./verbs/check.js')).checkFile(...task),
  explain: async (...task) => (await import('./verbs/explain.js')).explainFile(...task),
  reach: async (...task) => (await import('./verbs/reach.js')).reachFile(...task),
  fence: async (...task) => (await import('./verbs/fence.js')).fenceFile(...task),
  trf: async (...task) => (await import('./verbs/trf.js')).trfFile(...task),
  bench: async (...task) => (await import('./verbs/bench.js')).benchFile(...task),
} satisfies Record<string, Analysis>;

/** The verbs that look at any number of files, one by one. */
export type FileVerb = keyof typeof analyses | 'prove';

/** Those that treat all instances of a program with threads in any number of copies. */
const knowTemplates: ReadonlySet<FileVerb> = new Set<FileVerb>(['check', 'explain', 'fence']);

function copiesOf({ copies }: Settings): ReadonlyMap<string, number> | undefined {
  return copies && new Map(Object.entries(copies));
}

/** The report on one of the instances that `--threads` asks for: that, and only that, was looked at. */
function forInstance(report: FileReport, { copies }: Settings): FileReport {
  if (!copies) return report;
  const heading = `With ${copiesInWords(copies)}; nothing is said about other numbers.\n`;
  return {
    ...report,
    stdout: report.stdout === '' ? '' : heading + report.stdout,
    json: { ...report.json, copies },
  };
}

/** What has been done about a file before. */
export interface Begun {
  /** When that began, in milliseconds since 1970. */
  readonly begun?: number;
  /** What the file says. */
  readonly given?: SourceText;
}

/** The settings with what is left of the time, of which reading the file has taken so many milliseconds. */
function afterReading(settings: Settings, spent: number): Settings {
  const { limits } = settings;
  if (limits.timeout === undefined) return settings;
  return { ...settings, limits: { ...limits, timeout: Math.max(0, limits.timeout - spent) } };
}

/** Does what `verb` does with one file. Never throws: a fault of ours is a report too, so that the other files get theirs. */
export async function runOnFile(
  verb: FileVerb,
  file: string,
  asked: Settings,
  hooks: Hooks,
  { begun = Date.now(), given }: Begun = {},
): Promise<FileReport> {
  try {
    const loaded = await loadProgram(file, asked.from, copiesOf(asked), given);
    const settings = afterReading(asked, Date.now() - begun);
    const { model, source = '', format = 'native' } = loaded;
    if (!model) return inputErrorReport(loaded, settings);
    if (verb === 'prove' || (verb === 'bench' && settings.suite === 'reduction')) {
      const { proveFile } = await import('./verbs/prove.js');
      return await proveFile(loaded, model, settings, hooks);
    }
    if (model.kind === 'unbounded' && (verb === 'check' || verb === 'explain')) {
      const complaints = complaintsBesideCopies(settings);
      if (complaints.length > 0) {
        const refused = inputErrorReport({ ...loaded, diagnostics: complaints }, settings, 'tool');
        return { ...refused, exitCode: exitCodes.usage };
      }
    }
    if (verb === 'check' && settings.triesProof && settings.copies === undefined) {
      const { checkOrProve } = await import('./verbs/check-by-proof.js');
      return await checkOrProve(loaded, model, settings, hooks);
    }
    const subject = { ...loaded, model, program: inspectedProgram(model), source, format };
    if (model.kind === 'finite')
      return forInstance(await analyses[verb](subject, settings, hooks), settings);
    if (model.kind === 'unbounded' && knowTemplates.has(verb))
      return await analyses[verb](subject, settings, hooks);
    const refusals =
      model.kind === 'unbounded'
        ? [anyNumberRefused(`'${verb}'`)]
        : [onlyProofs(`'${verb}'`, openParts(model))];
    return inputErrorReport({ ...loaded, diagnostics: refusals }, settings, 'tool');
  } catch (error) {
    return isTooDeep(error) ? tooDeepReport(file, asked) : internalErrorReport(file, error);
  }
}
