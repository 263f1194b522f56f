import { Unsupported } from './unsupported.js';

const nothingAtAll = /^(?:|[sl]fence|pause|nop|rep;?\s*nop)$/;
const full = /^(?:mfence|lock;?\s*(?:addl|orl|addq|orq)\s+\$*0\s*,\s*-?[0-9]*\(%[re]sp\))$/;

/**
 * What a text of inline assembly for x86 does to the order of accesses. Throws `Unsupported` for
 * all but fences, hints and nothing.
 */
export function assemblyEffect(text: string): 'fence' | 'nothing' {
  // The IR has `\0A` for a new line and `\09` for a tab.
  const plain = text.replaceAll(/\\0[9ADad]/g, (code) => (code.endsWith('9') ? ' ' : '\n'));
  const whole = plain.trim();
  if (full.test(whole)) return 'fence';
  const parts = whole.split(/\n|;/).map((part) => part.trim());
  const joined = whole.replaceAll(/lock\s*;\s*/g, 'lock ').split(/\n|;/);
  if (joined.every((part) => full.test(part.trim()) || nothingAtAll.test(part.trim())))
    return joined.some((part) => full.test(part.trim())) ? 'fence' : 'nothing';
  if (nothingAtAll.test(whole) || parts.every((part) => nothingAtAll.test(part))) return 'nothing';
  throw new Unsupported(
    `inline assembly "${text}" is not known`,
    'known are mfence, lock addl $0 and orl $0 to the stack, pause, nop, sfence, lfence, and the empty one',
  );
}
