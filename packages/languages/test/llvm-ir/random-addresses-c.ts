import { holds, type Relation, relations } from '@fencewright/reference/testing/relation.js';
import { diceOf } from './dice.js';

/*
 * Random C programs that compute with addresses, and their behaviour for every placement of their
 * objects. The placement is an argument: results that differ between placements are no answer.
 */

/** An object in memory, with the alignment that C and the ABI guarantee. */
interface PlacedObject {
  readonly name: string;
  readonly size: number;
  readonly alignment: number;
}

export const objects: readonly PlacedObject[] = [
  { name: 'x', size: 4, alignment: 4 },
  { name: 'y', size: 8, alignment: 8 },
  { name: 's', size: 12, alignment: 4 },
  { name: 'buffer', size: 24, alignment: 16 },
  { name: 'line', size: 64, alignment: 64 },
  { name: 'tiny', size: 1, alignment: 16 },
  { name: 'block', size: 24, alignment: 16 },
];

/** For each object, by name: the C expression of its address as an integer. */
const spelled: Readonly<Record<string, string>> = {
  x: '(word)&x',
  y: '(word)&y',
  s: '(word)&s',
  buffer: '(word)buffer',
  line: '(word)line',
  tiny: '(word)tiny',
  block: '(word)block',
};

const mask64 = (1n << 64n) - 1n;
const wrap = (number: bigint): bigint => number & mask64;

export const operators = ['+', '-', '&', '|', '^', '<<', '>>', '*', '%'] as const;
export type Operator = (typeof operators)[number];
export const changes = ['add', 'sub', 'and', 'or', 'xor'] as const;
export type Change = (typeof changes)[number];

/** An operand of a statement: a variable or a constant. */
type Operand = { readonly variable: number } | { readonly number: bigint };

export type AddressStatement =
  | {
      readonly kind: 'address';
      readonly into: number;
      readonly object: string;
      readonly plus: number;
    }
  /** Chooses one of two values by a flag that the other thread sets. */
  | {
      readonly kind: 'choice';
      readonly into: number;
      readonly then: Operand;
      readonly otherwise: Operand;
    }
  | {
      readonly kind: 'compute';
      readonly into: number;
      readonly operator: Operator;
      readonly left: Operand;
      readonly right: Operand;
    }
  /** Adds a number to a pointer. */
  | { readonly kind: 'move'; readonly into: number; readonly by: Operand; readonly scale: 1 | 8 }
  | {
      readonly kind: 'compare';
      readonly into: number;
      readonly relation: Relation;
      readonly left: Operand;
      readonly right: Operand;
    }
  | { readonly kind: 'cut'; readonly into: number; readonly bits: 8 | 32 }
  | { readonly kind: 'byte'; readonly into: number; readonly byte: number }
  | { readonly kind: 'store'; readonly cell: number; readonly from: Operand }
  | { readonly kind: 'load'; readonly cell: number; readonly into: number }
  | {
      readonly kind: 'change';
      readonly cell: number;
      readonly change: Change;
      readonly operand: Operand;
      readonly into: number;
    }
  | {
      readonly kind: 'assert';
      readonly relation: Relation;
      readonly left: Operand;
      /** The bits of the left operand that are compared: `(v >> shift) & mask`. */
      readonly bits?: { readonly shift: number; readonly mask: bigint };
      readonly right: Operand;
    };

export interface AddressProgram {
  /** Statements of `main` before the start of threads. */
  readonly main: readonly AddressStatement[];
  readonly thread: readonly AddressStatement[];
}

const variables = 3;
const cells = 2;

const tags = [1n, 2n, 3n, 7n, 8n, 15n, 1n << 48n, 5n << 48n];
const masks = [~1n, ~3n, ~7n, ~15n, ~63n, 3n, 7n, 15n, 63n, (1n << 48n) - 1n].map(wrap);
const others = [
  ...[0n, 1n, 4n, 5n, 8n, 12n, 16n, 30n, 48n, 64n, 100n, 4096n, 5000n],
  ...[1n << 26n, 1n << 27n, 1n << 35n, 1n << 46n, 0x9e3779b97f4a7c15n, -1n, -8n, -4096n].map(wrap),
];

