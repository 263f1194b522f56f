import { quote } from '@fencewright/ground/source/quote.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import { syntaxError } from '@fencewright/ground/source/diagnostic.js';
import { nearestName } from '@fencewright/ground/source/nearest-name.js';
import type { Token } from '@fencewright/ground/source/tokens.js';
import { type OperandContext, parseOperandExpression, parseRegister } from './parse-operand.js';
import { instructionWords } from './words.js';

/**
 * A parser of an instruction whose keyword has been read; returns `undefined` after a reported
 * error.
 */
type InstructionParser = (context: OperandContext, keyword: Token) => Instruction | undefined;

function withoutOperands(instruction: Instruction): InstructionParser {
  return () => instruction;
}

function parseWrite(context: OperandContext, keyword: Token): Instruction | undefined {
  const form = { keyword, usage: 'write VALUE ADDRESS' };
  const value = parseOperandExpression(context, form, 'VALUE');
  const address = value && parseOperandExpression(context, form, 'ADDRESS');
  return address && { kind: 'store', address, value };
}

function parseRead(context: OperandContext, keyword: Token): Instruction | undefined {
  const form = { keyword, usage: 'read REGISTER ADDRESS' };
  const into = parseRegister(context, form);
  if (into === undefined) return undefined;
  const address = parseOperandExpression(context, form, 'ADDRESS');
  return address && { kind: 'load', into, address };
}

function parseLocal(context: OperandContext, keyword: Token): Instruction | undefined {
  const form = { keyword, usage: 'local REGISTER VALUE' };
  const into = parseRegister(context, form);
  if (into === undefined) return undefined;
  const value = parseOperandExpression(context, form, 'VALUE');
  return value && { kind: 'assign', into, value };
}

function parseCheck(context: OperandContext, keyword: Token): Instruction | undefined {
  const form = { keyword, usage: 'check CONDITION' };
  const condition = parseOperandExpression(context, form, 'CONDITION');
  return condition && { kind: 'assume', condition };
}

const parserOf: Readonly<Record<(typeof instructionWords)[number], InstructionParser>> = {
  write: parseWrite,
  read: parseRead,
  mfence: withoutOperands({ kind: 'fence' }),
  local: parseLocal,
  check: parseCheck,
  noop: withoutOperands({ kind: 'skip' }),
  lock: withoutOperands({ kind: 'lock' }),
  unlock: withoutOperands({ kind: 'unlock' }),
};

/**
 * Reads and returns the instruction that starts with `keyword`, up to the end of the line;
 * `undefined` after a reported error.
 */
export function parseInstruction(context: OperandContext, keyword: Token): Instruction | undefined {
  const { tokens, errors } = context;
  const word = instructionWords.find((one) => one === keyword.text);
  if (word === undefined) {
    errors.error(() => {
      const nearest = nearestName(keyword.text, instructionWords);
      return syntaxError(
        keyword.span,
        `unknown instruction ${quote(keyword.text)}`,
        nearest === undefined
          ? `the instructions are ${instructionWords.join(', ')}`
          : `did you mean '${nearest}'?`,
      );
    });
    return undefined;
  }
  const instruction = parserOf[word](context, keyword);
  const surplus = instruction && tokens.peekIfAny();
  if (!surplus) return instruction;
  errors.error(() =>
    syntaxError(
      tokens.spanFrom(surplus),
      `${quote(surplus.text)} stands after the end of '${keyword.text}'`,
      surplusHint(surplus),
    ),
  );
  return undefined;
}

/** Returns a hint about surplus words at the end of a line. */
export function surplusHint(surplus: Token): string {
  return surplus.text.startsWith('#')
    ? 'comments stand on lines of their own'
    : 'remove the rest of the line, or put the operator before its operands';
}
