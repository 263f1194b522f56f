import fc from 'fast-check';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Program, Register } from '@fencewright/model/program/program.js';
import { openProgram } from './proving.js';

/**
 * Random programs for `prove` whose names collide: single threads named like copies, registers and
 * variables named like threads, words of SMT-LIB, and all characters that Trencher's format allows
 * in names. Programs are made with plain names, parsed, and then renamed.
 */

const names = {
  thread: [
    ...['t', 't1', 't2', 't0', 't[0]', 't[1]', 't@', 't#1', 't.self', 't1.r', '0', '0_1', '1_2'],
    ...['x', 'and', 'true', 'let', 'a|b', 'a\\b', 'a_b', 'self', 'memory', '@'],
  ],
  register: [
    ...['r', 's', 'self', '@', 'r#1', 'x', 't1', '1.r', 'and', 'true', 'r|s', 'r\\s', 'r_s', '?0'],
  ],
  variable: [
    ...['x', 't', 't1', 't@', 't1@', 't.self', 't1.self', 't.r', 't1.r', 't2.r', 't1?0', 't2?0'],
    ...['and', 'true', 'not', 'let', 'select', 'quotient', 'bits_and', 'own value', 'own_value'],
    ...['kept 0', 'kept_0', 'holds 0', 'm0', 'm1', 'at_0', 'x|y', 'x\\y', 'x_y', 'memory', 'v0'],
  ],
} as const;

/** Returns `count` names of the pool; often the first ones unchanged, which collide. */
function some(pool: readonly string[], count: number): fc.Arbitrary<readonly string[]> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(pool.slice(0, count)) },
    { weight: 2, arbitrary: fc.shuffledSubarray([...pool], { minLength: count }) },
  );
}

const variables = ['vx', 'vy', 'vz'];
const registers = ['ra', 'rb'];
const value = fc.constantFrom('0', '1', '1', '2', 'ra', 'self + 1');
const variable = fc.constantFrom('vx', 'vy', 'vx', 'vy', 'vz');
const register = fc.constantFrom(...registers);

const store = fc.tuple(variable, value).map(([x, v]) => `${x} = ${v};`);
const load = fc.tuple(register, variable).map(([r, x]) => `${r} = ${x};`);
const statement: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: store },
  { weight: 5, arbitrary: load },
  { weight: 4, arbitrary: fc.tuple(store, load).map((pair) => pair.join(' ')) },
  { weight: 2, arbitrary: fc.constantFrom('fence;', 'skip;') },
  { weight: 1, arbitrary: fc.constantFrom('own[self] = 1;', 'rb = own[self];', 'rb = own[0];') },
  {
    weight: 3,
    arbitrary: fc
      .tuple(register, variable)
      .map(([r, x]) => `havoc ${r} with ${r} == ${x} || ${r} == 0;`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('cas', 'weak_cas'), register, variable)
      .map(([op, r, x]) => `${r} = ${op}(${x}, 0, 1);`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('xchg', 'weak_xchg', 'fetch_add', 'fetch_max', 'fetch_min'),
        register,
        variable,
      )
      .map(([op, r, x]) => `${r} = ${op}(${x}, 1);`),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.oneof(store, load), { minLength: 1, maxLength: 2 })
      .map((inner) => `atomic { ${inner.join(' ')} }`),
  },
  { weight: 1, arbitrary: fc.constantFrom('assume(ra == 0);', 'assume(rb != 1);') },
);

/**
 * The two sides of store buffering, one with a fence; a proof must find the side without a fence.
 */
const half = fc.constantFrom('at0: vx = 1; ra = vy;', 'at0: skip; vy = 1; fence; ra = vx;');

const written = fc
  .record({
    items: fc.array(statement, { minLength: 1, maxLength: 3, size: 'max' }),
    frame: fc.constantFrom('plain', 'plain', 'plain', 'plain', 'plain', 'loop', 'if'),
    label: fc.nat(3),
  })
  .map(({ items, frame, label }) => {
    const marked = items.map((item, i) => (i === label % items.length ? `at0: ${item}` : item));
    const text = marked.join(' ');
    if (frame === 'loop') return `while (*) { ${text} }`;
    return frame === 'if' ? `if (*) { ${text} } else { vx = 2; }` : text;
  });

const body = fc.oneof({ weight: 2, arbitrary: written }, { weight: 1, arbitrary: half });

