import { canonicalJson, quoteName } from '@fencewright/core';
import { namingOf, type RowSource } from './batch-rows.js';
import { type Journal, JournalError } from './journal.js';
import type { ListedFile } from './journal-lines.js';
import { differences } from './open-journal.js';

/** A journal, with the name that messages use. */
export interface NamedJournal {
  readonly folder: string;
  readonly journal: Journal;
  /**
   * Present if nobody is known to have made the results in the journal, and the user trusts them
   * all the same.
   */
  readonly isUnsealed?: true;
}

/** The content of several journals together. */
interface Merged {
  readonly source: RowSource;
  /** The files of the batch that have no result in any of the journals. */
  readonly missing: readonly ListedFile[];
  /** Messages for the user about problems found when the journals are put together. */
  readonly remarks: readonly string[];
}

const nameOf = ({ file, key, copies }: ListedFile): string =>
  canonicalJson([file, copies ?? {}, key]);

/**
 * Returns the files of all journals, in the order of the first journal; files that only later
 * journals list follow.
 */
function allFiles(journals: readonly NamedJournal[], remarks: string[]): readonly ListedFile[] {
  const seen = new Set<string>();
  const files: ListedFile[] = [];
  for (const [i, { folder, journal }] of journals.entries()) {
    if (!journal.isListed)
      remarks.push(`${quoteName(folder)}: its run has not seen all files; run it again`);
    // A journal may list a file twice.
    const fresh = journal.files.filter((listed) => !seen.has(nameOf(listed)));
    const [first] = fresh;
    if (i > 0 && first && journals[0]?.journal.isListed)
      remarks.push(
        `${quoteName(folder)}: ${quoteName(first.file)} has another text there, or is not among the files of ${quoteName(journals[0].folder)}`,
      );
    for (const listed of journal.files) seen.add(nameOf(listed));
    files.push(...fresh);
  }
  return files;
}

/**
 * Joins the journals of the parts of a batch. Throws `JournalError` if the journals are about
 * different questions.
 */
export function mergeJournals(journals: readonly NamedJournal[]): Merged {
  const [first, ...others] = journals;
  for (const { folder, journal } of others) {
    const [wrong] = differences(first!.journal.header!, journal.header!);
    if (wrong !== undefined)
      throw new JournalError(`${quoteName(folder)} belongs to another batch: ${wrong}`);
  }
  const remarks: string[] = [];
  const files = allFiles(journals, remarks);
  const missing = files.filter(({ key }) =>
    journals.every(({ journal }) => journal.countOf(key) === 0),
  );
  const naming = first ? namingOf(first.journal) : {};
  const resultsOf: RowSource['resultsOf'] = (key) =>
    journals.flatMap(({ journal }) => journal.resultsOf(key));
  const fromOf: RowSource['fromOf'] = (key) =>
    journals.find(({ journal }) => journal.countOf(key) > 0)?.isUnsealed && 'unsealed';
  return { source: { files, naming, resultsOf, fromOf }, missing, remarks };
}
