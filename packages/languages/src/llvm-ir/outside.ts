import type { Assumption } from '@fencewright/model/program/assumption.js';
import {
  anyArgumentCount,
  blocksAgain,
  wholeChoice,
  type Choice,
  type Narrowings,
} from './outside-choices.js';

/** The values that the program gets from outside, as far as they come up before threads. */
export class Outside {
  #choices = 0;

  constructor(
    /** What the user says. */
    readonly narrowed: Narrowings,
    /** The choice from which `main` is a thread, where some value has to be known. */
    readonly handOverAt: number | undefined,
  ) {}

  /** The number of the next choice. */
  next(): number {
    return this.#choices++;
  }

  /** What the value may be. */
  choiceOf(name: string): Choice {
    return this.narrowed[name] ?? wholeChoice(name) ?? anyArgumentCount;
  }

  /** `malloc` gives no memory again that was given back. */
  get areBlocksNew(): boolean {
    return this.narrowed[blocksAgain] !== undefined;
  }

  /** What is taken for granted of the value; `undefined` where nothing is. */
  assumptionOn(name: string): Assumption | undefined {
    const said = this.narrowed[name];
    if (!said) return undefined;
    const { low, high } = said;
    const what = name === 'argc' ? name : `${name}()`;
    return { name, text: `${what} is ${low === high ? low : `${low} to ${high}`}` };
  }

  /** How a user can say what the value is. */
  hintFor(name: string): string {
    return name === 'argc'
      ? 'the option `args` says how many there are: 1, or 1..3'
      : `the option \`assume\` says what it is: ${name}=4, or ${name}=0..4`;
  }
}
