import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { AutomatonBuilder } from '@fencewright/model/program/automaton-builder.js';
import {
  binary,
  constant,
  type Expression,
  registerValue,
  unary,
} from '@fencewright/model/program/expression.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Thread } from '@fencewright/model/program/program.js';
import { isReadBeforeWritten } from '@fencewright/model/program/read-before-written.js';
import { duplicateName, notSupported, unknownName } from '@fencewright/ground/source/diagnostic.js';
import type { Reading } from '@fencewright/ground/source/reading.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { BoundedCell, ProcessScope } from './process-scope.js';
import { innerStatements } from './statement-parts.js';
import type {
  DomainBounds,
  MemoraxCell,
  Label,
  Process,
  MemoraxStatement,
  MemoraxTerm,
} from './syntax.js';

/**
 * A point of control. A free location is neither the target of a transition nor labelled: only such
 * a location may be merged with another one.
 */
interface ControlPoint {
  readonly at: LocationId;
  readonly isFree: boolean;
}

/** Makes the automaton of a process. Blocking in Memorax becomes an `assume` here. */
class ProcessLowering {
  readonly #reading: Reading;
  readonly #scope: ProcessScope;
  readonly #process: Process;
  readonly #builder: AutomatonBuilder;
  readonly #labels = new Map<string, LocationId>();
  #isLocked = false;

  constructor(reading: Reading, name: string, process: Process, scope: ProcessScope) {
    this.#reading = reading;
    this.#process = process;
    this.#scope = scope;
    this.#builder = new AutomatonBuilder(name);
    for (const register of process.registers) this.#builder.register(register.name);
  }

  build(): Thread {
    const { body, span } = this.#process;
    this.#declareLabels(body);
    const text: ControlPoint = { at: this.#builder.location(span), isFree: true };
    this.#sequence(text, body);
    const bare = this.#builder.build(text.at);
    let start: ControlPoint = { at: this.#builder.location(span), isFree: true };
    const first = start.at;
    this.#process.registers.forEach(({ initial, bounds, span: place }, into) => {
      // A register whose initial value is never read may start with any value.
      if (initial === undefined && isReadBeforeWritten(bare, into))
        start = this.#emit(start, { kind: 'havoc', into, ...(bounds && { range: bounds }) }, place);
      else if (initial !== undefined && initial !== 0)
        start = this.#emit(start, { kind: 'assign', into, value: constant(initial) }, place);
    });
    this.#jump(start, text.at, span);
    return this.#builder.build(first);
  }

  #declareLabels(statements: readonly MemoraxStatement[]): void {
    for (const statement of statements) {
      for (const { name, span } of statement.labels) {
        if (this.#labels.has(name))
          this.#reading.errors.error(() => duplicateName(span, 'label', name));
        else this.#labels.set(name, this.#builder.location(span, name));
      }
      this.#declareLabels(innerStatements(statement));
    }
  }

  #emit({ at }: ControlPoint, instruction: Instruction, span: Span): ControlPoint {
    return { at: this.#builder.step(at, instruction, span), isFree: true };
  }

