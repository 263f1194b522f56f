import type { AstNode, LangiumParser } from 'langium';
import {
  createDefaultCoreModule,
  createDefaultSharedCoreModule,
  EmptyFileSystem,
  inject,
} from 'langium';
import type { Diagnostic } from '../../source/diagnostic.js';
import { syntaxError } from '../../source/diagnostic.js';
import { spanAt } from '../../source/span.js';
import { ExpectedWords } from './expected-words.js';
import type { Model } from './generated/ast.js';
import { describeProblem, findSyntaxProblems, withoutConsequences } from './syntax-problems.js';
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
    const found = findSyntaxProblems(result, text);
    const errors = withoutConsequences(found, text);
    const damages = found.map((problem) => ({
      start: problem.previousEnd - 1,
      end: problem.skippedTo,
    }));
    return {
      model: result.value,
      errors: errors.slice(0, shownErrors).map((problem) => describeProblem(problem, text)),
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
      errors: [syntaxError(spanAt(0, 0, 1), message, 'split the thread')],
      unshown: 0,
      brokenNames: new Set(),
      isBroken: () => true,
    };
  }
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
