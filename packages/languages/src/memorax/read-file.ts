import {
  duplicateName,
  outsideDomain,
  syntaxError,
} from '@fencewright/ground/source/diagnostic.js';
import { attempt, numberOf, type Reading } from '@fencewright/ground/source/reading.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { tokenPattern, Tokens } from '@fencewright/ground/source/tokens.js';
import { readStatements } from './read-statements.js';
import type {
  DomainBounds,
  MemoraxDeclaration,
  ForbiddenState,
  Label,
  MemoraxFile,
  Process,
} from './syntax.js';

/** The maximum number of copies of a process; a larger number is a mistake. */
const mostCopies = 64;

const pattern = tokenPattern(/\$?[A-Za-z_]\w*/);

/** Returns the text with blanks in place of comments and the byte order mark; no offset changes. */
export function withoutComments(text: string): string {
  return text
    .replace(/^\uFEFF/, ' ')
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, (comment) => comment.replace(/[^\r\n]/g, ' '));
}

/**
 * Reads the sections of a text without comments, and returns the parts of the file. All errors go
 * into `reading`.
 */
export function readMemorax(reading: Reading, bare: string): MemoraxFile {
  const tokens = new Tokens(bare, { start: 0, end: bare.length }, reading.index, pattern);
  const forbidden = attempt(reading, () => readForbidden(tokens)) ?? [];
  skipTo(tokens, 'predicates', 'data', 'process');
  // Predicates only help another engine.
  if (tokens.accept('predicates')) skipTo(tokens, 'data', 'process');
  const data = tokens.accept('data') ? readDeclarations(reading, tokens, false) : [];
  const processes: Process[] = [];
  while (!tokens.isAtEnd) {
    const process = attempt(reading, () => readProcess(reading, tokens));
    if (process) processes.push(process);
    else skipTo(tokens, 'process');
  }
  const { span } = tokens.peek();
  if (processes.length === 0)
    reading.errors.error(() =>
      syntaxError(span, 'there is no process', "write 'process text ...' for each process"),
    );
  return { forbidden, data, processes };
}

function skipTo(tokens: Tokens, ...words: readonly string[]): void {
  while (!tokens.isAtEnd && !tokens.isNext(...words)) tokens.next();
}

function readForbidden(tokens: Tokens): readonly ForbiddenState[] {
  tokens.expect('forbidden', 'a file starts with the labels that may not be reached together');
  const states: ForbiddenState[] = [];
  do {
    const first = tokens.peek();
    const labels: (Label | undefined)[] = [];
    while (!tokens.isNext('data', 'process', 'predicates', ';') && !tokens.isAtEnd) {
      const star = tokens.accept('*');
      if (star) labels.push(undefined);
      else {
        const { text: name, span } = tokens.expectName("a label or '*'");
        labels.push({ name, span });
      }
    }
    if (labels.length > 0) states.push({ labels, span: tokens.spanFrom(first) });
  } while (tokens.accept(';'));
  return states;
}

function readProcess(reading: Reading, tokens: Tokens): Process {
  const { span } = tokens.expect('process');
  const copies = tokens.accept('(') ? readCopies(reading, tokens) : 1;
  const data: MemoraxDeclaration[] = [];
  const registers: MemoraxDeclaration[] = [];
  for (
    let word = tokens.accept('data', 'registers');
    word;
    word = tokens.accept('data', 'registers')
  )
    if (word.text === 'data') data.push(...readDeclarations(reading, tokens, false));
    else registers.push(...readDeclarations(reading, tokens, true));
  tokens.expect('text', 'the statements of a process follow the word text');
  const body = readStatements(reading, tokens);
  if (!tokens.isAtEnd && !tokens.isNext('process'))
    tokens.fail("';' is missing before this", "statements are separated by ';'");
  return { copies, span, data, registers, body };
}

function readCopies(reading: Reading, tokens: Tokens): number {
  const token = tokens.peek();
  if (token.kind !== 'number') tokens.fail('a number of processes is missing here');
  const copies = numberOf(reading, tokens.next());
  tokens.expect(')');
  if (copies >= 1 && copies <= mostCopies) return copies;
  reading.errors.error(() =>
    syntaxError(token.span, `there can be 1 to ${mostCopies} copies of a process`),
  );
  return 1;
}

/**
 * Reads and returns declarations up to the first word that cannot start one; names of registers
 * start with `$`.
 */
function readDeclarations(
  reading: Reading,
  tokens: Tokens,
  ofRegisters: boolean,
): readonly MemoraxDeclaration[] {
  const declared = new Map<string, Span>();
  const declarations: MemoraxDeclaration[] = [];
  while (tokens.peek().kind === 'name' && tokens.peek(1).text === '=') {
    const declaration = attempt(reading, () => readDeclaration(reading, tokens, ofRegisters));
    if (!declaration) {
      while (
        !tokens.isAtEnd &&
        tokens.peek(1).text !== '=' &&
        !tokens.isNext('process', 'text', 'registers', 'data')
      )
        tokens.next();
      continue;
    }
    const { name, span } = declaration;
    const first = declared.get(name);
    const what = ofRegisters ? 'register' : 'location';
    if (first) reading.errors.error(() => duplicateName(span, what, name, first));
    else declarations.push(declaration);
    declared.set(name, span);
  }
  return declarations;
}

function readDeclaration(
  reading: Reading,
  tokens: Tokens,
  ofRegisters: boolean,
): MemoraxDeclaration {
  const { text: name, span } = tokens.next();
  tokens.next();
  const star = tokens.accept('*');
  const initial = star ? undefined : readInteger(reading, tokens);
  const bounds = tokens.accept(':') ? readBounds(reading, tokens) : undefined;
  if (ofRegisters !== name.startsWith('$'))
    reading.errors.error(() =>
      syntaxError(
        span,
        ofRegisters ? `'${name}' is not a register` : `'${name}' is not a location`,
        'the names of registers, and no others, start with $',
      ),
    );
  if (initial !== undefined && bounds && (initial < bounds.low || initial > bounds.high))
    reading.errors.error(() => outsideDomain(span, initial, bounds.low, bounds.high));
  return {
    name,
    span,
    ...(initial !== undefined && { initial }),
    ...(bounds && { bounds }),
  };
}

/** Reads and returns bounds of values, `[0:3]`; `undefined` for `Z`, all integers. */
function readBounds(reading: Reading, tokens: Tokens): DomainBounds | undefined {
  if (tokens.accept('Z')) return undefined;
  const first = tokens.expect('[', "a domain is written '[0:3]' or 'Z'");
  const low = readInteger(reading, tokens);
  tokens.expect(':');
  const high = readInteger(reading, tokens);
  tokens.expect(']');
  if (high >= low) return { low, high };
  reading.errors.error(() => syntaxError(tokens.spanFrom(first), 'this domain is empty'));
  return undefined;
}

function readInteger(reading: Reading, tokens: Tokens): number {
  const minus = tokens.accept('-');
  if (tokens.peek().kind !== 'number') tokens.fail('a number is missing here');
  return numberOf(reading, tokens.next(), minus !== undefined);
}
