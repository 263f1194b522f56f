import type { Shows } from './outputs.js';
import { Unsupported } from './unsupported.js';

/** The treatment of one operand by a format of `printf`. */
export interface PrintfConversion {
  readonly shows: Shows;
  readonly isUnsigned: boolean;
}

const conversion =
  /%(?:%|[-+ #0']*(\*|\d+)?(?:\.(\*|\d*))?(?:hh|h|ll|l|j|z|t|L|q)?([diouxXcspnaAeEfFgG]))/g;
const number: PrintfConversion = { shows: 'number', isUnsigned: false };

/**
 * The treatment of the operands by a format, in order; `undefined` for an unknown format. Throws
 * `Unsupported` for a format that stores to an operand.
 */
export function conversionsIn(format: string): readonly PrintfConversion[] | undefined {
  const found = [...format.matchAll(conversion)];
  if (format.replace(conversion, '').includes('%')) return undefined;
  return found.flatMap(([, width, precision, letter]): readonly PrintfConversion[] => {
    if (letter === 'n')
      throw new Unsupported(
        "'%n' in a format stores to memory, which has no model",
        'count the printed characters in another way',
      );
    const stars = [width, precision].filter((each) => each === '*').map(() => number);
    return letter === undefined ? stars : [...stars, conversionOf(letter)];
  });
}

function conversionOf(letter: string): PrintfConversion {
  if (letter === 's') return { shows: 'text', isUnsigned: false };
  if (letter === 'p') return { shows: 'pointer', isUnsigned: false };
  return { shows: 'number', isUnsigned: /[ouxX]/.test(letter) };
}
