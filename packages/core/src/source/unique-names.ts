/** Names of one kind (states of a thread, say) that are all different and that the format can spell. */
export class UniqueNames {
  /** The given names, indexed as they were given: unchanged where possible. */
  readonly names: readonly string[];
  readonly #used = new Set<string>();

  /** `repair` turns a name into one that can be spelt; it does not change names that can. */
  constructor(wanted: readonly string[], repair: (name: string) => string) {
    const kept = wanted.map((name) => repair(name) === name && this.#claim(name));
    this.names = wanted.map((name, i) => (kept[i] ? name : this.fresh(repair(name))));
  }

  /** A name not given out before: `base` itself or with a number appended. */
  fresh(base: string): string {
    let name = base;
    for (let i = 2; !this.#claim(name); i++) name = `${base}_${i}`;
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