/**
 * A random program; half of its computations are those of tagged pointers. Every tenth program also
 * compares the addresses of two objects.
 */
export function randomAddressProgram(seed: number): AddressProgram {
  const { below, pick, chance } = diceOf(seed);
  const isInMain = chance(35);
  const variable = (): Operand => ({ variable: below(variables) });
  const number = (): Operand => ({ number: pick(chance(50) ? tags : others) });
  const operand = (): Operand => (chance(50) ? variable() : number());
  const statement = (isOfMain: boolean): AddressStatement => {
    const into = below(variables);
    const choice = below(100);
    if (choice < 16) {
      const { name, size } = pick(objects);
      return { kind: 'address', into, object: name, plus: chance(50) ? 0 : below(size + 1) };
    }
    if (choice < 24 && !isOfMain)
      return { kind: 'choice', into, then: variable(), otherwise: operand() };
    if (choice < 40) {
      const [operator, value] = pick([
        ['|', pick(tags)],
        ['^', pick(tags)],
        ['+', pick(tags)],
        ['-', pick(tags)],
        ['&', pick(masks)],
        ['&', pick(masks)],
        ['%', pick([4n, 8n, 16n, 64n, 7n])],
        ['>>', pick([1n, 4n, 46n, 47n, 48n])],
      ] as const);
      const left = { variable: into };
      return { kind: 'compute', into, operator, left, right: { number: value } };
    }
    if (choice < 54) {
      const operator = pick(operators);
      const left = chance(90) ? variable() : number();
      if (operator === '<<' || operator === '>>') {
        const right = { number: pick([0n, 1n, 3n, 16n, 30n, 48n]) };
        return { kind: 'compute', into, operator, left, right };
      }
      if (operator === '%') {
        const right = { number: pick([1n, 2n, 3n, 4n, 8n, 16n, 64n, 61n]) };
        return { kind: 'compute', into, operator, left, right };
      }
      return { kind: 'compute', into, operator, left, right: operand() };
    }
    if (choice < 62) return { kind: 'move', into, by: operand(), scale: chance(70) ? 1 : 8 };
    if (choice < 68)
      return {
        kind: 'compare',
        into,
        relation: pick(relations),
        left: variable(),
        right: operand(),
      };
    if (choice < 70) return { kind: 'cut', into, bits: pick([8, 32]) };
    if (choice < 72) return { kind: 'byte', into, byte: below(8) };
    if (choice < 80) return { kind: 'store', cell: below(cells), from: operand() };
    if (choice < 86) return { kind: 'load', cell: below(cells), into };
    const change = pick(changes);
    const isTag = chance(60);
    const tag = change === 'and' ? pick(masks) : pick(tags);
    return {
      ...{ kind: 'change', cell: below(cells), change, into },
      operand: isTag ? { number: tag } : operand(),
    };
  };
  const list = (most: number, isOfMain: boolean): AddressStatement[] =>
    Array.from({ length: 1 + below(most) }, () => statement(isOfMain));
  const assertion = (): AddressStatement => {
    if (chance(60))
      return {
        ...{ kind: 'assert', relation: pick(relations), left: variable() },
        bits: {
          shift: pick([0, 0, 0, 4, 5, 12, 20, 47, 48]),
          mask: pick([1n, 3n, 7n, 15n, 63n, 255n]),
        },
        right: { number: pick([0n, 1n, 2n, 4n, 5n, 8n]) },
      };
    return {
      ...{ kind: 'assert', relation: pick(relations), left: variable() },
      right: chance(40) ? variable() : { number: pick([...tags, ...others]) },
    };
  };
  /** A comparison of two objects' addresses: the result depends on their places. */
  const comparison = (): readonly AddressStatement[] => {
    const one = pick(objects);
    const two = pick(objects.filter((each) => each !== one));
    return [
      ...[one, two].map(({ name }, into): AddressStatement => ({
        kind: 'address',
        into,
        object: name,
        plus: 0,
      })),
      {
        ...{ kind: 'assert', relation: pick(['<', '<=', '>', '>=']) },
        ...{ left: { variable: 0 }, right: { variable: 1 } },
      },
    ];
  };
  const start: AddressStatement[] = Array.from({ length: variables - 1 }, (_, into) => {
    const { name, size } = pick(objects);
    return { kind: 'address', into, object: name, plus: chance(70) ? 0 : below(size + 1) };
  });
  const main = isInMain ? [...start, ...list(4, true)] : [];
  const thread = [
    ...(isInMain ? [] : start),
    ...list(isInMain ? 2 : 5, false),
    assertion(),
    ...(chance(30) ? [...list(1, false), assertion()] : []),
  ];
  return { main, thread: seed % 10 === 9 ? [...thread, ...comparison()] : thread };
}

