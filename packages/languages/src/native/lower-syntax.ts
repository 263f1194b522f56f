import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { type LoweredModel, lowerModel } from './lower-program.js';
import { ProblemList } from './problem-list.js';
import type { SyntaxTree } from './syntax-tree.js';

/**
 * The lowered program, if any, and the errors in the text; `lowered` is present iff no diagnostic
 * is an error.
 */
export interface LoweredText {
  readonly lowered?: LoweredModel;
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the program for a syntax tree, or the errors; `copies` as for `parseNative`. */
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

/** Returns the result of parsing: the lowered program, as threads or as events. */
export function toParseResult({ lowered, diagnostics }: LoweredText): ParseResult {
  if (!lowered) return { diagnostics };
  return { model: lowered.model, diagnostics };
}

/**
 * Returns the program lowered from the readable parts of a text; `undefined` if the text has more
 * syntax errors than are shown.
 */
function lowerReadable(
  syntax: SyntaxTree,
  problems: ProblemList,
  copies: ReadonlyMap<string, number>,
) {
  return syntax.unshown > 0 ? undefined : lowerModel(syntax.model, problems, copies);
}
