import { spanBetween } from '@fencewright/ground/source/span.js';
import { precedence } from '@fencewright/model/program/infix.js';
import type {
  AddressOfSyntax,
  Annotation,
  BinaryOperatorToken,
  BooleanLiteral,
  EveryIndex,
  CallSyntax,
  DecimalLiteral,
  ExpressionSyntax,
  MemoryAccessSyntax,
  NumberLiteral,
  OperandSyntax,
  Parentheses,
  Primary,
  Reference,
} from './syntax-expressions.js';
import type { Name } from './syntax-node.js';
import { keywords } from './keywords.js';
import { sight } from './recovery.js';
import { startsLine, type TokenKind } from './token.js';
import type { NodeStart, TokenReader } from './token-reader.js';

const operatorTokens: ReadonlySet<TokenKind> = new Set(
  '= || && | ^ & == != < <= > >= << >> + - * / % <- <% <=% >% >=% <<% >>% +% -% *% /% %% <<:% >>:% <=:% >=:% <:% >:% +:% -:% *:% /:% %:% >>: +: -: *: /:'.split(
    ' ',
  ),
);

const signTokens: ReadonlySet<TokenKind> = new Set(['-', '+', '!', '~']);

const primaryTokens: ReadonlySet<TokenKind> = new Set([
  'NUMBER',
  'true',
  'false',
  'mem',
  '&',
  '(',
  '*',
]);

/** Whether the next token can start an expression. */
function startsExpression(reader: TokenReader): boolean {
  const { kind } = reader.token;
  return signTokens.has(kind) || primaryTokens.has(kind) || reader.isName();
}

export function parseExpression(reader: TokenReader): ExpressionSyntax {
  return reader.nested(() => {
    const mark = reader.open();
    const operands = [parseOperand(reader)];
    const operators: BinaryOperatorToken[] = [];
    while (operatorTokens.has(reader.token.kind)) {
      const operator = reader.advance().kind as BinaryOperatorToken;
      operators.push(operator);
      operands.push(parseOperand(reader));
      if (operator === '=') refuseAssignment(reader, operands, operators);
    }
    return reader.close<ExpressionSyntax>(mark, { kind: 'Expression', operands, operators });
  });
}

/** Parses `*` or an expression; `undefined` for `*`. */
export function parseFreely(reader: TokenReader): ExpressionSyntax | undefined {
  const { kind } = reader.ahead(1);
  if ((kind === ')' || kind === ']') && reader.accept('*')) return undefined;
  if (!startsExpression(reader)) reader.report("an expression or '*'");
  return parseExpression(reader);
}

/** Returns the operator for a token; `=`, probably written by mistake, is read as `==`. */
export function operatorMeant(token: BinaryOperatorToken) {
  if (token === '<-') return '<';
  return token === '=' ? '==' : token;
}

/** Reports that the operator read last is `=`, and suggests `==`. */
function refuseAssignment(
  reader: TokenReader,
  operands: readonly OperandSyntax[],
  operators: readonly BinaryOperatorToken[],
): void {
  const last = operands.at(-1)!;
  let first = operands.length - 2;
  while (first > 0 && precedence[operatorMeant(operators[first - 1]!)] >= precedence['=='])
    first -= 1;
  if (!last.primary || reader.isLost) return;
  const left = operands[first]!;
  reader.complain(
    { start: left.start, span: spanBetween(left.span, last.span) },
    "'=' stores, and cannot stand in an expression",
    "compare with '=='",
  );
}

function parseOperand(reader: TokenReader): OperandSyntax {
  const mark = reader.open();
  const signs: OperandSyntax['signs'][number][] = [];
  while (signTokens.has(reader.token.kind))
    signs.push(reader.advance().kind as OperandSyntax['signs'][number]);
  const primary = parsePrimary(reader);
  return reader.close<OperandSyntax>(mark, { kind: 'Operand', signs, primary });
}

function parsePrimary(reader: TokenReader): Primary | undefined {
  if (reader.is('NUMBER')) return parseNumber(reader);
  const mark = reader.open();
  switch (reader.token.kind) {
    case 'true':
    case 'false': {
      const value = reader.advance().kind === 'true';
      return reader.close<BooleanLiteral>(mark, { kind: 'BooleanLiteral', value });
    }
    case 'mem': {
      const address = parseMemory(reader);
      return reader.close<MemoryAccessSyntax>(mark, { kind: 'MemoryAccess', address });
    }
    case '&': {
      reader.advance();
      const name = reader.name();
      const index = parseIndex(reader);
      return reader.close<AddressOfSyntax>(mark, { kind: 'AddressOf', name, index });
    }
    case '(': {
      reader.advance();
      const expression = parseExpression(reader);
      closeBracket(reader, ')');
      return reader.close<Parentheses>(mark, { kind: 'Parentheses', expression });
    }
    default:
      if (reader.isName()) return parseNamed(reader, mark);
      // `*p` is a mistake of C programmers, with a hint of its own.
      if (reader.is('*') && reader.ahead(1).kind !== 'NAME' && reader.ahead(1).kind !== '(') {
        reader.advance();
        return reader.close<EveryIndex>(mark, { kind: 'EveryIndex' });
      }
      reader.report('an expression');
      reader.abandon(mark);
      return undefined;
  }
}

/** Whether the text is a number. */
export function isNumber(text: string): boolean {
  return /^(0|[1-9][0-9]*|0[xX][0-9a-fA-F]+)L?$/.test(text);
}

