import { statementsOf } from './assembly-access.js';
import { Unsupported } from './unsupported.js';

const nothingAtAll = /^(?:[sl]fence|pause|nop|rep|rep nop)$/;
const full = /^(?:mfence|lock (?:addl|orl|addq|orq)\s+\$*0\s*,\s*-?[0-9]*\(%[re]sp\))$/;

/**
 * What a text of inline assembly for x86 does to the order of accesses. Throws `Unsupported` for
 * all but fences, hints and nothing.
 */
export function assemblyEffect(text: string): 'fence' | 'nothing' {
  const statements = statementsOf(text);
  if (statements.every((each) => full.test(each) || nothingAtAll.test(each)))
    return statements.some((each) => full.test(each)) ? 'fence' : 'nothing';
  throw new Unsupported(
    `inline assembly "${text}" is not known`,
    'known are fences, pause, nop, and xchg, lock xadd, cmpxchg, add, inc and the like on one cell; else use __atomic builtins',
  );
}
