import { nearestName } from '@fencewright/core/words';
import type { ReductionName } from '@fencewright/core';
import { InvalidArgumentError } from 'commander';

/** The reductions that the user can switch off, each with its help text. */
export const reductions: Readonly<Record<ReductionName, string>> = {
  'local-first': 'a thread with an enabled local step runs alone',
  'dead-registers': 'registers that nothing reads any more are 0',
  freeze: 'helpers off the happens-before path stop after the load of the attack',
  symmetry: 'engine search: threads with the same code are not told apart',
  'owned-cells': 'engine search: accesses that no other thread can notice are local',
  'shared-dead-states': 'engine search: dead ends of one attack are dead ends of all',
  'small-instances': 'any number of copies: instances with up to three are searched first',
  'static-path': 'attacks are left out where no code could close a cycle',
  'local-closure': 'engine search: attacks are refuted by looking at each thread alone',
  'pair-closure': 'engine search: attacks are refuted by looking at pairs of threads',
  'few-threads': 'engine search: attacks are searched for with few threads first',
  'any-number-first': 'engine search: threads of one code are taken as copies first',
  proof: 'engine search: a proof is tried beside a search that takes long',
  cover:
    'any number of copies: all instances are searched at once; nothing is found robust without',
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
