import type { RepairMode } from '@fencewright/model/program/repair.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { EngineName } from '@fencewright/model/verdict/verdict.js';

/** What holds where nobody says else: the one place for questions, functions and command lines. */
export const defaults = {
  engine: 'search' as EngineName,
  happensBefore: 'standard' as HappensBefore,
  mode: 'fence' as RepairMode,
  /** Searches of one program at the same time. */
  jobs: 1,
  /** Milliseconds after which a search hands attackers over to other threads. */
  handOverAfter: 1000,
  /** States that the search for data races takes at most. */
  raceStates: 100_000,
  costs: { kind: 'size' },
  /** Of costs by random runs: which runs, and how many. */
  profile: { seed: 1, runs: 100 },
} as const;
