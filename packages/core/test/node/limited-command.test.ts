import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isRunning } from '../../src/node/is-running.js';
import { limitedCommand } from '../../src/node/limited-command.js';

function limited(body: string, limits: { cpu?: number; addressSpace?: number } = {}) {
  return limitedCommand({ command: 'sh', args: ['-c', body, 'x'] }, { cpu: 60, ...limits }, '/');
}

function run(...asked: Parameters<typeof limited>) {
  const { command, args } = limited(...asked);
  return spawnSync(command, [...args], { encoding: 'utf8' });
}

test('arguments, output and exit code are those of the program', () => {
  const { command, args } = limitedCommand(
    { command: 'printf', args: ['%s|', 'a b', '', "'$x`"] },
    { cpu: 60 },
    '/',
  );
  expect(spawnSync(command, [...args], { encoding: 'utf8' }).stdout).toBe("a b||'$x`|");
  expect(run('exit 7').status).toBe(7);
});

test('processor time, address space, files and cores have limits', () => {
  expect(run('while :; do :; done', { cpu: 1 }).signal).toBe('SIGXCPU');
  expect(run('ulimit -v', { addressSpace: 2 ** 30 }).stdout).toBe(`${2 ** 20}\n`);
  expect(run('ulimit -f; ulimit -c').stdout).toBe('0\n0\n');
  const folder = mkdtempSync(path.join(tmpdir(), 'fencewright-'));
  expect(run(`echo x > ${folder}/x`).signal ?? 'SIGXFSZ').toBe('SIGXFSZ');
});

test('a program that is not there is left to who starts it', () => {
  const plain = { command: 'fencewright-no-such-program', args: ['x'] };
  expect(limitedCommand(plain, { cpu: 1 }, '/')).toEqual(plain);
});

const canLeash = spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0;

test.skipIf(!canLeash)(
  'the program ends with who started it (skipped where there is no setpriv --pdeathsig)',
  async () => {
    const notes = mkdtempSync(path.join(tmpdir(), 'fencewright-'));
    const { command, args } = limited(`mkdir ${notes}/$$; exec sleep 1000`);
    const parent = spawn('sh', ['-c', '"$0" "$@" & wait', command, ...args], { stdio: 'ignore' });
    await expect.poll(() => readdirSync(notes).length, { timeout: 600_000 }).toBe(1);
    const pid = Number(readdirSync(notes)[0]);
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(pid), { timeout: 600_000 }).toBe(false);
  },
);
