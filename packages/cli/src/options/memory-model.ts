import type { RelaxedModel, RobustnessModel } from '@fencewright/core';
import { orderTargets, relaxedModels, robustnessModels } from '@fencewright/core/words';
import { choice, choiceOr, common } from './declare.js';

/** The option of the memory model. */
export const memoryModel = common(
  choiceOr<RobustnessModel>(
    '--model <model>',
    'the memory model: tso is x86, c11 is C and C++ with the memory orders of the text, ra is c11 with seq_cst accesses as acq_rel',
    robustnessModels,
    'tso',
  ),
);

/** The option of the memory model that is compared with SC. */
export const comparedModel = choice(
  '--model <model>',
  'the memory model to compare with SC (default: tso)',
  relaxedModels.map((model) => model.toLowerCase()),
);

/**
 * Returns the chosen memory model as a part of a question. A configuration may choose a model of
 * C11.
 */
export function modelWish(values: { readonly model: string | undefined }): {
  readonly model?: RelaxedModel;
} {
  const model = relaxedModels.find((one) => one.toLowerCase() === values.model);
  return model ? { model } : {};
}

/** The option for the machine whose costs of memory orders are used; `armv8` if absent. */
export const orderTarget = choice(
  '--target <machine>',
  'with --model c11: the machine whose costs of memory orders count (default: armv8)',
  orderTargets,
);

/** Whether the model is one of C11; TSO is the model of verbs without the option. */
export function isAboutC11(model: RobustnessModel | undefined): model is 'c11' | 'ra' {
  return model === 'c11' || model === 'ra';
}
