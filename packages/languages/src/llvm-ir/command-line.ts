import type { Image } from './image.js';
import { environmentName } from './memory.js';
import type { IrFunction } from './syntax.js';

/** The name of the function that the process calls for the argument `argc` of `main`. */
export const argumentCountFunction = '__fencewright_argc';
/** The name of the function that the process calls for the argument `argv` of `main`. */
export const argumentList = '__fencewright_argv';
/** The name of the function that the process calls for the argument `envp` of `main`. */
export const environmentList = '__fencewright_envp';

const nowhere = { start: { line: 0, column: 0 }, end: { line: 0, column: 0 } };

const list = { kind: 'pointer' } as const;
const results = [
  [argumentCountFunction, { kind: 'int', bits: 32 }],
  [argumentList, list],
  [environmentList, list],
] as const;

/** The internal functions, not defined in any module, that return the arguments of `main`. */
export const processFunctions: ReadonlyMap<string, IrFunction> = new Map(
  results.map(([name, returns]) => [
    name,
    {
      ...{ name, returns, parameters: [], blocks: [], span: nowhere },
      ...{ isVariadic: false, isInternal: false, isReplaceable: false },
    },
  ]),
);

/** The maximum number of arguments of `main` that are modelled individually. */
const mostArguments = 16;
/**
 * The capacity of a list of unknown length, as a number of pointers, and of a word of unknown
 * content, as a number of bytes.
 */
const room = 1024;

const words = 'the text of command-line arguments is unknown';
const variables = 'the text of environment variables is unknown';

/** Texts of unknown content in memory: of the command line, the environment and functions. */
export class CommandLine {
  readonly #lists = new Map<number, number>();
  #word: number | undefined;
  #unknown: number | undefined;
  #environment: number | undefined;
  readonly #texts = new Map<string, number>();

  constructor(readonly image: Image) {}

  /**
   * The address of the list of `count` words, followed by a null pointer. Without `count`, or for a
   * large one, only the first word of the list is known. Throws `Unsupported`.
   */
  listOf(count: number | undefined): number {
    if (count === undefined || count > mostArguments)
      return (this.#unknown ??= this.#unknownList());
    let list = this.#lists.get(count);
    if (list === undefined) {
      const { memory } = this.image;
      list = memory.allocate('argv', 8 * (count + 1)).address;
      for (let i = 0; i < count; i++) memory.store(list + 8 * i, 8, this.#wordAddress);
      memory.store(list + 8 * count, 8, 0n);
      this.#lists.set(count, list);
    }
    return list;
  }

  /** The address of the list of environment variables. Throws `Unsupported`. */
  get environment(): number {
    return (this.#environment ??= this.#refused(environmentName, 8 * room, variables));
  }

  /** The address of the text that a function returns, of unknown content. */
  textOf(name: string): number {
    let text = this.#texts.get(name);
    if (text === undefined) {
      const why = `the text that ${name} returns is unknown`;
      this.#texts.set(name, (text = this.#refused(`text of ${name}`, room, why, true)));
    }
    return text;
  }

  #unknownList(): number {
    const list = this.#refused('argv', 8 * room, words);
    this.image.memory.store(list, 8, this.#wordAddress);
    return list;
  }

  /** The address of a command-line word of unknown content. */
  get #wordAddress(): bigint {
    return BigInt((this.#word ??= this.#refused('argument', room, words)));
  }

  #refused(name: string, size: number, whyRefused: string, isConstant?: true): number {
    const what = { whyRefused, ...(isConstant && { isConstant }) };
    return this.image.memory.allocate(name, size, 16, what).address;
  }
}
