import { nearestName } from '@fencewright/ground/source/nearest-name.js';
import { readingFailureOf, type Token, type Tokens } from '@fencewright/ground/source/tokens.js';
import {
  type Arithmetic,
  type X86Condition,
  conditions,
  hints,
  ofOneOperand,
  ofTwoOperands,
} from '../x86/mnemonics.js';
import { type X86Operand, type X86OperandContext, readOperand } from './x86-operand.js';
import type { Width } from './x86-registers.js';

/**
 * An instruction, with its destination first whatever the notation. `locked`: with the prefix LOCK;
 * `width`: the number of bits given by a suffix.
 */
export type X86Instruction = { readonly width?: Width } & (
  | { readonly kind: 'nothing' }
  | { readonly kind: 'fence' }
  | { readonly kind: 'move'; readonly to: X86Operand; readonly from: X86Operand }
  | { readonly kind: 'exchange'; readonly to: X86Operand; readonly from: X86Operand }
  | {
      readonly kind: 'arithmetic';
      readonly operator: Arithmetic;
      readonly to: X86Operand;
      /** The source operand of the instruction; absent for instructions with one operand. */
      readonly from?: X86Operand;
      readonly locked: boolean;
    }
  | {
      readonly kind: 'compare';
      readonly operator: 'cmp' | 'test';
      readonly left: X86Operand;
      readonly right: X86Operand;
    }
  | {
      readonly kind: 'cmpxchg';
      readonly to: X86Operand;
      readonly from: X86Operand;
      readonly locked: boolean;
    }
  | {
      readonly kind: 'xadd';
      readonly to: X86Operand;
      readonly from: X86Operand;
      readonly locked: boolean;
    }
  /** A jump; without `condition`, always taken. */
  | { readonly kind: 'jump'; readonly target: Token; readonly condition?: X86Condition }
);

const others = ['mov', 'mfence', 'xchg', 'cmp', 'test', 'cmpxchg', 'xadd', 'jmp'];
const mnemonics: readonly string[] = [
  ...hints,
  ...ofOneOperand,
  ...ofTwoOperands,
  ...others,
  ...[...conditions.keys()].map((condition) => `j${condition}`),
];

/**
 * Returns the mnemonic without the size suffix. Throws `ReadingFailure` for unsupported
 * instructions.
 */
function baseOf(mnemonic: Token): string {
  const name = mnemonic.text.toLowerCase();
  if (mnemonics.includes(name)) return name;
  if (/^nop[lw]?$/.test(name)) return 'nop';
  const base = name.slice(0, -1);
  if (mnemonics.includes(base) && !base.startsWith('j') && !hints.includes(base)) {
    if (/[lq]$/.test(name)) return base;
    if (/[bw]$/.test(name))
      throw readingFailureOf(
        mnemonic,
        'accesses of 8 and 16 bits are not supported',
        'cells hold 32 bits here',
      );
  }
  const nearest = nearestName(name, mnemonics);
  throw readingFailureOf(
    mnemonic,
    'this instruction is not supported',
    nearest === undefined
      ? 'docs/formats.md lists the supported instructions'
      : `did you mean '${nearest}'?`,
  );
}

function suffixOf({ text }: Token, base: string): { readonly width?: Width } {
  if (text.length === base.length || base === 'nop') return {};
  return { width: /q$/i.test(text) ? 64 : 32 };
}

/** Reads and returns an instruction. Throws `ReadingFailure`. */
export function readInstruction(context: X86OperandContext, tokens: Tokens): X86Instruction {
  const lock = /^lock$/i.test(tokens.peek().text) ? tokens.next() : undefined;
  const mnemonic = tokens.expectName('an instruction');
  const base = baseOf(mnemonic);
  const instruction = readAfter(context, tokens, mnemonic, base, lock !== undefined);
  if (!tokens.isAtEnd) tokens.fail('the instruction should end here');
  if (lock && !mayBeLocked(instruction))
    throw readingFailureOf(
      lock,
      `'${base}' cannot be locked`,
      'LOCK needs a read-modify-write of a memory cell',
    );
  return { ...instruction, ...suffixOf(mnemonic, base) };
}

