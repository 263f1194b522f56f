import { quoteName } from '@fencewright/core';
import { finishBatch, outputsOf } from '../batch/finish-batch.js';
import { JournalError } from '../batch/journal.js';
import { mergeJournals, type NamedJournal } from '../batch/merge-journals.js';
import { keyVariable, userSealer, WeakKey } from '../batch/secrets.js';
import { flag } from '../options/declare.js';
import { readJournal } from '../batch/open-journal.js';
import { type ExitCode, exitCodes, worstOf } from '../exit-codes.js';
import { outputOptions } from '../options/batch.js';
import { askedReports, ciReportOptions } from '../options/ci-formats.js';
import { colourOptions } from '../options/common.js';
import { type Verb, verb } from '../verb.js';
import { expectationsOf, outputComplaint } from './batch.js';

const options = {
  trust: flag(
    '--trust',
    'accept results whose seal cannot be checked here (set the same FENCEWRIGHT_KEY for all parts to seal them)',
  ),
  ...colourOptions,
  ...outputOptions,
  ...ciReportOptions,
};

/**
 * Opens the journals in folders. Throws the first error. With `trust`, results without a seal are
 * accepted.
 */
function journalsIn(folders: readonly string[], trust: boolean): readonly NamedJournal[] {
  const { sealer } = userSealer();
  return folders.map((folder) => {
    const journal = readJournal(folder, { kind: 'sealed', sealer });
    const isSealed = journal.refused === 0 && (!journal.isListed || journal.isListBelieved);
    if (isSealed) return { folder, journal };
    journal.close();
    if (trust) return { folder, journal: readJournal(folder, { kind: 'all' }), isUnsealed: true };
    throw new JournalError(
      `the journal in ${quoteName(folder)} has results without a seal that can be checked here: set the same ${keyVariable} for both runs, or accept the results by --trust`,
    );
  });
}

/**
 * Opens the journals in folders, and returns the exit status that `say` returns for them; if a
 * folder has no valid journal, the status for wrong usage. With `trust`, results without a seal are
 * accepted.
 */
async function withJournals(
  folders: readonly string[],
  trust: boolean,
  say: (journals: readonly NamedJournal[]) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    const journals = journalsIn(folders, trust);
    const code = await say(journals);
    for (const { journal } of journals) journal.close();
    return code;
  } catch (error) {
    if (!(error instanceof JournalError || error instanceof WeakKey)) throw error;
    process.stderr.write(`fencewright: ${error.message}\n`);
    return exitCodes.usage;
  }
}

/**
 * The verb `batch merge`: puts the results of the parts of a batch together, as if the batch had
 * not been divided.
 */
export const batchMerge: Verb = verb(
  {
    name: 'batch merge',
    options,
    complaint: (values, [, ...folders]) =>
      folders.length === 0 ? 'name the folders of the journals' : outputComplaint(values),
  },
  (values, [, ...folders]) =>
    withJournals(folders, values.trust ?? false, async (journals) => {
      const { source, missing, remarks } = mergeJournals(journals);
      const expected = expectationsOf(values, journals[0]?.journal.header?.verb ?? 'check');
      if ('failure' in expected) {
        process.stderr.write(`error: ${expected.failure}\n`);
        return exitCodes.usage;
      }
      const reports = askedReports(values);
      if (reports.length > 0 && !journals[0]?.journal.header?.settings.ci) {
        process.stderr.write(
          'error: give --report sarif=FILE, junit=FILE or markdown=FILE to the parts, too: their journals lack its data\n',
        );
        return exitCodes.usage;
      }
      const code = await finishBatch(source, {
        outputs: outputsOf(values),
        quiet: values.quiet ?? false,
        ...expected,
      });
      for (const remark of remarks) process.stderr.write(`${remark}\n`);
      for (const { key, file } of missing)
        process.stderr.write(`missing: ${key} ${quoteName(file)}\n`);
      const isWhole = missing.length + remarks.length === 0;
      return worstOf(isWhole ? [code] : [code, exitCodes.unknown]);
    }),
);
