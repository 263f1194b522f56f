import { expect, test } from 'vitest';
import { armExecutions, type Instruction, type Operand } from './armv8-judge.js';

const operand = (text: string): Operand => (/^\d+$/.test(text) ? Number(text) : text);

const pairOf = (text: string): [Operand, Operand] => {
  const [one, other] = text.split(' ').map(operand);
  return [one!, other!];
};

/**
 * Reads one instruction. Registers and cells are small letters; `x+r` is the cell `x` with an
 * address that depends on `r`; `ctrl r` is a branch on `r` to the next instruction; `if r n` goes
 * on only if the register holds the number.
 */
function read(text: string): readonly Instruction[] {
  const [name, ...words] = text.split(' ');
  const [first, second, third, fourth] = words;
  const at = (word: string): { cell: string; index?: string } => {
    const [cell, index] = word.split('+');
    return index === undefined ? { cell: cell! } : { cell: cell!, index: '0' };
  };
  // The dependency has no effect: the index is `r - r`.
  const dependency = words.flatMap((word): Instruction[] => {
    const index = word.split('+')[1];
    return index === undefined ? [] : [{ op: 'eor', to: '0', of: [index, index] }];
  });
  const access = /^(ld|st)(a|ap|l)?(x)?r$/.exec(name!);
  if (access) {
    const [, kind, order, exclusive] = access;
    const [register, cell] = [first!, at(second!)];
    const isExclusive = exclusive !== undefined;
    if (kind === 'st') {
      const value = operand(register);
      const releases = order === 'l' ? 'L' : undefined;
      return [
        ...dependency,
        { op: 'str', value, at: cell, order: releases, exclusive: isExclusive },
      ];
    }
    const acquires = order === 'a' ? 'A' : order === 'ap' ? 'Q' : undefined;
    return [
      ...dependency,
      { op: 'ldr', to: register, at: cell, order: acquires, exclusive: isExclusive },
    ];
  }
  const atomic = /^(swp|ldadd|cas)(a)?(l)?$/.exec(name!);
  if (atomic) {
    const [op, acquires, releases] = [
      atomic[1] as 'swp' | 'ldadd' | 'cas',
      atomic[2] !== undefined,
      atomic[3] !== undefined,
    ];
    const isCas = op === 'cas';
    const [value, cell] = isCas ? [third!, fourth!] : [second!, third!];
    const expected = isCas ? { expected: operand(second!) } : {};
    const instruction = { op, to: first!, value: operand(value), at: at(cell) };
    return [...dependency, { ...instruction, ...expected, acquires, releases }];
  }
  switch (name) {
    case 'dmb':
      return [{ op: 'dmb', kind: first as 'full' | 'ld' | 'st' }];
    case 'eor':
    case 'add':
      return [{ op: name, to: first!, of: pairOf(`${second} ${third}`) }];
    case 'ctrl':
      return [{ op: 'if', equal: [first!, 0], then: [] }];
    case 'if':
      return [{ op: 'if', equal: [first!, operand(second!)], then: [], else: [{ op: 'repeat' }] }];
    default:
      throw new Error(`unknown: ${text}`);
  }
}

/**
 * Whether some execution has these final values: `1:r=0` is a register of a thread, `x=1` is
 * memory.
 */
function isAllowed(threads: string, ends: string): boolean {
  const code = threads
    .split(' | ')
    .map((thread) => thread.split('; ').flatMap((one) => read(one.trim())));
  return armExecutions({ threads: code })!.some(({ registers, memory }) =>
    ends.split(' ').every((one) => {
      const [, thread, register, value] = /^(\d):(\w)=(\d)$/.exec(one) ?? [];
      if (thread === undefined) return memory.split(' ').includes(one);
      return (registers[Number(thread)]![register!] ?? 0) === Number(value);
    }),
  );
}

const published = 'str 1 x; stlr 1 y';
const answers = 'ldr r y; stlr 1 x';
const both = '0:r=1 1:r=1';

