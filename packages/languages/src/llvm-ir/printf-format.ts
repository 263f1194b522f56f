import type { Shows } from './outputs.js';
import type { IrType } from './syntax.js';
import { Unsupported } from './unsupported.js';

/** How a format of `printf` prints one operand. */
export interface PrintfConversion {
  readonly shows: Shows;
  readonly isUnsigned: boolean;
  /** The type of the operand as it is passed behind `...`. */
  readonly type: IrType;
}

const conversion =
  /%(?:%|[-+ #0']*(\*|\d+)?(?:\.(\*|\d*))?(hh|h|ll|l|j|z|t|L|q)?([diouxXcspnaAeEfFgG]))/g;
const int: IrType = { kind: 'int', bits: 32 };
const number: PrintfConversion = { shows: 'number', isUnsigned: false, type: int };

/**
 * How the format prints each operand, in order; `undefined` for an unknown format. Throws
 * `Unsupported` for a format that stores to an operand.
 */
export function conversionsIn(format: string): readonly PrintfConversion[] | undefined {
  const found = [...format.matchAll(conversion)];
  if (format.replace(conversion, '').includes('%')) return undefined;
  return found.flatMap(([, width, precision, length, letter]): readonly PrintfConversion[] => {
    if (letter === 'n')
      throw new Unsupported(
        "'%n' in a format stores to memory, which has no model",
        'count the printed characters in another way',
      );
    const stars = [width, precision].filter((each) => each === '*').map(() => number);
    return letter === undefined ? stars : [...stars, conversionOf(letter, length)];
  });
}

function conversionOf(letter: string, length: string | undefined): PrintfConversion {
  const pointer: IrType = { kind: 'pointer' };
  if (letter === 's') return { shows: 'text', isUnsigned: false, type: pointer };
  if (letter === 'p') return { shows: 'pointer', isUnsigned: false, type: pointer };
  const isUnsigned = /[ouxX]/.test(letter);
  return { shows: 'number', isUnsigned, type: typeOfNumber(letter, length) };
}

function typeOfNumber(letter: string, length: string | undefined): IrType {
  if (/[aefg]/i.test(letter))
    return { kind: 'other', text: length === 'L' ? 'x86_fp80' : 'double' };
  const isLong = length !== undefined && !length.startsWith('h');
  return isLong && letter !== 'c' ? { kind: 'int', bits: 64 } : int;
}