const inC = (operand: Operand): string =>
  'variable' in operand ? `v${operand.variable}` : `${operand.number}ul`;

function lineOf(statement: AddressStatement): string {
  switch (statement.kind) {
    case 'address':
      return `v${statement.into} = ${spelled[statement.object]} + ${statement.plus};`;
    case 'choice':
      return `if (f) v${statement.into} = ${inC(statement.then)}; else v${statement.into} = ${inC(statement.otherwise)};`;
    case 'compute':
      return `v${statement.into} = ${inC(statement.left)} ${statement.operator} ${inC(statement.right)};`;
    case 'move': {
      const type = statement.scale === 8 ? 'long' : 'char';
      return `v${statement.into} = (word)((${type} *)v${statement.into} + (long)${inC(statement.by)});`;
    }
    case 'compare':
      return `v${statement.into} = ${inC(statement.left)} ${statement.relation} ${inC(statement.right)};`;
    case 'cut':
      return `v${statement.into} = (${statement.bits === 8 ? 'unsigned char' : 'unsigned'})v${statement.into};`;
    case 'byte':
      return `{ union { word whole; unsigned char bytes[8]; } u; u.whole = v${statement.into}; v${statement.into} = u.bytes[${statement.byte}]; }`;
    case 'store':
      return `__c11_atomic_store(&c${statement.cell}, ${inC(statement.from)}, 5);`;
    case 'load':
      return `v${statement.into} = __c11_atomic_load(&c${statement.cell}, 5);`;
    case 'change':
      return `v${statement.into} = __c11_atomic_fetch_${statement.change}(&c${statement.cell}, ${inC(statement.operand)}, 5);`;
    case 'assert':
      return `assert(${comparedInC(statement)} ${statement.relation} ${inC(statement.right)});`;
  }
}

function comparedInC({ left, bits }: Extract<AddressStatement, { kind: 'assert' }>): string {
  return bits ? `((${inC(left)} >> ${bits.shift}) & ${bits.mask}ul)` : inC(left);
}

export interface PrintedAddresses {
  readonly text: string;
  /** The line of each statement of the thread, from 1 on. */
  readonly lines: readonly number[];
}

export function printAddressProgram({ main, thread }: AddressProgram): PrintedAddresses {
  const names = Array.from({ length: variables }, (_, i) => `v${i}`);
  const locals = `word ${names.map((name) => `${name} = 0`).join(', ')};`;
  const before = [
    '#include <assert.h>',
    '#include <pthread.h>',
    '#include <stdlib.h>',
    'typedef unsigned long word;',
    'int x;',
    'long y;',
    'struct { int a, b, c; } s;',
    '_Alignas(16) char buffer[24];',
    '_Alignas(64) long line[8];',
    'char *tiny, *block;',
    ...Array.from({ length: cells }, (_, i) => `_Atomic(word) c${i};`),
    '_Atomic(int) flag;',
    `word ${names.map((name) => `g_${name}`).join(', ')};`,
    'void *other(void *a) {',
    ...Array.from({ length: cells }, (_, i) => `  __c11_atomic_load(&c${i}, 5);`),
    '  __c11_atomic_store(&flag, 1, 5);',
    '  return 0;',
    '}',
    'void *run(void *a) {',
    `  ${locals}`,
    ...names.map((name) => `  ${name} = g_${name};`),
    '  int f = __c11_atomic_load(&flag, 5);',
  ];
  const text = [
    ...before,
    ...thread.map((statement) => `  ${lineOf(statement)}`),
    '  return 0;',
    '}',
    'int main(void) {',
    '  pthread_t t, o;',
    '  tiny = malloc(1);',
    '  block = malloc(24);',
    `  ${locals}`,
    ...main.map((statement) => `  ${lineOf(statement)}`),
    ...names.map((name) => `  g_${name} = ${name};`),
    '  pthread_create(&t, 0, run, 0);',
    '  pthread_create(&o, 0, other, 0);',
    '  pthread_join(t, 0);',
    '  pthread_join(o, 0);',
    '}',
    '',
  ].join('\n');
  return { text, lines: thread.map((_, i) => before.length + i + 1) };
}

