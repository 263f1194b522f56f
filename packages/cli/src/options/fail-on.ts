import { nearestName } from '@fencewright/core/words';
import { InvalidArgumentError } from 'commander';

/** A reason for which a check can fail. */
interface FailOnEntry {
  /** With which exit code, and when. */
  readonly help: string;
  /** It counts whatever is asked for. */
  readonly isDefault: boolean;
}

/** What `--fail-on` knows: the one table. */
export const failOnWords = {
  'not-robust': { help: '10: a program is not robust', isDefault: true },
  unknown: { help: '5: a verdict is unknown', isDefault: true },
  error: { help: '65: a file has errors', isDefault: true },
  violated: {
    help: '10: an assertion or a property fails, under SC or TSO; 5 where this is not known',
    isDefault: false,
  },
  differs: {
    help: '10: TSO reaches states that SC does not; 5 where this is not known',
    isDefault: false,
  },
  vacuous: {
    help: '10: a program is robust, but accesses never run, or threads never reach their end; 5 where this is not known',
    isDefault: false,
  },
  races: {
    help: '10: a program in C has data races; 5 where this is not known',
    isDefault: false,
  },
} as const satisfies Readonly<Record<string, FailOnEntry>>;

export type FailOnWord = keyof typeof failOnWords;

/** What `--fail-on` adds to what always fails. */
export type FailOn = {
  [W in FailOnWord]: (typeof failOnWords)[W]['isDefault'] extends true ? never : W;
}[FailOnWord];

const words = Object.keys(failOnWords) as readonly FailOnWord[];
const wordsThat = (isDefault: boolean): readonly FailOnWord[] =>
  words.filter((word) => failOnWords[word].isDefault === isDefault);

/** What `--help` says. */
export const failOnHelp = `what makes the run fail besides ${wordsThat(true).join(', ')}, between commas: ${wordsThat(
  false,
)
  .map((word) => `${word} (exit code ${failOnWords[word].help})`)
  .join(', ')}`;

/** What some words add to what always fails. */
export function addedBy(asked: readonly FailOnWord[]): readonly FailOn[] {
  return asked.filter((word): word is FailOn => !failOnWords[word].isDefault);
}

function isWord(name: string): name is FailOnWord {
  return Object.hasOwn(failOnWords, name);
}

/** Reads the argument of `--fail-on`: names with commas between them; may be repeated. */
export function failOnList(text: string, before: readonly FailOn[] = []): readonly FailOn[] {
  const asked = text.split(',').map((part): FailOnWord => {
    const name = part.trim();
    if (isWord(name)) return name;
    const nearest = nearestName(name, words);
    const hint =
      nearest === undefined ? `there is ${words.join(', ')}` : `did you mean '${nearest}'?`;
    throw new InvalidArgumentError(`there is no '${name}'; ${hint}`);
  });
  return [...new Set([...before, ...addedBy(asked)])];
}
