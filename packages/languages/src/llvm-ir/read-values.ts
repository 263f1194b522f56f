import type { Tokens } from '@fencewright/ground/source/tokens.js';
import { expectCount, valueName, skipBrackets } from './ir-tokens.js';
import type { IrType, IrValue, Typed } from './syntax.js';

const pointer: IrType = { kind: 'pointer' };

/** Whether the next token may start a type. */
export function isTypeNext(tokens: Tokens): boolean {
  const { kind, text } = tokens.peek();
  if (kind === 'symbol') return text === '[' || text === '{' || text === '<';
  if (kind !== 'name') return false;
  return (
    text.startsWith('%') || /^(?:i[0-9]+|ptr|void|half|float|double|x86_fp80|fp128)$/.test(text)
  );
}

/** Takes a type. Throws `ReadingFailure`. */
export function readType(tokens: Tokens): IrType {
  return tokens.nest(() => {
    const token = tokens.peek();
    if (token.kind === 'symbol') {
      if (token.text === '[') return readSequence(tokens, ']');
      if (token.text === '{') return readStruct(tokens, false);
      if (token.text === '<') return readAngled(tokens);
    }
    if (token.kind !== 'name') tokens.fail('a type is missing here');
    tokens.next();
    const { text } = token;
    if (text.startsWith('%')) return { kind: 'named', name: valueName(token) };
    if (/^i[0-9]+$/.test(text)) return { kind: 'int', bits: Number(text.slice(1)) };
    if (text === 'void') return { kind: 'void' };
    if (text !== 'ptr') return { kind: 'other', text };
    if (tokens.accept('addrspace')) skipBrackets(tokens);
    return pointer;
  });
}

function readSequence(tokens: Tokens, end: string): IrType {
  tokens.next();
  const length = expectCount(tokens);
  tokens.expect('x');
  const element = readType(tokens);
  tokens.expect(end);
  return { kind: 'array', length, element };
}

function readAngled(tokens: Tokens): IrType {
  if (tokens.peek(1).text !== '{') {
    readSequence(tokens, '>');
    return { kind: 'other', text: 'vector' };
  }
  tokens.next();
  const type = readStruct(tokens, true);
  tokens.expect('>');
  return type;
}

function readStruct(tokens: Tokens, isPacked: boolean): IrType {
  tokens.expect('{');
  const fields: IrType[] = [];
  while (!tokens.accept('}')) {
    fields.push(readType(tokens));
    if (!tokens.isNext('}')) tokens.expect(',');
  }
  return { kind: 'struct', fields, isPacked };
}

/** The attributes of a value or parameter that matter to the model. */
interface Attributes {
  /** The pointee type of a `byval` parameter. */
  readonly byValue?: IrType;
  /**
   * The type of `elementtype`: the type of the memory to which a pointer operand of assembly
   * points.
   */
  readonly pointee?: IrType;
}

