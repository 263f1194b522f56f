import {
  joinShapes,
  shapeOf,
  variablesOf,
  withVariables,
  type Shape,
  type ShapeVariable,
} from './shapes.js';
import type { LoweringState } from './lowering-state.js';
import { freedBlock, innermost } from './lowering-state.js';
import { cutAt, cutCellAt } from './own-cells.js';
import { type CellPart, nothing, numberValue, toExpression, type LoweredValue } from './value.js';
import { constant } from '@fencewright/model/program/expression.js';
import type { Round } from './world.js';

/**
 * A point where paths of control meet, with the shapes (numbers or registers) of variables on all
 * paths so far.
 */
export interface JoinPoint {
  /**
   * Returns the state at the point. `inRegister` puts the value of a variable into registers, given
   * their key and name, and returns the value that represents the registers.
   */
  readonly apply: (
    inRegister: (key: string, name: string, value: LoweredValue) => LoweredValue,
  ) => LoweringState;
}

/**
 * The shapes of variables (number, register or undefined) at points where paths of control meet.
 * Shapes become more general from pass to pass.
 */
export class ShapeTable {
  readonly #shapes = new Map<string, Map<string, Shape>>();
  #hasChanged = false;

  constructor(readonly round: Round) {}

  /**
   * A text that is equal for paths that continue at `place` with the same code. `isBlockStart` is
   * false after a call; with `isUnrolled`, paths with different values of variables get separate
   * code.
   */
  keyOf(place: string, state: LoweringState, isBlockStart: boolean, isUnrolled: boolean): string {
    const { locks, created, joined, hiddenAt, isTrunk, exceptions } = state;
    const torn = [...state.cells].flatMap(([address, { isTorn }]) => (isTorn ? [address] : []));
    const control = [
      ...[place, locks, created, joined, hiddenAt, isTrunk, torn.sort((a, b) => a - b)],
      ...[exceptions.landed, exceptions.caught],
    ];
    const key = JSON.stringify(control);
    if (!isUnrolled) return key;
    // Different outputs, and different freed blocks, get no copies of the code.
    const numbers = variablesOf(state, isBlockStart, () => '')
      .filter(({ key: name }) => !this.#isOutput(name) && !name.startsWith(`p${freedBlock}`))
      .map(({ key: name, value }): [string, string] => [name, String(shapeOf(value))]);
    return key + JSON.stringify(numbers.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Adds paths that are the first in this pass to reach the point with the key. `isBlockStart` and
   * `isUnrolled` as for `keyOf`. Returns the joined paths.
   */
  meetAll(
    key: string,
    states: readonly LoweringState[],
    isBlockStart: boolean,
    isUnrolled: boolean,
  ): readonly JoinPoint[] {
    for (;;) {
      const { points, areNew } = this.meetLater(key, states, isBlockStart, isUnrolled);
      if (!areNew) return points;
    }
  }

  /**
   * Adds paths that come to the point with the key when the code from there on is lowered already.
   * `areNew`: whether shapes have changed, so that this code is wrong. `isBlockStart` and
   * `isUnrolled` as for `keyOf`.
   */
  meetLater(
    key: string,
    states: readonly LoweringState[],
    isBlockStart: boolean,
    isUnrolled: boolean,
  ): { readonly points: readonly JoinPoint[]; readonly areNew: boolean } {
    this.#hasChanged = false;
    const points = states.map((state) => this.#meet(key, state, isBlockStart, isUnrolled));
    return { points, areNew: this.#hasChanged };
  }

  /** Adds a path to the point with the key. `isBlockStart` and `isUnrolled` as for `keyOf`. */
  #meet(key: string, state: LoweringState, isBlockStart: boolean, isUnrolled: boolean): JoinPoint {
    const nameOfCell = (address: number): string =>
      this.round.world.image.memory.objectAt(address, 1)?.name ?? 'cell';
    const others = isUnrolled ? undefined : this.#shapes.get(key);
    if (others) this.#cutAlike(others, state);
    let variables = variablesOf(state, isBlockStart, nameOfCell);
    const known = this.#shapes.get(key);
    if (known) variables = this.#completed(known, variables, state);
    const shapes = this.#joined(known, variables);
    this.#shapes.set(key, shapes);
    return {
      apply: (inRegister) => {
        const path = innermost(state).path;
        const values = new Map<string, LoweredValue>();
        for (const { key: name, name: shown, value } of variables) {
          const shape = shapes.get(name);
          if (shape === undefined) continue;
          if (typeof shape === 'bigint') values.set(name, numberValue(shape));
          else if (shape === 'undefined') values.set(name, nothing);
          else if (shape === 'register') {
            values.set(name, inRegister(registerKey(path, name), shown, value));
          } else values.set(name, inRegister(registerKey(path, name), shown, asMaybe(value)));
        }
        return withVariables(state, (name) => values.get(name));
      },
    };
  }

  /**
   * Cuts the cells of the state, and the cells with shapes in `known`, until both begin and end at
   * the same addresses.
   */
  #cutAlike(known: Map<string, Shape>, { cells }: LoweringState): void {
    const shapes = new Map(
      [...known].flatMap(([key, value]): [number, { size: number; value: Shape }][] => {
        if (!key.startsWith('c')) return [];
        const [address, size] = bytesOfKey(key);
        return [[address, { size, value }]];
      }),
    );
    const endsOf = (of: ReadonlyMap<number, { readonly size: number }>): readonly number[] =>
      [...of].flatMap(([address, { size }]) => [address, address + size]);
    let [isCut, isCutAgain] = [false, true];
    while (isCutAgain) {
      for (const end of endsOf(shapes)) cutAt(cells, end);
      isCutAgain = endsOf(cells).filter((end) => cutCellAt(shapes, end, shapePart)).length > 0;
      isCut ||= isCutAgain;
    }
    if (!isCut) return;
    this.#hasChanged = true;
    for (const key of [...known.keys()]) if (key.startsWith('c')) known.delete(key);
    for (const [address, { size, value }] of shapes) known.set(`c${address}:${size}`, value);
  }

  /**
   * The variables of a state, together with variables that only other paths have changed so far.
   */
  #completed(
    known: ReadonlyMap<string, Shape>,
    variables: readonly ShapeVariable[],
    state: LoweringState,
  ): readonly ShapeVariable[] {
    const present = new Set(variables.map(({ key }) => key));
    const added: ShapeVariable[] = [];
    for (const key of known.keys()) {
      if (present.has(key) || key.startsWith('l')) continue;
      if (key.startsWith('p')) {
        state.pools.set(key.slice(1), numberValue(0));
        added.push({ key, name: 'blocks', value: numberValue(0) });
        continue;
      }
      const [address, size] = bytesOfKey(key);
      const value = this.#initialOf(address, size);
      state.cells.set(address, { size, value });
      added.push({ key, name: 'cell', value });
    }
    return [...variables, ...added];
  }

  #isOutput(key: string): boolean {
    if (!key.startsWith('c')) return false;
    const [address] = bytesOfKey(key);
    const { counters, outputs } = this.round.world;
    return outputs.has(address) || counters.has(address);
  }

  /** The content of a cell for which the state has no entry. */
  #initialOf(address: number, size: number): LoweredValue {
    const number = this.round.initialValue(address, size);
    return number === undefined ? nothing : numberValue(BigInt.asIntN(8 * size, number));
  }

