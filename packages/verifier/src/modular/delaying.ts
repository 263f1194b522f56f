import type { Transition } from '../automata.js';
import { closure, type Local, localName } from '../code.js';
import type { HappensBefore } from '../happens-before.js';
import type { Delayed } from '../marks.js';
import { type Holds, type ModularThread, type Place, unlessItFaults } from './thread.js';

/** The attacker in the second phase of an attack. */
interface Delaying extends Local {
  readonly own: readonly number[];
  /** The newest value in the attacker's buffer, by address. */
  readonly buffer: ReadonlyMap<number, number>;
  readonly delayed: Delayed;
}

export function delayingName({ own, buffer, delayed, ...local }: Delaying): string {
  const waiting = [...buffer].sort(([a], [b]) => a - b).map((store) => store.join('='));
  return [localName(local), own.join(), waiting.join(), delayed.address, delayed.value].join(';');
}

/**
 * Returns the states of the attacker after delaying a store at a place; none if the store cannot be
 * delayed.
 */
export function delayStore(
  { code }: ModularThread,
  { location, registers, own }: Place,
  { from, to, instruction }: Transition,
  happensBefore: HappensBefore,
): readonly Delaying[] {
  if (from !== location || instruction.kind !== 'store') return [];
  const address = unlessItFaults(() => code.addressOf(registers, instruction));
  const written = unlessItFaults(() => code.stored(registers, instruction));
  if (address === undefined || written === undefined) return [];
  const delayed = { address, value: happensBefore === 'value' ? written : 0 };
  const buffer = new Map([[address, written]]);
  return [{ ...code.at(to, registers), own, buffer, delayed }];
}

/**
 * Returns the next states of the attacker, and the address of the load from memory, if there is
 * one.
 */
export function delayingStep(
  thread: ModularThread,
  state: Delaying,
  transition: Transition,
  holds: Holds,
): { readonly next: readonly Delaying[]; readonly loaded?: number } {
  const { code } = thread;
  const { instruction, to } = transition;
  const { registers, buffer } = state;
  const local = unlessItFaults(() => code.locally(state, transition) ?? 'none');
  if (local !== 'none') return { next: (local ?? []).map((at) => ({ ...state, ...at })) };
  // All other instructions wait for an empty buffer, which ends the attack.
  if (instruction.kind !== 'store' && instruction.kind !== 'load') return { next: [] };
  const address = unlessItFaults(() => code.addressOf(registers, instruction));
  if (address === undefined) return { next: [] };
  if (instruction.kind === 'store') {
    const written = unlessItFaults(() => code.stored(registers, instruction));
    if (written === undefined) return { next: [] };
    const after = new Map(buffer).set(address, written);
    return { next: [{ ...state, ...code.at(to, registers), buffer: after }] };
  }
  const reading = (value: number): Delaying => ({
    ...state,
    ...code.at(to, registers.with(instruction.into, value)),
  });
  const early = buffer.get(address);
  if (early !== undefined) return { next: [reading(early)] };
  const own = thread.ownValue(state, address);
  const values = own === undefined ? holds(address).map(({ value }) => value) : [own];
  return { next: values.map(reading), loaded: address };
}

/** Whether the thread can delay a store at a place and then reach a load from memory. */
export function mayDelay(
  thread: ModularThread,
  place: Place,
  store: Transition,
  happensBefore: HappensBefore,
): boolean {
  let loads = false;
  closure(delayStore(thread, place, store, happensBefore), delayingName, (state) =>
    thread.code.leaving(state).flatMap((transition) => {
      const { next, loaded } = delayingStep(thread, state, transition, () => []);
      loads ||= loaded !== undefined;
      return loaded === undefined ? next : [];
    }),
  );
  return loads;
}
