import type { Span } from '@fencewright/ground/source/span.js';
import { attempt, numberOf } from '@fencewright/ground/source/reading.js';
import { assemblerTokens, type LitmusReading } from './litmus-reading.js';
import type { TextRange } from '@fencewright/ground/source/tokens.js';
import { ReadingFailure, Tokens } from '@fencewright/ground/source/tokens.js';

/** A register of a thread with its initial value. */
export interface InitialRegister {
  readonly thread: number;
  readonly register: string;
  readonly value: number;
  /** The name whose address is the value, if given by name. */
  readonly address?: string;
  readonly span: Span;
}

const form = "write 'x=1;', 'x=y;' (an address), or '0:EAX=1;'";

/**
 * Reads the initial state between the braces: `x=1; [x]=1; 0:EAX=1; P1:r=y; int x = 1;`. Memory is
 * recorded in `reading.shared`; the registers are returned.
 */
export function readInitialState(
  reading: LitmusReading,
  text: string,
  range: TextRange,
): readonly InitialRegister[] {
  const tokens = new Tokens(text, range, reading.index, assemblerTokens);
  const registers: InitialRegister[] = [];
  while (!tokens.isAtEnd) {
    if (tokens.accept(';', ',')) continue;
    const read = attempt(reading, () => {
      readEntry(reading, tokens, registers);
      return true;
    });
    // After an error, reading continues with the next entry.
    if (!read) while (!tokens.isAtEnd && !tokens.accept(';')) tokens.next();
  }
  return registers;
}

function readEntry(reading: LitmusReading, tokens: Tokens, registers: InitialRegister[]): void {
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
  reading.shared.symbol(name);
  if (tokens.isNext('['))
    throw new ReadingFailure(
      tokens.peek().span,
      'arrays are not supported',
      'give each cell a name of its own',
    );
  if (tokens.accept('=')) reading.shared.setInitial(name, readInitialValue(reading, tokens).value);
  expectEnd(tokens);
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
