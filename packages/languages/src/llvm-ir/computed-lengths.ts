import { binary, type Expression } from '@fencewright/model/program/expression.js';
import type { Lowering } from './lowering.js';
import type { CellPart, Value } from './value.js';
import { compareValues, nothing, numberValue, toExpression } from './value.js';
import { Unsupported } from './unsupported.js';

/** How many lengths that make a difference are tried. */
const mostLengths = 33;

/** What a pointer leaves: up to where its object goes on, and the cells in it, from the pointer. */
export interface Room {
  readonly size: number;
  readonly cells: readonly CellPart[];
}

/** Lengths from the first to the last, which take the same cells. */
interface Lengths {
  readonly first: number;
  readonly last: number;
}

/** How many bytes are copied or set at most, and which lengths take the same cells. */
interface Ways {
  readonly most: number;
  /** In their order. Lengths between them cut a cell. */
  readonly lengths: readonly Lengths[];
}

/**
 * Does something to so many bytes where it is computed how many: a way for all lengths that take
 * the same cells. More bytes than there is room for are a mistake of the program, and a length that
 * cuts a cell is beyond the model. Throws `Unsupported` where there are too many ways.
 */
export function inEachLength(
  lowering: Lowering,
  length: Value,
  rooms: readonly Room[],
  run: (length: Value) => void,
): Value {
  const { most, lengths } = waysOf(lowering, rooms);
  const is = (relation: string, number: number): Expression =>
    toExpression(compareValues(relation, 64, length, numberValue(number)));
  const assume = (condition: Expression): void => {
    lowering.emit({ kind: 'assume', condition });
  };
  const within = ({ first, last }: Lengths): Expression =>
    first === last ? is('eq', first) : binary('&&', is('uge', first), is('ule', last));
  const ways = lengths.map((each) => (): Value => {
    assume(within(each));
    run(numberValue(each.last));
    return nothing;
  });
  const isCut = lengths
    .slice(1)
    .map(({ first }, i) => ({ first: lengths[i]!.last + 1, last: first - 1 }));
  const cut = isCut
    .filter(({ first, last }) => first <= last)
    .map((each) => (): Value => {
      assume(within(each));
      const said = 'how many bytes are copied or set here cuts a number of several bytes';
      return lowering.end({ kind: 'fault', reason: 'library-limit', said });
    });
  lowering.state.isTrunk = false;
  return lowering.inEachWay([
    ...ways,
    ...cut,
    () => {
      assume(is('ugt', most));
      return lowering.end({ kind: 'fault', reason: 'no-object' });
    },
  ]);
}

function waysOf(lowering: Lowering, rooms: readonly Room[]): Ways {
  if (rooms.length === 0)
    throw new Unsupported(
      'how many bytes are copied or set here is computed, and where is, too',
      'copy them one by one in a loop',
    );
  const most = Math.min(...rooms.map(({ size }) => size));
  lowering.spend(Math.ceil(most / 8));
  const cells = rooms.flatMap((room) => room.cells);
  const starts = new Set(cells.flatMap(({ offset, size }) => [offset + 1, offset + size]));
  // Between these numbers, all lengths take the same cells, and cut the same.
  const steps = [...starts].filter((at) => at > 0 && at <= most).sort((a, b) => a - b);
  const lengths: Lengths[] = [];
  [0, ...steps].forEach((first, i) => {
    if (cells.some(({ offset, size }) => offset < first && first < offset + size)) return;
    lengths.push({ first, last: (steps[i] ?? most + 1) - 1 });
  });
  if (lengths.length > mostLengths)
    throw new Unsupported(
      `how many bytes are copied or set here is computed, and may be ${lengths.length} numbers`,
      `copy at most ${mostLengths - 1} parts at once, or in a loop`,
    );
  return { most, lengths: lengths.filter(({ first, last }) => first <= last) };
}
