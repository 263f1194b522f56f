import { diceOf } from './dice.js';

/** A program whose function `run` executes random instructions and stores their results. */
export interface AssemblyProgram {
  readonly text: string;
  /** The number of results that the program stores. */
  readonly count: number;
  /** The names of the instructions in the program, without suffix, with repetitions. */
  readonly names: readonly string[];
}

interface Size {
  readonly suffix: string;
  readonly bits: number;
  readonly type: string;
  readonly modifier: string;
}

const sizes: readonly Size[] = [
  { suffix: 'b', bits: 8, type: 'uint8_t', modifier: 'b' },
  { suffix: 'w', bits: 16, type: 'uint16_t', modifier: 'w' },
  { suffix: 'l', bits: 32, type: 'uint32_t', modifier: 'k' },
  { suffix: 'q', bits: 64, type: 'uint64_t', modifier: 'q' },
];

/** Condition codes by the flags that they read: zero, sign, carry, overflow. */
const conditionsOf: readonly (readonly [needed: string, letters: string])[] = [
  ['z', 'e'],
  ['z', 'nz'],
  ['s', 's'],
  ['s', 'ns'],
  ['c', 'c'],
  ['c', 'ae'],
  ['zc', 'be'],
  ['zc', 'a'],
  ['o', 'o'],
  ['o', 'no'],
  ['so', 'l'],
  ['so', 'ge'],
  ['zso', 'le'],
  ['zso', 'nle'],
];

/** By instruction, the flags that are defined after it, if all were defined before. */
const flagsOf: Readonly<Record<string, string>> = {
  ...{ add: 'zsco', sub: 'zsco', and: 'zsco', or: 'zsco', xor: 'zsco', cmp: 'zsco', test: 'zsco' },
  ...{ inc: 'zsco', dec: 'zsco', neg: 'zsco', xadd: 'zsco', cmpxchg: 'zsco', not: 'zsco' },
  ...{ adc: 'zsc', sbb: 'zsc', shl: 'zsc', shr: 'zsc', sar: 'zsc', bt: 'zc', bts: 'zc' },
  ...{
    bsf: 'z',
    bsr: 'z',
    btr: 'zc',
    btc: 'zc',
    rol: 'zs',
    ror: 'zs',
    mov: 'zsco',
    xchg: 'zsco',
    lea: 'zsco',
  },
  ...{ cmov: 'zsco', movz: 'zsco', movs: 'zsco', cmpxchg8b: 'zsco', cmpxchg16b: 'zsco' },
};

class AssemblyWriter {
  readonly functions: string[] = [];
  readonly names: string[] = [];
  count = 0;

  constructor(readonly dice: ReturnType<typeof diceOf>) {}

  /** Returns a random number, often at a limit of its range. */
  number(bits: number): bigint {
    const { dice } = this;
    const any = [0, 0, 0, 0].reduce((sum) => (sum << 16n) | BigInt(dice.below(65536)), 0n);
    const most = 1n << BigInt(bits - 1);
    const edges = [0n, 1n, 2n, most - 1n, most, most + 1n, -1n, -2n, 0x55n, BigInt(bits)];
    const value = dice.below(3) === 0 ? any : dice.pick(edges);
    return BigInt.asUintN(bits, value);
  }

  literal(bits: number): string {
    return `0x${this.number(bits).toString(16)}ull`;
  }

  /**
   * Adds a function that sets the flags, executes an instruction, and stores operands and
   * conditions.
   */
  add(name: string, code: string, operands: Operands): void {
    const index = this.functions.length;
    const flags = flagsOf[name]!;
    const may = conditionsOf.filter(([needed]) =>
      Array.from(needed).every((flag) => flags.includes(flag)),
    );
    const chosen = [this.dice.pick(may), this.dice.pick(may)].map(([, letters]) => letters);
    const [p, q] = [this.literal(32), this.literal(32)];
    const sets = chosen.map((letters, i) => `set${letters} %[f${i}]`);
    const lines = ['cmpl %[q], %[p]', code, ...sets].join('\\n\\t');
    const outputs = [...operands.outputs, '[f0] "=&q"(f0)', '[f1] "=&q"(f1)'].join(', ');
    const inputs = [...operands.inputs, '[p] "r"((uint32_t)p)', '[q] "r"((uint32_t)q)'].join(', ');
    const results = [...operands.results, 'f0', 'f1'];
    const stores = results.map((each) => `out[${this.count++}] = (uint64_t)(${each});`);
    this.functions.push(`static void f${index}(void) {
  ${operands.declarations.join(' ')} uint8_t f0 = 0, f1 = 0; uint64_t p = ${p}, q = ${q};
  __asm__ __volatile__("${lines}" : ${outputs} : ${inputs} : "memory", "cc");
  ${stores.join(' ')}
}`);
    this.names.push(name);
  }
}

