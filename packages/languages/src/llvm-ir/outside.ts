import type { Assumption } from '@fencewright/model/program/assumption.js';
import {
  anyArgumentCount,
  blocksAgain,
  wholeChoice,
  type NumberRange,
  type Narrowings,
} from './outside-choices.js';

/**
 * The input values of the program, such as the command line, that are chosen before threads start.
 */
export class Outside {
  #choices = 0;

  constructor(
    /** By name of an input value, the bounds set by the user. */
    readonly narrowed: Narrowings,
    /**
     * The number of the first input value that `main` may not choose before threads start, as its
     * code depends on the value: from that choice on, `main` is executed as a thread. `undefined`
     * if all input values may be chosen before.
     */
    readonly handOverAt: number | undefined,
  ) {}

  /** Returns the number of the next choice of an input value. */
  next(): number {
    return this.#choices++;
  }

  /** Returns the range of an input value, given its name. */
  choiceOf(name: string): NumberRange {
    return this.narrowed[name] ?? wholeChoice(name) ?? anyArgumentCount;
  }

  /** Whether the user assumes that `malloc` never returns freed memory. */
  get areBlocksNew(): boolean {
    return this.narrowed[blocksAgain] !== undefined;
  }

  /** The assumption that the user's bounds imply; `undefined` without bounds. */
  assumptionOn(name: string): Assumption | undefined {
    const said = this.narrowed[name];
    if (!said) return undefined;
    const { low, high } = said;
    const what = name === 'argc' ? name : `${name}()`;
    return { name, text: `${what} is ${low === high ? low : `${low} to ${high}`}` };
  }

  /** Returns the hint on how the user can bound the input value. */
  hintFor(name: string): string {
    return name === 'argc'
      ? 'bound the number of arguments with the option `args`: 1, or 1..3'
      : `bound the value with the option \`assume\`: ${name}=4, or ${name}=0..4`;
  }
}
