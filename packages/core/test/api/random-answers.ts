import { SeededRandom } from '@fencewright/ground/base/random.js';

/** A behaviour that occurs often in a random text. */
export type Bias = 'faults' | 'waiting' | 'pending';

/**
 * Returns a random program of a few threads with a few statements each and with properties of many
 * kinds; `bias` names the behaviour to prefer.
 */
export function randomAnswersText(seed: number, bias: Bias): string {
  const random = new SeededRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  // Few cells, so that threads access common cells: near cycles are the hard cases.
  const cells = bias === 'pending' ? ['x', 'y'] : ['x', 'y', 'a[0]', 'a[1]'];
  const cell = (): string => pick(cells);
  const register = (): string => pick(['r', 's']);
  const value = (): string => pick(['0', '1', '1', '2', register()]);
  const condition = (): string =>
    `${register()} ${pick(['==', '!=', '<'])} ${pick(['0', '1', '2', register()])}`;
  const fault = (): string =>
    pick([
      `${register()} = 1 / ${register()};`,
      `${register()} = 5 % ${register()};`,
      `${cell()} = 2 / (${register()} - 1);`,
      `${register()} = a[${register()}];`,
      `a[${register()} + 1] = 1;`,
      `${register()} = ${register()} + ${pick(['2147483646', '2147483647', '1'])};`,
      `${register()} = ${register()} * 1073741824;`,
      `${register()} = 1 << (${register()} + 30);`,
      `${register()} = fetch_add(${cell()}, ${pick(['2147483646', '1', register()])});`,
      `${cell()} = ${register()} + 3;`,
      `cas(${cell()}, 0, ${register()} - 1);`,
      `assert(1 / ${register()});`,
      `${register()} = -${register()};`,
      `xchg(${cell()}, 1 / ${register()});`,
    ]);
  const wait = (): string =>
    pick([
      `${pick(['r', 's'])} = ${cell()}; assume(${condition()});`,
      `while (${cell()} ${pick(['==', '!='])} ${pick(['0', '1', '2'])}) { }`,
      `do { r = ${cell()}; } while (${condition()});`,
      'loop { skip; }',
      'while (true) { r = x; }',
    ]);
  const plain = (): string =>
    pick([
      `${cell()} = ${value()};`,
      `${cell()} = ${value()};`,
      `${register()} = ${cell()};`,
      `${register()} = ${cell()};`,
      'fence;',
      `${register()} = xchg(${cell()}, ${value()});`,
      `if (${condition()}) { ${cell()} = 1; }`,
      `if (${cell()} == ${value()}) { ${register()} = ${cell()}; }`,
      `assert(${condition()});`,
      `havoc ${register()} in 0..1;`,
    ]);
  const statement = (depth: number): string => {
    if (bias === 'faults' && chance(35)) return fault();
    if (bias === 'waiting' && chance(35)) return wait();
    if (bias !== 'faults' && chance(4)) return wait();
    if (depth > 0 && chance(12))
      return `atomic { ${[statement(0), statement(0)].filter((one) => !one.includes('loop')).join(' ')} }`;
    if (bias === 'pending' && chance(25))
      return pick([`x = ${value()}; r = y;`, `y = ${value()}; s = x;`, `r = x; y = ${value()};`]);
    if (chance(bias === 'pending' ? 25 : 5)) return `${cell()} = ${pick(['1', '2'])};`;
    return plain();
  };
  const threads = Array.from({ length: 2 + random.below(2) }, (_, t) => {
    const count = 1 + random.below(bias === 'waiting' ? 3 : 4);
    const statements = Array.from({ length: count }, () => statement(1));
    return `thread t${t} {\n  local r, s;\n  ${statements.join('\n  ')}\n  last: ${chance(30) ? `${cell()} = 1;` : ';'}\n}`;
  });
  const atom = (): string => {
    const t = `t${random.below(threads.length)}`;
    return pick([
      `ended(${t})`,
      `${t} @ last`,
      `${t}.r == ${pick(['0', '1'])}`,
      `drained(${t})`,
      `${cell()} == ${pick(['0', '1', '2'])}`,
      `${cell()} == ${pick(['0', '1', '2'])}`,
      `${cell()} != ${pick(['0', '1'])}`,
    ]);
  };
  const memory = (): string => `${cell()} == ${pick(['0', '1', '2'])}`;
  const joined = (parts: readonly string[]): string => parts.join(pick([' && ', ' && ', ' || ']));
  const properties = [
    `never (${joined([memory(), memory(), memory()])})`,
    `never (${memory()} && !(${memory()}))`,
    `never (${joined([atom(), atom()])})`,
    `never (t0 @ last && t1 @ last)`,
    'never (ended(t0) && !drained(t0))',
    `never (ended(t0) && ended(t1) && t0.r == 0 && t1.r == 0)`,
    `never (ended(t0) && ${memory()})`,
    `finally (${joined([atom(), atom()])})`,
    `exists (${joined([atom(), atom()])})`,
    `stuck (${joined([atom(), atom()])})`,
    'stuck (true)',
  ].map((text, i) => `property p${i}: ${text}`);
  const domain = bias === 'faults' && chance(40) ? 'domain 0..3\n' : '';
  const initial = pick(['', ' = 1', ' = 2']);
  return `var x${initial}, y, a[2]\n${domain}${threads.join('\n')}\n${properties.join('\n')}\n`;
}
