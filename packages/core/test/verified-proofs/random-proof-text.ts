import type { SeededRandom } from '@fencewright/ground/base/random.js';

/** Names that have collided: copies of `t` are not the threads `t1` and `t2`. */
const names = ['t', 't1', 't2', 'u'];

/**
 * A random program for proofs as native text: up to three threads, some in any number of copies;
 * lock blocks, locked instructions and weak ones, read abstractions, arrays, choices, faults; with
 * invariants and properties that may be true or not.
 */
export function randomProofText(random: SeededRandom): string {
  const pick = <T>(all: readonly T[]): T => all[random.below(all.length)]!;
  const some = (most: number, make: () => string): string =>
    Array.from({ length: random.below(most + 1) }, make).join(' ');
  const value = (): string => pick(['0', '1', '1', '2', 'r', 's', 'r + 1']);
  const variable = (): string => pick(['x', 'x', 'y', 'y', 'z', 'a[1]', 'a[r & 1]']);
  const condition = (): string => pick(['r == 0', 's != 1', 'r < s', 'r == 1']);
  const register = (): string => pick(['r', 's']);
  const access = (): string => {
    const into = register();
    switch (random.below(16)) {
      case 0:
        return `${into} = cas(${variable()}, ${pick(['0', '1'])}, ${pick(['1', '2'])});`;
      case 1:
        return `${into} = weak_cas(x, 0, 1);`;
      case 2:
        return `${into} = weak_xchg(y, 1);`;
      case 3:
        return `${into} = ${pick(['fetch_add', 'fetch_max', 'fetch_min'])}(z, 1);`;
      case 4:
        return 'fence;';
      case 5:
        return `havoc ${into} with ${into} == ${pick(['x', 'y'])} || ${into} == ${pick(['0', '1'])};`;
      case 6:
        return `havoc ${into} in 0..1;`;
      case 7:
      case 8:
      case 9:
      case 10:
        return `${into} = ${variable()};`;
      default:
        return `${variable()} = ${value()};`;
    }
  };
  const plain = (): string =>
    random.below(2) === 0 ? `${register()} = ${variable()};` : `${variable()} = ${value()};`;
  const statement = (): string => {
    switch (random.below(9)) {
      case 0:
        return `if (${condition()}) { ${some(2, access)} } else { ${some(1, access)} }`;
      case 1:
        return `atomic { ${plain()} ${some(2, plain)} }`;
      case 2:
        return `while (${condition()}) { ${access()} }`;
      case 3:
        return `${register()} = ${value()};`;
      default:
        return access();
    }
  };
  const count = 1 + random.below(3);
  const used = names.slice(0, count);
  const many = used.map(() => random.below(3) === 0);
  const threads = used.map(
    (name, i) =>
      `thread ${name}${many[i] ? '[*]' : ''} { local r, s; ${random.below(2) === 0 ? plain() : access()} l1: ${random.below(2) === 0 ? plain() : statement()} ${some(1, statement)} l2: skip; }`,
  );
  const single = used.filter((_, i) => !many[i]);
  const claim = (): string =>
    pick([
      'x >= 0',
      'x <= 2',
      'y == 0',
      'z >= 0',
      'x == 0 || y == 0',
      'b.r >= 0',
      'b @ l2 ==> y == 1',
      'b.s <= 2',
    ]);
  const invariants = Array.from(
    { length: random.below(3) },
    (_, i) => `invariant i${i}(b: ${pick(used)}): ${claim()}`,
  );
  const subject = single[0];
  const property = pick([
    'x == 2',
    'y == 1 && x == 0',
    ...(subject ? [`${subject}.r == 1`, `${subject} @ l2 && x == 0`] : []),
    ...used
      .filter((_, i) => many[i])
      .flatMap((copies) => [
        `${copies}[0] @ l2 && ${copies}[1] @ l2`,
        `${copies}[2].r == 1 && ${copies}[1].r == 1 && ${copies}[2] @ l1`,
        `${copies}[0].s > 2`,
      ]),
  ]);
  return [
    'program Random',
    `var x, y${random.below(4) === 0 ? ' = 1' : ''}, z, a[2]`,
    ...threads,
    ...invariants,
    `property p: never (${property})`,
  ].join('\n');
}