  #jump(from: ControlPoint, to: LocationId, span: Span): void {
    if (from.isFree) this.#builder.join(from.at, to, span);
    else this.#builder.emit(from.at, to, { kind: 'skip' }, span);
  }

  #sequence(start: ControlPoint, statements: readonly MemoraxStatement[]): ControlPoint {
    return statements.reduce((at, statement) => this.#statement(at, statement), start);
  }

  #statement(start: ControlPoint, statement: MemoraxStatement): ControlPoint {
    let from = start;
    for (const { name, span } of statement.labels) {
      const location = this.#labels.get(name)!;
      this.#jump(from, location, span);
      from = { at: location, isFree: false };
    }
    return this.#bare(from, statement);
  }

  #bare(from: ControlPoint, statement: MemoraxStatement): ControlPoint {
    const { span } = statement;
    switch (statement.kind) {
      case 'nop':
        return this.#emit(from, { kind: 'skip' }, span);
      case 'fence':
        return this.#emit(from, { kind: 'fence' }, span);
      case 'assume':
        return this.#assume(from, this.#scope.expression(statement.condition), span);
      case 'assign': {
        const into = this.#scope.register(statement.register);
        const value = this.#scope.expression(statement.value);
        const ready = this.#within(from, value, this.#scope.registers[into]?.bounds, span);
        return this.#emit(ready, { kind: 'assign', into, value }, span);
      }
      case 'read-into':
      case 'read-equal': {
        const ready = statement.synchronised ? this.#emit(from, { kind: 'fence' }, span) : from;
        return this.#forEachPlace(ready, statement.cell, span, (at, place) =>
          statement.kind === 'read-into'
            ? this.#readInto(at, place, statement.register, span)
            : this.#readEqual(at, place, statement.value, span),
        );
      }
      case 'write':
        return this.#forEachPlace(from, statement.cell, span, (at, place) =>
          this.#write(at, place, statement.value, statement.synchronised, span),
        );
      case 'cas':
        return this.#forEachPlace(from, statement.cell, span, (at, place) =>
          this.#cas(at, place, statement.expected, statement.desired, span),
        );
      case 'goto':
        return this.#goto(from, statement.target, span);
      case 'block':
        return this.#sequence(from, statement.body);
      case 'either':
        return statement.locked
          ? this.#lockedBlock(from, statement.alternatives, span)
          : this.#either(from, statement.alternatives, span);
      case 'if':
        return this.#if(from, statement);
      case 'while':
        return this.#while(from, statement);
      default:
        return unreachable(statement);
    }
  }

  #assume(from: ControlPoint, condition: Expression, span: Span): ControlPoint {
    return this.#emit(from, { kind: 'assume', condition }, span);
  }

  /**
   * Makes control continue only if the value lies in the bounds of its target; returns the next
   * point.
   */
  #within(
    from: ControlPoint,
    value: Expression,
    bounds: DomainBounds | undefined,
    span: Span,
  ): ControlPoint {
    if (!bounds || this.#isWithin(value, bounds)) return from;
    const { low, high } = bounds;
    return this.#assume(
      from,
      binary('&&', binary('>=', value, constant(low)), binary('<=', value, constant(high))),
      span,
    );
  }

  #isWithin(value: Expression, { low, high }: DomainBounds): boolean {
    if (value.kind === 'constant') return value.value >= low && value.value <= high;
    if (value.kind !== 'register') return false;
    const own = this.#scope.registers[value.register]?.bounds;
    return own !== undefined && own.low >= low && own.high <= high;
  }

  #forEachPlace(
    from: ControlPoint,
    cell: MemoraxCell,
    span: Span,
    access: (at: ControlPoint, place: BoundedCell) => ControlPoint,
  ): ControlPoint {
    const places = this.#scope.places(cell);
    const [only] = places;
    if (only && !only.when) return access(from, only.place);
    const after = this.#builder.location(span);
    for (const { place, when } of places)
      this.#jump(access(this.#assume(from, when ?? constant(1), span), place), after, span);
    return { at: after, isFree: true };
  }

  #readInto(
    from: ControlPoint,
    { address, bounds }: BoundedCell,
    register: Label,
    span: Span,
  ): ControlPoint {
    const into = this.#scope.register(register);
    const own = this.#scope.registers[into]?.bounds;
    const fits = !own || (bounds && bounds.low >= own.low && bounds.high <= own.high);
    if (fits) return this.#emit(from, { kind: 'load', into, address }, span);
    const hidden = this.#builder.hidden('.read');
    const loaded = this.#emit(from, { kind: 'load', into: hidden, address }, span);
    const value = registerValue(hidden);
    return this.#emit(
      this.#within(loaded, value, own, span),
      { kind: 'assign', into, value },
      span,
    );
  }

  /**
   * Emits a load and makes control continue only if the loaded value equals `term`; otherwise the
   * process stops after the load. Returns the next point.
   */
  #readEqual(
    from: ControlPoint,
    { address }: BoundedCell,
    term: MemoraxTerm,
    span: Span,
  ): ControlPoint {
    const into = this.#builder.hidden('.read');
    const loaded = this.#emit(from, { kind: 'load', into, address }, span);
    return this.#assume(
      loaded,
      binary('==', registerValue(into), this.#scope.expression(term)),
      span,
    );
  }

  #write(
    from: ControlPoint,
    { address, bounds }: BoundedCell,
    term: MemoraxTerm,
    isLocked: boolean,
    span: Span,
  ): ControlPoint {
    const value = this.#scope.expression(term);
    const ready = this.#within(from, value, bounds, span);
    // A locked write is one step, with an empty buffer before and after, like an exchange.
    if (isLocked && !this.#isLocked)
      return this.#emit(
        ready,
        { kind: 'rmw', address, operation: { name: 'xchg', operands: [value] } },
        span,
      );
    return this.#emit(ready, { kind: 'store', address, value }, span);
  }

  #cas(
    from: ControlPoint,
    { address, bounds }: BoundedCell,
    old: MemoraxTerm,
    fresh: MemoraxTerm,
    span: Span,
  ): ControlPoint {
    const expected = this.#scope.expression(old);
    const desired = this.#scope.expression(fresh);
    const ready = this.#within(from, desired, bounds, span);
    const into = this.#builder.hidden('.read');
    if (this.#isLocked) {
      const loaded = this.#emit(ready, { kind: 'load', into, address }, span);
      const equal = this.#assume(loaded, binary('==', registerValue(into), expected), span);
      return this.#emit(equal, { kind: 'store', address, value: desired }, span);
    }
    const operation = { name: 'cas', operands: [expected, desired] } as const;
    const tried = this.#emit(ready, { kind: 'rmw', into, address, operation }, span);
    return this.#assume(tried, registerValue(into), span);
  }

  #goto(from: ControlPoint, { name, span: place }: Label, span: Span): ControlPoint {
    const target = this.#labels.get(name);
    if (target === undefined)
      this.#reading.errors.error(() => unknownName(place, 'label', name, this.#labels.keys()));
    else this.#jump(from, target, span);
    // The following code is unreachable without a label.
    return { at: this.#builder.location(span), isFree: true };
  }

  #either(
    from: ControlPoint,
    alternatives: readonly (readonly MemoraxStatement[])[],
    span: Span,
  ): ControlPoint {
    const after = this.#builder.location(span);
    for (const alternative of alternatives) {
      const start = { at: from.at, isFree: false };
      this.#jump(this.#sequence(start, alternative), after, span);
    }
    return { at: after, isFree: true };
  }

  #lockedBlock(
    from: ControlPoint,
    alternatives: readonly (readonly MemoraxStatement[])[],
    span: Span,
  ): ControlPoint {
    if (this.#isLocked || alternatives.flat().some(hasJumps)) {
      this.#reading.errors.error(() =>
        notSupported(
          span,
          'a locked block may hold only instructions without labels',
          'move loops, jumps, labels and further blocks out of the block',
        ),
      );
      return from;
    }
    const locked = this.#emit(from, { kind: 'lock' }, span);
    this.#isLocked = true;
    const done = this.#either(locked, alternatives, span);
    this.#isLocked = false;
    return this.#emit(done, { kind: 'unlock' }, span);
  }

  #if(
    from: ControlPoint,
    { condition, positive, negative, span }: Extract<MemoraxStatement, { kind: 'if' }>,
  ): ControlPoint {
    const test = this.#scope.expression(condition);
    const after = this.#builder.location(span);
    this.#jump(this.#statement(this.#assume(from, test, span), positive), after, span);
    const otherwise = this.#assume(from, unary('!', test), span);
    this.#jump(negative ? this.#statement(otherwise, negative) : otherwise, after, span);
    return { at: after, isFree: true };
  }

  #while(
    from: ControlPoint,
    { condition, body, span }: Extract<MemoraxStatement, { kind: 'while' }>,
  ): ControlPoint {
    const test = this.#scope.expression(condition);
    this.#jump(this.#statement(this.#assume(from, test, span), body), from.at, span);
    return this.#assume(from, unary('!', test), span);
  }
}

function hasJumps(statement: MemoraxStatement): boolean {
  if (statement.labels.length > 0) return true;
  if (['goto', 'while', 'fence'].includes(statement.kind)) return true;
  if (statement.kind === 'either' && statement.locked) return true;
  return innerStatements(statement).some(hasJumps);
}

export function lowerProcess(
  reading: Reading,
  name: string,
  process: Process,
  scope: ProcessScope,
): Thread {
  return new ProcessLowering(reading, name, process, scope).build();
}
