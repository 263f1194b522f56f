import { isRegisterName } from './parse-operand.js';

/**
 * Returns the name without blanks and control characters, which a word of the format cannot
 * contain.
 */
export function repairWord(name: string): string {
  return name.replace(/[^!-~\u0080-\uffff]+/g, '_') || '_';
}

/** Returns a similar name that is not read as a number or an operator. */
export function repairRegister(name: string): string {
  const word = repairWord(name);
  return isRegisterName(word) ? word : `r_${word}`;
}