/** Takes attributes of parameters, flags and linkages: words before a type or a value. */
export function readAttributes(tokens: Tokens): Attributes {
  let found: Attributes = {};
  for (;;) {
    const { kind, text } = tokens.peek();
    const isAttribute = kind === 'name' && /^(?:[a-z_]+|#[0-9]+)$/.test(text);
    if (!isAttribute || isTypeNext(tokens) || isValueWord(text)) return found;
    tokens.next();
    if (text === 'align' || text === 'dereferenceable') {
      if (tokens.peek().kind === 'number') tokens.next();
    }
    if (!tokens.isNext('(')) continue;
    if (text === 'byval' || text === 'elementtype') {
      tokens.next();
      const type = readType(tokens);
      found = { ...found, ...(text === 'byval' ? { byValue: type } : { pointee: type }) };
      tokens.expect(')');
    } else skipBrackets(tokens);
  }
}

export function skipAttributes(tokens: Tokens): void {
  readAttributes(tokens);
}

const casts = ['inttoptr', 'ptrtoint', 'bitcast', 'trunc', 'zext', 'sext', 'addrspacecast'];
const operations = ['add', 'sub', 'mul', 'and', 'or', 'xor', 'shl', 'lshr', 'ashr'];
const valueWords = ['true', 'false', 'null', 'undef', 'poison', 'zeroinitializer', 'none'];

function isValueWord(text: string): boolean {
  return [
    ...valueWords,
    ...casts,
    ...operations,
    'getelementptr',
    'asm',
    'icmp',
    'blockaddress',
  ].includes(text);
}

/** Takes a type and a value with the attributes between them. Throws `ReadingFailure`. */
export function readTyped(tokens: Tokens): Typed {
  const type = readType(tokens);
  skipAttributes(tokens);
  return { type, value: readIrValue(tokens) };
}

/** Takes a value. Throws `ReadingFailure`. */
export function readIrValue(tokens: Tokens): IrValue {
  return tokens.nest(() => {
    const token = tokens.peek();
    const { kind, text } = token;
    if (kind === 'symbol') return readAggregate(tokens);
    if (kind === 'end') tokens.fail('a value is missing here');
    tokens.next();
    if (kind === 'string') return { kind: 'bytes', bytes: bytesOf(text.slice(2, -1)) };
    if (kind === 'number')
      return /^-?[0-9]+$/.test(text)
        ? { kind: 'integer', value: BigInt(text) }
        : { kind: 'other', text };
    if (text.startsWith('%')) return { kind: 'local', name: valueName(token) };
    if (text.startsWith('@')) return { kind: 'global', name: valueName(token) };
    return readWord(tokens, text);
  });
}

function readWord(tokens: Tokens, text: string): IrValue {
  switch (text) {
    case 'true':
      return { kind: 'integer', value: 1n };
    case 'false':
      return { kind: 'integer', value: 0n };
    case 'null':
      return { kind: 'null' };
    case 'undef':
    case 'poison':
      return { kind: 'undefined' };
    case 'zeroinitializer':
      return { kind: 'zero' };
    case 'getelementptr':
      return readElement(tokens);
    default:
      if (casts.includes(text)) return readCast(tokens, text);
      if (operations.includes(text)) return readOperation(tokens, text);
      if (text === 'icmp') return readCompare(tokens);
      if (tokens.isNext('(')) skipBrackets(tokens);
      return { kind: 'other', text };
  }
}

/** Takes the flags of `getelementptr` and returns whether `inbounds` is present. */
export function readElementFlags(tokens: Tokens): boolean {
  let isInBounds = false;
  for (; tokens.isNext('inbounds', 'nuw', 'nusw'); tokens.next())
    isInBounds ||= tokens.isNext('inbounds');
  if (tokens.accept('inrange') && tokens.isNext('(')) skipBrackets(tokens);
  return isInBounds;
}

function readElement(tokens: Tokens): IrValue {
  readElementFlags(tokens);
  tokens.expect('(');
  const source = readType(tokens);
  tokens.expect(',');
  const operands = readList(tokens, ')');
  return { kind: 'element', source, operands };
}

/** Takes typed values up to and including `end`. */
function readList(tokens: Tokens, end: string): readonly Typed[] {
  const operands: Typed[] = [];
  while (!tokens.accept(end)) {
    tokens.accept('inrange');
    operands.push(readTyped(tokens));
    if (!tokens.isNext(end)) tokens.expect(',');
  }
  return operands;
}

function readCast(tokens: Tokens, operation: string): IrValue {
  tokens.expect('(');
  const from = readTyped(tokens);
  tokens.expect('to');
  readType(tokens);
  tokens.expect(')');
  return { kind: 'cast', operation, from };
}

function readOperation(tokens: Tokens, operation: string): IrValue {
  skipAttributes(tokens);
  tokens.expect('(');
  const [left, right] = readList(tokens, ')');
  if (!left || !right) tokens.fail('an operand is missing here');
  return { kind: 'binary', operation, left, right };
}

function readCompare(tokens: Tokens): IrValue {
  const relation = tokens.next().text;
  tokens.expect('(');
  const [left, right] = readList(tokens, ')');
  if (!left || !right) tokens.fail('an operand is missing here');
  return { kind: 'compare', relation, left, right };
}

function readAggregate(tokens: Tokens): IrValue {
  const isPacked = tokens.isNext('<');
  if (isPacked) tokens.next();
  const open = tokens.accept('[', '{') ?? tokens.fail('a value is missing here');
  const elements = readList(tokens, open.text === '[' ? ']' : '}');
  if (isPacked) tokens.expect('>');
  return { kind: 'aggregate', elements };
}

/** The bytes of a string of the IR; `\41` is a single byte. */
function bytesOf(text: string): readonly number[] {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\' && /^[0-9A-Fa-f]{2}/.test(text.slice(i + 1, i + 3))) {
      bytes.push(Number.parseInt(text.slice(i + 1, i + 3), 16));
      i += 2;
    } else {
      if (text[i] === '\\') i += 1;
      bytes.push(...new TextEncoder().encode(text[i]));
    }
  }
  return bytes;
}