/** By name of an object, its address. */
export type Placement = ReadonlyMap<string, bigint>;

/** A random placement in user space: aligned, far from 0 and from each other. */
export function randomPlacement(seed: number): Placement {
  const { below } = diceOf(seed);
  const placement = new Map<string, bigint>();
  const taken: bigint[] = [];
  const far = 1n << 15n;
  for (const { name, alignment } of objects) {
    let address: bigint;
    do {
      // Close to other objects, or close to the ends of user space.
      const bits = BigInt(20 + below(27));
      const wide = (BigInt(below(2 ** 30)) << 30n) | BigInt(below(2 ** 30));
      address = (wide % (1n << bits)) + (1n << (bits > 45n ? 45n : bits));
      address -= address % BigInt(alignment);
    } while (taken.some((each) => address - each < far && each - address < far));
    taken.push(address);
    placement.set(name, address);
  }
  return placement;
}

/** Returns the indices of the thread's assertions that fail in some execution. */
export function failingAssertions(
  { main, thread }: AddressProgram,
  placement: Placement,
): ReadonlySet<number> {
  const failed = new Set<number>();
  for (const flag of [false, true]) {
    const values = Array<bigint>(variables).fill(0n);
    const memory = Array<bigint>(cells).fill(0n);
    const of = (operand: Operand): bigint =>
      'variable' in operand ? values[operand.variable]! : operand.number;
    const perform = (statement: AddressStatement): boolean => {
      switch (statement.kind) {
        case 'address':
          values[statement.into] = placement.get(statement.object)! + BigInt(statement.plus);
          return true;
        case 'choice':
          values[statement.into] = of(flag ? statement.then : statement.otherwise);
          return true;
        case 'compute':
          values[statement.into] = computed(
            statement.operator,
            of(statement.left),
            of(statement.right),
          );
          return true;
        case 'move':
          values[statement.into] = wrap(
            values[statement.into]! + of(statement.by) * BigInt(statement.scale),
          );
          return true;
        case 'compare':
          values[statement.into] = holds(
            of(statement.left),
            statement.relation,
            of(statement.right),
          )
            ? 1n
            : 0n;
          return true;
        case 'cut':
          values[statement.into] = BigInt.asUintN(statement.bits, values[statement.into]!);
          return true;
        case 'byte':
          values[statement.into] = (values[statement.into]! >> BigInt(8 * statement.byte)) & 255n;
          return true;
        case 'store':
          memory[statement.cell] = of(statement.from);
          return true;
        case 'load':
          values[statement.into] = memory[statement.cell]!;
          return true;
        case 'change': {
          const old = memory[statement.cell]!;
          const by = of(statement.operand);
          const operator = { add: '+', sub: '-', and: '&', or: '|', xor: '^' } as const;
          memory[statement.cell] = computed(operator[statement.change], old, by);
          values[statement.into] = old;
          return true;
        }
        case 'assert': {
          const { left, bits, relation, right } = statement;
          const whole = of(left);
          return holds(
            bits ? (whole >> BigInt(bits.shift)) & bits.mask : whole,
            relation,
            of(right),
          );
        }
      }
    };
    for (const statement of main) perform(statement);
    thread.every((statement, i) => {
      const isFine = perform(statement);
      if (!isFine) failed.add(i);
      return isFine;
    });
  }
  return failed;
}

function computed(operator: Operator, left: bigint, right: bigint): bigint {
  switch (operator) {
    case '+':
      return wrap(left + right);
    case '-':
      return wrap(left - right);
    case '*':
      return wrap(left * right);
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '<<':
      return wrap(left << right);
    case '>>':
      return left >> right;
    case '%':
      return left % right;
  }
}
