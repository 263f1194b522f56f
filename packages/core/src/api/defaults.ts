import type { RepairMode } from '@fencewright/model/program/repair.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { EngineName } from '@fencewright/model/verdict/verdict.js';

/**
 * The default values of the options of questions, of functions of the library, and of command
 * lines. No other file defines defaults.
 */
export const defaults = {
  engine: 'search' as EngineName,
  happensBefore: 'standard' as HappensBefore,
  mode: 'fence' as RepairMode,
  /** Number of parallel searches of one program. */
  jobs: 1,
  /** Milliseconds after which a search hands over a part of the work to additional threads. */
  handOverAfter: 1000,
  /** The maximum number of states of the search for data races. */
  raceStates: 100_000,
  /**
   * The maximum number of states of the search that decides, beside a check, whether the program is
   * robust against C11.
   */
  portableStates: 20_000,
  costs: { kind: 'size' },
  /** The machine whose costs of memory orders count. */
  target: 'armv8',
  /** The seed and the number of random runs in the cost model `profile`. */
  profile: { seed: 1, runs: 100 },
} as const;
