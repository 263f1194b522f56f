import { nearestName } from '@fencewright/core/words';
import { InvalidArgumentError } from 'commander';

/** What always makes the exit code one of failure. */
const always = ['not-robust', 'unknown', 'error'] as const;

/** What does where it is asked for. */
const choices = ['vacuous', 'races', 'violated', 'differs'] as const;

/** What `--fail-on` adds to what always fails. */
export type FailOn = (typeof choices)[number];

/** Reads the argument of `--fail-on`: names with commas between them; may be repeated. */
export function failOnList(text: string, before: readonly FailOn[] = []): readonly FailOn[] {
  const asked = text.split(',').flatMap((part): FailOn[] => {
    const name = part.trim();
    const choice = choices.find((known) => known === name);
    if (choice) return [choice];
    if (always.some((known) => known === name)) return [];
    const names = [...always, ...choices];
    const nearest = nearestName(name, names);
    const hint =
      nearest === undefined ? `there is ${names.join(', ')}` : `did you mean '${nearest}'?`;
    throw new InvalidArgumentError(`there is no '${name}'; ${hint}`);
  });
  return [...new Set([...before, ...asked])];
}
