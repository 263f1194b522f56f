import type { Instruction } from '@fencewright/model/program/instruction.js';

/** The keywords that are instructions by themselves, in both forms of threads. */
const reservedPlain = {
  skip: { kind: 'skip' },
  fence: { kind: 'fence' },
  mfence: { kind: 'fence' },
  heavy_fence: { kind: 'heavy-fence' },
  // An order to the compiler: no instruction.
  light_fence: { kind: 'skip' },
} as const satisfies Readonly<Record<string, Instruction>>;

/** The words that are instructions by themselves; `lock` and `unlock` may also be names. */
export const plainInstructions = {
  ...reservedPlain,
  lock: { kind: 'lock' },
  unlock: { kind: 'unlock' },
} as const satisfies Readonly<Record<string, Instruction>>;

export type PlainKeyword = keyof typeof plainInstructions;

/** The words of instructions that cannot be names. */
export const reservedPlainWords = Object.keys(reservedPlain) as (keyof typeof reservedPlain)[];
