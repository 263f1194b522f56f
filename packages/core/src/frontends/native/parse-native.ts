import { openParts } from '../../program/open-program.js';
import type { ParseResult } from '../../program/parse-result.js';
import type { Diagnostic } from '../../source/diagnostic.js';
import { checkText } from './check-text.js';
import type { LoweredProgram } from './lower-program.js';
import { lowerProgram } from './lower-program.js';
import type { SyntaxTree } from './parse-syntax.js';
import { parseSyntax } from './parse-syntax.js';
import { ProblemList } from './problem-list.js';

/**
 * Reads a program of the native language, both thread forms; reports all errors of the text at once. Never throws on bad input. `copies` says
 * how many copies of some threads there are, by their names, whatever the text says.
 */
export function parseNative(text: string, copies?: ReadonlyMap<string, number>): ParseResult {
  const { lowered, diagnostics } = readNative(text, copies);
  if (!lowered) return { diagnostics };
  const { program, unbounded } = lowered;
  const open = { templates: program, unbounded };
  if (openParts(open).length > 0) return { open, diagnostics };
  return unbounded.length > 0
    ? { parameterized: { templates: program, unbounded }, diagnostics }
    : { program, diagnostics };
}

/** Like `parseNative`, with what the threads were lowered from. `lowered` is present iff no diagnostic is an error. */
export function readNative(
  text: string,
  copies: ReadonlyMap<string, number> = new Map(),
): {
  readonly lowered?: LoweredProgram;
  readonly diagnostics: readonly Diagnostic[];
} {
  const refusal = checkText(text);
  if (refusal) return { diagnostics: [refusal] };
  const syntax = parseSyntax(text);
  const problems = new ProblemList((name) => syntax.mayDeclare(name));
  for (const error of syntax.errors) problems.add(error);
  problems.addUnshown(syntax.unshown);
  const lowered = syntax.model && lowerReadable(syntax, problems, copies);
  if (problems.count === 0 && lowered) return { lowered, diagnostics: [] };
  return { diagnostics: problems.toDiagnostics() };
}

/** Looks for more errors in what could be read; a file of nothing but syntax errors is left alone. */
function lowerReadable(
  syntax: SyntaxTree,
  problems: ProblemList,
  copies: ReadonlyMap<string, number>,
) {
  const { model, errors, unshown } = syntax;
  if (!model || unshown > 0) return undefined;
  if (errors.length === 0) return lowerProgram(model, syntax, problems, copies);
  try {
    return lowerProgram(model, syntax, problems, copies);
  } catch (error) {
    // After a syntax error parts of the tree are absent that its types promise.
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}
