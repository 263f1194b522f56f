import { SeededRandom } from '@fencewright/ground/base/random.js';

export const hangBiases = [
  'wake-ups',
  'general',
  'servers',
  'blocks',
  'together',
  'luck',
  'conditions',
] as const;
/** The feature that occurs often in a random text. */
export type HangBias = (typeof hangBiases)[number];

/**
 * Returns a random program whose threads wait for each other: in lock blocks, in loops, for
 * conditions that never hold, or with a time-out. Others loop alone, serve for ever, or wake up by
 * luck.
 */
export function randomHangsText(seed: number, bias: HangBias): string {
  const random = new SeededRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const cell = (): string => pick(['x', 'y', 'k']);
  const value = (): string => pick(['0', '1', '1']);
  const block = (on: string): string =>
    `atomic { z = ${on}; assume(z ${chance(85) ? '> 0' : '== 0'}); ${chance(80) ? `${on} = ${value()};` : ''} }`;
  const longBlock = (): string =>
    pick([
      `atomic { ${cell()} = 1; z = ${cell()}; assume(z == ${value()}); ${cell()} = 0; }`,
      `atomic { do { z = ${cell()}; } while (z == ${value()}); ${cell()} = ${value()}; }`,
      `atomic { z = ${cell()}; if (z == 0) { ${cell()} = 1; } else { assume(z > 1); } }`,
    ]);
  const spin = (on: string): string =>
    pick([
      `while (${on} == ${value()}) { }`,
      `do { r = ${on}; } while (r != 1);`,
      `while (${on} == 0) { ${pick(['skip;', 'r = x;', `xchg(${cell()}, ${value()});`])} }`,
      `while (!cas(${on}, ${value()}, 1)) { }`,
    ]);
  const wait = (on: string): string =>
    pick([
      block(on),
      block(on),
      spin(on),
      `r = ${on}; assume(r == 1);`,
      `choose { ${block(on)} } or { skip; }`,
    ]);
  const plain = (): string =>
    pick([
      `${cell()} = ${value()};`,
      `${cell()} = ${value()};`,
      `r = ${cell()};`,
      `${cell()} = r;`,
      'fence;',
      `xchg(${cell()}, ${value()});`,
      `if (${cell()} == ${value()}) { ${cell()} = 1; }`,
      `choose { ${cell()} = 1; } or { skip; }`,
      `r = weak_cas(${cell()}, 0, 1);`,
    ]);
  const lucky = (on: string): string =>
    pick([
      `choose { ${block(on)} } or { @luck skip; }`,
      `choose { ${spin(on)} } or { @luck skip; }`,
      `atomic { z = ${on}; choose { assume(z > 0); } or { @luck skip; } ${on} = ${value()}; }`,
      `atomic { z = ${on}; choose { assume(z > 0); } or { @luck skip; ${cell()} = 1; } }`,
      `choose { @luck ${cell()} = ${value()}; } or { ${plain()} }`,
      `choose { @luck xchg(${cell()}, ${value()}); } or { r = ${on}; assume(r == 1); }`,
      `choose { @luck r = ${on}; } or { assume(r == 2); }`,
      `while (${on} == 0) { choose { skip; } or { @luck ${on} = 1; } }`,
      `choose { loop { skip; } } or { @luck skip; }`,
      `loop { choose { skip; } or { @luck skip; break; } }`,
      `@luck ${plain()}`,
      `@timeout ${plain()}`,
    ]);
  // A condition variable holds the threads that wait, a bit each; `k` is a mutex.
  const sleep = (t: number): string => {
    const bit = 2 ** t;
    const wakes = chance(85) ? ` choose { assume((z & ${bit}) == 0); } or { @luck skip; }` : '';
    const waits = wakes || ` assume((z & ${bit}) == 0);`;
    return `fetch_or(c, ${bit}); xchg(k, 0); atomic { z = c;${waits} c = z & ${7 - bit}; } ${take}`;
  };
  const take = 'atomic { z = k; assume(z == 0); k = 1; }';
  const wake = (): string => {
    const each = [1, 2, 4].map((bit) => `assume((z & ${bit}) != 0); c = z & ${7 - bit};`);
    const one = `atomic { z = c; choose { ${[...each, 'assume(z == 0);'].join(' } or { ')} } }`;
    return `if (c != 0) { ${chance(70) ? one : 'xchg(c, 0);'} }`;
  };
  const monitor = (t: number): string => {
    const [own, other] = chance(70) ? ['x', 'y'] : ['y', 'x'];
    if (t % 2 === 0) {
      const looks = `${other} == 0`;
      const waits = chance(75)
        ? `if (${looks}) { ${sleep(t)} }`
        : `while (${looks}) { ${sleep(t)} }`;
      const body = `${chance(80) ? `${own} = 1;` : ''} ${waits}`;
      return `${take} ${body} ${chance(20) ? wake() : ''} xchg(k, 0);`;
    }
    const announce = chance(10) ? `xchg(${other}, 1);` : `${other} = 1;`;
    const wakes = chance(60) ? `${take} ${wake()} xchg(k, 0);` : wake();
    const does = chance(65) ? `if (${own} == 1) { ${wakes} }` : wakes;
    if (chance(20)) return `${take} ${announce} ${chance(50) ? does : ''} xchg(k, 0); ${wake()}`;
    return `${announce} ${chance(10) ? 'fence;' : ''} ${does}`;
  };
  const alone = (): string => pick(['loop { skip; }', 'loop { s = 1 - s; }', 'assume(r == 2);']);
  const statement = (): string => {
    if (chance(bias === 'blocks' ? 30 : 4)) return longBlock();
    if (chance(35)) return wait(cell());
    if (chance(5))
      return pick([`if (r == 1) { ${alone()} }`, `choose { ${alone()} } or { skip; }`]);
    return plain();
  };
  const asleep = (): string =>
    bias === 'luck' && chance(70)
      ? pick([
          `choose { ${block('k')} } or { @luck skip; }`,
          `atomic { z = k; choose { assume(z > 0); } or { @luck skip; } k = 0; }`,
          `while (k == 0) { choose { skip; } or { @luck k = 1; } }`,
          `choose { ${block('k')} } or { @luck r = x; }`,
        ])
      : wait('k');
  const wakeUp = (t: number): string => {
    const [own, other] = t % 2 === 0 ? ['x', 'y'] : ['y', 'x'];
    const role = chance(92) ? t % 2 : random.below(2);
    const fence = chance(12) ? 'fence; ' : '';
    const announce = chance(10) ? `xchg(${own}, 1);` : `${own} = 1;`;
    const act =
      role === 0
        ? pick([...Array.from({ length: 6 }, () => asleep()), spin(other), statement()])
        : pick([...Array<string>(6).fill('xchg(k, 1);'), 'k = 1;', statement()]);
    const otherwise = chance(8) ? ` else { ${statement()} }` : '';
    const looks = `if (${other} == ${role === 0 ? '0' : '1'}) { ${act} }${otherwise}`;
    const again = chance(10) ? ` xchg(${own}, 0);` : '';
    return `${announce} ${fence}${looks}${again}`;
  };
  // SC lets one thread wait for ever, and TSO several at once.
  const deaf = (t: number, count: number): string => {
    const cells = ['x', 'y', 'k'];
    const own = cells[t]!;
    const other = cells[(t + 1) % count]!;
    const fence = chance(20) ? 'fence; ' : '';
    const waits = pick(['assume(r == 1);', 'while (r == 0) { skip; }', 'assume(r > 0);', alone()]);
    const more = chance(25) ? statement() : '';
    return `${more} ${own} = 1; ${fence}r = ${other}; ${chance(85) ? waits : wait(other)}`;
  };
  const luckyBody = (t: number): readonly string[] => {
    if (chance(60)) return [wakeUp(t)];
    if (chance(40)) return [lucky(cell()), statement()];
    return chance(50) ? [wakeUp(t), lucky(cell())] : [lucky(cell()), wakeUp(t)];
  };
  const count = chance(bias === 'wake-ups' ? 25 : 20) ? 3 : 2;
  const threads = Array.from({ length: count }, (_, t) => {
    const isShort = count === 3;
    const statements =
      bias === 'wake-ups' || (bias === 'servers' && chance(60))
        ? [wakeUp(t), ...(chance(12) ? [statement()] : [])]
        : bias === 'together'
          ? [deaf(t, count)]
          : bias === 'conditions'
            ? [monitor(t), ...(chance(12) ? [statement()] : [])]
            : bias === 'luck'
              ? luckyBody(t)
              : Array.from({ length: 1 + random.below(isShort ? 2 : 4) }, statement);
    const body = statements.join(' ');
    const isServer = chance(bias === 'servers' ? 50 : 5);
    const round = pick(['fence;', 'xchg(x, 0);', 'xchg(k, 0);', 'q = 1 - q; xchg(own_cell, q);']);
    const text = isServer ? `loop { ${body} ${round.replace('own_cell', `o${t}`)} }` : body;
    return `thread t${t} { local r, s, z, q; ${text} }`;
  });
  return `program P\n\nvar x, y, c, k${chance(10) ? ' = 1' : ''}, o0, o1, o2\n${threads.join('\n')}\n`;
}
