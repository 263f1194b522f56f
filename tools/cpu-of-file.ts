import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** CPU time of a test file in seconds: of its process, and of the programs that it ran. */
    cpu?: number;
  }
}

/** CPU time in seconds of the programs that this process has started and that have ended. */
function ofPrograms(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticksOfSecond = 100;
  return (Number(fields[13]) + Number(fields[14])) / ticksOfSecond;
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + ofPrograms();
}

// A process may run several files.
const before = cpu();

// The runner wants the first parameter destructured, of which nothing is needed here.
afterAll(({}, { file }) => {
  file.meta.cpu = cpu() - before;
});
