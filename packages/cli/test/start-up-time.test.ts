import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const cli = fileURLToPath(new URL('../', import.meta.url));
const peterson = fileURLToPath(new URL('../../../examples/peterson.fw', import.meta.url));
const storeBuffering = [0, 1]
  .map(
    (mine) => `thread t${mine}
initial a
transition a b write 1 ${mine}
transition b c read r ${1 - mine}
end
`,
  )
  .join('\n');

let folder = '';
beforeAll(async () => (folder = await mkdtemp(path.join(tmpdir(), 'fencewright-start-'))));
afterAll(() => rm(folder, { recursive: true }));

/** Prints, at its end, the milliseconds of CPU time of all threads of the process since it was started. */
const meter = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeFileSync(process.env.CPU_FILE, String((user + system) / 1000));
});`;

/** The least CPU milliseconds of several runs: what other processes on the machine do only makes them longer. */
class LeastTime {
  milliseconds = Number.POSITIVE_INFINITY;

  constructor(readonly args: readonly string[]) {}

  async run(): Promise<void> {
    const file = path.join(folder, 'cpu');
    const env = { ...process.env, CPU_FILE: file };
    const command = ['-r', path.join(folder, 'meter.cjs'), ...this.args];
    // Its exit code is its verdict.
    await promisify(execFile)(process.execPath, command, { env }).catch(() => undefined);
    this.milliseconds = Math.min(this.milliseconds, Number(await readFile(file, 'utf8')));
  }
}

// The end of the process is not counted: with it, some 15 ms are added.
test('check starts within 80 ms of CPU time over an empty program, and within 25 ms for a Trencher file', async () => {
  await writeFile(path.join(folder, 'meter.cjs'), meter);
  await writeFile(path.join(folder, 'sb.txt'), storeBuffering);
  const check = [path.join(cli, 'bin/fencewright.js'), 'check'];
  const empty = new LeastTime(['-e', '0']);
  const native = new LeastTime([...check, peterson]);
  const other = new LeastTime([...check, path.join(folder, 'sb.txt')]);
  for (let run = 0; run < 11; run++) for (const one of [empty, native, other]) await one.run();
  expect(native.milliseconds - empty.milliseconds).toBeLessThan(80);
  expect(other.milliseconds - empty.milliseconds).toBeLessThan(25);
}, 60_000);
