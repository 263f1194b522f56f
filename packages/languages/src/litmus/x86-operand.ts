import { numberOf } from '@fencewright/ground/source/reading.js';
import { readingFailureOf, type Tokens } from '@fencewright/ground/source/tokens.js';
import type { LitmusReading } from './litmus-reading.js';
import {
  canonicalRegister,
  isNarrowRegister,
  registerWidth,
  type Width,
  type X86Architecture,
} from './x86-registers.js';

/** An operand of an instruction: a number, a register or a memory cell. */
export type X86Operand =
  | { readonly kind: 'immediate'; readonly value: number }
  | { readonly kind: 'register'; readonly name: string; readonly width: Width }
  /** The memory cell with this name. */
  | { readonly kind: 'cell'; readonly name: string }
  /** The memory cell whose address is in a register. */
  | { readonly kind: 'indirect'; readonly register: string; readonly width: Width };

export interface X86OperandContext {
  readonly reading: LitmusReading;
  readonly architecture: X86Architecture;
}

/**
 * Reads and returns an operand: `$1`, `1`, `EAX`, `%eax`, `$x`, `[x]`, `[EAX]`, `(x)`, `0(%rax)`,
 * `x(%rip)`. Throws `ReadingFailure`.
 */
export function readOperand(context: X86OperandContext, tokens: Tokens): X86Operand {
  const first = tokens.peek();
  if (tokens.accept('[')) return readAddress(context, tokens, ']');
  if (tokens.accept('(')) return readAddress(context, tokens, ')');
  if (first.kind === 'number' && tokens.peek(1).text === '(') return readDisplaced(context, tokens);
  if (tokens.isNext('$', '-') || first.kind === 'number') return readImmediate(context, tokens);
  const name = tokens.expectName('an operand', 'a register, a number like $1, or a cell like [x]');
  if (tokens.isNext('(')) {
    tokens.next();
    tokens.expect('%rip', 'only x(%rip) may follow a name');
    tokens.expect(')');
    return { kind: 'cell', name: name.text };
  }
  const register = canonicalRegister(context.architecture, name.text);
  if (register !== undefined)
    return { kind: 'register', name: register, width: registerWidth(name.text) };
  throw readingFailureOf(
    name,
    isNarrowRegister(name.text)
      ? 'registers of 8 and 16 bits are not supported'
      : 'no such register',
    isNarrowRegister(name.text)
      ? 'use the register of 32 bits'
      : "a cell is written '[x]' or '(x)'",
  );
}

function readImmediate({ reading }: X86OperandContext, tokens: Tokens): X86Operand {
  tokens.accept('$');
  const minus = tokens.accept('-');
  if (!minus && tokens.peek().kind === 'name')
    return { kind: 'immediate', value: reading.shared.addressOf(tokens.next().text) };
  if (tokens.peek().kind !== 'number') tokens.fail('a number is missing here');
  return { kind: 'immediate', value: numberOf(reading, tokens.next(), minus !== undefined) };
}

function readAddress(context: X86OperandContext, tokens: Tokens, close: string): X86Operand {
  const name = tokens.expectName('a location', 'a cell is named by a location or a register');
  if (!tokens.accept(close))
    tokens.fail(`only one name may stand in a cell; '${close}' is missing before this`);
  const register = canonicalRegister(context.architecture, name.text);
  if (register !== undefined)
    return { kind: 'indirect', register, width: registerWidth(name.text) };
  if (name.text.startsWith('%')) throw readingFailureOf(name, 'no such register');
  return { kind: 'cell', name: name.text };
}

/**
 * Reads and returns an operand such as `0(%rax)`; only the displacement 0 is supported. Throws
 * `ReadingFailure`.
 */
function readDisplaced(context: X86OperandContext, tokens: Tokens): X86Operand {
  const distance = tokens.next();
  if (Number(distance.text) !== 0)
    throw readingFailureOf(
      distance,
      'addresses with a displacement are not supported',
      'give each cell a name of its own',
    );
  tokens.next();
  return readAddress(context, tokens, ')');
}
