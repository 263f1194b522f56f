import { type Command, CommanderError, Option } from 'commander';
import type { SmtSolverChoice } from '@fencewright/core/node';
import { wholeFrom } from './option-values.js';
import type { Reductions, Settings } from './settings.js';

/** What commander makes of the switches. */
export interface AdvancedOptions {
  readonly localFirst?: boolean;
  readonly deadRegisters?: boolean;
  readonly freeze?: boolean;
  readonly symmetry?: boolean;
  readonly ownedCells?: boolean;
  readonly sharedDeadStates?: boolean;
  readonly replayAll?: boolean;
  readonly smallInstances?: boolean;
  readonly staticPath?: boolean;
  readonly cover?: boolean;
  /** Milliseconds. */
  readonly handOverAfter?: number;
  readonly kernel?: NonNullable<Reductions['kernel']>;
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
    '--no-local-first',
    'do not let a thread with an enabled local step run alone; try all orders',
  ),
  new Option('--no-dead-registers', 'keep the values of registers that nothing reads any more'),
  new Option(
    '--no-freeze',
    'let helpers off the happens-before path go on after the load of the attack',
  ),
  new Option('--no-symmetry', 'engine search: tell threads with the same code apart'),
  new Option(
    '--no-owned-cells',
    'engine search: take accesses that no other thread can notice for visible ones',
  ),
  new Option(
    '--no-shared-dead-states',
    'engine search: search each attack without what others have shown to be a dead end',
  ),
  new Option(
    '--replay-all',
    'engine search, with --all-attacks: replay a witness of every feasible attack, not only where it can be the shortest',
  ),
  new Option(
    '--hand-over-after <ms>',
    'engine search, with --jobs: how long to search alone before other threads take over attackers (default: 1000)',
  ).argParser(wholeFrom(0)),
  new Option(
    '--no-small-instances',
    'any number of copies: do not search instances with up to three copies first',
  ),
  new Option(
    '--no-static-path',
    'any number of copies: search attacks also where no code could close a cycle',
  ),
  new Option(
    '--no-cover',
    'any number of copies: do not search all instances at once; nothing can be found robust then',
  ),
  new Option('--kernel <name>', 'engine search: what expands states').choices([
    'auto',
    'wasm',
    'typescript',
  ]),
  createSolverOption('engine chc: '),
];

/** Adds the switches that turn single reductions off; `--help` leaves them out, `--help-advanced` shows them. */
export function addAdvancedOptions(command: Command): Command {
  const own = createSwitches();
  for (const option of own) command.addOption(option.hideHelp());
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

/** What the switches mean. */
export function reductionsOf(options: AdvancedOptions): Reductions {
  const { localFirst = true, deadRegisters = true, freeze = true } = options;
  const { symmetry = true, ownedCells = true, sharedDeadStates = true } = options;
  const { replayAll = false, kernel } = options;
  return {
    localFirst,
    maskDeadRegisters: deadRegisters,
    freezeOffPath: freeze,
    symmetry,
    ownedCells,
    shareDeadStates: sharedDeadStates,
    replayAll,
    ...(kernel && { kernel }),
  };
}

/** Which steps a decision for any number of copies takes. */
export function stepsOf({
  smallInstances = true,
  staticPath = true,
  cover = true,
}: AdvancedOptions): Settings['steps'] {
  return { smallInstances, staticPath, cover };
}
