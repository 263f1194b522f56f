import type * as Fleet from '@fencewright/fleet';

/** The package with the queues is not installed. */
export class NoFleet extends Error {
  override readonly name = 'NoFleet';
}

const isMissing = ({ code, message }: NodeJS.ErrnoException): boolean =>
  (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') &&
  message.includes('@fencewright/fleet');

/** The package with the queues, which is installed by those who want it; throws `NoFleet`. */
export async function loadFleet(): Promise<typeof Fleet> {
  try {
    return await import('@fencewright/fleet');
  } catch (error) {
    if (!isMissing(error as NodeJS.ErrnoException)) throw error;
    throw new NoFleet('queues need a package of their own: npm install @fencewright/fleet');
  }
}
