import { SeededRandom } from '@fencewright/ground/base/random.js';

/** Chances, and what a program came to use by them. */
export class Dice {
  readonly #random: SeededRandom;
  /** Kinds of things that were put into the program. */
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

  /** One of some, by their weights. */
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

/** Kinds of things that a campaign may leave out. */
export type Group = 'environment' | 'blocks' | 'null';

/** A cell of the program, and how the text speaks of it. */
export interface TextCell {
  readonly name: string;
  /** What stands in the text for it; not always the name. */
  readonly place: string;
  readonly isAtomic: boolean;
  readonly isVolatile: boolean;
  /** The kind of number that it holds. */
  readonly type: string;
  /** Fields of bits have no address. */
  readonly hasAddress: boolean;
}

/** A program, the kinds that it is of, and what is to be looked at when it has ended. */
export interface RandomText {
  readonly text: string;
  readonly language: 'c' | 'cpp';
  readonly kinds: ReadonlySet<string>;
  /** Expressions over globals. */
  readonly observed: readonly string[];
  readonly argumentCounts: readonly number[];
  /** What values from outside are said to be, by name: functions of the library, or `argc`. */
  readonly given?: Readonly<Record<string, number>>;
  /** By what the tool calls it, an expression that is observed and the same. */
  readonly named?: Readonly<Record<string, string>>;
  /** Cells that one thread alone has, and that the tool has to show where they may differ. */
  readonly shown?: readonly string[];
  /** What the tool has to say that it takes for granted, where it does not refuse. */
  readonly assumed?: readonly string[];
  /** Where not, nothing is asserted at the end, so that nobody looks at what threads have alone. */
  readonly isAsked?: boolean;
}

/** A statement that prints what is observed, with a mark before. */
export function lookLine(observed: readonly string[]): string {
  const values = observed.map((expression) => `, (int)(${expression})`).join('');
  return `printf("@${observed.map(() => '%d').join(' ')}\\n"${values});`;
}

/** What such a statement has printed, behind whatever else stands in the line. */
export function lookedAt(output: string): string | undefined {
  return /@(.*)$/m.exec(output)?.[1];
}
