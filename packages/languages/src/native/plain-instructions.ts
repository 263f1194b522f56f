import {
  type Instruction,
  type PlainKind,
  plainWords,
} from '@fencewright/model/program/instruction.js';

/** The words that are instructions by themselves; `lock` and `unlock` may also be names. */
export type PlainKeyword = (typeof plainWords)[PlainKind] | 'mfence' | 'light_fence';

/** The instructions of the words that are instructions by themselves, in both forms of threads. */
export const plainInstructions = {
  ...Object.fromEntries(Object.entries(plainWords).map(([kind, word]) => [word, { kind }])),
  mfence: { kind: 'fence' },
  // An order to the compiler: no instruction.
  light_fence: { kind: 'skip' },
} as Readonly<Record<PlainKeyword, Instruction>>;

/** The words of instructions that cannot be names. */
export const reservedPlainWords = (Object.keys(plainInstructions) as PlainKeyword[]).filter(
  (word) => word !== 'lock' && word !== 'unlock',
);
