import { nearestName } from '@fencewright/core/words';
import { InvalidArgumentError } from 'commander';

/** The outcomes that always make a run fail; `--fail-on` accepts the words, too. */
const always = ['not-robust', 'unknown', 'error'] as const;

/** The outcomes that make a run fail only with `--fail-on`, with the condition. */
const onRequest = {
  violated: 'an assertion or a property fails, under SC or TSO',
  hangs: 'the same, or TSO lets a thread wait for ever',
  differs: 'TSO lets a thread wait for ever, or reaches states that SC does not',
  vacuous: 'a program is robust, but accesses never run, or threads never reach their end',
  races: 'a program in C has data races',
} as const;

/** An outcome that `--fail-on` adds to the failing ones. */
export type FailOn = keyof typeof onRequest;

export type FailOnWord = (typeof always)[number] | FailOn;

const added = Object.keys(onRequest) as readonly FailOn[];

/** The words known to `--fail-on`. */
export const failOnWords: readonly FailOnWord[] = [...always, ...added];

/** The text of `--help`. */
export const failOnHelp = `more findings that make the run fail, with exit code 10, or 5 if unknown; separated by commas: ${added
  .map((word) => `${word} (${onRequest[word]})`)
  .join(', ')}`;

/** Returns the outcomes that some words add to the failing ones. */
export function addedBy(asked: readonly FailOnWord[]): readonly FailOn[] {
  return asked.filter(isAdded);
}

function isAdded(name: string): name is FailOn {
  return Object.hasOwn(onRequest, name);
}

/** Reads the argument of `--fail-on`: names separated by commas; may be repeated. */
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
