import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { AccessKind } from '@fencewright/model/program/program.js';
import type { Tokens } from '@fencewright/ground/source/tokens.js';
import { expectCount, expectSigil, hasMark, skipBrackets } from './ir-tokens.js';
import {
  isTypeNext,
  readType,
  readTyped,
  readIrValue,
  readAttributes,
  readElementFlags,
  skipAttributes,
} from './read-values.js';
import type { IrOperation, IrType, IrValue, Typed } from './syntax.js';
import { nonTemporalStore } from './unsupported.js';

const binaries = new Set('add sub mul udiv sdiv urem srem shl lshr ashr and or xor'.split(' '));
const casts = new Set('trunc zext sext ptrtoint inttoptr bitcast freeze'.split(' '));

const floats = new Set('fadd fsub fmul fdiv'.split(' '));
const floatCasts = new Set('sitofp uitofp fptosi fptoui fptrunc fpext'.split(' '));

/**
 * The operations of an instruction, read from its name on: one operation, and a jump after the call
 * of `invoke`. Throws `ReadingFailure`.
 */
export function readOperations(tokens: Tokens): readonly IrOperation[] {
  return tokens.accept('invoke') ? readInvoke(tokens) : [readOperation(tokens)];
}

/**
 * Reads and returns one operation; `unknown` for an unknown name, and then the rest of the line is
 * not read. Throws `ReadingFailure`.
 */
function readOperation(tokens: Tokens): IrOperation {
  const name = tokens.expectName('an instruction').text;
  if (binaries.has(name)) return readBinary(tokens, name);
  if (casts.has(name)) return readCast(tokens, name);
  if (floats.has(name)) return readFloat(tokens, name);
  if (floatCasts.has(name)) return readFloatCast(tokens, name);
  switch (name) {
    case 'icmp':
      return readCompare(tokens);
    case 'fcmp':
      return readFloatCompare(tokens);
    case 'fneg':
      return readNegation(tokens);
    case 'alloca':
      return readAlloca(tokens);
    case 'load':
      return readLoad(tokens);
    case 'store':
      return readStore(tokens);
    case 'cmpxchg':
      return readExchangeIf(tokens);
    case 'atomicrmw':
      return readModify(tokens);
    case 'fence':
      return readFence(tokens);
    case 'getelementptr':
      return readElement(tokens);
    case 'tail':
    case 'notail':
    case 'musttail':
      tokens.expect('call');
      return readCall(tokens);
    case 'call':
      return readCall(tokens);
    case 'phi':
      return readPhi(tokens);
    case 'select':
      return readSelect(tokens);
    case 'extractvalue':
      return readExtract(tokens);
    case 'insertvalue':
      return readInsert(tokens);
    case 'br':
      return readBranch(tokens);
    case 'switch':
      return readSwitch(tokens);
    case 'ret':
      return readReturn(tokens);
    case 'unreachable':
      return { kind: 'unreachable' };
    case 'landingpad':
      return readLanding(tokens);
    case 'resume':
      return { kind: 'resume', exception: readTyped(tokens) };
    default:
      return { kind: 'unknown', name };
  }
}

function readPair(tokens: Tokens): { type: IrType; left: IrValue; right: IrValue } {
  const { type, value } = readTyped(tokens);
  tokens.expect(',');
  return { type, left: value, right: readIrValue(tokens) };
}

function readBinary(tokens: Tokens, operation: string): IrOperation {
  let isSignedOnly = false;
  for (let flag; (flag = tokens.accept('nuw', 'nsw', 'exact', 'disjoint'));)
    isSignedOnly ||= flag.text === 'nsw';
  return { kind: 'binary', operation, isSignedOnly, ...readPair(tokens) };
}

function readCompare(tokens: Tokens): IrOperation {
  tokens.accept('samesign');
  const relation = tokens.expectName('a relation').text;
  return { kind: 'compare', relation, ...readPair(tokens) };
}

