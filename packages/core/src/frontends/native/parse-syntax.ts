import type { AstNode, LangiumParser } from 'langium';
import {
  createDefaultCoreModule,
  createDefaultSharedCoreModule,
  EmptyFileSystem,
  inject,
} from 'langium';
import type { Diagnostic } from '../../source/diagnostic.js';
import { syntaxError } from '../../source/diagnostic.js';
import { nearestName } from '../../source/nearest-name.js';
import type { Span } from '../../source/span.js';
import { openBraceAt, positionAt } from './check-text.js';
import { ExpectedWords } from './expected-words.js';
import type { Model } from './generated/ast.js';
import { NativeGeneratedModule, NativeGeneratedSharedModule } from './generated/module.js';

/** How many errors become messages; the others are only counted. */
const shownErrors = 100;

/** The part of a text that an error makes unreadable, as offsets. */
interface Damage {
  readonly start: number;
  readonly end: number;
}

/** What could be read of a text. */
export interface SyntaxTree {
  /** Absent if the parser gave up. */
  readonly model?: Model;
  /** The first of them. */
  readonly errors: readonly Diagnostic[];
  /** How many errors `errors` leaves out. */
  readonly unshown: number;
  /** Names that stand on lines with errors. */
  readonly brokenNames: ReadonlySet<string>;
  /** Whether `node` has an error in it that does not lie inside one of `parts`. */
  isBroken(node: AstNode, parts?: readonly AstNode[]): boolean;
}

let cachedParser: LangiumParser | undefined;

/** Building the parser takes some 50 ms, so it is done once. */
function nativeParser(): LangiumParser {
  if (!cachedParser) {
    const shared = inject(
      createDefaultSharedCoreModule(EmptyFileSystem),
      NativeGeneratedSharedModule,
    );
    const services = inject(createDefaultCoreModule({ shared }), NativeGeneratedModule, {
      parser: { ParserErrorMessageProvider: () => new ExpectedWords() },
    });
    cachedParser = services.parser.LangiumParser;
  }
  return cachedParser;
}

/** Parses the text without looking at the meaning of names. Never throws. */
export function parseSyntax(text: string): SyntaxTree {
  try {
    const result = nativeParser().parse<Model>(text);
    const found: Problem[] = [
      ...result.lexerErrors.map((error) => ({
        offset: error.offset,
        length: Math.max(1, error.length),
        previousEnd: error.offset,
        skippedTo: error.offset + error.length,
        expected: undefined,
      })),
      ...result.parserErrors.map((error) => toProblem(error, text)),
    ];
    const errors = withoutConsequences(found, text);
    const damages = found.map((problem) => ({
      start: problem.previousEnd - 1,
      end: problem.skippedTo,
    }));
    return {
      model: result.value,
      errors: errors.slice(0, shownErrors).map((problem) => toDiagnostic(problem, text)),
      unshown: Math.max(0, errors.length - shownErrors),
      brokenNames: namesOnLines(damages, text),
      isBroken: (node, parts = []) => damages.some((damage) => hits(damage, node, parts)),
    };
  } catch (error) {
    // The parser works recursively, and its state is of no use after such an end.
    cachedParser = undefined;
    if (!(error instanceof RangeError)) throw error;
    const message = 'the statements are nested too deeply';
    return {
      errors: [syntaxError(wholeLine(text), message, 'split the thread')],
      unshown: 0,
      brokenNames: new Set(),
      isBroken: () => true,
    };
  }
}

/** An error of the lexer or the parser, as offsets. */
interface Problem {
  readonly offset: number;
  readonly length: number;
  /** End of the token before. */
  readonly previousEnd: number;
  /** End of what the parser left out to recover. */
  readonly skippedTo: number;
  /** In words; absent for a character that starts no token. */
  readonly expected: string | undefined;
}

type ParserError = ReturnType<LangiumParser['parse']>['parserErrors'][number];

function toProblem(error: ParserError, text: string): Problem {
  const atEnd = Number.isNaN(error.token.startOffset) || error.token.image === '';
  const offset = atEnd ? text.trimEnd().length : error.token.startOffset;
  const length = atEnd ? 0 : error.token.image.length;
  const previous =
    'previousToken' in error ? (error.previousToken as typeof error.token) : undefined;
  const previousEnd = (previous?.endOffset ?? Number.NaN) + 1;
  const skipped = error.resyncedTokens.at(-1)?.endOffset ?? Number.NaN;
  return {
    offset,
    length,
    previousEnd: Number.isNaN(previousEnd) ? offset : previousEnd,
    skippedTo: Math.max(
      atEnd ? text.length : offset + length,
      Number.isNaN(skipped) ? 0 : skipped + 1,
    ),
    expected: error.message,
  };
}

