import {
  closeBracket,
  parseAnnotations,
  parseCall,
  parseExpression,
  parseFreely,
  parseIndex,
  parseMemory,
} from './parse-expression.js';
import { reservedPlainWords } from './plain-instructions.js';
import { atEnd, endStatement, skipStatement, skipTo, startsStatement } from './recovery.js';
import type { CallSyntax, ExpressionSyntax } from './syntax-expressions.js';
import type { Name } from './syntax-node.js';
import type {
  AnnotatedStatement,
  AssignStatement,
  AsyncStatement,
  AtomicStatement,
  BlockSyntax,
  CallStatement,
  ChooseStatement,
  ConditionSyntax,
  ConditionStatement,
  DoStatement,
  EmptyStatement,
  GotoStatement,
  HavocStatement,
  IfStatement,
  KeywordStatement,
  LabelledStatement,
  LocalStatement,
  LocalVariable,
  LoopStatement,
  MemoryStatement,
  ProcedureCallStatement,
  StatementSyntax,
  UnreadStatement,
  WhileStatement,
} from './syntax-statements.js';
import type { NodeStart, TokenReader } from './token-reader.js';

/** Parses a block. If `{` is missing, parses the text up to `}` as a block if that is plausible. */
export function parseBlock(reader: TokenReader): BlockSyntax {
  const mark = reader.open();
  if (!reader.expect('{') && skipTo(reader, '{')) reader.advance();
  const statements: StatementSyntax[] = [];
  while (!reader.is('}') && !atEnd(reader)) {
    if (startsStatement(reader)) statements.push(parseStatement(reader));
    else if (reader.isAwaited()) break;
    else {
      reader.report("a statement or '}'");
      reader.skip(1);
      skipStatement(reader);
    }
  }
  if (!reader.accept('}')) reader.report("a statement or '}'");
  return reader.close<BlockSyntax>(mark, { kind: 'Block', statements });
}

function parseStatement(reader: TokenReader): StatementSyntax {
  return reader.nested(() => {
    switch (reader.token.kind) {
      case '@':
        return parseAnnotated(reader);
      case '{':
        return parseBlock(reader);
      case 'local':
        return parseLocals(reader);
      case 'mem':
        return parseMemoryStatement(reader);
      case 'if':
        return parseIf(reader);
      case 'while':
        return parseWhile(reader);
      case 'do':
        return parseDo(reader);
      case 'loop':
      case 'atomic':
        return parseLoopOrAtomic(reader);
      case 'choose':
        return parseChoose(reader);
      default:
        return parseSimple(reader);
    }
  });
}

/** Parses a statement without nested statements, or a statement that starts with a name. */
function parseSimple(reader: TokenReader): StatementSyntax {
  if (!startsStatement(reader)) {
    // The error belongs to the surrounding construct.
    reader.report('a statement');
    return reader.close<UnreadStatement>(reader.open(), { kind: 'UnreadStatement' });
  }
  const mark = reader.open();
  switch (reader.token.kind) {
    case ';':
      reader.advance();
      return reader.close<EmptyStatement>(mark, { kind: 'EmptyStatement' });
    case 'goto': {
      reader.advance();
      const target = reader.name();
      endStatement(reader);
      return reader.close<GotoStatement>(mark, { kind: 'GotoStatement', target });
    }
    case 'assert':
    case 'assume': {
      const keyword = reader.advance().kind as ConditionStatement['keyword'];
      const condition = parseExpression(reader);
      endStatement(reader);
      return reader.close<ConditionStatement>(mark, {
        kind: 'ConditionStatement',
        keyword,
        condition,
      });
    }
    case 'havoc': {
      const parts = parseHavoc(reader);
      endStatement(reader);
      return reader.close<HavocStatement>(mark, { kind: 'HavocStatement', ...parts });
    }
    default:
      if (isKeywordStatement(reader)) {
        const keyword = reader.advance().kind as KeywordStatement['keyword'];
        const order = keyword === 'fence' ? parseOrder(reader) : undefined;
        endStatement(reader);
        return reader.close<KeywordStatement>(mark, { kind: 'KeywordStatement', keyword, order });
      }
      if (isAsync(reader)) return parseAsync(reader, mark);
      return isProcedureCall(reader) ? parseProcedureCall(reader, mark) : parseNamed(reader, mark);
  }
}

