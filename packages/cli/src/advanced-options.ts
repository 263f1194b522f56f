import { type Command, CommanderError, Option } from 'commander';
import type { ReductionName } from '@fencewright/core';
import type { SmtSolverChoice } from '@fencewright/core/node';
import { wholeFrom } from './option-values.js';
import { reductionList, reductions } from './reductions.js';
import type { SearchSettings, Settings } from './settings.js';

/** A switch of its own for each reduction: what `--without` was before. */
type OldSwitches = Readonly<Record<'freeze' | 'symmetry' | 'cover', boolean>> &
  Readonly<Record<'localFirst' | 'deadRegisters' | 'ownedCells', boolean>> &
  Readonly<Record<'sharedDeadStates' | 'smallInstances' | 'staticPath', boolean>>;

/** What commander makes of the switches. */
export interface AdvancedOptions extends Partial<OldSwitches> {
  readonly without?: readonly ReductionName[];
  readonly replayAll?: boolean;
  /** Milliseconds. */
  readonly handOverAfter?: number;
  readonly kernel?: NonNullable<SearchSettings['kernel']>;
  readonly solver?: SmtSolverChoice;
}

/** Which Z3 answers; for verbs that ask one. */
export const createSolverOption = (who: string): Option =>
  new Option(
    '--solver <name>',
    `${who}the Z3 on the PATH, or the one that comes along, in WebAssembly`,
  ).choices(['native', 'wasm']);

const createSwitches = (): readonly Option[] => [
  new Option(
    '--without <list>',
    `do without, between commas: ${Object.entries(reductions)
      .map(([name, what]) => `${name} (${what})`)
      .join(', ')}`,
  ).argParser(reductionList),
  new Option(
    '--replay-all',
    'engine search, with --all-attacks: replay a witness of every feasible attack, not only where it can be the shortest',
  ),
  new Option(
    '--hand-over-after <ms>',
    'engine search, with --jobs: how long to search alone before other threads take over attackers (default: 1000)',
  ).argParser(wholeFrom(0)),
  new Option('--kernel <name>', 'engine search: what expands states').choices([
    'auto',
    'wasm',
    'typescript',
  ]),
  createSolverOption('engine chc: '),
];

/** The reduction that an old switch turns off, as commander names the switch. */
const reductionOf: Readonly<Record<keyof OldSwitches, ReductionName>> = {
  localFirst: 'local-first',
  deadRegisters: 'dead-registers',
  freeze: 'freeze',
  symmetry: 'symmetry',
  ownedCells: 'owned-cells',
  sharedDeadStates: 'shared-dead-states',
  smallInstances: 'small-instances',
  staticPath: 'static-path',
  cover: 'cover',
};

/** The reductions that are off, by either way of saying so. */
export function withoutOf(options: AdvancedOptions): Pick<Settings, 'without' | 'byOldSwitch'> {
  const byOldSwitch = (Object.keys(reductionOf) as (keyof OldSwitches)[])
    .filter((name) => options[name] === false)
    .map((name) => reductionOf[name]);
  return { without: [...new Set([...(options.without ?? []), ...byOldSwitch])], byOldSwitch };
}

/** Adds the switches that turn single reductions off; `--help` leaves them out, `--help-advanced` shows them. */
export function addAdvancedOptions(command: Command): Command {
  const own = createSwitches();
  for (const option of own) command.addOption(option.hideHelp());
  for (const name of Object.values(reductionOf))
    command.addOption(new Option(`--no-${name}`, `the same as --without ${name}`).hideHelp());
  return command
    .option('--help-advanced', 'show the switches that turn single reductions of the search off')
    .on('option:help-advanced', () => {
      for (const option of own) option.hideHelp(false);
      command.addHelpText(
        'after',
        '\nThe reductions change no verdict: whoever doubts that turns them off one by one, and compares.',
      );
      command.outputHelp();
      throw new CommanderError(0, 'commander.help', '(outputHelp)');
    });
}
