import { atEachValue } from './asked-values.js';
import { binary, type Expression } from '@fencewright/model/program/expression.js';
import type { Lowering } from './lowering.js';
import type { CellPart, LoweredValue } from './value.js';
import { compareValues, nothing, numberValue, toExpression } from './value.js';
import { Unsupported } from './unsupported.js';

/** The maximum number of alternatives for one computed length. */
const mostLengths = 33;

/**
 * The rest of an object from the address in a pointer on: the number of bytes, and the cells with
 * offsets from the pointer.
 */
export interface Room {
  readonly size: number;
  readonly cells: readonly CellPart[];
}

/** A range of lengths in bytes, from `first` to `last`, all of which cover the same cells. */
interface Lengths {
  readonly first: number;
  readonly last: number;
}

/** The largest possible length, and the ranges of lengths with equal sets of covered cells. */
interface Ways {
  readonly most: number;
  /** The ranges of lengths, in ascending order. A length between two ranges ends inside a cell. */
  readonly lengths: readonly Lengths[];
}

/**
 * Copies or sets a computed number of bytes: `run` is called for one length of each range of
 * lengths that cover the same cells. A length beyond the objects is a fault of the program; a
 * length that ends inside a cell is a limit of the model. If there are too many ranges, `run` is
 * called for each possible value of the length. Throws `Unsupported` if there are too many values.
 */
export function inEachLength(
  lowering: Lowering,
  length: LoweredValue,
  rooms: readonly Room[],
  run: (length: LoweredValue) => void,
): LoweredValue {
  const found = waysOf(lowering, rooms);
  if (found instanceof Unsupported)
    return atEachValue(lowering, length, '.length', found, (known) => {
      run(known);
      return nothing;
    });
  const { most, lengths } = found;
  const is = (relation: string, number: number): Expression =>
    toExpression(compareValues(relation, 64, length, numberValue(number)));
  const assume = (condition: Expression): void => {
    lowering.emit({ kind: 'assume', condition });
  };
  const within = ({ first, last }: Lengths): Expression =>
    first === last ? is('eq', first) : binary('&&', is('uge', first), is('ule', last));
  const ways = lengths.map((each) => (): LoweredValue => {
    assume(within(each));
    run(numberValue(each.last));
    return nothing;
  });
  const isCut = lengths
    .slice(1)
    .map(({ first }, i) => ({ first: lengths[i]!.last + 1, last: first - 1 }));
  const cut = isCut
    .filter(({ first, last }) => first <= last)
    .map((each) => (): LoweredValue => {
      assume(within(each));
      const said = 'the bytes copied or set here end in the middle of a number';
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

/**
 * The ranges of lengths that cover the same cells in each of `rooms`, the rests of the objects; a
 * refusal if there are too many ranges.
 */
function waysOf(lowering: Lowering, rooms: readonly Room[]): Ways | Unsupported {
  if (rooms.length === 0)
    return new Unsupported(
      'both the address and the number of the bytes copied or set here are computed',
      'copy the bytes one by one in a loop',
    );
  const most = Math.min(...rooms.map(({ size }) => size));
  lowering.spend(Math.ceil(most / 8));
  const cells = rooms.flatMap((room) => room.cells);
  const starts = new Set(cells.flatMap(({ offset, size }) => [offset + 1, offset + size]));
  // Between two neighbouring numbers, all lengths cover the same cells and cut the same cell.
  const steps = [...starts].filter((at) => at > 0 && at <= most).sort((a, b) => a - b);
  const lengths: Lengths[] = [];
  [0, ...steps].forEach((first, i) => {
    if (cells.some(({ offset, size }) => offset < first && first < offset + size)) return;
    lengths.push({ first, last: (steps[i] ?? most + 1) - 1 });
  });
  if (lengths.length > mostLengths)
    return new Unsupported(
      `the number of bytes copied or set here is computed and has ${lengths.length} possible values`,
      `copy at most ${mostLengths - 1} parts at once, or in a loop`,
    );
  return { most, lengths: lengths.filter(({ first, last }) => first <= last) };
}