function readCast(tokens: Tokens, operation: string): IrOperation {
  while (tokens.accept('nuw', 'nsw', 'nneg')) continue;
  const from = readTyped(tokens);
  if (operation === 'freeze') return { kind: 'cast', operation, from, to: from.type };
  tokens.expect('to');
  return { kind: 'cast', operation, from, to: readType(tokens) };
}

/**
 * Reads the flags of an operation on floating-point numbers. Returns whether the operation has one
 * result only; with `fast` and flags like it, compilers may round in several ways.
 */
function isPrecise(tokens: Tokens): boolean {
  // `nnan` and `ninf` change no result that is defined.
  while (tokens.accept('nnan', 'ninf')) continue;
  return !/^(?:fast|nsz|arcp|contract|afn|reassoc)$/.test(tokens.peek().text);
}

function readFloat(tokens: Tokens, operation: string): IrOperation {
  if (!isPrecise(tokens)) return { kind: 'unknown', name: operation };
  const { type, left, right } = readPair(tokens);
  const operands = [left, right].map((value) => ({ type, value }));
  return { kind: 'float', operation, operands, to: type };
}

function readFloatCompare(tokens: Tokens): IrOperation {
  if (!isPrecise(tokens)) return { kind: 'unknown', name: 'fcmp' };
  const relation = tokens.expectName('a relation').text;
  const { type, left, right } = readPair(tokens);
  const operands = [left, right].map((value) => ({ type, value }));
  return { kind: 'float', operation: 'fcmp', relation, operands, to: { kind: 'int', bits: 1 } };
}

function readNegation(tokens: Tokens): IrOperation {
  if (!isPrecise(tokens)) return { kind: 'unknown', name: 'fneg' };
  const operand = readTyped(tokens);
  return { kind: 'float', operation: 'fneg', operands: [operand], to: operand.type };
}

function readFloatCast(tokens: Tokens, operation: string): IrOperation {
  tokens.accept('nneg');
  const from = readTyped(tokens);
  tokens.expect('to');
  return { kind: 'float', operation, operands: [from], to: readType(tokens) };
}

function readAlloca(tokens: Tokens): IrOperation {
  while (tokens.accept('inalloca', 'swifterror')) continue;
  const type = readType(tokens);
  let count: Typed | undefined;
  let alignment: number | undefined;
  while (tokens.accept(','))
    if (isTypeNext(tokens)) count = readTyped(tokens);
    else if (tokens.accept('align')) alignment = expectCount(tokens);
    else break;
  return {
    ...{ kind: 'alloca', type },
    ...(count && { count }),
    ...(alignment !== undefined && { alignment }),
  };
}

/** The access kind from the flags of a load or store. */
function readAccessKind(tokens: Tokens): AccessKind {
  let access: AccessKind = 'plain';
  for (let flag; (flag = tokens.accept('atomic', 'volatile'));)
    if (flag.text === 'atomic') access = 'atomic';
    else if (access === 'plain') access = 'volatile';
  return access;
}

function readLoad(tokens: Tokens): IrOperation {
  const access = readAccessKind(tokens);
  const type = readType(tokens);
  tokens.expect(',');
  const address = readTyped(tokens).value;
  const order = orderOfAccess(tokens, access);
  return { kind: 'load', type, address, access, ...order, ...readAlignment(tokens) };
}

const orders: Readonly<Record<string, MemoryOrder>> = {
  unordered: 'relaxed',
  monotonic: 'relaxed',
  acquire: 'acquire',
  release: 'release',
  acq_rel: 'acq_rel',
  seq_cst: 'seq_cst',
};

/** The ordering of an atomic access, in C11's words; a scope before the ordering is skipped. */
function readOrder(tokens: Tokens): MemoryOrder {
  if (tokens.accept('syncscope')) skipBrackets(tokens);
  return orders[tokens.expectName('an ordering').text] ?? 'seq_cst';
}

function orderOfAccess(tokens: Tokens, access: AccessKind): { order?: MemoryOrder } {
  return access === 'atomic' ? { order: readOrder(tokens) } : {};
}

/** The alignment that follows an access, in bytes. */
function readAlignment(tokens: Tokens): { alignment?: number } {
  if (!tokens.isNext(',') || tokens.peek(1).text !== 'align') return {};
  tokens.expect(',');
  tokens.expect('align');
  return { alignment: expectCount(tokens) };
}

