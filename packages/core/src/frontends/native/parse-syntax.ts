import type { AstNode } from 'langium';
import { AstUtils } from 'langium';
import { syntaxError } from '../../source/diagnostic.js';
import { spanAt } from '../../source/span.js';
import type { Model } from './generated/ast.js';
import { isNamedStatement } from './generated/ast.js';
import { runParser } from './native-parser.js';
import { toReadable } from './readable-text.js';
import type { SyntaxTree } from './syntax-tree.js';
import { describeProblem, toProblems, withoutConsequences } from './describe-problem.js';

/** How many errors become messages; the others are only counted. */
const shownErrors = 100;

/** With more errors than this, it is not worth the time to find out what they hide. */
const manyDamages = 200;

/** The part of a text that an error makes unreadable, as offsets. */
interface Damage {
  readonly start: number;
  readonly end: number;
  /** What was expected. */
  readonly misses: string | undefined;
}

/** Parses the text without looking at the meaning of names. Never throws. */
export function parseSyntax(text: string): SyntaxTree {
  const readable = toReadable(text);
  const { model, errors: parserErrors, end } = runParser(readable.text);
  if (end === 'too-deep') return unreadable;
  const found = [...readable.problems, ...toProblems(parserErrors, readable.text)]
    .filter(({ length }) => length > 0 || !readable.isCut)
    .toSorted((a, b) => a.offset - b.offset);
  const kept = withoutConsequences(found, readable.text);
  const errors = kept.slice(0, shownErrors).map((problem) => describeProblem(problem, text));
  const damages = found.map(({ previousEnd, skippedTo, expected }) => ({
    start: previousEnd - 1,
    end: skippedTo,
    misses: expected,
  }));
  const names = namesOnLines(damages, text);
  const hidesDeclarations = damagesDeclarations(damages, model);
  return {
    ...(model && { model }),
    errors,
    unshown: Math.max(0, kept.length - shownErrors),
    mayDeclare: (name) => hidesDeclarations || names.has(name),
    isBroken: (node, parts = []) => damages.some((damage) => hits(damage, node, parts)),
  };
}

/** A text on which the parser ran out of stack; its other errors are not worth much. */
const unreadable: SyntaxTree = {
  errors: [
    syntaxError(spanAt(0, 0, 1), 'the statements are nested too deeply', 'split the threads'),
  ],
  unshown: 0,
  mayDeclare: () => true,
  isBroken: () => true,
};

/** What declares nothing, or no more than the name that it starts with. */
const harmlessTypes: ReadonlySet<string> = new Set([
  'MemoryStatement',
  'GotoStatement',
  'KeywordStatement',
  'ConditionStatement',
  'HavocStatement',
  'AsyncStatement',
  'Condition',
  'Expression',
  'ConstDefinition',
  'Variable',
  'LocalVariable',
  'LabelledInstruction',
  'PropertyDeclaration',
]);

function isHarmless(node: AstNode): boolean {
  return (
    harmlessTypes.has(node.$type) ||
    (isNamedStatement(node) && !node.label && (!!node.value || node.call))
  );
}

/** Whether a declaration may be lost: an error came up elsewhere than within something harmless, and not for want of a `;`. */
function damagesDeclarations(damages: readonly Damage[], model: Model | undefined): boolean {
  if (damages.length === 0 || !model) return false;
  if (damages.length > manyDamages) return true;
  const harmless = AstUtils.streamAst(model).filter(isHarmless).toArray();
  return damages.some(
    ({ start, misses }) =>
      misses !== "';'" &&
      !harmless.some(({ $cstNode: cst }) => cst && cst.offset <= start && start < cst.end),
  );
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
