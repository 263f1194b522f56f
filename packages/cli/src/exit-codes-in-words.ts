import { exitCodes } from './exit-codes.js';
import { verbs } from './verbs.js';

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
 * Returns the meanings of the exit statuses 0 and 10 for verbs with a question other than
 * robustness, each with the option that changes the question, if any.
 */
export function answersInWords(): readonly {
  readonly verb: string;
  readonly zero: string;
  readonly ten: string;
}[] {
  return Object.entries(verbs).flatMap(([name, { answers = {} }]) =>
    Object.entries(answers).map(([option, [zero, ten]]) => ({
      ...{ verb: `${name} ${option}`.trimEnd(), zero, ten },
    })),
  );
}

/** Returns the meaning of each exit status, for `--help`. */
export function exitCodesInHelp(): string {
  const codes = Object.entries(exitCodesInWords).map(
    ([name, words]) => `  ${String(exitCodes[name as Named]).padEnd(4)}${words}`,
  );
  const others = answersInWords().map(
    ({ verb, zero, ten }) => `  ${verb.padEnd(20)}${zero.padEnd(38)}${ten}`,
  );
  return `Exit codes:
${codes.join('\n')}
  With several files, the first of 70, 65, 10, 5, 0 that occurs.

  ${''.padEnd(20)}${'0'.padEnd(38)}10
${others.join('\n')}`;
}
