/** How the names of one kind are made. */
interface NameStyle {
  /** Turns a name into one that can be spelt; does not change names that can. */
  readonly repair?: (name: string) => string;
  /** Names that nothing of this kind may have. */
  readonly taken?: Iterable<string>;
  /** What stands behind the `n`-th of several names that would be the same, from the second on. */
  readonly suffix?: (n: number) => string;
}

/**
 * Names of one kind (states of a thread, say) that are all different and that the format can spell.
 */
export class UniqueNames {
  /** The given names, indexed as they were given: unchanged where possible. */
  readonly names: readonly string[];
  readonly #used: Set<string>;
  /** Of each row of names that only numbers tell apart, the first number not looked at. */
  readonly #next = new Map<string, number>();
  readonly #suffix: (n: number) => string;

  constructor(wanted: readonly string[], style: NameStyle = {}) {
    const repair = style.repair ?? ((name: string) => name);
    this.#used = new Set(style.taken);
    this.#suffix = style.suffix ?? ((n) => `_${n}`);
    const kept = wanted.map((name) => repair(name) === name && this.#claim(name));
    this.names = wanted.map((name, i) => (kept[i] ? name : this.fresh(repair(name))));
  }

  /** A name not given out before: `base` itself or with a suffix. */
  fresh(base: string): string {
    if (this.#claim(base)) return base;
    return this.#firstOf(`=${base}`, 2, (n) => base + this.#suffix(n));
  }

  /** The next name of the row `base_1`, `base_2`, ... that was not given out before. */
  nextAfter(base: string): string {
    return this.#firstOf(`_${base}`, 1, (n) => `${base}_${n}`);
  }

  /** The first name of a row, from `start` on, that was not given out; `row` tells rows apart. */
  #firstOf(row: string, start: number, nameAt: (n: number) => string): string {
    for (let n = this.#next.get(row) ?? start; ; n++) {
      const name = nameAt(n);
      if (!this.#claim(name)) continue;
      // What was given out stays so: nothing before it is looked at again.
      this.#next.set(row, n + 1);
      return name;
    }
  }

  #claim(name: string): boolean {
    if (this.#used.has(name)) return false;
    this.#used.add(name);
    return true;
  }
}

/** What a format takes for a name. */
export interface Spelling {
  /**
   * What may stand nowhere in a name; each match becomes an underscore. Letters, digits and
   * underscores may where it is absent.
   */
  readonly strange?: RegExp;
  /**
   * What stands before a name that would start with something else than a letter or an underscore.
   */
  readonly prefix?: string;
  /** Words with a meaning of their own: they get an underscore behind them. */
  readonly isReserved?: (word: string) => boolean;
}

/** The name as the format can spell it; one that it can stays. */
export function spelt(
  name: string,
  { strange = /[^A-Za-z0-9_]+/g, prefix = '_', isReserved = () => false }: Spelling,
): string {
  const letters = name.replace(strange, '_');
  const word = /^[A-Za-z_]/.test(letters) ? letters : prefix + letters;
  return isReserved(word) ? `${word}_` : word;
}
