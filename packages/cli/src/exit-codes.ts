import type { ReachOutcome } from '@fencewright/core';

/** The exit statuses of the command line, with one meaning each. */
export const exitCodes = {
  /**
   * Robust; for `fence`: a set was found; for `reach`: final states and claims are equal; for
   * `verify-certificate`: the certificate holds; for `trf`: no triangular race; for `format`: the
   * text is laid out.
   */
  robust: 0,
  /**
   * The answer is no. Not robust; for `fence`: no set exists; for `reach`: final states or claims
   * differ; for `verify-certificate`: the certificate does not hold; for `trf`: there is a
   * triangular race; for `format --check`: the layout of the text differs.
   */
  notRobust: 10,
  unknown: 5,
  usage: 64,
  input: 65,
  internal: 70,
  /** The user pressed Ctrl-C twice; the status that shells report. */
  interrupted: 130,
  /** The reader of the output closed the pipe early, as reported by shells. */
  brokenPipe: 141,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Exit statuses in order of severity, worst first. */
const bySeverity: readonly ExitCode[] = [
  exitCodes.internal,
  exitCodes.input,
  exitCodes.usage,
  exitCodes.notRobust,
  exitCodes.unknown,
];

/** Returns the worst of several exit statuses, as the exit status of a run over several files. */
export function worstOf(codes: readonly ExitCode[]): ExitCode {
  return bySeverity.find((code) => codes.includes(code)) ?? exitCodes.robust;
}

/** The exit status of each outcome of `reach`. */
export const exitCodeOfReach: Readonly<Record<ReachOutcome, ExitCode>> = {
  same: exitCodes.robust,
  different: exitCodes.notRobust,
  unknown: exitCodes.unknown,
  error: exitCodes.input,
};
