import type { ModelCheckerFailure } from '@fencewright/ground/solvers/model-checker.js';
import {
  missingProgram,
  programFailed,
  type Diagnostic,
} from '@fencewright/ground/source/diagnostic.js';

/** The Debian package that installs each external program. */
const packages: Readonly<Record<string, string>> = { spin: 'spin', cc: 'gcc', z3: 'z3' };

/**
 * Returns the reason why the model checker could not work on this machine, with the package to
 * install.
 */
export function failureDiagnostic(failure: ModelCheckerFailure): Diagnostic {
  const { program } = failure;
  return failure.kind === 'missing'
    ? missingProgram(program, packages[program])
    : programFailed(program, failure.output);
}
