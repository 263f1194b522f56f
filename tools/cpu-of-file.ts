import { afterAll } from 'vitest';
import { cpuOfPrograms } from './cpu-time.js';

declare module 'vitest' {
  interface TaskMeta {
    /**
     * The CPU time of a test file in seconds: of the process, and of the programs that the process
     * has run.
     */
    cpu?: number;
  }
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + cpuOfPrograms();
}

// A process may run several files.
const before = cpu();

// The runner wants the first parameter destructured, of which nothing is needed here.
afterAll(({}, { file }) => {
  file.meta.cpu = cpu() - before;
});
