import type { GrammarAST } from 'langium';
import { buildSyntaxTree } from './build-syntax-tree.js';
import { FirstTokenTable } from './first-tokens.js';
import type { Model } from './generated/ast.js';
import { grammarJson } from './generated/grammar-json.js';
import { createTokenizer, type Tokenizer } from './grammar-tokens.js';
import { loadGrammar } from './load-grammar.js';
import { toReadable } from './readable-text.js';
import { recognizeTokens } from './recognize-tokens.js';
import type { SyntaxTree } from './syntax-tree.js';

interface Reader {
  readonly entry: GrammarAST.ParserRule;
  readonly first: FirstTokenTable;
  readonly tokenize: Tokenizer;
}

let cached: Reader | undefined;

function nativeReader(): Reader {
  if (cached) return cached;
  const grammar = loadGrammar(grammarJson);
  const entry = grammar.rules.find(
    (rule): rule is GrammarAST.ParserRule => rule.$type === 'ParserRule' && rule.entry,
  )!;
  cached = { entry, first: new FirstTokenTable(), tokenize: createTokenizer(grammar) };
  return cached;
}

function readModel(text: string): Model | undefined {
  const { entry, first, tokenize } = nativeReader();
  const tokens = tokenize(text);
  const steps = tokens && recognizeTokens(entry, tokens, first);
  return steps && buildSyntaxTree(entry, steps);
}

/**
 * The syntax tree of a text without syntax errors, the same that Langium's parser makes of it; `undefined` for every other text, and for
 * texts that are nested very deeply. It walks through the grammar as it is: making Langium's parser of it takes longer than
 * checking most programs, and that parser is only needed to say what is wrong.
 */
export function readWellFormed(text: string): SyntaxTree | undefined {
  if (toReadable(text).problems.length > 0) return undefined;
  const model = readModel(text);
  return model && { model, errors: [], unshown: 0, mayDeclare: () => false, isBroken: () => false };
}
