import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  checkToJunit,
  checkToSarif,
  diagnosticsToSarif,
  inputErrorCase,
  isRemark,
  type CheckResult,
  type JunitCase,
  type SarifFindings,
  type Subject,
  undecidedResult,
} from '@fencewright/core';
import type { LoadedFile } from './load-program.js';

/** The findings about one file, for reports to continuous integration. */
export interface CiFindings {
  readonly sarif: SarifFindings;
  readonly junit: JunitCase;
}

/** Returns the URI of a file: relative to the working folder, or absolute for a file outside. */
export function uriOf(file: string): string {
  if (file === '-') return 'standard-input';
  const relative = path.relative('', file);
  if (relative.startsWith('..') || path.isAbsolute(relative)) return pathToFileURL(file).href;
  return relative.split(path.sep).map(encodeURIComponent).join('/');
}

/** Returns the findings of checking a file, for continuous integration. */
export function findingsOfCheck(
  subject: Subject & Pick<LoadedFile, 'diagnostics'>,
  result: CheckResult,
): CiFindings {
  const { file, source, program, diagnostics } = subject;
  const uri = uriOf(file);
  return {
    sarif: {
      uri,
      results: checkToSarif({ uri, source }, program, result, diagnostics),
      remarks: [...diagnostics, ...result.diagnostics].filter(isRemark),
      ...(program.assumptions && { assumptions: program.assumptions }),
    },
    junit: checkToJunit(subject, result, diagnostics),
  };
}

/**
 * Returns the findings for a file that cannot be read because of errors, for continuous
 * integration.
 */
export function findingsOfInputErrors({ file, source, diagnostics }: LoadedFile): CiFindings {
  const uri = uriOf(file);
  const subject = { uri, ...(source !== undefined && { source }) };
  return {
    sarif: { uri, results: diagnosticsToSarif(subject, diagnostics) },
    junit: inputErrorCase(file, source, diagnostics),
  };
}

/** Returns the findings for an undecided file, for continuous integration; `why` is the reason. */
export function findingsOfUndecided(file: string, why: string): CiFindings {
  const uri = uriOf(file);
  const outcome = {
    kind: 'error',
    type: 'unknown',
    message: `undecided: ${why}`,
    text: '',
  } as const;
  return {
    sarif: { uri, results: [undecidedResult({ uri }, why)] },
    junit: { file, milliseconds: 0, outcome },
  };
}

/** Returns the findings for a file at which the tool failed, for continuous integration. */
export function findingsOfInternalError(file: string, internalError: string): CiFindings {
  const message = `internal error: ${internalError}`;
  const outcome = { kind: 'error', type: 'internal', message, text: '' } as const;
  return {
    sarif: { uri: uriOf(file), results: [], internalError },
    junit: { file, milliseconds: 0, outcome },
  };
}
