/**
 * The content of a load buffer, oldest first, as numbers: letters `(x, v)` propagated from memory,
 * and `own(x, v)` for the thread's own stores.
 */
export type Word = readonly number[];
export type Letter = number;

const valuesPerCell = 64;

export function letter(cell: number, value: number, isOwn: boolean): Letter {
  return (cell * valuesPerCell + value) * 2 + (isOwn ? 1 : 0);
}

export function isOwn(one: Letter): boolean {
  return (one & 1) === 1;
}

export function letterCell(one: Letter): number {
  return Math.floor(one / (2 * valuesPerCell));
}

export function valueOf(one: Letter): number {
  return (one >> 1) % valuesPerCell;
}

/**
 * Whether the letter `one` of a load buffer may stand for `other`: the two have equal cells and
 * values, and `other` is an own letter if `one` is.
 */
export function isBelow(one: Letter, other: Letter): boolean {
  return one === other || ((other & 1) === 1 && one === other - 1);
}

/**
 * Whether `word` results from `larger` by leaving out letters and by replacing own letters by plain
 * letters.
 */
export function isSubword(word: Word, larger: Word): boolean {
  let next = 0;
  for (let i = 0; i < larger.length && next < word.length; i++)
    if (isBelow(word[next]!, larger[i]!)) next++;
  return next === word.length;
}

/** Returns the index of the first letter about a cell in a load buffer; -1 if there is none. */
export function firstOn(word: Word, cell: number): number {
  return word.findIndex((one) => letterCell(one) === cell);
}

/**
 * Returns the value of the thread's own letter about a cell in the load buffer; `undefined` if
 * there is none.
 */
export function ownValue(word: Word, cell: number): number | undefined {
  const own = word.find((one) => isOwn(one) && letterCell(one) === cell);
  return own === undefined ? undefined : valueOf(own);
}
