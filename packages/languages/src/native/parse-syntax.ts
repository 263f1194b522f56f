import { syntaxError } from '@fencewright/ground/source/diagnostic.js';
import { spanAt } from '@fencewright/ground/source/span.js';
import { describeProblem } from './describe-problem.js';
import { tokensOf } from './lexer.js';
import { parseModel } from './parse-model.js';
import type { ModelSyntax } from './syntax.js';
import type { SyntaxTree } from './syntax-tree.js';
import type { NativeToken } from './token.js';
import { TokenReader, TooDeep } from './token-reader.js';
import { unreadNames } from './unread-names.js';

/** The maximum number of errors that become messages; further errors are only counted. */
const shownErrors = 100;

/**
 * Parses a text without looking at the meaning of names, in linear time. Never throws: unreadable
 * parts are skipped, and the rest is parsed nevertheless.
 */
export function parseSyntax(text: string): SyntaxTree {
  const tokens = tokensOf(text);
  const reader = new TokenReader(tokens);
  const model = readModel(reader);
  if (!model) return unread(tokens);
  const problems = reader.problems.toSorted((a, b) => a.offset - b.offset);
  const errors = problems.slice(0, shownErrors).map((problem) => describeProblem(problem, text));
  const unshown = problems.length - errors.length;
  if (problems.length === 0) return { model, errors, unshown, mayDeclare: () => false };
  const names = unreadNames(model);
  return { model, errors, unshown, mayDeclare: (name) => names === 'any' || names.has(name) };
}

/** Parses the whole model; `undefined` if the text is nested too deeply. */
function readModel(reader: TokenReader): ModelSyntax | undefined {
  try {
    return parseModel(reader);
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}

/**
 * Returns the tree of a text that is nested too deeply; the tree has only this error, since further
 * errors would not help.
 */
function unread(tokens: readonly NativeToken[]): SyntaxTree {
  const reader = new TokenReader(tokens);
  const mark = reader.open();
  reader.skip(tokens.length - 1);
  reader.advance();
  return {
    model: reader.close<ModelSyntax>(mark, { kind: 'Model', name: undefined, declarations: [] }),
    errors: [
      syntaxError(spanAt(0, 0, 1), 'the statements are nested too deeply', 'split the threads'),
    ],
    unshown: 0,
    mayDeclare: () => true,
  };
}
