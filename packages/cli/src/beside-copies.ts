import { type Diagnostic, notSupported, type ReductionName } from '@fencewright/core';
import { defaultEngine } from './engines.js';
import type { Settings } from './settings.js';

/** The reductions of searches that know how many threads there are. */
const ofKnownNumbers: readonly ReductionName[] = ['local-first', 'freeze', 'symmetry'];

/** The options that were given and do not apply to threads in any number of copies, as they are written. */
function optionsWithoutMeaning({
  engine,
  without,
  byOldSwitch,
  solver,
  triesProof = false,
}: Settings): readonly string[] {
  return [
    ...(engine === defaultEngine ? [] : [`--engine ${engine}`]),
    ...ofKnownNumbers
      .filter((name) => without.includes(name))
      .map((name) => (byOldSwitch.includes(name) ? `--no-${name}` : `--without ${name}`)),
    ...(solver === undefined || triesProof ? [] : [`--solver ${solver}`]),
  ];
}

/**
 * What is wrong with the options of `check` or `explain` for a program with threads in any number of copies, which is decided in one
 * way only: no engine can be chosen, and threads of one code are counted, not told apart.
 */
export function complaintsBesideCopies(settings: Settings): readonly Diagnostic[] {
  const hint = 'leave it out, or give numbers of copies: --threads t=2';
  return optionsWithoutMeaning(settings).map((option) =>
    notSupported(undefined, `${option} does not apply to any number of copies: [*]`, hint),
  );
}
