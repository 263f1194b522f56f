import type { FetchOperator } from '../operators.js';
import { type Int, ite, less, minus, operate, plus } from './terms.js';

/** The operators of the instruction `fetch` as terms; compare `fetchOperations`. */
export const fetchTerms: Readonly<Record<FetchOperator, (old: Int, operand: Int) => Int>> = {
  add: plus,
  sub: minus,
  add32: (a, b) => operate('+%', a, b),
  sub32: (a, b) => operate('-%', a, b),
  and: (a, b) => operate('&', a, b),
  or: (a, b) => operate('|', a, b),
  xor: (a, b) => operate('^', a, b),
  max: (a, b) => ite(less(b, a), a, b),
  min: (a, b) => ite(less(a, b), a, b),
};
