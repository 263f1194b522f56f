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

/**
 * The environment variable with the secret that several machines share; no option, as command lines
 * are visible to all users.
 */
export const keyVariable = 'FENCEWRIGHT_KEY';

/** Thrown if the shared secret is too weak; the message is a sentence. */
export class WeakKey extends Error {}

const shortest = 16;

/**
 * Returns the secret shared by several machines; `undefined` if there is none. Throws `WeakKey`.
 */
function sharedSecret(): string | undefined {
  const key = process.env[keyVariable];
  if (key === undefined || key === '') return undefined;
  if (key.length < shortest)
    throw new WeakKey(`${keyVariable} has to have ${shortest} characters at least`);
  return key;
}

/**
 * Returns the folder in which programs of the user keep data (XDG Base Directory Specification).
 */
function stateFolder(): string {
  const { XDG_STATE_HOME: named = '' } = process.env;
  const state = path.isAbsolute(named) ? named : path.join(homedir(), '.local', 'state');
  return path.join(state, 'fencewright');
}

/**
 * Returns the secret in a file, if only this user can read and write the file; otherwise
 * `undefined`.
 */
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

/**
 * Returns this user's own secret, a new secret if the user has none; `undefined` if the secret
 * cannot be stored.
 */
function ownSecret(): string | undefined {
  let fresh: string | undefined;
  try {
    const folder = stateFolder();
    const file = path.join(folder, 'key');
    fresh = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(fresh, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    try {
      // If two runs make a secret at the same time, the first secret counts.
      linkSync(fresh, file);
    } catch {
      // A secret exists.
    }
    return secretIn(file);
  } catch {
    return undefined;
  } finally {
    if (fresh !== undefined) rmSync(fresh, { force: true });
  }
}

/**
 * Returns the sealer for results exchanged between machines, made with the shared secret;
 * `undefined` without a secret. Throws `WeakKey`.
 */
export function sharedSealer(): Sealer | undefined {
  const secret = sharedSecret();
  return secret === undefined ? undefined : new Sealer([secret]);
}

/**
 * Returns the sealer for this user's results. The sealer's secrets are the secret shared by
 * machines, if any, and the user's own secret, stored outside of all working folders. `isLasting`
 * is false without both secrets: later runs will then reject the seals. Throws `WeakKey`.
 */
export function userSealer(): {
  readonly sealer: Sealer;
  readonly isLasting: boolean;
} {
  const kept = [sharedSecret(), ownSecret()].filter((secret) => secret !== undefined);
  const [first = randomBytes(32).toString('hex'), ...others] = kept;
  return { sealer: new Sealer([first, ...others]), isLasting: kept.length > 0 };
}