function readStore(tokens: Tokens): IrOperation {
  const access = readAccessKind(tokens);
  const from = readTyped(tokens);
  tokens.expect(',');
  const address = readTyped(tokens).value;
  const order = orderOfAccess(tokens, access);
  const alignment = readAlignment(tokens);
  if (hasMark(tokens, '!nontemporal')) return { kind: 'unknown', name: nonTemporalStore };
  return { kind: 'store', from, address, access, ...order, ...alignment };
}

function readExchangeIf(tokens: Tokens): IrOperation {
  const isWeak = tokens.accept('weak') !== undefined;
  tokens.accept('volatile');
  const address = readTyped(tokens).value;
  tokens.expect(',');
  const expected = readTyped(tokens);
  tokens.expect(',');
  const desired = readTyped(tokens).value;
  const order = readOrder(tokens);
  const failureOrder = readOrder(tokens);
  const weak = { ...(isWeak && ({ isWeak } as const)), ...readAlignment(tokens) };
  return { kind: 'exchange-if', address, expected, desired, order, failureOrder, ...weak };
}

function readModify(tokens: Tokens): IrOperation {
  tokens.accept('volatile');
  const operation = tokens.expectName('an operation').text;
  const address = readTyped(tokens).value;
  tokens.expect(',');
  const operand = readTyped(tokens);
  const order = readOrder(tokens);
  return { kind: 'modify', operation, address, operand, order, ...readAlignment(tokens) };
}

function readFence(tokens: Tokens): IrOperation {
  const isOfThread = tokens.isNext('syncscope') && tokens.peek(2).text === '"singlethread"';
  const order = readOrder(tokens);
  return isOfThread || order === 'relaxed' ? { kind: 'fence' } : { kind: 'fence', order };
}

function readElement(tokens: Tokens): IrOperation {
  const isInBounds = readElementFlags(tokens);
  const source = readType(tokens);
  const operands: Typed[] = [];
  while (tokens.accept(',') && !tokens.peek().text.startsWith('!'))
    operands.push(readTyped(tokens));
  return { kind: 'element', source, operands, isInBounds };
}

function readCall(tokens: Tokens): IrOperation {
  skipAttributes(tokens);
  const returns = readType(tokens);
  const fixed = tokens.isNext('(') ? readFixed(tokens) : undefined;
  if (tokens.accept('asm')) return readAssembly(tokens, returns);
  const callee = readIrValue(tokens);
  tokens.expect('(');
  const operands = readArguments(tokens);
  return { kind: 'call', returns, callee, operands, ...(fixed !== undefined && { fixed }) };
}

/**
 * Takes the parameters of a function type; returns the number of parameters before `...`, if any.
 */
function readFixed(tokens: Tokens): number | undefined {
  let count = 0;
  let isVariadic = false;
  tokens.expect('(');
  while (!tokens.accept(')')) {
    if (tokens.accept('...')) isVariadic = true;
    else {
      readType(tokens);
      count += 1;
    }
    if (!tokens.isNext(')')) tokens.expect(',');
  }
  return isVariadic ? count : undefined;
}

function readInvoke(tokens: Tokens): readonly IrOperation[] {
  const call = readCall(tokens);
  while (!tokens.accept('to')) tokens.next();
  const to = readLabel(tokens);
  tokens.expect('unwind');
  const unwind = readLabel(tokens);
  return [call.kind === 'call' ? { ...call, unwind } : call, { kind: 'jump', to }];
}

function readLanding(tokens: Tokens): IrOperation {
  readType(tokens);
  const isCleanup = tokens.accept('cleanup') !== undefined;
  const clauses: { kind: 'catch' | 'filter'; value: IrValue }[] = [];
  for (let word; (word = tokens.accept('catch', 'filter'));) {
    const kind = word.text === 'catch' ? 'catch' : 'filter';
    clauses.push({ kind, value: readTyped(tokens).value });
  }
  return { kind: 'landing', isCleanup, clauses };
}

