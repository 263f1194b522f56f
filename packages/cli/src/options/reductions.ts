import { nearestName } from '@fencewright/core/words';
import type { ReductionName } from '@fencewright/core';
import { InvalidArgumentError } from 'commander';

/** The reductions that the user can switch off, each with its help text. */
export const reductions: Readonly<Record<ReductionName, string>> = {
  'local-first': 'a thread with an enabled local step runs alone',
  'dead-registers': 'registers that no instruction reads again are set to 0',
  freeze: 'helpers off the happens-before path stop after the load of the attack',
  symmetry:
    'engine search: states that differ by a permutation of threads with the same code are one state',
  'owned-cells': 'engine search: accesses to cells of one thread are local steps',
  'shared-dead-states':
    'engine search: dead ends found for one attack are kept for the next attacks',
  'small-instances': 'any number of copies: instances with up to three copies are searched first',
  'static-path': 'attacks are ruled out if no path of the control flow can close a cycle',
  'local-closure': 'engine search: attacks are refuted thread by thread, before the search',
  'pair-closure': 'engine search: attacks are refuted by pairs of threads, before the search',
  'few-threads': 'engine search: programs with few of the threads are searched first',
  directed: 'engine search: a long search takes turns with best-first searches and write schedules',
  'any-number-first':
    'engine search: threads with the same code are first treated as any number of copies',
  proof: 'engine search: a long search takes turns with a proof',
  cover:
    'any number of copies: all instances are searched at once; without cover, no program is found robust',
};

function isReduction(name: string): name is ReductionName {
  return Object.hasOwn(reductions, name);
}

/** Parses the argument of `--without`: names separated by commas. The option may be repeated. */
export function reductionList(
  text: string,
  before: readonly ReductionName[] = [],
): readonly ReductionName[] {
  const asked = text.split(',').map((part): ReductionName => {
    const name = part.trim();
    if (isReduction(name)) return name;
    const names = Object.keys(reductions);
    const nearest = nearestName(name, names);
    const hint =
      nearest === undefined ? `there is ${names.join(', ')}` : `did you mean '${nearest}'?`;
    throw new InvalidArgumentError(`there is no '${name}'; ${hint}`);
  });
  return [...new Set([...before, ...asked])];
}
