import { SeededRandom } from '@fencewright/ground/base/random.js';

export const claimBiases = ['pending', 'locks', 'asserts', 'rounds', 'silent', 'two'] as const;
/** A feature that occurs often in a random text. */
export type ClaimBias = (typeof claimBiases)[number];

/**
 * Returns a random program of two threads with finite data, and its claims. Features: stores are
 * buffered at ends and at labels that properties mention; threads hold locks and wait within them;
 * assertions fail in one thread; threads loop; there are no claims, or two claims of different
 * kinds.
 */
export function randomClaimsText(seed: number, bias: ClaimBias): string {
  const random = new SeededRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const cell = (): string => pick(['x', 'y']);
  const store = (): string => `${cell()} = ${pick(['1', '1', '2', '0'])};`;
  const load = (): string => `${pick(['r', 's'])} = ${cell()};`;
  const test = (): string => `${pick(['r', 's'])} ${pick(['==', '!='])} ${pick(['0', '1'])}`;
  const plain = (): string =>
    pick([
      store(),
      store(),
      load(),
      load(),
      'fence;',
      `r = xchg(${cell()}, 1);`,
      `s = cas(${cell()}, 0, 1);`,
      `if (${test()}) { ${store()} }`,
      `if (${test()}) { ${load()} }`,
    ]);
  const locked = (): string =>
    pick([
      `atomic { ${load()} ${store()} }`,
      `atomic { ${load()} assume(${test()}); ${pick(['', store()])} }`,
      `assume(${test()});`,
    ]);
  const statement = (): string => {
    if (bias === 'locks' && chance(45)) return locked();
    if (bias === 'asserts' && chance(15)) return `assert(${test()});`;
    return chance(4) ? locked() : plain();
  };
  const isSwapping = chance(40);
  const thread = (name: string, own: string, other: string): string => {
    const fence = pick(['', '', 'fence; ']);
    const half = `${own} = 1; ${fence}here: r = ${other};`;
    const claim = bias === 'asserts' && name === 'a' ? ' assert(r != 0);' : '';
    const length = isSwapping ? random.below(2) : 1 + random.below(3);
    const statements = Array.from({ length }, statement);
    const body = isSwapping
      ? `${statements.join(' ')} ${half}${claim}`
      : `${statements.join(' ')} here: ${statement()}`;
    const tail = chance(bias === 'pending' ? 60 : 20) ? ` ${store()}` : '';
    const isRound = bias === 'rounds' ? chance(70) : chance(10);
    const round = isRound
      ? pick([`loop { ${body}${tail} }`, `do { ${body}${tail} } while (${test()});`])
      : `${body}${tail}`;
    return `thread ${name} { local r, s; ${round} }`;
  };
  const atom = (): string =>
    pick([
      'a @ here',
      'b @ here',
      'ended(a)',
      'ended(b)',
      'a.r == 0',
      'b.r == 0',
      'drained(a)',
      '!drained(b)',
      `${cell()} == ${pick(['0', '1', '2'])}`,
      `${cell()} != ${pick(['0', '1'])}`,
    ]);
  const both = (): string => pick(['a.r == 0 && b.r == 0', `${atom()} && ${atom()}`, atom()]);
  const claims: Readonly<Record<string, () => string>> = {
    never: () =>
      `never (${pick([`a @ here && ${cell()} == 0`, 'a @ here && b @ here && a.r == 0', `ended(b) && !drained(b) && ${cell()} == 0`, both()])})`,
    finally: () => `finally (${pick(['a.r != 0 || b.r != 0', atom(), `${atom()} || ${atom()}`])})`,
    exists: () => `exists (${both()})`,
    stuck: () => `stuck (${pick(['true', both()])})`,
  };
  const kinds = {
    pending: ['never'],
    locks: ['stuck', 'never'],
    asserts: [],
    rounds: ['never', 'stuck'],
    silent: [],
    two: ['never', 'finally', 'exists', 'stuck'],
  }[bias];
  const count = bias === 'two' ? 2 : Math.min(1, kinds.length);
  const properties = Array.from(
    { length: count },
    (_, i) => `property p${i}: ${claims[pick(kinds)]!()}`,
  );
  return [
    'program Claims',
    'var x, y',
    thread('a', 'x', 'y'),
    thread('b', 'y', 'x'),
    ...properties,
    '',
  ].join('\n');
}