/** Parses a number. A missing number is an error, and gives a literal without digits. */
export function parseNumber(reader: TokenReader): NumberLiteral {
  const mark = reader.open();
  let text = '';
  if (reader.is('NUMBER')) text = reader.advance().text;
  else reader.report('a number');
  const literal = reader.close<NumberLiteral>(mark, { kind: 'NumberLiteral', text });
  if (text !== '' && !isNumber(text) && !reader.isLost)
    reader.complain(
      literal,
      `expected a number but found '${text.slice(0, 40)}'`,
      /^0[0-9]+$/.test(text)
        ? 'octal numbers are not supported: remove the leading zeros'
        : 'numbers are written 26 or 0x1a',
    );
  return literal;
}

/** Parses `mem[e]`; returns the address `e`. */
export function parseMemory(reader: TokenReader): ExpressionSyntax {
  reader.advance();
  reader.expect('[');
  const address = parseExpression(reader);
  closeBracket(reader, ']');
  return address;
}

/** Parses `[e]`, if present. */
export function parseIndex(reader: TokenReader): ExpressionSyntax | undefined {
  if (!reader.accept('[')) return undefined;
  const index = parseExpression(reader);
  closeBracket(reader, ']');
  return index;
}

/** Parses `[*]`, if present. */
function parseEveryIndex(reader: TokenReader): ExpressionSyntax | undefined {
  if (!reader.is('[') || reader.ahead(1).kind !== '*' || reader.ahead(2).kind !== ']')
    return undefined;
  reader.advance();
  const mark = reader.open();
  const operand = reader.open();
  const star = reader.open();
  reader.advance();
  const primary = reader.close<EveryIndex>(star, { kind: 'EveryIndex' });
  const operands = [reader.close<OperandSyntax>(operand, { kind: 'Operand', signs: [], primary })];
  const index = reader.close<ExpressionSyntax>(mark, {
    kind: 'Expression',
    operands,
    operators: [],
  });
  reader.expect(']');
  return index;
}

/** Parses an expression that starts with a name: `x`, `a[e]`, `f(e)`, `t @ l`, `t.r`. */
function parseNamed(reader: TokenReader, mark: NodeStart): Primary {
  const name = reader.name();
  if (reader.is('(')) return parseCall(reader, mark, name);
  const index = parseEveryIndex(reader) ?? parseIndex(reader);
  const label = reader.accept('@') ? reader.name() : undefined;
  const register = !label && reader.accept('.') ? reader.name() : undefined;
  return reader.close<Reference>(mark, { kind: 'Reference', name, index, label, register });
}

/** Parses the call of a function whose name has just been read, since `mark`. */
export function parseCall(reader: TokenReader, mark: NodeStart, name: Name): CallSyntax {
  return reader.close<CallSyntax>(mark, { kind: 'Call', name, arguments: parseArguments(reader) });
}

/** Parses `(e, e)`; returns the expressions. */
export function parseArguments(reader: TokenReader): readonly ExpressionSyntax[] {
  reader.expect('(');
  const list: ExpressionSyntax[] = [];
  if (startsExpression(reader) || reader.is(','))
    do list.push(parseExpression(reader));
    while (reader.accept(','));
  closeBracket(reader, ')');
  return list;
}

/** Parses annotations: `@name`, `@name(e)`, `@name(0.5)`. */
export function parseAnnotations(reader: TokenReader): readonly Annotation[] {
  const annotations: Annotation[] = [];
  while (reader.is('@')) {
    const mark = reader.open();
    reader.advance();
    const name = reader.name();
    let value: Annotation['value'];
    if (reader.accept('(')) {
      value = parseDecimal(reader) ?? parseExpression(reader);
      closeBracket(reader, ')');
    }
    annotations.push(reader.close<Annotation>(mark, { kind: 'Annotation', name, value }));
  }
  return annotations;
}

/** Parses a number with decimals; returns `undefined`, and reads nothing, at other tokens. */
function parseDecimal(reader: TokenReader): DecimalLiteral | undefined {
  if (!reader.is('NUMBER') || reader.ahead(1).kind !== '.' || reader.ahead(2).kind !== 'NUMBER')
    return undefined;
  const mark = reader.open();
  const text = [0, 1, 2].map(() => reader.advance().text).join('');
  return reader.close<DecimalLiteral>(mark, { kind: 'DecimalLiteral', text });
}

/**
 * Parses the closing bracket. If another token is found, parsing continues after the closing
 * bracket if the line has one, and otherwise at the place where the bracket is missing.
 */
export function closeBracket(reader: TokenReader, bracket: ')' | ']'): void {
  if (reader.accept(bracket)) return;
  reader.report(`'${bracket}'`);
  const distance = reader.ahead(1).kind === bracket ? 1 : distanceTo(reader, bracket);
  if (distance === undefined) return;
  reader.skip(distance);
  reader.advance();
}

function distanceTo(reader: TokenReader, bracket: ')' | ']'): number | undefined {
  let open = 0;
  for (let distance = 0; distance < sight; distance++) {
    const token = reader.ahead(distance);
    if (open === 0 && token.kind === bracket) return distance;
    if (isBeyond(token.kind) || startsLine(token)) return undefined;
    if (token.kind === '(' || token.kind === '[') open += 1;
    if (token.kind === ')' || token.kind === ']') open -= 1;
    if (open < 0) return undefined;
  }
  return undefined;
}

function isBeyond(kind: TokenKind): boolean {
  if (['EOF', '{', '}'].includes(kind)) return true;
  return keywords.get(kind)?.use === 'declaration' && keywords.get(kind)?.mayBeName === false;
}
