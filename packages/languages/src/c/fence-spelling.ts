import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import { scanC } from './c-token.js';
import { hasKernelMacros, headersOf } from './headers-of.js';

const kernelAccess = /^(?:READ_ONCE|WRITE_ONCE|smp_\w+)$/;

/**
 * Returns the spelling of a fence in a file, without a semicolon: according to its headers, and to
 * other fences in the file; `barriers` are the names of the barrier functions of its program.
 */
export function fenceSpelling(
  text: string,
  isPlus: boolean,
  order: MemoryOrder = 'seq_cst',
  barriers: ReadonlySet<string> = new Set(),
): string {
  const tokens = scanC(text);
  const headers = headersOf(tokens);
  const words = tokens.flatMap(({ kind, text: word }) => (kind === 'word' ? [word] : []));
  // A file that names orders has the header from another file.
  const namesOrders = words.some((each) => each.startsWith('memory_order_'));
  if (isPlus && (headers.has('atomic') || (namesOrders && words.includes('std'))))
    return `std::atomic_thread_fence(std::memory_order_${order})`;
  if (!isPlus && (headers.has('stdatomic.h') || namesOrders))
    return `atomic_thread_fence(memory_order_${order})`;
  if (order !== 'seq_cst') return `__atomic_thread_fence(__ATOMIC_${order.toUpperCase()})`;
  // Code in the style of the kernel may define its macros itself.
  const isOfKernel = barriers.has('smp_mb') && words.some((each) => kernelAccess.test(each));
  if (hasKernelMacros(headers) || isOfKernel) return 'smp_mb()';
  const hasSync = words.some((each) => each.startsWith('__sync_'));
  const hasAtomic = words.some((each) => each.startsWith('__atomic_'));
  return hasSync && !hasAtomic ? '__sync_synchronize()' : '__atomic_thread_fence(__ATOMIC_SEQ_CST)';
}
