import { SeededRandom } from '@fencewright/ground/base/random.js';

/** Makes random choices for a program, and records the kinds of its parts. */
export class Dice {
  readonly #random: SeededRandom;
  /** The kinds of parts that the program contains so far. */
  readonly kinds = new Set<string>();

  constructor(seed: number) {
    this.#random = new SeededRandom(Math.imul(seed + 1, 0x9e3779b1));
    for (let i = 0; i < 4; i++) this.#random.next();
  }

  below(bound: number): number {
    return this.#random.below(bound);
  }

  chance(share: number): boolean {
    return this.#random.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** Returns an entry of the list, chosen by weight. */
  weighed<T>(list: readonly (readonly [number, T])[]): T {
    let left = this.#random.next() * list.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, one] of list) {
      left -= weight;
      if (left < 0) return one;
    }
    return list.at(-1)![1];
  }

  note(kind: string): void {
    this.kinds.add(kind);
  }
}

/** A group of program parts that a campaign may leave out. */
export type Group = 'environment' | 'blocks' | 'null';

/** A shared variable of the program, and the expression that denotes it. */
export interface TextCell {
  readonly name: string;
  /** The expression that denotes the variable, not always its name. */
  readonly place: string;
  readonly isAtomic: boolean;
  readonly isVolatile: boolean;
  /** The type of the number that the variable holds. */
  readonly type: string;
  /** Whether the variable has an address; bit fields have none. */
  readonly hasAddress: boolean;
}

/** The text of a program with the kinds of its parts, and the values to observe after its end. */
export interface RandomText {
  readonly text: string;
  readonly language: 'c' | 'cpp';
  readonly kinds: ReadonlySet<string>;
  /** The expressions over globals whose values are observed. */
  readonly observed: readonly string[];
  readonly argumentCounts: readonly number[];
  /** By name, known values from outside: results of library functions, or `argc`. */
  readonly given?: Readonly<Record<string, number>>;
  /** By name that the tool gives to a value, an observed expression with an equal value. */
  readonly named?: Readonly<Record<string, string>>;
  /**
   * The names of cells that a single thread accesses and that the tool must show if they may
   * differ.
   */
  readonly shown?: readonly string[];
  /** The names of assumptions that the tool's answer must state, unless the program is refused. */
  readonly assumed?: readonly string[];
  /**
   * Whether an assertion at the end asks for a final state. If not, no step looks at the cells that
   * only one thread accesses.
   */
  readonly isAsked?: boolean;
}

/** Returns a statement that prints `@` and then the observed values. */
export function lookLine(observed: readonly string[]): string {
  const values = observed.map((expression) => `, (int)(${expression})`).join('');
  return `printf("@${observed.map(() => '%d').join(' ')}\\n"${values});`;
}

/** Returns the values printed by `lookLine`, from a line that may begin with other output. */
export function lookedAt(output: string): string | undefined {
  return /@(.*)$/m.exec(output)?.[1];
}
