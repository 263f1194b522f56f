import fc from 'fast-check';

/**
 * Programs with threads in any number of copies, as text, that tend to break searches for attacks
 * on all instances: a thread that delays a store, lock blocks that join a happens-before path in
 * the middle, rmws that fail, arrays, and threads that hand the path on. Loop-free, so that
 * enumerating the computations of instances ends.
 */
export interface RandomTemplates {
  readonly text: string;
  /**
   * The text of the program with a fence after every statement, so that all instances are robust.
   */
  readonly fenced: string;
  readonly features: readonly string[];
}

const cell = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('x', 'y') },
  { weight: 2, arbitrary: fc.constantFrom('z', 'm[0]') },
  { weight: 2, arbitrary: fc.constantFrom('m[r & 1]', 'm[s & 1]') },
);
const register = fc.constantFrom('r', 's');
const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('1', '1', '2', '0') },
  { weight: 2, arbitrary: register },
);

const store = fc.tuple(cell, value).map(([c, v]) => `${c} = ${v};`);
const load = fc.tuple(register, cell).map(([r, c]) => `${r} = ${c};`);
const rmw = fc.oneof(
  fc.tuple(register, cell, value).map(([r, c, v]) => `${r} = xchg(${c}, ${v});`),
  fc.tuple(register, cell, value, value).map(([r, c, a, b]) => `${r} = cas(${c}, ${a}, ${b});`),
  fc
    .tuple(fc.constantFrom('xor', 'max', 'min'), cell, value)
    .map(([o, c, v]) => `fetch_${o}(${c}, ${v});`),
);
const access = fc.oneof(
  { weight: 5, arbitrary: store },
  { weight: 4, arbitrary: load },
  { weight: 1, arbitrary: rmw },
);
const assume = fc
  .tuple(register, fc.constantFrom('==', '!='), fc.constantFrom('0', '1'))
  .map(([r, o, v]) => `assume(${r} ${o} ${v});`);

const block = fc
  .array(fc.oneof({ weight: 8, arbitrary: access }, { weight: 1, arbitrary: assume }), {
    minLength: 2,
    maxLength: 3,
  })
  .map((body) => `atomic { ${body.join(' ')} }`);

const statement = fc.oneof(
  { weight: 5, arbitrary: access },
  { weight: 4, arbitrary: block },
  { weight: 1, arbitrary: rmw },
  { weight: 1, arbitrary: fc.constant('fence;') },
  { weight: 1, arbitrary: assume },
  { weight: 1, arbitrary: fc.constant('havoc r in 0..1;') },
);

/** An attacker whose store and loads access the cells that most random statements access. */
const delaying = fc.constantFrom(['x = 1;', 'r = y;'], ['x = 1;', 'r = y;', 's = z;']);

/** Random threads with a store and a later load; the code in between is short. */
const anyAttacker = fc
  .tuple(
    fc.array(statement, { maxLength: 1 }),
    fc.constantFrom('x = 1;', 'x = 1;', 'y = 2;', 'm[0] = 1;'),
    fc.array(fc.oneof(access, assume), { maxLength: 1 }),
    load,
  )
  .map(([before, first, between, last]) => [...before, first, ...between, last]);

const attacker: fc.Arbitrary<readonly string[]> = fc.oneof(
  { weight: 2, arbitrary: delaying },
  { weight: 1, arbitrary: anyAttacker },
);

const helper = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(block, fc.array(statement, { maxLength: 1 }))
      .map(([b, rest]) => [b, ...rest]),
  },
  { weight: 2, arbitrary: fc.array(statement, { minLength: 1, maxLength: 3 }) },
);

const thread = (body: fc.Arbitrary<readonly string[]>) =>
  fc.tuple(fc.constantFrom('[*]', '[*]', ''), body);

function featuresOf(text: string): readonly string[] {
  const patterns = {
    'lock block': /atomic/,
    'any number': /\[\*\]/,
    rmw: /xchg|cas|fetch/,
    'computed address': /& 1/,
    'two threads of their own': /thread \w \{.*\n.*thread \w \{/s,
    havoc: /havoc/,
    fence: /fence/,
  };
  return Object.entries(patterns).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []));
}

type Thread = readonly [copies: string, statements: readonly string[]];

function textOf(threads: readonly (Thread | undefined)[], between: string): string {
  const lines = threads.flatMap((own, i) =>
    own ? [`thread ${'abc'[i]}${own[0]} { local r, s; ${own[1].join(between)} }`] : [],
  );
  return ['program random', 'var x, y, z, m[2]', ...lines].join('\n');
}

export const randomTemplates: fc.Arbitrary<RandomTemplates> = fc
  .tuple(
    thread(attacker),
    thread(helper),
    fc.option(thread(fc.oneof(helper, attacker)), { nil: undefined, freq: 2 }),
  )
  .filter((threads) => threads.some((own) => own?.[0] === '[*]'))
  .map((threads) => {
    const text = textOf(threads, ' ');
    return { text, fenced: textOf(threads, ' fence; '), features: featuresOf(text) };
  });
