import { isRegisterName } from './parse-operand.js';

/** The name without blanks and control characters. */
export function repairWord(name: string): string {
  return name.replace(/[^!-~\u0080-\uffff]+/g, '_') || '_';
}

/** The name as one that cannot be taken for a number or an operator. */
export function repairRegister(name: string): string {
  const word = repairWord(name);
  return isRegisterName(word) ? word : `r_${word}`;
}
