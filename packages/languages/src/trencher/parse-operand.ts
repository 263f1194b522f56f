import type { ErrorList } from '@fencewright/ground/source/error-list.js';
import { quote } from '@fencewright/ground/source/quote.js';
import type {
  BinaryOperator,
  Expression,
  UnaryOperator,
} from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import {
  notSupported,
  numberTooLarge,
  syntaxError,
  wrongOperand,
} from '@fencewright/ground/source/diagnostic.js';
import type { Token } from '@fencewright/ground/source/tokens.js';
import type { LineTokens } from './line-tokens.js';

/** The binary operators of the format; `&` is bitwise. */
const binaryOperators = [
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  '&&',
  '||',
  '+',
  '-',
  '*',
  '&',
] as const satisfies readonly BinaryOperator[];

/**
 * The maximum depth of an expression. Deeper expressions are refused, since the passes over
 * expressions are recursive, and programs in practice have no such expressions.
 */
const maxDepth = 500;

/**
 * The data for reading an operand besides the words of the line: registers, shared cells and
 * errors.
 */
export interface OperandContext {
  readonly tokens: LineTokens;
  readonly errors: ErrorList;
  /** Returns the id of the register named `name`, declared at its first occurrence. */
  readonly registerOf: (name: string) => RegisterId;
}

/** The form of an instruction, for messages: its keyword, and its operands in words. */
interface InstructionForm {
  readonly keyword: Token;
  readonly usage: string;
}

function isBinaryOperator(text: string): text is BinaryOperator {
  return (binaryOperators as readonly string[]).includes(text);
}

function isInteger(text: string): boolean {
  return /^[+-]?[0-9]+$/.test(text);
}

/** Reads and returns the register operand of an instruction; `undefined` after a reported error. */
export function parseRegister(
  context: OperandContext,
  form: InstructionForm,
): RegisterId | undefined {
  const { tokens, errors } = context;
  const token = tokens.nextIfAny();
  if (!token) {
    reportMissing(errors, form, 'REGISTER');
    return undefined;
  }
  if (isInteger(token.text) || isBinaryOperator(token.text)) {
    errors.error(() =>
      wrongOperand(
        token.span,
        `${quote(token.text)} is not a register`,
        `the form is: ${form.usage}`,
      ),
    );
    return undefined;
  }
  if (!checkName(token, errors)) return undefined;
  return context.registerOf(token.text);
}

/**
 * Reads and returns the operand `role` of an instruction, an expression; `undefined` after a
 * reported error.
 */
export function parseOperandExpression(
  context: OperandContext,
  form: InstructionForm,
  role: string,
): Expression | undefined {
  const { tokens, errors } = context;
  if (tokens.isAtEnd) {
    reportMissing(errors, form, role);
    return undefined;
  }
  return parseTerm(context, 0);
}

/**
 * Reads and returns an expression, of which at least one word is left; `undefined` after a reported
 * error.
 */
function parseTerm(context: OperandContext, depth: number): Expression | undefined {
  const { tokens, errors } = context;
  const token = tokens.nextIfAny();
  if (!token) return undefined;
  const { text, span } = token;
  if (depth > maxDepth) {
    errors.error(() =>
      notSupported(
        span,
        `this expression is nested deeper than ${maxDepth} operators`,
        "compute it in several 'local' instructions",
      ),
    );
    return undefined;
  }
  if (isInteger(text)) return parseInteger(token, errors);
  if (text === '!') {
    const operator: UnaryOperator = '!';
    const operand = parseOperandOf(context, token, 'operand', depth);
    return operand && { kind: 'unary', operator, operand };
  }
  if (isBinaryOperator(text)) {
    const left = parseOperandOf(context, token, 'left operand', depth);
    if (!left) return undefined;
    const right = parseOperandOf(context, token, 'right operand', depth);
    return right && { kind: 'binary', operator: text, left, right };
  }
  if (!checkName(token, errors)) return undefined;
  return { kind: 'register', register: context.registerOf(text) };
}

function parseOperandOf(
  context: OperandContext,
  operator: Token,
  role: string,
  depth: number,
): Expression | undefined {
  if (!context.tokens.isAtEnd) return parseTerm(context, depth + 1);
  const { text, span } = operator;
  context.errors.error(() =>
    syntaxError(
      span,
      `the ${role} of '${text}' is missing`,
      text === '!'
        ? 'operators stand before their operands: ! r'
        : `operators stand before their operands: ${text} r 1`,
    ),
  );
  return undefined;
}

function parseInteger(token: Token, errors: ErrorList): Expression | undefined {
  const value = Number(token.text);
  if (value < -2147483648 || value > 2147483647) {
    errors.error(() => numberTooLarge(token.span, quote(token.text).slice(1, -1)));
    return undefined;
  }
  // The sum turns -0 into 0.
  return { kind: 'constant', value: value + 0 };
}

const operatorStart = /^(?:[=!<>]=|&&|\|\||<<|>>|[=!<>&|+*/%^~-])/;
const numberStart = /^[+-]?[0-9]/;

/** Whether the word is read as a register, not as a number, an operator or a misspelling. */
export function isRegisterName(word: string): boolean {
  return !numberStart.test(word) && !operatorStart.test(word);
}

/** Whether the word can name a register; otherwise reports what the word seems to be. */
function checkName(token: Token, errors: ErrorList): boolean {
  const { text, span } = token;
  if (isRegisterName(text)) return true;
  errors.error(() => {
    if (numberStart.test(text))
      return syntaxError(
        span,
        `${quote(text)} is neither a decimal number nor a register`,
        'names of registers do not start with a digit',
      );
    const operator = operatorStart.exec(text)?.[0] ?? '';
    return text === operator
      ? syntaxError(
          span,
          `${quote(text)} is not an operator of this format`,
          `the operators are ! ${binaryOperators.join(' ')}`,
        )
      : syntaxError(
          span,
          `${quote(text)} is neither a number nor a register`,
          `put a blank after '${operator}' and write operators before their operands`,
        );
  });
  return false;
}

function reportMissing(errors: ErrorList, form: InstructionForm, role: string): void {
  errors.error(() =>
    syntaxError(
      form.keyword.span,
      `'${form.keyword.text}' lacks its ${role}`,
      `the form is: ${form.usage}`,
    ),
  );
}