/** Parses the order of a fence, `(acquire)`, if there is one; in both thread forms. */
export function parseOrder(reader: TokenReader): Name | undefined {
  if (!reader.is('(') || !reader.isName(1)) return undefined;
  reader.advance();
  const order = reader.name();
  closeBracket(reader, ')');
  return order;
}

/** Whether the next statement is a keyword; `lock`, `unlock` and `return` may also be names. */
function isKeywordStatement(reader: TokenReader): boolean {
  return reader.is('lock', 'unlock', 'return')
    ? ![':', '[', '=', '('].includes(reader.ahead(1).kind)
    : reader.is(...reservedPlainWords, 'break', 'continue');
}

/**
 * Whether the next statement is `async[t] f(...)`; `async` may also be a name, as in `async[i] =
 * e`.
 */
function isAsync(reader: TokenReader): boolean {
  return (
    reader.is('async') &&
    reader.ahead(1).kind === '[' &&
    reader.isName(2) &&
    reader.ahead(3).kind === ']' &&
    reader.isName(4)
  );
}

function parseAsync(reader: TokenReader, mark: NodeStart): AsyncStatement {
  reader.advance();
  reader.expect('[');
  const target = reader.name();
  reader.expect(']');
  const inner = reader.open();
  const call = parseCall(reader, inner, reader.name());
  endStatement(reader);
  return reader.close<AsyncStatement>(mark, { kind: 'AsyncStatement', target, call });
}

/** Whether the next statement is `call f(...)`; `call` may also be a name. */
function isProcedureCall(reader: TokenReader): boolean {
  return reader.is('call') && reader.isName(1) && reader.ahead(2).kind === '(';
}

function parseProcedureCall(reader: TokenReader, mark: NodeStart): ProcedureCallStatement {
  reader.advance();
  const inner = reader.open();
  const call = parseCall(reader, inner, reader.name());
  endStatement(reader);
  return reader.close<ProcedureCallStatement>(mark, { kind: 'ProcedureCallStatement', call });
}

/** Parses a statement that starts with a name: a label, an assignment or a call. */
function parseNamed(reader: TokenReader, mark: NodeStart): StatementSyntax {
  if (reader.ahead(1).kind === '(') {
    const inner = reader.open();
    const call: CallSyntax = parseCall(reader, inner, reader.name());
    endStatement(reader);
    return reader.close<CallStatement>(mark, { kind: 'CallStatement', call });
  }
  const name = reader.name();
  if (reader.accept(':')) {
    const statement =
      startsStatement(reader) && !atEnd(reader) ? parseStatement(reader) : undefined;
    return reader.close<LabelledStatement>(mark, {
      kind: 'LabelledStatement',
      label: name,
      statement,
    });
  }
  if (!reader.is('[', '=')) {
    reader.report("':', '[', '=' or '('");
    skipStatement(reader);
    return reader.close<UnreadStatement>(mark, { kind: 'UnreadStatement' });
  }
  const index = parseIndex(reader);
  const value = parseAssigned(reader);
  return reader.close<AssignStatement>(mark, { kind: 'AssignStatement', name, index, value });
}

/** Parses `= e;`; returns the expression. */
function parseAssigned(reader: TokenReader): ExpressionSyntax {
  reader.expect('=');
  const value = parseExpression(reader);
  endStatement(reader);
  return value;
}

