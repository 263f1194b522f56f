import { anyNumberRefused, onlyProofs, openParts, toOpenProgram } from '@fencewright/core';
import { type FileReport, inputErrorReport, internalErrorReport } from './file-report.js';
import { type CheckableFile, loadProgram } from './load-program.js';
import type { Hooks, Settings } from './settings.js';
import { benchFile } from './verbs/bench.js';
import { checkFile } from './verbs/check.js';
import { explainFile } from './verbs/explain.js';
import { fenceFile } from './verbs/fence.js';
import { proveFile } from './verbs/prove.js';
import { reachFile } from './verbs/reach.js';

type Analysis = (subject: CheckableFile, settings: Settings, hooks: Hooks) => Promise<FileReport>;

const analyses = {
  check: checkFile,
  explain: explainFile,
  reach: reachFile,
  fence: fenceFile,
  bench: benchFile,
} satisfies Record<string, Analysis>;

/** The verbs that look at any number of files, one by one. */
export type FileVerb = keyof typeof analyses | 'prove';

/** Does what `verb` does with one file. Never throws: a fault of ours is a report too, so that the other files get theirs. */
export async function runOnFile(
  verb: FileVerb,
  file: string,
  settings: Settings,
  hooks: Hooks,
): Promise<FileReport> {
  try {
    const loaded = await loadProgram(file, settings.from);
    const { program, parameterized, open, source = '', format = 'native' } = loaded;
    const any = program ?? parameterized ?? open;
    if (verb === 'prove')
      return any
        ? await proveFile(loaded, toOpenProgram(any), settings, hooks)
        : inputErrorReport(loaded, settings);
    if (!program) {
      const refusals = parameterized
        ? [anyNumberRefused(`'${verb}'`)]
        : open && [onlyProofs(`'${verb}'`, openParts(open))];
      return inputErrorReport(refusals ? { ...loaded, diagnostics: refusals } : loaded, settings);
    }
    return await analyses[verb]({ ...loaded, program, source, format }, settings, hooks);
  } catch (error) {
    return internalErrorReport(file, error);
  }
}
