import type * as Fleet from '@fencewright/fleet';

/** Thrown if the package for queues is not installed. */
export class NoFleet extends Error {
  override readonly name = 'NoFleet';
}

const isMissing = ({ code, message }: NodeJS.ErrnoException): boolean =>
  (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') &&
  message.includes('@fencewright/fleet');

/** Loads the optional package for queues. Throws `NoFleet` if the package is not installed. */
export async function loadFleet(): Promise<typeof Fleet> {
  try {
    return await import('@fencewright/fleet');
  } catch (error) {
    if (!isMissing(error as NodeJS.ErrnoException)) throw error;
    throw new NoFleet('queues need a package of their own: npm install @fencewright/fleet');
  }
}
