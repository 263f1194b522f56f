import { libraryFunctions } from './library-functions.js';

/** The range of an input value: the numbers from `low` to `high`. */
export interface NumberRange {
  readonly low: number;
  readonly high: number;
}

/** The user's bounds for input values, by name. */
export type Narrowings = Readonly<Record<string, NumberRange>>;

/** The default range of `argc`: a program has at least a name. */
export const anyArgumentCount: NumberRange = { low: 1, high: 2_147_483_647 };

/**
 * The name under which the user's bound `malloc=new` limits the number of blocks that are reused.
 */
export const blocksAgain = 'malloc';
/** The bound that `malloc=new` sets: `malloc` reuses 0 freed blocks. */
export const noBlocks: NumberRange = { low: 0, high: 0 };

/** The range of an input value without bounds from the user; `undefined` for unknown names. */
export function wholeChoice(name: string): NumberRange | undefined {
  if (name === 'argc') return anyArgumentCount;
  const source = libraryFunctions.get(name);
  return source?.kind === 'free' ? source : undefined;
}

/** The names of input values, in alphabetical order. */
export function outsideNames(): readonly string[] {
  const free = [...libraryFunctions].flatMap(([name, { kind }]) => (kind === 'free' ? [name] : []));
  return ['argc', ...free].sort();
}
