import { keyVariable } from '../batch/secrets.js';
import type { StoreAddress } from '@fencewright/fleet';
import { loadFleet } from './load-fleet.js';

/**
 * The environment variable for a queue's address with a password: command lines are visible to all
 * who list processes.
 */
const variable = 'FENCEWRIGHT_QUEUE';

/** Returns the environment for processes that do jobs, without the address of the queue. */
export function withoutQueue(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [variable]: _, [keyVariable]: __, ...rest } = environment;
  return rest;
}

/**
 * Returns the store named by `--queue`, or by the environment if `--queue` has no address, after
 * the store has answered. Throws `NoStore` and `NoFleet`, with messages without passwords.
 */
export async function queueAddress(given: string | true): Promise<StoreAddress> {
  const { NoStore, probe, storeAddress } = await loadFleet();
  const text = given === true ? process.env[variable] : given;
  if (text === undefined || text === '')
    throw new NoStore(`--queue without an address takes it from ${variable}, which is not set`);
  const address = storeAddress(text);
  if (given !== true && address.hasPassword)
    throw new NoStore(
      `a password on the command line is visible in the list of processes: put the address into ${variable}, and write --queue without an address`,
    );
  await probe(address);
  return address;
}
