/**
 * The `malloc` blocks of which threads copy or set bytes that no other statement accesses. Such
 * bytes are no cells, so their copies are no steps: no value depends on the bytes, but accesses to
 * the bytes may be part of a cycle.
 */
export class UnnamedBytes {
  /**
   * By thread, the addresses of blocks with bytes copied or set by the thread and accessed by no
   * other statement.
   */
  readonly #blocks = new Map<number, Set<number | 'unknown'>>();

  /**
   * Notes that a thread copies or sets bytes of the block at an address; no other statement
   * accesses these bytes.
   */
  note(thread: number, block: number | 'unknown'): void {
    const blocks = this.#blocks.get(thread) ?? new Set();
    this.#blocks.set(thread, blocks.add(block));
  }

  /**
   * Whether two threads may copy or set bytes, which no other statement accesses, of one block;
   * `isCopied`: whether a thread of the program may represent several.
   */
  areShared(isCopied: boolean): boolean {
    const threads = [...this.#blocks.values()];
    if (isCopied) return threads.length > 0;
    const meet = (one: ReadonlySet<number | 'unknown'>, other: typeof one): boolean =>
      one.has('unknown') || other.has('unknown') || [...one].some((block) => other.has(block));
    return threads.some((one, i) => threads.slice(i + 1).some((other) => meet(one, other)));
  }
}
