import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A store of jobs for one test. */
export interface TestStore {
  readonly url: string;
  /** Kills the server as `kill -9` does, and restarts the server with the data on its disk. */
  readonly kill: () => Promise<void>;
  /** Stops the server for good. */
  readonly end: () => Promise<void>;
}

/** Returns a port on which no process listens. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Starts a server until it answers: a server started after a killed one may meet leftovers. */
async function begun(begin: () => ChildProcess, isReady: () => boolean): Promise<ChildProcess> {
  let child = begin();
  for (let i = 0; i < 4000; i++) {
    if (isReady()) return child;
    await pause(50);
    if (child.exitCode !== null) child = begin();
  }
  throw new Error(`${child.spawnfile} does not answer`);
}

async function served(
  begin: () => ChildProcess,
  isReady: () => boolean,
): Promise<Pick<TestStore, 'kill' | 'end'>> {
  let child = await begun(begin, isReady);
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(end);
  const kill = async (): Promise<void> => {
    await end();
    child = await begun(begin, isReady);
  };
  return { kill, end };
}

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'fencewright-store-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** Starts a Redis server with further settings, stopped at the end of the test. */
export async function startRedis(more: readonly string[] = []): Promise<TestStore> {
  const port = String(await freePort());
  const dir = await folder();
  const settings = ['--port', port, '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
  const args = [...settings, '--appendonly', 'yes', '--appendfsync', 'always', ...more];
  const ends = await served(
    () => spawn('redis-server', args, { stdio: 'ignore' }),
    // A request for a password is an answer, too.
    () => spawnSync('redis-cli', ['-p', port, 'ping']).status === 0,
  );
  return { url: `redis://127.0.0.1:${port}`, ...ends };
}

/** Debian's folder with the programs of PostgreSQL; `undefined` if not installed. */
export const postgresPrograms = (() => {
  try {
    const [version] = readdirSync('/usr/lib/postgresql').toSorted().toReversed();
    return version === undefined ? undefined : `/usr/lib/postgresql/${version}/bin`;
  } catch {
    return undefined;
  }
})();

/** Starts a PostgreSQL server, not as root; stopped at the end of the test. */
export async function startPostgres(): Promise<TestStore> {
  const port = String(await freePort());
  const dir = await folder();
  const isRoot = process.getuid?.() === 0;
  const as = (program: string, ...args: string[]): [string, string[]] => {
    const command = `${postgresPrograms}/${program}`;
    if (!isRoot) return [command, args];
    const who = ['--reuid=postgres', '--regid=postgres', '--clear-groups'];
    // `setpriv` replaces itself by the command, so that killing the process ends the command.
    return ['setpriv', [...who, command, ...args]];
  };
  if (isRoot) spawnSync('chown', ['postgres', dir]);
  const data = path.join(dir, 'data');
  const made = spawnSync(...as('initdb', '-D', data, '-U', 'fencewright', '-A', 'trust', '-N'));
  if (made.status !== 0) throw new Error(String(made.stderr));
  const run = as('postgres', '-D', data, '-p', port, '-h', '127.0.0.1', '-k', dir, '-F');
  const where = ['-h', '127.0.0.1', '-p', port, '-U', 'fencewright'];
  const ends = await served(
    () => spawn(...run, { stdio: 'ignore' }),
    () =>
      spawnSync(`${postgresPrograms}/psql`, [...where, '-d', 'postgres', '-c', 'select 1'])
        .status === 0,
  );
  return { url: `postgres://fencewright@127.0.0.1:${port}/postgres`, ...ends };
}
