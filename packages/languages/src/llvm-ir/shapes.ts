import type { LoweringState } from './lowering-state.js';
import { innermost } from './lowering-state.js';
import { nothing, type LoweredValue } from './value.js';

/**
 * The knowledge about a variable at a point, on all paths: its number; a value in a register; a
 * value in a register that may be uninitialised, as a second register tells; or an uninitialised
 * value.
 */
export type Shape = bigint | 'register' | 'maybe' | 'undefined';

/**
 * A variable that may differ between paths: a part of a local, a cell, or the number of blocks
 * allocated by a call.
 */
export interface ShapeVariable {
  readonly key: string;
  /** The name of the variable for users. */
  readonly name: string;
  readonly value: LoweredValue;
}

/** The shape of a value: a number, a register or undefined. */
export function shapeOf(value: LoweredValue): Shape {
  switch (value.kind) {
    case 'number':
      return value.number;
    case 'expression':
      return 'register';
    case 'maybe':
      return 'maybe';
    case 'undefined':
    case 'parts':
      return 'undefined';
  }
}

/** The least general shape that covers two shapes. */
export function joinShapes(one: Shape, other: Shape): Shape {
  if (one === other) return one;
  if ([one, other].some((each) => each === 'maybe' || each === 'undefined')) return 'maybe';
  return 'register';
}

/**
 * The variables of a thread's state at a point where paths meet. At the start of a block, values
 * used only in their own block are left out.
 */
export function variablesOf(
  state: LoweringState,
  isBlockStart: boolean,
  nameOfCell: (address: number) => string,
): readonly ShapeVariable[] {
  const found: ShapeVariable[] = [];
  const add = (key: string, name: string, value: LoweredValue): void => {
    if (value.kind === 'parts')
      value.parts.forEach((part, i) => {
        add(`${key}.${i}`, `${name}.${i}`, part);
      });
    else found.push({ key, name, value });
  };
  for (const [address, { size, value }] of state.cells)
    add(`c${address}:${size}`, nameOfCell(address), value);
  for (const [site, value] of state.pools) add(`p${site}`, 'blocks', value);
  const last = innermost(state);
  state.frames.forEach((frame, depth) => {
    for (const [name, value] of frame.locals)
      if (!isBlockStart || frame !== last || frame.flow.carried.has(name))
        add(`l${depth}:${name}`, name, value);
  });
  return found;
}

/** The state with new values for its variables; locals without a new value are dropped. */
export function withVariables(
  state: LoweringState,
  valueOf: (key: string) => LoweredValue | undefined,
): LoweringState {
  const map = (key: string, value: LoweredValue): LoweredValue | undefined => {
    if (value.kind !== 'parts') return valueOf(key);
    const parts = value.parts.flatMap((part, i) => map(`${key}.${i}`, part) ?? []);
    return parts.length === value.parts.length ? { ...value, parts } : undefined;
  };
  return {
    ...state,
    frames: state.frames.map((frame, depth) => ({
      ...frame,
      objects: [...frame.objects],
      locals: new Map(
        [...frame.locals].flatMap(([name, value]): [string, LoweredValue][] => {
          const mapped = map(`l${depth}:${name}`, value);
          return mapped ? [[name, mapped]] : [];
        }),
      ),
    })),
    cells: new Map(
      [...state.cells].map(([address, cell]) => [
        address,
        { ...cell, value: map(`c${address}:${cell.size}`, cell.value) ?? nothing },
      ]),
    ),
    pools: new Map(
      [...state.pools].map(([site, value]) => [site, map(`p${site}`, value) ?? nothing]),
    ),
    created: [...state.created],
    joined: [...state.joined],
  };
}
