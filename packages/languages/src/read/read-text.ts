import { deepBracket } from '@fencewright/ground/source/deep-bracket.js';
import { nestedTooDeeply } from '@fencewright/ground/source/diagnostic.js';
import { lintModel } from '@fencewright/model/analysis/lint-model.js';
import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import type { InputFormat } from './front-ends.js';
import { parseText } from './parse-text.js';

/**
 * Returns the program of a text, checked completely: brackets nested too deeply are refused before
 * parsing, and the program is searched for likely mistakes of its author. `copies` overrides the
 * text's numbers of threads.
 */
export async function readText(
  format: InputFormat,
  text: string,
  copies?: ReadonlyMap<string, number>,
): Promise<ParseResult> {
  const bracket = deepBracket(text);
  if (bracket) return { diagnostics: [nestedTooDeeply(bracket)] };
  const { model, diagnostics } = await parseText(format, text, copies);
  return model ? { model, diagnostics: [...diagnostics, ...lintModel(model)] } : { diagnostics };
}