function mayBeLocked(instruction: X86Instruction): boolean {
  switch (instruction.kind) {
    case 'exchange':
      return [instruction.to, instruction.from].some(isMemory);
    case 'arithmetic':
    case 'cmpxchg':
    case 'xadd':
      return isMemory(instruction.to);
    case 'nothing':
    case 'fence':
    case 'move':
    case 'compare':
    case 'jump':
      return false;
  }
}

export function isMemory(operand: X86Operand): boolean {
  return operand.kind === 'cell' || operand.kind === 'indirect';
}

function readAfter(
  context: X86OperandContext,
  tokens: Tokens,
  mnemonic: Token,
  base: string,
  locked: boolean,
): X86Instruction {
  if (base === 'nop') {
    // The operands only lengthen the instruction.
    while (!tokens.isAtEnd) tokens.next();
    return { kind: 'nothing' };
  }
  if (hints.includes(base)) return { kind: 'nothing' };
  if (base === 'mfence') return { kind: 'fence' };
  if (base === 'jmp') return { kind: 'jump', target: readTarget(tokens) };
  const condition = conditions.get(base.slice(1));
  if (base.startsWith('j') && condition)
    return { kind: 'jump', target: readTarget(tokens), condition };
  const operator = base as Arithmetic;
  if (ofOneOperand.includes(base)) {
    const to = readDestination(context, tokens, mnemonic);
    return { kind: 'arithmetic', operator, to, locked };
  }
  const pair = readPair(context, tokens, mnemonic);
  // The source of `cmpxchg` and `xadd` is a register: herd writes both destination first in X86_64,
  // too.
  const isTurned = ['cmpxchg', 'xadd'].includes(base) && isMemory(pair[1]);
  const [to, from] = isTurned ? [pair[1], pair[0]] : pair;
  if (base === 'cmp' || base === 'test')
    return { kind: 'compare', operator: base, left: to, right: from };
  mustBePlace(to, mnemonic);
  if (base === 'mov') return { kind: 'move', to, from };
  if (ofTwoOperands.includes(base)) return { kind: 'arithmetic', operator, to, from, locked };
  mustBePlace(from, mnemonic);
  if (base === 'xchg') return { kind: 'exchange', to, from };
  if (from.kind !== 'register') throw readingFailureOf(mnemonic, 'the source has to be a register');
  return base === 'xadd'
    ? { kind: 'xadd', to, from, locked }
    : { kind: 'cmpxchg', to, from, locked };
}

function readTarget(tokens: Tokens): Token {
  return tokens.expectName('a label');
}

function readDestination(context: X86OperandContext, tokens: Tokens, mnemonic: Token): X86Operand {
  const to = readOperand(context, tokens);
  mustBePlace(to, mnemonic);
  return to;
}

/** Reads two operands; returns the destination first, whatever the notation. */
function readPair(
  context: X86OperandContext,
  tokens: Tokens,
  mnemonic: Token,
): readonly [to: X86Operand, from: X86Operand] {
  const first = readOperand(context, tokens);
  tokens.expect(',', 'this instruction has two operands');
  const second = readOperand(context, tokens);
  if (isMemory(first) && isMemory(second))
    throw readingFailureOf(
      mnemonic,
      'one instruction cannot have two memory cells',
      'load one of the cells into a register first',
    );
  return context.architecture === 'X86' ? [first, second] : [second, first];
}

function mustBePlace(operand: X86Operand, mnemonic: Token): void {
  if (operand.kind === 'immediate')
    throw readingFailureOf(
      mnemonic,
      'the destination cannot be a number',
      'the destination comes first in X86 and last in X86_64',
    );
}