interface Operands {
  readonly declarations: readonly string[];
  readonly outputs: readonly string[];
  readonly inputs: readonly string[];
  readonly results: readonly string[];
}

/**
 * Returns a destination in a register or in memory, and a source that is a constant or in a
 * register.
 */
function pair(writer: AssemblyWriter, size: Size, isInMemory: boolean, isNumber: boolean) {
  const { type, bits, modifier } = size;
  const declarations = [
    `uint64_t wide = ${writer.literal(64)}; ${type} a = ${writer.literal(bits)};`,
    `${type} b = ${writer.literal(bits)};`,
  ];
  // Sometimes the register is wider than the written operand.
  const isWide = !isInMemory && writer.dice.chance(50);
  const to = isInMemory ? '%[m]' : `%${modifier}[m]`;
  const number = BigInt.asIntN(Math.min(bits, 32), writer.number(bits));
  const from = isNumber ? `$${number}` : `%${modifier}[b]`;
  const output = isInMemory ? '[m] "+m"(a)' : `[m] "+&r"(${isWide ? 'wide' : 'a'})`;
  const operands: Operands = {
    declarations,
    outputs: [output],
    inputs: ['[b] "r"(b)'],
    results: isWide ? ['wide'] : ['a'],
  };
  return { to, from, operands };
}

type Maker = (writer: AssemblyWriter) => void;

function arithmetic(name: string): Maker {
  return (writer) => {
    const size = writer.dice.pick(sizes);
    const [isInMemory, isNumber] = [writer.dice.chance(50), writer.dice.chance(33)];
    const { to, from, operands } = pair(writer, size, isInMemory, isNumber);
    const isLockable = isInMemory && name !== 'cmp' && name !== 'test' && name !== 'mov';
    const lock = isLockable && writer.dice.chance(50) ? 'lock ' : '';
    writer.add(name, `${lock}${name}${size.suffix} ${from}, ${to}`, operands);
  };
}

function ofOne(name: string): Maker {
  return (writer) => {
    const size = writer.dice.pick(sizes);
    const isInMemory = writer.dice.chance(50);
    const { to, operands } = pair(writer, size, isInMemory, false);
    const lock = isInMemory && name !== 'neg' && writer.dice.chance(50) ? 'lock; ' : '';
    writer.add(name, `${lock}${name}${size.suffix} ${to}`, operands);
  };
}

function exchanging(name: string): Maker {
  return (writer) => {
    const size = writer.dice.pick(sizes);
    const { type, bits, modifier, suffix } = size;
    const isInMemory = writer.dice.chance(67);
    const lock = isInMemory && writer.dice.chance(50) ? 'lock; ' : '';
    const isSame = writer.dice.chance(50);
    const a = writer.literal(bits);
    const operands: Operands = {
      declarations: [
        `${type} a = ${a}; ${type} b = ${writer.literal(bits)};`,
        `${type} c = ${isSame ? a : writer.literal(bits)};`,
      ],
      outputs: [
        isInMemory ? '[m] "+m"(a)' : '[m] "+&r"(a)',
        '[b] "+&r"(b)',
        ...(name === 'cmpxchg' ? ['"+&a"(c)'] : []),
      ],
      inputs: [],
      results: ['a', 'b', 'c'],
    };
    const to = isInMemory ? '%[m]' : `%${modifier}[m]`;
    writer.add(name, `${lock}${name}${suffix} %${modifier}[b], ${to}`, operands);
  };
}

