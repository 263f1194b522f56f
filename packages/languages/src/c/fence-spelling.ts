import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { BarrierFunctions } from './barrier-functions.js';
import { scanC } from './c-token.js';
import { hasKernelMacros, headersOf } from './headers-of.js';

const kernelAccess = /^(?:READ_ONCE|WRITE_ONCE|smp_\w+)$/;

/** The barrier functions and macros of a program that the spelling of a fence may use. */
export type KnownBarriers = Pick<BarrierFunctions, 'names' | 'statements'>;

export const noBarriers: KnownBarriers = { names: new Set(), statements: new Set() };

/**
 * Returns the spelling of a fence with builtin functions of clang and GCC, without a semicolon.
 * Every text can contain this expression, whatever its headers and macros.
 */
export function builtinFence(order: MemoryOrder = 'seq_cst'): string {
  return `__atomic_thread_fence(__ATOMIC_${order.toUpperCase()})`;
}

/**
 * Returns the spelling of a fence in a file, without a semicolon: according to its headers, and to
 * other fences in the file; `barriers` are the barrier functions of its program. If `use` is
 * `expression`, the spelling is an expression, and so no macro whose text is a statement.
 */
export function fenceSpelling(
  text: string,
  isPlus: boolean,
  order: MemoryOrder = 'seq_cst',
  barriers: KnownBarriers = noBarriers,
  use: 'statement' | 'expression' = 'statement',
): string {
  const tokens = scanC(text);
  const headers = headersOf(tokens);
  const words = tokens.flatMap(({ kind, text: word }) => {
    // The macros of a header may be all that it says about fences.
    if (kind === 'directive' && /^#\s*define\b/.test(word)) return word.match(/\w+/g) ?? [];
    return kind === 'word' ? [word] : [];
  });
  // A file that names orders has the header from another file.
  const namesOrders = words.some((each) => each.startsWith('memory_order_'));
  if (isPlus && (headers.has('atomic') || (namesOrders && words.includes('std'))))
    return `std::atomic_thread_fence(std::memory_order_${order})`;
  if (!isPlus && (headers.has('stdatomic.h') || namesOrders))
    return `atomic_thread_fence(memory_order_${order})`;
  if (order !== 'seq_cst') return builtinFence(order);
  // Code in the style of the kernel may define its macros itself.
  const isOfKernel = barriers.names.has('smp_mb') && words.some((each) => kernelAccess.test(each));
  const fits = use === 'statement' || !barriers.statements.has('smp_mb');
  if (fits && (hasKernelMacros(headers) || isOfKernel)) return 'smp_mb()';
  const hasSync = words.some((each) => each.startsWith('__sync_'));
  const hasAtomic = words.some((each) => each.startsWith('__atomic_'));
  return hasSync && !hasAtomic ? '__sync_synchronize()' : builtinFence();
}
