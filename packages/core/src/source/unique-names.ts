/** Names of one kind (states of a thread, say) that are all different and that the format can spell. */
export class UniqueNames {
  /** The given names, indexed as they were given: unchanged where possible. */
  readonly names: readonly string[];
  readonly #used = new Set<string>();
  readonly #suffix: (n: number) => string;

  /**
   * `repair` turns a name into one that can be spelt; it does not change names that can. `suffix` is what stands behind the `n`-th
   * name that should be the same, from the second on.
   */
  constructor(
    wanted: readonly string[],
    repair: (name: string) => string = (name) => name,
    suffix: (n: number) => string = (n) => `_${n}`,
  ) {
    this.#suffix = suffix;
    const kept = wanted.map((name) => repair(name) === name && this.#claim(name));
    this.names = wanted.map((name, i) => (kept[i] ? name : this.fresh(repair(name))));
  }

  /** A name not given out before: `base` itself or with a suffix. */
  fresh(base: string): string {
    let name = base;
    for (let n = 2; !this.#claim(name); n++) name = base + this.#suffix(n);
    return name;
  }

  /** The next name of the row `base_1`, `base_2`, ... that was not given out before. */
  nextAfter(base: string): string {
    for (let i = 1; ; i++) {
      const name = `${base}_${i}`;
      if (this.#claim(name)) return name;
    }
  }

  #claim(name: string): boolean {
    if (this.#used.has(name)) return false;
    this.#used.add(name);
    return true;
  }
}
