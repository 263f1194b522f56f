import { readModule } from '../../src/llvm-ir/read-module.js';
import type { IrFunction, IrModule } from '../../src/llvm-ir/syntax.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';
import type { Code } from './code.js';
import { Constants } from './constant.js';
import { prepare } from './prepare.js';
import { Types } from './shape.js';
import { NotKnown } from './stop.js';
import { toBytes, unset } from './value.js';

/** The initial memory of a program, its functions, and what is known about its input. */
export interface Image {
  readonly functions: readonly Code[];
  /** By address, the function at the address: its code, or the name of a library function. */
  readonly functionAt: ReadonlyMap<number, Code | string>;
  readonly addressOf: ReadonlyMap<string, number>;
  readonly globals: readonly ImageGlobal[];
  /** The addresses of functions that run before `main`, in order. */
  readonly constructors: readonly number[];
  /** The destructors, in the order of their priorities. */
  readonly destructors: readonly number[];
  /** The seed from which the addresses of objects are chosen. */
  readonly seed: number;
  /** The address of a word of the command line with an unknown text. */
  readonly word: number;
  /** The address of the list of the command line's words, which ends in a null pointer. */
  readonly words: number;
  /** By name of a library function, its known result. */
  readonly given: Readonly<Record<string, number>>;
}

export interface ImageGlobal {
  readonly name: string;
  readonly address: number;
  readonly bytes: readonly number[];
  readonly isConstant: boolean;
  readonly isThreadLocal: boolean;
}

/**
 * Whether a function of C++ streams is executed by a rule of the machine, even if the module has
 * its code.
 */
const hasOwnRule = (name: string): boolean =>
  /^_ZNSo(?:ls|5flush)|^_ZSt(?:ls|4endl|5flush)I/.test(name);

const pages = 0x7f_0000_0000_00;
const pageSize = 0x1_0000;

/**
 * The number of the first object on the stacks of threads. Each object has pages of its own, so
 * objects are far apart.
 */
export const firstOnStack = 10_000;
/** The number of the first object that holds a part of the command line. */
export const firstGiven = 39_000;
/**
 * The number of the first object that belongs to a single thread, such as a thread-local variable.
 */
export const firstOwn = 40_000;
/** The number of the first block on the heap. */
export const firstOnHeap = 60_000;
/** The number of objects of each kind that one thread can have. */
export const perThread = 1_000;

/**
 * Returns the address of the object `number`: the object's pages start at a fixed address, the
 * object at a random multiple of its alignment in these pages.
 */
export function addressFor(seed: number, number: number, align: number): number {
  let noise = Math.imul(seed ^ (number + 1), 0x9e3779b1) >>> 0;
  noise ^= noise >>> 15;
  const step = Math.max(align, 1);
  const offset = seed === 0 ? 0 : (noise % 256) * step;
  return pages + number * pageSize + 4096 + Math.ceil(offset / step) * step;
}

/** Returns the number of the object whose pages contain an address. */
export const objectAt = (address: number): number => Math.floor((address - pages) / pageSize);

/** The addresses in `stdout`, `stderr` and `stdin`; no program loads from these addresses. */
const known: ReadonlyMap<string, number> = new Map([
  ['stdout', 8],
  ['stderr', 8],
  ['stdin', 8],
  ['__dso_handle', 8],
  ['__libc_single_threaded', 1],
  ['_ZSt4cout', 272],
  ['_ZSt4cerr', 272],
  ['_ZSt4clog', 272],
  ['_ZSt15__once_callable', 8],
  ['_ZSt11__once_call', 8],
  ['_ZTVN10__cxxabiv120__si_class_type_infoE', 64],
  ['_ZTVN10__cxxabiv117__class_type_infoE', 64],
  ['_ZTVN10__cxxabiv121__vmi_class_type_infoE', 64],
]);

/** Reads a module and places its globals and functions at addresses chosen by the seed. */
export function loadImage(text: string, seed = 0): Image {
  const errors = new ErrorList();
  const module = readModule(text, errors);
  if (errors.hasErrors) throw new NotKnown(JSON.stringify(errors.toDiagnostics()[0]));
  const constant = new Set(
    [...text.matchAll(/^@("[^"]*"|[-\w$.]+) = [^"\n]*?\bconstant\b/gm)].map(([, name]) =>
      name!.replaceAll('"', ''),
    ),
  );
  return new Loader(module, constant, seed).image();
}

class Loader {
  readonly #types: Types;
  readonly #addresses = new Map<string, number>();
  readonly #constants: Constants;
  readonly #functionNames: readonly string[];

  constructor(
    readonly module: IrModule,
    readonly constant: ReadonlySet<string>,
    readonly seed: number,
  ) {
    this.#types = new Types(module.types);
    this.#functionNames = [...module.functions.keys()];
    this.#functionNames.forEach((name, i) => this.#addresses.set(name, 0x40_1000 + i * 64));
    [...module.globals.values()].forEach(({ name, type, alignment }, i) => {
      if (name.startsWith('llvm.')) return;
      const align = alignment ?? this.#types.layout(type).align;
      this.#addresses.set(name, addressFor(seed, i, align));
    });
    this.#constants = new Constants(this.#types, this.#addresses);
    for (const { name, meant } of module.aliases.values())
      this.#addresses.set(name, this.#constants.value({ kind: 'pointer' }, meant) as number);
  }

  image(): Image {
    const { module, seed } = this;
    const functions: Code[] = [];
    const functionAt = new Map<number, Code | string>();
    for (const fn of module.functions.values()) {
      const address = this.#addresses.get(fn.name)!;
      const isLibrary = fn.blocks.length === 0 || hasOwnRule(fn.name);
      functionAt.set(address, isLibrary ? fn.name : this.#prepare(fn, functions));
    }
    return {
      functions,
      functionAt,
      addressOf: this.#addresses,
      globals: this.#globals(),
      constructors: this.#listed('llvm.global_ctors'),
      destructors: this.#listed('llvm.global_dtors').toReversed(),
      seed,
      word: addressFor(seed, firstGiven, 16),
      words: addressFor(seed, firstGiven + 1, 16),
      given: {},
    };
  }

  #prepare(fn: IrFunction, functions: Code[]): Code {
    const code = prepare(fn, functions.length, this.#constants);
    functions.push(code);
    return code;
  }

  #globals(): readonly ImageGlobal[] {
    return [...this.module.globals.values()].flatMap((global) => {
      const { name, type, initial, isThreadLocal } = global;
      if (name.startsWith('llvm.')) return [];
      const address = this.#addresses.get(name)!;
      const isConstant = this.constant.has(name);
      if (initial) {
        const bytes = toBytes(this.#types.shape(type), this.#constants.value(type, initial));
        const filled = bytes.map((byte) => (byte === unset ? 0 : byte));
        return [{ name, address, bytes: filled, isConstant, isThreadLocal }];
      }
      const size = known.get(name);
      if (size === undefined) return [];
      const bytes = Array.from({ length: size }, () => 0);
      return [
        {
          name,
          address,
          bytes,
          isConstant: !/^__libc_single_threaded$|^_ZSt\d+__once_/.test(name),
          isThreadLocal,
        },
      ];
    });
  }

  /** Returns the functions of a list with priorities, small priorities first. */
  #listed(name: string): readonly number[] {
    const global = this.module.globals.get(name);
    if (global?.initial?.kind !== 'aggregate') return [];
    const entries = this.#constants.value(
      global.type,
      global.initial,
    ) as readonly (readonly number[])[];
    return entries.toSorted((a, b) => a[0]! - b[0]!).map((entry) => entry[1]!);
  }
}
