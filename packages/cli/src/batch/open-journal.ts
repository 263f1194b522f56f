import { configurationName } from '../configuration/find-configuration.js';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { canonicalJson, quoteName } from '@fencewright/core';
import { buildName } from '../build-name.js';
import { writeFailure } from '../write-failure.js';
import type { JournalHeader } from './journal-lines.js';
import { type Belief, Journal, JournalError } from './journal.js';
import { takeLock } from './lock.js';
import type { Sealer } from './seal.js';

/** Returns the file of the journal in a folder. */
export const journalFile = (folder: string): string => path.join(folder, 'journal.jsonl');
/** Returns the lock file in a journal's folder, which prevents a second run at the same time. */
export const lockFile = (folder: string): string => path.join(folder, 'lock');

/**
 * A writable journal, with the function that closes the journal; or the reason why the journal
 * cannot be used.
 */
type OpenJournal =
  | { readonly kind: 'open'; readonly journal: Journal; readonly release: () => void }
  | { readonly kind: 'failure'; readonly message: string };

/** Returns the option for a setting, as the user writes it: `--max-states`. */
function optionOf(name: string): string {
  if (name === 'ci') return '--report sarif=FILE, junit=FILE or markdown=FILE';
  if (name === 'configured') return configurationName;
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns in words the settings in which two headers of journals differ. */
export function differences(
  { tool, verb, settings }: JournalHeader,
  other: JournalHeader,
): readonly string[] {
  const shown = (value: unknown): string =>
    value === undefined ? 'not given' : value === true ? 'given' : canonicalJson(value);
  const differing = (name: string, a: unknown, b: unknown): readonly string[] =>
    canonicalJson(a) === canonicalJson(b) ? [] : [`${name} was ${shown(a)} and is ${shown(b)}`];
  const names = new Set([...Object.keys(settings), ...Object.keys(other.settings)]);
  return [
    ...differing('the version', tool, other.tool),
    ...differing('the verb', verb, other.verb),
    ...[...names]
      .sort()
      .flatMap((name) => differing(optionOf(name), settings[name], other.settings[name])),
  ];
}

/** Returns the header of a journal for a verb and its settings. */
export function journalHeader(
  verb: string,
  settings: Readonly<Record<string, unknown>>,
): JournalHeader {
  return { kind: 'journal', version: 1, tool: buildName(), verb, settings };
}

function failure(folder: string, why: string): OpenJournal {
  return {
    kind: 'failure',
    message: `fencewright: the journal in ${quoteName(folder)} cannot be used: ${why}\n`,
  };
}

/**
 * Opens the journal in a folder for reading. Throws `JournalError` if this fails; the message names
 * the folder and the reason.
 */
export function readJournal(folder: string, belief: Belief): Journal {
  try {
    const journal = new Journal(journalFile(folder), 'read', belief);
    if (journal.header) return journal;
    throw new JournalError('the journal is empty');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? 'the folder has no journal' : (error as Error).message;
    throw new JournalError(`the journal in ${quoteName(folder)} cannot be used: ${why}`);
  }
}

/**
 * Opens the journal in a folder for a run; makes a new journal if the folder has none, or with
 * `fresh`. Returns the reason if the journal is used by another run, damaged, or about another
 * question.
 */
export function openJournal(
  folder: string,
  header: JournalHeader,
  fresh: boolean,
  sealer: Sealer,
): OpenJournal {
  let release: (() => void) | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    const lock = takeLock(lockFile(folder));
    if (typeof lock === 'number') return failure(folder, `process ${lock} is using the journal`);
    release = lock;
    if (fresh) rmSync(journalFile(folder), { force: true });
    const journal = new Journal(journalFile(folder), 'write', { kind: 'sealed', sealer });
    const wrong = journal.header ? differences(journal.header, header) : [];
    if (wrong.length === 0) {
      if (!journal.header) journal.append(header);
      return { kind: 'open', journal, release };
    }
    journal.close();
    release();
    return failure(
      folder,
      `${wrong.join('; ')}\n  --fresh begins anew, --journal names another folder`,
    );
  } catch (error) {
    release?.();
    const why =
      error instanceof JournalError ? `${error.message}; --fresh begins anew` : writeFailure(error);
    return failure(folder, why);
  }
}
