import { libraryFunctions } from './library-functions.js';

/** The numbers from `low` to `high`. */
export interface Choice {
  readonly low: number;
  readonly high: number;
}

/** What the user says of values from outside, by their names. */
export type Narrowings = Readonly<Record<string, Choice>>;

/** `argc`, by default: the program has a name at least. */
export const anyArgumentCount: Choice = { low: 1, high: 2_147_483_647 };

/**
 * The name of what `--assume malloc=new` says: how many blocks come again that were given back.
 */
export const blocksAgain = 'malloc';
export const noBlocks: Choice = { low: 0, high: 0 };

/** What a value from outside may be, if nobody says more; `undefined` for a name of none. */
export function wholeChoice(name: string): Choice | undefined {
  if (name === 'argc') return anyArgumentCount;
  const source = libraryFunctions.get(name);
  return source?.kind === 'free' ? source : undefined;
}

/** The names of values from outside, in the order of the alphabet. */
export function outsideNames(): readonly string[] {
  const free = [...libraryFunctions].flatMap(([name, { kind }]) => (kind === 'free' ? [name] : []));
  return ['argc', ...free].sort();
}
