import type { AddressLookup } from './constants.js';
import { initialise } from './constants.js';
import { runsByItself } from './listed-functions.js';
import { nameInModule } from './link-modules.js';
import { demangled, variableName } from './scoped-names.js';
import { DataLayout } from './layout.js';
import { ByteMemory, type MemoryObject } from './memory.js';
import type { IrFunction, IrModule } from './syntax.js';
import { Unsupported } from './unsupported.js';

/** The maximum size in bytes of locals whose padding is set. */
const mostPadded = 4096;

/**
 * A module with an address for each global and function, and memory with the initial values of
 * globals.
 */
export interface Image {
  readonly module: IrModule;
  readonly layout: DataLayout;
  readonly memory: ByteMemory;
  /**
   * Returns the address of the global or function with a name. Throws `Unsupported` for undefined
   * names.
   */
  readonly addressOf: AddressLookup;
  /** The folders of headers whose structures users see as single values, without member names. */
  readonly headers?: readonly string[];
  /** Makes a local variable uninitialised again; its padding is 0. */
  readonly makeAgain: (object: MemoryObject) => void;
  /** Returns the function at an address; `undefined` if there is none. */
  readonly functionAt: (address: number) => IrFunction | undefined;
}

/**
 * The user's name for a global or function of a module; `variable` is the node of debug information
 * that describes the global, if any.
 */
export function shownName(
  { metadata }: Pick<IrModule, 'metadata'>,
  name: string,
  variable?: string,
): string {
  const described = variable === undefined ? undefined : variableName(metadata, variable);
  return described ?? demangled(nameInModule(name));
}

/** The size in bytes of the largest named structure. */
function widestOf({ types }: IrModule, layout: DataLayout): number {
  return [...types.values()].reduce((widest, type) => {
    try {
      return Math.max(widest, layout.sizeOf(type));
    } catch (problem) {
      // No object has a type of unknown size.
      if (problem instanceof Unsupported) return widest;
      throw problem;
    }
  }, 0);
}

/**
 * Lays out a module: its globals, and an address for each function. Thread-local globals are those
 * of the main thread. `start` is the smallest address of an object, if not the usual one. Throws
 * `Unsupported`.
 */
export function layOut(module: IrModule, headers?: readonly string[], start?: number): Image {
  const layout = new DataLayout(module);
  const memory = new ByteMemory(widestOf(module, layout), start);
  const addresses = new Map<string, number>();
  const functions = new Map<number, IrFunction>();
  for (const global of module.globals.values()) {
    const { name, type, alignment, initial, variable, isThreadLocal, section = '' } = global;
    const isConstant = global.isConstant && ({ isConstant: true } as const);
    if (!initial && global.isOptional && !global.mayBeElsewhere) addresses.set(name, 0);
    const shown = shownName(module, name, variable);
    // The `type_info` objects of library types are identified by their names.
    if (!initial && name.startsWith('_ZTI'))
      addresses.set(name, memory.allocate(shown, 16, 8, { isConstant: true, type }).address);
    if (!initial) continue;
    if (runsByItself(section))
      throw new Unsupported(
        `the section '${section}' makes the functions in '${shown}' run automatically`,
        'use the attribute constructor or destructor instead',
        variable,
      );
    const size = Unsupported.about(variable, () => layout.sizeOf(type));
    const aligned = alignment ?? layout.alignmentOf(type);
    const what = {
      ...{ type, variable, ...isConstant },
      ...(!isThreadLocal && { lifetime: 'static' as const }),
    };
    addresses.set(name, memory.allocate(shown, size, aligned, what).address);
  }
  for (const each of module.functions.values()) {
    // Debug intrinsics get no addresses: debug information does not change the layout.
    if (each.name.startsWith('llvm.dbg.')) continue;
    if (each.blocks.length === 0 && each.isOptional && each.name !== 'calloc') {
      if (!each.mayBeElsewhere) addresses.set(each.name, 0);
      continue;
    }
    // Member functions begin at even addresses [Itanium C++ ABI 2.3.2], other functions anywhere.
    const aligned = each.name.startsWith('_Z') ? 2 : 1;
    const { address } = memory.allocate(shownName(module, each.name), 0, aligned);
    addresses.set(each.name, address);
    functions.set(address, each);
  }
  const addressOf: AddressLookup = (name) => {
    const address = addresses.get(name);
    if (address === undefined)
      throw new Unsupported(
        `'${shownName(module, name)}' is declared, but not defined`,
        'add the definition, or link the file that has the definition',
      );
    return address;
  };
  for (const { name, type, initial: value, variable } of module.globals.values())
    if (value)
      Unsupported.about(variable, () => {
        initialise(memory, layout, addressOf, addressOf(name), { type, value });
      });
  return {
    module,
    layout,
    memory,
    addressOf,
    makeAgain: ({ address, type, size }) => {
      memory.forget(address);
      if (type && size <= mostPadded)
        for (const byte of layout.paddingOf(type)) memory.store(address + byte, 1, 0n);
    },
    functionAt: (address) => functions.get(address),
    ...(headers !== undefined && { headers }),
  };
}
