import path from 'node:path';
import { existsSync, readdirSync } from 'node:fs';
import { countOf, printableLine, quoteName } from '@fencewright/core';
import { Tally } from '../batch/batch-rows.js';
import { type Journal, JournalError } from '../batch/journal.js';
import { userSealer, WeakKey } from '../batch/secrets.js';
import { holderOf } from '../batch/lock.js';
import { journalFile, lockFile, readJournal } from '../batch/open-journal.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { loadFleet } from '../fleet/load-fleet.js';
import { queueAddress } from '../fleet/queue-address.js';
import { queueNameOption, queueOption } from '../options/batch.js';
import { colourOptions } from '../options/common.js';
import { type Verb, verb } from '../verb.js';
import { buildName } from '../build-name.js';

/** Returns the folders where batches keep journals by default. */
function usualFolders(): readonly string[] {
  const parent = path.join('.fencewright', 'batch');
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .sort()
    .map((name) => path.join(parent, name))
    .filter((folder) => existsSync(journalFile(folder)));
}

/** Returns the lines that summarise a journal. */
function statusOf(folder: string, journal: Journal): string {
  const tally = new Tally();
  const suspects = journal.suspects();
  // The jobs done first are not in the list yet.
  const open = new Set(suspects.map(({ key }) => key));
  for (const { key } of journal.files) {
    const result = journal.resultOf(key);
    if (result) tally.add(result);
    else open.add(key);
  }
  const holder = holderOf(lockFile(folder));
  const refused =
    journal.refused === 0
      ? []
      : [`  without a seal of this user, and not trusted: ${countOf(journal.refused, 'result')}`];
  const seen = journal.isListed ? '' : ' of those seen so far';
  const elsewhere = journal.shard === undefined ? '' : ` (part ${journal.shard}: others do some)`;
  const lines = [
    `${quoteName(folder)}: ${printableLine(journal.header?.verb ?? '')}, ${holder === undefined ? 'not running' : `process ${holder} is running`}`,
    `  done: ${tally.summary}`,
    `  jobs without a result${seen}: ${open.size}${elsewhere}`,
    ...refused,
    ...suspects.map(({ key, file }) => {
      const { count, why } = journal.deathsOf(key);
      return `  begun: ${quoteName(file)}${count > 1 ? `, ${count} times` : ''}${why === undefined ? '' : `; ${printableLine(why)}`}`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}

/** Prints the state of a queue in a line; returns the exit status. */
async function queueStatus(at: string | true, name: string): Promise<ExitCode> {
  try {
    const { openQueue } = await loadFleet();
    const address = await queueAddress(at);
    const queue = await openQueue(address, buildName(), name);
    const { waiting, active, ended, workers, otherVersions } = await queue.counts();
    await queue.close();
    const others = otherVersions.length === 0 ? '' : `; others are of ${otherVersions.join(', ')}`;
    process.stdout.write(
      `${address.shown}, queue ${name} of ${buildName()}: ${waiting} waiting, ${active} being done, ${ended} done and not collected, ${countOf(workers, 'worker')}${others}\n`,
    );
    return exitCodes.robust;
  } catch (error) {
    const { name: kind, message } = error as Error;
    if (kind !== 'NoStore' && kind !== 'NoFleet') throw error;
    process.stderr.write(`fencewright: ${message}\n`);
    return exitCodes.usage;
  }
}

const options = { queue: queueOption, queueName: queueNameOption, ...colourOptions };

/**
 * The verb `batch status`: prints the progress of batches, found by the folders of their journals.
 */
export const batchStatus: Verb = verb(
  { name: 'batch status', options },
  ({ queue, queueName }, [, ...named]) => {
    if (queue !== undefined) return queueStatus(queue, queueName);
    const folders = named.length > 0 ? named : usualFolders();
    if (folders.length === 0) {
      process.stderr.write('fencewright: there is no journal in .fencewright/batch\n');
      return Promise.resolve(exitCodes.usage);
    }
    try {
      const { sealer } = userSealer();
      for (const folder of folders) {
        const journal = readJournal(folder, { kind: 'sealed', sealer });
        process.stdout.write(statusOf(folder, journal));
        journal.close();
      }
      return Promise.resolve(exitCodes.robust);
    } catch (error) {
      if (!(error instanceof JournalError || error instanceof WeakKey)) throw error;
      process.stderr.write(`fencewright: ${error.message}\n`);
      return Promise.resolve(exitCodes.usage);
    }
  },
);
