import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { AutomatonBuilder } from '@fencewright/model/program/automaton-builder.js';
import {
  binary,
  constant,
  type Expression,
  registerValue,
  unary,
} from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import { unknownName } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { CFunction, CRmwOrders, CTerm, CUpdate } from './c-syntax.js';
import type { LitmusReading } from './litmus-reading.js';

/**
 * The value of an evaluated expression, and the location of the program after its evaluation;
 * loaded values are in hidden registers.
 */
interface EvaluatedExpression {
  readonly at: LocationId;
  readonly value: Expression;
}

/** An update of a cell that depends on the value found, under the bus lock. */
interface LockedUpdate {
  readonly address: Expression;
  readonly compared: Expression;
  /** Whether the update stores if the value found differs, instead of if it is equal. */
  readonly isUnless?: boolean;
  /** Returns the stored value, for the value found. */
  readonly stores: (old: Expression) => Expression;
}

function hasAccess(term: CTerm): boolean {
  switch (term.kind) {
    case 'number':
    case 'name':
      return false;
    case 'load':
    case 'rmw':
      return true;
    case 'unary':
      return hasAccess(term.operand);
    case 'binary':
      return hasAccess(term.left) || hasAccess(term.right);
    default:
      return unreachable(term);
  }
}

/**
 * Makes instructions that evaluate the terms of one function: one access for each access in the
 * text, from left to right.
 */
export class CExpressionCode {
  readonly #reading: LitmusReading;
  readonly #parameters: CFunction['parameters'];
  readonly #builder: AutomatonBuilder;
  readonly #locals = new Map<string, RegisterId>();
  /** The number of hidden registers that hold values of the statement that is being lowered. */
  #kept = 0;

  constructor(
    reading: LitmusReading,
    parameters: CFunction['parameters'],
    builder: AutomatonBuilder,
  ) {
    this.#reading = reading;
    this.#parameters = parameters;
    this.#builder = builder;
  }

  /** Makes the hidden registers of the last statement free again. */
  release(): void {
    this.#kept = 0;
  }

  declare(name: string): RegisterId {
    const known = this.#locals.get(name);
    if (known !== undefined) return known;
    const id = this.#builder.register(name);
    this.#locals.set(name, id);
    return id;
  }

  local(name: string, span: Span): RegisterId {
    const known = this.#locals.get(name);
    if (known !== undefined) return known;
    this.#reading.errors.error(() => unknownName(span, 'variable', name, this.#locals.keys()));
    return this.declare(name);
  }

