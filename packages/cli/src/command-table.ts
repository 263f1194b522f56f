import type { Option } from 'commander';
import type { Entry } from './verb.js';

/** A verb with its options, for what lists them: completion, the man page. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly operands: Entry['operands'];
  /** Those that its help shows, in that order. */
  readonly options: readonly Option[];
}

/** All verbs, loaded, in the order of `--help`. */
export function commandTable(
  entries: Readonly<Record<string, Entry>>,
): Promise<readonly CommandEntry[]> {
  return Promise.all(
    Object.entries(entries).map(async ([name, { summary, operands, load }]) => {
      const { options } = await load([]);
      const shown = Object.values(options)
        .filter(({ isAdvanced = false }) => !isAdvanced)
        .map(({ make }) => make())
        .filter(({ hidden }) => !hidden);
      return { name, summary, operands, options: shown };
    }),
  );
}

/** What an option takes: one of some words, a file, or something that nobody can guess. */
export type Argument =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file' }
  | { readonly kind: 'other' };

/** What an option takes. */
export function argumentOf({ argChoices, flags, required, optional }: Option): Argument {
  if (argChoices) return { kind: 'words', words: argChoices };
  if (!required && !optional) return { kind: 'nothing' };
  return /<(file|folder|dir|directory|path)>$/i.test(flags) ? { kind: 'file' } : { kind: 'other' };
}
