// Does one job, and prints one line of JSON. `run.ts` starts this program once for each figure.
import { readFileSync } from 'node:fs';
import { check, type EngineName, finiteProgram, type Program } from '@fencewright/core';
import { parseTrencher } from '@fencewright/core/trencher';
import { SearchSession } from '@fencewright/engines/search/search-session.js';

/** A measurement that a fresh process makes: a program, and the engine that decides it. */
export interface Job {
  readonly file: string;
  /**
   * The engine to be measured; `sc`: the first phase of the search alone, the exploration under SC.
   */
  readonly engine: EngineName | 'sc';
  readonly allAttacks: boolean;
  readonly maxStates: number;
  /** The limit on the CPU time of the measurement, in seconds. */
  readonly timeout: number;
}

/** The result of a measurement. */
export interface Measured {
  /** The verdict of the engine; for `sc`, whether all states were explored. */
  readonly verdict: string;
  readonly states: number;
  /**
   * The number of bytes of the state tables for each state, when last measured; absent for short
   * runs.
   */
  readonly bytesPerState?: number;
  /**
   * The CPU time of the engine in milliseconds, without the start of Node and the reading of the
   * file.
   */
  readonly cpu: number;
  /** The largest resident size of the process, in bytes. */
  readonly resident: number;
  readonly attacks?: {
    readonly total: number;
    readonly byCfg: number;
    readonly infeasible: number;
    readonly feasible: number;
    /** The number of attacks settled by each stage; absent for engines without stages. */
    readonly settledBy?: Readonly<Record<string, number>>;
  };
  /** The feasible attacks of the program, as `thread:store:load`. */
  readonly feasible?: readonly string[];
}

async function readProgram(file: string): Promise<Program> {
  const text = readFileSync(file, 'utf8');
  const parse = file.endsWith('.fw')
    ? (await import('@fencewright/core/native')).parseNative
    : parseTrencher;
  const { model, diagnostics } = parse(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(`${file}: ${diagnostics[0]?.message ?? 'not read'}`);
  return program;
}

function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

type Figures = Omit<Measured, 'cpu' | 'resident'>;

/** Runs the first phase of the search, up to its end or the limit. */
function exploreSequentially(program: Program, { maxStates, timeout }: Job): Figures {
  const session = new SearchSession(program, {});
  const search = session.sequential;
  session.start();
  const deadline = cpuMilliseconds() + 1000 * timeout;
  let result = search.run(Math.min(maxStates, 50_000));
  while (result === 'limit' && search.table.count < maxStates && cpuMilliseconds() < deadline)
    result = search.run(Math.min(maxStates, search.table.count + 50_000));
  return {
    verdict: result === 'done' ? 'explored' : 'unknown',
    states: search.table.count,
    bytesPerState: session.bytes / search.table.count,
  };
}

async function decide(program: Program, job: Job, engine: EngineName): Promise<Figures> {
  const deadline = cpuMilliseconds() + 1000 * job.timeout;
  const stop = new AbortController();
  const { verdict, statistics, attacks } = await check(program, {
    engine,
    allAttacks: job.allAttacks,
    limits: {
      maxStates: job.maxStates,
      signal: stop.signal,
      onProgress: () => {
        if (cpuMilliseconds() > deadline) stop.abort();
      },
    },
  });
  return {
    verdict: verdict.kind,
    states: statistics.states,
    bytesPerState: statistics.bytes / statistics.states,
    attacks: statistics.attacks,
    feasible: attacks
      .filter((decided) => decided.verdict === 'feasible')
      .map(({ attack: { thread, store, load } }) => `${thread}:${store}:${load}`),
  };
}

const job = JSON.parse(process.argv[2] ?? '') as Job;
const program = await readProgram(job.file);
const before = cpuMilliseconds();
const figures =
  job.engine === 'sc' ? exploreSequentially(program, job) : await decide(program, job, job.engine);
const measured: Measured = {
  ...figures,
  cpu: cpuMilliseconds() - before,
  resident: 1024 * process.resourceUsage().maxRSS,
};
process.stdout.write(JSON.stringify(measured));
