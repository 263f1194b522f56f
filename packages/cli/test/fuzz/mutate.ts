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

const swapped: Mutation = (parts, random) => {
  const [a, b] = [random.below(parts.length), random.below(parts.length)];
  return parts.with(a, parts[b]!).with(b, parts[a]!);
};

const replaced: Mutation = (parts, random) =>
  parts.with(random.below(parts.length), oneOf(parts, random));

/** Deletes or repeats a run of some parts. */
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

const ofTokens: readonly Mutation[] = [
  deleted,
  duplicated,
  swapped,
  replaced,
  replaced,
  cut,
  repeated,
  truncated,
  renumbered,
  renumbered,
  sprinkled,
];
const ofLines: readonly Mutation[] = [deleted, duplicated, swapped, replaced, cut, repeated];

/** The text with one to three slips of a user or an editor in it. */
export function mutate(text: string, random: SeededRandom): string {
  let mutant = text;
  for (let rest = 1 + random.below(3); rest > 0; rest--) {
    const byLine = random.below(3) === 0;
    const parts = byLine ? mutant.split('\n') : (mutant.match(tokens) ?? []);
    if (parts.length === 0) return mutant;
    mutant = oneOf(byLine ? ofLines : ofTokens, random)(parts, random).join(byLine ? '\n' : '');
  }
  return mutant;
}
