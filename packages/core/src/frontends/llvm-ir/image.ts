import type { AddressOf } from './constants.js';
import { initialise } from './constants.js';
import { Layout } from './layout.js';
import { Memory } from './memory.js';
import type { IrFunction, IrModule } from './syntax.js';
import { Unsupported } from './unsupported.js';

/** A module whose globals lie in memory, with their initial values. */
export interface Image {
  readonly module: IrModule;
  readonly layout: Layout;
  readonly memory: Memory;
  /** Throws `Unsupported` for what is nowhere defined. */
  readonly addressOf: AddressOf;
  /** The function at an address. */
  readonly functionAt: (address: number) => IrFunction | undefined;
}

/**
 * Lays out a module: its globals, and an address for each function. Throws `Unsupported`. Thread-
 * local globals are those of the main thread here.
 */
export function layOut(module: IrModule): Image {
  const layout = new Layout(module);
  const memory = new Memory();
  const addresses = new Map<string, number>();
  const functions = new Map<number, IrFunction>();
  for (const { name, type, alignment, initial } of module.globals.values())
    if (initial)
      addresses.set(name, memory.allocate(name, layout.sizeOf(type), alignment, type).address);
  for (const each of module.functions.values()) {
    const { address } = memory.allocate(each.name, 0);
    addresses.set(each.name, address);
    functions.set(address, each);
  }
  const addressOf: AddressOf = (name) => {
    const address = addresses.get(name);
    if (address === undefined) throw new Unsupported(`'${name}' is declared, but not defined`);
    return address;
  };
  for (const { name, type, initial } of module.globals.values())
    if (initial) initialise(memory, layout, addressOf, addressOf(name), { type, value: initial });
  return { module, layout, memory, addressOf, functionAt: (address) => functions.get(address) };
}