const claim = (binders: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(
    'vx == 0',
    'vy == 0',
    'vz == 0',
    'vx >= 0',
    'vx <= 2',
    'vy <= 1',
    'own[0] <= 1',
    ...binders.flatMap((who) => [
      `${who}.ra == 0`,
      `${who}.rb <= 1`,
      `${who} @ at0 ==> vx == 0`,
      `${who} @ at0 ==> ${who}.ra == 0`,
      `${who}.ra == vx || ${who}.ra == 0`,
      `ended(${who}) ==> vy == 0`,
    ]),
    ...(binders.length > 1 ? [`${binders[0]} @ at0 ==> !(${binders[1]} @ at0)`] : []),
  );

const threadNames = ['ta', 'tb', 'tc'];

/** A renamed program, and its text before the renaming. */
export interface RandomProof {
  readonly open: Templates;
  readonly text: string;
  readonly hasOddNames: boolean;
}

export const randomProof: fc.Arbitrary<RandomProof> = fc
  .record({
    bodies: fc.oneof(
      { weight: 3, arbitrary: fc.array(body, { minLength: 2, maxLength: 2 }) },
      { weight: 1, arbitrary: fc.array(body, { minLength: 3, maxLength: 3 }) },
    ),
    kinds: fc.tuple(
      fc.constantFrom('[*]', '[*]', '', '[2]'),
      fc.constantFrom('', '', '[*]', '[2]'),
      fc.constantFrom('', '[*]'),
    ),
    claims: fc.array(
      fc.tuple(fc.shuffledSubarray([0, 1, 2], { maxLength: 2 }), fc.boolean(), fc.nat(1 << 20)),
      { maxLength: 2 },
    ),
    keepsNames: fc.nat(5),
    threads: some(names.thread, 3),
    registers: fc.tuple(...threadNames.map(() => some(names.register, 2))),
    variables: some(names.variable, 4),
  })
  .map((made) => {
    const text = textOf(made);
    const open = openProgram(text);
    const keeps = made.keepsNames === 0;
    const hasOddNames = !keeps && made.threads.slice(0, made.bodies.length).some(isOdd);
    return { open: keeps ? open : renamed(open, made), text, hasOddNames };
  });

interface Made {
  readonly bodies: readonly string[];
  readonly kinds: readonly string[];
  readonly claims: readonly (readonly [readonly number[], boolean, number])[];
  readonly threads: readonly string[];
  readonly registers: readonly (readonly string[])[];
  readonly variables: readonly string[];
}

function isOdd(name: string): boolean {
  return !/^[a-zA-Z_]\w*$/.test(name);
}

function textOf({ bodies, kinds, claims }: Made): string {
  // Two templates and a third thread are enough; `self` has a meaning in copies only.
  const threads = bodies.map((text, id) => {
    const kind = kinds[id] ?? '';
    const own = kind === '' ? text.replaceAll('self', '1') : text;
    return `thread ${threadNames[id]}${kind} { local ${registers.join(', ')}; ${own} }`;
  });
  const invariants = claims.map(([about, twice, seed], i) => {
    const wanted = about.filter((id) => id < bodies.length);
    // Fixed copies are threads of their own, each with its name.
    const bound = wanted.filter((id) => kinds[id] !== '[2]');
    const twins = twice && bound[0] !== undefined && kinds[bound[0]] === '[*]' ? [bound[0]] : [];
    const all = [...bound, ...twins].slice(0, 2);
    const binders = all.map((id, n) => `${'ab'[n]}: ${threadNames[id]}`);
    const [condition = 'vx >= 0'] = fc.sample(claim(all.map((_, n) => 'ab'[n] ?? '')), {
      numRuns: 1,
      seed,
    });
    return `invariant i${i}${binders.length > 0 ? `(${binders.join(', ')})` : ''}: ${condition}`;
  });
  const shared = `var ${variables.join(', ')}, own[4]`;
  return ['program random', shared, ...threads, ...invariants].join('\n');
}

/** Returns the program with other names; references are by index and stay valid. */
function renamed({ templates, unbounded }: Templates, made: Made): Templates {
  const own = templates.threads.map(({ copy, name }) => copy?.template ?? name);
  const threads = templates.threads.map((thread) => {
    const base = threadNames.indexOf(own[templates.threads.indexOf(thread)] ?? '');
    const name = made.threads[base] ?? thread.name;
    const called = made.registers[base] ?? [];
    return {
      ...thread,
      name: thread.copy ? `${name}[${thread.copy.index}]` : name,
      registers: thread.registers.map((register, id): Register => ({
        ...register,
        name: register.hidden ? register.name : (called[id] ?? register.name),
      })),
    };
  });
  const symbols = templates.symbols.map((symbol, id) => ({
    ...symbol,
    name: made.variables[id] ?? symbol.name,
  }));
  const program: Program = { ...templates, threads: unmet(threads), symbols };
  return { templates: program, unbounded };
}

/** Returns the threads with equal names made different, since no front end produces equal names. */
function unmet(threads: readonly Program['threads'][number][]): Program['threads'] {
  const taken = new Set<string>();
  return threads.map((thread) => {
    let { name } = thread;
    while (taken.has(name)) name += "'";
    taken.add(name);
    return { ...thread, name };
  });
}
