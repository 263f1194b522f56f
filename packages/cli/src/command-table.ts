import type { Option } from 'commander';
import { optionsOf } from './verb-options.js';
import type { Entry, Verb } from './verb.js';

/** A verb, or a word behind it, with its options: for completion and the man page. */
export interface Command {
  readonly name: string;
  /** Those that `--help-all` shows, in that order. */
  readonly options: readonly Option[];
}

/** A verb with what can stand behind it. */
export interface CommandEntry extends Command {
  readonly summary: string;
  readonly operands: Entry['operands'];
  /** The words that can stand right behind it, each with the options that the verb then has. */
  readonly behind: readonly Command[];
}

function shownOptions(verb: Verb): readonly Option[] {
  return optionsOf(verb).flatMap(({ option }) => (option.hidden ? [] : [option]));
}

/** All verbs, loaded, in the order of `--help`. */
export function commandTable(
  entries: Readonly<Record<string, Entry>>,
): Promise<readonly CommandEntry[]> {
  return Promise.all(
    Object.entries(entries).map(async ([name, { summary, operands, load }]) => {
      const verb = await load([name]);
      const behind = (verb.behind ?? []).map(async (word) => {
        return { name: word, options: shownOptions(await load([name, word])) };
      });
      return {
        ...{ name, summary, operands },
        options: shownOptions(verb),
        behind: await Promise.all(behind),
      };
    }),
  );
}

/** What an option takes: one of some words, a file, or something that nobody can guess. */
export type Argument =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file' }
  | { readonly kind: 'other' };

/** What holds where an option is not given, in brackets. */
export function defaultOf({ defaultValue }: Option): string {
  return ['string', 'number'].includes(typeof defaultValue)
    ? ` (default: ${String(defaultValue)})`
    : '';
}

/** What an option takes. */
export function argumentOf({ argChoices, flags, required, optional }: Option): Argument {
  if (argChoices) return { kind: 'words', words: argChoices };
  if (!required && !optional) return { kind: 'nothing' };
  return /<(file|folder|dir|directory|path)>$/i.test(flags) ? { kind: 'file' } : { kind: 'other' };
}
