/** How the names of one kind in a format are made valid and distinct. */
interface NameStyle {
  /** Returns the name in a form that is valid in the format; a valid name is unchanged. */
  readonly repair?: (name: string) => string;
  /** Names that must not be used. */
  readonly taken?: Iterable<string>;
  /**
   * Returns the suffix by which the `n`-th of several equal names is distinguished, from the second
   * on.
   */
  readonly suffix?: (n: number) => string;
}

/** Makes names of one kind (states of a thread, say) pairwise different and valid in a format. */
export class UniqueNames {
  /**
   * The distinct names, valid in the format, in the order of the given names; names are unchanged
   * where possible.
   */
  readonly names: readonly string[];
  readonly #used: Set<string>;
  /**
   * For each sequence of numbered names, by its first words, the first number that has not been
   * tried.
   */
  readonly #next = new Map<string, number>();
  readonly #suffix: (n: number) => string;

  constructor(wanted: readonly string[], style: NameStyle = {}) {
    const repair = style.repair ?? ((name: string) => name);
    this.#used = new Set(style.taken);
    this.#suffix = style.suffix ?? ((n) => `_${n}`);
    const kept = wanted.map((name) => repair(name) === name && this.#claim(name));
    this.names = wanted.map((name, i) => (kept[i] ? name : this.fresh(repair(name))));
  }

  /** Returns a name not used before: `base` itself or with a suffix. */
  fresh(base: string): string {
    if (this.#claim(base)) return base;
    return this.#firstOf(`=${base}`, 2, (n) => base + this.#suffix(n));
  }

  /** Returns the first name not used before in the sequence `base_1`, `base_2`, ... */
  nextAfter(base: string): string {
    return this.#firstOf(`_${base}`, 1, (n) => `${base}_${n}`);
  }

  /**
   * Returns the first name not used before in the sequence `nameAt(start)`, `nameAt(start + 1)`,
   * ...; `row` identifies the sequence.
   */
  #firstOf(row: string, start: number, nameAt: (n: number) => string): string {
    for (let n = this.#next.get(row) ?? start; ; n++) {
      const name = nameAt(n);
      if (!this.#claim(name)) continue;
      // Used names stay used, so earlier numbers need not be tried again.
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

/** The syntax of names in a format. */
export interface Spelling {
  /**
   * The characters forbidden in names; each match becomes an underscore. Default: everything except
   * letters, digits and underscores.
   */
  readonly strange?: RegExp;
  /** The prefix for names that would not start with a letter or an underscore; `_` by default. */
  readonly prefix?: string;
  /**
   * Whether a word is reserved in the format: names equal to such a word get an underscore as
   * suffix.
   */
  readonly isReserved?: (word: string) => boolean;
}

/** Returns the name, changed if necessary to be valid in the format. */
export function spelt(
  name: string,
  { strange = /[^A-Za-z0-9_]+/g, prefix = '_', isReserved = () => false }: Spelling,
): string {
  const letters = name.replace(strange, '_');
  const word = /^[A-Za-z_]/.test(letters) ? letters : prefix + letters;
  return isReserved(word) ? `${word}_` : word;
}
