import { orderTargets } from '@fencewright/core/words';
import { choice, choiceOr, common } from './declare.js';

export type MemoryModel = 'tso' | 'c11' | 'ra';

export const memoryModels: readonly MemoryModel[] = ['tso', 'c11', 'ra'];

/** The option of the memory model. */
export const memoryModel = common(
  choiceOr<MemoryModel>(
    '--model <model>',
    'the memory model: tso is x86, c11 is C and C++ with the memory orders of the text, ra is c11 with seq_cst accesses as acq_rel',
    memoryModels,
    'tso',
  ),
);

/** The option of the machine whose costs of memory orders count; `armv8` if absent. */
export const orderTarget = choice(
  '--target <machine>',
  'with --model c11: the machine whose costs of memory orders count (default: armv8)',
  orderTargets,
);

/** Whether the model is one of C11; TSO is the model of verbs without the option. */
export function isAboutC11(model: MemoryModel | undefined): model is 'c11' | 'ra' {
  return model === 'c11' || model === 'ra';
}
