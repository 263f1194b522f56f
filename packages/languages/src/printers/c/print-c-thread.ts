import { at } from '@fencewright/ground/base/at.js';
import {
  areOpposite,
  type Expression,
  forEachRegister,
  isSame,
} from '@fencewright/model/program/expression.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import { transitionsFrom } from '@fencewright/model/program/leaving.js';
import type { Thread, Transition } from '@fencewright/model/program/program.js';
import { operandsOf } from '@fencewright/model/program/rewrite.js';
import type { CThreadNames } from './c-names.js';
import { type CFile, CStatements } from './c-statement.js';

class ThreadText {
  readonly #file: CFile;
  readonly #thread: Thread;
  readonly #own: CThreadNames;
  readonly #statements: CStatements;
  readonly #jumps = new Set<LocationId>();
  #hasEnd = false;

  constructor(file: CFile, thread: Thread, own: CThreadNames) {
    this.#file = file;
    this.#thread = thread;
    this.#own = own;
    this.#statements = new CStatements(file, thread, own);
  }

  print(): readonly string[] {
    const order = this.#order();
    // The first pass finds out which labels jumps lead to.
    this.#code(order);
    const code = this.#code(order);
    const written = this.#thread.registers.map((_, register) =>
      this.#thread.transitions.some(
        ({ instruction }) => 'into' in instruction && instruction.into === register,
      ),
    );
    const read = new Set<number>();
    for (const { instruction } of this.#thread.transitions)
      for (const operand of operandsOf(instruction)) collectRegisters(operand, read);
    const declarations = this.#thread.registers.flatMap(({ hidden }, register) => {
      if (!written[register] && !read.has(register)) return [];
      const name = at(this.#own.registers, register);
      const isLooked = read.has(register) || (!hidden && this.#hasEnd);
      return [`  int ${name} = 0;`, ...(isLooked ? [] : [`  (void)${name};`])];
    });
    const results = this.#thread.registers.flatMap(({ hidden }, register) =>
      hidden || !written[register]
        ? []
        : [`  ${at(this.#own.results, register)} = ${at(this.#own.registers, register)};`],
    );
    return [
      `static void *${this.#own.name}(void *argument) {`,
      ...declarations,
      '  (void)argument;',
      ...code,
      ...(this.#hasEnd ? results : []),
      '  return NULL;',
      '}',
    ];
  }

  /**
   * Returns the locations with leaving transitions, each if possible directly after a predecessor.
   */
  #order(): readonly LocationId[] {
    const seen = new Set<LocationId>();
    for (const stack = [this.#thread.initial]; stack.length > 0;) {
      const location = stack.pop()!;
      if (seen.has(location)) continue;
      seen.add(location);
      const targets = transitionsFrom(this.#thread, location).map(({ to }) => to);
      stack.push(...targets.toReversed());
    }
    return [...seen].filter((location) => !this.#isEnd(location));
  }

  #isEnd(location: LocationId): boolean {
    return transitionsFrom(this.#thread, location).length === 0;
  }

  #code(order: readonly LocationId[]): readonly string[] {
    const ends = this.#thread.locations.findIndex((_, location) => this.#isEnd(location));
    const lines = order.flatMap((location, i) => {
      const code = this.#at(location, order[i + 1] ?? ends);
      const label = this.#jumps.has(location) ? [`${at(this.#own.labels, location)}:`] : [];
      return [...label, ...code.map((line) => `  ${line}`)];
    });
    if (this.#isEnd(this.#thread.initial)) this.#hasEnd = true;
    const isJumpedTo = [...this.#jumps].some((location) => this.#isEnd(location));
    return isJumpedTo ? [...lines, 'end:'] : lines;
  }

  #goto(target: LocationId): string {
    this.#jumps.add(target);
    if (!this.#isEnd(target)) return `goto ${at(this.#own.labels, target)};`;
    this.#hasEnd = true;
    return 'goto end;';
  }

  /**
   * Returns the line with a jump to the target; empty if the location printed next is the target.
   */
  #onTo(target: LocationId, next: LocationId): readonly string[] {
    const isNext = target === next || (this.#isEnd(target) && next >= 0 && this.#isEnd(next));
    if (!isNext) return [this.#goto(target)];
    if (this.#isEnd(target)) this.#hasEnd = true;
    return [];
  }

  /** Returns the lines for a location; `next` is the location printed after it. */
  #at(location: LocationId, next: LocationId): readonly string[] {
    const leaving = transitionsFrom(this.#thread, location);
    const [first, ...others] = leaving;
    if (!first) return [];
    if (others.length === 0)
      return [...this.#statements.statement(first), ...this.#onTo(first.to, next)];
    return this.#tests(leaving, next) ?? this.#choice(leaving, next);
  }

  /**
   * Returns the lines of tests, at most one of them true; `undefined` if the transitions are no
   * such tests.
   */
  #tests(leaving: readonly Transition[], next: LocationId): readonly string[] | undefined {
    const tests = leaving.flatMap(({ instruction, to }) =>
      instruction.kind === 'assume' ? [{ condition: instruction.condition, to }] : [],
    );
    const isExclusive = tests.every((one, i) =>
      tests.slice(i + 1).every((other) => areExclusive(one.condition, other.condition)),
    );
    if (tests.length < leaving.length || !isExclusive) return undefined;
    const [one, other] = tests as [(typeof tests)[0], (typeof tests)[0]];
    if (tests.length === 2 && areOpposite(one.condition, other.condition)) {
      if (one.to === next) return [this.#jumpIf(other.condition, other.to)];
      return [this.#jumpIf(one.condition, one.to), ...this.#onTo(other.to, next)];
    }
    const last = tests.at(-1)!;
    return [
      ...tests.slice(0, -1).map(({ condition, to }) => this.#jumpIf(condition, to)),
      this.#statements.assume(last.condition),
      ...this.#onTo(last.to, next),
    ];
  }

  #jumpIf(condition: Expression, target: LocationId): string {
    return `if (${this.#statements.condition(condition)}) ${this.#goto(target)}`;
  }

  #choice(leaving: readonly Transition[], next: LocationId): readonly string[] {
    this.#file.uses('choose');
    return [
      `switch (choose(0, ${leaving.length - 1})) {`,
      ...leaving.flatMap((transition, i) => [
        i < leaving.length - 1 ? `case ${i}:` : 'default:',
        ...[...this.#statements.statement(transition), ...this.#away(transition.to, next)].map(
          (line) => `  ${line}`,
        ),
      ]),
      '}',
    ];
  }

  #away(target: LocationId, next: LocationId): readonly string[] {
    return this.#onTo(target, next).length === 0 ? ['break;'] : [this.#goto(target)];
  }
}

function collectRegisters(expression: Expression, into: Set<number>): void {
  forEachRegister(expression, (register) => into.add(register));
}

/** Whether two conditions exclude each other, judging by form. */
function areExclusive(a: Expression, b: Expression): boolean {
  if (areOpposite(a, b)) return true;
  if (a.kind !== 'binary' || b.kind !== 'binary') return false;
  return (
    a.operator === '==' &&
    b.operator === '==' &&
    isSame(a.left, b.left) &&
    a.right.kind === 'constant' &&
    b.right.kind === 'constant' &&
    a.right.value !== b.right.value
  );
}

/** Returns the lines of a C function for the thread, with labels and jumps. */
export function printCThread(file: CFile, thread: Thread, names: CThreadNames): readonly string[] {
  return new ThreadText(file, thread, names).print();
}