/** Returns a function that adds an instruction on a pair of words. */
function pairs(name: string, size: Size): Maker {
  return (writer) => {
    const { type, bits } = size;
    const [low, high] = [writer.literal(bits), writer.literal(bits)];
    const isSame = writer.dice.chance(50);
    const operands: Operands = {
      declarations: [
        `static __attribute__((aligned(16))) ${type} cell[2]; cell[0] = ${low}; cell[1] = ${high};`,
        `${type} a = ${isSame ? low : writer.literal(bits)};`,
        `${type} d = ${isSame ? high : writer.literal(bits)};`,
      ],
      outputs: ['[m] "+m"(cell)', '"+&a"(a)', '"+&d"(d)'],
      inputs: [`"b"((${type})${writer.literal(bits)})`, `"c"((${type})${writer.literal(bits)})`],
      results: ['a', 'd', 'cell[0]', 'cell[1]'],
    };
    writer.add(name, `lock; ${name} %[m]`, operands);
  };
}

function bits(name: string): Maker {
  return (writer) => {
    const size = writer.dice.pick(sizes.slice(1));
    const { type, modifier, suffix } = size;
    const isInMemory = writer.dice.chance(67);
    const isNumber = writer.dice.chance(33);
    const lock = isInMemory && name !== 'bt' && writer.dice.chance(50) ? 'lock ' : '';
    // For memory operands, the index may select other words: from one before the cell to three
    // after it.
    const index = isInMemory
      ? writer.dice.below(4 * size.bits) - size.bits
      : writer.dice.below(300);
    const operands: Operands = {
      declarations: [
        `static ${type} cells[5]; for (int i = 0; i < 5; i++) cells[i] = ${writer.literal(size.bits)};`,
        `${type} a = ${writer.literal(size.bits)}; ${type} b = (${type})${index};`,
      ],
      outputs: [isInMemory ? '[m] "+m"(cells[1])' : '[m] "+&r"(a)'],
      inputs: ['[b] "r"(b)'],
      results: ['a', 'cells[0]', 'cells[1]', 'cells[2]', 'cells[3]', 'cells[4]'],
    };
    const to = isInMemory ? '%[m]' : `%${modifier}[m]`;
    const from = isNumber ? `$${writer.dice.below(size.bits)}` : `%${modifier}[b]`;
    writer.add(name, `${lock}${name}${suffix} ${from}, ${to}`, operands);
  };
}

/** Makes a bit scan whose source is not 0, as the result would be undefined. */
function scanning(name: string): Maker {
  return (writer) => {
    const { type, bits, modifier, suffix } = writer.dice.pick(sizes.slice(1));
    const isInMemory = writer.dice.chance(50);
    const given = writer.number(bits) >> BigInt(writer.dice.below(bits));
    const operands: Operands = {
      declarations: [`${type} a = 0x${(given || 1n).toString(16)}ull; ${type} r = 0;`],
      outputs: ['[r] "+&r"(r)'],
      inputs: [isInMemory ? '[a] "m"(a)' : '[a] "r"(a)'],
      results: ['r'],
    };
    const from = isInMemory ? '%[a]' : `%${modifier}[a]`;
    writer.add(name, `${name}${suffix} ${from}, %${modifier}[r]`, operands);
  };
}

function shifting(name: string): Maker {
  return (writer) => {
    const size = writer.dice.pick(sizes);
    const { type, modifier, suffix } = size;
    const isInMemory = writer.dice.chance(50);
    const operands: Operands = {
      declarations: [`${type} a = ${writer.literal(size.bits)};`],
      outputs: [isInMemory ? '[m] "+m"(a)' : '[m] "+&r"(a)'],
      inputs: [`"c"((uint8_t)${writer.dice.below(100)})`],
      results: ['a'],
    };
    const to = isInMemory ? '%[m]' : `%${modifier}[m]`;
    const isRotation = name.startsWith('ro');
    // The flags of a shift by a computed number are not known; a comparison gives new ones.
    const isByRegister = (size.bits >= 32 || isRotation) && writer.dice.chance(33);
    const by = isByRegister ? '%%cl' : `$${writer.dice.below(size.bits)}`;
    const renewed = isByRegister && !isRotation ? '\\n\\tcmpl %[q], %[p]' : '';
    writer.add(name, `${name}${suffix} ${by}, ${to}${renewed}`, operands);
  };
}

