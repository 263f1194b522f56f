import { nearestName } from '@fencewright/core/words';
import { InvalidArgumentError } from 'commander';

/** The outcomes with which a run always fails; `--fail-on` accepts these words, too. */
const always = ['not-robust', 'unknown', 'error'] as const;

/** The outcomes with which a run fails only if named by `--fail-on`, each with an explanation. */
const onRequest = {
  violated: 'an assertion or a property fails, or a freed block is used, under SC or TSO',
  hangs: 'violated, or TSO lets a thread wait for ever',
  deadlocks: 'a thread waits for ever even without store buffers',
  differs: 'hangs, or TSO reaches states that SC does not',
  vacuous: 'a program is robust, but accesses never run, or threads never reach their end',
  races: 'a program in C has data races or uses freed memory',
} as const;

/**
 * A word that can change an exit code if named by `--fail-on`. `not-robust` has an effect with
 * `--answers`: without `not-robust`, `--answers` excuses a program if robustness is stricter than
 * needed.
 */
export type FailOn = keyof typeof onRequest | 'not-robust';

export type FailOnWord = (typeof always)[number] | FailOn;

const added = Object.keys(onRequest) as readonly (keyof typeof onRequest)[];

/** The words known to `--fail-on`. */
export const failOnWords: readonly FailOnWord[] = [...always, ...added];

export const failOnHelp = `further findings that make the run fail, separated by commas; exit code 10, or 5 if the finding is undecided: ${added
  .map((word) => `${word} (${onRequest[word]})`)
  .join(', ')}`;

/** Returns the words that can change an exit code. */
export function addedBy(asked: readonly FailOnWord[]): readonly FailOn[] {
  return asked.filter(isAdded);
}

function isAdded(name: string): name is FailOn {
  return name === 'not-robust' || Object.hasOwn(onRequest, name);
}

/**
 * Parses the argument of `--fail-on`: words separated by commas. The option may be repeated;
 * `before` has the words of the earlier occurrences.
 */
export function failOnList(text: string, before: readonly FailOn[] = []): readonly FailOn[] {
  const asked = text.split(',').map((part): FailOnWord => {
    const name = part.trim();
    const known = failOnWords.find((word) => word === name);
    if (known !== undefined) return known;
    const nearest = nearestName(name, failOnWords);
    const hint =
      nearest === undefined ? `there is ${failOnWords.join(', ')}` : `did you mean '${nearest}'?`;
    throw new InvalidArgumentError(`there is no '${name}'; ${hint}`);
  });
  return [...new Set([...before, ...addedBy(asked)])];
}
