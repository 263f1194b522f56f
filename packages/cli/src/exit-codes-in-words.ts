import { exitCodes } from './exit-codes.js';

type Named = Exclude<keyof typeof exitCodes, 'interrupted' | 'brokenPipe'>;

/** The meaning of each exit status, in most verbs. */
export const exitCodesInWords: Readonly<Record<Named, string>> = {
  robust: 'robust',
  notRobust: 'not robust',
  unknown: 'unknown',
  usage: 'wrong usage',
  input: 'errors in the input',
  internal: 'a fault of fencewright',
};

/**
 * The meaning of the exit statuses 0 and 10, for verbs that answer another question than
 * robustness.
 */
export const answersInWords: readonly {
  readonly verb: string;
  readonly zero: string;
  readonly ten: string;
}[] = [
  { verb: 'fence', zero: 'a set was found', ten: 'there is none' },
  { verb: 'reach', zero: 'final states and claims are the same', ten: 'they differ' },
  { verb: 'prove', zero: 'it is proved', ten: 'it is not robust' },
  { verb: 'trf', zero: 'there is no triangular race', ten: 'there is one' },
  { verb: 'trf --fence', zero: 'fences were found', ten: 'none are enough' },
  { verb: 'cover', zero: 'no target can be covered', ten: 'one can' },
  { verb: 'verify-certificate', zero: 'it holds', ten: 'it fails, or differs' },
  { verb: 'format --check', zero: 'nothing would change', ten: 'something would' },
];

/** Returns the meaning of each exit status, for `--help`. */
export function exitCodesInHelp(): string {
  const codes = Object.entries(exitCodesInWords).map(
    ([name, words]) => `  ${String(exitCodes[name as Named]).padEnd(4)}${words}`,
  );
  const others = answersInWords.map(
    ({ verb, zero, ten }) => `  ${verb.padEnd(20)}${zero.padEnd(36)}${ten}`,
  );
  return `Exit codes:
${codes.join('\n')}
  With several files, the first of 70, 65, 10, 5, 0 that occurs.

  ${''.padEnd(20)}${'0'.padEnd(36)}10
${others.join('\n')}`;
}
