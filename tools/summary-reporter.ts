import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { isRandom } from './random-tests.mjs';

/**
 * The counts of a test run. A file that cannot be loaded and an error outside any test count as
 * failures.
 */
interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

function count(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Counts {
  const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
  for (const module of modules) {
    counts.failed += module.errors().length;
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[state === 'pending' ? 'skipped' : state]++;
    }
  }
  return counts;
}

/** The maximum number of files that the summary names: those that took longest. */
const mostNamed = 40;

interface Time {
  readonly name: string;
  /** The CPU time of the test file in seconds. */
  readonly cpu: number;
}

function slowestFirst(times: readonly Time[]): readonly Time[] {
  return times.toSorted((a, b) => b.cpu - a.cpu);
}

function inLines(times: readonly Time[]): readonly string[] {
  return times.map(({ name, cpu }) => `${cpu.toFixed(1).padStart(7)}  ${name}`);
}

/**
 * Returns the CPU time of each wing: of the files below one folder of `packages`. The tests on
 * random programs count separately.
 */
function timesOfWings(files: readonly Time[]): readonly Time[] {
  const wings = new Map<string, number>();
  for (const { name, cpu } of files) {
    const folder = /^packages\/[^/]+/.exec(name)?.[0] ?? 'tools';
    const wing = isRandom(name) ? `${folder}, on random programs` : folder;
    wings.set(wing, (wings.get(wing) ?? 0) + cpu);
  }
  return [...wings].map(([name, cpu]) => ({ name, cpu }));
}

/** Returns the CPU time of all files, of each wing, and of the slowest files. */
function timesOf(modules: readonly TestModule[]): readonly string[] {
  const files = modules.map((module) => ({
    name: module.relativeModuleId,
    cpu: module.meta().cpu ?? 0,
  }));
  const total = files.reduce((sum, { cpu }) => sum + cpu, 0);
  return [
    `CPU seconds of ${modules.length} test files: ${total.toFixed(0)}`,
    ...inLines(slowestFirst(timesOfWings(files))),
    ...inLines(slowestFirst(files).slice(0, mostNamed)),
  ];
}

/**
 * Ends the output of a run with one line, easy to find and to compare: `N passed, N failed, N
 * skipped`.
 */
export default class SummaryReporter implements Reporter {
  #lines: readonly string[] = [];

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const { passed, failed, skipped } = count(modules, unhandled);
    const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
    this.#lines = [...timesOf(modules), counts];
    // The default reporter writes a summary at the end of the run; these lines have to come last.
    process.once('exit', () => {
      for (const line of this.#lines) process.stdout.write(`${line}\n`);
    });
  }
}