function readAssembly(tokens: Tokens, returns: IrType): IrOperation {
  let isIntel = false;
  for (let mark; (mark = tokens.accept('sideeffect', 'alignstack', 'inteldialect', 'unwind'));)
    isIntel ||= mark.text === 'inteldialect';
  const text = tokens.next().text.slice(1, -1);
  tokens.expect(',');
  const constraints = tokens.next().text.slice(1, -1);
  tokens.expect('(');
  const operands: Typed[] = [];
  const pointees: (IrType | undefined)[] = [];
  while (!tokens.accept(')')) {
    const type = readType(tokens);
    pointees.push(readAttributes(tokens).pointee);
    operands.push({ type, value: readIrValue(tokens) });
    if (!tokens.isNext(')')) tokens.expect(',');
  }
  const callee = { kind: 'assembly', text, constraints, pointees, isIntel } as const;
  return { kind: 'call', returns, callee, operands };
}

/** The arguments up to `)`, without metadata. */
function readArguments(tokens: Tokens): readonly Typed[] {
  const operands: Typed[] = [];
  while (!tokens.accept(')')) {
    if (tokens.accept('metadata')) skipMetadata(tokens);
    else operands.push(readArgument(tokens));
    if (!tokens.isNext(')')) tokens.expect(',');
  }
  return operands;
}

function readArgument(tokens: Tokens): Typed {
  const type = readType(tokens);
  const { byValue } = readAttributes(tokens);
  return { type, value: readIrValue(tokens), ...(byValue && { byValue }) };
}

function skipMetadata(tokens: Tokens): void {
  if (isTypeNext(tokens)) readTyped(tokens);
  else tokens.next();
  if (tokens.isNext('(')) skipBrackets(tokens);
}

function readPhi(tokens: Tokens): IrOperation {
  const type = readType(tokens);
  const choices: { value: IrValue; from: string }[] = [];
  do {
    if (!tokens.accept('[')) break;
    const value = readIrValue(tokens);
    tokens.expect(',');
    choices.push({ value, from: expectSigil(tokens, '%', 'a label') });
    tokens.expect(']');
  } while (tokens.accept(','));
  return { kind: 'phi', type, choices };
}

function readSelect(tokens: Tokens): IrOperation {
  const condition = readTyped(tokens).value;
  tokens.expect(',');
  const { type, value: then } = readTyped(tokens);
  tokens.expect(',');
  return { kind: 'select', condition, type, then, otherwise: readTyped(tokens).value };
}

function readExtract(tokens: Tokens): IrOperation {
  const from = readTyped(tokens);
  tokens.expect(',');
  return { kind: 'extract', from, index: expectCount(tokens) };
}

function readInsert(tokens: Tokens): IrOperation {
  const into = readTyped(tokens);
  tokens.expect(',');
  const element = readTyped(tokens);
  tokens.expect(',');
  return { kind: 'insert', into, element, index: expectCount(tokens) };
}

function readLabel(tokens: Tokens): string {
  tokens.expect('label');
  return expectSigil(tokens, '%', 'a label');
}

function readBranch(tokens: Tokens): IrOperation {
  if (tokens.isNext('label')) return { kind: 'jump', to: readLabel(tokens) };
  const condition = readTyped(tokens).value;
  tokens.expect(',');
  const then = readLabel(tokens);
  tokens.expect(',');
  return { kind: 'branch', condition, then, otherwise: readLabel(tokens) };
}

function readSwitch(tokens: Tokens): IrOperation {
  const on = readTyped(tokens);
  tokens.expect(',');
  const otherwise = readLabel(tokens);
  const cases: { value: IrValue; to: string }[] = [];
  tokens.expect('[');
  while (!tokens.accept(']')) {
    const { value } = readTyped(tokens);
    tokens.expect(',');
    cases.push({ value, to: readLabel(tokens) });
  }
  return { kind: 'switch', on, otherwise, cases };
}

function readReturn(tokens: Tokens): IrOperation {
  if (tokens.accept('void')) return { kind: 'return' };
  return { kind: 'return', value: readTyped(tokens) };
}
