import path from 'node:path';
import { median, timedProcess } from './timed-process.js';
import { milliseconds, type Table } from './tables.js';

const cli = path.join(path.dirname(import.meta.dirname), 'packages/cli/bin/fencewright.js');

/** CPU time of `check FILE` and of an empty Node program, whole processes, ms. */
export interface StartUpFigures {
  readonly file: string;
  readonly empty: number;
  readonly check: number;
}

/**
 * Runs both programs in turns, for equal load of the machine; the median of each program counts.
 */
export function measureStartUp(files: readonly string[], runs: number): StartUpFigures[] {
  return files.map((file) => {
    const empty: number[] = [];
    const check: number[] = [];
    for (let run = 0; run < runs; run++) {
      empty.push(timedProcess('node', ['-e', '0']).cpu);
      check.push(timedProcess('node', [cli, 'check', file]).cpu);
    }
    const middle = (all: readonly number[]): number => median(all, (value) => value);
    return { file: path.basename(file), empty: middle(empty), check: middle(check) };
  });
}

/** The figures and the differences. */
export function startUpTable(figures: readonly StartUpFigures[]): Table {
  return {
    columns: ['file', 'empty program ms', 'check ms', 'difference ms'],
    rows: figures.map(({ file, empty, check }) => [
      file,
      milliseconds(empty),
      milliseconds(check),
      milliseconds(check - empty),
    ]),
  };
}
