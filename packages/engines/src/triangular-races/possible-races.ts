import { addressOf } from '@fencewright/model/analysis/address-sets.js';
import { computeControlFlow } from '@fencewright/model/analysis/control-flow.js';
import { evaluateSet } from '@fencewright/model/analysis/value-set.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import {
  drainsBuffer,
  writesCell,
  type Instruction,
} from '@fencewright/model/program/instruction.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';

/** A load that may be part of a triangular race, as far as the control flow tells. */
export interface PossibleRace {
  readonly thread: ThreadId;
  readonly load: TransitionId;
}

/** An address that the text of the program gives; `any` if it depends on registers. */
type TextAddress = number | 'any';

/**
 * The addresses of the stores that may be unfenced at a location: none (`undefined`), a single
 * address, or several or unknown addresses (`any`).
 */
type UnfencedAddresses = TextAddress | undefined;

/**
 * Returns the loads that may be part of a triangular race: the control flow leads to the load from
 * a store of its thread to another address with no instruction between that drains the buffer, and
 * another thread has a write to the loaded address, or a lock block. Values of registers are
 * ignored. Without such a load the program has no triangular race.
 */
export function possibleRaces(program: Program): readonly PossibleRace[] {
  const writers = program.threads.map(({ transitions }) => {
    const addresses = new Set<TextAddress>();
    for (const { instruction } of transitions)
      if (instruction.kind === 'lock') addresses.add('any');
      else if (writesCell(instruction)) addresses.add(addressIn(program, instruction));
    return addresses;
  });
  const isWritten = (thread: ThreadId, address: TextAddress): boolean =>
    writers.some((addresses, other) => {
      if (other === thread || addresses.size === 0) return false;
      return address === 'any' || addresses.has('any') || addresses.has(address);
    });
  return program.threads.flatMap((own, thread) => {
    const unfenced = unfencedAt(program, own);
    return own.transitions.flatMap(({ from, instruction }, load) => {
      if (instruction.kind !== 'load') return [];
      const before = unfenced[from];
      const address = addressIn(program, instruction);
      const isDelayed = before !== undefined && (before === 'any' || before !== address);
      return isDelayed && isWritten(thread, address) ? [{ thread, load }] : [];
    });
  });
}

function addressIn({ symbols }: Program, instruction: Instruction): TextAddress {
  const address = addressOf(instruction);
  const set = address ? evaluateSet(address, [], symbols) : 'any';
  return set !== 'any' && set.length === 1 ? set[0]! : 'any';
}

/**
 * Returns the addresses of stores that may be unfenced at each location; indexed by `LocationId`.
 */
function unfencedAt(program: Program, thread: Thread): readonly UnfencedAddresses[] {
  const { outgoing } = computeControlFlow(thread);
  const found: UnfencedAddresses[] = [];
  const pending: LocationId[] = [];
  const add = (location: LocationId, address: UnfencedAddresses): void => {
    const known = found[location];
    const joined = known === undefined || known === address ? address : 'any';
    if (address === undefined || joined === known) return;
    found[location] = joined;
    pending.push(location);
  };
  for (const { to, instruction } of thread.transitions)
    if (instruction.kind === 'store') add(to, addressIn(program, instruction));
  for (let location = pending.pop(); location !== undefined; location = pending.pop())
    for (const id of outgoing[location] ?? []) {
      const { to, instruction } = thread.transitions[id]!;
      if (!drainsBuffer(instruction)) add(to, found[location]);
    }
  return found;
}
