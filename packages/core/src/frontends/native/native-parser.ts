import type { LangiumParser } from 'langium';
import {
  createDefaultCoreModule,
  createDefaultSharedCoreModule,
  EmptyFileSystem,
  inject,
} from 'langium';
import { ExpectedWords, TooManyErrors } from './expected-words.js';
import type { Model } from './generated/ast.js';
import { NativeGeneratedModule, NativeGeneratedSharedModule } from './generated/module.js';

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

/** Building the parser takes some 50 ms, so it is done once. Only the parser is loaded, none of Langium's documents. */
function nativeParser(): ParserWithWords {
  if (cached) return cached;
  const words = new ExpectedWords();
  const shared = inject(
    createDefaultSharedCoreModule(EmptyFileSystem),
    NativeGeneratedSharedModule,
  );
  const { parser } = inject(createDefaultCoreModule({ shared }), NativeGeneratedModule, {
    parser: { ParserErrorMessageProvider: () => words },
  });
  // Langium keeps comments in the syntax tree; the search for their places takes quadratic time, and nobody looks at them.
  innerParts(parser.LangiumParser).nodeBuilder.addHiddenNodes = () => undefined;
  cached = { parser: parser.LangiumParser, words };
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
