import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { LoweredProgram } from './lower-program.js';
import { lowerProgram } from './lower-program.js';
import { ProblemList } from './problem-list.js';
import type { SyntaxTree } from './syntax-tree.js';

/**
 * The lowered program, and the errors in the text; `lowered` is present iff no diagnostic is an
 * error.
 */
export interface LoweredText {
  readonly lowered?: LoweredProgram;
  readonly diagnostics: readonly Diagnostic[];
}

/** Gives the names in a syntax tree their meaning; `copies` as for `parseNative`. */
export function lowerSyntax(
  syntax: SyntaxTree,
  copies: ReadonlyMap<string, number> = new Map(),
): LoweredText {
  const problems = new ProblemList((name) => syntax.mayDeclare(name));
  for (const error of syntax.errors) problems.add(error);
  problems.addUnshown(syntax.unshown);
  const lowered = lowerReadable(syntax, problems, copies);
  if (problems.count === 0 && lowered) return { lowered, diagnostics: [] };
  return { diagnostics: problems.toDiagnostics() };
}

/** Returns the lowered program as a program of its kind. */
export function toParseResult({ lowered, diagnostics }: LoweredText): ParseResult {
  if (!lowered) return { diagnostics };
  return { model: lowered.model, diagnostics };
}

/** Looks for more errors in the readable text; a file with only syntax errors is left alone. */
function lowerReadable(
  syntax: SyntaxTree,
  problems: ProblemList,
  copies: ReadonlyMap<string, number>,
) {
  return syntax.unshown > 0 ? undefined : lowerProgram(syntax.model, problems, copies);
}
