import { parseAutomaton } from './parse-automaton.js';
import {
  closeBracket,
  parseArguments,
  parseExpression,
  parseFreely,
  parseNumber,
} from './parse-expression.js';
import { parseBlock } from './parse-statement.js';
import { atDeclaration, atEnd, seemsDeclaration, skipTo } from './recovery.js';
import type {
  Automaton,
  Base,
  Binder,
  CellsSyntax,
  ConstDeclaration,
  ConstDefinition,
  CopiesSyntax,
  DeclarationSyntax,
  DomainDeclaration,
  EventDeclaration,
  AwaitedPlace,
  EventInstance,
  EventsDeclaration,
  InstanceCount,
  InvariantDeclaration,
  ModelSyntax,
  ProcedureDeclaration,
  PropertyDeclaration,
  ThreadDeclaration,
  VarDeclaration,
  VariableSyntax,
} from './syntax.js';
import type { ExpressionSyntax } from './syntax-expressions.js';
import type { Name } from './syntax-node.js';
import type { BlockSyntax } from './syntax-statements.js';
import { startsLine } from './token.js';
import type { TokenReader } from './token-reader.js';

/** Parses the whole text. */
export function parseModel(reader: TokenReader): ModelSyntax {
  const mark = reader.open();
  const { token } = reader;
  let name: Name | undefined;
  if (reader.accept('program')) {
    name = reader.name();
    reader.accept(';');
  } else if (atDeclaration(reader)) {
    const end = { line: token.start.line, column: token.start.column + 1 };
    reader.complain(
      { start: token.offset, span: { start: token.start, end } },
      "expected 'program' and the program's name first",
      'start with: program NAME',
    );
  }
  const declarations: DeclarationSyntax[] = [];
  while (!reader.is('EOF')) {
    if (atDeclaration(reader)) declarations.push(parseDeclaration(reader));
    else {
      reader.report(
        "a declaration ('const', 'var', 'domain', 'thread', 'event', 'procedure', 'events', 'property' or 'invariant')",
      );
      reader.skip(1);
      reader.skipUntil(() => seemsDeclaration(reader));
    }
  }
  reader.advance();
  return reader.close<ModelSyntax>(mark, { kind: 'Model', name, declarations });
}

/** Parses a declaration; the caller has checked with `atDeclaration` that one starts here. */
function parseDeclaration(reader: TokenReader): DeclarationSyntax {
  reader.recover();
  switch (reader.token.kind) {
    case 'const':
      return parseConstants(reader);
    case 'var':
      return parseVariables(reader);
    case 'domain':
      return parseDomain(reader);
    case 'thread':
      return parseThread(reader);
    case 'property':
      return parseProperty(reader);
    case 'invariant':
      return parseInvariant(reader);
    case 'events':
      return parseEvents(reader);
    default:
      return parseHandler(reader);
  }
}

function parseConstants(reader: TokenReader): ConstDeclaration {
  const mark = reader.open();
  reader.advance();
  const constants: ConstDefinition[] = [];
  do {
    const inner = reader.open();
    const name = reader.name();
    reader.expect('=');
    const value = parseExpression(reader);
    constants.push(reader.close<ConstDefinition>(inner, { kind: 'ConstDefinition', name, value }));
  } while (reader.accept(','));
  reader.accept(';');
  return reader.close<ConstDeclaration>(mark, { kind: 'ConstDeclaration', constants });
}

function parseVariables(reader: TokenReader): VarDeclaration {
  const mark = reader.open();
  reader.advance();
  const variables: VariableSyntax[] = [];
  do variables.push(parseVariable(reader));
  while (reader.accept(','));
  reader.accept(';');
  return reader.close<VarDeclaration>(mark, { kind: 'VarDeclaration', variables });
}

function parseVariable(reader: TokenReader): VariableSyntax {
  const mark = reader.open();
  // `plain` may also be the name of the variable.
  const isPlain = reader.is('plain') && reader.isName(1);
  if (isPlain) reader.advance();
  const name = reader.name();
  let length: ExpressionSyntax | undefined;
  let isBoundless = false;
  if (reader.accept('[')) {
    length = parseFreely(reader);
    isBoundless = !length;
    closeBracket(reader, ']');
  }
  const base = reader.is('@') ? parseBase(reader) : undefined;
  let initial: ExpressionSyntax | undefined;
  let cells: CellsSyntax | undefined;
  if (reader.accept('=')) {
    if (reader.is('{')) cells = parseCells(reader);
    else initial = parseExpression(reader);
  }
  return reader.close<VariableSyntax>(mark, {
    ...{ kind: 'Variable', isPlain, name, isBoundless, length },
    ...{ base, initial, cells },
  });
}

function parseBase(reader: TokenReader): Base {
  const mark = reader.open();
  reader.advance();
  const isNegative = reader.accept('-');
  const number = parseNumber(reader);
  return reader.close<Base>(mark, { kind: 'Base', isNegative, number });
}

function parseCells(reader: TokenReader): CellsSyntax {
  const mark = reader.open();
  reader.advance();
  const values: ExpressionSyntax[] = [];
  while (!reader.is('}') && !atEnd(reader)) {
    values.push(parseExpression(reader));
    if (!reader.accept(',')) break;
  }
  if (!reader.expect('}')) {
    reader.skipUntil(() => reader.is('}', ';') || atEnd(reader));
    reader.accept('}');
  }
  return reader.close<CellsSyntax>(mark, { kind: 'Cells', values });
}

