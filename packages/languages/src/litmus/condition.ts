import { countOf } from '@fencewright/ground/base/number-words.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Property, StateExpression, Thread } from '@fencewright/model/program/program.js';
import { unknownName } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { readIndex, readInitialValue, readThreadPrefix } from './initial-state.js';
import { attempt } from '@fencewright/ground/source/reading.js';
import { assemblerTokens, type LitmusReading } from './litmus-reading.js';
import {
  type TextRange,
  ReadingFailure,
  type Token,
  Tokens,
} from '@fencewright/ground/source/tokens.js';

/**
 * The condition of a litmus test as read. The names in the condition are looked up later, when the
 * threads are known.
 */
type LitmusCondition =
  | { readonly kind: 'truth'; readonly value: boolean }
  | {
      readonly kind: 'register';
      readonly thread: number;
      readonly name: string;
      readonly span: Span;
      readonly operator: '==' | '!=';
      readonly value: number;
    }
  | {
      readonly kind: 'memory';
      readonly address: number;
      readonly operator: '==' | '!=';
      readonly value: number;
    }
  | { readonly kind: 'not'; readonly operand: LitmusCondition }
  | {
      readonly kind: '&&' | '||';
      readonly left: LitmusCondition;
      readonly right: LitmusCondition;
    };

/** A final condition. `not-exists` is herd's `~exists`. */
interface FinalCondition {
  readonly quantifier: 'exists' | 'not-exists' | 'forall';
  readonly condition: LitmusCondition;
  readonly span: Span;
}

/**
 * The final condition, and the registers that a file names outside its code in `locations [...]`.
 */
export interface Final {
  readonly condition?: FinalCondition;
  readonly observed: readonly {
    readonly thread: number;
    readonly register: string;
    readonly span: Span;
  }[];
}

const form = "write 'exists (0:EAX=0 /\\ x=1)', with /\\ and \\/ and ~";

/**
 * Reads and returns `locations [...]` and the condition: `exists`, `~exists`, `forall`, or `final`
 * with the outcome in question.
 */
export function readFinal(reading: LitmusReading, text: string, range: TextRange): Final {
  const tokens = new Tokens(text, range, reading.index, assemblerTokens);
  const observed: { thread: number; register: string; span: Span }[] = [];
  let condition: FinalCondition | undefined;
  attempt(reading, () => {
    while (tokens.isNext('locations', 'filter', 'observed')) {
      const word = tokens.next().text;
      if (word === 'filter')
        tokens.fail(
          "'filter' is not supported",
          'remove the filter, or add its condition to the final condition',
        );
      readLocations(reading, tokens, observed);
    }
    if (tokens.isAtEnd) return;
    condition = readCondition(reading, tokens);
    tokens.accept(';');
    // `with tso: ~exists; ...`, a verdict of another tool, is ignored.
    if (!tokens.isAtEnd && !tokens.isNext('with'))
      tokens.fail('the condition should end here', form);
  });
  return { ...(condition && { condition }), observed };
}

function readLocations(
  reading: LitmusReading,
  tokens: Tokens,
  observed: { thread: number; register: string; span: Span }[],
): void {
  tokens.expect('[', "write 'locations [x; 0:EAX;]'");
  while (!tokens.accept(']')) {
    if (tokens.accept(';')) continue;
    const first = tokens.peek();
    const thread = readThreadPrefix(tokens);
    if (thread === undefined) {
      reading.shared.symbol(readMemory(tokens));
    } else {
      const register = tokens.expectName('the name of a register').text;
      observed.push({ thread, register, span: tokens.spanFrom(first) });
    }
    if (!tokens.isNext(';', ']')) tokens.fail("']' is missing here");
  }
}

function readQuantifier(tokens: Tokens): FinalCondition['quantifier'] {
  if (tokens.accept('~')) {
    tokens.expect('exists', form);
    return 'not-exists';
  }
  if (tokens.accept('exists', 'final')) return 'exists';
  if (tokens.accept('forall')) return 'forall';
  return tokens.fail('a condition is missing here', form);
}

function readCondition(reading: LitmusReading, tokens: Tokens): FinalCondition {
  const first: Token = tokens.peek();
  const quantifier = readQuantifier(tokens);
  const condition = readOr(reading, tokens);
  return { quantifier, condition, span: tokens.spanFrom(first) };
}

function readOr(reading: LitmusReading, tokens: Tokens): LitmusCondition {
  let left = readAnd(reading, tokens);
  for (let n = 0; tokens.accept('\\/', '||'); n++) {
    tokens.limit(n);
    left = { kind: '||', left, right: readAnd(reading, tokens) };
  }
  return left;
}

function readAnd(reading: LitmusReading, tokens: Tokens): LitmusCondition {
  let left = readNot(reading, tokens);
  for (let n = 0; tokens.accept('/\\', '&&'); n++) {
    tokens.limit(n);
    left = { kind: '&&', left, right: readNot(reading, tokens) };
  }
  return left;
}

function readNot(reading: LitmusReading, tokens: Tokens): LitmusCondition {
  return tokens.nest(() => readNotHere(reading, tokens));
}

function readNotHere(reading: LitmusReading, tokens: Tokens): LitmusCondition {
  if (tokens.accept('~', 'not', '!')) return { kind: 'not', operand: readNot(reading, tokens) };
  if (tokens.accept('(')) {
    const inner = readOr(reading, tokens);
    tokens.expect(')', form);
    return inner;
  }
  if (tokens.accept('true')) return { kind: 'truth', value: true };
  if (tokens.accept('false')) return { kind: 'truth', value: false };
  return readAtom(reading, tokens);
}

