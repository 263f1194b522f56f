import { checkNoAddress } from './address-numbers.js';
import type { ByteMemory } from './memory.js';
import { Unsupported } from './unsupported.js';

const conversion = /%(?:%|([-+ #0]*)(\d*)(?:\.(\d*))?(?:(hh|h|ll|l|j|z|t)?([diouxX])|([cs])))/g;
const widths: Readonly<Record<string, number>> = {
  hh: 8,
  h: 16,
  l: 64,
  ll: 64,
  j: 64,
  z: 64,
  t: 64,
};

const hint = 'write a text without computed values, or write its characters one by one';

/**
 * Returns the text that `snprintf` writes for a format of integers, characters and texts. An
 * operand is `undefined` if its value is unknown. Throws `Unsupported` for other formats, unknown
 * values, and pointers printed as numbers.
 */
export function formattedText(
  format: string,
  operands: readonly (bigint | undefined)[],
  textAt: (address: number) => string,
  memory: ByteMemory,
): string {
  if (format.replace(conversion, '').includes('%'))
    throw new Unsupported(`the format '${format}' has no model`, hint);
  let next = 0;
  return format.replace(
    conversion,
    (
      _,
      flags: string,
      width?: string,
      precision?: string,
      size?: string,
      number?: string,
      text?: string,
    ) => {
      if (number === undefined && text === undefined) return '%';
      const operand = operands[next++];
      if (operand === undefined)
        throw new Unsupported('a value that is written into a text is not known here', hint);
      if (number !== undefined) checkNoAddress(memory, operand);
      const body =
        number !== undefined
          ? digitsOf(operand, widths[size ?? ''] ?? 32, number, flags, precision)
          : text === 'c'
            ? String.fromCharCode(Number(BigInt.asUintN(8, operand)))
            : cut(operand === 0n ? undefined : textAt(Number(operand)), precision);
      return padded(body, flags, Number(width), text !== undefined, precision);
    },
  );
}

/**
 * The first characters of a text, as many as `precision`, or all without it. For a null pointer,
 * given as `undefined`, glibc writes all of `(null)` or nothing.
 */
function cut(text: string | undefined, precision: string | undefined): string {
  const most = precision === undefined ? Infinity : Number(precision);
  return text === undefined ? (most < 6 ? '' : '(null)') : text.slice(0, most);
}

/** The sign and the digits of a number, with at least `precision` digits. */
function digitsOf(
  operand: bigint,
  bits: number,
  letter: string,
  flags: string,
  precision: string | undefined,
): string {
  const isSigned = letter === 'd' || letter === 'i';
  const value = isSigned ? BigInt.asIntN(bits, operand) : BigInt.asUintN(bits, operand);
  const size = value < 0n ? -value : value;
  const base = { o: 8, x: 16, X: 16 }[letter] ?? 10;
  const least = precision === undefined ? 1 : Number(precision);
  const bare = size === 0n && least === 0 ? '' : size.toString(base).padStart(least, '0');
  const digits = letter === 'X' ? bare.toUpperCase() : bare;
  if (isSigned) {
    const plus = flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
    return `${value < 0n ? '-' : plus}${digits}`;
  }
  if (!flags.includes('#')) return digits;
  if (letter === 'o') return digits.startsWith('0') ? digits : `0${digits}`;
  return base === 16 && value !== 0n ? `0${letter}${digits}` : digits;
}

/**
 * The text `body`, padded to the width by spaces or, for numbers without a precision, by zeros
 * after sign and prefix; `isText`: the text is no number.
 */
function padded(
  body: string,
  flags: string,
  width: number,
  isText: boolean,
  precision: string | undefined,
): string {
  if (flags.includes('-')) return body.padEnd(width);
  if (!flags.includes('0') || isText || precision !== undefined) return body.padStart(width);
  const [head = ''] = /^[-+ ]?(?:0[xX])?/.exec(body) ?? [];
  return head + body.slice(head.length).padStart(width - head.length, '0');
}

/** The indices of the operands of a function that writes a text into memory. */
export interface WritingText {
  /** The index of the operand with the capacity in bytes; absent if the capacity is unlimited. */
  readonly size?: number;
  readonly format: number;
}

/** The functions that write a text into memory, by name. */
export const writingText: ReadonlyMap<string, WritingText> = new Map<string, WritingText>([
  ['snprintf', { size: 1, format: 2 }],
  ['sprintf', { format: 1 }],
]);

/** The bytes stored by a function that writes `text`; the last byte is 0. */
export function bytesOfText(text: string, capacity = Infinity): readonly number[] {
  if (capacity === 0) return [];
  const written = text.slice(0, capacity - 1);
  return [...Array.from({ length: written.length }, (_, i) => written.charCodeAt(i)), 0];
}
