import { exitCodes } from './exit-codes.js';

type Named = Exclude<keyof typeof exitCodes, 'interrupted' | 'brokenPipe'>;

/** What each exit code means, in most verbs. */
export const exitCodesInWords: Readonly<Record<Named, string>> = {
  robust: 'robust',
  notRobust: 'not robust',
  unknown: 'unknown',
  usage: 'wrong usage',
  input: 'errors in the input',
  internal: 'a fault of fencewright',
};

/** What 0 and 10 mean in verbs that have other answers. */
export const answersInWords: readonly {
  readonly verb: string;
  readonly zero: string;
  readonly ten: string;
}[] = [
  { verb: 'fence', zero: 'that a set was found', ten: 'that there is none' },
  { verb: 'prove', zero: 'that it is proved', ten: 'that it is not robust' },
  { verb: 'verify-certificate', zero: 'that it holds', ten: 'that it does not' },
  { verb: 'cover', zero: 'that no target can be covered', ten: 'that one can' },
  { verb: 'format --check', zero: 'that nothing would change', ten: 'that something would' },
  {
    verb: 'trf',
    zero: 'that there is no triangular race (with --fence: that fences were found)',
    ten: 'that there is one',
  },
  { verb: 'reach', zero: 'that TSO shows nothing that SC does not', ten: 'that it differs' },
];

/** For `--help`: what exit codes mean. */
export function exitCodesInHelp(): string {
  const codes = Object.entries(exitCodesInWords).map(
    ([name, words]) => `${exitCodes[name as Named]} ${words}`,
  );
  const others = answersInWords.map(({ verb, zero, ten }) => `${verb}, 0 means ${zero}, 10 ${ten}`);
  return `Exit codes: ${codes.join(', ')}.
With several files, the first of 70, 65, 10, 5, 0 that occurs.
For ${others.join(';\nfor ')}.`;
}
