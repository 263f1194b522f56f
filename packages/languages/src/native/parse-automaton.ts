import {
  parseAnnotations,
  parseCall,
  parseExpression,
  parseIndex,
  parseMemory,
} from './parse-expression.js';
import { reservedPlainWords } from './plain-instructions.js';
import { parseHavoc, parseOrder } from './parse-statement.js';
import { atEnd, seemsLabel } from './recovery.js';
import type { Automaton, LabelledInstruction } from './syntax.js';
import type {
  AssignInstruction,
  CallInstruction,
  ConditionInstruction,
  HavocInstruction,
  InstructionSyntax,
  MemoryInstruction,
  PlainInstruction,
} from './syntax-instructions.js';
import type { Name } from './syntax-node.js';
import type { NodeStart, TokenReader } from './token-reader.js';

/** Parses a thread in the automaton form, from `regs`, `init` or `begin`. */
export function parseAutomaton(reader: TokenReader): Automaton {
  const mark = reader.open();
  const first = reader.token;
  const registers: Name[] = [];
  if (reader.accept('regs'))
    while (reader.isName()) {
      registers.push(reader.name());
      reader.accept(',');
    }
  const initial = reader.accept('init') ? reader.name() : undefined;
  if (!reader.expect('begin')) {
    reader.skipUntil(() => atBody(reader));
    reader.accept('begin');
  } else if (!initial && !reader.isLost) {
    reader.complain(
      { start: first.offset, span: { start: first.start, end: firstUnit(first.start) } },
      "expected 'init' and a label before 'begin'",
      'say where the thread starts: init l0 begin',
    );
  }
  const instructions: LabelledInstruction[] = [];
  while (!atAutomatonEnd(reader)) {
    if (reader.isName()) instructions.push(parseLabelled(reader));
    else {
      reader.report("a label or 'end'");
      if (reader.is(':')) instructions.push(parseLabelled(reader));
      else skipLabelled(reader);
    }
  }
  if (!reader.accept('end')) reader.report("a label or 'end'");
  return reader.close<Automaton>(mark, { kind: 'Automaton', registers, initial, instructions });
}

function firstUnit({ line, column }: { readonly line: number; readonly column: number }) {
  return { line, column: column + 1 };
}

function atBody(reader: TokenReader): boolean {
  return reader.is('begin') || seemsLabel(reader) || atAutomatonEnd(reader);
}

/** Whether the thread ends at the next token, an `end` that is no label. */
function atAutomatonEnd(reader: TokenReader): boolean {
  return atEnd(reader) || (reader.is('end') && !seemsLabel(reader));
}

/** Skips to the instruction's `;` or `goto`, or to the next label, whichever comes first. */
function skipInstruction(reader: TokenReader): void {
  reader.skipUntil(() => reader.is(';', 'goto') || atAutomatonEnd(reader) || seemsLabel(reader));
}

/** Skips to the next label, which ends unreadable text. */
function skipLabelled(reader: TokenReader): void {
  reader.skip(1);
  skipInstruction(reader);
  reader.accept(';');
  if (!reader.is('goto')) return;
  reader.skip(1);
  skipInstruction(reader);
  reader.accept(';');
}

function parseLabelled(reader: TokenReader): LabelledInstruction {
  const mark = reader.open();
  const label = reader.name();
  reader.expect(':');
  const annotations = parseAnnotations(reader);
  const instruction = parseInstruction(reader);
  endInstruction(reader);
  let target: Name | undefined;
  if (!seemsLabel(reader) || reader.is('goto')) {
    reader.expect('goto');
    target = reader.name();
    endInstruction(reader);
  } else {
    reader.report("'goto'");
    target = reader.missingName();
  }
  return reader.close<LabelledInstruction>(mark, {
    kind: 'LabelledInstruction',
    label,
    annotations,
    instruction,
    target,
  });
}

/** Parses the `;` after an instruction or a jump. */
function endInstruction(reader: TokenReader): void {
  if (reader.accept(';')) return;
  const isOnlyMissing = reader.is('goto') || atAutomatonEnd(reader) || seemsLabel(reader);
  reader.report("';'", { damages: !isOnlyMissing });
  skipInstruction(reader);
  reader.accept(';');
}

/** Parses an instruction; `undefined` after an error. */
function parseInstruction(reader: TokenReader): InstructionSyntax | undefined {
  const mark = reader.open();
  switch (reader.token.kind) {
    case 'mem': {
      const address = parseMemory(reader);
      const value = parseAssigned(reader, "'<-' or '←'");
      return reader.close<MemoryInstruction>(mark, { kind: 'MemoryInstruction', address, value });
    }
    case 'assert':
    case 'assume':
    case 'check': {
      const keyword = reader.advance().kind as ConditionInstruction['keyword'];
      const condition = parseExpression(reader);
      return reader.close<ConditionInstruction>(mark, {
        kind: 'ConditionInstruction',
        keyword,
        condition,
      });
    }
    case 'havoc':
      return reader.close<HavocInstruction>(mark, {
        kind: 'HavocInstruction',
        ...parseHavoc(reader),
      });
    default:
      if (isPlain(reader)) {
        const keyword = reader.advance().kind as PlainInstruction['keyword'];
        const order = keyword === 'fence' ? parseOrder(reader) : undefined;
        return reader.close<PlainInstruction>(mark, { kind: 'PlainInstruction', keyword, order });
      }
      if (reader.isName()) return parseNamed(reader, mark);
      reader.report('an instruction');
      reader.abandon(mark);
      skipInstruction(reader);
      return undefined;
  }
}

/**
 * Whether the next token is an instruction of one word; `lock` and `unlock` may also be names of
 * variables.
 */
function isPlain(reader: TokenReader): boolean {
  return reader.is('lock', 'unlock')
    ? !['[', '<-', '←', '('].includes(reader.ahead(1).kind)
    : reader.is(...reservedPlainWords);
}

function parseNamed(reader: TokenReader, mark: NodeStart): InstructionSyntax | undefined {
  if (reader.ahead(1).kind === '(') {
    const inner = reader.open();
    const call = parseCall(reader, inner, reader.name());
    return reader.close<CallInstruction>(mark, { kind: 'CallInstruction', call });
  }
  const name = reader.name();
  const index = parseIndex(reader);
  const expected = index ? "'<-' or '←'" : "'[', '<-', '←' or '('";
  const value = parseAssigned(reader, expected);
  return reader.close<AssignInstruction>(mark, { kind: 'AssignInstruction', name, index, value });
}

/** Parses `<- e`; returns the expression. */
function parseAssigned(reader: TokenReader, expected: string) {
  if (!reader.accept('<-') && !reader.accept('←')) {
    reader.report(expected);
    skipInstruction(reader);
  }
  return parseExpression(reader);
}
