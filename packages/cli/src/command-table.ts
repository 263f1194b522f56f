import type { Option } from 'commander';
import { optionsOf } from './verb-options.js';
import type { VerbEntry, Verb } from './verb.js';

/**
 * A verb, or a word after a verb (`batch status`), with its options; used for completion and the
 * man page.
 */
export interface Command {
  readonly name: string;
  /** The options of the verb or word, as `--help-all` shows them, in order. */
  readonly options: readonly Option[];
}

/** A verb with the words that may follow the verb. */
export interface CommandEntry extends Command {
  readonly summary: string;
  readonly operands: VerbEntry['operands'];
  /** The words that may directly follow the verb, each with the options that the verb then has. */
  readonly behind: readonly Command[];
}

function shownOptions(verb: Verb): readonly Option[] {
  return optionsOf(verb).flatMap(({ option }) => (option.hidden ? [] : [option]));
}

/** Loads all verbs, and returns them in the order of `--help`. */
export function commandTable(
  entries: Readonly<Record<string, VerbEntry>>,
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

/** The kind of argument that an option takes: a word of a list, a file, or any text. */
type OptionArgument =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file' }
  | { readonly kind: 'other' };

/** Returns the default of an option, in brackets; empty without a default. */
export function defaultOf({ defaultValue }: Option): string {
  return ['string', 'number'].includes(typeof defaultValue)
    ? ` (default: ${String(defaultValue)})`
    : '';
}

/** Returns the kind of argument that an option takes. */
export function argumentOf({ argChoices, flags, required, optional }: Option): OptionArgument {
  if (argChoices) return { kind: 'words', words: argChoices };
  if (!required && !optional) return { kind: 'nothing' };
  return /<(file|folder|dir|directory|path)>$/i.test(flags) ? { kind: 'file' } : { kind: 'other' };
}
