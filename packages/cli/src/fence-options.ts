import { type Command, Option } from 'commander';
import type { SearchOptions } from './common-options.js';
import { type CostChoice, defaultRuns, defaultSeed } from './cost-choice.js';
import { wholeFrom } from './option-values.js';
import type { FenceSettings } from './settings.js';

export interface CostOptions {
  readonly cost?: string;
  readonly seed: number;
  readonly runs: number;
}

export interface FenceOptions extends SearchOptions, CostOptions {
  readonly repair: 'fence' | 'xchg' | 'any';
  readonly minimise?: boolean;
  readonly lockedStores?: boolean;
  readonly for?: readonly string[];
  readonly output?: string;
  readonly write?: boolean;
  readonly certificate?: string;
}

/** The options that choose a cost model. */
export function addCostOptions(command: Command, costHelp: string): Command {
  return command
    .option('--cost <size|profile|FILE>', costHelp)
    .option('--seed <n>', 'for --cost profile: which random runs', wholeFrom(0), defaultSeed)
    .option('--runs <n>', 'for --cost profile: how many random runs', wholeFrom(1), defaultRuns);
}

/** The cost model that the options choose, if any. */
export function costChoiceOf({ cost, seed, runs }: CostOptions): CostChoice | undefined {
  if (cost === undefined) return undefined;
  if (cost === 'size') return { kind: 'size' };
  return cost === 'profile' ? { kind: 'profile', seed, runs } : { kind: 'file', file: cost };
}

/** The options of `fence` that say what to look for and where to put it. */
export function addFenceOptions(command: Command): Command {
  const costHelp =
    'what to keep small: the number of fences, how often they are executed in random runs, or costs by label' +
    ' in a JSON file: {"l1": 5, "t2:l3": 2, "default": 1} (default: size)';
  return addCostOptions(command, costHelp)
    .addOption(
      new Option(
        '--repair <kind>',
        'what to use: fences, locked exchanges in place of stores, or both in one optimum',
      )
        .choices(['fence', 'xchg', 'any'])
        .default('fence'),
    )
    .addOption(
      new Option('--minimise', 'find the fences that can go instead of those that miss').conflicts([
        'repair',
        'for',
      ]),
    )
    .option('--locked-stores', 'with --minimise: exchanges without a result can go, too')
    .option(
      '--for <property>',
      'make this property hold under TSO instead of robustness, or with "assertions" all assertions; may be given several times',
      (name: string, names: readonly string[] | undefined) => [...(names ?? []), name],
    )
    .option('-o, --output <file>', 'where to write the program with the fences; - is stdout')
    .addOption(
      new Option('--write', 'write the program with the fences in place of the file').conflicts(
        'output',
      ),
    )
    .option('--certificate <file>', 'where to write the proof, for verify-certificate');
}

/** What is wrong with the options together. */
function complaintAbout(file: string, options: FenceOptions): string | undefined {
  if (options.lockedStores && !options.minimise) return '--locked-stores needs --minimise';
  if (options.write && file === '-') return '--write cannot write to standard input: use -o';
  if (options.hb === 'value') {
    if (options.for) return '--hb value is about robustness, which --for does not ask for';
    if (options.repair !== 'fence' || options.lockedStores)
      return '--hb value goes with fences only: what an exchange reads counts, so that one in place of a store may do harm';
  }
  if (options.json && options.output === '-') return '--json and -o - cannot share standard output';
  return undefined;
}

/** What the options of `fence` mean; ends with a complaint where they do not go together. */
export function fenceSettingsOf(
  command: Command,
  file: string,
  options: FenceOptions,
): FenceSettings {
  const complaint = complaintAbout(file, options);
  if (complaint !== undefined) command.error(`error: ${complaint}`);
  const output = options.write ? file : options.output;
  const minimising = options.lockedStores ? 'minimise-locked' : 'minimise';
  return {
    mode: options.minimise ? minimising : options.repair,
    costs: costChoiceOf(options) ?? { kind: 'size' },
    ...(options.for && { properties: options.for }),
    ...(output !== undefined && { output }),
    ...(options.certificate !== undefined && { certificate: options.certificate }),
  };
}
