import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Job, Measured } from './measure.js';
import { isOutOfTime, median, timedProcess } from './timed-process.js';

const root = path.dirname(import.meta.dirname);

/** The result of a job, with the CPU time of the whole process in milliseconds. */
export interface Measurement extends Measured {
  readonly processCpu: number;
}

/**
 * Makes each measurement in a fresh process, so that CPU time and memory are those of this
 * measurement alone.
 */
export interface Measurer {
  /**
   * Returns the median of several runs; `undefined` if the process failed, with the reason on
   * stderr.
   */
  readonly measure: (job: Job) => Measurement | undefined;
  /** The folder for temporary files, which is deleted when the measurer is closed. */
  readonly folder: string;
  readonly close: () => void;
}

/** The setting of the command line, see packages/cli/bin/load-script.js. */
const lateCompilation = process.versions.node.startsWith('20.')
  ? ['--interrupt-budget=1000000']
  : [];

function once(script: string, job: Job): Measurement | undefined {
  // A job looks at its limit now and then; the limit here ends a job that has not looked for long.
  const done = timedProcess('node', [...lateCompilation, script, JSON.stringify(job)], {
    seconds: job.timeout + 10,
  });
  if (done.exitCode === 0)
    return { ...(JSON.parse(done.stdout) as Measured), processCpu: done.cpu };
  if (isOutOfTime(done))
    return { verdict: 'unknown', states: NaN, cpu: done.cpu, resident: NaN, processCpu: done.cpu };
  process.stderr.write(`${job.file}: ${done.stderr}\n`);
  return undefined;
}

/**
 * Bundles the measuring program as the command line is bundled, since unbundled modules take long
 * to load.
 */
async function bundle(folder: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/measure.ts'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['source'],
    logLevel: 'warning',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}

/** Creates a measurer that makes every measurement `runs` times. */
export async function createMeasurer(runs: number): Promise<Measurer> {
  // The folder is below the workspace, so that packages left out of the bundle are found.
  const folder = mkdtempSync(path.join(root, 'node_modules', '.bench-'));
  await bundle(folder).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const script = path.join(folder, 'measure.mjs');
  return {
    folder,
    measure(job) {
      const done: Measurement[] = [];
      for (let run = 0; run < runs; run++) {
        const one = once(script, job);
        if (!one) return undefined;
        done.push(one);
        // A second run of a job that reached a limit would reach the limit again.
        if (one.verdict === 'unknown') break;
      }
      return median(done, ({ cpu }) => cpu);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
