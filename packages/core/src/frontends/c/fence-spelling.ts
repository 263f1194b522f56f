import { scanC } from './c-token.js';

/**
 * How a full fence is written in a file, without a semicolon: as its headers allow, and as the file
 * does it elsewhere.
 */
export function fenceSpelling(text: string, isPlus: boolean): string {
  const headers = new Set<string>();
  const words = new Set<string>();
  for (const { kind, text: token } of scanC(text)) {
    if (kind === 'word') words.add(token);
    const header =
      kind === 'directive' ? /^#\s*include\s*[<"]([^>"]+)[>"]/.exec(token)?.[1] : undefined;
    if (header !== undefined) headers.add(header);
  }
  if (isPlus && headers.has('atomic')) return 'std::atomic_thread_fence(std::memory_order_seq_cst)';
  if (!isPlus && headers.has('stdatomic.h')) return 'atomic_thread_fence(memory_order_seq_cst)';
  if ([...headers].some((each) => /^(?:linux|asm)\/|^lkmm\.h$/.test(each))) return 'smp_mb()';
  const hasSync = [...words].some((each) => each.startsWith('__sync_'));
  const hasAtomic = [...words].some((each) => each.startsWith('__atomic_'));
  return hasSync && !hasAtomic ? '__sync_synchronize()' : '__atomic_thread_fence(__ATOMIC_SEQ_CST)';
}