// Names and verdicts are those of herdtools7, `catalogue/aarch64*/tests/*kinds.txt`, where Arm's
// architects and their model judge the tests of these names.
test.each([
  ['MP', 'str 1 x; str 1 y | ldr r y; ldr s x', '1:r=1 1:s=0', 'Allowed'],
  [
    'MP+dmb.sys',
    'str 1 x; dmb full; str 1 y | ldr r y; dmb full; ldr s x',
    '1:r=1 1:s=0',
    'Forbidden',
  ],
  ['MP+dmb.sy+po', 'str 1 x; dmb full; str 1 y | ldr r y; ldr s x', '1:r=1 1:s=0', 'Allowed'],
  ['MP+po+dmb.sy', 'str 1 x; str 1 y | ldr r y; dmb full; ldr s x', '1:r=1 1:s=0', 'Allowed'],
  ['MP+rel+acq', `${published} | ldar r y; ldr s x`, '1:r=1 1:s=0', 'Forbidden'],
  ['MP+rel+acqpc', `${published} | ldapr r y; ldr s x`, '1:r=1 1:s=0', 'Forbidden'],
  ['SB', 'str 1 x; ldr r y | str 1 y; ldr r x', '0:r=0 1:r=0', 'Allowed'],
  [
    'SB+dmb.sys',
    'str 1 x; dmb full; ldr r y | str 1 y; dmb full; ldr r x',
    '0:r=0 1:r=0',
    'Forbidden',
  ],
  [
    'SB+dmb.sy+rel-acq',
    'str 1 x; dmb full; ldr r y | stlr 1 y; ldar r x',
    '0:r=0 1:r=0',
    'Forbidden',
  ],
  [
    'SB+dmb.sy+rel-acqpc',
    'str 1 x; dmb full; ldr r y | stlr 1 y; ldapr r x',
    '0:r=0 1:r=0',
    'Allowed',
  ],
  [
    'SB+rfi-dmb.ld+rfi-dmb.ld',
    'str 1 x; ldr r x; dmb ld; ldr s y | str 1 y; ldr r y; dmb ld; ldr s x',
    '0:r=1 0:s=0 1:r=1 1:s=0',
    'Allowed',
  ],
  ['LB', 'ldr r x; str 1 y | ldr r y; str 1 x', both, 'Allowed'],
  ['LB+dmb.sy+po', 'ldr r x; dmb full; str 1 y | ldr r y; str 1 x', both, 'Allowed'],
  ['LB+dmb.sys', 'ldr r x; dmb full; str 1 y | ldr r y; dmb full; str 1 x', both, 'Forbidden'],
  ['LB+rel+data', 'ldr r x; stlr 1 y | ldr r y; eor s r r; add s s 1; str s x', both, 'Forbidden'],
  ['R', 'str 1 x; str 1 y | str 2 y; ldr r x', 'y=2 1:r=0', 'Allowed'],
  ['R+po+dmb.sy', 'str 1 x; str 1 y | str 2 y; dmb full; ldr r x', 'y=2 1:r=0', 'Allowed'],
  [
    'R+dmb.sys',
    'str 1 x; dmb full; str 1 y | str 2 y; dmb full; ldr r x',
    'y=2 1:r=0',
    'Forbidden',
  ],
  ['S', 'str 2 x; str 1 y | ldr r y; str 1 x', 'x=2 1:r=1', 'Allowed'],
  [
    'S+dmb.sys',
    'str 2 x; dmb full; str 1 y | ldr r y; dmb full; str 1 x',
    'x=2 1:r=1',
    'Forbidden',
  ],
  ['2+2W', 'str 1 x; str 2 y | str 1 y; str 2 x', 'x=1 y=1', 'Allowed'],
  [
    '2+2W+dmb.sys',
    'str 1 x; dmb full; str 2 y | str 1 y; dmb full; str 2 x',
    'x=1 y=1',
    'Forbidden',
  ],
  ['CoRR', 'str 1 x | ldr r x; ldr s x', '1:r=1 1:s=0', 'Forbidden'],
  ['CoRW1', 'ldr r x; str 1 x', '0:r=1', 'Forbidden'],
  ['CoRW2', 'str 1 x | ldr r x; str 2 x', '1:r=1 x=1', 'Forbidden'],
  ['CoWR', 'str 1 x; ldr r x | str 2 x', '0:r=2 x=1', 'Forbidden'],
  ['CoWW', 'str 1 x; str 2 x', 'x=1', 'Forbidden'],
  ['WRC', 'str 1 x | ldr r x; str 1 y | ldr r y; ldr s x', '1:r=1 2:r=1 2:s=0', 'Allowed'],
  [
    'WRC+rel+addr',
    'str 1 x | ldr r x; stlr 1 y | ldr r y; ldr s x+r',
    '1:r=1 2:r=1 2:s=0',
    'Forbidden',
  ],
  [
    'IRIW',
    'str 1 x | ldr r x; ldr s y | str 1 y | ldr r y; ldr s x',
    '1:r=1 1:s=0 3:r=1 3:s=0',
    'Allowed',
  ],
  [
    'IRIW+dmb.lds',
    'str 1 x | ldr r x; dmb ld; ldr s y | str 1 y | ldr r y; dmb ld; ldr s x',
    '1:r=1 1:s=0 3:r=1 3:s=0',
    'Forbidden',
  ],
  [
    'PPOCA',
    'str 1 x; dmb full; str 1 y | ldr r y; ctrl r; str 1 z; ldr s z; ldr t x+s',
    '1:r=1 1:s=1 1:t=0',
    'Allowed',
  ],
  [
    'PPOAA',
    'str 1 x; dmb full; str 1 y | ldr r y; str 1 z+r; ldr s z; ldr t x+s',
    '1:r=1 1:s=1 1:t=0',
    'Forbidden',
  ],
  [
    'MP+rel+addr-lrs-acq',
    `${published} | ldr r y; str 1 z+r; ldar s z; ldr t x`,
    '1:r=1 1:t=0',
    'Forbidden',
  ],
  [
    'MP+rel+data-lrs-acq',
    `${published} | ldr r y; eor s r r; add s s 1; str s z; ldar v z; ldr t x`,
    '1:r=1 1:t=0',
    'Forbidden',
  ],
  [
    'MP+rel+ctrl-lrs-acq',
    `${published} | ldr r y; ctrl r; str 1 z; ldar s z; ldr t x`,
    '1:r=1 1:t=0',
    'Allowed',
  ],
  ['MP+rel+rmw-lrs-acq', `${published} | swp r 2 y; ldar s y; ldr t x`, '1:r=1 1:t=0', 'Forbidden'],
  [
    'MP+rel+SWP-dmb.ld',
    `${published} | swp r 2 y; dmb ld; ldr s x`,
    '1:r=1 1:s=0 y=2',
    'Forbidden',
  ],
  ['MP+rel+SWPacq', `${published} | swpa r 2 y; ldr s x`, '1:r=1 1:s=0', 'Forbidden'],
  ['MP+rel+CASacq-ok', `${published} | casa r 1 2 y; ldr s x`, '1:r=1 1:s=0', 'Forbidden'],
  ['MP+rel+CAS-ok-MRs-addr', `${published} | cas r 1 2 y; ldr s x+r`, '1:r=1 1:s=0', 'Allowed'],
  ['MP+rel+CAS-no-MRs-addr', `${published} | cas r 0 2 y; ldr s x+r`, '1:r=1 1:s=0', 'Forbidden'],
  ['LB+rel+CAS-ok-MRs-addr', `${answers} | cas r 1 2 x; str 1 y+r`, both, 'Forbidden'],
  [
    'LB+rel+CAS-ok-RsM-addr',
    `${answers} | ldr r x; eor e r r; cas s e 2 z; ldr t z; str 1 y+t`,
    both,
    'Forbidden',
  ],
  [
    'LB+rel+CAS-no-RsM-addr',
    `${answers} | ldr r x; add e r 5; cas s e 2 z; ldr t z; str 1 y+t`,
    both,
    'Allowed',
  ],
  ['LB-swp-rel', `${answers} | ldr r x; swp s r z; eor t s s; add t t 1; str t y`, both, 'Allowed'],
  [
    'LB-ldxr-stxr-rel',
    `${answers} | ldr r x; ldxr s z; stxr r z; eor t s s; add t t 1; str t y`,
    `${both} z=1`,
    'Allowed',
  ],
  [
    'LB+dmb.sy+data-amo.swp',
    'ldr r x; eor s r r; add s s 1; swp t s y | ldr r y; dmb full; str 1 x',
    both,
    'Forbidden',
  ],
  ['rmw-ldxr-stxr', 'str 1 x | ldxr r x; stxr 2 x', '1:r=0 x=2', 'Forbidden'],
  ['rmw-cas', 'str 1 x | cas r 0 2 x', '1:r=0 x=2', 'Forbidden'],
] as const)('%s', (_, threads, ends, verdict) => {
  expect(isAllowed(threads, ends) ? 'Allowed' : 'Forbidden').toBe(verdict);
});
