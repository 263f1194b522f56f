import type { ModelCheckerFailure } from '@fencewright/ground/solvers/model-checker.js';
import {
  missingProgram,
  programFailed,
  type Diagnostic,
} from '@fencewright/ground/source/diagnostic.js';

/** What Debian and its relatives call the package. */
const packages: Readonly<Record<string, string>> = { spin: 'spin', cc: 'gcc', z3: 'z3' };

/** Why the engine could not work here, with what to install. */
export function failureDiagnostic(failure: ModelCheckerFailure): Diagnostic {
  const { program } = failure;
  return failure.kind === 'missing'
    ? missingProgram(program, packages[program])
    : programFailed(program, failure.output);
}
