/** The exit codes of the command line, one meaning each. */
export const exitCodes = {
  /**
   * Robust; for `fence`: a set was found; for `reach`: final states and claims are the same; for
   * `verify-certificate`: it holds; for `trf`: no triangular race; for `format`: it is laid out.
   */
  robust: 0,
  /**
   * Not robust; for `fence`: no set exists; for `reach`: they differ; for
   * `verify-certificate`: it does not hold; for `trf`: there is one; for `format --check`: it is
   * laid out in another way.
   */
  notRobust: 10,
  unknown: 5,
  usage: 64,
  input: 65,
  internal: 70,
  /** A second Ctrl-C; as shells report it. */
  interrupted: 130,
  /** Whoever read the output went away before its end; as shells report it. */
  brokenPipe: 141,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Worst first: what one exit code has to say about several files. */
const bySeverity: readonly ExitCode[] = [
  exitCodes.internal,
  exitCodes.input,
  exitCodes.usage,
  exitCodes.notRobust,
  exitCodes.unknown,
];

/** The exit code of a run over several files, given those of the files. */
export function worstOf(codes: readonly ExitCode[]): ExitCode {
  return bySeverity.find((code) => codes.includes(code)) ?? exitCodes.robust;
}
