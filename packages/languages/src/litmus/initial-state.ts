import type { Span } from '@fencewright/ground/source/span.js';
import { attempt, numberOf } from '@fencewright/ground/source/reading.js';
import { assemblerTokens, type LitmusReading } from './litmus-reading.js';
import { type TextRange, ReadingFailure, Tokens } from '@fencewright/ground/source/tokens.js';

/** A register of a thread with its initial value. */
export interface InitialRegister {
  readonly thread: number;
  readonly register: string;
  readonly value: number;
  /**
   * The name of the variable whose address is the initial value; absent if the value is a number.
   */
  readonly address?: string;
  readonly span: Span;
}

const form = "write 'x=1;', 'x=y;' (an address), or '0:EAX=1;'";

/** The most cells of an array: addresses and conditions are listed cell by cell. */
const maxCells = 1024;

/**
 * Reads the initial state between the braces: `x=1; [x]=1; 0:EAX=1; P1:r=y; int x = 1;`, and with
 * `hasArrays` also `int y[2] = {0, 1};`. Memory is recorded in `reading.shared`; the registers are
 * returned.
 */
export function readInitialState(
  reading: LitmusReading,
  text: string,
  range: TextRange,
  { hasArrays = false }: { readonly hasArrays?: boolean } = {},
): readonly InitialRegister[] {
  const tokens = new Tokens(text, range, reading.index, assemblerTokens);
  const registers: InitialRegister[] = [];
  while (!tokens.isAtEnd) {
    if (tokens.accept(';', ',')) continue;
    const read = attempt(reading, () => {
      readEntry(reading, tokens, registers, hasArrays);
      return true;
    });
    // After an error, reading continues with the next entry.
    if (!read) while (!tokens.isAtEnd && !tokens.accept(';')) tokens.next();
  }
  return registers;
}

function readEntry(
  reading: LitmusReading,
  tokens: Tokens,
  registers: InitialRegister[],
  hasArrays: boolean,
): void {
  const first = tokens.peek();
  const thread = readThreadPrefix(tokens);
  if (thread !== undefined) {
    const register = tokens.expectName('the name of a register', form).text;
    const { value, address } = tokens.accept('=')
      ? readInitialValue(reading, tokens)
      : { value: 0, address: undefined };
    expectEnd(tokens);
    const named = address === undefined ? {} : { address };
    registers.push({ thread, register, value, ...named, span: tokens.spanFrom(first) });
    return;
  }
  const name = readMemoryName(tokens);
  if (tokens.isNext('[') && hasArrays) {
    readArray(reading, tokens, name);
    expectEnd(tokens);
    return;
  }
  reading.shared.symbol(name);
  if (tokens.isNext('['))
    throw new ReadingFailure(
      tokens.peek().span,
      'arrays are not supported',
      'give each cell a name of its own',
    );
  if (tokens.accept('=')) reading.shared.setInitial(name, readInitializer(reading, tokens));
  expectEnd(tokens);
}

/** Reads the length of an array, and its initial values: `[2] = {0, 1}`. */
function readArray(reading: LitmusReading, tokens: Tokens, name: string): void {
  const first = tokens.previous();
  const length = readIndex(reading, tokens);
  const values: number[] = [];
  if (tokens.accept('=')) {
    tokens.expect('{', "write 'int y[2] = {0, 1};'");
    while (!tokens.accept('}')) {
      values.push(readInitializer(reading, tokens));
      if (!tokens.accept(',') && !tokens.isNext('}')) tokens.fail("'}' is missing before this");
    }
  }
  const fail = (message: string, hint: string): never => {
    throw new ReadingFailure(tokens.spanFrom(first), message, hint);
  };
  if (length < 1 || length > maxCells)
    fail(`an array has 1 to ${maxCells} cells here`, 'write a smaller number');
  if (values.length > length) fail('there are more values than cells', 'remove a value');
  if (!reading.shared.declareArray(name, length, values))
    fail(`'${name}' is mentioned before this`, 'declare the array first');
}

/** Reads `[2]`, and returns the number. */
export function readIndex(reading: LitmusReading, tokens: Tokens): number {
  tokens.expect('[');
  if (tokens.peek().kind !== 'number') tokens.fail('a number is missing here');
  const index = numberOf(reading, tokens.next());
  tokens.expect(']');
  return index;
}

/**
 * Reads and returns the initial value of a location: also `ATOMIC_INIT(1)`, as the kernel has it.
 */
function readInitializer(reading: LitmusReading, tokens: Tokens): number {
  if (!tokens.accept('ATOMIC_INIT')) return readInitialValue(reading, tokens).value;
  tokens.expect('(', form);
  const { value } = readInitialValue(reading, tokens);
  tokens.expect(')', form);
  return value;
}

function expectEnd(tokens: Tokens): void {
  if (!tokens.isAtEnd && !tokens.isNext(';', ',')) tokens.fail("';' is missing before this", form);
}

/**
 * Reads the thread prefix `0:` or `P0:` and returns the number; `undefined`, with no token taken,
 * if there is no prefix.
 */
export function readThreadPrefix(tokens: Tokens): number | undefined {
  if (tokens.peek(1).text !== ':') return undefined;
  const { kind, text } = tokens.peek();
  const digits = kind === 'number' ? text : /^P([0-9]+)$/.exec(text)?.[1];
  if (digits === undefined) return undefined;
  tokens.next();
  tokens.next();
  return Number(digits);
}

/**
 * Reads and returns the name of a memory location: `x`, `[x]`, `*x`, or in C a type followed by one
 * of these forms.
 */
function readMemoryName(tokens: Tokens): string {
  if (tokens.accept('[')) {
    const { text } = tokens.expectName('the name of a location', form);
    tokens.expect(']');
    return text;
  }
  let name = tokens.accept('*')
    ? tokens.expectName('the name of a location', form)
    : tokens.expectName('the name of a location or a register', form);
  while (tokens.peek().kind === 'name' || tokens.isNext('*')) {
    if (tokens.accept('*')) continue;
    name = tokens.next();
  }
  return name.text;
}

/**
 * Reads and returns a value: a number, or a name whose address is the value (also written `&x`).
 */
export function readInitialValue(
  reading: LitmusReading,
  tokens: Tokens,
): { readonly value: number; readonly address?: string } {
  tokens.accept('$');
  const minus = tokens.accept('-');
  if (tokens.peek().kind === 'number')
    return { value: numberOf(reading, tokens.next(), minus !== undefined) };
  tokens.accept('&');
  const name = tokens.expectName('a value', 'give a number, or a name for its address').text;
  return { value: reading.shared.addressOf(name), address: name };
}