function parseDomain(reader: TokenReader): DomainDeclaration {
  const mark = reader.open();
  reader.advance();
  const low = parseExpression(reader);
  reader.expect('..');
  const high = parseExpression(reader);
  reader.accept(';');
  return reader.close<DomainDeclaration>(mark, { kind: 'DomainDeclaration', low, high });
}

function parseThread(reader: TokenReader): ThreadDeclaration {
  const mark = reader.open();
  reader.advance();
  const name = reader.name();
  const copies = reader.is('[') ? parseCopies(reader) : undefined;
  const body = parseBody(reader);
  return reader.close<ThreadDeclaration>(mark, { kind: 'ThreadDeclaration', name, copies, body });
}

function parseCopies(reader: TokenReader): CopiesSyntax {
  const mark = reader.open();
  reader.advance();
  const count = parseFreely(reader);
  closeBracket(reader, ']');
  return reader.close<CopiesSyntax>(mark, { kind: 'Copies', count });
}

function parseBody(reader: TokenReader): Automaton | BlockSyntax {
  const atBody = (): boolean => reader.is('{', 'regs', 'init', 'begin');
  if (!atBody()) {
    reader.report("'regs', 'init', 'begin' or '{'");
    const isAlone = startsLine(reader.ahead(1)) && !reader.is('}', ';') && !atEnd(reader);
    if (!skipTo(reader, '{', 'regs', 'init', 'begin') && isAlone && !startsLine(reader.token))
      reader.skip(1);
  }
  return reader.is('regs', 'init', 'begin') ? parseAutomaton(reader) : parseBlock(reader);
}

function parseProperty(reader: TokenReader): PropertyDeclaration {
  const mark = reader.open();
  reader.advance();
  const name = reader.name();
  reader.expect(':');
  const quantifier = reader.name();
  reader.expect('(');
  const condition = parseExpression(reader);
  closeBracket(reader, ')');
  reader.accept(';');
  return reader.close<PropertyDeclaration>(mark, {
    ...{ kind: 'PropertyDeclaration', name, quantifier, condition },
  });
}

function parseInvariant(reader: TokenReader): InvariantDeclaration {
  const mark = reader.open();
  reader.advance();
  const name = reader.name();
  const binders: Binder[] = [];
  if (reader.accept('(')) {
    do {
      const inner = reader.open();
      const binder = reader.name();
      reader.expect(':');
      const thread = reader.name();
      binders.push(reader.close<Binder>(inner, { kind: 'Binder', name: binder, thread }));
    } while (reader.accept(','));
    closeBracket(reader, ')');
  }
  reader.expect(':');
  const conditions: ExpressionSyntax[] = [];
  do conditions.push(parseExpression(reader));
  while (reader.accept('==>'));
  reader.accept(';');
  return reader.close<InvariantDeclaration>(mark, {
    ...{ kind: 'InvariantDeclaration', name, binders, conditions },
  });
}

function parseHandler(reader: TokenReader): EventDeclaration | ProcedureDeclaration {
  const mark = reader.open();
  const isEvent = reader.advance().kind === 'event';
  const name = reader.name();
  reader.expect('(');
  const parameters: Name[] = [];
  if (!reader.is(')'))
    do parameters.push(reader.name());
    while (reader.accept(','));
  closeBracket(reader, ')');
  const body = parseBlock(reader);
  return isEvent
    ? reader.close<EventDeclaration>(mark, { kind: 'EventDeclaration', name, parameters, body })
    : reader.close<ProcedureDeclaration>(mark, {
        ...{ kind: 'ProcedureDeclaration', name, parameters, body },
      });
}

function parseEvents(reader: TokenReader): EventsDeclaration {
  const mark = reader.open();
  reader.advance();
  const instances: EventInstance[] = [];
  do {
    const inner = reader.open();
    const name = reader.name();
    const values = parseArguments(reader);
    const count = reader.is('*') ? parseInstanceCount(reader) : undefined;
    instances.push(
      reader.close<EventInstance>(inner, {
        ...{ kind: 'EventInstance', name, arguments: values, count, after: parseAfter(reader) },
      }),
    );
  } while (reader.accept(','));
  reader.accept(';');
  return reader.close<EventsDeclaration>(mark, { kind: 'EventsDeclaration', instances });
}

/** Parses `after name.label && name`; returns no places at another token. */
function parseAfter(reader: TokenReader): readonly AwaitedPlace[] {
  const places: AwaitedPlace[] = [];
  if (!reader.accept('after')) return places;
  do {
    const mark = reader.open();
    const body = reader.name();
    const label = reader.accept('.') ? reader.name() : undefined;
    places.push(reader.close<AwaitedPlace>(mark, { kind: 'AwaitedPlace', body, label }));
  } while (reader.accept('&&'));
  return places;
}

/**
 * Parses the number of instances after `*`: a number, a name, or nothing for any number. A keyword,
 * as `after` or `event`, is not read as the name, but starts the next part or declaration.
 */
function parseInstanceCount(reader: TokenReader): InstanceCount {
  const mark = reader.open();
  reader.advance();
  const isNegative = reader.accept('-');
  const value = reader.is('NAME')
    ? reader.name()
    : isNegative || reader.is('NUMBER')
      ? parseNumber(reader)
      : undefined;
  return reader.close<InstanceCount>(mark, { kind: 'InstanceCount', isNegative, value });
}
