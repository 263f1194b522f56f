import { failureDiagnostic } from '@fencewright/core';
import { type FileReport, inputErrorReport } from './file-report.js';
import type { LoadedFile } from './load-program.js';
import type { Settings } from './settings.js';

/** The report that the solver which was asked for is not there; nothing if it is. */
export function missingSolverReport(
  loaded: LoadedFile,
  { missing }: { readonly missing?: string },
  settings: Settings,
): FileReport | undefined {
  if (missing === undefined) return undefined;
  const diagnostic = failureDiagnostic({ kind: 'missing', program: missing });
  const diagnostics = [...loaded.diagnostics, diagnostic];
  return inputErrorReport({ ...loaded, diagnostics }, settings, 'tool');
}