function widening(name: 'movz' | 'movs'): Maker {
  return (writer) => {
    const [small, large] = writer.dice.pick([
      ...[
        [0, 1],
        [0, 2],
        [0, 3],
        [1, 2],
        [1, 3],
      ],
      ...(name === 'movs' ? [[2, 3]] : []),
    ]) as [number, number];
    const [from, to] = [sizes[small]!, sizes[large]!];
    const isInMemory = writer.dice.chance(50);
    const operands: Operands = {
      declarations: [
        `${from.type} b = ${writer.literal(from.bits)}; uint64_t wide = ${writer.literal(64)};`,
      ],
      outputs: ['[w] "+&r"(wide)'],
      inputs: [isInMemory ? '[b] "m"(b)' : '[b] "r"(b)'],
      results: ['wide'],
    };
    const source = isInMemory ? '%[b]' : `%${from.modifier}[b]`;
    const code = `${name}${from.suffix}${to.suffix} ${source}, %${to.modifier}[w]`;
    writer.add(name, code, operands);
  };
}

const addressing: Maker = (writer) => {
  const isLoad = writer.dice.chance(50);
  const scale = writer.dice.pick([1, 2, 4, 8]);
  const [index, distance] = [writer.dice.below(3), 8 * writer.dice.below(3)];
  const operands: Operands = {
    declarations: [
      `static uint64_t cells[8]; for (int i = 0; i < 8; i++) cells[i] = i * ${writer.literal(64)};`,
      `uint64_t i = ${(index * 8) / scale}; uint64_t r = 0;`,
    ],
    outputs: ['[r] "=&r"(r)'],
    inputs: ['[c] "r"(cells)', '[i] "r"(i)'],
    results: [isLoad ? 'r' : 'r - (uint64_t)cells'],
  };
  const place = `${distance}(%[c],%[i],${scale})`;
  const name = isLoad ? 'mov' : 'lea';
  writer.add(name, `${name}q ${place}, %[r]`, operands);
};

const conditionalMove: Maker = (writer) => {
  const size = writer.dice.pick(sizes.slice(1));
  const [, letters] = writer.dice.pick(conditionsOf);
  const { to, from, operands } = pair(writer, size, false, false);
  writer.add('cmov', `cmov${letters}${size.suffix} ${from}, ${to}`, operands);
};

const makers: readonly Maker[] = [
  ...['add', 'sub', 'and', 'or', 'xor', 'cmp', 'test', 'adc', 'sbb', 'mov'].map(arithmetic),
  ...['inc', 'dec', 'neg', 'not'].map(ofOne),
  ...['xchg', 'xadd', 'cmpxchg', 'cmpxchg'].map(exchanging),
  pairs('cmpxchg8b', sizes[2]!),
  pairs('cmpxchg16b', sizes[3]!),
  ...['bt', 'bts', 'btr', 'btc'].map(bits),
  ...['bsf', 'bsr'].map(scanning),
  ...['shl', 'shr', 'sar', 'rol', 'ror'].map(shifting),
  widening('movz'),
  widening('movs'),
  addressing,
  addressing,
  conditionalMove,
];

/** The names of the instructions that programs are made of. */
export const instructionNames: readonly string[] = Object.keys(flagsOf);

/** Returns a program of `instructions` random instructions. */
export function randomAssembly(seed: number, instructions: number): AssemblyProgram {
  const writer = new AssemblyWriter(diceOf(seed));
  for (let i = 0; i < instructions; i++) writer.dice.pick(makers)(writer);
  const calls = writer.functions.map((_, i) => `f${i}();`);
  const text = `#include <stdint.h>
uint64_t out[${writer.count}];
${writer.functions.join('\n')}
void run(void) { ${calls.join(' ')} }
#ifdef MAIN
#include <stdio.h>
int main(void) {
  run();
  for (int i = 0; i < ${writer.count}; i++) printf("%llu\\n", (unsigned long long)out[i]);
  return 0;
}
#endif
`;
  return { text, count: writer.count, names: writer.names };
}
