import type { SeededRandom } from '@fencewright/core/testing';

/** Words, signs and white space of any of our formats. */
const tokens = /\s+|\w+|[^\w\s]/g;

const numbers = [
  '0',
  '1',
  '-1',
  '2',
  '31',
  '4096',
  '65536',
  '2147483647',
  '-2147483648',
  '2147483648',
  '1e9',
  '9'.repeat(25),
];
const characters = [
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ';',
  ':',
  ',',
  '=',
  '*',
  '"',
  '/*',
  '//',
  '\u0000',
  '\u2028',
  'é',
  '\r',
  '@',
  '$',
  '%',
  '|',
  // A property that every JavaScript object inherits.
  ' constructor ',
  ' toString ',
  ' __proto__ ',
];

type Mutation = (parts: readonly string[], random: SeededRandom) => readonly string[];

function oneOf<T>(items: readonly T[], random: SeededRandom): T {
  return items[random.below(items.length)]!;
}

const deleted: Mutation = (parts, random) => parts.toSpliced(random.below(parts.length), 1);

const duplicated: Mutation = (parts, random) => {
  const at = random.below(parts.length);
  return parts.toSpliced(at, 0, parts[at]!);
};

/**
 * Returns the indices of all parts that are of the same sort as the part `place`: a word, a number,
 * a sign or white space.
 */
function alike(parts: readonly string[], place: number): readonly number[] {
  const sort = (part: string): number =>
    [/^\d/, /^\w/, /^\s/].findIndex((start) => start.test(part));
  const own = sort(parts[place]!);
  return parts.flatMap((part, i) => (sort(part) === own ? [i] : []));
}

const swapped: Mutation = (parts, random) => {
  const a = random.below(parts.length);
  const b = oneOf(alike(parts, a), random);
  return parts.with(a, parts[b]!).with(b, parts[a]!);
};

const replaced: Mutation = (parts, random) => {
  const at = random.below(parts.length);
  return parts.with(at, parts[oneOf(alike(parts, at), random)]!);
};

/** A mutation that deletes or repeats some neighbouring parts. */
const cut: Mutation = (parts, random) =>
  parts.toSpliced(random.below(parts.length), 1 + random.below(8));

const repeated: Mutation = (parts, random) => {
  const at = random.below(parts.length);
  return parts.toSpliced(at, 0, ...parts.slice(at, at + 1 + random.below(8)));
};

const truncated: Mutation = (parts, random) => parts.slice(0, random.below(parts.length));

const renumbered: Mutation = (parts, random) => {
  const places = parts.flatMap((part, i) => (/^\d+$/.test(part) ? [i] : []));
  return places.length === 0 ? parts : parts.with(oneOf(places, random), oneOf(numbers, random));
};

const sprinkled: Mutation = (parts, random) =>
  parts.toSpliced(random.below(parts.length), 0, oneOf(characters, random));

/**
 * Mutations of tokens. Most of them leave a text that parses, so that the code after the parsers is
 * tested as well.
 */
const ofTokens: readonly Mutation[] = [
  ...[swapped, replaced, replaced, replaced, replaced, renumbered, renumbered, renumbered],
  ...[deleted, duplicated, cut, repeated, truncated, sprinkled],
];
const ofLines: readonly Mutation[] = [
  deleted,
  deleted,
  duplicated,
  swapped,
  replaced,
  cut,
  repeated,
];

/** Returns the text with one or two random errors, as a user or an editor makes them. */
export function mutate(text: string, random: SeededRandom): string {
  let mutant = text;
  for (let rest = 1 + random.below(2); rest > 0; rest--) {
    const byLine = random.below(2) === 0;
    const parts = byLine ? mutant.split('\n') : (mutant.match(tokens) ?? []);
    if (parts.length === 0) return mutant;
    mutant = oneOf(byLine ? ofLines : ofTokens, random)(parts, random).join(byLine ? '\n' : '');
  }
  return mutant;
}
