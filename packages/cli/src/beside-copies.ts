import { type Diagnostic, notSupported } from '@fencewright/core';
import { defaultEngine } from './engines.js';
import type { Settings } from './settings.js';

/** The options that were given and do not apply to threads in any number of copies, as they are written. */
function optionsWithoutMeaning({
  engine,
  reductions,
  solver,
  triesProof = false,
}: Settings): readonly string[] {
  return [
    ...(engine === defaultEngine ? [] : [`--engine ${engine}`]),
    ...(reductions.localFirst === false ? ['--no-local-first'] : []),
    ...(reductions.freezeOffPath === false ? ['--no-freeze'] : []),
    ...(reductions.symmetry === false ? ['--no-symmetry'] : []),
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
