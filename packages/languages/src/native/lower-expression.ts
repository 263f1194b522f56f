import { constantValue } from '@fencewright/model/program/evaluate.js';
import {
  constant,
  negate,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { type TermPolicy, brokenExpression, lowerCellAddress, lowerTerm } from './lower-term.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import { readAccess } from './read-access.js';
import { checkStoredValue, ordersOf, readRmw } from './read-rmw.js';
import { checkDomain, type ThreadScope } from './scope.js';
import type { StatementContext } from './structured-context.js';
import type { CallTerm, CellTerm, NativeTerm } from './term.js';
import type { DraftLocation } from '@fencewright/model/program/automaton-builder.js';

/** The point at which the next instruction of an expression's evaluation starts. */
export interface Cursor {
  point: DraftLocation;
}

/** Emits an instruction at the cursor, and moves the cursor past the instruction. */
export function emitAt(
  context: StatementContext,
  cursor: Cursor,
  instruction: Instruction,
  span: Span,
): void {
  const next = context.builder.location(span);
  context.builder.emit(cursor.point, next, instruction, span, context.marks);
  cursor.point = next;
}

/** Whether evaluating the term needs separate instructions, because the term reads memory. */
function readsMemory(term: NativeTerm, scope: ThreadScope): boolean {
  switch (term.kind) {
    case 'name':
      return isShared(term.name, scope) || (!!term.index && readsMemory(term.index, scope));
    case 'memory':
    case 'call':
      return true;
    case 'address-of':
      return !!term.cell.index && readsMemory(term.cell.index, scope);
    case 'unary':
      return readsMemory(term.operand, scope);
    case 'binary':
      return readsMemory(term.left, scope) || readsMemory(term.right, scope);
    case 'number':
    case 'every-index':
    case 'at':
    case 'member':
      return false;
    default:
      return unreachable(term);
  }
}

function isShared(name: string, scope: ThreadScope): boolean {
  return scope.shared.symbolIds.has(name) && !scope.registers.has(name);
}

/** Whether evaluating a condition needs branches, because C may not evaluate all its parts. */
function needsBranches(term: NativeTerm, scope: ThreadScope): boolean {
  if (term.kind === 'unary' && term.operator === '!') return needsBranches(term.operand, scope);
  return (
    term.kind === 'binary' &&
    (term.operator === '&&' || term.operator === '||') &&
    (readsMemory(term.right, scope) || needsBranches(term.left, scope))
  );
}

/**
 * Returns the rules for terms in the structured form: a shared variable is loaded where the term
 * names the variable, from left to right.
 */
function policyAt(context: StatementContext, cursor: Cursor): TermPolicy {
  const { scope, problems, hidden } = context;
  return {
    scope,
    problems,
    folds: true,
    allowsBareArrays: false,
    readCell: (address, term) => {
      const into = hidden.take();
      emitAt(context, cursor, { kind: 'load', into, address }, term.span);
      return registerValue(into);
    },
    readCall: (term) => {
      if (isLoad(term)) {
        const load = lowerLoad(context, term, cursor, () => hidden.take());
        if (!load) return brokenExpression;
        emitAt(context, cursor, load, term.span);
        return registerValue(load.into);
      }
      const call = lowerCall(context, term, cursor, () => hidden.take());
      if (call?.instruction.into === undefined) return brokenExpression;
      const next = context.builder.location(term.span);
      emitCall(context, call, { from: cursor.point, to: next, span: term.span });
      cursor.point = next;
      return registerValue(call.instruction.into);
    },
    lowerLogical: (term) =>
      readsMemory(term.right, scope) ? lowerTruthValue(context, term, cursor) : undefined,
  };
}

/**
 * Emits the instructions needed to evaluate the term, and returns an expression over registers
 * whose value is the value of the term.
 */
export function lowerValue(
  context: StatementContext,
  term: NativeTerm,
  cursor: Cursor,
): Expression {
  return lowerTerm(term, policyAt(context, cursor));
}

/**
 * Emits the branches of a condition and puts its value, 0 or 1, into a hidden register; returns
 * this register.
 */
function lowerTruthValue(context: StatementContext, term: NativeTerm, cursor: Cursor): Expression {
  const { builder, hidden } = context;
  const end = builder.location(term.span);
  const [whenTrue, whenFalse] = [builder.location(term.span), builder.location(term.span)];
  lowerCondition(context, term, cursor.point, whenTrue, whenFalse);
  const into = hidden.take();
  emitTruth(context, into, { whenTrue, whenFalse, end }, term.span);
  cursor.point = end;
  return registerValue(into);
}

function emitTruth(
  { builder, marks }: StatementContext,
  into: RegisterId,
  {
    whenTrue,
    whenFalse,
    end,
  }: { whenTrue: DraftLocation; whenFalse: DraftLocation; end: DraftLocation },
  span: Span,
): void {
  builder.emit(whenTrue, end, { kind: 'assign', into, value: constant(1) }, span, marks);
  builder.emit(whenFalse, end, { kind: 'assign', into, value: constant(0) }, span, marks);
}

/**
 * Emits the instructions that evaluate a condition, starting at `from`: loads, then a pair of
 * `assume` that lead to `whenTrue` and `whenFalse`.
 */
export function lowerCondition(
  context: StatementContext,
  term: NativeTerm,
  from: DraftLocation,
  whenTrue: DraftLocation,
  whenFalse: DraftLocation,
): void {
  const { builder, hidden, scope, marks } = context;
  if (!needsBranches(term, scope)) {
    hidden.during(() => {
      const cursor = { point: from };
      const value = lowerValue(context, term, cursor);
      if (value.kind === 'constant') {
        builder.jump(cursor.point, value.value === 0 ? whenFalse : whenTrue, term.span);
        return;
      }
      const opposite = negate(value);
      const condition = value.kind === 'unary' && value.operator === '!' ? negate(opposite) : value;
      builder.emit(cursor.point, whenTrue, { kind: 'assume', condition }, term.span, marks);
      builder.emit(
        cursor.point,
        whenFalse,
        { kind: 'assume', condition: opposite },
        term.span,
        marks,
      );
    });
  } else if (term.kind === 'unary') {
    lowerCondition(context, term.operand, from, whenFalse, whenTrue);
  } else if (term.kind === 'binary') {
    const middle = builder.location(term.right.span);
    if (term.operator === '&&') lowerCondition(context, term.left, from, middle, whenFalse);
    else lowerCondition(context, term.left, from, whenTrue, middle);
    lowerCondition(context, term.right, middle, whenTrue, whenFalse);
  }
}

/** Emits `into = term`, from `from` to `to`: a single load if the term is a shared variable. */
export function lowerIntoRegister(
  context: StatementContext,
  into: RegisterId,
  term: NativeTerm,
  {
    from,
    to,
    span,
  }: { readonly from: DraftLocation; readonly to: DraftLocation; readonly span: Span },
): void {
  const { builder, marks, scope } = context;
  const cursor = { point: from };
  if (term.kind === 'memory' || (term.kind === 'name' && isShared(term.name, scope))) {
    const address = lowerCellAddress(term, policyAt(context, cursor));
    builder.emit(cursor.point, to, { kind: 'load', into, address }, term.span, marks);
  } else if (isLoad(term)) {
    const load = lowerLoad(context, term, cursor, () => into);
    if (load) builder.emit(cursor.point, to, load, term.span, marks);
  } else if (term.kind === 'call') {
    const call = lowerCall(context, term, cursor, () => into);
    if (call) emitCall(context, call, { from: cursor.point, to, span });
  } else if (needsBranches(term, scope)) {
    const [whenTrue, whenFalse] = [builder.location(span), builder.location(span)];
    lowerCondition(context, term, from, whenTrue, whenFalse);
    emitTruth(context, into, { whenTrue, whenFalse, end: to }, span);
  } else {
    const value = lowerValue(context, term, cursor);
    builder.emit(cursor.point, to, { kind: 'assign', into, value }, span, marks);
  }
}

type LoadCall = CallTerm & { readonly name: 'load' };

function isLoad(term: NativeTerm): term is LoadCall {
  return term.kind === 'call' && term.name === 'load';
}

/**
 * Emits the loads for the address of `load(cell, order)`, and returns the load; `undefined` after a
 * reported error. `takeInto` returns the register for the result, and is called once the address is
 * evaluated.
 */
function lowerLoad(
  context: StatementContext,
  call: LoadCall,
  cursor: Cursor,
  takeInto: () => RegisterId,
): (Instruction & { readonly kind: 'load' }) | undefined {
  const access = readAccess(call, context.scope.shared, context.problems);
  if (!access) return undefined;
  const address = lowerCellAddress(access.cell, policyAt(context, cursor));
  const { order } = access;
  return { kind: 'load', into: takeInto(), address, ...(order && { order }) };
}

/** Emits `cell = term`, from `from` to `to`, with the loads of the cell's index first. */
export function lowerStore(
  context: StatementContext,
  cell: CellTerm,
  term: NativeTerm,
  {
    from,
    to,
    span,
    order,
  }: {
    readonly from: DraftLocation;
    readonly to: DraftLocation;
    readonly span: Span;
    readonly order?: MemoryOrder;
  },
): void {
  const { builder, marks, scope, problems } = context;
  const cursor = { point: from };
  const policy = policyAt(context, cursor);
  const address = lowerCellAddress(cell, policy);
  const value = lowerTerm(term, policy);
  checkDomain(scope.shared, constantValue(value, scope.shared.symbols), term.span, problems);
  const store = { kind: 'store' as const, address, value, ...(order && { order }) };
  builder.emit(cursor.point, to, store, span, marks);
}

/** A read-modify-write with evaluated operands. */
interface LoweredCall {
  readonly instruction: Instruction & { readonly kind: 'rmw' };
  /** Whether the read-modify-write may fail at any time, without effect. */
  readonly isWeak: boolean;
}

/**
 * Emits the instruction of a read-modify-write, and for a weak one also the transition of its
 * failure.
 */
export function emitCall(
  { builder, marks }: StatementContext,
  { instruction, isWeak }: LoweredCall,
  {
    from,
    to,
    span,
  }: { readonly from: DraftLocation; readonly to: DraftLocation; readonly span: Span },
): void {
  builder.emit(from, to, instruction, span, marks);
  if (isWeak) builder.emitFailure(from, to, instruction, builder.location(span), span);
}

/**
 * Emits the read-modify-write of the call, after the loads for its operands; `undefined` after a
 * reported error. `takeInto` returns the register for the result, and is called once the operands
 * are evaluated.
 */
export function lowerCall(
  context: StatementContext,
  call: CallTerm,
  cursor: Cursor,
  takeInto?: () => RegisterId,
): LoweredCall | undefined {
  const rmw = readRmw(call, context.scope.shared, context.problems);
  if (!rmw) return undefined;
  const policy = policyAt(context, cursor);
  const address = lowerCellAddress(rmw.cell, policy);
  const operands = rmw.operands.map((operand) => lowerTerm(operand, policy));
  checkStoredValue(rmw, operands, context.scope.shared, context.problems);
  const result = takeInto && { into: takeInto() };
  const operation = { name: rmw.name, operands };
  const orders = ordersOf(rmw);
  return {
    instruction: { kind: 'rmw', ...result, address, operation, ...orders },
    isWeak: rmw.isWeak,
  };
}
