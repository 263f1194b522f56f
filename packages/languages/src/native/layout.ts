import type { Model } from './syntax.js';
import type { NodeBase } from './syntax-node.js';
import { allTokensIn } from './syntax-tree.js';
import { startsLine, type Token } from './token.js';

/** How a token stands to its neighbours on the same line. */
export interface TokenLayout {
  /** How deep its line is indented, if it starts one. */
  readonly level: number;
  /** It closes what was opened before: comments before it belong to what it closes. */
  readonly closes: boolean;
  /** No blank stands before it. */
  readonly joinsLeft: boolean;
  /** No blank stands behind it. */
  readonly joinsRight: boolean;
  /** No blank stands behind it either if such a token follows. */
  readonly appliesTo: '(' | undefined;
  /**
   * Blanks before it, or around it, stay as they are: they may make a column, or nobody knows what
   * it means.
   */
  readonly keepsBlanks: 'before' | 'around' | undefined;
}

const closing: ReadonlySet<string> = new Set(['}', ')', ']']);
/** What goes on with a statement on the level where it began. */
const goingOn: ReadonlySet<string> = new Set('{ } ) ] else or begin end'.split(' '));
const joiningLeft: ReadonlySet<string> = new Set(') ] [ , ; : . ..'.split(' '));
const joiningRight: ReadonlySet<string> = new Set('( [ . ..'.split(' '));
/** In these a sign belongs to what is behind it. */
const prefixing: ReadonlySet<string> = new Set('Operand AddressOf Annotation'.split(' '));
/** In these an opening parenthesis belongs to the name before it. */
const applying: ReadonlySet<string> = new Set(
  'Call Annotation EventDeclaration ProcedureDeclaration InvariantDeclaration EventInstance'.split(
    ' ',
  ),
);
/** What is in these stands on the same level as they do. */
const transparent: ReadonlySet<string> = new Set(['Model', 'AnnotatedStatement']);

/** The layout of all tokens of a text, by their indices. */
export function computeLayout(model: Model): readonly TokenLayout[] {
  const layouts: TokenLayout[] = [];
  visit(model, 0, layouts);
  return layouts;
}

function isStatement({ kind }: NodeBase): boolean {
  return /(Statement|Declaration)$/.test(kind) || kind === 'Block' || kind === 'Automaton';
}

/** `level` is that of the line on which the node starts, if it starts one. */
function visit(node: NodeBase, level: number, layouts: TokenLayout[]): void {
  let isFirst = true;
  let behindLabel = false;
  // Labels of statements stand out.
  const own = node.kind === 'LabelledStatement' ? level - 1 : level;
  for (const part of node.parts) {
    if ('parts' in part) visit(part, levelIn(node, part, isFirst ? own : level, isFirst), layouts);
    else layouts[part.index] = layoutOf(part, node, levelOf(part, node, own, isFirst));
    // Instructions of automata stand in a column.
    if (behindLabel) keepBlanks(part, layouts);
    behindLabel = node.kind === 'LabelledInstruction' && 'kind' in part && part.kind === ':';
    isFirst &&= 'parts' in part && part.start === part.end;
  }
}

/** Keeps the blanks before the first token of a part. */
function keepBlanks(part: NodeBase | Token, layouts: TokenLayout[]): void {
  const first = 'parts' in part ? allTokensIn(part)[0] : part;
  const layout = first && layouts[first.index];
  if (layout) layouts[first.index] = { ...layout, keepsBlanks: layout.keepsBlanks ?? 'before' };
}

/** The level of a node within another, whose own is `level`. */
function levelIn(node: NodeBase, part: NodeBase, level: number, isFirst: boolean): number {
  switch (node.kind) {
    case 'Block':
    case 'Automaton':
      return level + 1;
    case 'LabelledStatement':
      return level;
    default:
  }
  if (isFirst || transparent.has(node.kind)) return level;
  if (part.kind === 'Block' || part.kind === 'Automaton') return level;
  if (!isStatement(node)) return level;
  if (!isStatement(part)) return level + 2;
  const [first] = allTokensIn(part);
  return first && startsLine(first) ? level + 1 : level;
}

function levelOf({ kind }: Token, node: NodeBase, level: number, isFirst: boolean): number {
  if (isFirst && node.kind !== 'Automaton') return level;
  if (goingOn.has(kind) || kind === 'EOF' || transparent.has(node.kind)) return level;
  if (kind === 'while' && node.kind === 'DoStatement') return level;
  return isStatement(node) || node.kind === 'LabelledInstruction' ? level + 2 : level;
}

function layoutOf(token: Token, node: NodeBase, level: number): TokenLayout {
  const { kind } = token;
  const isSign =
    prefixing.has(node.kind) || (kind === '-' && /^(Base|InstanceCount)$/.test(node.kind));
  return {
    level: Math.max(0, level),
    closes: closing.has(kind) || (kind === 'end' && node.kind === 'Automaton'),
    joinsLeft:
      (joiningLeft.has(kind) && node.kind !== 'EmptyStatement') ||
      (kind === '(' && applying.has(node.kind)),
    joinsRight: joiningRight.has(kind) || (isSign && /^[-+!~&@]$/.test(kind)),
    appliesTo: /^(assert|assume)$/.test(kind) ? '(' : undefined,
    keepsBlanks: node.kind === 'Skipped' ? 'around' : undefined,
  };
}
