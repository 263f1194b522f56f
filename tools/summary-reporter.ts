import type { Reporter, SerializedError, TestModule } from 'vitest/node';

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

/**
 * Ends the output of a run with one line, easy to find and to compare: `N passed, N failed, N
 * skipped`.
 */
export default class SummaryReporter implements Reporter {
  #line: string | undefined;

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const { passed, failed, skipped } = count(modules, unhandled);
    this.#line = `${passed} passed, ${failed} failed, ${skipped} skipped`;
    // The default reporter writes a summary at the end of the run; this line has to come last.
    process.once('exit', () => {
      if (this.#line !== undefined) process.stdout.write(`${this.#line}\n`);
    });
  }
}
