import { formatAddress, symbolAt } from './format.js';
import type { Program } from './program.js';

/**
 * Returns the name of a cell for users. A cell that no variable holds gets a name by its block:
 * `block main:3 byte 4`.
 */
export function blockCellName(program: Program, address: number): string {
  const pointed = program.pointers?.names.get(address);
  const block = program.freedBlocks?.find(
    (each) => address >= each.address && address < each.address + Math.max(1, each.size),
  );
  if (pointed !== undefined || !block || symbolAt(program, address) !== undefined)
    return pointed ?? formatAddress(program, address);
  return address === block.address ? block.name : `${block.name} byte ${address - block.address}`;
}
