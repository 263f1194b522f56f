import type { AddressOf } from './constants.js';
import { initialise } from './constants.js';
import { nameInModule } from './link-modules.js';
import { demangled, variableName } from './scoped-names.js';
import { Layout } from './layout.js';
import { Memory, type MemoryObject } from './memory.js';
import type { IrFunction, IrModule } from './syntax.js';
import { Unsupported } from './unsupported.js';

/** Padding of larger locals is not looked for, in bytes. */
const mostPadded = 4096;

/** A module whose globals lie in memory, with their initial values. */
export interface Image {
  readonly module: IrModule;
  readonly layout: Layout;
  readonly memory: Memory;
  /** Throws `Unsupported` for what is nowhere defined. */
  readonly addressOf: AddressOf;
  /** The folder of headers whose structures are single values to users. */
  readonly headers?: string;
  /** Makes a local again, which has no value; its padding counts as 0. */
  readonly makeAgain: (object: MemoryObject) => void;
  /** The function at an address. */
  readonly functionAt: (address: number) => IrFunction | undefined;
}

/** What users call something of that name in a module; `variable` as in `MemoryObject`. */
export function shownName(
  { metadata }: Pick<IrModule, 'metadata'>,
  name: string,
  variable?: string,
): string {
  const described = variable === undefined ? undefined : variableName(metadata, variable);
  return described ?? demangled(nameInModule(name));
}

/** Sections of functions that run before `main` or behind it. */
const runByItself = /^\.(?:(?:pre)?init_array|fini_array|[cd]tors)\b/;

/**
 * Lays out a module: its globals, and an address for each function. Throws `Unsupported`. Thread-
 * local globals are those of the main thread here.
 */
export function layOut(module: IrModule, headers?: string): Image {
  const layout = new Layout(module);
  const memory = new Memory();
  const addresses = new Map<string, number>();
  const functions = new Map<number, IrFunction>();
  for (const global of module.globals.values()) {
    const { name, type, alignment, initial, variable, section = '' } = global;
    if (!initial) continue;
    const shown = shownName(module, name, variable);
    if (runByItself.test(section))
      throw new Unsupported(
        `what '${shown}' points to runs by itself, for it stands in the section '${section}'`,
        'use the attribute constructor or destructor',
        variable,
      );
    const size = Unsupported.about(variable, () => layout.sizeOf(type));
    addresses.set(name, memory.allocate(shown, size, alignment, { type, variable }).address);
  }
  for (const each of module.functions.values()) {
    // What carries debug information is no function: addresses are the same with and without.
    if (each.name.startsWith('llvm.dbg.')) continue;
    const { address } = memory.allocate(shownName(module, each.name), 0);
    addresses.set(each.name, address);
    functions.set(address, each);
  }
  const addressOf: AddressOf = (name) => {
    const address = addresses.get(name);
    if (address === undefined)
      throw new Unsupported(
        `'${shownName(module, name)}' is declared, but not defined`,
        'define it, or link the file that does',
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
