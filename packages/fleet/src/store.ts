import type { ConnectionOptions } from 'bullmq';
import type { Redis } from 'ioredis';

/** Thrown for an unusable store; the message is a sentence without passwords. */
export class NoStore extends Error {
  override readonly name = 'NoStore';
}

/** The maximum number of milliseconds for a store's first answer. */
const patience = 5000;

/** The URL schemes of job stores. */
const schemes: Readonly<Record<string, 'redis' | 'postgres'>> = {
  'redis:': 'redis',
  'rediss:': 'redis',
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
};

/** The address of a store; `shown` has no user and password. */
export interface StoreAddress {
  readonly kind: 'redis' | 'postgres';
  readonly url: string;
  readonly shown: string;
  readonly hasPassword: boolean;
}

/** Whether user, password and path have the meaning assumed by the clients. */
function isUsable({ hostname, username, password, pathname }: URL, kind: string): boolean {
  try {
    decodeURIComponent(username + password + pathname);
  } catch {
    return false;
  }
  // A PostgreSQL on a socket is named behind the question mark.
  return kind === 'postgres' || (hostname !== '' && /^(\/\d*)?$/.test(pathname));
}

/** Parses the address of a store. Throws `NoStore`, without parts of the text in the message. */
export function storeAddress(text: string): StoreAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const kind = url && schemes[url.protocol];
  if (!url || !kind || !isUsable(url, kind))
    throw new NoStore('a queue is at redis://, rediss:// or postgres://HOST:PORT');
  const shown = `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
  const named = [...url.searchParams.keys()].some((name) => /password/i.test(name));
  return { kind, url: text, shown, hasPassword: named || url.password !== '' };
}

/** Returns a sentence about a failed connection, with the error's code but not its message. */
function whyNot(error: unknown, shown: string): string {
  const { message = '', code = '' } = error as { message?: string; code?: string };
  if (/WRONGPASS|NOAUTH|invalid password/i.test(message) || code === '28P01')
    return `${shown} refuses this user and password`;
  if (code === '28000') return `${shown} refuses this user`;
  if (code === '3D000') return `there is no such database at ${shown}`;
  if (/password|SASL/i.test(message)) return `${shown} needs a password`;
  const reason = [code, /ETIMEDOUT|ECONN\w+|ENOTFOUND|EAI_AGAIN/.exec(message)?.[0]].find(Boolean);
  return `${shown} does not answer${reason === undefined ? '' : ` (${reason})`}`;
}

/** Returns the result of work; rejects after `milliseconds`, or when `signal` aborts. */
export async function inTime<T>(
  work: Promise<T>,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<T> {
  let give = (_: Error): void => undefined;
  const late = new Promise<never>((_, reject) => (give = reject));
  const timer = setTimeout(() => give(new Error('ETIMEDOUT')), milliseconds);
  const onAbort = (): void => give(new Error('nobody waits'));
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/**
 * Returns the problem in the configuration of a Redis server; `undefined` if the server reports
 * none.
 */
async function redisComplaint(client: Redis, shown: string): Promise<string | undefined> {
  const said = await client.info().catch(() => '');
  if (/^role:slave/m.test(said))
    return `${shown} is a replica, which takes no jobs: name its master`;
  const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(said) ?? [];
  if (policy.startsWith('allkeys'))
    return `${shown} drops jobs when memory gets short (maxmemory-policy ${policy}): set it to noeviction`;
  return undefined;
}

async function probeRedis({ url, shown }: StoreAddress): Promise<void> {
  const { Redis: Client } = await import('ioredis');
  const client = new Client(url, {
    ...{ lazyConnect: true, enableOfflineQueue: false, maxRetriesPerRequest: 1 },
    ...{ retryStrategy: () => null, connectTimeout: patience },
  });
  // The first error has the reason; the promise only reports the closing.
  let first: unknown;
  client.on('error', (error: unknown) => (first ??= error));
  try {
    await inTime(
      client.connect().then(() => client.ping()),
      patience,
    );
    const complaint = await inTime(redisComplaint(client, shown), patience);
    if (complaint !== undefined) throw new NoStore(complaint);
  } catch (error) {
    throw error instanceof NoStore ? error : new NoStore(whyNot(first ?? error, shown));
  } finally {
    client.disconnect();
  }
}

async function probePostgres({ url, shown }: StoreAddress): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: patience });
  client.on('error', () => undefined);
  try {
    await inTime(client.connect(), patience);
    const { rows } = await client.query('select pg_is_in_recovery() as standby');
    if ((rows as { standby?: boolean }[])[0]?.standby)
      throw new NoStore(`${shown} is a replica, which takes no jobs: name its primary`);
  } catch (error) {
    throw error instanceof NoStore ? error : new NoStore(whyNot(error, shown));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Checks that a store is available and usable; throws `NoStore` within seconds otherwise. */
export function probe(address: StoreAddress): Promise<void> {
  return address.kind === 'redis' ? probeRedis(address) : probePostgres(address);
}

/**
 * The arguments with which BullMQ connects to a store. `backend` is one more argument of BullMQ's
 * constructors, missing in BullMQ's types.
 */
interface Connected {
  readonly connection: ConnectionOptions;
  readonly backend: [];
  readonly close: () => void;
}

/** Connects to a store; the connection is restored automatically after a loss. */
export async function connect({ kind, url }: StoreAddress): Promise<Connected> {
  if (kind === 'postgres') {
    const { createPostgresBackend } = await import('bullmq');
    const connection = { connectionString: url, migrate: true } as unknown as ConnectionOptions;
    return {
      connection,
      backend: [createPostgresBackend] as unknown as [],
      close: () => undefined,
    };
  }
  const { Redis: Client } = await import('ioredis');
  const client = new Client(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(times * 100, 2000),
  });
  // Without a listener ioredis prints each loss with a stack.
  client.on('error', () => undefined);
  return {
    connection: client as unknown as ConnectionOptions,
    backend: [],
    close: () => client.disconnect(),
  };
}
