import type { LangiumCoreServices, LangiumParser } from 'langium';
import {
  createLangiumParser,
  DefaultLexer,
  DefaultLexerErrorMessageProvider,
  DefaultTokenBuilder,
  DefaultValueConverter,
} from 'langium';
import { ExpectedWords, TooManyErrors } from './expected-words.js';
import { NativeAstReflection, type Model } from './generated/ast.js';
import { grammarJson } from './generated/grammar-json.js';
import { loadGrammar } from './load-grammar.js';

type ParserErrors = ReturnType<LangiumParser['parse']>['parserErrors'];

/** What the parser made of a text. */
export interface ParserOutcome {
  /** Absent if the parser gave up. */
  readonly model?: Model;
  readonly errors: ParserErrors;
  /** Why the parser gave up. */
  readonly end?: 'too-deep' | 'too-many-errors';
}

interface ParserWithWords {
  readonly parser: LangiumParser;
  readonly words: ExpectedWords;
}

/** Parts of Langium's parser that it does not show, of the version that package.json pins. */
interface InnerParts {
  readonly nodeBuilder: { addHiddenNodes: () => void };
  readonly wrapper: { readonly errors: ParserErrors };
}

function innerParts(parser: LangiumParser): InnerParts {
  return parser as unknown as InnerParts;
}

let cached: ParserWithWords | undefined;

/**
 * Langium's parser with the services that it asks for. Langium's own modules would bring all the rest: documents, workspaces, a language
 * protocol.
 */
function createParser(words: ExpectedWords): LangiumParser {
  const services = {
    Grammar: loadGrammar(grammarJson),
    LanguageMetaData: {
      languageId: 'fencewright',
      fileExtensions: ['.fw'],
      caseInsensitive: false,
      // Without a check of the grammar.
      mode: 'production',
    },
    parser: {
      LexerErrorMessageProvider: new DefaultLexerErrorMessageProvider(),
      ParserErrorMessageProvider: words,
      TokenBuilder: new DefaultTokenBuilder(),
      ValueConverter: new DefaultValueConverter(),
    },
    // The grammar has no cross-references.
    references: {},
    shared: { AstReflection: new NativeAstReflection(), profilers: {} },
  } as unknown as LangiumCoreServices;
  const Lexer = new DefaultLexer(services);
  return createLangiumParser({ ...services, parser: { ...services.parser, Lexer } });
}

/** Building the parser takes some 25 ms, so it is done once. */
function nativeParser(): ParserWithWords {
  if (cached) return cached;
  const words = new ExpectedWords();
  const parser = createParser(words);
  // Langium keeps comments in the syntax tree; the search for their places takes quadratic time, and nobody looks at them.
  innerParts(parser).nodeBuilder.addHiddenNodes = () => undefined;
  cached = { parser, words };
  return cached;
}

/** Parses a text of which the lexer can make tokens. */
export function runParser(text: string): ParserOutcome {
  const { parser, words } = nativeParser();
  words.reset();
  try {
    const result = parser.parse<Model>(text);
    return { model: result.value, errors: result.parserErrors };
  } catch (error) {
    // In the middle of a parse its state is of no use for another.
    cached = undefined;
    const errors = [...innerParts(parser).wrapper.errors];
    if (error instanceof TooManyErrors) return { errors, end: 'too-many-errors' };
    // The parser works recursively: this is a stack that ran over.
    if (error instanceof RangeError) return { errors, end: 'too-deep' };
    throw error;
  }
}
