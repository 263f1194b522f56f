import { commandTable, type CommandEntry } from '../command-table.js';
import { bashCompletion } from '../completion/bash.js';
import { fishCompletion } from '../completion/fish.js';
import { zshCompletion } from '../completion/zsh.js';
import { exitCodes } from '../exit-codes.js';
import { type VerbEntry, type Verb, verb } from '../verb.js';

type Print = (table: readonly CommandEntry[]) => string;

const printers: Readonly<Record<string, Print>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};
const shells = Object.keys(printers);

/**
 * Makes the verb `completion`. The verb prints the script for completing verbs and options in a
 * shell.
 */
export function completionVerb(entries: Readonly<Record<string, VerbEntry>>): Verb {
  return verb(
    {
      name: 'completion',
      behind: shells,
      options: {},
      complaint: (_, [shell = '']) =>
        Object.hasOwn(printers, shell) ? undefined : `there is ${shells.join(', ')}`,
    },
    async (_, [shell = '']) => {
      process.stdout.write(printers[shell]!(await commandTable(entries)));
      return exitCodes.robust;
    },
  );
}
