import type { ModelSyntax } from './syntax.js';
import type { NodeBase } from './syntax-node.js';
import { allTokensIn } from './syntax-tree.js';
import { startsLine, type NativeToken } from './token.js';

/** The layout of a token: the indentation of its line, and the blanks beside it. */
export interface TokenLayout {
  /** The indentation level of the token's line, if the token starts a line. */
  readonly level: number;
  /**
   * Whether the token closes a bracket: comments before the token belong to the bracket's contents.
   */
  readonly closes: boolean;
  /** Whether no blank is written before the token. */
  readonly joinsLeft: boolean;
  /** Whether no blank is written after the token. */
  readonly joinsRight: boolean;
  /**
   * A kind of token: if the next token is of this kind, no blank is written before it. `undefined`
   * if there is no such kind.
   */
  readonly appliesTo: '(' | undefined;
  /**
   * Whether the text's blanks before the token, or around it, are kept: the blanks may align a
   * column, or the meaning of the token is unknown.
   */
  readonly keepsBlanks: 'before' | 'around' | undefined;
}

const closing: ReadonlySet<string> = new Set(['}', ')', ']']);
/** Tokens that, at the start of a line, are indented like the start of their statement. */
const goingOn: ReadonlySet<string> = new Set('{ } ) ] else or begin end'.split(' '));
/** Tokens that follow the previous token without a blank. */
const joiningLeft: ReadonlySet<string> = new Set(') ] [ , ; : . ..'.split(' '));
/** Tokens that the next token follows without a blank. */
const joiningRight: ReadonlySet<string> = new Set('( [ . ..'.split(' '));
/** Kinds of syntax nodes in which a sign has no blank before the following token. */
const prefixing: ReadonlySet<string> = new Set('Operand AddressOf Annotation'.split(' '));
/** Kinds of syntax nodes in which an opening parenthesis follows a name without a blank. */
const applying: ReadonlySet<string> = new Set(
  'Call Annotation EventDeclaration ProcedureDeclaration InvariantDeclaration EventInstance KeywordStatement PlainInstruction'.split(
    ' ',
  ),
);
/** Kinds of syntax nodes whose contents are indented like the node. */
const transparent: ReadonlySet<string> = new Set(['Model', 'AnnotatedStatement']);

/**
 * Returns, for each token of a text, by index, how formatting places the token: the indentation of
 * its line, and the blanks beside it.
 */
export function computeLayout(model: ModelSyntax): readonly TokenLayout[] {
  const layouts: TokenLayout[] = [];
  visit(model, 0, layouts);
  return layouts;
}

function isStatement({ kind }: NodeBase): boolean {
  return /(Statement|Declaration)$/.test(kind) || kind === 'Block' || kind === 'Automaton';
}

/**
 * Computes the layout of the tokens in a node; `level` is the indentation level of the node's line,
 * if the node starts a line.
 */
function visit(node: NodeBase, level: number, layouts: TokenLayout[]): void {
  let isFirst = true;
  let behindLabel = false;
  // The label of a statement is indented one level less than the statement.
  const own = node.kind === 'LabelledStatement' ? level - 1 : level;
  for (const part of node.parts) {
    if ('parts' in part) visit(part, levelIn(node, part, isFirst ? own : level, isFirst), layouts);
    else layouts[part.index] = layoutOf(part, node, levelOf(part, node, own, isFirst));
    // Instructions of automata are aligned in a column.
    if (behindLabel) keepBlanks(part, layouts);
    behindLabel = node.kind === 'LabelledInstruction' && 'kind' in part && part.kind === ':';
    isFirst &&= 'parts' in part && part.start === part.end;
  }
}

/** Notes that the text's blanks before the first token of a part are kept. */
function keepBlanks(part: NodeBase | NativeToken, layouts: TokenLayout[]): void {
  const first = 'parts' in part ? allTokensIn(part)[0] : part;
  const layout = first && layouts[first.index];
  if (layout) layouts[first.index] = { ...layout, keepsBlanks: layout.keepsBlanks ?? 'before' };
}

/** Returns the indentation level of `part` within `node`, whose own level is `level`. */
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

function levelOf({ kind }: NativeToken, node: NodeBase, level: number, isFirst: boolean): number {
  if (isFirst && node.kind !== 'Automaton') return level;
  if (goingOn.has(kind) || kind === 'EOF' || transparent.has(node.kind)) return level;
  if (kind === 'while' && node.kind === 'DoStatement') return level;
  return isStatement(node) || node.kind === 'LabelledInstruction' ? level + 2 : level;
}

function layoutOf(token: NativeToken, node: NodeBase, level: number): TokenLayout {
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
