import { nearestName } from '@fencewright/core/words';
import { InvalidArgumentError } from 'commander';

/** What always makes a run fail; `--fail-on` takes these words, too. */
const always = ['not-robust', 'unknown', 'error'] as const;

/** What fails only if `--fail-on` says so, and when. */
const onRequest = {
  violated: 'an assertion or a property fails, under SC or TSO',
  hangs: 'the same, or TSO lets a thread wait for ever',
  differs: 'TSO lets a thread wait for ever, or reaches states that SC does not',
  vacuous: 'a program is robust, but accesses never run, or threads never reach their end',
  races: 'a program in C has data races',
} as const;

/** What `--fail-on` adds to what always fails. */
export type FailOn = keyof typeof onRequest;

export type FailOnWord = (typeof always)[number] | FailOn;

const added = Object.keys(onRequest) as readonly FailOn[];

/** What `--fail-on` knows. */
export const failOnWords: readonly FailOnWord[] = [...always, ...added];

/** What `--help` says. */
export const failOnHelp = `more findings that make the run fail, with exit code 10, or 5 if unknown; separated by commas: ${added
  .map((word) => `${word} (${onRequest[word]})`)
  .join(', ')}`;

/** What some words add to what always fails. */
export function addedBy(asked: readonly FailOnWord[]): readonly FailOn[] {
  return asked.filter(isAdded);
}

function isAdded(name: string): name is FailOn {
  return Object.hasOwn(onRequest, name);
}

/** Reads the argument of `--fail-on`: names with commas between them; may be repeated. */
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
