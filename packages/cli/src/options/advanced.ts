import { Option } from 'commander';
import { defaults } from '@fencewright/core/words';
import type { ReductionName, RobustnessQuestion, SolverChoice } from '@fencewright/core';
import { proofSolverHelp } from './common.js';
import { choice, type Declared, flag, parsed, underHeading, type ValuesOf } from './declare.js';
import { reductionList, reductions } from './reductions.js';
import { wholeFrom } from './values.js';

const advanced = <T>(declared: Declared<T>): Declared<T> =>
  underHeading('How the search works:', declared);

/** Declares the option that chooses between an installed Z3 and the shipped Z3. */
export const solverOption = (who = ''): Declared<SolverChoice | undefined> =>
  choice('--solver <name>', `${who}${proofSolverHelp}`, ['native', 'wasm']);

/** Declares the old option for switching off a reduction, used before `--without` existed. */
const oldSwitch = (name: ReductionName): Declared<boolean> => ({
  make: () => new Option(`--no-${name}`, `the same as --without ${name}`).hideHelp(),
  renamed: `--without ${name}`,
});

const oldSwitches = {
  localFirst: oldSwitch('local-first'),
  deadRegisters: oldSwitch('dead-registers'),
  freeze: oldSwitch('freeze'),
  symmetry: oldSwitch('symmetry'),
  ownedCells: oldSwitch('owned-cells'),
  sharedDeadStates: oldSwitch('shared-dead-states'),
  smallInstances: oldSwitch('small-instances'),
  staticPath: oldSwitch('static-path'),
  cover: oldSwitch('cover'),
};

/** The options about how a search works; no verdict depends on them. */
export const advancedOptions = {
  without: advanced(
    parsed<readonly ReductionName[]>(
      '--without <list>',
      `switch off reductions and stages, separated by commas: ${Object.entries(reductions)
        .map(([name, what]) => `${name} (${what})`)
        .join(', ')}`,
      reductionList,
    ),
  ),
  replayAll: advanced(
    flag(
      '--replay-all',
      'engine search, with --all-attacks: replay a witness of every feasible attack, not only of those that may have the shortest',
    ),
  ),
  handOverAfter: advanced(
    parsed(
      '--hand-over-after <ms>',
      `engine search, with --jobs: time before other threads take over attackers (default: ${defaults.handOverAfter})`,
      wholeFrom(0),
    ),
  ),
  kernel: advanced(
    choice<NonNullable<RobustnessQuestion['kernel']>>(
      '--kernel <name>',
      'engine search: the code that expands states',
      ['auto', 'wasm', 'typescript'],
    ),
  ),
  solver: advanced(solverOption('engine chc: ')),
  ...oldSwitches,
};

type AdvancedValues = ValuesOf<typeof advancedOptions>;

/** Returns the reductions that options with an old spelling, such as `--no-NAME`, switch off. */
export function byOldSwitch(values: Partial<AdvancedValues>): readonly ReductionName[] {
  return (Object.keys(oldSwitches) as (keyof typeof oldSwitches)[])
    .filter((key) => values[key] === false)
    .map((key) => oldSwitches[key].make().long?.slice('--no-'.length) as ReductionName);
}

/** Returns the part of a robustness question that the options about the search determine. */
export function advancedWishes(values: AdvancedValues): RobustnessQuestion {
  const { without = [], replayAll, handOverAfter, kernel, solver } = values;
  return {
    without: [...new Set([...without, ...byOldSwitch(values)])],
    ...(replayAll && { replayAll }),
    ...(handOverAfter !== undefined && { handOverAfter }),
    ...(kernel && { kernel }),
    ...(solver && { solver }),
  };
}