function parseMemoryStatement(reader: TokenReader): MemoryStatement {
  const mark = reader.open();
  const address = parseMemory(reader);
  const value = parseAssigned(reader);
  return reader.close<MemoryStatement>(mark, { kind: 'MemoryStatement', address, value });
}

function parseAnnotated(reader: TokenReader): AnnotatedStatement {
  const mark = reader.open();
  const annotations = parseAnnotations(reader);
  const statement = parseStatement(reader);
  return reader.close<AnnotatedStatement>(mark, {
    kind: 'AnnotatedStatement',
    annotations,
    statement,
  });
}

function parseLocals(reader: TokenReader): LocalStatement {
  const mark = reader.open();
  reader.advance();
  const variables: LocalVariable[] = [];
  do {
    const inner = reader.open();
    const name = reader.name();
    const initial = reader.accept('=') ? parseExpression(reader) : undefined;
    variables.push(reader.close<LocalVariable>(inner, { kind: 'LocalVariable', name, initial }));
  } while (reader.accept(','));
  endStatement(reader);
  return reader.close<LocalStatement>(mark, { kind: 'LocalStatement', variables });
}

/** Parses `(condition)`; returns the condition. */
function parseCondition(reader: TokenReader): ConditionSyntax {
  reader.expect('(');
  const mark = reader.open();
  const expression = parseFreely(reader);
  const condition = reader.close<ConditionSyntax>(mark, { kind: 'Condition', expression });
  closeBracket(reader, ')');
  return condition;
}

function parseIf(reader: TokenReader): IfStatement {
  const mark = reader.open();
  reader.advance();
  const condition = parseCondition(reader);
  const then = reader.before('else', () => parseStatement(reader));
  const otherwise = reader.accept('else') ? parseStatement(reader) : undefined;
  return reader.close<IfStatement>(mark, {
    kind: 'IfStatement',
    condition,
    then,
    else: otherwise,
  });
}

function parseWhile(reader: TokenReader): WhileStatement {
  const mark = reader.open();
  reader.advance();
  const condition = parseCondition(reader);
  const body = parseStatement(reader);
  return reader.close<WhileStatement>(mark, { kind: 'WhileStatement', condition, body });
}

function parseDo(reader: TokenReader): DoStatement {
  const mark = reader.open();
  reader.advance();
  const body = parseStatement(reader);
  reader.expect('while');
  const condition = parseCondition(reader);
  endStatement(reader);
  return reader.close<DoStatement>(mark, { kind: 'DoStatement', body, condition });
}

function parseLoopOrAtomic(reader: TokenReader): LoopStatement | AtomicStatement {
  const mark = reader.open();
  const isLoop = reader.advance().kind === 'loop';
  const body = parseBlock(reader);
  return isLoop
    ? reader.close<LoopStatement>(mark, { kind: 'LoopStatement', body })
    : reader.close<AtomicStatement>(mark, { kind: 'AtomicStatement', body });
}

function parseChoose(reader: TokenReader): ChooseStatement {
  const mark = reader.open();
  reader.advance();
  const branches: BlockSyntax[] = [];
  do branches.push(reader.before('or', () => parseBlock(reader)));
  while (reader.accept('or'));
  return reader.close<ChooseStatement>(mark, { kind: 'ChooseStatement', branches });
}

/** Parses `havoc r in e..e with e`, in both thread forms. */
export function parseHavoc(reader: TokenReader): {
  readonly register: Name;
  readonly low: ExpressionSyntax | undefined;
  readonly high: ExpressionSyntax | undefined;
  readonly condition: ExpressionSyntax | undefined;
} {
  reader.advance();
  const register = reader.name();
  let low: ExpressionSyntax | undefined;
  let high: ExpressionSyntax | undefined;
  if (reader.accept('in')) {
    low = parseExpression(reader);
    reader.expect('..');
    high = parseExpression(reader);
  }
  const condition = reader.accept('with') ? parseExpression(reader) : undefined;
  return { register, low, high, condition };
}
