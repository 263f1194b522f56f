import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import { scanC } from './c-token.js';
import { hasKernelMacros, headersOf } from './headers-of.js';

/**
 * Returns the spelling of a fence in a file, without a semicolon: according to its headers, and to
 * other fences in the file.
 */
export function fenceSpelling(
  text: string,
  isPlus: boolean,
  order: MemoryOrder = 'seq_cst',
): string {
  const tokens = scanC(text);
  const headers = headersOf(tokens);
  if (isPlus && headers.has('atomic'))
    return `std::atomic_thread_fence(std::memory_order_${order})`;
  if (!isPlus && headers.has('stdatomic.h')) return `atomic_thread_fence(memory_order_${order})`;
  if (order !== 'seq_cst') return `__atomic_thread_fence(__ATOMIC_${order.toUpperCase()})`;
  if (hasKernelMacros(headers)) return 'smp_mb()';
  const words = tokens.flatMap(({ kind, text: word }) => (kind === 'word' ? [word] : []));
  const hasSync = words.some((each) => each.startsWith('__sync_'));
  const hasAtomic = words.some((each) => each.startsWith('__atomic_'));
  return hasSync && !hasAtomic ? '__sync_synchronize()' : '__atomic_thread_fence(__ATOMIC_SEQ_CST)';
}