  #joined(
    known: ReadonlyMap<string, Shape> | undefined,
    variables: readonly ShapeVariable[],
  ): Map<string, Shape> {
    const here = new Map(variables.map(({ key, value }) => [key, shapeOf(value)]));
    if (!known) return here;
    const joined = new Map<string, Shape>();
    for (const [key, shape] of here) {
      const other = known.get(key) ?? this.#initialShape(key);
      if (other === undefined) continue;
      joined.set(key, joinShapes(shape, other));
    }
    const isSame =
      joined.size === known.size && [...joined].every(([key, shape]) => known.get(key) === shape);
    if (!isSame) this.#hasChanged = true;
    return joined;
  }

  /**
   * The shape of a variable for which some path has no entry; `undefined` for locals, which are
   * dead then.
   */
  #initialShape(key: string): Shape | undefined {
    if (key.startsWith('l')) return undefined;
    if (key.startsWith('p')) return 0n;
    const [address, size] = bytesOfKey(key);
    return shapeOf(this.#initialOf(address, size));
  }
}

/** Returns the address and the size of a cell, given the key of the cell's variable. */
function bytesOfKey(key: string): readonly [address: number, size: number] {
  return key.slice(1).split(':').map(Number) as [number, number];
}

/** The shape of a part of a cell, given the shape of the cell. */
function shapePart(shape: Shape, _: number, { offset, size }: CellPart): Shape {
  if (typeof shape !== 'bigint') return shape;
  return BigInt.asIntN(8 * size, shape >> BigInt(8 * offset));
}

/**
 * The key of a variable's register. A local has one register for each call; every other variable
 * has one register for the whole thread.
 */
function registerKey(path: string, name: string): string {
  return name.startsWith('l') ? `${path}|${name}` : name;
}

function asMaybe(value: LoweredValue): LoweredValue {
  switch (value.kind) {
    case 'maybe':
      return value;
    case 'number':
      return {
        kind: 'maybe',
        expression: toExpression(value),
        defined: constant(1),
      };
    case 'expression':
      return { kind: 'maybe', expression: value.expression, defined: constant(1) };
    case 'undefined':
    case 'parts':
      return { kind: 'maybe', expression: constant(0), defined: constant(0) };
  }
}