  #temporary(): RegisterId {
    this.#kept += 1;
    return this.#builder.hidden(`.value${this.#kept}`);
  }

  /**
   * Emits the instructions that put the value of `term` into a register, by a load directly if the
   * term is a cell; returns the location after them.
   */
  into(at: LocationId, into: RegisterId, term: CTerm, span: Span): LocationId {
    const { at: behind, value } = this.value(at, term, { into });
    if (value.kind === 'register' && value.register === into) return behind;
    return this.#builder.step(behind, { kind: 'assign', into, value }, span);
  }

  value(
    at: LocationId,
    term: CTerm,
    wanted: { readonly into?: RegisterId; readonly isDropped?: boolean } = {},
  ): EvaluatedExpression {
    const { span } = term;
    switch (term.kind) {
      case 'number':
        return { at, value: constant(term.value) };
      case 'name':
        return { at, value: this.#name(term.name, span) };
      case 'unary': {
        const operand = this.value(at, term.operand);
        return { at: operand.at, value: unary(term.operator, operand.value) };
      }
      case 'binary': {
        if ((term.operator === '&&' || term.operator === '||') && hasAccess(term.right))
          return this.#branchValue(at, term);
        const left = this.value(at, term.left);
        const right = this.value(left.at, term.right);
        const element = this.#elementOf(term, right.value);
        if (element) return { at: right.at, value: element };
        return { at: right.at, value: binary(term.operator, left.value, right.value) };
      }
      case 'load': {
        const address = this.value(at, term.address);
        return this.#load(address, wanted.into ?? this.#temporary(), span, term.order);
      }
      case 'rmw':
        return this.#rmw(at, term, wanted);
      default:
        return unreachable(term);
    }
  }

  #name(name: string, span: Span): Expression {
    if (!this.#locals.has(name) && this.#parameters.includes(name))
      return { kind: 'address', symbol: this.#reading.shared.symbol(name) };
    return registerValue(this.local(name, span));
  }

  /** Returns the address `y + index` of a cell, if `y` is an array; otherwise `undefined`. */
  #elementOf(
    { operator, left }: Extract<CTerm, { kind: 'binary' }>,
    index: Expression,
  ): Expression | undefined {
    if (operator !== '+' || left.kind !== 'name') return undefined;
    const start = this.#name(left.name, left.span);
    const isArray =
      start.kind === 'address' && this.#reading.shared.cellsOf(left.name) !== undefined;
    return isArray ? { kind: 'element', symbol: start.symbol, index } : undefined;
  }

  /**
   * Emits the evaluation of `a && b` if the evaluation of `b` is conditional; returns the value, 0
   * or 1.
   */
  #branchValue(at: LocationId, term: CTerm): EvaluatedExpression {
    const { span } = term;
    const into = this.#temporary();
    const [yes, no, after] = [span, span, span].map((place) => this.#builder.location(place));
    this.branch(at, term, yes!, no!);
    const set = (from: LocationId, value: number): void => {
      this.#builder.emit(from, after!, { kind: 'assign', into, value: constant(value) }, span);
    };
    set(yes!, 1);
    set(no!, 0);
    return { at: after!, value: registerValue(into) };
  }

  #rmw(
    at: LocationId,
    { address: pointer, update, span, orders, isStore }: Extract<CTerm, { kind: 'rmw' }>,
    {
      into: wanted,
      isDropped = false,
    }: { readonly into?: RegisterId; readonly isDropped?: boolean },
  ): EvaluatedExpression {
    const { at: from, value: address } = this.value(at, pointer);
    switch (update.kind) {
      case 'operation': {
        const { at: ready, value } = this.value(from, update.operand);
        const into = isDropped ? undefined : (wanted ?? this.#temporary());
        const instruction: Instruction = {
          kind: 'rmw',
          address,
          operation: { name: update.name, operands: [value] },
          ...(into !== undefined && { into }),
          ...orders,
          ...(isStore && { isStore }),
        };
        const behind = this.#builder.step(ready, instruction, span);
        return { at: behind, value: into === undefined ? constant(0) : registerValue(into) };
      }
      case 'cmpxchg': {
        const expected = this.value(from, update.expected);
        const desired = this.value(expected.at, update.desired);
        if (isDropped) {
          const operation = { name: 'cas', operands: [expected.value, desired.value] } as const;
          const cas = { kind: 'rmw', address, operation } as const;
          return { at: this.#builder.step(desired.at, cas, span), value: constant(0) };
        }
        const { stored, other, old } = this.#lockedCompare(
          desired.at,
          { address, compared: expected.value, stores: () => desired.value },
          span,
        );
        this.#builder.join(other, stored, span);
        return { at: stored, value: registerValue(old) };
      }
      case 'add-unless': {
        const added = this.value(from, update.operand);
        const unless = this.value(added.at, update.unless);
        const into = this.#temporary();
        const { stored, other } = this.#lockedCompare(
          unless.at,
          {
            ...{ address, compared: unless.value, isUnless: true },
            stores: (old) => binary('+', old, added.value),
          },
          span,
          orders,
          into,
        );
        this.#builder.join(other, stored, span);
        return { at: stored, value: registerValue(into) };
      }
      case 'compare-exchange':
        return this.#compareExchange(from, address, update, span, orders);
      default:
        return unreachable(update);
    }
  }

  /**
   * Emits a compare-exchange. Its value is whether the exchange stored; if not, the value found
   * replaces the expected one.
   */
  #compareExchange(
    from: LocationId,
    address: Expression,
    update: Extract<CUpdate, { kind: 'compare-exchange' }>,
    span: Span,
    orders: CRmwOrders | undefined,
  ): EvaluatedExpression {
    const { expected: place } = update;
    const pointed = place.kind === 'cell' ? this.value(from, place.address) : undefined;
    const expected =
      place.kind === 'cell'
        ? this.#load(pointed!, this.#temporary(), span)
        : { at: from, value: registerValue(this.local(place.name, place.span)) };
    const desired = this.value(expected.at, update.desired);
    const into = this.#temporary();
    const { stored, other, old } = this.#lockedCompare(
      desired.at,
      { address, compared: expected.value, stores: () => desired.value },
      span,
      orders,
      into,
    );
    const [found, result] = [registerValue(old), registerValue(into)];
    this.#builder.join(other, stored, span);
    if (place.kind !== 'cell') {
      // If the exchange stored, the value found is the expected one.
      const kept = {
        kind: 'assign',
        into: this.local(place.name, place.span),
        value: found,
      } as const;
      return { at: this.#builder.step(stored, kept, span), value: result };
    }
    const [fails, after] = [this.#builder.location(span), this.#builder.location(span)];
    this.#builder.emit(stored, after, { kind: 'assume', condition: result }, span);
    this.#builder.emit(stored, fails, { kind: 'assume', condition: unary('!', result) }, span);
    this.#builder.join(this.store(fails, pointed!.value, found, span), after, span);
    return { at: after, value: result };
  }

  /** Emits a load; without an order, a plain load. */
  #load(
    { at, value: address }: EvaluatedExpression,
    into: RegisterId,
    span: Span,
    order?: MemoryOrder,
  ): EvaluatedExpression {
    const load = { kind: 'load', into, address, ...(order && { order }) } as const;
    const behind = this.#builder.step(at, load, span, order ? {} : { isPlain: true });
    return { at: behind, value: registerValue(into) };
  }

  /** Emits a store; without an order, a plain store. Returns the location after the store. */
  store(
    at: LocationId,
    address: Expression,
    value: Expression,
    span: Span,
    order?: MemoryOrder,
  ): LocationId {
    const store = { kind: 'store', address, value, ...(order && { order }) } as const;
    return this.#builder.step(at, store, span, order ? {} : { isPlain: true });
  }

  /**
   * Emits a load, a comparison and a store under the bus lock, since the `cas` of the program model
   * does not return the value found. `into` receives whether the value was stored. Returns the
   * locations after both cases, and the register with the value found.
   */
  #lockedCompare(
    at: LocationId,
    { address, compared, isUnless = false, stores }: LockedUpdate,
    span: Span,
    orders: CRmwOrders = {},
    into?: RegisterId,
  ): { readonly stored: LocationId; readonly other: LocationId; readonly old: RegisterId } {
    const old = this.#temporary();
    const locked = this.#builder.step(at, { kind: 'lock', ...orders }, span);
    const read = this.#builder.step(locked, { kind: 'load', into: old, address }, span);
    const test = (operator: '==' | '!='): LocationId =>
      this.#builder.step(
        read,
        { kind: 'assume', condition: binary(operator, registerValue(old), compared) },
        span,
      );
    const [when, otherwise] = isUnless ? (['!=', '=='] as const) : (['==', '!='] as const);
    const value = stores(registerValue(old));
    const stored = this.#builder.step(test(when), { kind: 'store', address, value }, span);
    const end = (at: LocationId, value: number): LocationId => {
      const ready =
        into === undefined
          ? at
          : this.#builder.step(at, { kind: 'assign', into, value: constant(value) }, span);
      return this.#builder.step(ready, { kind: 'unlock' }, span);
    };
    return { stored: end(stored, 1), other: end(test(otherwise), 0), old };
  }

  /**
   * Emits the evaluation of a condition, leading to `yes` or `no`; only the parts that C evaluates
   * are evaluated.
   */
  branch(at: LocationId, term: CTerm, yes: LocationId, no: LocationId): void {
    const { span } = term;
    if (term.kind === 'number') {
      this.#builder.join(at, term.value === 0 ? no : yes, span);
      return;
    }
    if (term.kind === 'unary' && term.operator === '!') {
      this.branch(at, term.operand, no, yes);
      return;
    }
    if (term.kind === 'binary' && (term.operator === '&&' || term.operator === '||')) {
      if (hasAccess(term.right)) {
        const middle = this.#builder.location(term.right.span);
        if (term.operator === '&&') this.branch(at, term.left, middle, no);
        else this.branch(at, term.left, yes, middle);
        this.branch(middle, term.right, yes, no);
        return;
      }
    }
    const { at: ready, value } = this.value(at, term);
    this.#builder.emit(ready, yes, { kind: 'assume', condition: value }, span);
    this.#builder.emit(ready, no, { kind: 'assume', condition: unary('!', value) }, span);
  }
}
