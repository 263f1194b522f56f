import type { Dice, TextCell } from './random-text.js';

/** The types of cells that assembly accesses, with the suffix of their instructions. */
const suffixes: Readonly<Record<string, string>> = {
  ...{ int: 'l', unsigned: 'l', long: 'q', 'unsigned long': 'q' },
  ...{ short: 'w', 'unsigned char': 'b', 'signed char': 'b' },
};

/** Whether assembly may access a cell. */
export function hasAssembly({ isAtomic, hasAddress, type }: TextCell): boolean {
  return !isAtomic && hasAddress && suffixes[type] !== undefined;
}

type Make = (cell: TextCell, parts: Parts) => string;

interface Parts {
  readonly dice: Dice;
  readonly local: string;
  readonly value: string;
  readonly suffix: string;
  readonly other: TextCell;
}

const clobbers = ': "memory", "cc"';

/**
 * By kind of instruction, a function that writes a random one, which leaves its result in the
 * local.
 */
const kinds: Readonly<Record<string, Make>> = {
  'mov to memory': ({ place, type }, { suffix, value }) =>
    `__asm__ volatile("mov${suffix} %1, %0" : "=m"(${place}) : "r"((${type})(${value})) ${clobbers});`,
  'mov from memory': ({ place, type }, { suffix, local }) =>
    `{ ${type} got; __asm__ volatile("mov${suffix} %1, %0" : "=r"(got) : "m"(${place}) ${clobbers}); ${local} = (int)got; }`,
  'mov to and from': ({ place, type }, { suffix, local, value, other }) =>
    `{ ${other.type} got; __asm__ volatile("mov${suffix} %2, %0\\n\\tmov${suffixes[other.type]} %3, %1" : "=m"(${place}), "=&r"(got) : "r"((${type})(${value})), "m"(${other.place}) ${clobbers}); ${local} = (int)got; }`,
  'lock xadd': ({ place, type }, { suffix, local, value }) =>
    `{ ${type} got = ${value}; __asm__ volatile("lock; xadd${suffix} %0, %1" : "+r"(got), "+m"(${place}) : ${clobbers}); ${local} = (int)got; }`,
  xchg: ({ place, type }, { suffix, local, value }) =>
    `{ ${type} got = ${value}; __asm__ volatile("xchg${suffix} %0, %1" : "+r"(got), "+m"(${place}) : ${clobbers}); ${local} = (int)got; }`,
  'lock cmpxchg': ({ place, type }, { dice, suffix, local, value }) =>
    `{ ${type} was = ${dice.below(2)}; unsigned char done; __asm__ volatile("lock cmpxchg${suffix} %3, %0" : "+m"(${place}), "+a"(was), "=@cc${dice.pick(['z', 'ne', 'b'])}"(done) : "r"((${type})(${value})) ${clobbers}); ${local} = (int)was + 2 * done; }`,
  'lock with a flag': ({ place, type }, { dice, suffix, local, value }) =>
    `{ unsigned char flag; __asm__ volatile("lock ${dice.pick(['add', 'sub', 'or', 'and', 'xor'])}${suffix} %2, %0\\n\\tset${dice.pick(['z', 'nz', 's', 'c', 'le', 'a'])} %1" : "+m"(${place}), "=q"(flag) : "r"((${type})(${value})) ${clobbers}); ${local} = flag; }`,
  'lock of one operand': ({ place }, { dice, suffix, local }) =>
    `{ unsigned char flag; __asm__ volatile("lock; ${dice.pick(['inc', 'dec'])}${suffix} %0; sete %1" : "+m"(${place}), "=q"(flag) : ${clobbers}); ${local} = flag; }`,
  'without lock': ({ place }, { dice, suffix, local }) =>
    `{ unsigned char flag; __asm__ volatile("${dice.pick(['inc', 'dec', 'neg'])}${suffix} %0; setne %1" : "+m"(${place}), "=q"(flag) : ${clobbers}); ${local} = flag; }`,
  'a comparison': ({ place, type }, { dice, suffix, local, value }) =>
    `{ int less = 3; __asm__ volatile("cmp${suffix} %2, %1; cmov${dice.pick(['l', 'ae', 'e'])}l %3, %0" : "+&r"(less) : "m"(${place}), "r"((${type})(${value})), "r"(1) ${clobbers}); ${local} = less; }`,
  'a bit': (cell, parts) => {
    const { dice, suffix, local } = parts;
    if (suffix === 'b') return kinds.xchg!(cell, parts);
    return `{ unsigned char flag; __asm__ volatile("lock ${dice.pick(['bts', 'btr', 'btc'])}${suffix} $${dice.below(3)}, %0; setc %1" : "+m"(${cell.place}), "=q"(flag) : ${clobbers}); ${local} = flag; }`;
  },
};

/** The names of the kinds, as recorded for programs. */
export const assemblyKinds: readonly string[] = Object.keys(kinds).map((kind) => `asm: ${kind}`);

/** Returns a statement of inline assembly on a cell, and perhaps a second cell. */
export function assemblyStatement(
  dice: Dice,
  cell: TextCell,
  others: readonly TextCell[],
  local: string,
  value: string,
): string {
  const kind = dice.pick(Object.keys(kinds));
  dice.note(`asm: ${kind}`);
  const other = dice.pick([cell, ...others.filter(hasAssembly)]);
  return kinds[kind]!(cell, { dice, local, value, other, suffix: suffixes[cell.type]! });
}
