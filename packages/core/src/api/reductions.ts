import type { MoveOptions } from '@fencewright/reference/explicit/compile-moves.js';
import type { InstrumentOptions } from '@fencewright/reference/instrument/instrument.js';
import type { TurnOptions } from './decide-in-turns.js';

/** By reduction, the option of the engines that switches the reduction on or off. */
const optionOf = {
  'local-first': 'localFirst',
  'dead-registers': 'maskDeadRegisters',
  freeze: 'freezeOffPath',
  symmetry: 'symmetry',
  'owned-cells': 'ownedCells',
  'shared-dead-states': 'shareDeadStates',
  'small-instances': 'smallInstances',
  'static-path': 'staticPath',
  'local-closure': 'localClosure',
  'pair-closure': 'pairClosure',
  'few-threads': 'fewThreads',
  directed: 'directed',
  'any-number-first': 'anyNumberFirst',
  proof: 'proof',
  cover: 'cover',
} as const satisfies Readonly<
  Record<string, keyof (TurnOptions & MoveOptions & InstrumentOptions)>
>;

/**
 * The name of a reduction. A reduction saves work and changes no verdict, except to `unknown`; a
 * question may switch reductions off.
 */
export type ReductionName = keyof typeof optionOf;

/** Returns the engine's options that switch off the given reductions. */
export function optionsWithout(
  names: readonly ReductionName[] = [],
): Partial<Record<(typeof optionOf)[ReductionName], false>> {
  return Object.fromEntries(names.map((name) => [optionOf[name], false] as const));
}
