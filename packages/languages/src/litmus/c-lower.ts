import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { AutomatonBuilder } from '@fencewright/model/program/automaton-builder.js';
import { constant } from '@fencewright/model/program/expression.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { Thread } from '@fencewright/model/program/program.js';
import { misplaced } from '@fencewright/ground/source/diagnostic.js';
import type { Position } from '@fencewright/ground/source/span.js';
import type { CFunction, CStatement } from './c-syntax.js';
import { CExpressionCode } from './c-expression-code.js';
import type { InitialRegister } from './initial-state.js';
import type { LitmusReading } from './litmus-reading.js';

/** A statement of the text that a fence can precede. */
export interface CFencePlace {
  readonly start: Position;
  readonly end: Position;
  /** Whether the statement is the only one of a branch or loop, and has no braces around it. */
  readonly isAlone: boolean;
}

/** A thread, and the statement at each of its locations that a fence can precede. */
export interface LoweredFunction {
  readonly thread: Thread;
  readonly fencePlaces: ReadonlyMap<LocationId, CFencePlace>;
}

interface Loop {
  readonly head: LocationId;
  readonly after: LocationId;
}

/**
 * Makes the automaton of one function: one access for each access in the text, from left to right.
 */
class CLowering {
  readonly #reading: LitmusReading;
  readonly #source: CFunction;
  readonly #builder: AutomatonBuilder;
  readonly #expressions: CExpressionCode;
  readonly #places: { at: LocationId; place: CFencePlace }[] = [];
  readonly #loopHeads: LocationId[] = [];

  constructor(reading: LitmusReading, source: CFunction) {
    this.#reading = reading;
    this.#source = source;
    this.#builder = new AutomatonBuilder(`P${source.number}`);
    this.#expressions = new CExpressionCode(reading, source.parameters, this.#builder);
  }

  build(initial: readonly InitialRegister[]): LoweredFunction {
    const { span, body } = this.#source;
    const first = this.#builder.location(span);
    let at = first;
    for (const { register, value, span: place } of initial) {
      const into = this.#expressions.declare(register);
      at = this.#builder.step(at, { kind: 'assign', into, value: constant(value) }, place);
    }
    this.#statement(at, body, undefined, false);
    const thread = this.#builder.build(first);
    const heads = new Set(this.#loopHeads.map((head) => this.#builder.idOf(head)));
    const fencePlaces = new Map<LocationId, CFencePlace>();
    for (const { at: location, place } of this.#places) {
      const id = this.#builder.idOf(location);
      // A fence before a loop would be passed once only.
      if (id !== undefined && !heads.has(id)) fencePlaces.set(id, place);
    }
    return { thread, fencePlaces };
  }

  /** Emits a statement; returns the location after the statement. */
  #statement(
    at: LocationId,
    statement: CStatement,
    loop: Loop | undefined,
    isAlone: boolean,
  ): LocationId {
    const { span } = statement;
    this.#expressions.release();
    if (!['block', 'nothing', 'while', 'do'].includes(statement.kind))
      this.#places.push({ at, place: { ...span, isAlone } });
    switch (statement.kind) {
      case 'nothing':
        return at;
      case 'fence':
        return this.#builder.step(
          at,
          statement.weaker ? { kind: 'skip', fence: statement.weaker } : { kind: 'fence' },
          span,
        );
      case 'block':
        return statement.body.reduce((from, part) => this.#statement(from, part, loop, false), at);
      case 'declare': {
        const into = this.#expressions.declare(statement.name);
        return statement.value ? this.#expressions.into(at, into, statement.value, span) : at;
      }
      case 'assign':
        return this.#assign(at, statement);
      case 'evaluate':
        return this.#expressions.value(at, statement.term, { isDropped: true }).at;
      case 'if':
        return this.#if(at, statement, loop);
      case 'while':
        return this.#while(at, statement);
      case 'do':
        return this.#do(at, statement);
      case 'break':
      case 'continue':
        return this.#leave(at, statement, loop);
      default:
        return unreachable(statement);
    }
  }

  #assign(
    at: LocationId,
    { place, value: term, order, span }: Extract<CStatement, { kind: 'assign' }>,
  ): LocationId {
    if (place.kind === 'local')
      return this.#expressions.into(
        at,
        this.#expressions.local(place.name, place.span),
        term,
        span,
      );
    const address = this.#expressions.value(at, place.address);
    const stored = this.#expressions.value(address.at, term);
    return this.#expressions.store(stored.at, address.value, stored.value, span, order);
  }

  #if(
    at: LocationId,
    { condition, positive, negative, span }: Extract<CStatement, { kind: 'if' }>,
    loop: Loop | undefined,
  ): LocationId {
    const yes = this.#builder.location(positive.span);
    const no = this.#builder.location(negative?.span ?? span);
    const after = this.#builder.location(span);
    this.#expressions.branch(at, condition, yes, no);
    this.#builder.join(this.#statement(yes, positive, loop, true), after, span);
    this.#builder.join(negative ? this.#statement(no, negative, loop, true) : no, after, span);
    return after;
  }

  #while(
    at: LocationId,
    { condition, body, step, span }: Extract<CStatement, { kind: 'while' }>,
  ): LocationId {
    const head = this.#builder.location(span);
    const round = this.#builder.location(span);
    const start = this.#builder.location(body.span);
    const after = this.#builder.location(span);
    this.#loopHeads.push(head);
    this.#builder.join(at, head, span);
    this.#expressions.branch(head, condition, start, after);
    const end = this.#statement(start, body, { head: round, after }, true);
    this.#builder.join(end, round, span);
    const again = step ? this.#statement(round, step, undefined, true) : round;
    this.#builder.join(again, head, span);
    return after;
  }

  #do(at: LocationId, { body, condition, span }: Extract<CStatement, { kind: 'do' }>): LocationId {
    const start = this.#builder.location(body.span);
    const test = this.#builder.location(condition.span);
    const after = this.#builder.location(span);
    this.#loopHeads.push(test);
    this.#builder.join(at, start, span);
    this.#builder.join(this.#statement(start, body, { head: test, after }, true), test, span);
    this.#expressions.branch(test, condition, start, after);
    return after;
  }

  #leave(
    at: LocationId,
    { kind, span }: Extract<CStatement, { kind: 'break' | 'continue' }>,
    loop: Loop | undefined,
  ): LocationId {
    if (!loop)
      this.#reading.errors.error(() => misplaced(span, `'${kind}' stands outside of a loop`));
    else this.#builder.join(at, kind === 'break' ? loop.after : loop.head, span);
    // The following code is unreachable.
    return this.#builder.location(span);
  }
}

/** Returns the function as a thread. */
export function lowerFunction(
  reading: LitmusReading,
  source: CFunction,
  initial: readonly InitialRegister[],
): LoweredFunction {
  return new CLowering(reading, source).build(initial);
}