/** What shows that the parser found its way again after an error. */
const recovered = /[;{}]|\b(const|var|domain|thread|property|event|events|procedure|end)\b/;

/** Leaves out the errors that only follow from the one before. */
function withoutConsequences(problems: readonly Problem[], text: string): Problem[] {
  const kept: Problem[] = [];
  let last: Problem | undefined;
  for (const problem of problems.toSorted((a, b) => a.offset - b.offset)) {
    const between = last && text.slice(last.offset + last.length, problem.offset + problem.length);
    const follows = last && (problem.offset <= last.offset || !recovered.test(between ?? ''));
    if (!follows || (last?.length === 0 && problem.offset > last.offset)) kept.push(problem);
    last = problem;
  }
  return kept;
}

function toDiagnostic(problem: Problem, text: string): Diagnostic {
  const { offset, length, expected, previousEnd } = problem;
  const image = text.slice(offset, offset + length);
  const shown = image.length > 20 ? `${image.slice(0, 20)}...` : image;
  if (expected === undefined)
    return syntaxError(spanOfOffsets(text, offset, length), `'${shown}' has no meaning here`);
  const found =
    length === 0 ? 'the file ends' : `found ${isWord(image) ? 'the word ' : ''}'${shown}'`;
  const message = `expected ${expected} but ${found}`;
  // What is missing at the end of a line is shown there, and not where the next line starts.
  const closes = /^'[^\w]'$/.test(expected) || length === 0;
  const late = closes && text.slice(previousEnd, offset).includes('\n');
  const span =
    late || length === 0
      ? spanOfOffsets(text, previousEnd, 1)
      : spanOfOffsets(text, offset, length);
  return syntaxError(span, message, hintFor(problem, text));
}

function isWord(image: string): boolean {
  return keywords.has(image);
}

const keywords: ReadonlySet<string> = new Set(
  (
    'assert assume atomic begin break check choose const continue do domain else false fence goto havoc if in init local ' +
    'loop mem mfence or program property regs skip thread true var while with'
  ).split(' '),
);

/** A keyword that may have been meant, or the brace that is not closed. */
function hintFor({ offset, length, expected }: Problem, text: string): string | undefined {
  const start = Math.max(0, text.slice(0, offset).search(/[^;{}:\n]*$/));
  const words = [text.slice(offset, offset + length), /\w+/.exec(text.slice(start, offset))?.[0]];
  for (const word of words) {
    if (word === undefined || !/^[a-z]{2,}$/i.test(word) || keywords.has(word)) continue;
    const keyword = nearestName(word, keywords);
    if (keyword !== undefined) return `did you mean '${keyword}'?`;
  }
  if (expected?.endsWith("'}'") !== true) return undefined;
  const open = openBraceAt(text, offset);
  return open && `the '{' in line ${open.line + 1} is not closed`;
}

function spanOfOffsets(text: string, offset: number, length: number): Span {
  const start = positionAt(text, offset);
  return { start, end: { line: start.line, column: start.column + length } };
}

function wholeLine(text: string): Span {
  return spanOfOffsets(text, 0, text.split('\n', 1)[0]?.length ?? 0);
}

function namesOnLines(damages: readonly Damage[], text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { start, end } of damages) {
    const from = text.lastIndexOf('\n', start) + 1;
    const to = text.indexOf('\n', end);
    const lines = text.slice(from, to < 0 ? undefined : to);
    for (const [name] of lines.matchAll(/[_a-zA-Z][_a-zA-Z0-9'′]*/g)) names.add(name);
  }
  return names;
}

function hits(damage: Damage, node: AstNode, parts: readonly AstNode[]): boolean {
  return overlaps(damage, node) && !parts.some((part) => contains(part, damage));
}

function overlaps(damage: Damage, node: AstNode): boolean {
  const cst = node.$cstNode;
  return !cst || (damage.start < cst.end && cst.offset < damage.end);
}

function contains(node: AstNode, damage: Damage): boolean {
  const cst = node.$cstNode;
  return !!cst && cst.offset <= damage.start && damage.end <= cst.end;
}
