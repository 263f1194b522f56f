import fc from 'fast-check';

/** A thread of the text: its statements, and whether there are any number of copies. */
interface RandomThread {
  readonly unbounded: boolean;
  readonly items: readonly string[];
}

const registers = ['p', 'q', 'r'];
const register = fc.constantFrom(...registers);
const value = fc.constantFrom('0', '1', '1', '2');

/**
 * Random cells: three variables, so that lock blocks have an access besides the two of an attack,
 * and an array whose cells coincide by computed indices.
 */
const plain = fc.constantFrom('x', 'x', 'y', 'y', 'z');
const cell = fc.oneof(
  { weight: 8, arbitrary: plain },
  { weight: 1, arbitrary: fc.constantFrom('f[0]', 'f[1]') },
  { weight: 1, arbitrary: register.map((r) => `f[${r} & 1]`) },
  // `x` and `y` lie side by side.
  { weight: 1, arbitrary: register.map((r) => `mem[&x + (${r} & 1)]`) },
);

const store = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(cell, value).map(([c, v]) => `${c} = ${v};`) },
  { weight: 1, arbitrary: fc.tuple(cell, register).map(([c, r]) => `${c} = ${r};`) },
);
const load = fc.tuple(register, cell).map(([r, c]) => `${r} = ${c};`);
const rmw = fc.oneof(
  fc.tuple(register, plain, value).map(([r, c, v]) => `${r} = xchg(${c}, ${v});`),
  fc.tuple(register, plain, value, value).map(([r, c, o, n]) => `${r} = cas(${c}, ${o}, ${n});`),
  fc
    .tuple(register, fc.constantFrom('xor', 'max', 'min'), plain, value)
    .map(([r, o, c, v]) => `${r} = fetch_${o}(${c}, ${o === 'xor' ? 1 : v});`),
);
const test = fc.tuple(register, fc.constantFrom('==', '!='), fc.constantFrom('0', '1'));
const wait = test.map(([r, o, v]) => `assume(${r} ${o} ${v});`);

/**
 * Random statements of a lock block, mostly accesses, so that an access in the middle of the block
 * can lie on a happens-before path.
 */
const inside = fc.oneof(
  { weight: 5, arbitrary: store },
  { weight: 5, arbitrary: load },
  { weight: 3, arbitrary: rmw },
  { weight: 1, arbitrary: wait },
  {
    weight: 1,
    arbitrary: fc
      .tuple(test, fc.oneof(store, load), fc.oneof(store, load))
      .map(([[r, o, v], yes, no]) => `if (${r} ${o} ${v}) { ${yes} } else { ${no} }`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.oneof(store, load), fc.oneof(store, load))
      .map(([one, other]) => `choose { ${one} } or { ${other} }`),
  },
);

/** Random lock blocks with these statements; sometimes one that may never end. */
function blockOf(body: fc.Arbitrary<readonly string[]>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('atomic', 'atomic', 'lock', 'open'), body)
    .map(([kind, parts]) => {
      const text = parts.join(' ');
      if (kind === 'atomic') return `atomic { ${text} }`;
      return kind === 'lock' ? `lock; ${text} unlock;` : `lock; ${text} if (*) { unlock; }`;
    });
}

const block = blockOf(fc.array(inside, { minLength: 2, maxLength: 3 }));

/** Random pairs of a store and a later load, the seed of an attack. */
const pair = fc
  .tuple(plain, value, register, plain)
  .map(([c, v, r, other]) => `${c} = ${v}; ${r} = ${other};`);

const item = fc.oneof(
  { weight: 4, arbitrary: pair },
  { weight: 6, arbitrary: block },
  { weight: 2, arbitrary: store },
  { weight: 2, arbitrary: load },
  { weight: 1, arbitrary: rmw },
  { weight: 1, arbitrary: fc.constant('fence;') },
  { weight: 1, arbitrary: wait },
);

const isUnbounded = fc.integer({ min: 0, max: 2 }).map((n) => n > 0);

function thread(minLength: number, maxLength: number): fc.Arbitrary<RandomThread> {
  return fc.record({
    unbounded: isUnbounded,
    items: fc.array(item, { minLength, maxLength, size: 'max' }),
  });
}

const variable = fc.constantFrom('x', 'y', 'z');

/** Random accesses to the variable, by its name or by a computed address. */
function accessTo(name: string): fc.Arbitrary<string> {
  const computed = { x: 'mem[&x + (p & 1)]', y: 'mem[&x + (q & 1)]', z: 'mem[&y + (r & 1)]' }[name];
  return fc
    .tuple(fc.constantFrom(name, name, name, computed ?? name), register, value, fc.nat(6))
    .map(([at, r, v, kind]) => {
      if (kind < 3) return `${at} = ${v};`;
      if (kind < 6) return `${r} = ${at};`;
      return `${r} = xchg(${name}, ${v});`;
    });
}

/**
 * Random lock blocks that access two variables in any order, and so may link a happens-before path.
 */
function link(from: string, to: string): fc.Arbitrary<RandomThread> {
  const parts = fc.tuple(accessTo(from), accessTo(to), fc.option(inside, { nil: undefined }));
  const body = parts.chain((all) => {
    const given = all.filter((part) => part !== undefined);
    return fc.shuffledSubarray(given, { minLength: given.length });
  });
  return fc.record({
    unbounded: isUnbounded,
    items: fc
      .tuple(blockOf(body), fc.nat(5))
      .map(([one, n]) => (n === 0 ? ['fence;', one] : [one])),
  });
}

/**
 * Random threads: one delays a store past a load, and lock blocks may close the happens-before path
 * between the two, directly or by a third variable.
 */
const chain: fc.Arbitrary<readonly RandomThread[]> = fc
  .tuple(
    fc.uniqueArray(variable, { minLength: 3, maxLength: 3 }),
    fc.boolean(),
    fc.nat(4),
    isUnbounded,
  )
  .chain(([[stored, loaded, between], isDirect, n, unbounded]) => {
    const seed = [`${stored!} = 1;`, ...(n === 0 ? ['fence;'] : []), `r = ${loaded!};`];
    const victim: fc.Arbitrary<RandomThread> = fc.constant({ unbounded, items: seed });
    const links = isDirect
      ? [link(loaded!, stored!)]
      : [link(loaded!, between!), link(between!, stored!)];
    return fc.tuple(victim, ...links);
  });

function threadText({ unbounded, items }: RandomThread, number: number): string {
  return `thread t${number}${unbounded ? '[*]' : ''} { local ${registers.join(', ')}; ${items.join(' ')} }`;
}

/**
 * Random texts of small programs without loops, some of whose threads have any number of copies.
 * Biased to cases that break searches for all instances: lock blocks that join a happens-before
 * path midway, rmws in lock blocks, computed addresses that coincide, lock blocks that are never
 * left.
 */
export const randomCopies: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 6, arbitrary: chain },
    { weight: 3, arbitrary: fc.tuple(thread(1, 2), thread(1, 2)) },
    { weight: 1, arbitrary: fc.tuple(thread(1, 3)) },
  )
  .map((threads) => {
    const none = threads.every(({ unbounded }) => !unbounded);
    const all = none
      ? threads.map((one, i) => (i === threads.length - 1 ? { ...one, unbounded: true } : one))
      : threads;
    return ['program Random', 'var x, y, z, f[2]', ...all.map(threadText)].join('\n');
  });
