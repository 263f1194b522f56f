import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { Sealer } from './seal.js';

/** A secret that machines share: in the environment, for command lines are seen by all. */
export const keyVariable = 'FENCEWRIGHT_KEY';

/** A shared secret that can be used for nothing, in a sentence. */
export class WeakKey extends Error {}

const shortest = 16;

/** The secret that this machine shares with others, if it does. Throws `WeakKey`. */
export function sharedSecret(environment = process.env): string | undefined {
  const key = environment[keyVariable];
  if (key === undefined || key === '') return undefined;
  if (key.length < shortest)
    throw new WeakKey(`${keyVariable} has to have ${shortest} characters at least`);
  return key;
}

/** Where what a user's programs keep lies. Source: XDG Base Directory Specification. */
function stateFolder(environment: NodeJS.ProcessEnv): string {
  const { XDG_STATE_HOME: named = '' } = environment;
  const state = path.isAbsolute(named) ? named : path.join(homedir(), '.local', 'state');
  return path.join(state, 'fencewright');
}

/** The secret in a file, if it is this user's and nobody else may read it. */
function secretIn(file: string): string | undefined {
  const fd = openSync(file, 'r');
  try {
    const status = fstatSync(fd);
    const isOwn = process.getuid === undefined || status.uid === process.getuid();
    const isPrivate = process.platform === 'win32' || (status.mode & 0o077) === 0;
    if (!status.isFile() || !isOwn || !isPrivate) return undefined;
    const text = readFileSync(fd, 'utf8').trim();
    return /^[0-9a-f]{64}$/.test(text) ? text : undefined;
  } finally {
    closeSync(fd);
  }
}

/** The secret of this user, made where there is none; nothing where it cannot be kept. */
function ownSecret(environment: NodeJS.ProcessEnv): string | undefined {
  let fresh: string | undefined;
  try {
    const folder = stateFolder(environment);
    const file = path.join(folder, 'key');
    fresh = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(fresh, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    try {
      // Of two runs that make one at the same time, the first has it whole.
      linkSync(fresh, file);
    } catch {
      // There is one.
    }
    return secretIn(file);
  } catch {
    return undefined;
  } finally {
    if (fresh !== undefined) rmSync(fresh, { force: true });
  }
}

/** What knows the seals of machines that share a secret, if this one does. Throws `WeakKey`. */
export function sharedSealer(environment = process.env): Sealer | undefined {
  const secret = sharedSecret(environment);
  return secret === undefined ? undefined : new Sealer([secret]);
}

/**
 * What seals the results of this user: by the secret that machines share, if there is one, and by
 * one outside of all working folders. `isLasting` is false where neither can be had: other runs
 * will not know the seals. Throws `WeakKey`.
 */
export function userSealer(environment = process.env): {
  readonly sealer: Sealer;
  readonly isLasting: boolean;
} {
  const kept = [sharedSecret(environment), ownSecret(environment)].filter(
    (secret) => secret !== undefined,
  );
  const [first = randomBytes(32).toString('hex'), ...others] = kept;
  return { sealer: new Sealer([first, ...others]), isLasting: kept.length > 0 };
}
