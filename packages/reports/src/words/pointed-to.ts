import { computeAddressSets } from '@fencewright/model/analysis/address-sets.js';
import { formatAddress, symbolAt } from '@fencewright/model/program/format.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import type { Program } from '@fencewright/model/program/program.js';

/** The maximum number of variables whose names describe a computed address. */
const fewNames = 3;

/**
 * Returns the variables that an instruction of a program in C may access through a pointer, such as
 * `slots[...].seq`, since names of registers of the tool and of headers say nothing about the
 * address. `undefined` if the address is not computed, or if the variables are unknown or many.
 */
export function pointedToInWords(
  program: Program,
  thread: ThreadId,
  transition: TransitionId,
): string | undefined {
  const instruction = program.threads[thread]?.transitions[transition]?.instruction;
  if (!isOfC(program) || !instruction || !('address' in instruction)) return undefined;
  const { kind } = instruction.address;
  if (kind !== 'register' && kind !== 'unary' && kind !== 'binary') return undefined;
  const addresses = computeAddressSets(program)[thread]?.[transition] ?? 'any';
  if (addresses === 'any') return undefined;
  // An access to an address outside of all variables ends the execution.
  const names = addresses
    .filter((address) => symbolAt(program, address) !== undefined)
    .map((address) => formatAddress(program, address));
  if (names.length === 1) return names[0];
  const general = names.map((name) =>
    name.replaceAll(/\[\d+\]/g, '[...]').replace(/ byte \d+$/, ''),
  );
  const distinct = [...new Set(general)];
  return distinct.length > 0 && distinct.length <= fewNames ? distinct.join(' or ') : undefined;
}
