/** The number of bytes of a page. */
const pageSize = 1 << 8;
/** The entry of a byte that is uninitialised. */
const none = -1;

/**
 * Values by address: bytes, and the codes of bytes that are not chosen yet. A page of the memory
 * exists from the first value on that is stored into the page.
 */
export class BytePages {
  readonly #pages = new Map<number, Int32Array>();

  /** The value at an address; `undefined` for an uninitialised byte. */
  get(address: number): number | undefined {
    const value = this.#pages.get(Math.floor(address / pageSize))?.[address % pageSize] ?? none;
    return value === none ? undefined : value;
  }

  /** Sets `size` bytes from an address on to one value; `undefined` means uninitialised bytes. */
  fill(address: number, size: number, value: number | undefined): void {
    const end = address + size;
    for (let at = address; at < end;) {
      const first = at % pageSize;
      const last = Math.min(pageSize, first + end - at);
      const page =
        value === undefined ? this.#pages.get(Math.floor(at / pageSize)) : this.#pageOf(at);
      page?.fill(value ?? none, first, last);
      at += last - first;
    }
  }

  /** The page that contains an address. */
  #pageOf(address: number): Int32Array {
    const number = Math.floor(address / pageSize);
    const known = this.#pages.get(number);
    if (known) return known;
    const page = new Int32Array(pageSize).fill(none);
    this.#pages.set(number, page);
    return page;
  }
}
