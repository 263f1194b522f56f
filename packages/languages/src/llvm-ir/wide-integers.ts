import { halvesOf, numberIfKnown, ofHalves, pieceOf, wholeValue } from './integer-pieces.js';
import { Unsupported } from './unsupported.js';
import {
  binaryValue,
  compareValues,
  convertValue,
  numberValue,
  type LoweredValue,
} from './value.js';

/*
 * Integers of 128 bits as pairs of 64 bits: joining two words, extracting the words, and
 * comparison.
 */

const zero = numberValue(0);

const bothKnown = (...values: readonly LoweredValue[]): boolean =>
  values.every((value) => numberIfKnown(value).kind === 'number');

/**
 * The result of an LLVM operation, given by name. Throws `Unsupported` for operations that mix the
 * halves.
 */
export function wideBinary(
  operation: string,
  left: LoweredValue,
  right: LoweredValue,
): LoweredValue {
  if (bothKnown(left, right))
    return binaryValue(operation, 128, numberIfKnown(left), numberIfKnown(right), false);
  const [low, high] = halvesOf(left);
  switch (operation) {
    case 'and':
    case 'or':
    case 'xor': {
      const [otherLow, otherHigh] = halvesOf(right);
      return ofHalves(
        binaryValue(operation, 64, low, otherLow, false),
        binaryValue(operation, 64, high, otherHigh, false),
      );
    }
    case 'shl':
    case 'lshr':
    case 'ashr': {
      const distance = numberIfKnown(right);
      if (distance.kind !== 'number' || distance.number !== 64n) break;
      if (operation === 'shl') return ofHalves(zero, low);
      const above =
        operation === 'lshr' ? zero : binaryValue('ashr', 64, high, numberValue(63), false);
      return ofHalves(high, above);
    }
    default:
  }
  throw new Unsupported(
    `'${operation}' of 128 bits is not supported`,
    'combine and split the two halves by shifts of 64 bits, or use a structure',
  );
}

/**
 * Whether the integers are equal (or, for `ne`, different): 0 or 1. Throws `Unsupported` for other
 * relations.
 */
export function wideCompare(
  relation: string,
  left: LoweredValue,
  right: LoweredValue,
): LoweredValue {
  if (bothKnown(left, right))
    return compareValues(relation, 128, numberIfKnown(left), numberIfKnown(right));
  if (relation !== 'eq' && relation !== 'ne')
    throw new Unsupported('integers of 128 bits can only be compared with == and !=');
  const [one, other] = [halvesOf(left), halvesOf(right)];
  const [low, high] = [0, 1].map((i) => compareValues(relation, 64, one[i]!, other[i]!));
  return binaryValue(relation === 'eq' ? 'and' : 'or', 1, low!, high!, false);
}

/**
 * The integer of `from` bits converted to `to` bits; one of the two is 128. Throws `Unsupported`.
 */
export function convertWide(
  operation: string,
  from: number,
  to: number,
  operand: LoweredValue,
): LoweredValue {
  if (from === to) return operand;
  if (from === 128) {
    const piece = wholeValue(pieceOf(operand, 16, { offset: 0, size: 8 }));
    return to === 64 ? piece : convertValue('trunc', 64, to, piece);
  }
  const low = from === 64 ? wholeValue(operand) : convertValue(operation, from, 64, operand);
  const isSigned = operation === 'sext';
  return ofHalves(low, isSigned ? binaryValue('ashr', 64, low, numberValue(63), false) : zero);
}
