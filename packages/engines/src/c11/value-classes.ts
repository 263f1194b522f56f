import { at } from '@fencewright/ground/base/at.js';
import { instructionAccess } from '@fencewright/model/analysis/liveness.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import { forEachRegister } from '@fencewright/model/program/expression.js';
import { addressesOf, type C11Cells } from './cells.js';
import type { C11Code, C11Step } from './c11-steps.js';

/** The maximum number of classes of values of a cell, since a set of classes is a 32-bit word. */
export const maxClasses = 31;

/** Thrown if a cell has more classes of values than a set of classes, a 32-bit word, can hold. */
export class TooManyValues extends Error {
  override readonly name = 'TooManyValues';

  constructor(readonly address: number) {
    super();
  }
}

/** A test of a value that a step reads: the step can happen only with values that pass the test. */
type Test = (value: number) => boolean;

/**
 * Returns the test of the value that a step reads; `all` if the test depends on registers, so that
 * each value needs a class of its own; `undefined` if the step treats all values alike.
 */
function testOf(step: C11Step): Test | 'all' | undefined {
  if (step.block) return 'all';
  const { instruction } = step.code.transition;
  if (instruction.kind === 'load') {
    const { exits } = step;
    if (!exits) return undefined;
    let isOwn = true;
    for (const { transition } of exits)
      instructionAccess.forEachUse(transition.instruction, (register) => {
        isOwn &&= register === instruction.into;
      });
    if (!isOwn) return 'all';
    const registers: number[] = [];
    return (value) => {
      registers[instruction.into] = value;
      return exits.some((exit) => exit.value(registers, 0) !== 0);
    };
  }
  if (instruction.kind !== 'rmw' || instruction.operation.name !== 'cas') return undefined;
  const [expected] = instruction.operation.operands;
  let isConstant = true;
  if (expected) forEachRegister(expected, () => (isConstant = false));
  if (!isConstant) return 'all';
  return (value) => step.code.rmw.written(value, [], 0) !== undefined;
}

/**
 * The classes of values of the watched cells: values that no step distinguishes share a class.
 * Classes are numbered in order of first appearance.
 */
export class CellValueClasses {
  /**
   * By watched cell, the tests of steps on the cell's value; `undefined` if each value has a
   * separate class.
   */
  readonly #tests: (Test[] | undefined)[];
  readonly #classes: Map<string, number>[];
  /** For each watched cell, one value of each class of the cell's values. */
  readonly #samples: number[][];
  readonly #addresses: readonly number[];

  /** Creates the classes of a program; with `tellsAll`, every value is a class of its own. */
  constructor(code: C11Code, cells: C11Cells, tellsAll = false) {
    this.#tests = cells.watched.map(() => (tellsAll ? undefined : []));
    this.#classes = cells.watched.map(() => new Map<string, number>());
    this.#samples = cells.watched.map(() => []);
    this.#addresses = cells.watched.map((cell) => at(cells.addresses, cell));
    code.steps.forEach((locations, thread) => {
      for (const step of locations.flat()) this.#note(code, cells, thread, step);
    });
  }

  #note(code: C11Code, cells: C11Cells, thread: ThreadId, step: C11Step): void {
    const test = testOf(step);
    if (!test) return;
    for (const address of addressesOf(code, thread, step)) {
      const cell = cells.watchedAt[cells.indexOf.get(address) ?? -1] ?? -1;
      if (cell < 0) continue;
      if (test === 'all') this.#tests[cell] = undefined;
      else this.#tests[cell]?.push(test);
    }
  }

  /** Returns the set that contains only the class of the value. Throws `TooManyValues`. */
  bit(cell: number, value: number): number {
    const tests = this.#tests[cell];
    const key = tests ? tests.map((test) => (test(value) ? '1' : '0')).join('') : String(value);
    const classes = at(this.#classes, cell);
    let number = classes.get(key);
    if (number === undefined) {
      number = classes.size;
      if (number >= maxClasses) throw new TooManyValues(at(this.#addresses, cell));
      classes.set(key, number);
      at(this.#samples, cell).push(value);
    }
    return 1 << number;
  }

  /** Returns a value of each class in the set. */
  samples(cell: number, set: number): readonly number[] {
    return set === 0 ? [] : at(this.#samples, cell).filter((_, number) => (set >> number) & 1);
  }
}
