import { isRegisterName } from './parse-operand.js';

/** Returns the name without blanks and control characters. */
export function repairWord(name: string): string {
  return name.replace(/[^!-~\u0080-\uffff]+/g, '_') || '_';
}

/** Changes the name so as not to look like a number or an operator. */
export function repairRegister(name: string): string {
  const word = repairWord(name);
  return isRegisterName(word) ? word : `r_${word}`;
}