function readMemory(tokens: Tokens): string {
  const isBracketed = tokens.accept('[');
  tokens.accept('*');
  const { text } = tokens.expectName('the name of a location', form);
  if (isBracketed) tokens.expect(']', form);
  return text;
}

/** Returns the address of a location of a condition, after `[1]` if the location is an array. */
function readAddress(reading: LitmusReading, tokens: Tokens, name: string): number {
  const { shared } = reading;
  const first = tokens.previous();
  const cells = shared.cellsOf(name);
  if (cells === undefined) return shared.addressOf(name);
  const index = readIndex(reading, tokens);
  if (index < cells) return shared.addressOf(name) + index;
  throw new ReadingFailure(
    tokens.spanFrom(first),
    `'${name}' has ${countOf(cells, 'cell')}`,
    'the first cell has the number 0',
  );
}

function readAtom(reading: LitmusReading, tokens: Tokens): LitmusCondition {
  const first = tokens.peek();
  const thread = readThreadPrefix(tokens);
  const name = thread === undefined ? readMemory(tokens) : tokens.expectName('a register').text;
  const address = thread === undefined ? readAddress(reading, tokens, name) : 0;
  const span = tokens.spanFrom(first);
  const operator = tokens.accept('!=', '<>') ? '!=' : '==';
  if (operator === '==' && !tokens.accept('=', '==')) tokens.fail("'=' is missing here", form);
  const { value } = readInitialValue(reading, tokens);
  if (thread === undefined) return { kind: 'memory', address, operator, value };
  return { kind: 'register', thread, name, span, operator, value };
}

/**
 * Returns the registers of a thread that the file mentions after the code; `thread` is the number
 * in the thread's name.
 */
export function mentionedRegisters(
  final: Final,
  thread: number,
): readonly { readonly register: string; readonly span: Span }[] {
  const observed = final.observed.filter((entry) => entry.thread === thread);
  const asked = final.condition ? registersIn(final.condition.condition) : [];
  return [
    ...observed,
    ...asked
      .filter((atom) => atom.thread === thread)
      .map(({ name, span }) => ({ register: name, span })),
  ];
}

function registersIn(
  condition: LitmusCondition,
): readonly Extract<LitmusCondition, { kind: 'register' }>[] {
  switch (condition.kind) {
    case 'register':
      return [condition];
    case 'not':
      return registersIn(condition.operand);
    case '&&':
    case '||':
      return [...registersIn(condition.left), ...registersIn(condition.right)];
    case 'truth':
    case 'memory':
      return [];
    default:
      return unreachable(condition);
  }
}

/** Finds the threads and registers that a condition names. */
interface RegisterLookup {
  readonly threads: readonly Thread[];
  /**
   * Returns the index of the thread to which the file gives the number; `undefined` if there is
   * none.
   */
  readonly threadOf: (number: number) => number | undefined;
  /** Returns the canonical name of a register, for any of its spellings. */
  readonly canonical: (name: string) => string;
}

function toExpression(
  reading: LitmusReading,
  lookup: RegisterLookup,
  condition: LitmusCondition,
): StateExpression {
  switch (condition.kind) {
    case 'truth':
      return { kind: 'constant', value: condition.value ? 1 : 0 };
    case 'not':
      return {
        kind: 'unary',
        operator: '!',
        operand: toExpression(reading, lookup, condition.operand),
      };
    case '&&':
    case '||':
      return {
        kind: 'binary',
        operator: condition.kind,
        left: toExpression(reading, lookup, condition.left),
        right: toExpression(reading, lookup, condition.right),
      };
    case 'memory': {
      const { address } = condition;
      return compare({ kind: 'memory', address }, condition.operator, condition.value);
    }
    case 'register':
      return compare(registerOf(reading, lookup, condition), condition.operator, condition.value);
    default:
      return unreachable(condition);
  }
}

function compare(left: StateExpression, operator: '==' | '!=', value: number): StateExpression {
  return { kind: 'binary', operator, left, right: { kind: 'constant', value } };
}

function registerOf(
  { errors }: LitmusReading,
  { threads, threadOf, canonical }: RegisterLookup,
  { thread, name, span }: Extract<LitmusCondition, { kind: 'register' }>,
): StateExpression {
  const id = threadOf(thread);
  if (id === undefined) {
    const candidates = threads.map((known) => known.name);
    errors.error(() => unknownName(span, 'thread', `P${thread}`, candidates));
    return { kind: 'constant', value: 0 };
  }
  const registers = threads[id]?.registers ?? [];
  const register = registers.findIndex((known) => known.name === canonical(name));
  if (register >= 0) return { kind: 'register', thread: id, register };
  const candidates = registers.filter(({ hidden }) => !hidden).map((known) => known.name);
  errors.error(() => unknownName(span, 'register', name, candidates));
  return { kind: 'constant', value: 0 };
}

/**
 * Returns the property for a final condition: `exists` means the same as in the native language;
 * `~exists` and `forall` concern all final states.
 */
export function toProperty(
  reading: LitmusReading,
  lookup: RegisterLookup,
  { quantifier, condition, span }: FinalCondition,
): Property {
  const expression = toExpression(reading, lookup, condition);
  return {
    name: 'condition',
    kind: quantifier === 'exists' ? 'exists' : 'finally',
    condition:
      quantifier === 'not-exists'
        ? { kind: 'unary', operator: '!', operand: expression }
        : expression,
    span,
  };
}
